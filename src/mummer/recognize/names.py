"""What the name of a joint says: side, part, number, and whether it is a helper. Names vote; they do not decide."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from mummer.recognize.words import LONG_WORDS, NOISE, PARTS, SIGNS, WORDS

_PIECES = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_A-Za-z]+")
LIMB_PARTS = ("shoulder", "upper_arm", "forearm", "hand", "upper_leg", "lower_leg", "foot", "toes")


@dataclass(frozen=True)
class Reading:
    """What one name says.

    Attributes:
        side: ``left``, ``right``, or empty if it names none.
        parts: part of the trunk or a limb to how much the name speaks for it, 0 to 1.
        meanings: every meaning found in the name, see `mummer.recognize.words`.
        numbers: the numbers in the name, in order.
        helper: whether the name is that of a control, a twist or roll joint, an end or a prop.
        key: the name without its side: partners have the same.
    """

    side: str = ""
    parts: dict[str, float] = field(default_factory=dict)
    meanings: frozenset[str] = frozenset()
    numbers: tuple[int, ...] = ()
    helper: bool = False
    key: str = ""

    def vote(self, *parts: str) -> float:
        """How much the name speaks for any of ``parts``: 1 fully, 0 not at all, -1 for another part instead."""
        best = max((self.parts.get(part, 0.0) for part in parts), default=0.0)
        if best > 0:
            return best
        return -1.0 if self.parts else 0.0

    @property
    def speaks(self) -> bool:
        """Whether the name says anything about a part."""
        return bool(self.parts or self.meanings - {"root", "end", "control"})


SILENT = Reading()
"""The reading of a joint that has no name worth reading."""


def read_names(names: Sequence[str]) -> tuple[Reading, ...]:
    """What each of the names of one skeleton says; words that most of them share are taken as noise."""
    split = [_words(_bare(name)) for name in names]
    often = Counter(word for words in split for word in set(words))
    common = {word for word, count in often.items() if count > 0.6 * len(names) and len(names) > 4}
    return tuple(_reading([word for word in words if word not in common or word.isdigit()]) for words in split)


def _bare(name: str) -> str:
    """The name without namespaces and without the number that made it unique."""
    return re.sub(r"#\d+$", "", re.split(r"[:|]", name)[-1])


@lru_cache(maxsize=8192)
def _words(name: str) -> tuple[str, ...]:
    """The words of a name: split at signs, digits and capitals, known words taken out of unknown ones."""
    found: list[str] = []
    for piece in _PIECES.findall(_plain(name)):
        found.extend(_known(piece))
    return tuple(found)


def _plain(name: str) -> str:
    """The name with the accents of Latin letters left out; other scripts keep theirs."""
    found = []
    for sign in unicodedata.normalize("NFKC", name).replace("ß", "ss"):
        base = unicodedata.normalize("NFKD", sign)[0]
        found.append(base if base.isascii() else sign)
    return "".join(found)


def _known(piece: str) -> list[str]:
    folded = piece.casefold()
    if not folded.isascii():
        return [folded] if folded in WORDS else _signs(folded)
    if folded in WORDS or folded in NOISE or folded.isdigit():
        return [folded]
    return _split(folded) or [folded]


def _signs(text: str) -> list[str]:
    """Known words in a text without gaps, the longest at each place first."""
    found, place = [], 0
    while place < len(text):
        word = next((sign for sign in SIGNS if text.startswith(sign, place)), "")
        if word:
            found.append(word)
        place += len(word) or 1
    return found


def _split(text: str) -> list[str]:
    """An unknown word as known ones: ``lfemur``, ``lefthand``, ``toebase``; empty if it does not come apart."""
    for side in ("left", "right", "l", "r"):
        if text.startswith(side):
            rest = text[len(side) :]
            words = [rest] if rest in WORDS and len(rest) > 2 else (_whole(rest) if len(side) > 1 else [])
            if words:
                return [side, *words]
        if text.endswith(side) and len(text) > len(side) + 2:
            rest = text[: -len(side)]
            words = [rest] if rest in WORDS and len(rest) > 2 else (_whole(rest) if len(side) > 1 else [])
            if words:
                return [*words, side]
    return _whole(text)


def _whole(text: str, depth: int = 4) -> list[str]:
    if not text:
        return []
    if text in WORDS or text in NOISE:
        return [text]
    for word in LONG_WORDS if depth else ():
        if text.startswith(word):
            rest = _whole(text[len(word) :], depth - 1)
            if rest or text == word:
                return [word, *rest]
    return []


def _reading(words: Sequence[str]) -> Reading:
    meanings = [WORDS[word] for word in words if word in WORDS]
    numbers = tuple(int(word) for word in words if word.isdigit() and len(word) < 6)
    kinds = set(meanings)
    side = _side(kinds)
    parts = _parts(kinds, side, meanings)
    helper = bool(kinds & {"control", "twist", "end", "prop"})
    key = " ".join(word for word in words if WORDS.get(word) not in ("left", "right"))
    return Reading(side, parts, frozenset(kinds - {"left", "right", "center"}), numbers, helper, key)


def _side(kinds: set[str]) -> str:
    if ("left" in kinds) == ("right" in kinds):
        return ""
    return "left" if "left" in kinds else "right"


_DIGITS = {"thumb", "index", "middle", "ring", "little", "finger", "metacarpal"}
_FACE = {"eye", "eyelid", "brow", "jaw", "mouth", "lip", "tongue", "teeth", "nose", "ear", "horn", "face", "hair"}
_OTHER = {"tail", "feather", "fin", "antenna", "breast", "cloth", "prop"}


def _parts(kinds: set[str], side: str, order: list[str]) -> dict[str, float]:
    """The parts that the meanings of one name speak for."""
    if kinds & (_DIGITS | _OTHER) or (kinds & _FACE and "head" not in kinds):
        return {}
    if kinds & {"toes"}:
        return {"toes": 1.0}
    if "heel" in kinds:
        return {}
    parts: dict[str, float] = {}
    for meaning in order:
        for part, weight in PARTS.get(meaning, {}).items():
            parts[part] = max(parts.get(part, 0.0), weight)
    if not parts and "hind" in kinds and not side:
        # Back, LowerBack, UpperBack: the one that is behind is the spine.
        return {"spine": 0.7}
    if not parts and side and kinds & {"front", "hind"} and kinds & {"upper", "lower"}:
        # front_left_upper: only the word for the limb is missing.
        return {"upper_leg" if "upper" in kinds else "lower_leg": 1.0}
    parts = _with_side(kinds, side, parts)
    return _with_place(kinds, parts)


def _with_side(kinds: set[str], side: str, parts: dict[str, float]) -> dict[str, float]:
    if not side:
        return parts
    if "hip" in kinds and not kinds & {"hips"}:
        # LeftHip is the hip socket, where the thigh starts; LHipJoint and pelvis.L stand before it.
        return {"upper_leg": 0.8, "shoulder": 0.3}
    if "hips" in kinds:
        return {"shoulder": 0.8}
    return {part: weight for part, weight in parts.items() if part not in ("hips", "root")}


def _with_place(kinds: set[str], parts: dict[str, float]) -> dict[str, float]:
    """``upper`` and ``lower`` make an arm or a leg one half of it; a word for the joint below a limb wins."""
    for limb, upper, lower in (("arm", "upper_arm", "forearm"), ("leg", "upper_leg", "lower_leg")):
        if limb not in kinds:
            continue
        finer = kinds & {"shoulder", "clavicle", "hand", "foot", "hips", "hip", upper, lower}
        if finer:
            parts = {part: weight for part, weight in parts.items() if part not in (upper, lower)} | {
                part: weight for meaning in finer for part, weight in PARTS[meaning].items() if part not in ("hips",)
            }
            if kinds & {"hips", "hip"}:
                parts["shoulder"] = 0.8
        elif "upper" in kinds:
            parts = {upper: 1.0}
        elif "lower" in kinds:
            parts = {lower: 1.0}
    return parts
