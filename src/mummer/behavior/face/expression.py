"""Expressions of the face: action units, emotions, and what BML calls lexemes."""

from __future__ import annotations

import math
from collections.abc import Mapping

from mummer.behavior.behavior import Behavior
from mummer.behavior.performer import Performer
from mummer.character.face import FACE_NAMES
from mummer.errors import InputError, UnknownNameError
from mummer.kernels.vectors import smooth_step
from mummer.recognition.face import ACTION_UNITS

EMOTIONS: dict[str, dict[int, float]] = {
    "joy": {6: 0.7, 12: 0.9},
    "sadness": {1: 0.8, 4: 0.4, 15: 0.7, 17: 0.2},
    "surprise": {1: 0.8, 2: 0.9, 5: 0.7, 26: 0.4},
    "fear": {1: 0.8, 2: 0.5, 4: 0.5, 5: 0.8, 20: 0.6, 26: 0.25},
    "anger": {4: 0.9, 5: 0.4, 7: 0.6, 24: 0.7},
    "disgust": {9: 0.8, 10: 0.5, 15: 0.4, 16: 0.2, 4: 0.3},
    "contempt": {14: 0.7, 12: 0.2},
}
"""The seven emotions that people read off faces anywhere, as action units (Ekman and Friesen)."""
ALIASES = {
    "happy": "joy", "happiness": "joy", "smile": "joy", "sad": "sadness", "surprised": "surprise", "afraid": "fear",
    "scared": "fear", "angry": "anger", "disgusted": "disgust", "neutral": "",
}  # fmt: skip
LEXEMES: dict[str, dict[str, float]] = {
    "oblique_brows": {"brow_inner_up": 1.0, "brow_down": 0.3},
    "raise_brows": {"brow_inner_up": 0.7, "brow_outer_up": 1.0},
    "raise_left_brow": {"brow_outer_up_left": 1.0},
    "raise_right_brow": {"brow_outer_up_right": 1.0},
    "lower_brows": {"brow_down": 1.0},
    "lower_left_brow": {"brow_down_left": 1.0},
    "lower_right_brow": {"brow_down_right": 1.0},
    "raise_mouth_corners": {"mouth_smile": 1.0},
    "raise_left_mouth_corner": {"mouth_smile_left": 1.0},
    "raise_right_mouth_corner": {"mouth_smile_right": 1.0},
    "lower_mouth_corners": {"mouth_frown": 1.0},
    "lower_left_mouth_corner": {"mouth_frown_left": 1.0},
    "lower_right_mouth_corner": {"mouth_frown_right": 1.0},
    "open_mouth": {"jaw_open": 0.8},
    "open_lips": {"mouth_lower_down": 0.6, "mouth_upper_up": 0.4},
    "widen_eyes": {"eye_wide": 1.0},
    "close_eyes": {"eye_blink": 1.0},
}
"""What the Behavior Markup Language calls expressions of the face."""
ATTACK, HOLD, DECAY = 0.25, 1.0, 0.4
"""Seconds in which an expression comes, stays and goes if nothing else is said."""
SIDES = {"both": ("left", "right"), "left": ("left",), "right": ("right",)}


class Expression(Behavior):
    """Shows an expression, which comes, stays and goes; or stays until it is stopped."""

    kind = "face"
    channels = frozenset({"face"})

    def __init__(self, amounts: Mapping[str, float], *, stays: bool = False) -> None:
        """An expression of canonical names, see `FACE_NAMES`, to amounts from 0 to 1."""
        self.amounts = dict(amounts)
        syncs = {"ready": ATTACK, "end": math.inf} if stays else {
            "ready": ATTACK, "relax": ATTACK + HOLD, "end": ATTACK + HOLD + DECAY}  # fmt: skip
        super().__init__(syncs)
        self._shown = 0.0

    def step(self, performer: Performer, time: float, seconds: float) -> None:  # noqa: ARG002
        """See `Behavior.step`."""
        relaxed = smooth_step(self.share(time, "relax", "end")) if "relax" in self.syncs else 0.0
        self._shown = smooth_step(self.share(time, "start", "ready")) * (1.0 - relaxed)
        for name, amount in self.amounts.items():
            performer.face.show(name, amount * self._shown)

    def finish(self, performer: Performer) -> None:
        """What still shows goes."""
        performer.face.let_go({name: amount * self._shown for name, amount in self.amounts.items()}, DECAY)


