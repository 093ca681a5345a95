"""From a script, sketches and edits to a plan: the movement property integrator.

Generators add actions; what sketches and edits say is hung on actions; composites are taken apart; then, stage by
stage, what is said of each node is merged to one property of a kind and applied. Every stage is kept.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mummer.report import ReportBuilder
from mummer.script.action import ORIGINS, Addressed, Origin, Said, Script
from mummer.script.cascade import Cascade, ranked
from mummer.script.dofs import Dofs
from mummer.script.draft import Draft, PoseRef, PoseSite, Site, above, is_beneath
from mummer.script.plan import Element, Plan, Stage, copied
from mummer.script.property import (
    FILTER,
    QUERY,
    SHAPE,
    SHAPE_CALCULATOR,
    SIGNAL,
    STAGES,
    TIMING,
    TRANSITION,
    Property,
    is_composite,
    is_generator,
)
from mummer.script.shape import shared
from mummer.script.sketch import Sketch, sketch_from_text
from mummer.script.timing import linked, place_elements, plan_times

DEEPEST = 8
"""How often composites may stand for composites."""


@dataclass(frozen=True, eq=False)
class Direction:
    """All that is said about a script from outside it.

    Attributes:
        sketches: later ones are heard after earlier ones.
        edits: what the animator has said.
        moods: how much there is of each, 0 to 1.
        origins: in which order those who say something are heard.
        posture: how much of the postures that they ask for is held, 0 to 1.
    """

    sketches: tuple[Sketch, ...] = ()
    edits: tuple[Addressed, ...] = ()
    moods: Mapping[str, float] = field(default_factory=dict)
    origins: tuple[Origin, ...] = ORIGINS
    posture: float = 1.0


def make_plan(dofs: Dofs, script: Script, direction: Direction | None = None) -> Plan:
    """The plan of a script for a body.

    Args:
        dofs: of the body.
        script: what is done.
        direction: how.
    """
    report, direction = ReportBuilder(), direction or Direction()
    outside: list[tuple[Origin, Addressed]] = [("sketch", each) for one in direction.sketches for each in one.said]
    outside += [("edit", each) for each in (*script.edits, *direction.edits)]
    script = _generated(script, [each for _, each in outside])
    draft = Draft.of(dofs, script, report)
    draft.posture = direction.posture
    _link(draft)
    history = [Stage("nothing", {})]
    _bind(draft, outside, dict(direction.moods))
    cascade, tracks_of = Cascade(direction.origins), _Tracks(dofs, report)
    for stage in range(SIGNAL, QUERY + 1):
        found = _apply(draft, stage, cascade, tracks_of)
        if stage == SHAPE:
            draft.fill_beneath()
        if found or stage == QUERY:
            place_elements(draft)
            history.append(Stage(STAGES[stage], copied(draft.tracks())))
    if _filter(draft, direction.origins, tracks_of):
        history.append(Stage(STAGES[FILTER], copied(draft.tracks())))
    plan_times(draft)
    tracks = draft.tracks()
    history.append(Stage("time planner", copied(tracks)))
    actions = tuple((action.name, action.source) for _, action in draft.actions)
    return Plan(dofs, actions, tracks, tuple(history), report.build())


def _link(draft: Draft) -> None:
    """Note where linked actions begin in one another as the script itself times them."""
    if draft.script.links:
        alone = Draft.of(draft.dofs, draft.script, ReportBuilder())
        _bind(alone, (), {})
        _apply(alone, TIMING, Cascade(), _Tracks(draft.dofs, alone.report))
        draft.relations += linked(alone)


def _generated(script: Script, outside: Sequence[Addressed]) -> Script:
    for each in outside:
        if is_generator(type(each.value)):
            meant = tuple(action for action in script.actions() if each.address[0] in ("*", action.name))
            script = each.value.generated(script, meant)
    return script


def _bind(draft: Draft, outside: Sequence[tuple[Origin, Addressed]], moods: dict[str, float]) -> None:
    """Hang on every pose what its action, cycle and the pose itself say, and what is said from outside."""
    spelled: dict[int, list[Said]] = {}
    for ref in draft.poses:
        cycle, action = ref.parents
        found = [*action.said, *cycle.said, *ref.node.said]
        for number, (origin, each) in enumerate(outside):
            if is_generator(type(each.value)) or not each.matches(action.name, ref.cycle, ref.pose):
                continue
            # How a body is held is said once, though several tracks move it.
            held = each.value.beneath or each.value.stage in (SIGNAL, SHAPE_CALCULATOR)
            if held and each.address[0] == "*" and draft.actions[ref.action][0] > 0:
                continue
            if all(condition.holds(action.name, moods) for condition in each.conditions):
                # One and the same object for all poses, so that it is merged once.
                found += spelled.setdefault(number, [each.said(origin)])
        ref.said = _taken_apart(found, draft.__dict__.setdefault("_apart", {}))


def _taken_apart(said: Sequence[Said], table: dict[int, tuple[Said, list[Said]]], depth: int = 0) -> list[Said]:
    """Composites replaced by what they stand for, heard as they would be."""
    found: list[Said] = []
    for each in said:
        if not is_composite(type(each.value)) or depth >= DEEPEST:
            found.append(each)
            continue
        if id(each) not in table:
            table[id(each)] = (each, _taken_apart(_parts(each), table, depth + 1))
        found += table[id(each)][1]
    return found


def _parts(said: Said) -> list[Said]:
    made = []
    for line in said.value.parts():
        part = sketch_from_text(line.replace("{}", "{*}", 1)).said[0]
        one = part.said(said.origin)
        made.append(
            dataclasses.replace(one, level=max(one.level, said.level), dof=one.dof or said.dof, where=said.where)
        )
    return made


class _Tracks:
    """Which degrees of freedom of a body a name means; what it has not got is told once."""

    def __init__(self, dofs: Dofs, report: ReportBuilder) -> None:
        self.dofs, self.report, self.known = dofs, report, dict[str, frozenset[str]]()

    def __call__(self, dof: str) -> frozenset[str]:
        if dof not in self.known:
            self.known[dof] = frozenset(self.dofs.tracks(dof))
            if not self.known[dof]:
                self.report.add("ignored", f"this body has no {dof}, so what is said of it does nothing")
        return self.known[dof]


def _apply(draft: Draft, stage: int, cascade: Cascade, tracks: _Tracks) -> bool:
    """Merge and apply what belongs to a stage; whether anything did."""
    found = False
    for ref in draft.poses:
        mine = [said for said in ref.said if said.value.stage == stage]
        own = {dof: [said for said in each if said.value.stage == stage] for dof, each in ref.own.items()}
        if mine or any(own.values()):
            found = True
            _apply_to(draft, ref, mine, own, cascade, tracks)
    return found


def _filter(draft: Draft, origins: Sequence[Origin], tracks: _Tracks) -> bool:
    """Let filters change what properties have written, in the order in which they are heard; whether there are any."""
    meant: dict[int, tuple[Said, list[PoseRef]]] = {}
    for ref in draft.poses:
        for said in ref.said:
            if said.value.stage == FILTER:
                meant.setdefault(id(said), (said, []))[1].append(ref)
    for said in ranked([said for said, _ in meant.values()], origins):
        chosen: dict[str, list[Element]] = {}
        for ref in meant[id(said)][1]:
            for dof, element in ref.elements.items():
                if not said.dof or dof in tracks(said.dof):
                    chosen.setdefault(dof, []).append(element)
        said.value.filtered(chosen)
    return bool(meant)


def _apply_to(
    draft: Draft, ref: PoseRef, mine: list[Said], own: dict[str, list[Said]], cascade: Cascade, tracks: _Tracks
) -> None:
    whole = [said for said in mine if said.value.acts != "dof"]
    for value in _in_order(cascade.resolved(whole)):
        value.apply_to_pose(PoseSite(draft, ref))
    detailed = [said for said in mine if said.value.acts == "dof"]
    for said in detailed:
        if said.dof and (said.value.beneath or said.value.creates):
            for dof in tracks(said.dof):
                site = PoseSite(draft, ref)
                site.hold(dof, 0.0) if said.value.beneath else site.add(dof, 0.0)
    for dof, element in list(ref.elements.items()):
        heard = [said for said in detailed if _is_for(said, dof, tracks)] + own.get(dof, [])
        if heard:
            share = min(shared(draft.dofs, said.dof) for said in heard)
            for value in _in_order(cascade.resolved(heard)):
                value.apply(Site(draft, ref, dof, element, share))


def _is_for(said: Said, dof: str, tracks: _Tracks) -> bool:
    """Whether what is said is for a track: for how the body is held beneath, or for what it does."""
    if is_beneath(dof):
        if said.value.stage in (TIMING, TRANSITION) and not said.dof:
            return True
        return bool(said.dof) and said.value.beneath and above(dof) in tracks(said.dof)
    return not said.value.beneath and (not said.dof or dof in tracks(said.dof))


def _in_order(values: Mapping[type[Property], Property]) -> list[Property]:
    return sorted(values.values(), key=lambda value: (value.rank, type(value).__name__))
