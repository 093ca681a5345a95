"""Random settings of every model on many bodies: goals met or clipped and said so, nothing jumps, every number finite.

``python -m tests.model.settings [--count N] [--seed S] [--models A,B] [--bodies A,B] [--data DIR] [--seconds T]``
draws N settings, models in turn, bodies of the zoo, random creatures and rigs of other people at random, and prints
each fault with the line that makes it again, then a table. What is judged is what a user gets: the motion as it is
written, sixty frames a second, beside the values that the action says it used. Pops are judged by the grid. `rows`
gives the same for whoever spreads seeds over many cores.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

import mummer as mm
from mummer.character import Character, world_matrices
from mummer.clip import Sampled
from mummer.engine.troupe import known_body
from mummer.errors import MummerError
from mummer.general.physique import physique_of
from mummer.grid.judge import JUDGES, Scene, scene_of
from mummer.ik import Place, WorldState
from mummer.ik.body_point import as_point, joint_of
from mummer.ik.moving import at_times
from mummer.math import quaternion, transform
from mummer.model import Action, Model, load_model, model_names, style_names

MET = 1e-3
"""Metres within which a goal is met; of bodies taller than a man as many parts of them."""
CREATURES = range(700, 730)
SHARED = (
    "quaternius/Wolf.glb", "quaternius/Spider.glb", "quaternius/Trex.glb", "quaternius/Bee.glb", "quaternius/Snake.glb",
    "quaternius/Worker_Man.glb", "mesh2motion/fox-cat.glb", "mesh2motion/rig-dragon.glb", "mesh2motion/bird-eagle.glb",
    "kaykit/Knight.glb", "kenney/character.glb", "threejs/Xbot.glb", "khronos/CesiumMan.glb", "khronos/Fox.glb",
    "rocketbox/Dog_Beagle_01.fbx", "rocketbox/Male_Adult_01.fbx", "smartbody/ChrBrad.sk", "genoview/Geno.fbx",
)  # fmt: skip
"""Rigs of other people; those that are there."""
GIVEN = {"position": 0.2, "orientation": 0.2, "target": 0.95, "to": 0.95, "path": 0.3}
"""How often a parameter is set; others two times in five."""
BEYOND = 0.2
"""How often a number is drawn from outside its bounds."""
GIVE_UP = 20.0
"""CPU seconds a setting may take."""


@dataclass(frozen=True)
class Row:
    """One setting: of which model, the line that makes it again, CPU seconds, whether clipped, and what is wrong."""

    model: str
    again: str
    seconds: float
    clipped: bool
    faults: list[str]


def bodies_of(data: Path | None) -> list[str]:
    """What is drawn from."""
    found = [f"zoo:{name}" for name in mm.zoo.names()] + [f"random:{number}" for number in CREATURES]
    shared = [] if data is None else [data / "characters" / name for name in SHARED]
    return found + [str(path) for path in shared if path.is_file()]


@lru_cache(maxsize=6)
def body_of(spec: str) -> Character:
    """A body, recognised."""
    return known_body(mm.load(spec))


def sizes(body: Character) -> tuple[float, np.ndarray, float]:
    """Its height, where it stands, and which way it faces (radians), as its rest shows."""
    anatomy = body.anatomy
    assert anatomy is not None
    places = world_matrices(body.skeleton, body.default_pose)[..., 3]
    middle = 0.5 * (places.min(axis=0) + places.max(axis=0))
    front = math.atan2(anatomy.front[0], anatomy.front[2])
    return anatomy.height, np.array([middle[0], anatomy.ground, middle[2]]), front


def drawn(model: Model, body: Character, random: np.random.Generator) -> dict[str, Any]:
    """Values for some of the parameters of a model."""
    height, here, front = sizes(body)
    values: dict[str, Any] = {}
    excluded: set[str] = set()
    for parameter in model.parameters:
        if parameter.name in excluded or random.random() > GIVEN.get(parameter.name, 0.4) or parameter.kind == "handle":
            continue
        excluded |= {*parameter.excludes, *(each.name for each in model.parameters if parameter.name in each.excludes)}
        values[parameter.name] = _value(model, parameter, random, (height, here, front))
    standing = np.asarray(values.get("position", here))
    turn = math.radians(values.get("orientation", 0.0))
    for name in ("target", "to", "path"):
        if name in values:
            values[name] = _abroad(values[name], here, standing, turn)
    return values


def _abroad(value: Any, here: np.ndarray, standing: np.ndarray, turn: float) -> Any:
    """A place before a body at rest as it is before one that stands elsewhere."""
    spin = np.array([0.0, math.sin(turn / 2), 0.0, math.cos(turn / 2)])
    moved = standing + quaternion.rotate(spin, np.atleast_2d(np.asarray(value, float)) - here)
    rows = [tuple(float(number) for number in row) for row in moved]
    return rows if np.ndim(value) == 2 else rows[0]


def _value(model: Model, parameter: Any, random: np.random.Generator, size: tuple[float, np.ndarray, float]) -> Any:
    height, here, front = size
    if parameter.kind == "position":
        far = {"position": 3.0, "to": 1.0 if model.deform == "jump" else 3.0}.get(parameter.name, 0.7)
        far = 4.0 if model.deform == "throw" else far
        away = front + random.normal(0.0, 0.8)
        out = far * height * random.uniform(0.2, 1.2)
        up = random.uniform(0.05, 1.2) * height if parameter.name == "target" else 0.0
        return (here + np.array([out * math.sin(away), up, out * math.cos(away)])).tolist()
    if parameter.kind == "trajectory":
        ways = front + np.cumsum(random.normal(0.0, 0.4, 3))
        steps = np.stack([np.sin(ways), 0 * ways, np.cos(ways)], axis=1) * height * random.uniform(0.5, 1.5, (3, 1))
        return (here + np.cumsum(np.vstack([np.zeros(3), steps]), axis=0)).tolist()
    if parameter.kind == "orientation":
        return float(random.uniform(-180.0, 180.0))
    if parameter.kind == "boolean":
        return bool(random.random() < 0.5)
    if parameter.kind == "enumeration":
        return str(random.choice(parameter.choices))
    return _number(parameter, random, height)


def _number(parameter: Any, random: np.random.Generator, height: float) -> float:
    size = height if parameter.scale == "height" else 1.0
    low = max(parameter.least, 0.02) * size
    usual = {"duration": 4.0, "pace": 2.0 * height, "apex": 3.0 * height, "speed": 15.0, "gravity": 20.0}
    high = max(min(usual.get(parameter.name, 4.0), parameter.most * size), 1.5 * low)
    if random.random() < BEYOND:
        beyond = [
            bound for bound in (0.3 * parameter.least * size, 1.5 * parameter.most * size) if math.isfinite(bound)
        ]
        return float(random.choice(beyond)) if beyond else float(low)
    return float(np.exp(random.uniform(math.log(low), math.log(high))))


def faults_of(action: Action, given: dict[str, Any], model: Model) -> Iterator[str]:
    """What is wrong with an action, in a word and a figure each."""
    body = action.body
    clip = Sampled(body, action.clip.to_recording(60.0, name=action.model))
    times = clip.times(60.0)
    poses = clip.sample(times)
    if not (np.all(np.isfinite(poses.rotations)) and np.all(np.isfinite(poses.root_translation))):
        yield "nan"
        return
    height = sizes(body)[0]
    tall = physique_of(body).height
    bar = MET * max(1.0, height / 1.8)
    world, state = world_matrices(body.skeleton, poses), WorldState(body, poses)
    told = str(action.report)
    for goal in action.invariants:
        if goal.interval is None:
            continue
        if not isinstance(goal, Place):
            off = float(np.max(np.where(goal.active(len(times), times), goal.error(state, times), 0.0)))
            if goal.is_hard and off > math.radians(0.5):
                yield f"{goal.UNIT} {off:.3f}"
            continue
        joint, offset = joint_of(body, goal.part), np.asarray(as_point(goal.part).offset)
        spots = world[:, joint, :, 3] + quaternion.rotate(transform.decompose(world[:, joint])[1], offset)
        held = (times >= goal.interval[0] - 1e-9) & (times <= goal.interval[1] + 1e-9)
        mask = np.array([axis in goal.axes for axis in "xyz"], float)
        wanted = at_times(goal.at, 3, len(times), times, "a place")
        miss = float(np.linalg.norm(((spots - wanted) * mask)[held], axis=1).max(initial=0.0))
        if miss > bar:
            asked = any(np.array_equal(goal.at, value) for value in action.values.values())
            yield f"{'goal' if asked else 'foot'} {1000 * miss:.1f} mm"
    for name, asked in given.items():
        used, parameter = action.values[name], model.parameter(name)
        changed = parameter.kind in ("position", "scalar") and not np.allclose(used, parameter.read(asked), atol=1e-6)
        if changed and f"{name} =" not in told:
            yield f"unsaid {name}"
        if parameter.kind == "scalar" and abs(parameter.bounded(used, tall) - used) > 1e-9:
            yield f"illegal {name}"
    scene = scene_of(clip)
    yield from _judged(scene)


def _judged(scene: Scene) -> Iterator[str]:
    for judge in JUDGES:
        if judge.name == "pops":
            score = judge.score(scene)
            if not score.passed:
                yield f"pop {score.value:.1f} at {score.where}"


def again(model: str, spec: str, style: str, given: dict[str, Any]) -> str:
    """The line that makes it again."""
    return f"mm.act({spec!r}, {model!r}, style={style!r}, **{json.dumps(given)})"


def say(line: str) -> None:
    """A line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def row(name: str, spec: str, random: np.random.Generator) -> Row:
    """One setting, drawn and judged."""
    model = load_model(name)
    style = str(random.choice(style_names(model)))
    given = drawn(model, body_of(spec), random)
    begun, clipped = time.process_time(), False
    try:
        action = mm.act(body_of(spec), name, style=style, **given)
        found = list(faults_of(action, given, model))
        clipped = bool(action.values.clips)
    except MummerError as error:
        found = [f"refused: {error}"]
    except Exception as error:  # What breaks is what is looked for.
        found = [f"broken: {type(error).__name__}: {error}"]
    took = time.process_time() - begun
    if took > GIVE_UP:
        found.append(f"slow {took:.0f} s")
    return Row(
        name, again(name, spec, style, {key: _short(value) for key, value in given.items()}), took, clipped, found
    )


