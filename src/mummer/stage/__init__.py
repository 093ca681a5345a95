"""The stage: motions that follow one another and lie over one another, with what lies between them."""

from mummer.stage.cue import Cue, Tag
from mummer.stage.durations import Durations, Example, learn, shipped
from mummer.stage.props import Carry, ball, box, carried, scene
from mummer.stage.segue import Segue, segue
from mummer.stage.stack import Placed, Stack
from mummer.stage.starts import closest_approach, easiest_moment
from mummer.stage.stepper import Step
from mummer.stage.timing import Gap, Leap, gap_between, group_seconds, joined, transition_seconds

__all__ = [
    "Carry",
    "Cue",
    "Durations",
    "Example",
    "Gap",
    "Leap",
    "Placed",
    "Segue",
    "Stack",
    "Step",
    "Tag",
    "ball",
    "box",
    "carried",
    "closest_approach",
    "easiest_moment",
    "gap_between",
    "group_seconds",
    "joined",
    "learn",
    "scene",
    "segue",
    "shipped",
    "transition_seconds",
]
