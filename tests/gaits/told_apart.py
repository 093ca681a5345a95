"""Whether a judge that was trained for it tells performances from recordings.

``python -m tests.gaits.told_apart DATA MADE [BEFORE]`` reads recordings of people below ``DATA``, and performances,
files that ``mummer perform`` wrote on bodies of people, in the folders ``MADE`` and ``BEFORE``. A second of motion at
a time becomes a row of numbers: how fast, how suddenly and how jerkily joints go, and how much of that is one and the
same for pairs of them, in the frame of the body and over the length of its legs; not where they are, which would tell
bodies apart. What is faster than a tenth of a second is taken out, which would tell noise. A logistic regression learns
to tell the rows apart. Printed is the area under its curve, 0.5 for a judge that can but guess, on files that it was
not trained on: for each folder by itself, and for ``MADE`` by the judge that was trained against ``BEFORE``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import mummer as mm
from mummer.arrays import FloatArray
from mummer.character.kinematics import world_positions
from mummer.clip import Clip, Sampled
from mummer.errors import MummerError
from mummer.recognition import recognized
from tests.gaits.corridors import leg_length

FAMILIES = (
    "cmu07_walk", "cmu16_walk", "cmu35_walkrun", "cmu09_run", "cmu16_run", "cmu124_throw", "cmu115_pickup", "cmu75_sit",
    "bandai_raise_hand", "bandai_run_style", "sb_gesture_brad",
)  # fmt: skip
"""Where people walk, run, wave, throw, pick up and sit down."""
POINTS = (
    "head", "chest", "left_hand", "right_hand", "left_forearm", "right_forearm",
    "left_foot", "right_foot", "left_lower_leg", "right_lower_leg",
)  # fmt: skip
RATE, SECONDS, APART = 30.0, 1.0, 0.5
FOLDS, PULL = 5, 3.0
SMOOTHING = np.array([1.0, 4.0, 6.0, 4.0, 1.0]) / 16.0
MOST_WINDOWS = 12
"""Seconds of one file at most, evenly spread, so that long ones do not count for more."""


def windows(clip: Clip, begin: float) -> FloatArray:
    """(N, F) a row for each second of a motion; none for bodies that lack a part."""
    anatomy = clip.body.anatomy
    if anatomy is None or any(role not in anatomy.roles for role in (*POINTS, "hips")):
        return np.empty((0, 0))
    times = np.arange(begin, clip.end, 1.0 / RATE)
    places = world_positions(clip.body, clip.sample(times)) / leg_length(clip.body)
    hips = places[:, anatomy.roles["hips"]]
    left, right = (places[:, anatomy.roles[f"{side}_upper_leg"]] for side in ("left", "right"))
    across = (left - right) * [1.0, 0.0, 1.0]
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    ahead = np.cross(across, [0.0, 1.0, 0.0])
    frame = np.stack([across, np.broadcast_to([0.0, 1.0, 0.0], across.shape), ahead], axis=1)
    joints = [anatomy.roles[role] for role in POINTS]
    seen = np.einsum("tij,tpj->tpi", frame, places[:, joints] - hips[:, None])
    length, step = round(SECONDS * RATE), round(APART * RATE)
    rows = [_row(seen[at : at + length], hips[at : at + length, 1]) for at in range(0, len(times) - length, step)]
    if len(rows) > MOST_WINDOWS:
        rows = [rows[number] for number in np.linspace(0, len(rows) - 1, MOST_WINDOWS).round().astype(int)]
    return np.array(rows)


def _row(seen: FloatArray, height: FloatArray) -> FloatArray:
    """What is told of one second: (L, P, 3) points in the frame of the body, (L,) height of the hips."""
    bob = np.zeros((len(seen), 1, 3))
    bob[:, 0, 1] = height
    whole = np.concatenate([seen, bob], axis=1)
    smooth = sum(weight * whole[at : len(whole) - 4 + at] for at, weight in enumerate(SMOOTHING))
    told = []
    for order in (1, 2, 3):
        change = np.diff(smooth, order, axis=0) * RATE**order
        told.append(np.log(np.sqrt((change**2).sum(axis=2).mean(axis=0)) + 0.05))
    change = np.diff(smooth, axis=0)
    sizes = np.sqrt((change**2).sum(axis=(0, 2))) + 1e-3
    shared = np.einsum("tpi,tqi->pq", change, change) / np.outer(sizes, sizes)
    return np.concatenate([*told, shared[np.triu_indices(len(sizes), 1)]])


def recorded(data: Path) -> Iterator[FloatArray]:
    """The rows of each recording."""
    for family in FAMILIES:
        folder = data / "motions_families" / family
        if not folder.is_dir():
            continue
        table = json.loads((folder / "family.json").read_text())
        for trial in table["trials"]:
            options = {"skeleton": folder / table["skeleton"]} if trial["trial"].endswith(".skm") else {}
            body = recognized(mm.load(folder / trial["path"], **options))
            clip = Sampled(body, body.recordings[0])
            yield windows(clip, clip.start + trial.get("skip_frames", 0) / trial["fps"])


def made(folder: Path) -> Iterator[FloatArray]:
    """The rows of each performance: the last animation of each file."""
    for path in sorted(folder.glob("*.glb")):
        try:
            body = recognized(mm.load(path))
        except MummerError as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            continue
        clip = Sampled(body, body.recordings[-1])
        yield windows(clip, clip.start)


class Judge:
    """A logistic regression on standardized rows."""

    def __init__(self, rows: FloatArray, is_made: FloatArray) -> None:
        """Train it; both kinds count the same, however many rows there are of each."""
        self.mean, self.scale = rows.mean(axis=0), rows.std(axis=0) + 1e-6
        weights = np.where(is_made > 0.5, 0.5 / is_made.mean(), 0.5 / (1.0 - is_made.mean()))
        seen = self._seen(rows)
        self.slope = np.zeros(seen.shape[1])
        pull = np.full(seen.shape[1], PULL)
        pull[0] = 1e-6
        for _ in range(30):
            odds = 1.0 / (1.0 + np.exp(-seen @ self.slope))
            uphill = seen.T @ (weights * (is_made - odds)) - pull * self.slope
            bend = (seen * (weights * odds * (1.0 - odds))[:, None]).T @ seen + np.diag(pull)
            self.slope += np.linalg.solve(bend, uphill)

    def score(self, rows: FloatArray) -> FloatArray:
        """(N,) how much each row looks like a performance."""
        return self._seen(rows) @ self.slope

    def _seen(self, rows: FloatArray) -> FloatArray:
        return np.concatenate([np.ones((len(rows), 1)), np.clip((rows - self.mean) / self.scale, -4, 4)], axis=1)


def area(real: FloatArray, played: FloatArray) -> float:
    """The area under the curve: how often a performance scores higher than a recording."""
    order = np.concatenate([real, played]).argsort().argsort() + 1
    return float((order[len(real) :].sum() - len(played) * (len(played) + 1) / 2) / (len(real) * len(played)))


def held_out(real: list[FloatArray], trained: list[FloatArray], judged: list[FloatArray]) -> float:
    """The area under the curve of judges that did not see the files they judge; ``trained`` and ``judged`` pair up."""
    scores: tuple[list[FloatArray], list[FloatArray]] = ([], [])
    for fold in range(FOLDS):
        rest = [[rows for at, rows in enumerate(files) if at % FOLDS != fold] for files in (real, trained)]
        rows = [np.concatenate(files) for files in rest]
        judge = Judge(np.concatenate(rows), np.repeat([0.0, 1.0], [len(each) for each in rows]))
        for told, files in zip(scores, (real, judged), strict=True):
            told += [judge.score(one) for at, one in enumerate(files) if at % FOLDS == fold]
    return area(np.concatenate(scores[0]), np.concatenate(scores[1]))


def main(data: Path, folder: Path, before: Path | None) -> None:
    """Print how well judges tell performances from recordings."""
    real = [rows for rows in recorded(data) if len(rows)]
    now = [rows for rows in made(folder) if len(rows)]
    print(
        f"{len(real)} recordings, {sum(map(len, real))} seconds; {len(now)} performances, {sum(map(len, now))} seconds"
    )
    print(f"recordings against {folder.name}: {held_out(real, now, now):.3f}")
    if before is not None:
        old = [rows for rows in made(before) if len(rows)]
        print(f"recordings against {before.name}: {held_out(real, old, old):.3f}")
        print(f"trained against {before.name}, judging {folder.name}: {held_out(real, old, now):.3f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]) if len(sys.argv) > 3 else None)
