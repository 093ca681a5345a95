"""How well people take things: hands on targets, palms not inside them.

python -m tests.behavior.grasp [COUNT] [DATA]

COUNT balls and cups lie about people of the zoo, and about characters of DATA that have arms and a skin: anywhere
around them up to a height away, 5 to 100 % of a height above the ground, 3 to 7 % of a height across. Each body walks
there if it must and takes it. When its fingers have closed, the skin that its hand carries is looked at, a point each
few millimetres: how far the nearest is from the surface of the thing, and how deep the deepest is inside.
"""
# ruff: noqa: T201

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from mummer import load, zoo
from mummer.arrays import FloatArray
from mummer.behavior import Performer, make
from mummer.behavior.things import Thing
from mummer.character import Character, Mesh, deform
from mummer.engine.troupe import known_body
from mummer.errors import InputError, MummerError

ON, INSIDE = 0.005, 0.001
PEOPLE = ("adult", "child", "giant", "hunched", "two_headed", "centaur")
SHARED = (
    "rocketbox/Male_Adult_01.fbx", "rocketbox/Female_Child_01.fbx", "genoview/Geno.fbx", "mesh2motion/human-male.glb",
    "quaternius/Worker_Man.glb", "100avatars/100Avatars_013_Mint.fbx", "100avatars/100Avatars_001_Crimsom.vrm",
    "gdquest/mannequiny.glb", "keijiro/Neo.fbx", "khronos/CesiumMan.glb", "kaykit/Knight.glb",
)  # fmt: skip


def people(data: Path | None) -> Iterator[tuple[str, Character]]:
    """Who is asked."""
    for name in PEOPLE:
        yield f"zoo:{name}", zoo.body(name)
    for path in SHARED if data else ():
        try:
            yield path, known_body(load(data / "characters" / path))  # type: ignore[operator]
        except MummerError as error:
            print(f"{path:40} not read: {str(error)[:80]}")


def of_joint(mesh: Mesh, joint: int) -> FloatArray:
    """(F,) whether a joint carries most of all corners of each triangle."""
    strongest = mesh.skin.weights.argmax(axis=1)
    owned = mesh.skin.joints[mesh.skin.indices[np.arange(len(strongest)), strongest]] == joint
    return owned[mesh.triangles].all(axis=1)


def surface(corners: FloatArray) -> FloatArray:
    """(N, 3) points all over triangles (F, 3, 3), cut in halves until none is longer than 4 mm, or six times."""
    for _ in range(6):
        sides = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)
        long = sides.max(axis=1) > 0.004 if len(corners) else np.zeros(0, bool)
        if not long.any():
            break
        large, middle = corners[long], 0.5 * (corners[long] + np.roll(corners[long], -1, axis=1))
        parts = [middle, *(np.stack([large[:, k], middle[:, k], middle[:, k - 1]], axis=1) for k in range(3))]
        corners = np.concatenate([corners[~long], *parts])
    return corners.reshape(-1, 3)


def distances(performer: Performer, hand: int, thing: Thing) -> FloatArray:
    """(N,) metres of vertices of a hand from the surface of a thing; below 0 inside."""
    character = performer.character
    found = []
    for mesh, shape in zip(character.meshes, deform(character, performer.pose), strict=True):
        away = surface(np.asarray(shape.positions, np.float64)[mesh.triangles[of_joint(mesh, hand)]]) - thing.place
        if thing.form == "cup":
            level = np.hypot(away[:, 0], away[:, 2]) - thing.radius
            beyond = np.abs(away[:, 1]) - 0.5 * (thing.height or thing.size)
            found.append(np.where(beyond > 0, np.hypot(np.maximum(level, 0), beyond), np.maximum(level, beyond)))
        else:
            found.append(np.linalg.norm(away, axis=1) - thing.radius)
    return np.concatenate([*found, np.zeros(0)])


def taken(character: Character, generator: np.random.Generator) -> tuple[float, float] | None:
    """Metres from the hand to the thing, and inside it, when the body says that it has it; None if it never says."""
    anatomy = character.anatomy
    assert anatomy is not None
    tall = anatomy.height
    performer = Performer(character)
    x, z = performer.actor.place
    way, far = generator.uniform(-np.pi, np.pi), tall * generator.uniform(0.25, 1.0)
    high = performer.physique.origin[1] + tall * generator.uniform(0.05, 1.0)
    size = tall * generator.uniform(0.03, 0.07)
    form = "cup" if generator.random() < 0.4 else "ball"
    thing = Thing(np.array([x + far * np.sin(way), high, z + far * np.cos(way)]), form, size, 1.6 * size)
    grasp = make("grasp", performer, target=thing)
    names = character.skeleton.names
    hand = names.index(performer.body.skeleton.names[grasp.hand.joint])  # type: ignore[attr-defined]
    performer.start(grasp)
    for _ in range(1800):
        frame = performer.step(1 / 60)
        if any(event.name == "stroke_end" for event in frame.events):
            found = distances(performer, hand, thing)
            if not len(found):
                raise InputError("has no skin on its hand")
            return float(max(found.min(), 0.0)), float(max(-found.min(), 0.0))
    return None


def main(arguments: list[str]) -> None:
    """Print a line a body."""
    count = int(arguments[0]) if arguments else 1000
    who = list(people(Path(arguments[1]) if len(arguments) > 1 else None))
    generator = np.random.default_rng(20)
    good = total = 0
    for number, (name, body) in enumerate(who):
        tries = count // len(who) + (number < count % len(who))
        try:
            found = [taken(body, generator) for _ in range(tries)]
        except MummerError as error:
            print(f"{name:36} {str(error)[:110]}")
            continue
        away = np.array([np.inf if each is None else each[0] for each in found])
        inside = np.array([0.0 if each is None else each[1] for each in found])
        fine = int(((away <= ON) & (inside <= INSIDE)).sum())
        good, total = good + fine, total + tries
        on, within = int((away <= ON).sum()), int((inside > INSIDE).sum())
        worst = f"worst {1e3 * away.max():.1f} mm away, {1e3 * inside.max():.1f} mm inside"
        print(f"{name:36} {fine:4} of {tries}: within 5 mm {on}, palm inside {within}; {worst}", flush=True)
    print(f"{good} of {total} taken: the hand within 5 mm, the palm not inside by more than 1 mm")


if __name__ == "__main__":
    main(sys.argv[1:])
