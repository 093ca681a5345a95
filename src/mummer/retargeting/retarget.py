"""Retarget: a whole motion on another body, baked, with everything that takes the whole of it into account."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from mummer.arrays import FloatArray
from mummer.character import Character, Recording
from mummer.clip.clip import Clip
from mummer.clip.recorded import bake
from mummer.clip.sampled import Sampled
from mummer.errors import InputError
from mummer.retargeting.onto import Onto
from mummer.retargeting.rates import rate_of
from mummer.retargeting.together import Together, kept_together

DEFAULT_RATE = 60.0
SAYS_NOTHING = re.compile(
    r"(motion|clip|animation|baked|scene|mixamo\.com|.*armature|(unreal |default |base )?(take|layer))?[\s._]*\d*",
    re.IGNORECASE,
)
"""Names that tools give to every motion: `Take 001`, `mixamo.com`, `Armature|mixamo.com|Layer0`."""


def retarget(
    motion: Clip | Recording,
    target: Character,
    *,
    source: Character | None = None,
    rate: float | None = None,
    feet: bool = True,
    groups: Sequence[str] = (),
    floor: float = 0.0,
    ground: Callable[[FloatArray, FloatArray], FloatArray] | None = None,
    keep: Sequence[tuple[str, str]] = (),
    name: str | None = None,
) -> Sampled:
    """A motion on another body, as a recording.

    Args:
        motion: a clip, or a recording of ``source``.
        target: who is to do it; recognised if nobody knows its anatomy yet.
        source: the body of a recording; not needed for a clip.
        rate: frames a second of the result; that of the recording, or 60.
        feet: whether feet are kept where they stand.
        groups: groups of the target that take part; all if none is named, see `Onto`.
        floor: height in metres of the floor that the target stands on.
        ground: for uneven ground, the height in metres as a function of x and z.
        keep: pairs of roles that stay together where they are in the source: ``("left_hand", "right_hand")``,
            ``("right_hand", "head")``. The first of each is a hand.
        name: of the recording; that of the source's if left out.

    Raises:
        InputError: if a recording comes without its body, or a role does not exist.

    Example:
        >>> import mummer as mm
        >>> from mummer.clip import Still
        >>> child = mm.zoo.body("child")
        >>> still = Still(mm.zoo.body("adult"), mm.zoo.body("adult").default_pose, seconds=1.0)
        >>> retarget(still, child, rate=30).body.name
        'child'
    """
    clip = _clip_of(motion, source)
    onto = Onto(clip, target, feet=feet, groups=tuple(groups), floor=floor, ground=ground)
    frames = rate or rate_of(clip) or DEFAULT_RATE
    made = bake(onto, frames, name=name or name_of(clip))
    for first, second in keep:
        made = kept_together(made, onto, Together(first, second))
    return made


def name_of(clip: Clip) -> str:
    """What the motion of a clip is called: as its recording, or as its file where that name says nothing."""
    if not isinstance(clip, Sampled):
        return "motion"
    name, source = clip.recording.name, clip.character.source
    path = None if source is None else source.path
    says_nothing = all(SAYS_NOTHING.fullmatch(part.strip()) for part in name.split("|"))
    return path.stem if path is not None and says_nothing else name


def _clip_of(motion: Clip | Recording, source: Character | None) -> Clip:
    if isinstance(motion, Clip):
        return motion
    if source is None:
        raise InputError(f"recording {motion.name!r} comes without its body; give source=")
    return Sampled(source, motion)
