"""Synchronize: when an action begins or ends, as another does."""

from dataclasses import dataclass
from typing import Literal

from mummer.errors import InputError
from mummer.script.draft import PoseSite, Relation
from mummer.script.property import QUERY, Property

LONGEST = 3600.0


@dataclass(frozen=True)
class Synchronize(Property):
    """An action starts or ends together with another, so many seconds after it starts, or at a time.

    ``Synchronize {nod} start wave``, ``end wave``, ``spacing wave 0.3``, ``at clock 2.5``.
    """

    stage = QUERY
    acts = "pose"
    how: Literal["start", "end", "spacing", "at"]
    other: str
    seconds: float = 0.0

    def __post_init__(self) -> None:
        if not 0.0 <= self.seconds <= LONGEST:
            raise InputError(f"{self.seconds:g} seconds; expected 0 to {LONGEST:g}")

    def apply_to_pose(self, site: PoseSite) -> None:
        """Note what the action has to do with the other."""
        draft, ref = site.draft, site.ref
        if ref.turn:
            return
        others = [n for n, (_, action) in enumerate(draft.actions) if action.name == self.other and n != ref.action]
        if self.how != "at" and not others:
            draft.report.add("ignored", f"there is no other action {self.other!r} to synchronise with")
        elif self.how == "at" or not any(r.action == others[0] and r.other == ref.action for r in draft.relations):
            other = -1 if self.how == "at" else others[0]
            draft.relations.append(Relation(ref.action, other, self.how, self.seconds))
