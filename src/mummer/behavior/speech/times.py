"""Phone and word times from files: Praat's .TextGrid, HTK's and HTS's .lab, and the .bml beside recordings."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable
from pathlib import Path

from lxml import etree

from mummer.behavior.speech.alphabets import PAUSES, to_ipa
from mummer.behavior.speech.utterance import Phone, Utterance, Word
from mummer.errors import MalformedFileError, UnknownFormatError, closest_names
from mummer.io.guard import read_bytes
from mummer.io.limits import DEFAULT_LIMITS, ReadLimits

Interval = tuple[float, float, str]
PHONE_TIERS = ("phones", "phone", "phonemes", "phoneme", "phons", "segments", "mau", "visemes")
WORD_TIERS = ("words", "word", "ort-mau", "ort")
MOST = 1_000_000
"""Intervals of a file."""
_VALUE = re.compile(r'"((?:[^"]|"")*)"|(?<![\w.])(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)(?![\w\]])|<exists>')
HTK_SECOND = 1e7
"""HTK counts in 100 ns."""


def read_times(path: str | Path, *, limits: ReadLimits = DEFAULT_LIMITS) -> Utterance:
    """What is said and when, without a sound, from a .TextGrid, .lab or .bml file; symbols become IPA.

    Raises:
        UnknownFormatError: for another ending.
        MalformedFileError: if the file contradicts its format, or holds no phones.
    """
    file = Path(path)
    reader = READERS.get(file.suffix.lower())
    if reader is None:
        near = closest_names(file.suffix.lower(), READERS) or tuple(READERS)
        raise UnknownFormatError(file, f"holds no times of speech that can be read; choose {' or '.join(near)}")
    data = read_bytes(file, limits)
    phones, words = reader(data, file)
    symbols = to_ipa(label for _, _, label in phones)
    made = tuple(
        Phone(symbol, start, end, stress)
        for (start, end, _), (symbol, stress) in zip(phones, symbols, strict=True)
        if symbol and end > start
    )
    if not made:
        raise MalformedFileError(file, "holds no phones; expected a tier of phones, or of visemes")
    spoken = [(start, end, text) for start, end, text in words if text.strip().lower() not in PAUSES]
    found, position = [], 0
    for start, end, text in spoken:
        own = [phone.stress for phone in made if start <= 0.5 * (phone.start + phone.end) < end]
        found.append(Word(text, start, end, max(own, default=0), position))
        position += len(text) + 1
    return Utterance(" ".join(text for _, _, text in spoken), _in_order(made, file), tuple(found))


def _in_order(phones: tuple[Phone, ...], file: Path) -> tuple[Phone, ...]:
    """Phones by their starts; one that reaches a little into the next is cut."""
    ordered = sorted(phones, key=lambda phone: phone.start)
    made = []
    for phone, after in zip(ordered, [*ordered[1:], None], strict=True):
        end = phone.end if after is None else min(phone.end, after.start)
        if end <= phone.start:
            raise MalformedFileError(file, f"has two phones at {phone.start:g} s")
        made.append(phone.at(phone.start, end))
    return tuple(made)


def _text(data: bytes, file: Path) -> str:
    for encoding in ("utf-16",) if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig", "latin-1"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise MalformedFileError(file, "is no text")


def _read_textgrid(data: bytes, file: Path) -> tuple[list[Interval], list[Interval]]:
    """Both spellings of the format are the same values in the same order, so only values are looked at."""
    values = [match[1].replace('""', '"') if match[1] is not None else match[2] for match in
              _VALUE.finditer(_text(data, file))]  # fmt: skip
    if len(values) < 6 or values[0] != "ooTextFile" or values[1] != "TextGrid":
        raise MalformedFileError(file, "is no TextGrid: it does not say so in its first lines")
    tiers: dict[str, list[Interval]] = {}
    # After the header come start, end, <exists> and how many tiers.
    place = 6
    try:
        for _ in range(_count(values[5], file)):
            kind, name, count = values[place], values[place + 1], _count(values[place + 4], file)
            place += 5
            width = 3 if kind == "IntervalTier" else 2
            rows = [values[place + width * row : place + width * row + width] for row in range(count)]
            place += width * count
            if width == 3:
                tiers[str(name).strip().lower()] = [(float(a), float(b), str(label)) for a, b, label in rows]
    except (IndexError, ValueError, TypeError):
        raise MalformedFileError(file, "ends, or has a number missing, in the middle of a tier") from None
    return _tier(tiers, PHONE_TIERS, file), _tier(tiers, WORD_TIERS, file)


def _count(text: str | None, file: Path) -> int:
    count = int(float(text or "nan"))
    if not 0 <= count <= MOST:
        raise MalformedFileError(file, f"has a tier of {count:,} intervals; expected at most {MOST:,}")
    return count


def _tier(tiers: dict[str, list[Interval]], names: tuple[str, ...], file: Path) -> list[Interval]:
    """The tier of one of these names, or one whose name has such a word in it."""
    for name in (*names, *(tier for tier in tiers if any(word in tier for word in names))):
        if name in tiers:
            rows = tiers[name]
            if not all(math.isfinite(start) and math.isfinite(end) for start, end, _ in rows):
                raise MalformedFileError(file, f"has a time that is no number in the tier {name!r}")
            return rows
    return []


def _read_lab(data: bytes, file: Path) -> tuple[list[Interval], list[Interval]]:
    """Lines of start, end and label; whole numbers are in 100 ns. A full-context label has its phone inside."""
    rows = []
    for number, line in enumerate(_text(data, file).splitlines()[:MOST], 1):
        parts = line.split(None, 2)
        if not parts or parts[0] == "#":
            continue
        try:
            start, end = float(parts[0]), float(parts[1])
        except (IndexError, ValueError):
            raise MalformedFileError(file, f"{line[:40]!r} has no start and end", place=f"line {number}") from None
        label = parts[2].split()[0] if len(parts) > 2 else ""
        inside = re.match(r"[^-]*-([^+]*)\+", label)
        rows.append((start, end, inside[1] if inside else label))
    unit = HTK_SECOND if rows and all(start == int(start) and end == int(end) for start, end, _ in rows) else 1.0
    if not all(math.isfinite(start) and math.isfinite(end) for start, end, _ in rows):
        raise MalformedFileError(file, "has a time that is no number")
    return [(start / unit, end / unit, label) for start, end, label in rows], []


def _read_bml(data: bytes, file: Path) -> tuple[list[Interval], list[Interval]]:
    """``<lips viseme= start= end=>``, and words between pairs of timed ``<sync>``."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False, load_dtd=False)
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise MalformedFileError(file, f"is no XML: {str(error).splitlines()[0][:120]}") from None
    phones: list[Interval] = []
    words: list[Interval] = []
    try:
        phones += [
            (_time(lips.get("start")), _time(lips.get("end")), str(lips.get("viseme", "")))
            for lips in root.iter("{*}lips")
        ]
        for text in root.iter("{*}text"):
            syncs = [sync for sync in text.iter("{*}sync") if sync.get("time")]
            for sync, after in itertools.pairwise(syncs):
                word = " ".join((sync.tail or "").split())
                if word:
                    words.append((_time(sync.get("time")), _time(after.get("time")), word))
    except ValueError:
        raise MalformedFileError(file, "has a time that is no number") from None
    return phones[:MOST], words[:MOST]


def _time(text: str | None) -> float:
    time = float(text or "")
    if not math.isfinite(time):
        raise ValueError(text)
    return time


READERS: dict[str, Callable[[bytes, Path], tuple[list[Interval], list[Interval]]]] = {
    ".textgrid": _read_textgrid,
    ".lab": _read_lab,
    ".bml": _read_bml,
    ".xml": _read_bml,
}
