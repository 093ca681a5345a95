"""The mouth shape of each speech sound, and how much it insists on it."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from mummer.character.face import VISEMES

Mixture = dict[str, float]
"""Visemes, by their last letters, and how much of each; what lacks to 1 is the mouth at rest."""

_CONSONANTS: dict[str, tuple[str, Mixture, float]] = {
    "bilabial": ("pbmɓʙɸβ", {"PP": 1.0}, 1.0),
    "labiodental": ("fvɱʋ", {"FF": 1.0}, 1.0),
    "dental": ("θð", {"TH": 0.9}, 0.55),
    "alveolar": ("tdɾɗʈɖ", {"DD": 0.8}, 0.4),
    "nasal": ("nɳɲlɫɬɭʎ", {"nn": 0.8}, 0.35),
    "velar": ("kɡgŋxɣqɢχʁçcɟʀħʕɴ", {"kk": 0.8}, 0.3),
    "glottal": ("hɦʔ", {"kk": 0.3}, 0.1),
    "sibilant": ("szɮ", {"SS": 0.9}, 0.7),
    "palatal": ("ʃʒɕʑʂʐ", {"CH": 1.0}, 0.8),
    "rhotic": ("ɹrɻɽ", {"RR": 0.8}, 0.5),
    "glide": ("jɥ", {"I": 0.6}, 0.4),
    "rounded": ("wʍ", {"U": 0.9}, 0.8),
}
_VOWELS: dict[str, tuple[Mixture, float]] = {
    "aɑɐ": ({"aa": 1.0}, 1.0), "æ": ({"aa": 0.65, "E": 0.35}, 1.0), "ʌ": ({"aa": 0.75}, 0.9),
    "ɛ": ({"E": 1.0}, 1.0), "e": ({"E": 0.8, "I": 0.2}, 1.0), "ə": ({"E": 0.3, "aa": 0.2}, 0.5),
    "ɘɜ": ({"E": 0.6}, 0.7),    "i": ({"I": 1.0}, 1.0), "ɪɨᵻ": ({"I": 0.7, "E": 0.1}, 0.8), "o": ({"O": 1.0}, 1.0),
    "ɔɒ": ({"O": 0.65, "aa": 0.35}, 1.0), "u": ({"U": 1.0}, 1.0), "ʊʉɯ": ({"U": 0.7, "O": 0.1}, 0.8),
    "yʏ": ({"U": 0.9}, 1.0), "øœɵ": ({"O": 0.6, "U": 0.4}, 1.0), "ɚɝ": ({"RR": 0.7, "E": 0.2}, 0.8),
}  # fmt: skip
INDEX = {name.removeprefix("viseme_"): place for place, name in enumerate(VISEMES)}


@dataclass(frozen=True)
class Shape:
    """A mouth shape that a sound wants.

    Attributes:
        mixture: of visemes.
        dominance: how much it insists, 0 to 1, against its neighbours.
        vowel: whether it opens with loudness and stress.
        contact: ``PP`` or ``FF`` where lips must meet each other or the teeth, else empty.
    """

    mixture: Mixture
    dominance: float
    vowel: bool = False
    contact: str = ""


_SHAPES: dict[str, Shape] = {
    **{
        letter: Shape(mixture, dominance, contact=next((name for name in mixture if name in ("PP", "FF")), ""))
        for letters, mixture, dominance in _CONSONANTS.values()
        for letter in letters
    },
    **{
        letter: Shape(mixture, dominance, vowel=True)
        for letters, (mixture, dominance) in _VOWELS.items()
        for letter in letters
    },
}


def shapes_of(symbol: str) -> tuple[Shape, ...]:
    """The mouth shapes that an IPA symbol passes through: one, two of a diphthong or an affricate; none if unknown.

    Example:
        >>> [shape.mixture for shape in shapes_of("m")]
        [{'PP': 1.0}]
        >>> len(shapes_of("aɪ"))
        2
    """
    plain = unicodedata.normalize("NFD", symbol)
    found = [_SHAPES[letter] for letter in plain if letter in _SHAPES]
    if len(found) > 1 and not found[0].vowel and found[1].mixture in ({"CH": 1.0}, {"SS": 0.9}):
        found = found[1:]  # An affricate has the lips of its hiss throughout.
    return tuple(found[:3])
