"""Whatever says a motion: a clip, a recording, a character that brings recordings, or the path of a file with one."""

from __future__ import annotations

import os
from typing import Any, TypeAlias

from mummer.character import Character, Recording
from mummer.clip.clip import Clip
from mummer.clip.sampled import Sampled
from mummer.errors import InputError
from mummer.io.subjects import BodyLike, as_character, kind_of
from mummer.recognition import recognized
from mummer.report import Report, ReportBuilder

MotionLike: TypeAlias = "str | os.PathLike[str] | Clip | Recording | Character"
"""A path, a clip, a recording (whose body must be told beside it), or a character with recordings."""
EXPECTED = "a motion: a path, a clip, a recording or a character with recordings"


def as_clip(given: MotionLike | Any, clip: str | None = None, *, source: BodyLike | None = None, asker: str) -> Clip:
    """The motion that ``given`` says, as a clip of a body whose anatomy is known.

    Args:
        given: see `MotionLike`.
        clip: which of several recordings, by name; the first if None, which the clip's ``report`` tells.
        source: the body of a recording that comes without.
        asker: who asks, for errors: ``retarget()``.

    Raises:
        InputError: if it says no motion.
        UnknownNameError: if there is no recording of that name, with the closest.
    """
    if isinstance(given, Clip):
        if clip is not None:
            raise InputError(f"{asker} got clip={clip!r} beside a clip; it chooses among the recordings of a file")
        return given
    if isinstance(given, Recording):
        if source is None:
            raise InputError(f"recording {given.name!r} comes without its body; give source=")
        return Sampled(recognized(as_character(source, asker=asker)), given)
    if not isinstance(given, (str, os.PathLike, Character)):
        raise InputError(f"{asker} expected {EXPECTED}; got {kind_of(given)}")
    return of(given, clip)


def of(body: BodyLike, name: str | None = None, **options: Any) -> Sampled:
    """A recording of a body as a clip.

    Args:
        body: a character, or the path of a file; recognised if nobody knows its anatomy yet.
        name: of the recording; the first if None, which the clip's ``report`` tells.
        options: of `Sampled`.

    Raises:
        UnknownNameError: if there is no such recording, with the closest.
        InputError: if there is none at all.

    Example:
        >>> walk = of("hero.glb", "walk")  # doctest: +SKIP
    """
    character = as_character(body, asker="clip.of()")
    if not character.recordings:
        raise InputError(
            f"{character.name!r} has no recordings, so there is no motion to take from it; "
            "give a file that has one, or make one: perform(body, 'walk')"
        )
    recording = character.recordings[0] if name is None else character.recording(name)
    told = _choice(character) if name is None else Report()
    return Sampled(recognized(character), recording, report=told, **options)


def _choice(character: Character) -> Report:
    """What is told where nobody has said which recording."""
    report, names = ReportBuilder(), [recording.name for recording in character.recordings]
    if len(names) > 1:
        others = ", ".join(repr(name) for name in names[1:6]) + (" ..." if len(names) > 6 else "")
        report.add("guessed", f"{names[0]!r}, the first of {len(names)} recordings, was taken; clip= takes {others}")
    return report.build()
