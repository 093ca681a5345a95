"""Files in and out: one call to load, one to save, one guard against hostile content."""

from mummer.io.files import load, save, save_motions
from mummer.io.limits import DEFAULT_LIMITS, ReadLimits

__all__ = ["DEFAULT_LIMITS", "ReadLimits", "load", "save", "save_motions"]
