"""Ways to write speech sounds, brought to one: the International Phonetic Alphabet."""

from __future__ import annotations

import re
from collections.abc import Iterable

_ARPABET = {
    "aa": "ɑ", "ae": "æ", "ah": "ʌ", "ao": "ɔ", "aw": "aʊ", "ax": "ə", "axr": "ɚ", "ay": "aɪ", "b": "b", "ch": "tʃ",
    "d": "d", "dh": "ð", "dx": "ɾ", "eh": "ɛ", "el": "l", "em": "m", "en": "n", "er": "ɝ", "ey": "eɪ", "f": "f",
    "g": "ɡ", "hh": "h", "hv": "h", "ih": "ɪ", "ix": "ɪ", "iy": "i", "jh": "dʒ", "k": "k", "l": "l", "m": "m",
    "n": "n", "ng": "ŋ", "nx": "ɾ", "ow": "oʊ", "oy": "ɔɪ", "p": "p", "q": "ʔ", "r": "ɹ", "s": "s", "sh": "ʃ",
    "t": "t", "th": "θ", "uh": "ʊ", "uw": "u", "ux": "ʉ", "v": "v", "w": "w", "wh": "w", "y": "j", "z": "z",
    "zh": "ʒ",
}  # fmt: skip
_SAMPA = {
    "p": "p", "b": "b", "t": "t", "d": "d", "k": "k", "g": "ɡ", "tS": "tʃ", "dZ": "dʒ", "f": "f", "v": "v", "T": "θ",
    "D": "ð", "s": "s", "z": "z", "S": "ʃ", "Z": "ʒ", "h": "h", "m": "m", "n": "n", "N": "ŋ", "r": "ɹ", "l": "l",
    "w": "w", "j": "j", "I": "ɪ", "e": "e", "E": "ɛ", "{": "æ", "Q": "ɒ", "V": "ʌ", "U": "ʊ", "@": "ə", "i": "i",
    "u": "u", "3": "ɜ", "A": "ɑ", "O": "ɔ", "o": "o", "a": "a", "eI": "eɪ", "aI": "aɪ", "OI": "ɔɪ", "@U": "əʊ",
    "oU": "oʊ", "aU": "aʊ", "I@": "ɪə", "e@": "eə", "U@": "ʊə", "y": "y", "2": "ø", "9": "œ", "R": "ʁ", "x": "x",
    "C": "ç", "?": "ʔ", "4": "ɾ", "J": "ɲ", "3`": "ɝ", "@`": "ɚ",
}  # fmt: skip
_FACES = {
    "BMP": "m", "F": "f", "Th": "θ", "D": "d", "T": "t", "Z": "z", "S": "s", "Kg": "k", "KG": "k", "Ng": "ŋ", "NG": "ŋ",
    "L": "l", "R": "ɹ", "Er": "ɝ", "Sh": "ʃ", "J": "dʒ", "Ch": "tʃ", "Y": "j", "H": "h", "W": "w", "OO": "u",
    "Oo": "u", "Oh": "o", "Ow": "oʊ", "Ao": "ɔ", "Aa": "ɑ", "Ah": "ʌ", "Ae": "æ", "Ih": "ɪ", "Iy": "i", "EE": "i",
    "Ee": "i", "Eh": "ɛ", "Ey": "eɪ", "Ay": "aɪ", "Aw": "aʊ", "Oy": "ɔɪ", "Uh": "ʊ", "B": "b", "M": "m", "P": "p",
    "V": "v", "N": "n", "G": "ɡ", "K": "k", "PP": "p", "FF": "f", "TH": "θ", "DD": "d", "kk": "k", "CH": "tʃ",
    "SS": "s", "nn": "n", "RR": "ɹ", "aa": "ɑ", "E": "ɛ", "I": "ɪ", "O": "o", "U": "u",
}  # fmt: skip
PAUSES = frozenset({"", "_", "-", "sil", "sp", "spn", "pau", "h#", "#", "br", "noise", "<sil>", "<p:>", "sil.", "x"})
_IPA = re.compile(r"[a-zæçðøħŋœǀ-ǃɐ-ʯβθχɫᵻᵊ]")


def to_ipa(labels: Iterable[str]) -> list[tuple[str, int]]:
    """Each label as an IPA symbol, empty for a pause, with its stress, 0 to 2; labels of one file are of one alphabet.

    Example:
        >>> to_ipa(["hh", "ay1", "sil"])
        [('h', 0), ('aɪ', 2), ('', 0)]
    """
    given = [label.strip() for label in labels]
    split = [_stress(label) for label in given]
    spoken = [label for label, _ in split if label.lower() not in PAUSES]
    lower = {label.lower() for label in spoken}
    tables = [
        {**{name: name for name in spoken if _is_ipa(name)}},
        _ARPABET | {name.upper(): symbol for name, symbol in _ARPABET.items()},
        _SAMPA,
        _FACES,
    ]
    known = [sum(label in table for label in spoken) for table in tables]
    # Letters that all alphabets share decide nothing; two-letter names of plain letters are not IPA's.
    if lower & {"hh", "iy", "ih", "eh", "ey", "ax", "er", "dh", "sh", "th", "ng", "aa", "ao", "uw", "ow", "ay"}:
        known[0] = -1
    best = tables[max(range(len(tables)), key=lambda table: (known[table], -table))]
    return [
        ("", 0) if label.lower() in PAUSES else (best.get(label, label if _is_ipa(label) else ""), stress)
        for label, stress in split
    ]


def _stress(label: str) -> tuple[str, int]:
    """A label without its stress, and the stress: IPA's marks before it, or ARPABET's number behind it."""
    found = re.fullmatch(r"([A-Za-z]{2,3})([012])", label)
    if found:
        return found[1], {"0": 0, "1": 2, "2": 1}[found[2]]
    plain = label.replace("ˈ", "").replace("ˌ", "")
    return plain, 2 if "ˈ" in label else 1 if "ˌ" in label else 0


def _is_ipa(label: str) -> bool:
    return bool(label) and len(label) <= 8 and _IPA.match(label) is not None
