"""The live engine: bodies that are stepped in time, each frame from the past and from what is wanted now."""

from mummer.engine.actor import Actor, Play
from mummer.engine.crowd import Crowd
from mummer.engine.ground import Ground, level_ground
from mummer.engine.perform import Performance, perform

__all__ = ["Actor", "Crowd", "Ground", "Performance", "Play", "level_ground", "perform"]
