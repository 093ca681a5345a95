"""Everything that a worker needs, loaded by being imported, in the process that workers are copies of."""

from __future__ import annotations

import contextlib
import gc
import os

from mummer.character import Character
from mummer.clip.hold import Still
from mummer.errors import MummerError
from mummer.measure import measures
from mummer.retargeting.crew import READY
from mummer.retargeting.retarget import retarget
from mummer.retargeting.work import load_body
from mummer.zoo import body


def _load_compiled() -> None:
    """Have all compiled loops that a job needs, by doing one."""
    adult, child = (Character(each.name, each.skeleton, anatomy=each.anatomy) for each in map(body, ("adult", "child")))
    still = Still(adult, adult.default_pose, seconds=0.5)
    measures(retarget(still, child, rate=30.0), still)


with contextlib.suppress(MummerError):
    _load_compiled()
for _name in os.environ.get(READY, "").splitlines():
    # What cannot be loaded is told by the job that needs it.
    with contextlib.suppress(MummerError, ArithmeticError, ValueError, LookupError, TypeError, OSError):
        load_body(_name)
gc.collect()
# What is there stays: looking through it for garbage would make copies of it in every worker.
gc.freeze()
