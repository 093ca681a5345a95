"""What the morphs of a face do, by the geometry of what they move, whatever they are called.

Where skin moves says which part of the face it is: around an eye, above it, about the mouth. How it moves there says
what is shown: a lid that comes down, a brow that goes up, lips that part, corners that draw apart or come together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.character import Anatomy, Character, Pose
from mummer.character.deform import deform
from mummer.recognition.reference import rest_of

MOST = 400
"""Morphs that are looked at."""
MOVED = 0.25
"""Of the farthest that a morph moves anything: what moves as far is what it is about."""
SMALL = 0.004
"""Of the distance between the eyes: a morph that moves nothing farther is not seen."""
ASIDE = 0.75
"""Of what a morph moves, on one side, for it to belong to that side."""
CORNERS = 0.4
"""Of half the width of a mouth: what moves on the whole farther out than this moves its corners."""
LOW = 0.32
"""Of the distance between the eyes, below them: there the mouth begins to be nearer than the lids."""


class Landmarks(NamedTuple):
    """Where the parts of a face are, in axes left, up and forward.

    Attributes:
        eyes: (2, 3) left and right.
        unit: metres between the eyes.
        axes: (3, 3) rows left, up, forward, in the world.
    """

    eyes: FloatArray
    unit: float
    axes: FloatArray

    @property
    def middle(self) -> FloatArray:
        """(3,) between the eyes."""
        return self.eyes.mean(axis=0)


class Moves(NamedTuple):
    """What one morph does.

    Attributes:
        morph: which.
        places: (n, 3) of the skin that it moves, from between the eyes, in units.
        steps: (n, 3) how far it moves, in units.
        side: ``left``, ``right`` or empty for both.
    """

    morph: int
    places: FloatArray
    steps: FloatArray
    side: str

    @property
    def center(self) -> FloatArray:
        """(3,) the middle of what it moves, by how far."""
        return np.average(np.abs(self.places) * [1, 0, 0] + self.places * [0, 1, 1], axis=0, weights=self.size)

    @property
    def size(self) -> FloatArray:
        """(n,) how far each point moves."""
        return np.linalg.norm(self.steps, axis=1)


def shown_by_shape(character: Character, anatomy: Anatomy, morphs: Sequence[int]) -> dict[str, int]:
    """Expressions and visemes, and the morphs that show them best, among some whose names say nothing.

    Args:
        character: who.
        anatomy: of it; its eyes are where faces are looked for.
        morphs: indices of morphs.
    """
    looked = list(morphs)[:MOST]
    marks = _landmarks(character, anatomy)
    if marks is None or not looked:
        return {}
    moves = list(_moves(character, marks, looked))
    upper = [move for move in moves if move.center[1] > -LOW]
    lower = [move for move in moves if move.center[1] <= -LOW]
    return {**_mouth(lower), **dict(_eyes_and_brows(upper))}


def _landmarks(character: Character, anatomy: Anatomy) -> Landmarks | None:
    """The face of a body that has two eyes on one head; None for others."""
    if not {"left_eye", "right_eye"} <= anatomy.roles.keys():
        return None
    axes = np.stack([anatomy.left, anatomy.up, np.cross(anatomy.left, anatomy.up)])
    rest = rest_of(character)
    eyes = np.stack([rest[anatomy.roles[f"{side}_eye"], :, 3] for side in ("left", "right")]) @ axes.T
    unit = float(np.linalg.norm(eyes[0] - eyes[1]))
    return Landmarks(eyes, unit, axes) if unit > 1e-4 else None


def _moves(character: Character, marks: Landmarks, morphs: list[int]) -> Iterator[Moves]:
    """What each morph moves, one at a time to bound memory; those that move nothing are left out."""
    rest = Pose.rest(character.skeleton)
    count = len(character.morph_names)

    def skin(morph: int | None) -> FloatArray:
        weights = np.zeros(count)
        if morph is not None:
            weights[morph] = 1.0
        bent = deform(character, rest.replace(morphs=weights), with_normals=False)
        return np.concatenate([np.asarray(mesh.positions, np.float64) for mesh in bent]) @ marks.axes.T

    still = skin(None)
    for morph in morphs:
        steps = (skin(morph) - still) / marks.unit
        size = np.linalg.norm(steps, axis=1)
        if not size.max(initial=0.0) > SMALL:
            continue
        about = size > MOVED * size.max()
        places = (still[about] - marks.middle) / marks.unit
        left = float(size[about][places[:, 0] > 0].sum() / size[about].sum())
        side = "left" if left > ASIDE else "right" if left < 1 - ASIDE else ""
        yield Moves(morph, places, steps[about], side)


def _eyes_and_brows(moves: list[Moves]) -> Iterator[tuple[str, int]]:
    """Lids that close most and brows that move most, on each side or on both."""
    found: dict[str, tuple[float, int]] = {}

    def offer(name: str, side: str, score: float, morph: int) -> None:
        for each in (side,) if side else ("left", "right"):
            full = f"{name}_{each}"
            # What moves one side alone is preferred to what moves both.
            better = score * (1.0 if side else 0.5)
            if score > 0 and better > found.get(full, (0.0, -1))[0]:
                found[full] = (better, morph)

    for move in moves:
        up = float(np.average(move.steps[:, 1], weights=move.size))
        height = float(move.center[1])
        if height > 0.25:
            offer("brow_outer_up", move.side, up, move.morph)
            offer("brow_down", move.side, -up, move.morph)
        elif up < 0:
            offer("eye_blink", move.side, -up, move.morph)
        elif height > 0.02:
            offer("eye_wide", move.side, up, move.morph)
        else:
            offer("eye_squint", move.side, up, move.morph)
    yield from ((name, morph) for name, (_, morph) in found.items())


VOWELS = {"viseme_U": (0.25, -1.0), "viseme_aa": (0.9, 0.0), "viseme_O": (0.6, -0.6)}
"""How far the lips part for a vowel, of the widest, and how much the mouth widens, of the most; spread ones
are too like other shapes to be told."""
NEAR = 0.3
"""The square of the distance within which a morph is such a vowel."""


class Mouth(NamedTuple):
    """What a morph does to the mouth, in units: how far lips part, the mouth widens, and its corners rise.

    ``aside`` is where it does so, from 0 in the middle to 1 at the corners.
    """

    morph: int
    side: str
    opens: float
    widens: float
    rises: float
    aside: float


def _mouth(moves: list[Moves]) -> dict[str, int]:
    """Visemes and expressions of the mouth."""
    if not moves:
        return {}
    line, half = _lips(moves)
    rows = [_measured(move, line, half) for move in moves]
    whole = [row for row in rows if not row.side]
    found: dict[str, int] = {}
    for side in ("left", "right"):
        own = [row for row in rows if row.side in (side, "")]
        corners = [row for row in own if row.aside > CORNERS and abs(row.rises) > 1.2 * abs(row.opens)]
        if corners:
            best = max(corners, key=lambda row: row.rises * (1.0 if row.side else 0.6))
            worst = min(corners, key=lambda row: row.rises * (1.0 if row.side else 0.6))
            if best.rises > SMALL:
                found[f"mouth_smile_{side}"] = best.morph
            if worst.rises < -SMALL:
                found[f"mouth_frown_{side}"] = worst.morph
    taken = set(found.values())
    shapes = [row for row in whole if row.morph not in taken]
    if not shapes:
        return found
    widest = max(row.opens for row in shapes)
    reach = max(max(abs(row.widens) for row in shapes), 1e-9)
    if widest <= SMALL:
        return found
    found["jaw_open"] = max(shapes, key=lambda row: row.opens - abs(row.widens)).morph
    left = [row for row in shapes if row.morph != found["jaw_open"]]
    for name, (opens, widens) in VOWELS.items():
        off = [(row.opens / widest - opens) ** 2 + (row.widens / reach - widens) ** 2 for row in left]
        if off and min(off) < NEAR:
            found[name] = left.pop(int(np.argmin(off))).morph
    # The widest is an A where no other is.
    found.setdefault("viseme_aa", found["jaw_open"])
    return found


def _lips(moves: list[Moves]) -> tuple[float, float]:
    """The height of the line between the lips, and half the width of the mouth.

    What moves down in the middle is the lower lip, or the jaw with it: its upper edge is the line.
    """
    down = max(
        moves, key=lambda move: float(-np.quantile(move.steps[_middle(move), 1], 0.1)) if _middle(move).any() else 0
    )
    middle = _middle(down)
    falls = down.places[middle & (down.steps[:, 1] < -0.5 * down.size.max()), 1]
    heights = falls if len(falls) else down.places[:, 1]
    line = float(np.quantile(heights, 0.95))
    spans = [np.quantile(np.abs(move.places[np.abs(move.places[:, 1] - line) < 0.25, 0]), 0.9) for move in moves
             if np.any(np.abs(move.places[:, 1] - line) < 0.25)]  # fmt: skip
    return line, float(np.median(spans)) if spans else 0.4


def _middle(move: Moves) -> BoolArray:
    return np.abs(move.places[:, 0]) < 0.2


def _measured(move: Moves, line: float, half: float) -> Mouth:
    """How far a morph parts the lips, widens the mouth and lifts its corners."""
    x, y = np.abs(move.places[:, 0]), move.places[:, 1] - line

    def mean(of: FloatArray, where: BoolArray) -> float:
        return float(np.average(of[where], weights=move.size[where])) if where.any() else 0.0

    near = np.abs(y) < 0.6
    falls = mean(move.steps[:, 1], near & (x < 0.4 * half) & (y <= 0.02))
    lifts = mean(move.steps[:, 1], near & (x < 0.4 * half) & (y > 0.02))
    corner = near & (x > 0.5 * half)
    outward = move.steps[:, 0] * np.sign(move.places[:, 0])
    return Mouth(move.morph, move.side, max(lifts, 0.0) - falls, mean(outward, corner), mean(move.steps[:, 1], corner),
                 float(move.center[0]) / half)  # fmt: skip
