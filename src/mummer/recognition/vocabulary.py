"""Which words a skeleton's names are read with: English always, another language where it is clearly spoken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from mummer.recognition.languages import LANGUAGES, SCRIPTS
from mummer.recognition.words import ENGLISH, NOISE

LEAST_WORDS = 4
"""So many different words that English lacks make a language spoken; fewer may be words of something else."""


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Words and how to find them.

    Attributes:
        meanings: word to meaning.
        long: Latin words of three letters or more, to look for inside others, the longest first.
        signs: words in other scripts, which are written without gaps, the longest first.
    """

    meanings: Mapping[str, str]
    long: tuple[str, ...]
    signs: tuple[str, ...]

    def split(self, piece: str) -> list[str]:
        """The known words that a piece of a name is made of; the piece itself if it does not come apart."""
        folded = piece.casefold()
        if folded in self.meanings or folded in NOISE or folded.isdigit():
            return [folded]
        if not folded.isascii():
            return self._signs(folded)
        return self._sided(folded) or [folded]

    def _signs(self, text: str) -> list[str]:
        """Known words in a text without gaps, the longest at each place first."""
        found, place = [], 0
        while place < len(text):
            word = next((sign for sign in self.signs if text.startswith(sign, place)), "")
            if word:
                found.append(word)
            place += len(word) or 1
        return found

    def _sided(self, text: str) -> list[str]:
        """An unknown word as known ones: ``lfemur``, ``lefthand``, ``toebase``; empty if it does not come apart."""
        for side in ("left", "right", "l", "r"):
            if text.startswith(side):
                words = self._rest(text[len(side) :], side)
                if words:
                    return [side, *words]
            if text.endswith(side) and len(text) > len(side) + 2:
                words = self._rest(text[: -len(side)], side)
                if words:
                    return [*words, side]
        return self._whole(text)

    def _rest(self, text: str, side: str) -> list[str]:
        if text in self.meanings and len(text) > 2:
            return [text]
        return self._whole(text) if len(side) > 1 else []

    def _whole(self, text: str, depth: int = 4) -> list[str]:
        if not text:
            return []
        if text in self.meanings or text in NOISE:
            return [text]
        for word in self.long if depth else ():
            if text.startswith(word):
                rest = self._whole(text[len(word) :], depth - 1)
                if rest:
                    return [word, *rest]
        return []


def _words(table: Mapping[str, str]) -> dict[str, str]:
    """Word to meaning; of two meanings the first is kept."""
    found: dict[str, str] = {}
    for meaning, words in table.items():
        for word in words.split():
            found.setdefault(word, meaning)
    return found


@lru_cache
def _tables() -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    return {**_words(SCRIPTS), **_words(ENGLISH)}, {name: _words(table) for name, table in LANGUAGES.items()}


@lru_cache
def vocabulary(languages: tuple[str, ...] = ()) -> Vocabulary:
    """English and the scripts of their own, with ``languages`` (keys of `LANGUAGES`); English goes before them."""
    known, others = _tables()
    meanings = dict(known)
    for language in languages:
        for word, meaning in others[language].items():
            meanings.setdefault(word, meaning)
    long = sorted((word for word in meanings if len(word) >= 3 and word.isascii()), key=len, reverse=True)
    signs = sorted((word for word in meanings if not word.isascii()), key=len, reverse=True)
    return Vocabulary(meanings, tuple(long), tuple(signs))


def spoken(pieces: Iterable[str]) -> tuple[str, ...]:
    """The one language beside English that the pieces of a skeleton's names are clearly in; empty if none is."""
    known, others = _tables()
    distinct = {piece for piece in pieces if piece not in known and piece not in NOISE}
    counts = {name: sum(piece in words and len(piece) > 1 for piece in distinct) for name, words in others.items()}
    best = max(counts, key=lambda name: counts[name])
    return (best,) if counts[best] >= LEAST_WORDS else ()
