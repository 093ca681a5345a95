"""Everything that bends a body to meet a goal: goals, solvers, pose distance, balance, volume, constraints."""

from mummer.lazy import lazily

__all__ = lazily(__name__)
