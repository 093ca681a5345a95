"""Whether four legs walk and gallop as in recordings: curves of the stride against corridors, as for people.

``python -m tests.gaits.four_legs DATA [BODY ...]`` measures the clips of horse, fox, dragon and dogs below ``DATA``,
makes a corridor of each gait, and prints for every body which part of the cycle lies inside, curve by curve.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import mummer as mm
from mummer.arrays import FloatArray
from mummer.character.kinematics import world_positions
from mummer.character.pose import Pose
from mummer.clip import Sampled
from mummer.clip.clip import Clip
from mummer.recognition import recognized
from tests.gaits.corridors import corridor
from tests.gaits.cycle import MOMENTS, RATE, _angle, _spans

CLIPS = {
    "motions/mesh2motion/horse-animations.glb": {"Walk": "walk", "Run": "gallop"},
    "motions/mesh2motion/dragon-animations.glb": {"Walk": "walk"},
    "motions_families/animal_mesh2motion/fox-animations.glb": {"Walk": "walk", "Run": "gallop"},
    "motions_families/animal_quaternius_dogs/ShibaInu.glb": {
        "AnimalArmature|Walk": "walk", "AnimalArmature|Gallop": "gallop",
    },
    "motions_families/dog_mann/D1_008_KAN01_001_330_630.bvh": {"motion": "walk"},
}  # fmt: skip
"""Files, and which of their recordings are which gait."""
CURVES = ("front reach", "hind reach", "front fold", "hind fold", "spine", "trunk", "head", "bob")
"""Degrees by which feet are ahead of where their legs begin; percent by which legs are shorter than at their longest;
degrees by which the spine is bent, the trunk leans ahead and the head hangs; and how high the trunk is, in percent of a
leg. All but how short legs are is measured from its mean: where a leg begins differs from rig to rig."""
SPEEDS = {"walk": 0.4, "gallop": 1.5}
"""At which bodies are asked to go, over the root of gravity times leg length."""
LOOPS = 4
UP = np.array([0.0, 1.0, 0.0])


def strides(clip: Clip) -> dict[str, FloatArray] | None:
    """(strides, `MOMENTS`) of each curve, from where a hind foot is farthest ahead; those of front legs from theirs."""
    times = np.arange(clip.start, clip.end, 1.0 / RATE)
    world, anatomy = world_positions(clip.body, clip.sample(times)), clip.anatomy
    hips, spine, chest, neck, head = (
        world[:, anatomy.roles[role]] for role in ("hips", "spine", "chest", "neck", "head")
    )
    travel = (hips[-1] - hips[0]) * (1.0, 0.0, 1.0)
    ahead = np.asarray(anatomy.front, np.float64)
    if np.linalg.norm(travel) > 0.5 * np.linalg.norm(chest[0] - hips[0]):
        ahead = travel / np.linalg.norm(travel)
    found: dict[str, list[FloatArray]] = {name: [] for name in CURVES}
    legs, size = [], 0.0
    rest = world_positions(clip.body, Pose.rest(clip.body))
    for role, foot in anatomy.roles.items():
        name, side, part = [*role.split("_"), "", ""][:3]
        if name in ("front", "hind") and part == "foot":
            bases = [limb.joints[0] for limb in anatomy.limbs if limb.kind == "leg" and limb.side == side]
            base = min(bases, key=lambda joint: float(np.linalg.norm(rest[joint] - rest[foot])))
            line = world[:, foot] - world[:, base]
            far = np.linalg.norm(line, axis=1)
            size = max(size, float(far.max()))
            legs.append((name, line @ ahead, _angle(line, ahead, -UP), 100.0 * (1.0 - far / far.max())))
    whole = {
        "spine": _angle(chest - spine, -UP, ahead) - _angle(spine - hips, -UP, ahead),
        "trunk": _angle(chest - hips, -UP, ahead),
        "head": _angle(head - neck, -UP, ahead),
        "bob": 100.0 * 0.5 * (hips + chest)[:, 1] / max(size, 1e-9),
    }
    for name, forward, reach, fold in legs:
        for first, last in _spans(forward, size):
            at = np.linspace(first, last, MOMENTS, endpoint=False)
            rows = {f"{name} reach": reach, f"{name} fold": fold, **(whole if name == "hind" else {})}
            for curve, values in rows.items():
                row = np.interp(at, np.arange(len(times)), values)
                found[curve].append(row if curve.endswith("fold") else row - row.mean())
    return {name: np.array(rows) for name, rows in found.items()} if all(found.values()) else None


def recordings(data: Path) -> Iterator[tuple[str, str, dict[str, FloatArray]]]:
    """Name, gait and strides of each."""
    for name, gaits in CLIPS.items():
        body = recognized(mm.load(data / name))
        for recording in body.recordings:
            if recording.name in gaits:
                clip: Clip = Sampled(body, recording)
                found = strides(clip if recording.duration > 2.0 else clip.looped(LOOPS))
                if found is not None:
                    yield f"{Path(name).stem} {recording.name}", gaits[recording.name], found


def performed(body: mm.Character, gait: str) -> dict[str, FloatArray] | None:
    """A body that walks or gallops straight on."""
    from mummer.general.gait.legs import legs_of
    from mummer.general.physique import physique_of

    leg = float(np.mean([one.length for one in legs_of(physique_of(body))]))
    clip = mm.perform(body, gait, pace=SPEEDS[gait] * (9.81 * leg) ** 0.5, duration=4.0, ends="moving")
    return strides(clip.trimmed(clip.start + 0.5, clip.end))


def inside(made: dict[str, FloatArray], among: list[dict[str, FloatArray]]) -> dict[str, float]:
    """The part of the cycle during which the mean stride lies within those of recordings, by curve."""
    parts = {}
    for name in CURVES:
        low, high = corridor([one[name] for one in among])
        mean = made[name].mean(axis=0)
        parts[name] = float(np.mean((mean >= low) & (mean <= high)))
    return parts


def main(data: Path, names: list[str]) -> None:
    """Print what recordings span, then which part of the cycle bodies keep to it."""
    by_gait: dict[str, list[dict[str, FloatArray]]] = {"walk": [], "gallop": []}
    print(f"{'':42}" + "".join(f"{name:>14}" for name in CURVES))
    for name, gait, one in recordings(data):
        by_gait[gait].append(one)
        print(f"{name[-33:]:34}{gait:8}" + ranges(one))
    every: list[float] = []
    for name in names:
        body = mm.load(name) if name.startswith("zoo:") else recognized(mm.load(name))
        for gait, among in by_gait.items():
            made = performed(body, gait)
            if made is None:
                print(f"{name[-33:]:34}{gait:8} does not stride")
                continue
            parts = inside(made, among)
            every += parts.values()
            print(f"{name[-33:]:34}{gait:8}" + ranges(made))
            print(f"{'':34}inside  " + "".join(f"{100 * part:13.0f}%" for part in parts.values()))
    print(f"curves with at least 90 % of the cycle inside: {sum(part >= 0.9 for part in every)} of {len(every)}")


def ranges(one: dict[str, FloatArray]) -> str:
    """Lowest and highest of the mean stride, curve by curve."""
    means = [one[name].mean(axis=0) for name in CURVES]
    return "".join(f"{mean.min():7.0f}{mean.max():7.0f}" for mean in means)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or [f"zoo:{name}" for name in ("horse", "dog", "dragon", "lizard")])
