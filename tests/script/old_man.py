"""Is the old man old? Measured in what is written: python -m tests.script.old_man [--bodies ...] [--actions N].

Each action is performed by each body as it is and as an old man. Poses, in a recording as a file would have them, are
all that this looks at. It takes nothing from `mummer.script` but the sketched clip.

- slower: where the body moves, from the first time to the last that it does, holds left out.
- holds: spells in which no part moves, matched in order.
- extent: the largest turn of each joint of an arm (or wing, feeler, tail) away from how it is at the start; of feet how
  far they go.
- neck: the same of the turns of the neck about the vertical.
- shake: the amplitude at 7 Hz of the turn of forearms against the body.
"""

# ruff: noqa: T201
from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import mummer as mm
from mummer.character import Character
from mummer.clip import Clip

RATE = 70.0
"""Frames a second that are looked at: ten for each beat of the tremor, so that a mean of ten does not see it."""
Array = NDArray[np.float64]
ACTIONS = (
    "wave", "nod", "shake_head", "bow", "beckon", "point", "clap", "cheer", "look_around", "stretch", "punch", "throw",
    "scratch", "beg", "hands_on_hips", "rub_chin", "kick", "roar", "sniff", "eat_fruit", "hand_over", "pick_up",
    "dance_sway", "dance_bounce", "dance_twist", "flinch", "idle_breathe", "flap", "bite", "walk",
)  # fmt: skip
BODIES = (
    "zoo:adult", "zoo:child", "zoo:giant", "zoo:dog", "zoo:spider", "random:101", "random:102", "random:103",
    "random:104", "random:105", "random:106", "random:107", "random:108", "random:109", "random:110",
)  # fmt: skip
"""People, a dog, a spider and ten creatures; of the creatures none was looked at while sketches were made."""


@dataclass
class Seen:
    """A motion as somebody sees it who knows which joint is what."""

    rotations: Array
    positions: Array
    world: Array
    moved: Array

    @property
    def seconds(self) -> float:
        return (len(self.rotations) - 1) / RATE


def product(a: Array, b: Array) -> Array:
    ax, ay, az, aw = np.moveaxis(a, -1, 0)
    bx, by, bz, bw = np.moveaxis(b, -1, 0)
    return np.stack([
        aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz,
    ], axis=-1)  # fmt: skip


def inverse(a: Array) -> Array:
    return a * np.array([-1.0, -1.0, -1.0, 1.0])


def vector(a: Array) -> Array:
    """Rotation vectors, the short way round."""
    a = np.where(a[..., 3:] < 0, -a, a)
    sine = np.linalg.norm(a[..., :3], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, a[..., 3:])
    return np.where(sine > 1e-12, a[..., :3] / np.maximum(sine, 1e-12) * angle, 2.0 * a[..., :3])


def see(clip: Clip) -> Seen:
    times = clip.start + np.arange(int(clip.duration * RATE) + 1) / RATE
    pose = clip.sample(times)
    skeleton = clip.body.skeleton
    world = np.empty_like(pose.rotations)
    for joint, parent in enumerate(skeleton.parents):
        world[:, joint] = (
            pose.rotations[:, joint] if parent < 0 else product(world[:, parent], pose.rotations[:, joint])
        )
    positions = mm.world_positions(skeleton, pose)
    without = np.apply_along_axis(steady, 0, positions)
    speed = np.linalg.norm(np.gradient(without, 1.0 / RATE, axis=0), axis=-1)
    return Seen(pose.rotations, positions, world, np.sqrt((speed**2).mean(axis=1)))


def spells(flags: Array, shortest: int) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(int), [0]])))
    return [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if b - a >= shortest]


def steady(values: Array) -> Array:
    """Without what trembles at 7 Hz: the mean of ten frames, which is one beat."""
    padded = np.pad(values, (10, 10), mode="edge")
    return np.convolve(padded, np.ones(10) / 10.0, "same")[10:-10]


def slow(values: Array, seconds: float) -> Array:
    width = max(1, round(seconds * RATE))
    kernel = np.hanning(width + 2)[1:-1]
    padded = np.pad(values, (width, width), mode="edge")
    return np.convolve(padded, kernel / kernel.sum(), "same")[width:-width]


def holds(seen: Seen, stretch: float) -> list[float]:
    """Seconds of each spell in which the body hardly moves."""
    pace = slow(seen.moved, 0.06 * stretch)
    if pace.max() < 1e-9:
        return []
    return [(b - a) / RATE for a, b in spells(pace < 0.09 * pace.max(), round(0.15 * stretch * RATE))]


def arms(character: Character) -> list[int]:
    anatomy = character.anatomy
    assert anatomy is not None
    legs = [limb for limb in anatomy.limbs if limb.kind == "leg"]
    found = [limb for limb in anatomy.limbs if limb.kind == "arm"]
    found = found or ([limb for limb in legs if limb.rank == 0] if len(legs) > 2 else [])
    found = found or [limb for limb in anatomy.limbs if limb.kind in ("wing", "fin", "antenna")]
    return [limb.joints[i] for limb in found for i in range(len(limb.joints))]


