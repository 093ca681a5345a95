# ruff: noqa: T201
"""A study by hand: every shared motion onto every shared humanoid and zoo human, and back again.

    python -m tests.retargeting.study [--quick] [--json] [--rows] [--every 1] [--source WORD] [--target WORD]
    python -m tests.retargeting.study --read ROWS.json

Prints for each bar how many pairs pass it, with medians and the worst, and for each body how many of its pairs pass;
``--rows`` prints one line a pair, ``--json`` one object a pair, which ``--read`` makes the tables of.
Bodies are recognised without help. Both cores are used; ``--quick`` takes a few motions and bodies.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path

import numpy as np

ZOO = ("adult", "child", "giant", "hunched", "two_headed")
SKIPPED = (".skm", ".txt", ".npy", ".amc", ".c3d", ".bin", ".json", ".xml")
QUICK_MOTIONS = (
    "cmu_02_01", "cmu_16_18", "cmu_02_06", "rokoko", "AV_8Walk", "SitIdle", "pab_walk", "Xbot.glb walk", "Xbot.glb run",
    "Soldier.glb Walk", "Knight.glb Walking_A", "RobotExpressive.glb Walking", "CesiumMan", "pirouette",
)  # fmt: skip
QUICK_BODIES = ("human-male", "Male_Adult", "Knight.glb", "Robot", "Xbot", "zoo:child", "zoo:giant", "cmu_11")
BARS = {
    "back_direction": (1.0, "bone direction after the way back", "°"),
    "extra_skate": (1.0, "foot skate beyond the source's", "mm/frame"),
    "extra_skate_scaled": (1.0, "the same, in the size of the source", "mm/frame"),
    "penetration": (1.0, "deepest penetration of the ground", "% height"),
    "jerk_ratio": (1.3, "jerk over the source's", "×"),
    "turning_jerk": (1.3, "the same, free of proportions", "×"),
    "direction": (1.5, "bone direction, there", "°"),
}
"""The measures of a pair: the bar, what it is, its unit."""
STANDS = 4.0
"""Millimetres a frame below which the feet of a motion are taken to stand at all."""


@dataclass(frozen=True)
class Task:
    """One clip of one file onto one body: all file names from the data folder, or ``zoo:NAME``."""

    file: str
    clip: str
    target: str
    seconds: float

    @property
    def name(self) -> str:
        """File and clip."""
        return f"{self.file.rsplit('/')[-1]} {self.clip}".strip()


def data_folder() -> Path:
    """Where the shared files are."""
    return Path(os.environ.get("MUMMER_DATA") or Path(__file__).parents[3] / "shared" / "data")


@lru_cache(maxsize=80)
def load(name: str):
    """A body with its recordings, recognised."""
    import mummer as mm
    from mummer.recognition import recognized

    if name.startswith("zoo:"):
        return mm.zoo.body(name.removeprefix("zoo:"))
    return recognized(mm.load(data_folder() / name))


def humanoids(folder: str) -> Iterator[str]:
    """The files of a folder whose body is recognised as a human's."""
    from mummer.errors import MummerError

    for path in sorted((data_folder() / folder).rglob("*")):
        if path.is_file() and path.suffix.lower() not in SKIPPED:
            name = str(path.relative_to(data_folder()))
            try:
                if load(name).anatomy.kind == "humanoid":
                    yield name
            except MummerError as error:
                print(f"left out {name}: {error}", file=sys.stderr)


def clips_of(name: str) -> Iterator[str]:
    """The motions of a file; of a character with many, those that walk and run."""
    moving = [r.name for r in load(name).recordings if len(r.key_times) > 3 and np.ptp(r.key_times) > 0.3]
    if len(moving) <= 4:
        yield from moving
    else:
        yield from [each for each in moving if each.lower() in ("walk", "run", "walking", "running", "walking_a",
                                                                "running_a", "idle", "sit_floor_idle")][:4]  # fmt: skip


def tasks(options: argparse.Namespace) -> list[Task]:
    """What is to be done."""
    bodies = [*humanoids("characters"), *(f"zoo:{each}" for each in ZOO)]
    files = [*humanoids("motions"), *(each for each in bodies if not each.startswith("zoo:"))]
    bodies = [each for each in bodies if options.target.lower() in each.lower()]
    if options.quick:
        bodies = [each for each in bodies if any(word in each for word in QUICK_BODIES)]
    found = []
    for file in files:
        for clip in clips_of(file):
            all_of = [Task(file, clip, body, options.seconds) for body in bodies if body != file]
            if all_of and (not options.quick or any(word in all_of[0].name for word in QUICK_MOTIONS)):
                found += all_of if options.source.lower() in all_of[0].name.lower() else []
    # In any order but the same each time, so that a part of them is like the whole.
    random.Random(0).shuffle(found)
    return found[:: options.every]


def do(task: Task) -> dict:
    """The measures of one pair, there and back."""
    from mummer.clip import Sampled
    from mummer.clip.rates import rate_of
    from mummer.clip.recorded import bake
    from mummer.errors import MummerError
    from mummer.retargeting import Onto

    try:
        body = load(task.file)
        source = Sampled(body, body.recording(task.clip))
        rate = min(max(rate_of(source) or 60.0, 24.0), 120.0)
        source = bake(source.trimmed(source.start, min(source.end, source.start + task.seconds)), rate)
        there = Onto(source, load(task.target))
        made = bake(there, rate)
        back = Onto(made, body)
        return {**asdict(task), **compare(source, made, back, there.transfer.scale, rate)}
    except MummerError as error:
        return {**asdict(task), "error": str(error)}


