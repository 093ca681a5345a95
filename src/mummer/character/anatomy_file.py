"""An anatomy beside its body: read and write ``hero.glb.anatomy.toml``, by hand or by program."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.atomic import write_text
from mummer.character.anatomy import Anatomy, Evidence
from mummer.character.derive import (
    TRUNK,
    WAIST,
    ground_of,
    groups_from_limbs,
    limb_length,
    mirror_by_position,
    rest_positions,
    side_of,
    split_off,
)
from mummer.character.limb import Limb
from mummer.character.skeleton import Skeleton
from mummer.character.socket import Socket
from mummer.errors import InputError, MalformedFileError, UnknownNameError

if TYPE_CHECKING:
    from mummer.character.anatomy_schema import AnatomyFile, LimbEntry, SocketEntry


def sidecar_of(path: Path | str) -> Path:
    """Where the anatomy of the body in ``path`` is kept: ``hero.glb`` has ``hero.glb.anatomy.toml``."""
    return Path(f"{path}.anatomy.toml")


def load_anatomy(path: Path | str, skeleton: Skeleton) -> Anatomy:
    """The anatomy in a file, for ``skeleton``, with what the file leaves out worked out from the rest pose.

    Mirror partners are found by position, groups from the limbs, sides, ranks and lengths of limbs from where they
    lie, ground and bounds from the joints.

    Args:
        path: a .toml or .json file as docs/guides/anatomy-sidecar.md describes it.
        skeleton: the body that it is about.

    Raises:
        FileError: if the file cannot be read.
        MalformedFileError: naming the field, and for a joint the nearest that there is.
    """
    # The library behind the schema is loaded only when a file is at hand.
    from mummer.character.anatomy_text import read_anatomy_file

    file = Path(path)
    entry = read_anatomy_file(file)
    reader = _Reader(file, skeleton)
    front, up = reader.direction("front", entry.front), reader.direction("up", entry.up)
    if abs(float(front @ up)) > 1e-6:
        raise MalformedFileError(file, "is not at right angles to up", place="front")
    limbs = reader.limbs(entry.limbs, front, up)
    bounds = reader.bounds(entry)
    if entry.ground is not None and not np.isfinite(entry.ground):
        raise MalformedFileError(file, "is not a finite number", place="ground")
    roles = {role: reader.joint(name, f"roles.{role}") for role, name in entry.roles.items()}
    groups = groups_from_limbs(skeleton, limbs, roles.get("hips"))
    if entry.groups is not None:
        groups = reader.groups(entry.groups, groups[WAIST])
    anatomy = Anatomy(
        entry.kind,
        roles,
        {key: reader.joints(names, f"capabilities.{key}") for key, names in entry.capabilities.items()},
        limbs,
        groups,
        mirror_by_position(skeleton, front, up) if entry.mirror is None else reader.mirror(entry.mirror),
        front,
        up,
        ground_of(bounds, up) if entry.ground is None else entry.ground,
        bounds,
        {role: Evidence(why.confidence, why.reason) for role, why in entry.evidence.items()},
        reader.sockets(entry.sockets),
    )
    problems = anatomy.problems(skeleton)
    if problems:
        raise MalformedFileError(file, "; ".join(problems))
    return anatomy


def save_anatomy(anatomy: Anatomy, skeleton: Skeleton, path: Path | str) -> None:
    """Write ``anatomy`` with the names of the joints of ``skeleton``; whole or not at all.

    Args:
        anatomy: what to write.
        skeleton: the body that it is about.
        path: ends in .toml or .json; see `sidecar_of`.

    Raises:
        InputError: if the anatomy does not fit the skeleton.
        FileError: if the file cannot be written.
    """
    from mummer.character.anatomy_schema import VERSION, AnatomyFile, EvidenceEntry, LimbEntry, SocketEntry
    from mummer.character.anatomy_text import anatomy_text

    problems = anatomy.problems(skeleton)
    if problems:
        raise InputError(f"the anatomy does not fit skeleton {skeleton.name!r}: {'; '.join(problems)}")

    def names(joints: Iterable[int]) -> list[str]:
        return [skeleton.names[joint] for joint in joints]

    pairs = [(joint, int(partner)) for joint, partner in enumerate(anatomy.mirror) if joint < partner]
    file = AnatomyFile(
        version=VERSION,
        kind=anatomy.kind,
        front=anatomy.front.tolist(),
        up=anatomy.up.tolist(),
        ground=float(anatomy.ground),
        bounds=anatomy.bounds.tolist(),
        mirror=[names(pair) for pair in pairs],
        roles={role: skeleton.names[joint] for role, joint in anatomy.roles.items()},
        capabilities={key: names(joints) for key, joints in anatomy.capabilities.items()},
        groups={key: names(joints) for key, joints in anatomy.groups.items()},
        limbs=[LimbEntry(limb.name, limb.kind, names(limb.joints), limb.side, limb.rank) for limb in anatomy.limbs],
        sockets=[
            SocketEntry(each.name, skeleton.names[each.joint], each.translation.tolist(), each.rotation.tolist())
            for each in anatomy.sockets
        ],
        evidence={role: EvidenceEntry(why.confidence, why.reason) for role, why in anatomy.evidence.items()},
    )
    write_text(path, anatomy_text(file, Path(path)))


@dataclasses.dataclass(frozen=True)
class _Reader:
    """Turns the names of one file into joints of one skeleton; every error names file and field."""

    path: Path
    skeleton: Skeleton

    def joint(self, name: str, place: str) -> int:
        try:
            return self.skeleton.index(name)
        except UnknownNameError as error:
            raise MalformedFileError(self.path, str(error), place=place) from None

    def joints(self, names: Iterable[str], place: str) -> tuple[int, ...]:
        return tuple(self.joint(name, f"{place}[{number}]") for number, name in enumerate(names))

    def direction(self, place: str, values: Sequence[float]) -> FloatArray:
        vector = np.array(values, np.float64)
        length = float(np.linalg.norm(vector))
        if not 0 < length < np.inf:
            raise MalformedFileError(self.path, "is no direction", place=place)
        return np.asarray(vector / length)

    def bounds(self, entry: AnatomyFile) -> FloatArray:
        if entry.bounds is not None:
            corners = np.array(entry.bounds, np.float64)
            if not np.all(np.isfinite(corners)) or np.any(corners[0] > corners[1]):
                raise MalformedFileError(self.path, "are not a lowest and a highest corner", place="bounds")
            return corners
        positions = rest_positions(self.skeleton)
        return np.stack([positions.min(axis=0), positions.max(axis=0)])

    def limbs(self, entries: Sequence[LimbEntry], front: FloatArray, up: FloatArray) -> tuple[Limb, ...]:
        limbs = []
        for number, entry in enumerate(entries):
            joints = self.chain(entry.joints, f"limbs[{number}].joints")
            side = entry.side or side_of(self.skeleton, joints, front, up)
            length = limb_length(self.skeleton, joints)
            limbs.append(Limb(entry.name, entry.kind, side, -1 if entry.rank is None else entry.rank, joints, length))
        return ranked(self.skeleton, limbs, front)

    def chain(self, names: Sequence[str], place: str) -> tuple[int, ...]:
        """The joints named and those between them."""
        stops = self.joints(names, place)
        joints = list(stops[:1])
        for number, (above, below) in enumerate(itertools.pairwise(stops), start=1):
            try:
                joints += self.skeleton.chain(above, below)[1:]
            except InputError as error:
                raise MalformedFileError(self.path, str(error), place=f"{place}[{number}]") from None
        return tuple(joints)

    def groups(self, entries: dict[str, list[str]], waist: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
        """The groups of the file; a joint that none names belongs where its parent does.

        A file that names no ``waist`` has the one that follows from the limbs.
        """
        group_of: dict[int, str] = {}
        for group, names in entries.items():
            for joint in self.joints(names, f"groups.{group}"):
                if joint in group_of:
                    what = f"joint {self.skeleton.names[joint]!r} is in group {group_of[joint]!r} already"
                    raise MalformedFileError(self.path, what, place=f"groups.{group}")
                group_of[joint] = group
        for joint, parent in enumerate(self.skeleton.parents.tolist()):
            group_of.setdefault(joint, group_of[parent] if parent >= 0 else TRUNK)
        order = dict.fromkeys([*entries, *group_of.values()])
        members = {group: tuple(j for j in sorted(group_of) if group_of[j] == group) for group in order}
        members = {group: joints for group, joints in members.items() if joints}
        return members if WAIST in members else split_off(members, WAIST, waist)

    def mirror(self, entries: Sequence[Sequence[str]]) -> IntArray:
        """The pairs of the file; a joint that none names is its own partner."""
        mirror: IntArray = np.arange(len(self.skeleton), dtype=np.int32)
        paired: set[int] = set()
        for number, names in enumerate(entries):
            one, other = self.joints(names, f"mirror[{number}]")
            if one in paired or other in paired:
                raise MalformedFileError(self.path, "a joint has a partner already", place=f"mirror[{number}]")
            paired.update((one, other))
            mirror[one], mirror[other] = other, one
        return mirror

    def sockets(self, entries: Sequence[SocketEntry]) -> tuple[Socket, ...]:
        sockets = []
        for number, entry in enumerate(entries):
            joint = self.joint(entry.joint, f"sockets[{number}].joint")
            try:
                rotation = np.array(entry.rotation, np.float64)
                sockets.append(Socket(entry.name, joint, (np.array(entry.translation), rotation)))
            except InputError as error:
                raise MalformedFileError(self.path, str(error), place=f"sockets[{number}]") from None
        return tuple(sockets)


def ranked(skeleton: Skeleton, limbs: Sequence[Limb], front: FloatArray) -> tuple[Limb, ...]:
    """The limbs with every rank of -1 replaced by its place among its kind and side, the foremost first."""
    ahead = rest_positions(skeleton) @ front
    result = []
    for limb in limbs:
        alike = sorted(
            (other for other in limbs if (other.kind, other.side) == (limb.kind, limb.side)),
            key=lambda other: (-ahead[other.base], other.name),
        )
        rank = alike.index(limb) if limb.rank < 0 else limb.rank
        result.append(dataclasses.replace(limb, rank=rank))
    return tuple(result)