def make_face(
    performer: Performer, *, lexeme: str = "", au: int = 0, side: str = "both", amount: float = 1.0
) -> Expression:
    """Show an expression for a while.

    Args:
        performer: who.
        lexeme: an emotion of `EMOTIONS`, one of `LEXEMES`, or a canonical name of an expression.
        au: an action unit of facial coding, in place of a lexeme.
        side: ``both``, ``left`` or ``right``, of an action unit.
        amount: 0 to 1.
    """
    return Expression(_asked(performer, lexeme, au, side, amount))


def make_face_shift(
    performer: Performer, *, lexeme: str = "", au: int = 0, side: str = "both", amount: float = 1.0
) -> Expression:
    """Show an expression from now on, until it is stopped; see `make_face`."""
    return Expression(_asked(performer, lexeme, au, side, amount), stays=True)


def _asked(performer: Performer, lexeme: str, au: int, side: str, amount: float) -> dict[str, float]:
    if not 0.0 <= amount <= 1.0:
        raise InputError(f"the amount of a face is {amount:g}; expected 0 to 1")
    if bool(lexeme) == bool(au):
        raise InputError("a face needs a lexeme or an action unit (au), and one of them only")
    amounts = unit_amounts(au, side) if au else expression_amounts(lexeme)
    scaled = {name: amount * much for name, much in amounts.items()}
    shown = [name for name in scaled if name in performer.face.map]
    if scaled and not shown:
        raise InputError(
            f"{performer.character.name!r} has nothing in its face that shows {lexeme or f'action unit {au}'}"
        )
    return scaled


def unit_amounts(unit: int, side: str = "both") -> dict[str, float]:
    """The expressions of an action unit.

    Example:
        >>> unit_amounts(12, "left")
        {'mouth_smile_left': 1.0}
    """
    if unit not in ACTION_UNITS:
        raise UnknownNameError("facial coding", "action unit", str(unit), [str(known) for known in ACTION_UNITS])
    if side.lower() not in SIDES:
        raise UnknownNameError("the face", "side", side, SIDES)
    return _sided(dict.fromkeys(ACTION_UNITS[unit], 1.0), SIDES[side.lower()])


def expression_amounts(lexeme: str) -> dict[str, float]:
    """The expressions of an emotion, of a lexeme, or of a canonical name.

    Example:
        >>> expression_amounts("RAISE_LEFT_BROW")
        {'brow_outer_up_left': 1.0}
    """
    name = lexeme.strip().lower().replace("-", "_").replace(" ", "_")
    name = ALIASES.get(name, name)
    if not name:
        return {}
    if name in EMOTIONS:
        made: dict[str, float] = {}
        for unit, amount in EMOTIONS[name].items():
            for each in unit_amounts(unit, "left" if name == "contempt" else "both"):
                made[each] = max(made.get(each, 0.0), amount)
        return made
    if name in LEXEMES:
        return _sided(LEXEMES[name], SIDES["both"])
    if name in FACE_NAMES:
        return {name: 1.0}
    raise UnknownNameError("the face", "expression", lexeme, (*EMOTIONS, *LEXEMES, *ALIASES, *FACE_NAMES))


def _sided(amounts: Mapping[str, float], sides: tuple[str, ...]) -> dict[str, float]:
    """Amounts by canonical names: those with sides get the sides."""
    made = {}
    for name, amount in amounts.items():
        for each in [name] if name in FACE_NAMES else [f"{name}_{side}" for side in sides]:
            made[each] = amount
    return made
