"""A hundred actors on a live stage: how long a frame takes, and when a changed goal is seen.

``python -m tests.stage.live [actors] [seconds]`` prints it. Everybody reaches, peers, waves and walks as a random queue
says, and half of them are told of another goal every second.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

from mummer.character import world_positions
from mummer.stage import LiveActor, LiveStage

BODIES = ("zoo:adult", "zoo:child", "zoo:dog", "zoo:spider")


def tell(actor: LiveActor, rng: np.random.Generator) -> None:
    """Something new to do, near where somebody stands."""
    x, z = actor.actor.place
    turn = rng.uniform(0, 2 * np.pi)
    height = actor.height
    near = (x + 0.25 * height * np.sin(turn), rng.uniform(0.4, 1.0) * height, z + 0.25 * height * np.cos(turn))
    values: dict[str, dict[str, Any]] = {
        "reach": {"target": near}, "peer": {"target": near}, "wave": {},
        "walk": {"to": (x + height * np.sin(turn), 0.0, z + height * np.cos(turn))},
    }  # fmt: skip
    model = str(rng.choice(list(values)))
    actor.do(model, **values[model])


def frames(count: int, seconds: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """(F,) milliseconds a frame, wall and CPU, of ``count`` actors."""
    rng = np.random.default_rng(seed)
    names = {f"actor {n}": BODIES[n % len(BODIES)] for n in range(count)}
    stage = LiveStage(names, {name: (2.5 * (n % 10), 2.5 * (n // 10)) for n, name in enumerate(names)})
    wall, work = [], []
    for chunk in range(round(seconds * stage.rate / stage.chunk)):
        began, worked = time.perf_counter(), time.process_time()
        for actor in stage.actors.values():
            if len(actor.queue) < 2:
                tell(actor, rng)
            now = actor.now
            if now is not None and now.values.has("target") and chunk % 30 == 0 and rng.random() < 0.5:
                actor.change(now, target=tuple(np.asarray(now.values["target"]) + rng.normal(0, 0.03, 3)))
        stage.step()
        wall.append((time.perf_counter() - began) / stage.chunk * 1e3)
        work.append((time.process_time() - worked) / stage.chunk * 1e3)
    for actor in stage.actors.values():
        assert np.all(np.isfinite(actor.pose.rotations))
        assert len(actor.queue) <= 3
    return np.array(wall), np.array(work)


def reaction(body: str = "zoo:adult") -> float:
    """Millimetres by which a joint is elsewhere one chunk after its goal changed by a tenth of the height."""
    found = []
    for changes in (False, True):
        stage = LiveStage({"who": body})
        who = stage["who"]
        target = np.array([0.15, 0.7, 0.25]) * who.height
        action = who.do("reach", target=tuple(target))
        for _ in range(24):
            stage.step()
        if changes:
            who.change(action, target=tuple(target + np.array([0, 0.1 * who.height, 0])))
        stage.step()
        found.append(world_positions(who.actor.character.skeleton, who.pose))
    return 1e3 * float(np.linalg.norm(found[0] - found[1], axis=1).max())


if __name__ == "__main__":
    count, seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 100, float(sys.argv[2]) if len(sys.argv) > 2 else 10.0
    said = [f"{body}: a changed goal is seen by {reaction(body):.1f} mm after one chunk" for body in BODIES]
    rows = frames(count, seconds + 3.0)
    for name, row in zip(("wall", "CPU"), rows, strict=True):
        # In the first seconds each model is bound to each body for the first time.
        for when, part in (("first 3 s", row[:90]), ("then", row[90:])):
            said.append(
                f"{count} actors, {name}, {when}: mean {part.mean():.1f}, median {np.median(part):.1f}, "
                f"99 % {np.percentile(part, 99):.1f} ms a frame; at most 16.7 for 60 a second"
            )
    print("\n".join(said))  # noqa: T201
