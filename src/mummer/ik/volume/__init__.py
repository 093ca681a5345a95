"""The volume of bodies: capsules, overlaps and their cure, distance to the surface, places on it."""

from mummer.lazy import lazily

__all__ = lazily(__name__)
