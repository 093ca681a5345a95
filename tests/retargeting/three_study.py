# ruff: noqa: T201
"""The same pairs by three.js and by us: ``python -m tests.retargeting.three_study [--rows]``.

Needs node, and the packages of tests/node.

SkeletonUtils.retargetClip is helped: it is given our pairs of joints, the offsets of the rest poses, the scale of the
legs, and a source that is turned to face as the target does. Bodies are those it can load, with a skin, as .glb.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np

from tests.retargeting import study

NODE = Path(__file__).parents[1] / "node"
SOURCES = (
    ("threejs/Xbot", "walk"), ("threejs/Xbot", "run"), ("threejs/Soldier", "Walk"), ("threejs/Soldier", "Run"),
    ("gdquest/mannequiny", "run"), ("khronos/CesiumMan", "animation0"), ("quaternius/CyberCharacter", "Walk"),
)  # fmt: skip
BODIES = ("mesh2motion/human-male", "threejs/Xbot", "threejs/Soldier", "gdquest/mannequiny", "quaternius/Worker_Man",
          "catprisbrey/mannyquin", "khronos/CesiumMan", "quaternius/BunnyHero")  # fmt: skip


def task_of(source, target, clip: str, rate: float) -> dict:
    """What three.js is told of one pair."""
    from mummer.retargeting.build import build_of
    from mummer.retargeting.transfer import make_transfer

    transfer = make_transfer(build_of(source), build_of(target))
    names = {target.skeleton.names[j]: source.skeleton.names[p.first] for j, p in transfer.pairs.items()}
    hips = [body.skeleton.names[body.anatomy.roles["hips"]] for body in (source, target)]
    fronts = [np.arctan2(body.anatomy.front[0], body.anatomy.front[2]) for body in (source, target)]
    return {"clip": clip, "fps": rate, "names": names, "hips": hips, "scale": transfer.scale,
            "turn": float(fronts[1] - fronts[0])}  # fmt: skip


def clip_of(body, made: dict, rate: float):
    """What three.js made, as a clip."""
    from mummer.character import Pose, Recording
    from mummer.clip import Sampled

    skeleton, count = body.skeleton, len(made["hips"])
    rotations = np.repeat(skeleton.rest_rotations[None], count, axis=0)
    places = np.repeat(skeleton.rest_translations[None], count, axis=0)
    given = np.array(made["rotations"]).reshape(count, -1, 4)
    by_name = {re.sub(r"[\[\].:/]", "", name.replace(" ", "_")): joint for joint, name in enumerate(skeleton.names)}
    for place, name in enumerate(made["names"]):
        if name in by_name:
            rotations[:, by_name[name]] = given[:, place]
    places[:, body.anatomy.roles["hips"]] = made["hips"]
    poses = Pose(rotations, places[:, 0], places)
    return Sampled(body, Recording.from_poses("three", np.arange(count) / rate, poses, frame_rate=rate))


def main() -> None:
    """Print both tables."""
    from mummer.clip import Sampled
    from mummer.clip.recorded import bake

    tasks, pairs, rate = [], [], 60.0
    for file, clip in SOURCES:
        body = study.load(f"characters/{file}.glb")
        if clip not in [recording.name for recording in body.recordings]:
            continue
        for other in BODIES:
            if other != file:
                target = study.load(f"characters/{other}.glb")
                files = {key: str(study.data_folder() / f"characters/{name}.glb")
                         for key, name in (("source", file), ("target", other))}  # fmt: skip
                tasks.append({**files, **task_of(body, target, clip, rate)})
                pairs.append((f"characters/{file}.glb", clip, f"characters/{other}.glb"))
    told = subprocess.run(["node", "three_retarget.mjs"], cwd=NODE, input=json.dumps(tasks), capture_output=True,
                          text=True, check=True)  # fmt: skip
    theirs, ours = [], []
    for (file, clip, other), task, line in zip(pairs, tasks, told.stdout.splitlines(), strict=True):
        answer = json.loads(line)
        if "error" in answer:
            print(f"three.js failed: {file} {clip} > {other}: {answer['error']}")
            continue
        body, target = study.load(file), study.load(other)
        turned = Sampled(body, body.recording(clip))
        source = bake(turned, rate)
        made, back = clip_of(target, answer["there"], rate), clip_of(body, answer["back"], rate)
        row = study.compare(source, made, back, task["scale"], rate)
        if abs(task["turn"]) > 0.1:
            # It walks the other way now; directions in the world say nothing.
            row["direction"] = row["back_direction"] = float("nan")
        if "--rows" in sys.argv:
            print(f"{file} {clip} > {other}: direction {row['direction']:.2f}, back {row['back_direction']:.2f}")
        theirs.append(row)
        mine = study.do(study.Task(file, clip, other, 100.0))
        ours.append({**mine, **{key: np.nan for key in ("direction", "back_direction") if np.isnan(row[key])}})
    print(f"three.js, {len(theirs)} pairs, helped\n\n{study.summary(theirs)}\n\nmummer, the same\n")
    print(study.summary(ours))


if __name__ == "__main__":
    main()
