"""Rest poses aligned by direction: how each joint of the target would be turned if it stood as the source does at rest.

Files rest in T-, A- or N-poses, or in none. A limb is laid along the source's limb, segment by segment from its base; a
spine along the source's spine as a whole, so that its own curve stays; hips, head and collar bones are taken as facing
front in both; soles as flat on the ground, turned only about the vertical.
"""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.kernels.scalars import Four, Three
from mummer.kernels.vectors import shortest, times, turned
from mummer.math import quaternion
from mummer.math.vectors import rejection
from mummer.retargeting.build import Build
from mummer.retargeting.chains import Pair, chains_of
from mummer.retargeting.hocks import is_hock
from mummer.retargeting.leg import Leg
from mummer.retargeting.roles import is_across, is_upright

IDENTITY = (0.0, 0.0, 0.0, 1.0)
STILL_ROLES = ("hips", "head", "jaw", "left_eye", "right_eye", "left_ear", "right_ear")


def align(source: Build, target: Build, pairs: dict[int, Pair]) -> FloatArray:
    """(J, 4) turns in the world of the target's rest pose that bring each joint to where the source's is at rest."""
    return _Aligner(source, target, pairs).turns


class _Aligner:
    """Works out the turns joint by joint, parents first."""

    def __init__(self, source: Build, target: Build, pairs: dict[int, Pair]) -> None:
        self.source, self.target, self.pairs = source, target, pairs
        self.is_across = is_across(source.anatomy, target.anatomy)
        self.target_from_source = quaternion.multiply(
            target.world_from_body, quaternion.conjugate(source.world_from_body)
        )
        self.turns = np.tile(np.array(IDENTITY), (len(target.skeleton), 1))
        self.is_limb = np.zeros(len(target.skeleton), bool)
        self.soles = {leg.foot: leg for leg in target.legs if self._is_sole(leg)}
        self.still = self._still_joints()
        self.next_below = self._next_below()
        chains = chains_of(target)
        self.trunk = set(chains["trunk"].joints) if "trunk" in chains else set()
        self.neck = set(chains["neck"].joints) if "neck" in chains else set()
        self._run()

    def _run(self) -> None:
        # The slope of a four-legged back is its build, not its pose.
        is_laid = is_upright(self.source.anatomy) and is_upright(self.target.anatomy)
        trunk_turn = self._trunk_turn() if is_laid else np.array(IDENTITY)
        neck_turn = np.array(IDENTITY) if self.is_across else self._neck_turn()
        for joint in range(len(self.target.skeleton)):
            parent = int(self.target.skeleton.parents[joint])
            above = self.turns[parent] if parent >= 0 and self.is_limb[parent] else np.array(IDENTITY)
            if joint in self.trunk:
                self.turns[joint] = trunk_turn
            elif joint in self.neck:
                self.turns[joint] = neck_turn
            elif joint in self.soles:
                self.turns[joint] = self._sole_turn(self.soles[joint])
                self.is_limb[joint] = True
            elif joint not in self.still:
                self.turns[joint] = self._limb_turn(joint, above)
                self.is_limb[joint] = True

    def _still_joints(self) -> set[int]:
        roles = self.target.anatomy.roles
        still = {joint for role, joint in roles.items() if role in STILL_ROLES or role.endswith("_shoulder")}
        if "head" not in roles:
            # Several heads lean apart, and keep doing so.
            still |= {joint for limb in self.target.anatomy.limbs if limb.kind == "neck" for joint in limb.joints}
        return still | {self.target.hips, *self.target.skeleton.ancestors(self.target.hips)}

    def _next_below(self) -> dict[int, list[int]]:
        """For each paired joint, the joints with one counterpart each whose nearest paired ancestor it is."""
        found: dict[int, list[int]] = {}
        nearest: list[int] = []
        for joint, parent in enumerate(self.target.skeleton.parents.tolist()):
            nearest.append(-1 if parent < 0 else parent if parent in self.pairs else nearest[parent])
            if joint in self.pairs and self.pairs[joint].share == 0:
                found.setdefault(nearest[joint], []).append(joint)
        return found

    def _depth(self, joint: int) -> int:
        return int(self.target.skeleton.depths[joint])

    def _trunk_turn(self) -> FloatArray:
        """Lays the line from hips to neck along the source's, by turning what is above the hips."""
        ends = [self._trunk_ends(body) for body in (self.source, self.target)]
        if not self.trunk or ends[0] is None or ends[1] is None:
            return np.array(IDENTITY)
        wanted = self._from_source(ends[0][1] - self.source.places[self.source.hips])
        base = self.target.places[min(self.trunk, key=self._depth)]
        fixed, moved = base - self.target.places[self.target.hips], ends[1][1] - base
        return quaternion.between_vectors(moved, _completing(fixed, float(np.linalg.norm(moved)), wanted))

    def _trunk_ends(self, body: Build) -> tuple[FloatArray, FloatArray] | None:
        roles = body.anatomy.roles
        for top in ("neck", "head"):
            if top in roles:
                return body.places[body.hips], body.places[roles[top]]
        return None

    def _neck_turn(self) -> FloatArray:
        """Lays the line from neck to head along the source's."""
        roles, others = self.target.anatomy.roles, self.source.anatomy.roles
        if not all(role in each for role in ("neck", "head") for each in (roles, others)):
            return np.array(IDENTITY)
        theirs = self.target.places[roles["head"]] - self.target.places[roles["neck"]]
        mine = self.source.places[others["head"]] - self.source.places[others["neck"]]
        return quaternion.between_vectors(theirs, self._from_source(mine))

    def _limb_turn(self, joint: int, above: FloatArray) -> FloatArray:
        """Lays the segment below a joint along the source's, on from where its parent was laid."""
        found = self._below(joint)
        if found is None or joint not in self.pairs:
            return above
        theirs, mine = found
        if self.is_across and self.is_limb[max(int(self.target.skeleton.parents[joint]), 0)]:
            return above
        # Number by number: for single vectors arrays take ten times as long.
        laid, wanted = _four(above), turned(_four(self.target_from_source), _three(mine))
        return np.array(times(shortest(turned(laid, _three(theirs)), wanted), laid))

    def _below(self, joint: int) -> tuple[FloatArray, FloatArray] | None:
        """The directions from a joint to what follows it, in the target and in the source."""
        pair = self.pairs.get(joint)
        if pair is None or pair.share > 0:
            return None
        follow = self._limb_end(joint) if self.is_across else self._followers(joint)
        if not follow:
            return None
        theirs = np.mean([self.target.places[each] - self.target.places[joint] for each in follow], axis=0)
        mine = np.mean(
            [self.source.places[self.pairs[each].first] - self.source.places[pair.first] for each in follow], axis=0
        )
        least = 1e-3 * min(self.source.size, self.target.size)
        if np.linalg.norm(theirs) < least or np.linalg.norm(mine) < least:
            return None
        return theirs, mine

    def _followers(self, joint: int) -> list[int]:
        """Paired joints below whose nearest paired ancestor is this one; of a hand the fingers, not the thumb."""
        found = [leg.foot for leg in self.target.legs if leg.lower == joint and leg.foot in self.pairs]
        found = found or list(self.next_below.get(joint, ()))
        if len(found) > 1:
            thumbs = {j for role, j in self.target.anatomy.roles.items() if "thumb" in role}
            found = [each for each in found if each not in thumbs] or found
        return found

    def _limb_end(self, joint: int) -> list[int]:
        """The foot or hand that a limb ends in, for limbs that are built differently and only agree as a whole."""
        ends = {leg.foot for leg in self.target.legs}
        ends |= {each for role, each in self.target.anatomy.roles.items() if role.endswith("_hand")}
        below = [each for each in self.target.skeleton.descendants(joint)[1:] if each in ends and each in self.pairs]
        return below[:1]

    def _is_sole(self, leg: Leg) -> bool:
        other = self._source_leg(leg)
        hocks = [is_hock(self.target, leg), other is not None and is_hock(self.source, other)]
        # A body that walks on its toes stands on them as the other on its soles.
        return not any(hocks) or (not self.is_across and not all(hocks))

    def _source_leg(self, leg: Leg) -> Leg | None:
        pair = self.pairs.get(leg.foot)
        return None if pair is None else next((each for each in self.source.legs if each.foot == pair.first), None)

    def _sole_turn(self, leg: Leg) -> FloatArray:
        """Turns the foot about the vertical to point where the source's does; its sole stays flat."""
        other = self._source_leg(leg)
        if other is None or other.ball == other.foot or leg.ball == leg.foot:
            return np.array(IDENTITY)
        up = self.target.anatomy.up
        mine = self._from_source(self.source.places[other.ball] - self.source.places[other.foot])
        theirs = self.target.places[leg.ball] - self.target.places[leg.foot]
        return quaternion.between_vectors(rejection(theirs, up), rejection(mine, up))

    def _from_source(self, vector: FloatArray) -> FloatArray:
        """A direction of the source's rest pose as the target, facing its own way, would have it."""
        return quaternion.rotate(self.target_from_source, vector)


def _three(vector: FloatArray) -> Three:
    x, y, z = vector.tolist()
    return x, y, z


def _four(rotation: FloatArray) -> Four:
    x, y, z, w = rotation.tolist()
    return x, y, z, w


def _completing(fixed: FloatArray, length: float, wanted: FloatArray) -> FloatArray:
    """The vector of ``length`` that, added to ``fixed``, points along ``wanted``; or as nearly as it can."""
    along = wanted / max(float(np.linalg.norm(wanted)), 1e-12)
    across = fixed - (fixed @ along) * along
    room = length**2 - float(across @ across)
    return -across + np.sqrt(max(room, 0.0)) * along
