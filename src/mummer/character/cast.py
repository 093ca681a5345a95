"""Several bodies as one, so that goals may speak of two of them: a handshake, a dance, a fight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from mummer.arrays import IntArray
from mummer.character.anatomy import Anatomy
from mummer.character.balance import estimate_mass
from mummer.character.character import Character
from mummer.character.limits import Limits
from mummer.character.mass import Mass
from mummer.character.mesh import Mesh
from mummer.character.pose import Pose
from mummer.character.skeleton import Skeleton
from mummer.character.skin import Skin
from mummer.errors import InputError, UnknownNameError

DOT = "."


def cast(bodies: Mapping[str, Character]) -> Character:
    """The bodies as one character: a forest whose joints, roles and groups are called ``ann.left_hand``.

    Everything that solvers use is merged: joints, rest and default poses, limits, masses, anatomy (where every body has
    one), and the meshes without their morphs, so that the cast can be drawn. Recordings stay with the bodies.

    Args:
        bodies: by the names they shall have in the cast; not empty, and without dots.

    Raises:
        InputError: if there is nobody, or a name holds a dot.
    """
    if not bodies:
        raise InputError("a cast needs at least one body")
    for name in bodies:
        # The names of joints say whose they are.
        if not name or DOT in name:
            raise InputError(f"{name!r} cannot be the name of somebody in a cast; expected a name without dots")
    members = _members(bodies)
    skeleton = _skeleton(members)
    return Character(
        "+".join(bodies),
        skeleton,
        meshes=tuple(mesh for member in members for mesh in _meshes(member)),
        default_pose=_joined(
            skeleton,
            {member.name: member.span for member in members},
            {member.name: member.body.default_pose for member in members},
        ),
        anatomy=_anatomy(members),
        limits=_limits(members),
        mass=_mass(members),
    )


def join_poses(whole: Character, poses: Mapping[str, Pose]) -> Pose:
    """The pose of a cast from those of its members, which broadcast; who has none stands as by default.

    Raises:
        UnknownNameError: for a pose of somebody who is not in the cast.
        InputError: for a pose that does not fit its body.
    """
    spans = members_of(whole)
    for name, pose in poses.items():
        if name not in spans:
            raise UnknownNameError(f"the cast {whole.name!r}", "body", name, spans)
        expected = spans[name].stop - spans[name].start
        if pose.joint_count != expected:
            raise InputError(f"the pose of {name!r} is for {pose.joint_count} joints; expected {expected}")
    default = split(whole, whole.default_pose)
    return _joined(whole.skeleton, spans, {name: poses.get(name, default[name]) for name in spans})


def split(whole: Character, pose: Pose) -> dict[str, Pose]:
    """The poses of the members of a cast from that of the whole, one pose or a batch; without morphs.

    Raises:
        InputError: if the pose is not of this cast.
    """
    if pose.joint_count != len(whole.skeleton):
        raise InputError(
            f"a pose of {pose.joint_count} joints is not of {whole.name!r}, which has {len(whole.skeleton)}"
        )
    translations, parts = pose.full_translations(whole.skeleton), {}
    for name, span in members_of(whole).items():
        own, rest = np.ascontiguousarray(translations[..., span, :]), whole.skeleton.rest_translations[span]
        still = np.allclose(own[..., 1:, :], rest[1:], rtol=0, atol=1e-12)
        scales = None if pose.scales is None else pose.scales[..., span, :]
        parts[name] = Pose(
            pose.rotations[..., span, :], own[..., 0, :] if still else None, None if still else own, scales
        )
    return parts


def members_of(whole: Character) -> dict[str, slice]:
    """Who is in a cast, and which of its joints are whose.

    Raises:
        InputError: if the character is not a cast.
    """
    spans: dict[str, slice] = {}
    for joint, name in enumerate(whole.skeleton.names):
        member, dot, _ = name.partition(DOT)
        if not dot:
            raise InputError(f"{whole.name!r} is not a cast: its joint {name!r} belongs to nobody")
        spans[member] = slice(spans[member].start if member in spans else joint, joint + 1)
    return spans


@dataclass(frozen=True, eq=False)
class _Member:
    name: str
    body: Character
    first: int

    @property
    def span(self) -> slice:
        return slice(self.first, self.first + len(self.body.skeleton))

    def called(self, what: str) -> str:
        return f"{self.name}{DOT}{what}"

    def moved(self, joints: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(joint + self.first for joint in joints)


def _members(bodies: Mapping[str, Character]) -> list[_Member]:
    members, first = [], 0
    for name, body in bodies.items():
        members.append(_Member(name, body, first))
        first += len(body.skeleton)
    return members


def _skeleton(members: list[_Member]) -> Skeleton:
    def shifted(member: _Member) -> IntArray:
        parents = member.body.skeleton.parents
        return np.where(parents < 0, -1, parents + member.first)

    skeletons = [member.body.skeleton for member in members]
    return Skeleton(
        tuple(member.called(name) for member in members for name in member.body.skeleton.names),
        np.concatenate([shifted(member) for member in members]),
        np.concatenate([skeleton.rest_translations for skeleton in skeletons]),
        np.concatenate([skeleton.rest_rotations for skeleton in skeletons]),
        np.concatenate([skeleton.rest_scales for skeleton in skeletons]),
        name="+".join(member.name for member in members),
    )


def _joined(skeleton: Skeleton, spans: Mapping[str, slice], poses: Mapping[str, Pose]) -> Pose:
    shape = np.broadcast_shapes(*[pose.shape for pose in poses.values()])
    rotations, translations = np.empty((*shape, len(skeleton), 4)), np.empty((*shape, len(skeleton), 3))
    scales = np.empty_like(translations)
    rotations[...], translations[...], scales[...] = 0.0, skeleton.rest_translations, skeleton.rest_scales
    for name, span in spans.items():
        pose = poses[name]
        rotations[..., span, :] = pose.rotations
        if pose.translations is not None:
            translations[..., span, :] = pose.translations
        translations[..., span.start, :] = pose.root_translation
        if pose.scales is not None:
            scales[..., span, :] = pose.scales
    has_scales = any(pose.scales is not None for pose in poses.values())
    return Pose(rotations, None, translations, scales if has_scales else None)


def _limits(members: list[_Member]) -> Limits:
    limits = [member.body.limits or Limits.from_joints(len(member.body.skeleton), {}) for member in members]
    names = ("kinds", "axes", "second_axes", "ranges", "second_ranges")
    return Limits(*[np.concatenate([getattr(limit, name) for limit in limits]) for name in names])


def _mass(members: list[_Member]) -> Mass:
    masses = [member.body.mass or estimate_mass(member.body)[0] for member in members]
    names = ("masses", "centers", "second_moments")
    return Mass(*[np.concatenate([getattr(mass, name) for mass in masses]) for name in names])


def _anatomy(members: list[_Member]) -> Anatomy | None:
    anatomies = [member.body.anatomy for member in members]
    if any(anatomy is None for anatomy in anatomies):
        return None
    pairs = [(member, anatomy) for member, anatomy in zip(members, anatomies, strict=True) if anatomy is not None]
    capabilities: dict[str, tuple[int, ...]] = {}
    for member, anatomy in pairs:
        for what, joints in anatomy.capabilities.items():
            capabilities[what] = capabilities.get(what, ()) + member.moved(joints)
    first = pairs[0][1]
    return Anatomy(
        kind="cast",
        roles={m.called(role): joint + m.first for m, anatomy in pairs for role, joint in anatomy.roles.items()},
        capabilities=capabilities,
        limbs=tuple(
            replace(limb, name=member.called(limb.name), joints=member.moved(limb.joints))
            for member, anatomy in pairs
            for limb in anatomy.limbs
        ),
        groups={m.called(name): m.moved(joints) for m, anatomy in pairs for name, joints in anatomy.groups.items()},
        mirror=np.concatenate([anatomy.mirror + member.first for member, anatomy in pairs]),
        front=first.front,
        up=first.up,
        ground=min(anatomy.ground for _, anatomy in pairs),
        bounds=np.stack([
            np.min([anatomy.bounds[0] for _, anatomy in pairs], axis=0),
            np.max([anatomy.bounds[1] for _, anatomy in pairs], axis=0),
        ]),
        sockets=tuple(
            replace(socket, name=member.called(socket.name), joint=socket.joint + member.first)
            for member, anatomy in pairs
            for socket in anatomy.sockets
        ),
    )  # fmt: skip


def _meshes(member: _Member) -> list[Mesh]:
    """The surface of one member, bound to the joints of the cast."""
    moved = []
    for mesh in member.body.meshes:
        skin: Skin = replace(mesh.skin, joints=mesh.skin.joints + member.first)
        moved.append(replace(mesh, name=member.called(mesh.name), skin=skin, morphs=()))
    return moved
