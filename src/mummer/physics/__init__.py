"""A character as a simulated body: muscles, balance, pushes, things that hit it, falls and getting up."""

from mummer.lazy import lazily

__all__ = lazily(__name__)
