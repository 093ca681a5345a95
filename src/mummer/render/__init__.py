"""Pictures of bodies and motions: no display, no graphics card, only numpy, numba and Pillow."""

from mummer.render.look import Look
from mummer.render.options import Options
from mummer.render.picture import picture
from mummer.render.subject import Subject, subject_of
from mummer.render.view import VIEWS, View

__all__ = ["VIEWS", "Look", "Options", "Subject", "View", "picture", "subject_of"]
