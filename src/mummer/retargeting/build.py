"""A body as retargeting sees it: how it stands at rest, where its legs are, and how long they are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np

from mummer.arrays import FloatArray, IntArray, locked
from mummer.character import Anatomy, Character, Skeleton, first_branch
from mummer.character.derive import scale_above, size_of
from mummer.clip.clip import Clip
from mummer.errors import InputError
from mummer.kernels import fk_rigid
from mummer.math import quaternion
from mummer.recognition import recognized
from mummer.retargeting.leg import Leg, legs_of
from mummer.retargeting.standing import stood

HANGS = 0.25
"""A rest pose hangs about the origin if its girdle is no higher above zero than this part of its height."""


@dataclass(frozen=True, eq=False)
class Build:
    """What retargeting must know of one body. Scales are folded into lengths: all frames are in metres.

    At rest means as the body stands, see `mummer.retargeting.standing`.

    Attributes:
        character: the body, with an anatomy.
        offsets: (J, 3) from each joint's parent to the joint at rest, in the parent's frame, metres.
        places: (J, 3) at rest in the world, metres.
        turns: (J, 4) world_from_joint at rest.
        hips: the joint that the trunk hangs together by.
        carrier: the root above the hips, whose translation moves the body.
        legs: that stand on the ground.
    """

    character: Character
    offsets: FloatArray
    places: FloatArray
    turns: FloatArray
    hips: int
    carrier: int
    legs: tuple[Leg, ...]

    @property
    def skeleton(self) -> Skeleton:
        """The skeleton of the character."""
        return self.character.skeleton

    @property
    def anatomy(self) -> Anatomy:
        """The anatomy of the character."""
        assert self.character.anatomy is not None
        return self.character.anatomy

    @cached_property
    def world_from_body(self) -> FloatArray:
        """(4,) turns +Z to where the body faces and +Y to its up, at rest."""
        return quaternion.look_rotation(self.anatomy.front, self.anatomy.up)

    @cached_property
    def fork(self) -> int:
        """The joint that the trunk grows from: the hips, or what they hang from beside the spine."""
        roles = self.anatomy.roles
        top = next((roles[role] for role in ("chest", "spine", "neck", "head") if role in roles), None)
        if top is None:
            return self.hips
        above = self.skeleton.ancestors(top)
        return next((each for each in (self.hips, *self.skeleton.ancestors(self.hips)) if each in above), self.hips)

    @cached_property
    def girdle(self) -> IntArray:
        """(n,) the joints whose middle is where the body is: where the hindmost legs begin, or the hips."""
        if not self.legs:
            return np.array([self.hips], np.int64)
        uppers = [leg.upper for leg in self.legs]
        hind = [leg.upper for leg in self.legs if leg.name.startswith("hind")]
        return np.array(sorted(hind or uppers), np.int64)

    @cached_property
    def seat(self) -> int:
        """The joint that carries the girdle: the hips, or what legs hang from beside them."""
        above = [set(self.skeleton.ancestors(joint)) for joint in self.girdle.tolist()]
        both = set.intersection(*above)
        if self.hips in both or self.hips in self.girdle:
            return self.hips
        return next((joint for joint in self.skeleton.ancestors(self.hips) if joint in both), self.hips)

    @cached_property
    def size(self) -> float:
        """Metres that motions are scaled by: the mean length of the legs, or the size of a body that has none."""
        if self.legs:
            return float(np.mean([leg.length for leg in self.legs]))
        return self.anatomy.height or size_of(self.places) or 1.0

    @cached_property
    def ankle_height(self) -> float:
        """Metres from the ground to the ankles of the girdle at rest, on average; 0 without legs."""
        feet = [leg.foot for leg in self.legs if leg.upper in self.girdle]
        if not feet:
            return 0.0
        return float(np.mean(np.maximum(self.places[feet] @ self.anatomy.up - self.anatomy.ground, 0.0)))

    @cached_property
    def girdle_height(self) -> float:
        """Metres from the ground to the middle of the girdle at rest."""
        return float(self.places[self.girdle].mean(axis=0) @ self.anatomy.up) - self.anatomy.ground

    @property
    def floor(self) -> float:
        """The height on which it stands at rest, metres; zero for bare skeletons that hang about the origin."""
        girdle = self.girdle_height + self.anatomy.ground
        hangs = not self.character.meshes and abs(girdle) <= HANGS * self.girdle_height
        return 0.0 if hangs else self.anatomy.ground

    def leg(self, name: str) -> Leg | None:
        """The leg called ``name``, if there is one."""
        return next((leg for leg in self.legs if leg.name == name), None)

    def lengths(self, translations: FloatArray | None, scales: FloatArray | None) -> tuple[FloatArray, FloatArray]:
        """What frames with translations or scales of their own say of lengths, as the inner loops take it.

        Args:
            translations: (T, J, 3) parent_from_joint, or None for those at rest.
            scales: (T, J, 3), or None for those at rest.

        Returns:
            (J,) factors, and (1, J, 3) or (T, J, 3) translations, whose product is from parents to joints in metres.
        """
        local = self.skeleton.rest_translations[None] if translations is None else translations
        if scales is None or np.all(np.abs(scales - self.skeleton.rest_scales) < 1e-6):
            return self.above, np.ascontiguousarray(local)
        above = scale_above(self.skeleton, scales)
        return np.ones(len(self.skeleton)), np.ascontiguousarray(local * above[..., None])

    @cached_property
    def above(self) -> FloatArray:
        """(J,) the factor by which the frame that each joint stands in is scaled at rest."""
        return scale_above(self.skeleton, self.skeleton.rest_scales[None])[0]


_KEPT = "_retarget_build"


def build_of(character: Character, motion: Clip | None = None) -> Build:
    """What retargeting must know of ``character``; made once and remembered as long as the character lives.

    A body without an anatomy is recognised first. One that does not stand at rest is looked at in its own recordings,
    or else in ``motion``.

    Raises:
        InputError: if nothing in it can be recognised.
    """
    # Kept in the character itself: a table elsewhere would keep every body of a long batch alive.
    found = character.__dict__.get(_KEPT)
    if found is None:
        found = character.__dict__[_KEPT] = _make(stood(recognized(character), motion))
    return cast(Build, found)


def _make(character: Character) -> Build:
    anatomy, skeleton = character.anatomy, character.skeleton
    if anatomy is None:
        raise InputError(f"what the parts of {character.name!r} are is not known, so no motion can be moved onto it")
    offsets = skeleton.rest_translations * scale_above(skeleton, skeleton.rest_scales[None])[0][:, None]
    places, turns = fk_rigid(skeleton.parents, skeleton.rest_rotations, offsets, offsets[0])
    hips = anatomy.roles.get("hips", first_branch(skeleton))
    chain = (hips, *skeleton.ancestors(hips))
    return Build(
        character, locked(offsets), locked(places), locked(turns), hips, chain[-1],
        legs_of(skeleton, anatomy, places, turns),
    )  # fmt: skip
