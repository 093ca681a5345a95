"""Ways that go on into one another: a walk that becomes a run without a halt, performed as one and then parted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character
from mummer.clip.retimed import Shift
from mummer.engine.body import body_of
from mummer.engine.perform import perform
from mummer.general.physique import physique_of
from mummer.model.act import finished, placed
from mummer.model.action import Action
from mummer.model.key_times import KeyTimes
from mummer.model.model import Model
from mummer.model.performed import THERE, Rough, origin_of, stands_of_performance, under_way
from mummer.model.style import Style
from mummer.model.values import Values, settle

GAIT = "walk"
"""The gait of the whole: who walks this way runs as it goes faster."""
GAITS = (GAIT, "run")
"""Those that go on into one another."""
SHARED = 0.1
"""Seconds of the way that the action before and the one after both show, in which one is left and the other entered."""


def goes_on(model: Model, style: Style) -> bool:
    """Whether an action is a walk or a run that may go on into another."""
    return model.deform == "travel" and style.is_performed and style.motions[0].perform in GAITS


def onward(body: Character, ways: Sequence[tuple[Model, Style, Mapping[str, Any]]]) -> tuple[Action, ...]:
    """The actions of a body that goes from one way into the next without a halt.

    Args:
        body: who.
        ways: of each way the model, the style, and values: a place ``to`` go to or a ``path``, perhaps a pace; those of
            the first say where it begins.

    Returns:
        For each an action whose halt is the moment at which the next begins; all of one motion, of which neighbours
        share a little, so that a transition as long as that is no change at all.
    """
    height = physique_of(body).height
    settled = [settle(model, style, values, height) for model, style, values in ways]
    settled[0], placing = placed(body, ways[0][0], settled[0])
    inward = [placing.into(model, values) for (model, _, _), values in zip(ways, settled, strict=True)]
    legs = [_leg(body, *each) for each in zip((style for _, style, _ in ways), inward, strict=True)]
    rows = np.vstack([[[0.0, *origin_of(body)[[0, 2]]]], *legs])
    rows = rows[np.concatenate([[True], np.linalg.norm(np.diff(rows[:, 1:], axis=0), axis=1) > THERE])]
    lengths = np.linalg.norm(np.diff(rows[:, 1:], axis=0), axis=1)
    times = np.concatenate([[0.0], np.cumsum(lengths / rows[1:, 0])])
    played = perform(body, GAIT, path=np.column_stack([times, rows[:, 1:]]))
    arrivals = [float(times[np.argmin(np.linalg.norm(rows[:, 1:] - leg[-1, 1:], axis=1))]) for leg in legs]
    edges = [played.start, *arrivals[:-1], played.end]
    found: list[Action] = []
    for number, ((model, style, _), values) in enumerate(zip(ways, settled, strict=True)):
        begin, is_first, is_last = edges[number], number == 0, number == len(ways) - 1
        clip = Shift(played.trimmed(begin, edges[number + 1] + (0.0 if is_last else SHARED)), -begin)
        steps = stands_of_performance(clip)
        seen, over = under_way(clip, steps), clip.end if is_last else clip.end - SHARED
        go = min(seen.get("go", SHARED) if is_first else SHARED, over)
        halt = max(seen.get("halt", over) if is_last else over, go)
        rough = Rough(clip, KeyTimes(model.key_times, (0.0, go, halt, over)), steps, None,
                      {style.motions[0].name: 1.0}, {}, played.report)  # fmt: skip
        action = finished(rough, model, values, placing, style=style)
        if not is_first:
            joined = {"entry": "go", "seconds": SHARED, "geometry": "blend", "steps": False, "clear": False}
            action = replace(action, transition={**action.transition, **joined})
        found.append(action)
    return tuple(found)


def _leg(body: Character, style: Style, values: Values) -> FloatArray:
    """(n, 3) for each place of a way how fast it is gone to, and x and z."""
    path: Any = values["path"] if values.has("path") else [values["to"]]
    tempo: Any = values["tempo"] if values.has("tempo") else 1.0
    easy = style.motions[0].speed * tempo * float(body_of(body).legs.easy)
    pace: Any = values["pace"] if values.has("pace") else easy
    return np.array([[pace, place[0], place[2]] for place in path], np.float64)
