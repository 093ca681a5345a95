"""Jiggles: loose parts that nothing moves swing along, passively."""

from mummer.general.jiggle.flexibility import BY_KIND, Flexibility
from mummer.general.jiggle.idle import idle_joints
from mummer.general.jiggle.jiggled import Jiggled

__all__ = ["BY_KIND", "Flexibility", "Jiggled", "idle_joints"]
