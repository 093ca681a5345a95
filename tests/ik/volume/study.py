"""How many frames of recorded dances and gestures overlap before and after, on many bodies.

Run with ``python -m tests.ik.volume.study [SECONDS] [fresh]``; it needs the real files. ``fresh`` takes recordings and
bodies that nothing was tuned on.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import mummer as mm
from mummer.character import Character, Pose
from mummer.ik import Place
from mummer.ik.volume import push_out, self_penetration
from mummer.ik.world_state import WorldState
from tests.conftest import find_data
from tests.ik.volume.naive import Source, read_source, retargeted, roles_of

CMU = "cmu-cgspeed__cmu_02_01_walk"
RATE = 60.0
SOURCES = (
    ("motions/animated-drawings/rokoko_jesse_dance.bvh", "animated-drawings__rokoko_jesse_dance"),
    ("motions/cmu-cgspeed/cmu_05_02_dance_pirouette.bvh", CMU),
    ("motions/bvh-python/mocapbank.bvh", "bvh-python__mocapbank"),
    ("motions/animated-drawings/wave_hello.bvh", "animated-drawings__wave_hello"),
    ("motions/cmu-cgspeed/cmu_141_16_wave_hello.bvh", CMU),
)
TARGETS = (
    ("adult", None), ("child", None), ("giant", None), ("hunched", None),
    ("characters/threejs/Xbot.glb", "threejs__Xbot"), ("characters/gdquest/mannequiny.glb", "gdquest__mannequiny"),
    ("characters/quaternius/Worker_Man.glb", "quaternius__Worker_Man"),
)  # fmt: skip
FRESH_SOURCES = (
    ("motions/cmu-cgspeed/cmu_02_05_punch_strike.bvh", CMU),
    ("motions/cmu-cgspeed/cmu_115_01_pick_up_box.bvh", CMU),
    ("motions/cmu-cgspeed/cmu_139_01_looking_around.bvh", CMU),
    ("motions/cmu-cgspeed/cmu_124_01_baseball_pitch_throw.bvh", CMU),
)
FRESH_TARGETS = (
    ("giant", None), ("characters/threejs/Soldier.glb", "threejs__Soldier"),
    ("characters/mesh2motion/human-male.glb", "mesh2motion__human-male"),
    ("characters/catprisbrey/mannyquin.glb", "catprisbrey__mannyquin"),
)  # fmt: skip
FEET, HANDS = ("left_foot", "right_foot"), ("left_hand", "right_hand")


def load_target(data: Path, name: str, mapping: str | None) -> tuple[Character, dict[str, int]]:
    if mapping is None:
        character = mm.zoo.body(name)
        assert character.anatomy is not None
        return character, dict(character.anatomy.roles)
    character = mm.load(data / name)
    return character, roles_of(character, data, mapping)


def goals_for(character: Character, roles: dict[str, int], poses: Pose, times: np.ndarray) -> list[Place]:
    """Feet stay where they are; a hand does for as long as nothing of its arm overlaps anything."""
    state, found = WorldState(character, poses), self_penetration(character, poses)
    goals = [Place(roles[foot], state.positions[:, roles[foot]]) for foot in FEET]
    for hand in HANDS:
        arm = _arm(character, roles, hand)
        busy = np.any(found.depth[:, np.isin(found.joints, arm).any(axis=1)] > 0, axis=1)
        for start, stop in _spells(~busy, margin=round(0.5 * RATE)):
            place = state.positions[:, roles[hand]]
            goals.append(Place(roles[hand], place, interval=(float(times[start]), float(times[stop]))))
    return goals


def _arm(character: Character, roles: dict[str, int], hand: str) -> list[int]:
    top, members = roles[hand.replace("hand", "upper_arm")], []
    for joint, parent in enumerate(character.skeleton.parents.tolist()):
        if joint == top or parent in members:
            members.append(joint)
    return members


def _spells(free: np.ndarray, margin: int) -> Iterator[tuple[int, int]]:
    """First and last frame of each free spell, shortened at both ends."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], free.astype(int), [0]])))
    for start, stop in zip(edges[::2], edges[1::2], strict=True):
        if stop - start > 2 * margin + 2:
            yield int(start + margin), int(stop - 1 - margin)


