"""The volume of a body, made once and remembered."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from mummer.character import Character, Pose
from mummer.disk_cache import cached, key_of
from mummer.ik.volume.from_bones import volume_from_bones
from mummer.ik.volume.from_mesh import volume_from_mesh
from mummer.ik.volume.round_cone import signed_distance
from mummer.ik.volume.volume import Volume
from mummer.ik.world_state import WorldState
from mummer.math import quaternion

_volumes: WeakKeyDictionary[Character, Volume] = WeakKeyDictionary()


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
    found = _volumes.get(character)
    if found is None:
        has_surface = any(len(mesh.triangles) for mesh in character.meshes)
        made = _from_surface(character) if has_surface else volume_from_bones(character)
        found = _volumes[character] = _without_hidden(character, made)
    return found


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
