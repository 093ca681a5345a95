"""The shapes a face can make: jaw, mouth shapes of speech, smile and frown, brows. Lids are in `mummer.zoo.eyes`.

Each shape is a smooth field of displacements around the mouth or an eye, so that it works on any mesh that lies there:
skin, teeth, eyebrows.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mummer.arrays import FloatArray
from mummer.zoo.gape import Turn, jaw_share, jaw_turns
from mummer.zoo.geometry import cross, minus, times, unit
from mummer.zoo.patch import Patch
from mummer.zoo.plan import Plan
from mummer.zoo.recipe import Eye, Face
from mummer.zoo.visemes import VISEMES

SMALLEST = 0.01
"""In half-widths of the mouth: a patch that no vertex of moves further keeps no such shape."""


def with_shapes(plan: Plan, patches: list[Patch]) -> list[Patch]:
    """The patches with the shapes of every face added to those that lie near it."""
    for face, turn in zip(plan.recipe.face, jaw_turns(plan, modelling=False), strict=True):
        if not face.shapes:
            continue
        eyes = [eye for eye in plan.recipe.eye if eye.joint in face.eyes]
        patches = [_with_face(plan, face, turn, eyes, patch) for patch in patches]
    return patches


def _with_face(plan: Plan, face: Face, turn: Turn, eyes: list[Eye], patch: Patch) -> Patch:
    if patch.name == "eyes":
        return patch
    low, high = patch.positions.min(axis=0), patch.positions.max(axis=0)
    if np.any(low - 4 * face.width > face.mouth) or np.any(high + 4 * face.width < face.mouth):
        return patch
    carried = np.isin(patch.indices, _head_joints(plan, face)) * patch.weights
    held = carried.sum(axis=1)[:, None]
    shapes = dict(patch.shapes)
    for name, field in face_fields(face, turn, eyes, patch).items():
        moved = field * held
        if np.abs(moved).max() > SMALLEST * face.width:
            shapes[name] = shapes[name] + moved if name in shapes else moved
    return replace(patch, shapes=shapes)


def _head_joints(plan: Plan, face: Face) -> list[int]:
    """The head and all that hangs from it: shapes of the face move nothing else."""
    below = {plan.index[face.head]}
    for joint, parent in enumerate(plan.parents):
        if parent in below:
            below.add(joint)
    return sorted(below)


def face_fields(face: Face, turn: Turn, eyes: list[Eye], patch: Patch) -> dict[str, FloatArray]:
    """Every shape of a face as displacements (V, 3) of a patch's vertices."""
    frame = face_frame(turn)
    share = jaw_share(turn, patch.indices, patch.weights)[:, None]
    place = (patch.positions - np.asarray(face.mouth)) @ frame.T / face.width
    moves = {name: face.width * (field @ frame) for name, field in _mouth_moves(place, share).items()}
    moves["open"] = share * (turn.opened(patch.positions) - patch.positions)
    shapes = {"jaw_open": moves["open"]}
    for name, mixture in VISEMES.items():
        shapes[name] = sum((amount * moves[move] for move, amount in mixture.items()), np.zeros_like(patch.positions))
    for name in ("smile_left", "smile_right", "frown"):
        shapes[name] = moves[name]
    return shapes | _brow_fields(frame, eyes, patch.positions)


def face_frame(turn: Turn) -> FloatArray:
    """(3, 3) rows: the face's left, up and forward."""
    left = unit(turn.axis.tolist())
    up = unit(minus((0.0, 1.0, 0.0), times(left, left[1])))
    return np.array([left, up, cross(left, up)])


def _around(place: FloatArray, center: tuple[float, float, float], reach: tuple[float, float, float]) -> FloatArray:
    """(V, 1) 1 at the centre, falling smoothly to nothing."""
    gap = (place - np.asarray(center)) / np.asarray(reach)
    return np.exp(-(gap * gap).sum(axis=1, keepdims=True))


def _mouth_moves(place: FloatArray, lower: FloatArray) -> dict[str, FloatArray]:
    """Movements of the lips in the face's frame and in half-widths of the mouth.

    Args:
        place: (V, 3) from the middle of the mouth, in half-widths: left, up, forward.
        lower: (V, 1) 1 for what the jaw carries, 0 for what the head does.
    """
    upper = 1.0 - lower
    mouth = _around(place, (0, 0, 0), (1.25, 0.9, 1.1))
    lips = _around(place, (0, 0, 0.1), (0.95, 0.45, 0.7))
    side = np.clip(place[:, :1], -1.2, 1.2)
    zero = np.zeros_like(side)

    def move(left: FloatArray, up: FloatArray, forward: FloatArray) -> FloatArray:
        return np.concatenate([left, up, forward], axis=1)

    moves = {
        "wide": move(0.36 * side * mouth, zero, -0.2 * side**2 * mouth),
        "pucker": move(-0.6 * side * mouth, zero, 0.5 * lips),
        "press": move(zero, (lower - upper) * 0.07 * lips, -0.12 * lips),
        "upper": move(zero, 0.2 * upper * lips, 0.05 * lips),
        "lower": move(zero, -0.2 * lower * lips, 0.03 * lips),
        "tuck": move(zero, 0.2 * lower * lips, -0.26 * lower * lips),
    }
    corners = {}
    for name, sign in (("left", 1.0), ("right", -1.0)):
        corner = _around(place, (sign * 1.0, 0.0, -0.15), (0.6, 0.5, 0.8))
        cheek = _around(place, (sign * 1.35, 0.95, -0.2), (0.7, 0.55, 0.9))
        corners[name] = corner
        moves[f"smile_{name}"] = move(sign * 0.26 * corner, 0.38 * corner + 0.12 * cheek, -0.14 * corner + 0.06 * cheek)
    both = corners["left"] + corners["right"]
    moves["frown"] = move(zero + 0.02 * side * both, -0.34 * both + 0.05 * lips, zero)
    return moves


def _brow_fields(frame: FloatArray, eyes: list[Eye], positions: FloatArray) -> dict[str, FloatArray]:
    """Raised and lowered brows over each eye that belongs to a side."""
    fields: dict[str, FloatArray] = {}
    for eye in eyes:
        words = [word for word in eye.joint.split("_") if word in ("left", "right")]
        if not words:
            continue
        place = (positions - np.asarray(eye.center)) @ frame.T / eye.radius
        inward = -1.0 if words[-1] == "left" else 1.0
        brow = _around(place, (0.0, 1.75, 0.7), (1.5, 0.75, 1.4))
        inner = _around(place, (0.8 * inward, 1.6, 0.7), (0.9, 0.7, 1.4))
        raised = np.concatenate([0 * brow, 0.6 * brow, 0.05 * brow], axis=1)
        lowered = np.concatenate([0.18 * inward * inner, -0.25 * brow - 0.3 * inner, 0.12 * inner], axis=1)
        for name, field in ((f"brow_up_{words[-1]}", raised), (f"brow_down_{words[-1]}", lowered)):
            fields[name] = fields.get(name, 0.0) + eye.radius * (field @ frame)
    return fields
