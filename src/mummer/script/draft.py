"""The draft of a plan: the elements of all poses of a script while properties write into them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Pose
from mummer.ik.world_state import WorldState
from mummer.math import quaternion
from mummer.report import ReportBuilder
from mummer.script.action import Action, Cycle, Entry, PoseNode, Said, Script
from mummer.script.dofs import PLACES, SIGNALS, TRAVEL, Dofs
from mummer.script.plan import SPACERS, Element
from mummer.script.shape import HANGING, Shape

POSTURE, IDLE = "posture", "idle"
"""What the tracks begin with that say how a body is held, and what it does idly, beneath what it does."""
FIRST_WAY = 0.4
"""Seconds to the first pose of a motion that follows another."""
WAYS = (PLACES[0], PLACES[2])


@dataclass(eq=False)
class PoseRef:
    """A pose of the script as it is performed: once for each time that it is repeated.

    Attributes:
        action, cycle, pose, turn: see `Element`.
        node, parents: the pose, its cycle and its action.
        said: what is said of it, by whoever; filled in by the integrator.
        elements: what it makes of each degree of freedom.
        own: what is said of single degrees of freedom by the action itself.
        tempo: beats a minute.
        arrives: seconds at which it is to be reached, if the rhythm says so.
    """

    action: int
    cycle: int
    pose: int
    turn: int
    node: PoseNode
    parents: tuple[Cycle, Action]
    said: list[Said] = field(default_factory=list)
    elements: dict[str, Element] = field(default_factory=dict)
    own: dict[str, list[Said]] = field(default_factory=dict)
    tempo: float = 60.0
    arrives: float | None = None


@dataclass(frozen=True)
class Relation:
    """When an action begins, as others do.

    Attributes:
        action: number of the one that is moved.
        other: number of the one that it looks at; -1 for the clock.
        kind: ``link`` at the same share of it, ``start`` and ``end`` together with it, ``spacing`` so many seconds
            after it begins, ``at`` a time.
        amount: the share, or seconds.
    """

    action: int
    other: int
    kind: str
    amount: float = 0.0


@dataclass(eq=False)
class Draft:
    """What a plan is made in.

    Attributes:
        dofs: of the body.
        script: what is performed, generators' actions included.
        actions: all of them, in the order of their numbers, each with the number of its track.
        poses: in the order of actions.
        report: what could not be done.
        relations: what actions have to do with one another in time.
        posture: how much of postures is held.
    """

    dofs: Dofs
    script: Script
    report: ReportBuilder
    actions: list[tuple[int, Action]] = field(default_factory=list)
    poses: list[PoseRef] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)
    posture: float = 1.0

    @classmethod
    def of(cls, dofs: Dofs, script: Script, report: ReportBuilder) -> Draft:
        """An empty draft: every pose has its elements, which say nothing yet but what was recorded."""
        made = cls(dofs, script, report)
        for track, (_, actions) in enumerate(script.tracks):
            for action in actions:
                made._add(track, action)
        return made

    def _add(self, track: int, action: Action) -> None:
        number = len(self.actions)
        self.actions.append((track, action))
        for turn, (cycle_number, pose_number, cycle, node) in enumerate(action.poses()):
            ref = PoseRef(number, cycle_number, pose_number, turn, node, (cycle, action))
            for entry, dof in self._resolved(node, max(track, 1)):
                element = Element(number, cycle_number, pose_number, turn, window=node.window)
                element.fixed = self.is_fixed(dof)
                if entry.said:
                    ref.own[dof] = [replace(said, dof=entry.dof.removeprefix(f"{IDLE} ")) for said in entry.said]
                if node.window is not None and action.source is not None:
                    left, reached, leaves = node.window
                    element.duration, element.hold = reached - left, leaves - reached
                    if turn == 0 and any(number != before and at == track for before, (at, _) in
                                         enumerate(self.actions)):  # fmt: skip
                        element.duration = FIRST_WAY
                    element.value = action.source.at(dof, reached)
                ref.elements[dof] = element
            self.poses.append(ref)

    def _resolved(self, node: PoseNode, number: int) -> Iterator[tuple[Entry, str]]:
        """The entries of a pose with the tracks of this body that they speak of."""
        for entry in node.entries:
            if entry.dof in self.known or entry.dof == SPACERS:
                yield entry, entry.dof
                continue
            idle = entry.dof.startswith(f"{IDLE} ")
            tracks = self.dofs.tracks(entry.dof.removeprefix(f"{IDLE} "))
            if not tracks:
                self.report.add("ignored", f"this body has no {entry.dof}, so what is said of it does nothing")
            for track in tracks:
                yield entry, beneath(track, number) if idle else track

    @cached_property
    def known(self) -> frozenset[str]:
        """All that recordings speak of."""
        return frozenset((*self.dofs.columns, *self.dofs.places, *self.dofs.turns))

    def is_fixed(self, dof: str) -> bool:
        """Whether a degree of freedom carries the body, so that it keeps time with all others that do."""
        if dof in self.dofs.columns:
            joint = self.dofs.columns[dof][0]
            return joint in self.dofs.legs or joint in self.carriers
        return dof in self.dofs.places or dof in self.dofs.turns

    @cached_property
    def carriers(self) -> frozenset[int]:
        """The hips, and the joints above that carry them."""
        return frozenset((self.dofs.hips, *self.dofs.character.skeleton.ancestors(self.dofs.hips)))

    def fill_beneath(self) -> None:
        """Let poses that say nothing of how the body is held bring it back, where others of their track say it."""
        for number in range(len(self.script.tracks)):
            refs = [ref for ref in self.poses if self.actions[ref.action][0] == number]
            held = dict.fromkeys(track for ref in refs for track in ref.elements if is_beneath(track))
            for ref in refs:
                if ref.elements.keys() != {SPACERS}:
                    for track in held:
                        PoseSite(self, ref).add(track, 0.0)

    def of_action(self, number: int) -> Iterator[PoseRef]:
        """The poses of one action."""
        return (ref for ref in self.poses if ref.action == number)

    def tracks(self) -> dict[str, list[Element]]:
        """The elements by degree of freedom, in the order in which they begin."""
        found: dict[str, list[Element]] = {}
        for ref in self.poses:
            for dof, element in ref.elements.items():
                found.setdefault(dof, []).append(element)
        for track in found.values():
            track.sort(key=lambda element: element.start)
        return found


@dataclass(eq=False)
class Site:
    """Where a property is applied: one degree of freedom of one pose.

    Attributes:
        share: of a number that is said of a whole row of joints, what is each one's.
    """

    draft: Draft
    ref: PoseRef
    dof: str
    element: Element
    share: float = 1.0

    @property
    def depth(self) -> int:
        """Joints from the base of the spine; none for what no joint does."""
        place = self.draft.dofs.columns.get(self.dof)
        return 0 if place is None else int(self.draft.dofs.depths[place[0]])

    @property
    def deepest(self) -> int:
        """That of the joint which is farthest from the spine."""
        return int(self.draft.dofs.depths.max())

    @property
    def in_limb(self) -> bool:
        """Whether the extent of a gesture is up to it."""
        place = self.draft.dofs.columns.get(self.dof)
        return place is not None and place[0] in self.draft.dofs.in_limbs

    @property
    def is_way(self) -> bool:
        """Whether it is a way over the ground, or of a foot above it."""
        return self.dof in self.draft.dofs.places and self.dof != f"{TRAVEL} up"

    def mean(self) -> float:
        """The mean of the values of this degree of freedom over the action."""
        values = [
            ref.elements[self.dof].value for ref in self.draft.of_action(self.ref.action) if self.dof in ref.elements
        ]
        key = f"mean {self.dof}"
        if key not in self.ref.parents[1].__dict__:
            object.__setattr__(self.ref.parents[1], key, float(np.mean(values)))
        return float(self.ref.parents[1].__dict__[key])


@dataclass(eq=False)
class PoseSite:
    """Where a property is applied that is about a whole pose."""

    draft: Draft
    ref: PoseRef

    def add_posture(self, weight: float, shape: Shape) -> None:
        """Hold the body in a shape beneath this pose; its weight stays over its feet."""
        dofs = self.draft.dofs
        values = {dof: self.draft.posture * weight * value for dof, value in shape.on(dofs).items()}
        for correct in (leveling, balancing):
            values |= {dof: values.get(dof, 0.0) + amount for dof, amount in correct(dofs, values).items()}
        for dof, value in values.items():
            self.hold(dof, value)

    def hold(self, dof: str, value: float) -> None:
        """Add to how the body is held in this pose."""
        self.add(beneath(dof, self.draft.actions[self.ref.action][0]), value)

    def put(self, track: str, value: float) -> None:
        """Set what a degree of freedom is in this pose."""
        self.add(track, 0.0)
        self.ref.elements[track].value = value

    def add(self, track: str, value: float) -> None:
        """Add to what a degree of freedom, signal or posture is in this pose."""
        if track not in self.ref.elements:
            like = next(iter(self.ref.elements.values()), None)
            made = Element(self.ref.action, self.ref.cycle, self.ref.pose, self.ref.turn)
            made.fixed = is_beneath(track) or self.draft.is_fixed(track)
            if like is not None:
                made.duration, made.hold = like.duration, like.hold
            self.ref.elements[track] = made
        self.ref.elements[track].value += value


def beneath(dof: str, layer: int = 0) -> str:
    """The track of how a body is held in a degree of freedom, beneath what it does.

    Each track of a script has a layer of its own, and all are added: what goes on idly disturbs nothing else.
    """
    if layer and not dof.startswith(HANGING):
        return f"{IDLE}{layer} {dof}"
    return dof if dof in SIGNALS or dof.startswith(HANGING) else f"{POSTURE} {dof}"


def above(track: str) -> str:
    """The degree of freedom that a track is about, whether beneath or not."""
    first, _, rest = track.partition(" ")
    return rest if first in (POSTURE, HANGING) or (first.startswith(IDLE) and first[len(IDLE) :].isdigit()) else track


def is_beneath(track: str) -> bool:
    """Whether a track says how a body is held."""
    return track in SIGNALS or above(track) != track


def leveling(dofs: Dofs, values: dict[str, float]) -> dict[str, float]:
    """How far the hips are turned back so that legs farther ahead stay under the body that a posture bends."""
    ahead = dofs.front_carrier
    if ahead is None:
        return {}
    moved = WorldState(dofs.character, posture_pose(dofs, values))
    ways = [state.positions[0, ahead] - state.positions[0, dofs.hips] for state in (dofs.state, moved)]
    (up, front), (new_up, new_front) = ((float(way @ dofs.axes[1]), float(way @ dofs.axes[2])) for way in ways)
    turned = np.arctan2(new_front * up - new_up * front, new_up * up + new_front * front)
    return {f"{dofs.names[dofs.hips]} bend": -float(turned)}


def balancing(dofs: Dofs, values: dict[str, float]) -> dict[str, float]:
    """How far the hips move over the feet so that the weight stays where it was, in heights of the hips."""
    key = tuple(sorted(values.items()))
    table: dict[tuple[tuple[str, float], ...], dict[str, float]] = dofs.__dict__.setdefault("_balancing", {})
    if key not in table:
        posed = posture_pose(dofs, values)
        moved = WorldState(dofs.character, posed).center_of_mass[0] - dofs.state.center_of_mass[0]
        side, _, ahead = dofs.axes @ moved / dofs.hip_height
        table[key] = {"balance side": -float(side), "balance ahead": -float(ahead)} if dofs.feet else {}
    return table[key]


def posture_pose(dofs: Dofs, values: dict[str, float]) -> Pose:
    """The body as it stands of itself, held in a posture."""
    vectors: FloatArray = np.zeros((len(dofs.names), 3))
    for dof, value in values.items():
        if dof in dofs.columns:
            joint, axis = dofs.columns[dof]
            if joint not in dofs.legs:
                vectors[joint, axis] = value
    turns = quaternion.exp(np.einsum("jab,jb->ja", dofs.joint_from_axes, vectors))
    return Pose(quaternion.multiply(dofs.neutral.rotations, turns), dofs.neutral.root_translation,
                dofs.neutral.translations, dofs.neutral.scales, dofs.neutral.morphs)  # fmt: skip
