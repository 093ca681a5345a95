"""Abilities that code and BML ask for: gaze, locomotion, manipulation, gestures, speech."""

from mummer.behavior.behavior import SYNCS, Behavior
from mummer.behavior.make import KINDS, make
from mummer.behavior.performer import Event, Frame, Performer, Running, Sound

__all__ = ["KINDS", "SYNCS", "Behavior", "Event", "Frame", "Performer", "Running", "Sound", "make"]
