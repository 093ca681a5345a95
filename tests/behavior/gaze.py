"""How well bodies look at things: degrees by which eyes, or heads without them, miss what they look at.

python -m tests.behavior.gaze [DATA]

Bodies of the zoo that have a head, random creatures with several, and characters below DATA/characters. Targets are in
range if they are within 50° to the side and 25° up or down of where the body faces, 1 to 3 heights away. Each is looked
at for a second by head and eyes; then it moves 15° a second for another second.
"""
# ruff: noqa: T201

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from mummer import zoo
from mummer.arrays import FloatArray
from mummer.behavior import Performer, make
from mummer.character import Character, Pose, world_matrices
from mummer.errors import MummerError

SIDE, UP = np.radians(50.0), np.radians(25.0)
TARGETS = 6
CREATURES = range(9100, 9130)


def lines_of_sight(character: Character, pose: Pose) -> Iterator[tuple[FloatArray, FloatArray]]:
    """(3,) where each eye, or a head without any, is, and (3,) where what faces the front at rest faces now."""
    anatomy = character.anatomy
    assert anatomy is not None
    rest = world_matrices(character.skeleton, Pose.rest(character.skeleton))
    now = world_matrices(character.skeleton, pose)
    heads, eyes = anatomy.capabilities.get("head", ()), anatomy.capabilities.get("eye", ())
    skeleton = character.skeleton
    heads = heads or tuple({int(skeleton.parents[eye]) for eye in eyes})
    for head in heads:
        below = [eye for eye in eyes if eye != head and head in skeleton.ancestors(eye)]
        for joint in below or [head]:
            turn = now[joint, :, :3] @ np.linalg.inv(rest[joint, :, :3])
            direction = turn @ anatomy.front
            yield now[joint, :, 3], direction / np.linalg.norm(direction)


def misses(performer: Performer, place: FloatArray) -> list[float]:
    """Degrees, of each eye."""
    found = []
    for eye, direction in lines_of_sight(performer.character, performer.pose):
        away = (place - eye) / np.linalg.norm(place - eye)
        found.append(float(np.degrees(np.arctan2(np.linalg.norm(np.cross(direction, away)), direction @ away))))
    return found


def looked(character: Character, seed: int) -> tuple[list[float], list[float]]:
    """Degrees by which things that stand still, and things that move, are missed."""
    performer = Performer(character)
    generator = np.random.default_rng(seed)
    at_rest = [eye for eye, _ in lines_of_sight(performer.character, performer.pose)]
    middle = np.mean(at_rest, axis=0)
    anatomy = performer.character.anatomy
    assert anatomy is not None
    length = 0.12 * anatomy.height
    heading = performer.actor.heading
    still, moving = [], []
    place = [np.zeros(3)]
    for _ in range(TARGETS):
        yaw, pitch = heading + generator.uniform(-SIDE, SIDE), generator.uniform(-UP, UP)
        far = length * generator.uniform(8.0, 25.0)

        def spot(yaw: float, pitch: float, far: float = far) -> FloatArray:
            way = np.array([np.sin(yaw) * np.cos(pitch), np.sin(pitch), np.cos(yaw) * np.cos(pitch)])
            return middle + far * way

        place[0] = spot(yaw, pitch)
        running = performer.start(make("gaze", performer, target=lambda: place[0], hold=30.0))
        for _ in range(60):
            performer.step(1 / 60)
        still += misses(performer, place[0])
        way = -np.sign(yaw - heading)
        for step in range(60):
            place[0] = spot(yaw + way * np.radians(15.0) * (step + 1) / 60, pitch)
            performer.step(1 / 60)
        moving += misses(performer, place[0])
        performer.stop(running)
    return still, moving


def bodies(data: Path | None) -> Iterator[tuple[str, Character]]:
    """Who is asked."""
    from mummer import load
    from mummer.engine.troupe import known_body

    for name in zoo.names():
        yield f"zoo:{name}", zoo.body(name)
    for seed in CREATURES:
        body = zoo.random_creature(seed)
        assert body.anatomy is not None
        if len(body.anatomy.capabilities.get("head", ())) > 1:
            yield f"zoo:creature:{seed}", body
    for path in sorted((data / "characters").rglob("*")) if data else []:
        if path.suffix in (".glb", ".gltf", ".vrm", ".fbx", ".sk", ".bvh", ".asf", ".usda", ".usdc"):
            try:
                yield path.name, known_body(load(path))
            except MummerError as error:
                print(f"{path.name:40} not read: {str(error)[:80]}")


def main(arguments: list[str]) -> None:
    """Print a line a body."""
    worst: list[float] = []
    for name, body in bodies(Path(arguments[0]) if arguments else None):
        try:
            still, moving = looked(body, len(worst))
        except MummerError as error:
            print(f"{name:40} {str(error)[:110]}")
            continue
        worst.append(max(still))
        told = "   ".join(
            f"{what}: mean {np.mean(each):5.2f} worst {max(each):6.2f}"
            for what, each in (("still", still), ("moving", moving))
        )
        print(f"{name:40} eyes or heads {len(still) // TARGETS}  {told} degrees", flush=True)
    print(f"{sum(each <= 1.0 for each in worst)} of {len(worst)} bodies within 1 degree at every target in range")


if __name__ == "__main__":
    main(sys.argv[1:])
