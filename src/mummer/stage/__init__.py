"""The stage: motions that follow one another and lie over one another, with what lies between them."""

from mummer.stage.durations import Durations, Example, learn, shipped
from mummer.stage.segue import Segue, segue
from mummer.stage.stepper import Step
from mummer.stage.timing import Gap, Leap, gap_between, group_seconds, joined, transition_seconds

__all__ = [
    "Durations",
    "Example",
    "Gap",
    "Leap",
    "Segue",
    "Step",
    "gap_between",
    "group_seconds",
    "joined",
    "learn",
    "segue",
    "shipped",
    "transition_seconds",
]
