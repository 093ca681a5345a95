"""Retarget: a whole motion on another body, baked, with everything that takes the whole of it into account."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Unpack

from mummer.character import Character, Recording
from mummer.clip.carriers import Choice, with_carrier
from mummer.clip.clip import Clip
from mummer.clip.following import Following
from mummer.clip.motions import MotionLike, as_clip
from mummer.clip.rates import rate_of
from mummer.clip.recorded import bake
from mummer.clip.sampled import Sampled
from mummer.clip.travel import Travel
from mummer.errors import InputError
from mummer.io.subjects import BodyLike, as_character
from mummer.options import require_options
from mummer.recognition import recognized
from mummer.report import Report
from mummer.retargeting.onto import Onto, Taking
from mummer.retargeting.shortfalls import in_ground
from mummer.retargeting.together import Together, kept_together

DEFAULT_RATE = 60.0


def retarget(
    motion: MotionLike,
    body: BodyLike,
    *,
    clip: str | None = None,
    source: BodyLike | None = None,
    rate: float | None = None,
    keep: Sequence[tuple[str, str]] = (),
    name: str | None = None,
    travel: Choice = "auto",
    **taking: Unpack[Taking],
) -> Sampled:
    """A motion on another body, as a recording.

    Args:
        motion: a path, a clip, a character with recordings, or a recording of ``source``.
        body: who is to do it: a path, ``zoo:NAME`` or a character; recognised if nobody knows its anatomy yet.
        clip: which of several recordings, by name; the first if None, which the ``report`` of the result tells.
        source: the body of a recording; not needed for anything else.
        rate: frames a second of the result; that of the recording, or 60.
        keep: pairs of roles that stay together where they are in the source: ``("left_hand", "right_hand")``,
            ``("right_hand", "head")``. The first of each is a hand.
        name: of the recording; that of the source's if left out.
        travel: which joints carry the body about: ``auto`` those that do in its own recordings, ``hips``, or ``root``
            for the way over the ground on a joint above, which is added where there is none.
        taking: ``feet``, ``groups``, ``floor`` and ``ground``, each by its name; see `Onto`.
        feet: whether feet are kept where they stand.
        groups: groups of the target that take part; all if none is named.
        floor: height in metres of the floor that the target is put on; that on which it stands at rest if None.
        ground: for uneven ground, the height in metres as a function of x and z.

    Raises:
        InputError: if motion or body is something else, a recording comes without its body, or a role does not exist.
        UnknownNameError: if there is no recording called ``clip``, with the closest.

    Example:
        >>> import mummer as mm
        >>> wave = mm.perform("zoo:adult", "wave")
        >>> mm.retarget(wave, "zoo:child", rate=30).body.name
        'child'
    """
    require_options(taking, Taking, "retarget()")
    given = _motion_of(motion, body, clip, source)
    target = as_character(body, asker="retarget()")
    target = with_carrier(recognized(target), travel) if travel == "root" else target
    onto = Onto(given, target, **taking)
    frames = rate if rate is not None else rate_of(given) or DEFAULT_RATE
    made = bake(onto, frames, name=name)
    for first, second in keep:
        made = kept_together(made, onto, Together(first, second))
    result = bake(Travel(Following(made), travel), frames, name=made.recording.name)
    if onto.ground is not None:
        return result
    deep = in_ground(result, onto.transfer.target, onto.floors.target)
    return replace(result, report=Report((*result.report, *deep)))


def _motion_of(motion: MotionLike, body: BodyLike, clip: str | None, source: BodyLike | None) -> Clip:
    """The motion as a clip.

    Raises:
        InputError: also if motion and body were given the other way round.
    """
    if isinstance(motion, (str, os.PathLike, Character)):
        given = as_character(motion, asker="retarget()")
        if not given.recordings and _moves(body):
            raise InputError(
                f"retarget() takes the motion first and then the body; {given.name!r} has no recordings, and the "
                "second does: exchange the two"
            )
        motion = given
    return as_clip(motion, clip, source=source, asker="retarget()")


def _moves(given: object) -> bool:
    if isinstance(given, (str, os.PathLike, Character)):
        return bool(as_character(given, asker="retarget()").recordings)
    return isinstance(given, (Clip, Recording))
