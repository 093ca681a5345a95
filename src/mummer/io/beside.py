"""The skeleton of a motion file that names joints but has none of its own: given, or found in the same folder."""

from __future__ import annotations

import itertools
from collections.abc import Collection
from pathlib import Path

from mummer.character import Character
from mummer.errors import FileError, InputError, MummerError
from mummer.io.limits import ReadLimits
from mummer.report import ReportBuilder

MOST_TRIED = 32
"""Skeletons of one folder that are looked into."""


def skeleton_of(
    given: str | Path | Character | None,
    suffix: str,
    joints: Collection[str],
    path: Path | None,
    limits: ReadLimits,
    report: ReportBuilder,
    metres_per_unit: float | None = None,
) -> Character:
    """The body that a motion is laid on.

    Args:
        given: a character or the path of one, from here or from the folder of ``path``; None to look beside it.
        suffix: what skeletons of this kind are called, for instance ``.sk``.
        joints: the joints that the motion moves.
        path: the motion.
        limits: how much a skeleton may ask for.
        report: told which skeleton was taken, and what was found in it.
        metres_per_unit: how long a unit of the skeleton's file is, if it is known.

    Raises:
        FileError: if there is none, or none that has the joints.
        InputError: if ``given`` is neither a character nor a path.
    """
    from mummer.io.files import load

    if given is not None and not isinstance(given, str | Path | Character):
        raise InputError(f"skeleton is a {type(given).__name__}; expected a Character or the path of one")
    if given is None:
        body = _found(suffix, joints, path, limits, metres_per_unit)
        named = body.source.path if body.source is not None and body.source.path is not None else Path()
        report.add("guessed", f"its skeleton is {named.name}, which lies beside it")
        report.add_all(body.report)
    elif isinstance(given, Character):
        body = given
    else:
        beside = path.parent / given if path is not None else Path(given)
        body = load(
            Path(given) if Path(given).exists() or not beside.exists() else beside, limits=limits, unit=metres_per_unit
        )
        report.add_all(body.report)
    if not _known(body, joints):
        moved = ", ".join(itertools.islice(joints, 3))
        raise FileError(path, f"moves {moved} ..., none of which is a joint of the skeleton {body.name!r}")
    return body


def _found(
    suffix: str, joints: Collection[str], path: Path | None, limits: ReadLimits, metres_per_unit: float | None
) -> Character:
    """The skeleton beside ``path`` that has most of its joints, of several the one whose name is most like its own."""
    from mummer.io.files import load

    say = f"says how joints move, but not how they hang together: its skeleton ({suffix})"
    remedy = "name it with --skeleton FILE (skeleton=)"
    if path is None:
        raise FileError(path, f"{say} is missing; {remedy}")
    fitting: list[tuple[int, int, Character]] = []
    files = [file for file in sorted(path.parent.iterdir()) if file.suffix.lower() == suffix]
    for file in files[:MOST_TRIED]:
        try:
            body = load(file, limits=limits, unit=metres_per_unit)
        except MummerError:
            continue
        fitting.append((_known(body, joints), _alike(file.stem.lower(), path.stem.lower()), body))
    known, _, best = max(fitting, key=lambda one: one[:2], default=(0, 0, None))
    if best is None or 2 * known < len(joints):
        listed = ", ".join(file.name for file in itertools.islice(files, 3))
        there = f"is not one of those beside it ({listed})" if files else "does not lie beside it"
        raise FileError(path, f"{say} {there}; {remedy}")
    return best


def _alike(first: str, second: str) -> int:
    """How many letters two names have in common from the start."""
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))


def _known(body: Character, joints: Collection[str]) -> int:
    return sum(joint in body.skeleton for joint in joints)
