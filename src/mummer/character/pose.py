"""The pose: every joint's transform at one moment, or at many."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mummer.arrays import FloatArray, locked, require_shape
from mummer.character.skeleton import Skeleton, skeleton_of
from mummer.errors import InputError

if TYPE_CHECKING:
    from mummer.character.character import Character

PARTS = ("rotations", "root_translation", "translations", "scales", "morphs")


@dataclass(frozen=True, eq=False)
class Pose:
    """How a body stands, or a batch of such poses: the leading axes of all arrays are the batch.

    Joint values are absolute parent_from_joint transforms, not differences from rest. What is None is as at rest.
    The arrays are not copied: do not write to an array after giving it to a pose.

    Attributes:
        rotations: (..., J, 4) unit quaternions xyzw.
        root_translation: (..., 3) translation of joint 0 in metres.
        translations: (..., J, 3) of every joint in metres, or None if all but joint 0 are as at rest. Where given,
            its first row is ``root_translation``.
        scales: (..., J, 3) factors, or None.
        morphs: (..., M) morph weights in the order of the character's morph names, or None.

    Example:
        >>> import numpy as np
        >>> pose = Pose(np.tile([0.0, 0, 0, 1], (100, 2, 1)), np.zeros((100, 3)))
        >>> pose.shape, pose[10].shape, len(pose[::2])
        ((100,), (), 50)
    """

    rotations: FloatArray
    root_translation: FloatArray | None = None
    translations: FloatArray | None = None
    scales: FloatArray | None = None
    morphs: FloatArray | None = None

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        set_field(self, "rotations", locked(self.rotations, copy=False))
        require_shape(self.rotations, (None, 4), "rotations of a pose")
        joints = self.rotations.shape[-2]
        for name, tail in (
            ("translations", (joints, 3)),
            ("scales", (joints, 3)),
            ("morphs", (None,)),
            ("root_translation", (3,)),
        ):
            values = getattr(self, name)
            if values is not None:
                array = locked(values, copy=False)
                require_shape(array, tail, f"{name} of a pose")
                if array.shape[: array.ndim - len(tail)] != self.shape:
                    raise InputError(
                        f"{name} of a pose is for a batch of shape {array.shape[: -len(tail)]}; "
                        f"its rotations are for {self.shape}"
                    )
                set_field(self, name, array)
        if self.translations is not None:
            # One truth: the root's translation is the first row of all translations.
            set_field(self, "root_translation", self.translations[..., 0, :])
        elif self.root_translation is None:
            raise InputError("a pose needs root_translation, or the translations of all joints")

    @classmethod
    def rest(cls, skeleton: Skeleton | Character, shape: tuple[int, ...] = ()) -> Pose:
        """The rest pose of a skeleton, or of a character, repeated over a batch of the given shape."""
        skeleton = skeleton_of(skeleton)

        def spread(array: FloatArray) -> FloatArray:
            return np.broadcast_to(array, (*shape, *array.shape))

        return cls(
            spread(skeleton.rest_rotations),
            spread(skeleton.rest_translations[0]),
            scales=None,
        )

    @classmethod
    def unchecked(
        cls,
        rotations: FloatArray,
        root_translation: FloatArray,
        translations: FloatArray | None = None,
        scales: FloatArray | None = None,
        morphs: FloatArray | None = None,
    ) -> Pose:
        """A pose of contiguous arrays that are known to fit, made without looking at them again.

        For code that makes single poses by the thousand: the checks would cost more than the pose. The arrays are
        locked; where translations are given, ``root_translation`` must be their first row.
        """
        for values in (rotations, root_translation, translations, scales, morphs):
            if values is not None:
                values.setflags(write=False)
        made = object.__new__(cls)
        made.__dict__.update(
            rotations=rotations, root_translation=root_translation, translations=translations, scales=scales,
            morphs=morphs,
        )  # fmt: skip
        return made

    @classmethod
    def stack(cls, poses: Sequence[Pose]) -> Pose:
        """Several poses of the same body and batch shape as one batch along a new first axis.

        Raises:
            InputError: if only some of them carry translations, scales or morphs.
        """
        if not poses:
            raise InputError("cannot stack no poses; expected at least one")
        parts: dict[str, Any] = {}
        for name in PARTS:
            values = [getattr(pose, name) for pose in poses]
            present = [value is not None for value in values]
            if any(present) and not all(present):
                raise InputError(f"cannot stack poses of which only some carry {name}; fill them in first")
            parts[name] = np.stack(values) if all(present) else None
        return cls(**parts)

    def __repr__(self) -> str:
        more = [name for name in ("translations", "scales", "morphs") if getattr(self, name) is not None]
        batch = f"{'x'.join(str(size) for size in self.shape)} poses of " if self.shape else ""
        return f"Pose({batch}{self.joint_count} joints{', with ' + ', '.join(more) if more else ''})"

    @property
    def shape(self) -> tuple[int, ...]:
        """The batch shape: () for a single pose."""
        return self.rotations.shape[:-2]

    @property
    def joint_count(self) -> int:
        """How many joints the pose is for."""
        return int(self.rotations.shape[-2])

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a single pose has no length")
        return int(self.shape[0])

    def __getitem__(self, index: Any) -> Pose:
        """The poses at ``index`` along the first batch axis: an integer, a slice, a mask or an index array."""
        if not self.shape:
            raise TypeError("a single pose cannot be indexed")

        def pick(values: FloatArray | None) -> FloatArray | None:
            return None if values is None else values[index]

        return Pose(
            self.rotations[index],
            pick(self.root_translation) if self.translations is None else None,
            pick(self.translations),
            pick(self.scales),
            pick(self.morphs),
        )

    def reshape(self, *shape: int) -> Pose:
        """The same poses in a batch of another shape."""
        lead = len(self.shape)
        return self._map(lambda values: values.reshape(*shape, *values.shape[lead:]))

    def broadcast_to(self, shape: tuple[int, ...]) -> Pose:
        """The same poses repeated over a batch of ``shape``, by numpy's rules."""
        if shape == self.shape:
            return self
        lead = len(self.shape)
        return self._map(lambda values: np.broadcast_to(values, (*shape, *values.shape[lead:])))

    def _map(self, change: Callable[[FloatArray], FloatArray]) -> Pose:
        given = [getattr(self, name) for name in PARTS]
        return Pose(*[None if values is None else change(values) for values in given])  # type: ignore[arg-type]

    def replace(self, **changes: FloatArray | None) -> Pose:
        """A pose with some of its arrays exchanged."""
        fields = {name: getattr(self, name) for name in PARTS}
        if "root_translation" in changes and self.translations is not None and "translations" not in changes:
            moved = self.translations.copy()
            moved[..., 0, :] = changes["root_translation"]
            changes["translations"] = moved
        return Pose(**{**fields, **changes})

    def with_rotation(self, joint: int, rotation: FloatArray) -> Pose:
        """A pose in which one joint's parent_from_joint rotation (..., 4) is exchanged."""
        rotations = self.rotations.copy()
        rotations[..., joint, :] = rotation
        return self.replace(rotations=rotations)

    def full_translations(self, skeleton: Skeleton) -> FloatArray:
        """(..., J, 3) the translation of every joint, rest values filled in."""
        if self.translations is not None:
            return self.translations
        filled = np.empty((*self.shape, len(skeleton), 3))
        filled[...] = skeleton.rest_translations
        filled[..., 0, :] = self.root_translation
        return filled

    def full_scales(self, skeleton: Skeleton) -> FloatArray:
        """(..., J, 3) the scale of every joint, rest values filled in."""
        if self.scales is not None:
            return self.scales
        return np.broadcast_to(skeleton.rest_scales, (*self.shape, len(skeleton), 3))
