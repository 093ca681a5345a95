"""Judging files: every motion that a file holds, as a player shows it."""

from __future__ import annotations

import os

from mummer.clip import Sampled
from mummer.grid.judge import scene_of
from mummer.grid.play import judged
from mummer.grid.verdict import Cell, Verdict


def judge_file(path: str | os.PathLike[str], motion: str | None = None) -> tuple[Verdict, ...]:
    """What all judges say of the motions of a file; of what was wished they know nothing.

    Args:
        path: of a body with motions, in any format that can be read.
        motion: the name of one of them; all if None.

    Raises:
        MummerError: if it cannot be read, or holds no such motion.

    Example:
        >>> import mummer as mm, tempfile, os
        >>> file = os.path.join(tempfile.mkdtemp(), "nod.glb")
        >>> _ = mm.perform("zoo:dog", "nod").save(file)
        >>> [verdict.animation for verdict in judge_file(file)]
        ['nod']
    """
    from mummer.io import load
    from mummer.recognition import recognized

    body = recognized(load(path))
    recordings = body.recordings if motion is None else (body.recording(motion),)
    return tuple(
        judged(Cell(os.fspath(path), recording.name), scene_of(Sampled(body, recording), finds_ground=True))
        for recording in recordings
    )
