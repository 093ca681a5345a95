"""The constraint engine: a clip and goals over intervals in, a clip out that meets them with no jump."""

from mummer.ik.engine.constrained import Constrained
from mummer.ik.engine.foothold import footholds, with_footholds
from mummer.ik.engine.plant import keep_contacts, planted

__all__ = ["Constrained", "footholds", "keep_contacts", "planted", "with_footholds"]
