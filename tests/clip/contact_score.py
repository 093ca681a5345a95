"""How well detected contacts agree with those labelled by hand: frame by frame, and moment by moment."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mummer.character.marks import Mark

LABELS = Path(__file__).parent / "labels"
MOMENTS = ("heel_strike", "toe_strike", "lift_off")


@dataclass(frozen=True)
class Labels:
    """Contacts of one recording that a person labelled."""

    name: str
    file: str
    span: tuple[float, float]
    unsure: tuple[tuple[float, float], ...]
    held_out: bool
    feet: dict[str, dict]

    @property
    def joints(self) -> dict[str, str]:
        return {name: foot["joint"] for name, foot in self.feet.items()}

    def judged(self, times: np.ndarray, margin: float = 0.0) -> np.ndarray:
        """Whether anything was said about each time."""
        inside = (times >= self.span[0] - 1e-9 + margin) & (times <= self.span[1] + 1e-9 - margin)
        for begin, end in self.unsure:
            inside &= (times < begin - margin) | (times > end + margin)
        return inside


def read_labels(name: str) -> Labels:
    read = tomllib.loads((LABELS / f"{name}.toml").read_text())
    feet = {key: value for key, value in read.items() if isinstance(value, dict)}
    unsure = tuple((float(a), float(b)) for a, b in read["unsure"])
    return Labels(name, read["file"], tuple(read["span"]), unsure, read.get("held_out", False), feet)


@dataclass(frozen=True)
class Score:
    """Right, too many, and missed; they add up over feet and clips."""

    right: int = 0
    extra: int = 0
    missed: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(self.right + other.right, self.extra + other.extra, self.missed + other.missed)

    @property
    def f1(self) -> float:
        return 2 * self.right / max(1, 2 * self.right + self.extra + self.missed)


def frame_score(labels: Labels, marks: Iterable[Mark], *, rate: float = 120.0) -> Score:
    """Of all frames of the span, for every foot."""
    times = np.arange(labels.span[0], labels.span[1] + 1e-9, 1 / rate)
    times = times[labels.judged(times)]
    total = Score()
    for name, foot in labels.feet.items():
        found = within(times, [(m.time, m.until) for m in marks if m.name == f"{name} contact"])
        truth = within(times, foot["contact"])
        total += Score(int((found & truth).sum()), int((found & ~truth).sum()), int((~found & truth).sum()))
    return total


def within(times: np.ndarray, spans: Sequence[Sequence[float]]) -> np.ndarray:
    inside = np.zeros(len(times), bool)
    for begin, end in spans:
        inside |= (times >= begin - 1e-9) & (times <= end + 1e-9)
    return inside


def moment_score(labels: Labels, marks: Iterable[Mark], moment: str, *, tolerance: float = 0.05) -> Score:
    """Of all moments of one kind: right if a label of the same foot lies within ``tolerance`` seconds."""
    total = Score()
    for name, foot in labels.feet.items():
        truth = np.array(sorted(foot[moment]))
        found = np.array(sorted(m.time for m in marks if m.name == f"{name} {moment}"))
        total += match(truth, found, labels, tolerance)
    return total


def match(truth: np.ndarray, found: np.ndarray, labels: Labels, tolerance: float) -> Score:
    """Pairs in order of time; what was found near the border of what was judged counts only if it is right."""
    free, right = list(found), 0
    for moment in truth:
        near = [time for time in free if abs(time - moment) <= tolerance]
        if near:
            free.remove(min(near, key=lambda time: abs(time - moment)))
            right += 1
    extra = int(labels.judged(np.array(free), tolerance).sum()) if free else 0
    return Score(right, extra, len(truth) - right)


def main() -> None:
    """Print the scores of every labelled recording: ``python -m tests.clip.contact_score``."""
    import mummer as mm
    from mummer.clip.analysis import contacts
    from mummer.clip.sampled import Sampled
    from tests.conftest import find_data

    folder = find_data()
    assert folder is not None, "set MUMMER_DATA to the folder that holds motions/"
    for path in sorted(LABELS.glob("*.toml")):
        labels = read_labels(path.stem)
        character = mm.load(folder / labels.file)
        marks = contacts(Sampled(character, character.recordings[0]), feet=labels.joints)
        scores = {moment: moment_score(labels, marks, moment) for moment in MOMENTS}
        columns = "  ".join(f"{name} {score.f1:.3f}" for name, score in scores.items())
        total = sum(scores.values(), Score()).f1
        held = "held out" if labels.held_out else ""
        print(f"{labels.name:13} frames {frame_score(labels, marks).f1:.3f}  {columns}  all {total:.3f}  {held}")  # noqa: T201


if __name__ == "__main__":
    main()
