"""The time planner: where elements lie in time.

Elements keep their place within a pose, poses theirs within an action, actions follow one another in their track. What
is scaled keeps its local timing. Then actions are placed: linked ones begin at the same point of each other, others
together with, or so long after, another. The timeline is elastic: an overlap pushes a pose and all after it on, a gap
is closed; spacers keep one open.
"""

from __future__ import annotations

from mummer.script.draft import Draft, PoseRef, Relation
from mummer.script.plan import Element

SAME = 1e-9
ROUNDS = 50
"""How often actions that look at one another are moved."""


def linked(draft: Draft) -> list[Relation]:
    """At which point of one action another begins that is linked to it, before anything is scaled."""
    place_elements(draft)
    found = []
    names = [action.name for _, action in draft.actions]
    for first, second in draft.script.links:
        for other, action in zip(_numbers(names, first), _numbers(names, second), strict=False):
            begin, end = extent(draft, other)
            share = (extent(draft, action)[0] - begin) / max(end - begin, SAME)
            found.append(Relation(action, other, "link", share))
    return found


def _numbers(names: list[str], name: str) -> list[int]:
    return [number for number, each in enumerate(names) if each == name]


def place_elements(draft: Draft) -> None:
    """Lay elements out one after another, as they would be if nothing were asked of their times."""
    ends = dict.fromkeys(range(len(draft.script.tracks)), 0.0)
    for number, (track, _) in enumerate(draft.actions):
        time = ends[track]
        for ref in draft.of_action(number):
            for element in ref.elements.values():
                element.start = time + element.offset
            time += pose_length(ref)
        ends[track] = time


def pose_length(ref: PoseRef) -> float:
    """Seconds from when a pose begins to when the next may, what is late in it not counted."""
    return max((element.duration + element.hold for element in ref.elements.values()), default=0.0)


def extent(draft: Draft, action: int) -> tuple[float, float]:
    """Seconds from when an action begins until it ends."""
    elements = [element for ref in draft.of_action(action) for element in ref.elements.values()]
    return min((e.start for e in elements), default=0.0), max((e.end for e in elements), default=0.0)


def plan_times(draft: Draft) -> None:
    """Give every element its time."""
    for ref in draft.poses:
        for element in ref.elements.values():
            element.offset += element.tags.get("later", 0.0)
    place_elements(draft)
    _shift(draft)
    _keep_rhythm(draft)
    for _ in range(ROUNDS):
        moved = relate(draft)
        push(draft)
        pull(draft)
        if not moved:
            break
    else:
        draft.report.add("missed", "actions that wait for one another cannot all begin when they are asked to")


def _shift(draft: Draft) -> None:
    """Placements: move what has been given another place."""
    for ref in draft.poses:
        for element in ref.elements.values():
            element.start = max(0.0, element.start + element.tags.get("shift", 0.0))


def _keep_rhythm(draft: Draft) -> None:
    """Let poses arrive on their beats: ways are cut to fit between, and held until the next one, whosever it is."""
    lanes: dict[str, list[tuple[float, Element]]] = {}
    for ref in draft.poses:
        for dof, element in ref.elements.items() if ref.arrives is not None else ():
            lanes.setdefault(dof, []).append((ref.arrives or 0.0, element))
    for lane in lanes.values():
        free, last = 0.0, None
        for arrives, element in sorted(lane, key=lambda each: each[0]):
            element.duration = min(element.duration, max(arrives - free, SAME))
            element.start, element.hold = arrives - element.duration, 0.0
            if last is not None:
                last.hold = max(0.0, element.start - last.start - last.duration)
            free, last = arrives, element


def relate(draft: Draft) -> bool:
    """Move actions on to where those they look at say, never back; whether any was moved."""
    moved = False
    for relation in draft.relations:
        by = wanted(draft, relation) - extent(draft, relation.action)[0]
        # Who is late is not brought forward into what is before it: the other waits.
        if by > SAME:
            _move(draft, relation.action, by)
        elif by < -SAME and relation.other >= 0:
            _move(draft, relation.other, -by)
        moved = moved or abs(by) > SAME
    return moved


def wanted(draft: Draft, relation: Relation) -> float:
    """Seconds at which an action is to begin."""
    if relation.other < 0:
        return relation.amount
    begin, end = extent(draft, relation.other)
    own_begin, own_end = extent(draft, relation.action)
    return {
        "link": begin + relation.amount * (end - begin),
        "start": begin,
        "spacing": begin + relation.amount,
        "end": end - (own_end - own_begin),
    }[relation.kind]


def _move(draft: Draft, action: int, by: float) -> None:
    """Move an action, and in its track what follows it."""
    track = draft.actions[action][0]
    for number in range(action, len(draft.actions)):
        if draft.actions[number][0] == track:
            for ref in draft.of_action(number):
                for element in ref.elements.values():
                    element.start += by


def push(draft: Draft) -> None:
    """Push on what overlaps: an element, its whole pose, and all that begins after the overlap."""
    poses = sorted((ref for ref in draft.poses if ref.elements), key=begins)
    ends: dict[str, float] = {}
    pushes: list[tuple[float, float]] = []
    for ref in poses:
        begin = begins(ref)
        _advance(ref, sum(amount for since, amount in pushes if begin >= since - SAME))
        overlap = max((ends.get(dof, 0.0) - element.start for dof, element in ref.elements.items()), default=0.0)
        if overlap > SAME:
            _advance(ref, overlap)
            pushes.append((begin + overlap, overlap))
        for dof, element in ref.elements.items():
            ends[dof] = element.end


def _advance(ref: PoseRef, by: float) -> None:
    for element in ref.elements.values():
        element.start += by


def begins(ref: PoseRef) -> float:
    """Seconds at which the first element of a pose begins."""
    return min(element.start for element in ref.elements.values())


def pull(draft: Draft) -> None:
    """Close gaps, in which nothing happens at all; what relations keep apart is no gap."""
    elements = sorted((e for ref in draft.poses for e in ref.elements.values()), key=lambda element: element.start)
    kept = [(0.0, r.amount) for r in draft.relations if r.kind == "at"]
    kept += [_between(draft, r) for r in draft.relations if r.other >= 0]
    covered, back = 0.0, 0.0
    for element in elements:
        element.start -= back
        covered = max(covered, *(end - back for begin, end in kept if begin - back <= covered + SAME), 0.0)
        gap = element.start - covered
        if gap > SAME:
            element.start, back = covered, back + gap
        covered = max(covered, element.end)


def _between(draft: Draft, relation: Relation) -> tuple[float, float]:
    starts = extent(draft, relation.action)[0], extent(draft, relation.other)[0]
    return min(starts), max(starts)
