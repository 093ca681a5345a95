# ruff: noqa: T201
"""A study by hand: whether what is meant to touch touches, and whether who lies or sits is carried by its trunk.

    python -m tests.general.contacts [--random 6 --seed 9800] [--bodies adult,dog] [--files DIR] [--animations clap,sit]

Every animation that means to touch, on the zoo, random creatures and rigs of a folder, as far as one of its branches
admits them. A touch counts if skins come within 1 % of the body's size of one another, or of the place that is meant,
at some moment at which it is fully wished for. In `sleep`, `die` and `sit` the lowest skin of trunk and hips must come
within 2 % of the body's size of the ground while the body rests: the lowest tenth of the moments of its middle half.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np

TOUCHING = (
    "clap", "eat_from_ground", "eat_from_tree", "eat_fruit", "hands_on_hips", "pick_up", "pound_ground", "rub_chin",
    "scratch",
)  # fmt: skip
BY_HAND = ("clap", "hands_on_hips", "pound_ground")
"""Those whose text does not say what is touched: hands are looked at."""
RESTING = ("sleep", "die", "sit")
TOUCH, SUPPORT = 1.0, 2.0
"""Percent of the body's size."""


def bodies(options: argparse.Namespace) -> Iterator[tuple[str, object]]:
    """Names and characters."""
    import mummer as mm
    from mummer.errors import MummerError
    from mummer.recognition import recognized

    for name in options.bodies.split(",") if options.bodies else mm.zoo.names():
        yield f"zoo:{name}", mm.zoo.body(name)
    for seed in range(options.seed, options.seed + options.random):
        yield f"random:{seed}", mm.zoo.random_creature(seed)
    for path in sorted(options.files.rglob("*")) if options.files else ():
        if path.suffix.lower() in (".glb", ".gltf", ".vrm", ".fbx"):
            try:
                yield path.name, recognized(mm.load(path))
            except MummerError as error:
                print(f"left out {path.name}: {error}")


def trunk_height(scene) -> float:
    """How high the lowest skin of trunk and hips is above the ground while the body rests, percent of its size."""
    from mummer.grid.judge.surface import surface_of

    anatomy = scene.body.anatomy
    trunk = {*anatomy.capabilities.get("spine", ()), *anatomy.capabilities.get("root", ())}
    trunk |= {joint for role, joint in anatomy.roles.items() if role in ("hips", "spine", "chest")}
    owners = surface_of(scene.body).owners
    kinds = ("leg", "arm", "wing", "tail", "neck")
    limbs = {joint for limb in anatomy.limbs if limb.kind in kinds for joint in limb.joints}
    rows = np.flatnonzero(np.isin(owners, list(trunk - limbs)))
    posed = surface_of(scene.body).chosen(rows).posed(scene.world[:: max(1, len(scene.times) // 120)])
    low = (posed @ scene.up).min(axis=1) - scene.ground
    middle = low[len(low) // 4 : len(low) - len(low) // 4]
    return 100.0 * max(float(np.quantile(middle, 0.1)), 0.0) / scene.size


def hands_gap(scene, animation: str) -> float | None:
    """How near hands that act come to each other, to the ground or to trunk and thighs, percent of the body's size."""
    from scipy.spatial import cKDTree

    from mummer.grid.judge.surface import surface_of

    anatomy, surface = scene.body.anatomy, surface_of(scene.body)
    joints = {wish.joint for wish in scene.wishes if wish.places is not None}
    hands = [joint for joint in anatomy.capabilities.get("grasper", ()) if joint in joints]
    skins = [np.flatnonzero(np.isin(surface.owners, scene.body.skeleton.descendants(hand))) for hand in hands]
    skins = [rows for rows in skins if len(rows)]
    if not skins or (animation == "clap" and len(skins) < 2):
        return None
    world = scene.world[:: max(1, len(scene.times) // 120)]
    posed = [surface.chosen(rows).posed(world) for rows in skins]
    if animation == "pound_ground":
        return 100.0 * max(float(min((each @ scene.up).min() for each in posed)) - scene.ground, 0.0) / scene.size
    if animation == "hands_on_hips":
        below = scene.body.skeleton.descendants
        arms = {joint for limb in anatomy.limbs if limb.kind == "arm" for joint in below(limb.joints[0])}
        other = surface.chosen(np.flatnonzero(~np.isin(surface.owners, list(arms)))).posed(world)
    else:
        other = posed[1]
    gaps = [cKDTree(one).query(two)[0].min() for one, two in zip(posed[0], other, strict=True)]
    return 100.0 * float(min(gaps)) / scene.size


def value_of(animation: str, body) -> float | None:
    """The measure of one cell; None where no branch admits the body or nothing is said to touch."""
    import mummer as mm
    from mummer.grid.judge import touch
    from mummer.grid.judge.scene import scene_of
    from mummer.grid.play import as_written

    scene = scene_of(as_written(mm.perform(body, animation)), loops=False)
    if animation in RESTING:
        return trunk_height(scene)
    return hands_gap(scene, animation) if animation in BY_HAND else touch.look(scene).value


def main() -> None:
    """Print a line for each animation, and those that fail."""
    from mummer.errors import MummerError

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seed", type=int, default=9800)
    parser.add_argument("--bodies", default="")
    parser.add_argument("--files", type=Path)
    parser.add_argument("--animations", default=",".join((*TOUCHING, *RESTING)))
    options = parser.parse_args()
    found: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for name, body in bodies(options):
        for animation in options.animations.split(","):
            try:
                value = value_of(animation, body)
            except MummerError as error:
                print(f"not admitted: {animation} on {name}: {error}"[:140])
                continue
            if value is not None:
                found[animation].append((value, name))
                print(f"{animation:16} {name:16} {value:6.2f}", flush=True)
    for group, bar in ((TOUCHING, TOUCH), (RESTING, SUPPORT)):
        for animation in group:
            if found[animation]:
                missed = sorted((row for row in found[animation] if row[0] > bar), reverse=True)
                worst = ", ".join(f"{name} {value:.1f}" for value, name in missed[:6])
                print(f"{animation:16} {len(found[animation]) - len(missed)} of {len(found[animation])}  {worst}")
        values = [value for animation in group for value, _ in found[animation]]
        if values:
            print(
                f"together {sum(value <= bar for value in values)} of {len(values)} within {bar:g} % of the body's size"
            )


if __name__ == "__main__":
    main()