def rows(seed: int, count: int, models: Sequence[str], bodies: Sequence[str]) -> Iterator[Row]:
    """So many settings of a seed, models in turn; what is drawn depends on nothing but these four."""
    random, spec = np.random.default_rng(seed), bodies[0]
    for number in range(count):
        if number % len(models) == 0:
            spec = str(random.choice(bodies))
        yield row(models[number % len(models)], spec, random)


def _short(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_short(each) for each in value]
    return round(value, 4) if isinstance(value, float) else value


def main(arguments: Sequence[str]) -> None:
    """Draw and tell."""
    reader = argparse.ArgumentParser(prog="python -m tests.model.settings", description=__doc__)
    reader.add_argument("--count", type=int, default=330)
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--models", default="")
    reader.add_argument("--bodies", default="")
    reader.add_argument("--data", type=Path, default=None)
    reader.add_argument("--seconds", type=float, default=math.inf)
    told = reader.parse_args(arguments)
    models = told.models.split(",") if told.models else list(model_names())
    bodies = told.bodies.split(",") if told.bodies else bodies_of(told.data)
    done: list[Row] = []
    begun = time.monotonic()
    for each in rows(told.seed, told.count, models, bodies):
        done.append(each)
        for fault in each.faults:
            say(f"{fault}: {each.again}")
        if time.monotonic() - begun > told.seconds:
            break
    tell(done)


def tell(done: Sequence[Row]) -> None:
    """A table of what was found, a line a model."""
    say(f"{'model':<16}{'tried':>7}{'clipped':>9}{'s each':>8}  faults")
    for model in dict.fromkeys(each.model for each in done):
        those = [each for each in done if each.model == model]
        kinds = Counter(fault.split()[0].rstrip(":") for each in those for fault in each.faults)
        mean = sum(each.seconds for each in those) / len(those)
        told_faults = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())
        say(f"{model:<16}{len(those):>7}{sum(each.clipped for each in those):>9}{mean:>8.2f}  {told_faults}")
    bad = sum(bool(each.faults) for each in done)
    say(f"{len(done)} settings, {bad} with faults, {sum(each.seconds for each in done):.0f} s of CPU time")


if __name__ == "__main__":
    main(sys.argv[1:])
