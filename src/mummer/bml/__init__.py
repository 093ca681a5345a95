"""BML 1.0: read, schedule, realise, feed back."""

from mummer.bml.block import Block, Constraint, Element, SyncRef
from mummer.bml.company import Company
from mummer.bml.feedback import Feedback, Warned
from mummer.bml.read import read_blocks
from mummer.bml.realizer import Realizer
from mummer.bml.rehearsal import Rehearsal
from mummer.bml.schedule import Schedule, Timed, schedule

__all__ = [
    "Block",
    "Company",
    "Constraint",
    "Element",
    "Feedback",
    "Realizer",
    "Rehearsal",
    "Schedule",
    "SyncRef",
    "Timed",
    "Warned",
    "read_blocks",
    "schedule",
]
