"""Parts that hang beside the body rather than from it, as in rigs whose root carries legs, tail and mouth by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from mummer.arrays import FloatArray
from mummer.character.anatomy import Anatomy
from mummer.character.character import Character
from mummer.character.kinematics import world_positions
from mummer.character.pose import Pose
from mummer.character.skeleton import Skeleton

LATE = 0.75
"""From this share of a bone on a part hangs from the joint that the bone ends at."""
NEAR = 0.15
"""What is no limb belongs to a bone that is no farther than this part of the body's longest side."""
NEARER = 0.25
"""What hangs from the root belongs elsewhere if that is nearer by this factor than any bone of the root."""
NEARER_HEAD = 0.5
"""The same for a head and the end of the spine."""
LIMBS = frozenset({"leg", "arm", "wing", "fin", "tail", "neck"})
UPPER = frozenset({"arm", "wing"})
"""Limbs that go with the chest, wherever along the back they are."""
SKINNED = 0.05
"""The weight in a vertex from which on a joint moves skin."""


def holders_of_loose(character: Character, anatomy: Anatomy, handles: Iterable[int] = ()) -> dict[int, int]:
    """For each joint that hangs beside the body, though it is a part of it, the joint that should carry it.

    A limb that hangs from above the root would stay behind when the root moves: it belongs to the nearest joint of the
    spine. Other skin, such as a mouth that hangs from the root, belongs to the bone next to it.

    Args:
        character: the body.
        anatomy: what its parts are.
        handles: joints that are known to hang from elsewhere.
    """
    return _Loose(character, anatomy).holders(set(handles))


class _Loose:
    """A body at rest, and which of its joints hang from what."""

    def __init__(self, character: Character, anatomy: Anatomy) -> None:
        self.skeleton, self.anatomy = character.skeleton, anatomy
        self.places = world_positions(self.skeleton, Pose.rest(self.skeleton))
        self.root = (*anatomy.capabilities.get("root", ()), 0)[0]
        self.above = set(self.skeleton.ancestors(self.root))
        self.spine = anatomy.capabilities.get("spine", ()) or (self.root,)
        self.size = float(np.ptp(self.places, axis=0).max(initial=1e-9))
        self.skinned = _skinned(character)

    def holders(self, handles: set[int]) -> dict[int, int]:
        """See `holders_of_loose`."""
        found = {}
        for top, parent in enumerate(self.skeleton.parents.tolist()):
            if top == self.root or top in self.above or top in handles:
                continue
            if parent in self.above or parent == self.root:
                holder = self._holder(top, parent)
                if holder is not None:
                    found[top] = holder
        return found

    def _holder(self, top: int, parent: int) -> int | None:
        """The joint that should carry ``top``, which hangs from the root or from above it; None for where it is."""
        below = {joint for joint in range(len(self.places)) if top in (joint, *self.skeleton.ancestors(joint))}
        if below.intersection(self.spine):
            return None
        kinds = {limb.kind for limb in self.anatomy.limbs if limb.joints[0] in below} & LIMBS
        if kinds and parent == self.root:
            return self._on_chest(top) if kinds == {"neck"} else None
        if kinds:
            return self._on_spine(top, kinds)
        return self._beside(top, parent, below) if below & self.skinned else None

    def _on_spine(self, top: int, kinds: set[str]) -> int:
        if kinds <= UPPER:
            return self.spine[-1]
        bones = [bone for bone in _bones(self.skeleton, self.spine) if bone[1] in self.spine]
        bones += [(self.spine[-1], self.spine[-1])]
        return self._nearest(top, bones)[1]

    def _on_chest(self, top: int) -> int | None:
        """The end of the spine for a head beside it that hangs from the root; None if that is as near."""
        away, apart = (float(np.linalg.norm(self.places[top] - self.places[j])) for j in (self.spine[-1], self.root))
        return self.spine[-1] if away < NEARER_HEAD * apart else None

    def _beside(self, top: int, parent: int, below: set[int]) -> int | None:
        """The joint of the bone that skin which is no limb lies next to."""
        body = [j for j in range(len(self.places)) if self.root in (j, *self.skeleton.ancestors(j)) and j not in below]
        bones = [*_bones(self.skeleton, [joint for joint in body if joint != parent])]
        bones = [bone for bone in bones if bone[1] not in below and self._is_known(bone[0])]
        if not bones:
            return None
        away, holder = self._nearest(top, bones)
        own = [bone for bone in _bones(self.skeleton, [parent]) if bone[1] not in below and self._is_known(bone[1])]
        apart = self._nearest(top, [*own, (parent, parent)])[0]
        limit = min(NEAR * self.size, NEARER * apart) if parent == self.root else NEAR * self.size
        if away >= limit:
            return None
        return holder if self._is_known(holder) else int(self.skeleton.parents[holder])

    def _is_known(self, joint: int) -> bool:
        return joint in self.spine or any(joint in limb.joints for limb in self.anatomy.limbs)

    def _nearest(self, top: int, bones: Iterable[tuple[int, int]]) -> tuple[float, int]:
        """Metres to the nearest of the bones, and the joint that what is there hangs from."""
        return min(_to_bone(self.places, top, start, end) for start, end in bones)


def _bones(skeleton: Skeleton, joints: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Of each joint and each of its children both; a tip is its own."""
    for joint in joints:
        yield from ((joint, child) for child in skeleton.children[joint] or (joint,))


def _to_bone(places: FloatArray, top: int, start: int, end: int) -> tuple[float, int]:
    along, away = places[end] - places[start], places[top] - places[start]
    share = float(np.clip(away @ along / max(float(along @ along), 1e-12), 0.0, 1.0))
    return float(np.linalg.norm(away - share * along)), end if share > LATE else start


def _skinned(character: Character) -> set[int]:
    """The joints that move skin."""
    return {
        int(joint)
        for mesh in character.meshes
        for joint in mesh.skin.joints[np.unique(mesh.skin.indices[mesh.skin.weights > SKINNED])]
    }
