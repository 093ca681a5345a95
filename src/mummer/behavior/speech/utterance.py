"""What is said, and when: phones, words, and the sound if there is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from mummer.behavior.speech.audio import Audio
from mummer.errors import InputError


@dataclass(frozen=True)
class Phone:
    """One speech sound.

    Attributes:
        symbol: in the International Phonetic Alphabet, without stress.
        start: seconds.
        end: seconds.
        stress: 0 none, 1 secondary, 2 primary.
    """

    symbol: str
    start: float
    end: float
    stress: int = 0

    @property
    def duration(self) -> float:
        """Seconds."""
        return self.end - self.start

    def at(self, start: float, end: float) -> Phone:
        """The same at another time."""
        return replace(self, start=start, end=end)


@dataclass(frozen=True)
class Word:
    """One word.

    Attributes:
        text: as it is written.
        start: seconds.
        end: seconds.
        stress: the strongest of its phones.
        position: letters of the text before it.
    """

    text: str
    start: float
    end: float
    stress: int = 0
    position: int = 0


@dataclass(frozen=True, eq=False)
class Utterance:
    """Something said: what, and when. Pauses are where no phone is.

    Attributes:
        text: as it is written.
        phones: in order, none over another.
        words: in order.
        sound: what is heard, or None.
        marks: named moments, seconds.
    """

    text: str
    phones: tuple[Phone, ...]
    words: tuple[Word, ...] = ()
    sound: Audio | None = None
    marks: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "phones", tuple(self.phones))
        object.__setattr__(self, "words", tuple(self.words))
        edges = [edge for phone in self.phones for edge in (phone.start, phone.end)]
        if not np.all(np.isfinite(edges)) or np.any(np.diff(edges) < -1e-9):
            raise InputError("the phones of an utterance must follow one another in time")

    @property
    def start(self) -> float:
        """Seconds at which the first phone begins."""
        return self.phones[0].start if self.phones else 0.0

    @property
    def end(self) -> float:
        """Seconds at which the last phone ends."""
        return self.phones[-1].end if self.phones else 0.0

    @property
    def duration(self) -> float:
        """Seconds of all of it, silence included."""
        return max(self.end, self.sound.duration if self.sound is not None else 0.0)

    def warped(self, before: Sequence[float], after: Sequence[float]) -> Utterance:
        """The same phones and words at other times: the moments ``before`` move to ``after``, what is between along.

        The sound stays as it is.
        """

        def moved(time: float) -> float:
            if time <= before[0]:
                return time + after[0] - before[0]
            if time >= before[-1]:
                return time + after[-1] - before[-1]
            return float(np.interp(time, before, after))

        phones = tuple(phone.at(moved(phone.start), moved(phone.end)) for phone in self.phones)
        words = tuple(replace(word, start=moved(word.start), end=moved(word.end)) for word in self.words)
        return replace(self, phones=phones, words=words, marks={name: moved(t) for name, t in self.marks.items()})


def with_marks(utterance: Utterance, positions: Mapping[str, int]) -> Utterance:
    """The utterance with named moments between its letters: the start of the next word, or the end of the last."""
    marks = dict(utterance.marks)
    for name, position in positions.items():
        later = [word.start for word in utterance.words if word.position >= position]
        marks[name] = later[0] if later else utterance.end
    return replace(utterance, marks=marks)
