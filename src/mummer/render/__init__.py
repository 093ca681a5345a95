"""Pictures of bodies and motions: no display, no graphics card, only numpy, numba and Pillow."""

from mummer.render.look import Look
from mummer.render.options import Options
from mummer.render.picture import picture
from mummer.render.png import save_png
from mummer.render.sheet import contact_sheet
from mummer.render.subject import Subject, subject_of
from mummer.render.video import VideoFacts, save_video, video
from mummer.render.view import VIEWS, View

__all__ = [
    "VIEWS",
    "Look",
    "Options",
    "Subject",
    "VideoFacts",
    "View",
    "contact_sheet",
    "picture",
    "save_png",
    "save_video",
    "subject_of",
    "video",
]