def compare(source, made, back, scale: float, rate: float) -> dict:
    """The measures."""
    from mummer import measure
    from mummer.clip.analysis import contacts

    marks = contacts(source)
    mine, theirs = (measure.foot_skate(each, marks=marks, rate=rate).value for each in (made, source))
    mine, theirs = np.nan_to_num(mine), np.nan_to_num(theirs)
    returned = measure.bone_direction_error(back, source, rate=rate)
    # A body stands on its own soles, which need not be at zero; joints alone say nothing of soles.
    floor = made.anatomy.ground if made.body.meshes else 0.0
    return {
        "back_direction": returned.value,
        "back_worst": max(returned.parts.items(), key=lambda each: each[1], default=("none", 0.0))[0],
        "extra_skate": mine - theirs,
        "extra_skate_scaled": mine / scale - theirs,
        "source_skate": theirs,
        "penetration": measure.ground_penetration(made, floor=floor, rate=rate).value,
        "jerk_ratio": measure.jerk_ratio(made, source, rate=rate).value,
        "turning_jerk": measure.turning_jerk_ratio(made, source, rate=rate).value,
        "direction": measure.bone_direction_error(made, source, rate=rate).value,
        "mann_skate": measure.mann_skate(made, floor=floor, rate=30.0).value,
        "source_mann_skate": measure.mann_skate(source, rate=30.0).value,
    }


def alone() -> None:
    """A worker is one of several: its kernels run on one thread."""
    os.environ["NUMBA_NUM_THREADS"] = "1"


def run(todo: list[Task], workers: int) -> Iterator[dict]:
    """Do the tasks on some processes, telling how far they are."""
    if workers <= 1:
        yield from map(do, todo)
        return
    with ProcessPoolExecutor(workers, get_context("spawn"), alone) as pool:
        for count, future in enumerate(as_completed([pool.submit(do, task) for task in todo]), 1):
            if count % 20 == 0 or count == len(todo):
                print(f"\r{count} of {len(todo)}", end="", file=sys.stderr, flush=True)
            yield future.result()
    print(file=sys.stderr)


def summary(rows: list[dict]) -> str:
    """A table in Markdown: for each bar how many pairs pass, the median and the worst tenth."""
    lines = ["| measure | bar | pass | median | 90 % under | worst |", "|---|---|---|---|---|---|"]
    for key, (bar, what, unit) in BARS.items():
        values = np.array([row[key] for row in rows if np.isfinite(row[key])])
        passed = int(np.sum(values <= bar))
        middle, high, worst = (f"{np.quantile(values, q):.2f}" for q in (0.5, 0.9, 1.0))
        lines.append(f"| {what}, {unit} | {bar:g} | {passed} of {len(values)} | {middle} | {high} | {worst} |")
    mann = [float(np.nanmedian([row[key] for row in rows])) for key in ("mann_skate", "source_mann_skate")]
    lines.append(_standing_sources(rows))
    lines.append(f"\nMANN's measure of skate, median: {mann[0]:.3f} cm/frame; of the sources, {mann[1]:.3f}.")
    return "\n".join(lines)


def _standing_sources(rows: list[dict]) -> str:
    """The line on skate for motions whose own feet stand: not those on the spot, under which the floor moves."""
    values = [row["extra_skate"] for row in rows if row.get("source_skate", 99.0) < STANDS]
    if not values:
        return ""
    middle, high, worst = (f"{np.quantile(values, q):.2f}" for q in (0.5, 0.9, 1.0))
    passed = sum(value <= 1.0 for value in values)
    what = f"skate beyond the source's where that is below {STANDS:g}, mm/frame"
    return f"| {what} | 1 | {passed} of {len(values)} | {middle} | {high} | {worst} |"


def by_body(rows: list[dict]) -> str:
    """A table in Markdown: for each body how many of the motions put onto it pass."""
    keys = ("back_direction", "extra_skate", "penetration", "jerk_ratio", "turning_jerk")
    lines = ["| body | motions | back | skate | penetration | jerk | turning jerk |", "|---|---|---|---|---|---|---|"]
    for target in sorted({row["target"] for row in rows}):
        own = [row for row in rows if row["target"] == target]
        counts = " | ".join(str(sum(row[key] <= BARS[key][0] for row in own)) for key in keys)
        lines.append(f"| {target.removeprefix('characters/')} | {len(own)} | {counts} |")
    return "\n".join(lines)


def parse(arguments: list[str]) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for flag in ("--quick", "--json", "--rows"):
        parser.add_argument(flag, action="store_true")
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--every", type=int, default=1, help="take only every so-manieth pair")
    parser.add_argument("--read", type=Path, help="rows of an earlier run, to make the tables of")
    parser.add_argument("--source", default="")
    parser.add_argument("--target", default="")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    return parser.parse_args(arguments)


def main() -> None:
    """Run the study."""
    options = parse(sys.argv[1:])
    if options.read:
        rows = [json.loads(line) for line in options.read.read_text().splitlines()]
        rows = [row for row in rows if "error" not in row]
        print(summary(rows), by_body(rows), sep="\n\n")
        return
    if not data_folder().is_dir():
        sys.exit("the shared files are not here; set MUMMER_DATA")
    rows = []
    for row in run(tasks(options), options.jobs):
        rows.append(row)
        if options.json:
            print(json.dumps(row), flush=True)
        elif options.rows and "error" not in row:
            numbers = " ".join(f"{row[key]:6.2f}" for key in BARS)
            print(f"{numbers} {row['back_worst']:16} {row['file'].rsplit('/')[-1]} {row['clip']} > {row['target']}")
    failed = [row for row in rows if "error" in row]
    for row in failed:
        print(f"failed: {row['file']} {row['clip']} > {row['target']}: {row['error']}", file=sys.stderr)
    if not options.json:
        rows = [row for row in rows if "error" not in row]
        print(summary(rows), by_body(rows), sep="\n\n")


if __name__ == "__main__":
    main()
