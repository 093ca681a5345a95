# ruff: noqa: T201
"""The pairs that other tools were measured on: ``python -m tests.retargeting.peers``.

Prints the mean angle between limbs of both bodies in degrees: of arms, thighs, shins and trunk; with the lines from
ankle to ball as well; and with those lines counted from where they are when the sole lies flat, since ankles are not
equally high above balls. Then the extra slip of toes in contact in percent of a leg a second, and frames a second.
"""

from __future__ import annotations

import time

import numpy as np

from tests.retargeting import study

TARGET = "characters/mesh2motion/human-male.glb"
PAIRS = (("Xbot", "walk"), ("Xbot", "run"), ("Soldier", "Walk"))
RATE = 60.0
LIMBS = [
    *((f"{side}_{a}", f"{side}_{b}") for side in ("left", "right")
      for a, b in (("upper_arm", "forearm"), ("forearm", "hand"), ("upper_leg", "lower_leg"), ("lower_leg", "foot"))),
    ("hips", "neck"),
]  # fmt: skip
FEET = [(f"{side}_foot", f"{side}_toes") for side in ("left", "right")]


def line(clip, times, pair, *, from_flat: bool = False) -> np.ndarray:
    """(T, 3) the direction from one role to another; with ``from_flat``, as if it lay level when the sole does."""
    from mummer.character import world_matrices
    from mummer.retargeting.build import build_of

    roles = clip.body.anatomy.roles
    first, second = (roles[role] for role in pair)
    matrices = world_matrices(clip.body.skeleton, clip.sample(times))
    along = matrices[:, second, :, 3] - matrices[:, first, :, 3]
    if from_flat:
        build = build_of(clip.body)
        at_rest = build.places[second] - build.places[first]
        flat = at_rest - (at_rest @ build.anatomy.up) * build.anatomy.up
        from mummer.math import quaternion

        local = quaternion.rotate(quaternion.conjugate(build.turns[first]), flat)
        turns = matrices[:, first, :, :3]
        along = (turns / np.linalg.norm(turns, axis=1, keepdims=True)) @ local
    return along / np.linalg.norm(along, axis=1, keepdims=True)


def angle(clip, source, times, pairs, *, from_flat: bool = False) -> np.ndarray:
    """(n, T) degrees between the two bodies."""
    lines = [[line(each, times, pair, from_flat=from_flat) for pair in pairs] for each in (clip, source)]
    cosines = np.sum(np.array(lines[0]) * np.array(lines[1]), axis=-1)
    return np.degrees(np.arccos(np.clip(cosines, -1.0, 1.0)))


def slip(clip, source, times) -> float:
    """Percent of a leg a second that toes in contact move beyond the source's."""
    from mummer.character import world_positions
    from mummer.retargeting.build import build_of

    found = []
    for side in ("left", "right"):
        toes = [
            world_positions(each.body.skeleton, each.sample(times))[:, each.body.anatomy.roles[f"{side}_toes"]]
            / build_of(each.body).size
            for each in (clip, source)
        ]
        low = toes[1][:, 1] < toes[1][:, 1].min() + 0.03
        found.append(np.linalg.norm(np.gradient(toes[0] - toes[1], axis=0)[low][:, [0, 2]], axis=1) * RATE)
    return float(np.concatenate(found).mean() * 100)


def main() -> None:
    """Print the table."""
    from mummer.clip import of
    from mummer.clip.recorded import bake
    from mummer.retargeting import Onto

    print(
        "| pair | limbs, ° | with feet, ° | with feet from flat, ° | worst limb, ° | extra slip, % leg/s | frames/s |"
    )
    print("|---|---|---|---|---|---|---|")
    for file, name in PAIRS:
        source, target = of(study.load(f"characters/threejs/{file}.glb"), name), study.load(TARGET)
        times = np.arange(round(source.duration * RATE)) / RATE
        made, limbs = Onto(source, target), None
        made.frames(times)
        limbs, feet = angle(made, source, times, LIMBS), angle(made, source, times, FEET)
        flat = angle(made, source, times, FEET, from_flat=True)
        spans = []
        for _ in range(20):
            begin = time.perf_counter()
            bake(Onto(source, target), RATE)
            spans.append(time.perf_counter() - begin)
        print(
            f"| {file} {name} | {limbs.mean():.2f} | {np.vstack([limbs, feet]).mean():.2f} |"
            f" {np.vstack([limbs, flat]).mean():.2f} | {limbs.max():.1f} | {slip(made, source, times):.2f} |"
            f" {len(times) / min(spans):,.0f} |"
        )


if __name__ == "__main__":
    main()
