"""One recording played with forward kinematics, in a batch and frame by frame, beside three.js's AnimationMixer."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from benchmarks.clips import made_body, made_clip, real_clip
from benchmarks.outside import NodePeer, node_is_here
from benchmarks.timing import Case, Contender
from mummer.character import world_positions
from mummer.clip import Sampled

STEPS, RATE = 1000, 60.0
REAL = (
    ("characters/threejs/Xbot.glb", "walk"),
    ("characters/threejs/Soldier.glb", "Run"),
    ("characters/kaykit/Knight.glb", "1H_Melee_Attack_Chop"),
    ("characters/khronos/Fox.glb", "Survey"),
)


def cases() -> Iterator[Case]:
    clips = [(f"{file.rsplit('/')[-1]} {name}", real_clip(file, name)) for file, name in REAL]
    found = [(label, clip) for label, clip in clips if clip is not None]
    for label, clip in [*found, ("made motion", made_clip(made_body(), seed=1, seconds=10.0))]:
        yield from beside_three(label, clip)


def beside_three(label: str, clip: Sampled) -> Iterator[Case]:
    skeleton = clip.body.skeleton
    stepping = clip.start + (np.arange(STEPS) / RATE) % clip.duration
    jumping = clip.start + (np.arange(STEPS) * 0.6180339887 % 1) * clip.duration
    work = f"{len(skeleton)} joints, {track_count(clip)} tracks, {STEPS:,} frames"

    def batch(times: np.ndarray) -> Callable[[], object]:
        return lambda: world_positions(skeleton, clip.sample(times))

    def singly(times: np.ndarray) -> Callable[[], object]:
        listed = times.tolist()
        return lambda: [world_positions(skeleton, clip.at(time)) for time in listed]

    rows = {
        "in a batch": Contender("mummer sample + FK, a batch", batch(stepping), "ours"),
        "frame by frame": Contender("mummer at + FK, frame by frame", singly(stepping), "ours"),
        "frame by frame, jumping": Contender("mummer at + FK, jumping about", singly(jumping), "ours"),
    }
    for how, ours in rows.items():
        works = {"three.js update": "update", "three.js update + updateMatrixWorld": "updateMatrices"}
        if "jumping" in how:
            works = {"three.js setTime + updateMatrixWorld": "jump"}
        three, close = three_rows(clip, works)
        yield Case(f"clip_leaf {label}, {how}", work, STEPS, [ours, *three], close)


def track_count(clip: Sampled) -> int:
    return sum(len(curve.targets) for curve in clip.recording.curves)


def three_rows(clip: Sampled, works: dict[str, str]) -> tuple[list[Contender], Callable[[], None]]:
    if not node_is_here():
        return [Contender(name, None) for name in works], lambda: None
    peer = three_player(clip)
    return [Contender(name, None, seconds=lambda w=what: peer.seconds(w)) for name, what in works.items()], peer.close


def three_player(clip: Sampled) -> NodePeer:
    """three.js with a track for each joint and property, as it would make them from the file."""
    skeleton, base = clip.body.skeleton, clip.recording.base
    check = clip.start + 0.37 * clip.duration
    want = world_positions(skeleton, clip.at(check))
    rest = np.concatenate([base.full_translations(skeleton), base.rotations, base.full_scales(skeleton)], axis=1)
    tracks, times, values = [], [], []
    time_at = value_at = 0
    for curve in clip.recording.curves:
        stamps = curve.times - clip.start
        for place, joint in enumerate(curve.targets.tolist()):
            keys = curve.values[:, place].ravel()
            tracks.append(
                {"path": curve.path, "joint": joint, "time": time_at, "count": len(stamps), "value": value_at}
            )
            values.append(keys)
            value_at += len(keys)
            times.append(stamps)
            time_at += len(stamps)
    settings = {
        "parents": skeleton.parents.tolist(),
        "names": [f"j{joint}" for joint in range(len(skeleton))],
        "tracks": tracks,
        "steps": STEPS,
        "rate": RATE,
        "duration": clip.duration,
        "checkTime": check - clip.start,
        "size": float(np.ptp(want, axis=0).max()),
    }
    arrays = {"rest": rest, "times": np.concatenate(times), "values": np.concatenate(values), "want": want}
    return NodePeer("three_clip.mjs", arrays, settings)