def largest_acceleration(character: Character, poses: Pose) -> float:
    places = WorldState(character, poses).positions
    return float(np.linalg.norm(np.diff(places, 2, axis=0) * RATE**2, axis=-1).max())


def _added(character: Character, before: Pose, after: Pose) -> float:
    """The largest acceleration of the correction alone, beside the largest of the motion itself."""
    away = WorldState(character, after).positions - WorldState(character, before).positions
    return float(np.linalg.norm(np.diff(away, 2, axis=0) * RATE**2, axis=-1).max()) / largest_acceleration(
        character, before
    )


def one_row(character: Character, roles: dict[str, int], source: Source) -> dict[str, float]:
    poses = retargeted(source, character, roles)
    goals = goals_for(character, roles, poses, source.times)
    began = time.process_time()
    found = push_out(character, poses, goals, times=source.times)
    spent = time.process_time() - began
    before, after = self_penetration(character, poses), self_penetration(character, found.pose)
    return {
        "frames": len(source.times),
        "before": int(before.is_penetrating.sum()),
        "after": int(after.is_penetrating.sum()),
        "worst": float(before.worst.max()),
        "left": float(after.worst.max()),
        "goals": len(goals),
        "missed": float(found.errors.max() / WorldState(character, poses).body.height),
        "pops": largest_acceleration(character, found.pose) / largest_acceleration(character, poses),
        "added": _added(character, poses, found.pose),
        "ms": 1e3 * spent / len(source.times),
    }


def study(data: Path, seconds: float, *, fresh: bool = False) -> Iterator[tuple[str, str, dict[str, float]]]:
    sources = [
        read_source(data, path, mapping, rate=RATE, seconds=seconds)
        for path, mapping in (FRESH_SOURCES if fresh else SOURCES)
    ]
    for name, mapping in FRESH_TARGETS if fresh else TARGETS:
        if mapping is not None and not (data / name).exists():
            continue
        character, roles = load_target(data, name, mapping)
        for source in sources:
            yield Path(name).stem, source.name, one_row(character, roles, source)


def main() -> None:
    data = find_data()
    if data is None:
        sys.exit("real files are not here: set MUMMER_DATA to the folder that holds characters/ and motions/")
    numbers = [word for word in sys.argv[1:] if word != "fresh"]
    seconds = float(numbers[0]) if numbers else 10.0
    head = (
        "body",
        "recording",
        "frames",
        "before",
        "after",
        "worst mm",
        "left mm",
        "goals",
        "missed/height",
        "accel ×",
        "correction ×",
        "ms/frame",
    )
    out = sys.stdout
    out.write(" ".join(f"{word:>13}" if place > 1 else f"{word:<26}" for place, word in enumerate(head)) + "\n")
    rows = []
    for body, recording, row in study(data, seconds, fresh="fresh" in sys.argv):
        rows.append(row)
        out.write(
            f"{body:<26} {recording:<26} {row['frames']:>13} {row['before']:>13} {row['after']:>13} "
            f"{1e3 * row['worst']:>13.1f} {1e3 * row['left']:>13.1f} {row['goals']:>13} {row['missed']:>13.1e} "
            f"{row['pops']:>13.3f} {row['added']:>13.3f} {row['ms']:>13.2f}\n"
        )
        out.flush()
    before, after = sum(row["before"] for row in rows), sum(row["after"] for row in rows)
    out.write(
        f"overlapping frames {before} -> {after} ({100 * (1 - after / before):.1f} % fewer); "
        f"worst goal error {max(row['missed'] for row in rows):.1e} of height; "
        f"largest acceleration at most x{max(row['pops'] for row in rows):.2f}\n"
    )


if __name__ == "__main__":
    main()
