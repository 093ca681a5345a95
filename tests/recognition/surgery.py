"""Takes bodies apart: joints added, taken out, turned and renamed, with the surface still where it was."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Mesh, Pose, Skeleton, Skin, Source, world_matrices
from mummer.math import quaternion
from tests.recognition.rigs import Rig, other_side


class Table:
    """The joints of one rig, open for changes; `rig` puts it together again. Recordings are left out."""

    def __init__(self, rig: Rig) -> None:
        skeleton = rig.character.skeleton
        self.before = rig
        self.world = world_matrices(skeleton, Pose.rest(skeleton))
        self.names = list(skeleton.names)
        self.parents = skeleton.parents.tolist()
        self.translations = list(skeleton.rest_translations)
        self.rotations = list(skeleton.rest_rotations)
        self.scales = list(skeleton.rest_scales)
        self.gone: set[int] = set()
        self.moved: dict[int, FloatArray] = {}
        self.lumps: list[tuple[int, FloatArray, bool]] = []
        self.size = float(np.ptp(self.places, axis=0).max())

    @property
    def places(self) -> FloatArray:
        """(J, 3) of the joints that were there before, in the world, in metres."""
        return np.asarray(self.world[:, :, 3])

    @property
    def kept(self) -> list[int]:
        """Joints that are still there."""
        return [joint for joint in range(len(self.names)) if joint not in self.gone]

    def children(self, joint: int) -> list[int]:
        """What hangs from a joint."""
        return [child for child in self.kept if self.parents[child] == joint]

    def below(self, joint: int) -> list[int]:
        """What hangs from a joint, near or far."""
        found = self.children(joint)
        for each in found:
            found.extend(self.children(each))
        return found

    def add(self, parent: int, place: FloatArray, name: str, *, surface: float = 0.0, stiff: bool = False) -> int:
        """A joint more at ``place`` in the world, with a lump of surface of that radius if asked for."""
        inverse = np.linalg.pinv(self.world[parent, :, :3])
        self.parents.append(parent)
        self.translations.append(inverse @ (place - self.world[parent, :, 3]))
        self.rotations.append(np.array([0.0, 0.0, 0.0, 1.0]))
        self.scales.append(np.ones(3))
        self.names.append(name if name not in self.names else f"{name}_{len(self.names)}")
        frame = np.concatenate([self.world[parent, :, :3], place[:, None]], axis=1)
        self.world = np.concatenate([self.world, frame[None]])
        if surface:
            self.lumps.append((len(self.names) - 1, place + surface * _CORNERS, stiff))
        return len(self.names) - 1

    def put_between(self, joint: int, part: float, name: str) -> int:
        """A joint more on the way from the parent of ``joint`` to it; the joint hangs from it then."""
        above = self.parents[joint]
        place = self.world[above, :, 3] + part * (self.world[joint, :, 3] - self.world[above, :, 3])
        fresh = self.add(above, place, name)
        inverse = np.linalg.pinv(self.world[fresh, :, :3])
        self.parents[joint] = fresh
        self.translations[joint] = inverse @ (self.world[joint, :, 3] - place)
        return fresh

    def move(self, joint: int, place: FloatArray) -> None:
        """A joint elsewhere; what hangs from it, and its surface, stay where they are."""
        self.moved.setdefault(joint, self.world[joint].copy())
        self.world[joint, :, 3] = place
        for each in (joint, *self.children(joint)):
            above = self.parents[each]
            step = self.world[each, :, 3] - (self.world[above, :, 3] if above >= 0 else 0.0)
            self.translations[each] = np.linalg.pinv(self.world[above, :, :3]) @ step if above >= 0 else step

    def take_out(self, joints: Iterable[int]) -> None:
        """Joints away; what hung from one hangs from the next above it, at the same place."""
        for joint in sorted(set(joints), reverse=True):
            above = self.parents[joint]
            if above < 0:
                continue
            for child in self.children(joint):
                scaled = self.scales[joint] * self.translations[child]
                self.translations[child] = self.translations[joint] + quaternion.rotate(self.rotations[joint], scaled)
                self.rotations[child] = quaternion.multiply(self.rotations[joint], self.rotations[child])
                self.scales[child] = self.scales[joint] * self.scales[child]
                self.parents[child] = above
            self.gone.add(joint)

    def rename(self, name_of: Callable[[int], str]) -> None:
        """New names for all joints; those that are taken get a number."""
        fresh: list[str] = []
        for joint in range(len(self.names)):
            name = name_of(joint)
            fresh.append(name if name not in fresh else f"{name}_x{joint}")
        self.names = fresh

    def rig(self) -> Rig:
        """The body that the table holds now, with the roles that are left."""
        kept = self.kept
        spot = {joint: number for number, joint in enumerate(kept)}
        skeleton, order = Skeleton.sorted(
            [self.names[joint] for joint in kept],
            [spot.get(self.parents[joint], -1) for joint in kept],
            np.array([self.translations[joint] for joint in kept]),
            np.array([self.rotations[joint] for joint in kept]),
            np.array([self.scales[joint] for joint in kept]),
        )
        place = {kept[int(old)]: new for new, old in enumerate(order)}
        character = self.before.character
        meshes = [*[self._bound(mesh, place) for mesh in character.meshes], *self._lumps(place)]
        source = _with_sites(character, skeleton, place)
        return self.before.placed(Character(character.name, skeleton, tuple(meshes), source=source), place)

    def _bound(self, mesh: Mesh, place: dict[int, int]) -> Mesh:
        """A mesh bound to the joints that are left, each for itself and for those that were taken out below it."""
        joints, binds = [], []
        for joint, bind in zip(mesh.skin.joints.tolist(), mesh.skin.joint_from_mesh, strict=True):
            host = joint
            while host in self.gone:
                host = self.parents[host]
            joints.append(place[host])
            bound = self.moved.get(joint, self.world[joint])
            binds.append(bind if host == joint and joint not in self.moved else _bind(self.world[host], bound, bind))
        return dataclasses.replace(
            mesh, skin=dataclasses.replace(mesh.skin, joints=np.array(joints), joint_from_mesh=np.array(binds))
        )

    def _lumps(self, place: dict[int, int]) -> list[Mesh]:
        """The surface of joints that were added, where the body has a surface at all."""
        if not self.before.character.meshes:
            return []
        return [
            Mesh("lump", corners, _FACES, self._lump_skin(joint, len(corners), place, stiff=stiff))
            for joint, corners, stiff in self.lumps
            if joint in place
        ]

    def _lump_skin(self, joint: int, count: int, place: dict[int, int], *, stiff: bool) -> Skin:
        """A lump that one joint carries; if it is not stiff, its skin knows the joint above too."""
        rigid = Skin.rigid(place[joint], _inverse(self.world[joint]), count)
        if stiff:
            return rigid
        above = self.parents[joint]
        binds = np.stack([_inverse(self.world[joint]), _inverse(self.world[above])])
        return Skin(np.array([place[joint], place[above]]), binds, rigid.indices, rigid.weights)


_CORNERS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
_FACES = np.array([[0, 1, 2], [1, 3, 2], [4, 6, 5], [5, 6, 7], [0, 4, 1], [1, 4, 5]])


def _square(matrix: FloatArray) -> FloatArray:
    return np.vstack([matrix, [0.0, 0.0, 0.0, 1.0]])


def _inverse(matrix: FloatArray) -> FloatArray:
    return np.asarray(np.linalg.pinv(_square(matrix))[:3])


def _bind(host: FloatArray, joint: FloatArray, bind: FloatArray) -> FloatArray:
    """host_from_mesh of what was bound by ``bind`` to ``joint``."""
    return np.asarray((np.linalg.pinv(_square(host)) @ _square(joint) @ _square(bind))[:3])


def _with_sites(character: Character, skeleton: Skeleton, place: dict[int, int]) -> Source:
    """A source that still knows which joints are mere ends, by their new names; nothing else of the old one."""
    sites = set(character.source.details.get("end_sites", ())) if character.source is not None else set()
    fresh = [
        skeleton.names[place[joint]]
        for joint, name in enumerate(character.skeleton.names)
        if joint in place and name in sites
    ]
    return Source("made", details={"end_sites": tuple(fresh)})


def posed(rig: Rig, pose: Pose) -> Rig:
    """The rig with ``pose`` as its rest pose."""
    table = Table(rig)
    skeleton = rig.character.skeleton
    table.translations = list(pose.full_translations(skeleton))
    table.rotations = list(pose.rotations / np.linalg.norm(pose.rotations, axis=-1, keepdims=True))
    return table.rig()


def turned(rig: Rig, turn: FloatArray, scale: float = 1.0) -> Rig:
    """The rig turned about the origin and grown."""
    table = Table(rig)
    for joint, parent in enumerate(table.parents):
        table.translations[joint] = table.translations[joint] * scale
        if parent < 0:
            table.translations[joint] = quaternion.rotate(turn, table.translations[joint])
            table.rotations[joint] = quaternion.multiply(turn, table.rotations[joint])
    found = table.rig()
    meshes = [_grown(mesh, scale) for mesh in found.character.meshes]
    return dataclasses.replace(found, character=found.character.replace(meshes=tuple(meshes)))


def _grown(mesh: Mesh, scale: float) -> Mesh:
    binds = mesh.skin.joint_from_mesh.copy()
    binds[:, :, 3] *= scale
    return dataclasses.replace(
        mesh,
        positions=mesh.positions * scale,
        morphs=(),
        skin=dataclasses.replace(mesh.skin, joint_from_mesh=binds),
    )


def aimed(rig: Rig, aims: Sequence[tuple[int, int, FloatArray]]) -> Rig:
    """The rig with joints turned so that each ``(start, tip, direction)`` points there, in the world."""
    table = Table(rig)
    for start, tip, direction in aims:
        line = table.places[tip] - table.places[start]
        if np.linalg.norm(line) < 1e-9:
            continue
        turn = quaternion.between_vectors(line / np.linalg.norm(line), direction / np.linalg.norm(direction))
        above = (
            _rotation(table.world[table.parents[start]])
            if table.parents[start] >= 0
            else np.array([0.0, 0.0, 0.0, 1.0])
        )
        local = quaternion.multiply(quaternion.multiply(quaternion.inverse(above), turn), above)
        table.rotations[start] = quaternion.multiply(local, table.rotations[start])
    return table.rig()


def _rotation(matrix: FloatArray) -> FloatArray:
    left, _, right = np.linalg.svd(matrix[:, :3])
    return np.asarray(quaternion.from_matrix(left @ right))


def reflected(rig: Rig) -> Rig:
    """The rig seen in a mirror: x negated. What was its left is its right."""
    table = Table(rig)
    table.translations = [value * [-1.0, 1.0, 1.0] for value in table.translations]
    table.rotations = [value * [1.0, -1.0, -1.0, 1.0] for value in table.rotations]
    found = table.rig()
    flip = np.diag([-1.0, 1.0, 1.0, 1.0])
    meshes = [
        dataclasses.replace(
            mesh,
            positions=mesh.positions * np.array([-1.0, 1.0, 1.0]),
            normals=None,
            morphs=(),
            skin=dataclasses.replace(mesh.skin, joint_from_mesh=flip[:3, :3] @ mesh.skin.joint_from_mesh @ flip),
        )
        for mesh in found.character.meshes
    ]
    return dataclasses.replace(
        found,
        character=found.character.replace(meshes=tuple(meshes)),
        joints={other_side(role): joint for role, joint in found.joints.items()},
        accepted={other_side(role): joints for role, joints in found.accepted.items()},
    )


def hung(table: Table, joint: int, parent: int) -> None:
    """Hangs a joint from another one (-1 for none), at the same place."""
    above = _square(table.world[parent]) if parent >= 0 else np.eye(4)
    local = np.linalg.pinv(above) @ _square(table.world[joint])
    table.parents[joint] = parent
    table.translations[joint] = local[:3, 3]
    table.rotations[joint] = _rotation(local[:3])
    table.scales[joint] = np.linalg.norm(local[:3, :3], axis=0)
