"""What the name of a joint says: side, part, number, and whether it is a helper. Names vote; they do not decide."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

from mummer.recognition.context import in_context
from mummer.recognition.reading import Reading
from mummer.recognition.vocabulary import spoken, vocabulary
from mummer.recognition.words import PARTS

_PIECES = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_A-Za-z]+")


def read_names(names: Sequence[str]) -> tuple[Reading, ...]:
    """What each of the names of one skeleton says; words that most of them share are taken as noise."""
    plain = [_plain(name) for name in names]
    languages = spoken({piece.casefold() for name in plain for piece in _PIECES.findall(name)})
    split = [_words(name, languages) for name in plain]
    often = Counter(word for words in split for word in set(words))
    meanings = vocabulary(languages).meanings
    # What steers others is rarer than what is steered.
    most = {word: 0.35 if meanings.get(word) == "control" else 0.6 for word in often}
    common = {word for word, count in often.items() if count > most[word] * len(names) and len(names) > 4}
    kept = [[word for word in words if word not in common or word.isdigit()] for words in split]
    return in_context([_reading(words, meanings) for words in _with_corners(kept)])


_CORNERS = {"f": "front", "h": "hind", "b": "hind"}


def _with_corners(split: list[list[str]]) -> list[list[str]]:
    """Words like ``lf`` and ``rf``, ``fl`` and ``fr``, taken apart where both of a pair occur: a side and an end."""
    seen = {word for words in split for word in words}
    apart: dict[str, list[str]] = {}
    for letter, end in _CORNERS.items():
        for left, right in ((f"l{letter}", f"r{letter}"), (f"{letter}l", f"{letter}r")):
            if {left, right} <= seen:
                apart |= {left: ["left", end], right: ["right", end]}
    return [[part for word in words for part in apart.get(word, [word])] for words in split] if apart else split


_ABBREVIATED = re.compile(r"(?<![A-Za-z])([LR])([UFL])(?=Arm\b|Leg\b)")
_WRITTEN_OUT = {"U": "Upper", "F": "Fore", "L": "Lower"}


@lru_cache(maxsize=8192)
def _plain(name: str) -> str:
    """The name without namespaces, the number that made it unique and the accents of Latin letters."""
    bare = re.sub(r"#\d+$", "", re.split(r"[:|]", name)[-1])
    if not bare.isascii():
        found = []
        for sign in unicodedata.normalize("NFKC", bare).replace("ß", "ss").replace("ł", "l").replace("ı", "i"):
            base = unicodedata.normalize("NFKD", sign)[0]
            found.append(base if base.isascii() else sign)
        bare = "".join(found)
    return _ABBREVIATED.sub(lambda found: f"{found[1]} {_WRITTEN_OUT[found[2]]} ", bare)


@lru_cache(maxsize=8192)
def _words(name: str, languages: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a name: split at signs, digits and capitals, known words taken out of unknown ones."""
    known = vocabulary(languages)
    return tuple(word for piece in _PIECES.findall(name) for word in known.split(piece))


def _reading(words: Sequence[str], known: Mapping[str, str]) -> Reading:
    meanings = [known[word] for word in words if word in known]
    numbers = tuple(int(word) for word in words if word.isdigit() and len(word) < 6)
    kinds = set(meanings)
    side = _side(words, known)
    if "mid" in words and side and kinds <= {"left", "right", "center", "hand", "finger", "metacarpal"}:
        kinds.add("middle")
    elif "mid" in words and kinds & {"leg", "arm"}:
        # Of leg_top, leg_mid and leg_bottom the second is where the leg bends, too.
        kinds.add("lower")
    parts = _parts(kinds, side, meanings)
    helper = bool(kinds & {"control", "twist", "end", "prop"})
    key = " ".join(word for word in words if known.get(word) not in ("left", "right"))
    return Reading(side, parts, frozenset(kinds - {"left", "right", "center"}), numbers, helper, key)


def _side(words: Sequence[str], known: Mapping[str, str]) -> str:
    """The side that the words of a name say; of two, that of the longer word, for the letter stands for another."""
    said = sorted({(len(word), known[word]) for word in words if known.get(word) in ("left", "right")}, reverse=True)
    clear = len({side for _, side in said}) == 1 or (len(said) > 1 and said[0][0] > said[1][0])
    return said[0][1] if said and clear else ""


_DIGITS = {"thumb", "index", "middle", "ring", "little", "finger", "metacarpal"}
_FACE = {"eye", "eyelid", "brow", "jaw", "mouth", "lip", "tongue", "teeth", "nose", "ear", "horn", "face", "hair"}
_OTHER = {"tail", "feather", "fin", "antenna", "breast", "cloth", "prop"}


_TRUNK: dict[str, dict[str, dict[str, float]]] = {
    "body": {"lower": {"hips": 0.9}, "upper": {"spine": 0.8, "chest": 0.3}},
    "torso": {"lower": {"hips": 0.45, "spine": 0.5}, "upper": {"chest": 0.7, "spine": 0.6}},
    "spine": {"root": {"hips": 0.7, "spine": 0.6}},
}
"""Words of the trunk that another word beside them changes: what both together stand for."""


def _parts(kinds: set[str], side: str, order: list[str]) -> dict[str, float]:
    """The parts that the meanings of one name speak for."""
    if kinds & {"toes"} or {"foot", "finger"} <= kinds:
        return {"toes": 1.0}
    if kinds & (_DIGITS | _OTHER) or (kinds & _FACE and "head" not in kinds):
        return {}
    if "heel" in kinds:
        return {}
    if not side and kinds & _TRUNK.keys():
        for meaning, finer in _TRUNK.items():
            if meaning in kinds and finer.keys() & kinds:
                return next(parts for word, parts in finer.items() if word in kinds)
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
