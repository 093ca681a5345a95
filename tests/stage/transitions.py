"""How long transitions take, against recordings: python -m tests.stage.transitions DATA [--learn FILE].

Recordings are cut where the body is slowest for a moment. What lies between two cuts is taken out, and each way of
timing says how long it was, from the poses at the cuts, the speeds outside of them, and a prototype: the corresponding
piece of another recording of the family. The learned way has never seen the family that it is asked about.
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import mummer as mm
from mummer.arrays import FloatArray
from mummer.clip import Clip, Sampled
from mummer.clip.displacement import reach_of
from mummer.ik import mass_speed, mass_speeds
from mummer.recognition import recognized
from mummer.stage.durations import ALL, Durations, Example, kind_of, learn, text_of
from mummer.stage.timing import Gap, Timing, gap_between, group_seconds, joined

RATE = 30.0
WIDE = 5
"""Frames on both sides of a cut that are no slower."""
SHORT, LONG = 0.12, 3.0
"""Seconds of pieces that are asked about."""
MOVES = 0.05
"""Metres a second of the body's mass that a piece must reach to be one."""
LOCOMOTION = ("walk", "run", "loco", "transit", "style100")
LEFT_OUT = ("sb_face", "sb_hand", "sb_headnod", "animal", "bandai", "dog_mann")
"""Faces, hands, nods and animals, and what may not be used freely."""


@dataclass(frozen=True)
class Piece:
    """What was cut out of a recording: where it is from, its number there, what it bridges, and how long it was."""

    family: str
    trial: str
    number: int
    gap: Gap
    seconds: float


def trials(family: Path, most: int) -> list[tuple[str, Clip]]:
    """The recordings of a family, without the pose that some begin with."""
    told = json.loads((family / "family.json").read_text())
    found: list[tuple[str, Clip]] = []
    for trial in told["trials"]:
        path = family / trial["path"]
        if path.suffix not in (".bvh", ".skm") or len(found) == most:
            continue
        options = {"skeleton": family / told["skeleton"]} if path.suffix == ".skm" else {}
        if "pn_intensity" in family.name:
            options["metres_per_unit"] = 0.01
        body = recognized(mm.load(path, **options))
        clip = Sampled(body, body.recordings[0])
        skipped = (told.get("skip_frames") or trial.get("skip_frames") or 3) / float(trial["fps"])
        found.append((path.name, clip.trimmed(clip.start + skipped, clip.end) if "cmu" in family.name else clip))
    return found


def cuts_of(clip: Clip) -> FloatArray:
    """(n,) seconds at which the body is slowest for a moment, away from both ends."""
    times = clip.times(RATE)
    speeds = mass_speed(clip, times, align="level", rate=RATE)
    smooth = np.convolve(np.pad(speeds, 2, mode="edge"), np.ones(5) / 5, "valid")
    lowest = [at for at in range(2, len(smooth) - 2) if smooth[at] == smooth[max(0, at - WIDE) : at + WIDE + 1].min()]
    return times[lowest]


def pieces_of(family: str, trial: str, clip: Clip) -> list[Piece]:
    """What lies between the cuts of a recording."""
    cuts, found = cuts_of(clip), []
    for number, (begin, end) in enumerate(itertools.pairwise(cuts)):
        between = np.linspace(begin, end, 8)
        if SHORT <= end - begin <= LONG and mass_speed(clip, between, align="level", rate=RATE).max() > MOVES:
            gap = gap_between(clip, clip, float(begin), float(end))
            found.append(Piece(family, trial, number, gap, float(end - begin)))
    return found


def with_prototype(piece: Piece, pieces: list[Piece]) -> Piece:
    """The piece beside the corresponding one of another recording of its family, or of none."""
    others = [each for each in pieces if each.family == piece.family and each.trial != piece.trial]
    if not others:
        return dataclasses.replace(piece, gap=dataclasses.replace(piece.gap, seconds=0.0))
    like = min(others, key=lambda each: abs(each.number - piece.number))
    leaps = {
        name: dataclasses.replace(leap, prototype=like.gap.groups[name].distance if name in like.gap.groups else 0.0)
        for name, leap in piece.gap.groups.items()
    }
    return dataclasses.replace(piece, gap=Gap(leaps, like.seconds))


