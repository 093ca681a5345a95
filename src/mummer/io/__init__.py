"""Files in and out: one call to load, one to save, one guard against hostile content."""

from mummer.io.files import load, save, save_motions
from mummer.io.limits import DEFAULT_LIMITS, ReadLimits
from mummer.io.subjects import BodyLike, as_character

__all__ = ["DEFAULT_LIMITS", "BodyLike", "ReadLimits", "as_character", "load", "save", "save_motions"]