def extent(seen: Seen, character: Character) -> dict[str, Array]:
    """How far joints turn and feet go from how they were at the start."""
    anatomy = character.anatomy
    assert anatomy is not None
    feet = sorted(anatomy.capabilities.get("foot", ()))
    carrying = {joint for limb in anatomy.limbs for joint in limb.joints if set(limb.joints) & set(feet)}
    free = [joint for limb in anatomy.limbs if limb.kind not in ("neck", "finger", "toe", "leg", "eye", "ear")
            for joint in limb.joints if joint not in carrying]  # fmt: skip
    turned = vector(product(inverse(seen.rotations[:1]), seen.rotations))
    level = np.array([1.0, 0.0, 1.0]) if abs(anatomy.up[1]) > 0.9 else np.ones(3)
    went = np.linalg.norm((seen.positions - seen.positions[:1]) * level, axis=-1)
    return {
        "turns": np.array([np.linalg.norm(turned[:, joint], axis=-1).max() for joint in free]),
        "feet": np.array([went[:, joint].max() for joint in feet]),
    }


def neck(seen: Seen, character: Character, upright: Array) -> float:
    """The largest turn of necks about the vertical, radians; ``upright`` (J, 3) the vertical in joints at the start."""
    anatomy = character.anatomy
    assert anatomy is not None
    chains = [limb for limb in anatomy.limbs if limb.kind == "neck"]
    joints = [joint for limb in chains for joint in (limb.joints[:-1] or limb.joints)]
    turned = vector(product(inverse(seen.rotations[:1]), seen.rotations))
    return max((float(np.abs(turned[:, joint] @ upright[joint]).max()) for joint in joints), default=0.0)


def shake(seen: Seen, character: Character) -> float:
    """Radians of the tremor at 7 Hz of forearms against the trunk, the largest of them."""
    anatomy = character.anatomy
    assert anatomy is not None
    trunk = anatomy.capabilities.get("root", (0,))[0]
    against = product(inverse(seen.world[:, trunk : trunk + 1]), seen.world)
    count = int(1.5 * RATE)
    if len(against) < count:
        return float("nan")
    wave = np.hanning(count) * np.exp(-2j * np.pi * 7.0 * np.arange(count) / RATE) * 2.0 / np.hanning(count).sum()
    best = 0.0
    for joint in arms(character):
        found = []
        for first in range(0, len(against) - count + 1, count // 4):
            piece = against[first : first + count, joint]
            turned = vector(product(inverse(piece[count // 2][None]), piece))
            turned = turned - np.apply_along_axis(steady, 0, turned)
            found.append(float(np.linalg.norm(np.abs(wave @ turned))))
        best = max(best, float(np.median(found)))
    return best


def upright(seen: Seen, character: Character) -> Array:
    """(J, 3) the vertical in the frames of joints at the start."""
    anatomy = character.anatomy
    assert anatomy is not None
    up = np.append(anatomy.up, 0.0)
    back = inverse(seen.world[0])
    return product(product(back, np.broadcast_to(up, back.shape)), seen.world[0])[:, :3]


def measure(before: Clip, after: Clip) -> dict[str, float]:
    """What has become of a motion."""
    body, was, now = before.body, see(before), see(after)
    first, last = holds(was, 1.0), holds(now, 1.8)
    moving, slower = was.seconds - sum(first), now.seconds - sum(last)
    small = {what: (extent(was, body)[what], extent(now, body)[what]) for what in ("turns", "feet")}
    vertical = upright(was, body)
    turned, turns = neck(was, body, vertical), neck(now, body, vertical)
    found = {
        "duration": slower / moving if moving > 0.3 else np.nan,
        "holds": sum(last) / sum(first) if sum(first) > 0.2 and len(first) == len(last) else np.nan,
        "neck": turns / turned if turned > 0.05 else np.nan,
        "shake": shake(now, body),
        "had": shake(was, body),
    }
    for what, (wide, narrow) in small.items():
        least = 0.25 if what == "turns" else 0.05 * (body.anatomy.height if body.anatomy else 1.0)
        mask = wide > least
        found[what] = float(np.median(narrow[mask] / wide[mask])) if mask.any() else np.nan
    return found


def main() -> None:
    from mummer.errors import InputError
    from mummer.recognition import recognized
    from mummer.script import sketched

    parser = argparse.ArgumentParser()
    parser.add_argument("--bodies", nargs="+", default=BODIES)
    parser.add_argument("--actions", type=int, default=len(ACTIONS))
    parser.add_argument("--sketch", default="old_man")
    chosen = parser.parse_args()
    columns = ("duration", "holds", "turns", "feet", "neck", "shake")
    everything: list[dict[str, float]] = []
    print(f"{'body':<12}{'actions':>8}" + "".join(f"{column:>20}" for column in columns))
    for name in chosen.bodies:
        body = recognized(mm.load(name))
        rows = []
        for action in ACTIONS[: chosen.actions]:
            try:
                clip = mm.perform(body, action, **({"duration": 4.0} if action == "walk" else {}))
            except InputError:
                continue
            rows.append(measure(clip, sketched(clip, chosen.sketch)))
        everything += rows
        print(f"{name:<12}{len(rows):>8}" + "".join(f"{told(rows, column):>20}" for column in columns), flush=True)
    print(f"{'all':<12}{len(everything):>8}" + "".join(f"{told(everything, column):>20}" for column in columns))
    print("median (5 % .. 95 %); expected 1.8, 3, 0.8, 0.8, 0.5, 0.017")


def told(rows: list[dict[str, float]], column: str) -> str:
    values = np.array([row[column] for row in rows])
    values = values[np.isfinite(values)]
    if not len(values):
        return "-"
    low, middle, high = np.quantile(values, [0.05, 0.5, 0.95])
    return f"{middle:.3f} ({low:.2f}..{high:.2f})" if column != "shake" else f"{middle:.4f} ({low:.3f}..{high:.3f})"


if __name__ == "__main__":
    main()