def examples_of(pieces: list[Piece]) -> list[Example]:
    """What the groups that moved tell."""
    return [
        Example(name, leap.distance, leap.speed, piece.seconds, (leap.prototype, piece.gap.seconds))
        for piece in pieces
        for name, leap in piece.gap.groups.items()
        if leap.distance > 0.02
    ]


def fastest(clips: list[Clip]) -> dict[str, float]:
    """Reaches a second that groups were moved at most, but for one moment in a hundred of each recording."""
    found: dict[str, float] = {}
    for clip in clips:
        for name, speeds in mass_speeds(clip, align="level", rate=RATE).items():
            if name in clip.anatomy.groups:
                quick = float(np.quantile(speeds, 0.99)) / reach_of(clip.body, clip.anatomy.groups[name])
                found[kind_of(name)] = max(found.get(kind_of(name), 0.0), quick)
    return found | {ALL: float(np.median([*found.values()]))}


def judged(pieces: list[Piece], say: Callable[[Piece], float]) -> FloatArray:
    """(n, 2) how far each answer is from the seconds it was, and of their logarithm."""
    said = np.array([say(piece) for piece in pieces])
    true = np.array([piece.seconds for piece in pieces])
    return np.stack([np.abs(said - true), np.abs(np.log(said / true))], axis=1)


def by_timing(timing: Timing, known: dict[str, Durations]) -> Callable[[Piece], float]:
    """A way of timing as a question; ``known`` by family holds what was learned without it."""

    def say(piece: Piece) -> float:
        durations = known[piece.family]
        seconds = group_seconds(piece.gap, timing, durations)
        return joined(seconds, "slowest" if timing == "fast" else "mean", piece.gap, durations)

    return say


def study(data: Path, most: int = 6) -> tuple[list[str], Durations]:
    """The lines of the study, and the durations learned from everything."""
    families = sorted(each for each in (data / "motions_families").iterdir() if not each.name.startswith(LEFT_OUT))
    clips: list[Clip] = []
    bare: list[Piece] = []
    for family in families:
        for name, clip in trials(family, most):
            clips.append(clip)
            bare += pieces_of(family.name, name, clip)
    pieces = [with_prototype(piece, bare) for piece in bare]
    limits, names = fastest(clips), sorted({piece.family for piece in pieces})
    known = {name: learn(examples_of([each for each in pieces if each.family != name]), limits) for name in names}
    ways: dict[str, Callable[[Piece], float]] = {"fixed 0.5 s": lambda _: 0.5}
    timings: tuple[Timing, ...] = ("constant", "fast", "proportional", "learned")
    ways |= {timing: by_timing(timing, known) for timing in timings}
    groups = {
        "all": pieces,
        "cmu104 transitions": [each for each in pieces if each.family.startswith("cmu104")],
        "locomotion": [each for each in pieces if any(word in each.family for word in LOCOMOTION)],
        "other": [each for each in pieces if not any(word in each.family for word in LOCOMOTION)],
    }
    lines = [f"{len(pieces)} pieces of {len(clips)} recordings in {len(names)} families; mean seconds off (log ratio)"]
    for title, chosen in groups.items():
        lines.append(f"{title} ({len(chosen)}, {np.median([each.seconds for each in chosen]):.2f} s at the middle)")
        fixed = judged(chosen, ways["fixed 0.5 s"])[:, 0]
        for way, say in ways.items():
            off = judged(chosen, say)
            better = np.mean(off[:, 0] < fixed) if way != "fixed 0.5 s" else np.nan
            lines.append(f"  {way:13} {off[:, 0].mean():.3f} ({off[:, 1].mean():.3f})  nearer than fixed {better:.0%}")
    return lines, learn(examples_of(pieces), limits)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("--learn", type=Path, help="write what was learned of everything here")
    asked = parser.parse_args()
    told, durations = study(asked.data)
    print("\n".join(told))  # noqa: T201
    if asked.learn:
        asked.learn.write_text(text_of(durations))
