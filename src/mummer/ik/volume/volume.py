"""The volume of a body: tapered capsules that move with its joints, made once and remembered."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, IntArray, locked, require_finite
from mummer.character import Character, Pose
from mummer.character.mass_from_capsules import guess_radii
from mummer.disk_cache import cached, key_of
from mummer.errors import InputError
from mummer.ik.volume.capsule import signed_distance
from mummer.ik.world_state import WorldState
from mummer.kept import kept
from mummer.math import quaternion


@dataclass(frozen=True, eq=False)
class Volume:
    """C capsules, each the hull of two balls that may differ in size, each moving with one joint.

    Attributes:
        joints: (C,) the joint that carries each capsule; a joint may carry several, or none.
        ends: (C, 2, 3) the centres of both balls in the joint's own frame, metres.
        radii: (C, 2) metres.
        misfit: (C,) the median distance from the surface that a capsule was fitted to, metres; zero where there was
            no surface.
    """

    joints: IntArray
    ends: FloatArray
    radii: FloatArray
    misfit: FloatArray

    def __post_init__(self) -> None:
        count = len(np.asarray(self.joints))
        object.__setattr__(self, "joints", locked(self.joints, np.int64))
        for name, shape in (("ends", (count, 2, 3)), ("radii", (count, 2)), ("misfit", (count,))):
            values = locked(getattr(self, name))
            if values.shape != shape:
                raise InputError(f"{name} of a volume have shape {values.shape}; expected {shape}")
            require_finite(values, f"{name} of a volume")
            object.__setattr__(self, name, values)
        if np.any(self.radii < 0):
            raise InputError("a radius of a volume is negative")

    def __len__(self) -> int:
        return len(self.joints)

    def of(self, joint: int) -> IntArray:
        """The capsules that ``joint`` carries."""
        return np.flatnonzero(self.joints == joint)

    @property
    def lengths(self) -> FloatArray:
        """(C,) metres between the centres of both balls."""
        return np.asarray(np.linalg.norm(self.ends[:, 1] - self.ends[:, 0], axis=1))

    @property
    def cubic_metres(self) -> FloatArray:
        """(C,) how much each capsule holds, close enough to compare them: a cut cone and the halves of two balls."""
        one, other = self.radii.T
        cone = np.pi / 3 * self.lengths * (one**2 + one * other + other**2)
        return np.asarray(cone + np.pi * 2 / 3 * (one**3 + other**3))


@kept
def volume_of(character: Character) -> Volume:
    """The capsules of ``character``: fitted to its surface, or to its joints where it has none.

    Made once and remembered as long as the character lives. What lies wholly within another part (eyes in a head) is
    left out.

    Example:
        >>> import mummer as mm
        >>> from mummer.ik.volume import volume_of
        >>> volume = volume_of(mm.zoo.body("snake"))
        >>> len(volume) > 10
        True
    """
    has_surface = any(len(mesh.triangles) for mesh in character.meshes)
    return _without_hidden(character, _from_surface(character) if has_surface else volume_from_bones(character))


def _from_surface(character: Character) -> Volume:
    """Capsules fitted to the surface; kept on disk, as fitting takes a second."""
    skeleton = character.skeleton
    anatomy = None if character.anatomy is None else repr(character.anatomy.height)
    surface = [
        part
        for mesh in character.meshes
        for part in (mesh.positions, mesh.triangles, mesh.skin.joints, mesh.skin.joint_from_mesh, mesh.skin.indices,
                     mesh.skin.weights)
    ]  # fmt: skip
    rest = (skeleton.parents, skeleton.rest_translations, skeleton.rest_rotations, skeleton.rest_scales)
    from mummer.ik.volume.fit import volume_from_mesh

    return cached("volume", key_of(anatomy, *rest, *surface), lambda: volume_from_mesh(character))


def _without_hidden(character: Character, volume: Volume) -> Volume:
    """The volume without capsules that lie at rest wholly within one of another joint, or have no size."""
    rest = WorldState(character, Pose.rest(character.skeleton))
    turns = rest.rotations[0, volume.joints][:, None]
    ends = rest.positions[0, volume.joints][:, None] + quaternion.rotate(turns, volume.ends)
    depth = -signed_distance(ends[:, :, None], ends[None, None], volume.radii[None, None])[0]
    inside = (depth >= volume.radii[:, :, None]).all(axis=1)
    inside &= volume.cubic_metres[:, None] < volume.cubic_metres[None]
    kept = ~inside.any(axis=1) & (volume.radii.max(axis=1) > 1e-6 * rest.body.height)
    if kept.all():
        return volume
    rows = np.flatnonzero(kept)
    return Volume(volume.joints[rows], volume.ends[rows], volume.radii[rows], volume.misfit[rows])


def volume_from_bones(character: Character) -> Volume:
    """A capsule from each joint to each of its children, and a ball at each tip, as thick as lengths suggest.

    What is above the joint that carries the body, where that is known, is no flesh: rigs have handles on the ground.
    """
    skeleton = character.skeleton
    rest = WorldState(character, Pose.rest(skeleton))
    places, radii = rest.positions[0], guess_radii(skeleton)
    joints, ends, thick = [], [], []
    carrier = character.anatomy.capabilities.get("root", ()) if character.anatomy is not None else ()
    above = {joint for root in carrier for joint in skeleton.ancestors(root)}
    for joint, children in enumerate(skeleton.children):
        if joint in above:
            continue
        for child in children or (joint,):
            if not radii[joint] > 0:
                continue
            joints.append(joint)
            ends.append([places[joint], places[child]])
            # A chain grows thinner: the far end is as thick as what follows, unless that is a mere tip.
            beyond = radii[child] if skeleton.children[child] else radii[joint]
            thick.append([radii[joint], min(radii[joint], max(beyond, 0.5 * radii[joint]))])
    carriers = np.array(joints, np.int64)
    away = np.array(ends).reshape(-1, 2, 3) - places[carriers][:, None]
    turned = quaternion.rotate(quaternion.conjugate(rest.rotations[0, carriers])[:, None], away)
    return Volume(carriers, turned, np.array(thick).reshape(-1, 2), np.zeros(len(carriers)))
