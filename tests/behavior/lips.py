"""How well lips go with speech, on the skin: ``python -m tests.behavior.lips DATA [BODY ...]``.

Bodies say the recordings of DATA/speech with the times that came with them. What is written as .glb is read back, and
this judge looks at its skin and the weights of its morphs alone. It shares no table with what makes the motion: which
mouth belongs to which sound is the published list of the fifteen shapes, and how far lips are apart is measured between
the points of the skin that a wide open mouth parts.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import mummer as mm
from mummer.character import Character, Pose
from mummer.character.deform import deform

LATE = 0.04
"""Seconds that a mouth may be early or late."""
SHUT = 0.12
"""Of the widest opening of the same body: lips that are nearer count as closed."""
CLOSED = {"m", "b", "p", "BMP", "em"}
PUBLISHED = {
    "viseme_FF": ("f", "v", "F"), "viseme_TH": ("θ", "ð", "dh", "th", "D-sampa", "T", "Th"),
    "viseme_SS": ("s", "z", "Z", "S-face"), "viseme_CH": ("ʃ", "ʒ", "sh", "ch", "jh", "zh", "tʃ", "dʒ", "Sh"),
    "viseme_aa": ("ɑ", "aa", "A", "Aa", "a"), "viseme_O": ("o", "ɔ", "ao"), "viseme_U": ("u", "uw", "w", "W"),
    "viseme_I": ("i", "iy", "ih", "ɪ"), "viseme_E": ("e", "eh", "ɛ", "Eh"),
}  # fmt: skip
"""The published shapes of sounds that the eye can tell apart; labels as the files have them."""
TIERS = ("phone", "phons", "phonemes", "phones", "visemes")


class Lips(NamedTuple):
    """What was seen of one speech on one body.

    Attributes:
        closed: of each b, m and p: seconds from it to where lips are closed, 0 if within it.
        shapes: of each sound of `PUBLISHED`: seconds from it to where its shape shows most.
        widest: metres that the lips part, at most.
    """

    closed: list[float]
    shapes: list[float]
    widest: float


def opening(character: Character, poses: Pose) -> np.ndarray:
    """(T,) metres that the lips are farther apart than at rest, between the points that an open jaw parts."""
    jaw = character.morph_names.index("jaw_open")
    morphs = np.zeros((2, len(character.morph_names)))
    morphs[1, jaw] = 1.0
    rest = Pose.rest(character.skeleton)
    still = Pose.stack([rest.replace(morphs=row) for row in morphs])
    shut, wide = np.concatenate([np.asarray(m.positions) for m in deform(character, still, with_normals=False)], axis=1)
    moved = np.linalg.norm(wide - shut, axis=1)
    far = moved.max()
    lower, upper = np.flatnonzero(moved > 0.4 * far), np.flatnonzero(moved < 0.04 * far)
    # The lips: on the jaw, and on what stays, the two points in front that touch at rest and come apart.
    gaps = np.linalg.norm(shut[lower][:, None] - shut[upper][None], axis=2)
    front = shut[lower][:, None, 2] + shut[upper][None, :, 2]
    middle = np.abs(shut[lower][:, None, 0]) + np.abs(shut[upper][None, :, 0])
    score = gaps + 0.5 * middle - 0.25 * front
    below, above = np.unravel_index(int(np.argmin(score)), score.shape)
    pair = [lower[below], upper[above]]
    bent = np.concatenate([np.asarray(m.positions)[:, :] for m in deform(character, poses, with_normals=False)], axis=1)
    apart = np.linalg.norm(bent[:, pair[0]] - bent[:, pair[1]], axis=1)
    return apart - float(np.linalg.norm(shut[pair[0]] - shut[pair[1]]))


def spoken(entry: dict[str, Any]) -> Iterator[tuple[float, float, str]]:
    yield from next(entry["tiers"][name] for name in TIERS if name in entry["tiers"])


def away(times: np.ndarray, start: float, end: float) -> float:
    """Seconds from the nearest of some moments to an interval."""
    return float(np.maximum(np.maximum(start - times, times - end), 0.0).min()) if len(times) else float("inf")


def seen(file: Path, entry: dict[str, Any], start: float) -> Lips:
    """What the written motion shows of a recording whose sound starts at ``start``."""
    character = mm.load(file)
    recording = character.recordings[-1]
    times = np.arange(0.0, recording.duration, 1 / 120)
    poses = recording.sample(times)
    gap = opening(character, poses)
    widest = float(gap.max())
    shut = times[gap < SHUT * widest] - start
    closed = [away(shut, a, b) for a, b, label in spoken(entry) if label in CLOSED]
    shapes = []
    assert poses.morphs is not None
    for a, b, label in spoken(entry):
        name = next((shape for shape, labels in PUBLISHED.items() if label in labels), None)
        if name is None or b - a < 0.03:
            continue
        near = np.flatnonzero((times > start + a - 2 * LATE) & (times < start + b + 2 * LATE))
        weights = poses.morphs[near, character.morph_names.index(name)]
        # Another such sound within the window would be mistaken for this one: the nearest moment of a top is taken.
        tops = near[weights > 0.97 * weights.max()] if weights.max() > 0.05 else near[:0]
        shapes.append(away(times[tops] - start, a, b))
    return Lips(closed, shapes, widest)


def study(data: Path, bodies: list[str]) -> Iterator[tuple[str, str, Lips]]:
    from mummer.behavior.speech import say, utterance_of

    for entry in json.loads((data / "speech" / "speech.json").read_text()):
        audio = data / "speech" / entry["audio"]
        sides = [audio.with_suffix(".TextGrid"), audio.with_suffix(".bml"), Path(f"{audio.with_suffix('')}_phone.lab")]
        times = next(side for side in sides if side.exists())
        for body in bodies:
            with tempfile.TemporaryDirectory() as folder:
                said = say(body, utterance_of(entry["transcript"], audio=audio, times=times))
                said.clip.save(Path(folder) / "said.glb")
                yield entry["id"], body, seen(Path(folder) / "said.glb", entry, said.start)


def main(data: str, *bodies: str) -> int:
    closed: list[float] = []
    shapes: list[float] = []
    for name, body, lips in study(Path(data), list(bodies) or ["zoo:adult"]):
        closed += lips.closed
        shapes += lips.shapes
        shut = sum(late == 0.0 for late in lips.closed)
        late = max(lips.shapes, default=0.0)
        print(f"{body:14} {name:28} b m p closed {shut} of {len(lips.closed)}, shapes {len(lips.shapes)}, "
              f"latest {1000 * late:4.0f} ms, opens {1000 * lips.widest:.1f} mm", flush=True)  # fmt: skip
    shut = sum(late == 0.0 for late in closed)
    within = sum(late <= LATE for late in shapes)
    print(f"closed in their sound: {shut} of {len(closed)}; shapes within {1000 * LATE:.0f} ms: {within} of "
          f"{len(shapes)}, latest {1000 * max(shapes):.0f} ms")  # fmt: skip
    return int(shut < len(closed) or within < len(shapes))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
