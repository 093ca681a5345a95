"""One batch of the study solved again, to be looked at."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mummer.ik import solve
from tests.ik.study.bodies import body_named
from tests.ik.study.judge import judge
from tests.ik.study.problems import Batch, make_batch
from tests.ik.study.run import BATCH


def replay(solver: str, body: str, seed: int, index: int | None, picture: str | None) -> int:
    """Print what the solver makes of a batch, or of one of its problems; 2 if there is no such body."""
    character = body_named(body)
    if character is None:
        print(f"{body} cannot be taken by any solver")  # noqa: T201
        return 2
    batch = make_batch(body, character, seed, BATCH)
    verdict = judge(batch, solver)
    print(f"{body} seed {seed}: {batch.kind}, root {batch.root}, {len(character.skeleton)} joints")  # noqa: T201
    for index_of_row in range(BATCH) if index is None else (index,):
        numbers = {
            name: float(getattr(verdict, name)[index_of_row])
            for name in ("finite", "met", "missed", "past_limit", "stretched", "root_moved", "jump")
        }
        shown = "  ".join(f"{name} {value:.3g}" for name, value in numbers.items())
        print(f"  {index_of_row:3}  {shown}")  # noqa: T201
    if index is not None:
        _details(batch, solver, index)
        if picture:
            _picture(batch, solver, index, picture)
    return 0


def single(batch: Batch, index: int) -> Batch:
    """One problem of a batch, as a batch of one."""

    def one(goals: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(
            replace(goal, **{name: getattr(goal, name)[index] for name in ("at", "to") if hasattr(goal, name)})
            for goal in goals
        )

    return replace(batch, goals=one(batch.goals), moved=one(batch.moved), start=batch.start[index : index + 1])


def _details(batch: Batch, solver: str, index: int) -> None:
    alone = single(batch, index)
    found = solve(alone.character, alone.goals, alone.start, solver=solver, root=alone.root)
    for goal, error in zip(alone.goals, found.errors[0], strict=True):
        print(f"    {type(goal).__name__:9} {', '.join(map(str, goal.points))}: off by {error:.3g} {goal.UNIT}")  # noqa: T201
    print(f"    steps {int(found.iterations[0])}   {found.report}")  # noqa: T201


def _picture(batch: Batch, solver: str, index: int, path: str) -> None:
    """The start, the answer, and the answer to the goals moved a little, one row each."""
    from mummer.render import contact_sheet, save_png

    alone = single(batch, index)
    answers = [
        solve(alone.character, goals, alone.start, solver=solver, root=alone.root).pose[0]
        for goals in (alone.goals, alone.moved)
    ]
    save_png(contact_sheet([(alone.character, pose) for pose in (alone.start[0], *answers)]), path)
