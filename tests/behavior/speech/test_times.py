"""Times of phones from files, in every alphabet and format that the shared recordings have."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from mummer.behavior.speech import read_times
from mummer.behavior.speech.alphabets import to_ipa
from mummer.errors import MalformedFileError, MummerError, UnknownFormatError

LONG = '''File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0
xmax = 1.5
tiers? <exists>
size = 2
item []:
    item [1]:
        class = "IntervalTier"
        name = "words"
        xmin = 0
        xmax = 1.5
        intervals: size = 2
        intervals [1]:
            xmin = 0
            xmax = 0.5
            text = ""
        intervals [2]:
            xmin = 0.5
            xmax = 1.5
            text = "say ""hi"""
    item [2]:
        class = "IntervalTier"
        name = "phones"
        xmin = 0
        xmax = 1.5
        intervals: size = 3
        intervals [1]:
            xmin = 0
            xmax = 0.5
            text = "sil"
        intervals [2]:
            xmin = 0.5
            xmax = 0.75
            text = "HH"
        intervals [3]:
            xmin = 0.75
            xmax = 1.5
            text = "AY1"
'''


def test_a_long_text_grid(tmp_path: Path) -> None:
    file = tmp_path / "a.TextGrid"
    file.write_text(LONG)
    said = read_times(file)
    assert [(phone.symbol, phone.start, phone.end, phone.stress) for phone in said.phones] == [
        ("h", 0.5, 0.75, 0),
        ("aɪ", 0.75, 1.5, 2),
    ]
    assert [(word.text, word.start, word.stress) for word in said.words] == [('say "hi"', 0.5, 2)]


def test_utf_16_is_read(tmp_path: Path) -> None:
    file = tmp_path / "a.TextGrid"
    file.write_bytes(LONG.encode("utf-16"))
    assert len(read_times(file).phones) == 2


def test_every_shared_file_says_what_the_table_says(data_dir: Path) -> None:
    folder = data_dir / "speech"
    if not folder.is_dir():
        pytest.skip("no shared speech")
    for entry in json.loads((folder / "speech.json").read_text()):
        audio = folder / entry["audio"]
        sides = [audio.with_suffix(end) for end in (".TextGrid", ".bml")]
        file = next((side for side in sides if side.exists()), folder / "cmu_arctic/arctic_a0009_phone.lab")
        said = read_times(file)
        tier = next(entry["tiers"][name] for name in ("phone", "phons", "phonemes", "phones", "visemes")
                    if name in entry["tiers"])  # fmt: skip
        spoken = [row for row in tier if row[2] not in ("", "_", "sil")]
        found = np.array([(phone.start, phone.end) for phone in said.phones])
        assert np.abs(found - np.array([row[:2] for row in spoken])).max() < 1e-3, entry["id"]


@pytest.mark.parametrize(
    ("labels", "symbols"),
    [
        (["hh", "iy", "t", "er"], ["h", "i", "t", "ɝ"]),
        (["D", "eI", "m", "@", "n"], ["ð", "eɪ", "m", "ə", "n"]),
        (["BMP", "Ah", "Kg", "_"], ["m", "ʌ", "k", ""]),
        (["m", "ə", "θ", "œ"], ["m", "ə", "θ", "œ"]),
        (["PP", "aa", "CH", "sil"], ["p", "ɑ", "tʃ", ""]),
    ],
)
def test_alphabets_are_told_apart(labels: list[str], symbols: list[str]) -> None:
    assert [symbol for symbol, _ in to_ipa(labels)] == symbols


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.TextGrid", "hello", "no TextGrid"),
        ("a.TextGrid", LONG[:420], "in the middle of a tier|no phones"),
        ("a.TextGrid", LONG.replace("size = 3", "size = 999999999"), "at most|in the middle"),
        ("a.TextGrid", LONG.replace("size = 3", "size = 3000"), "in the middle"),
        ("a.lab", "0 100 sil", "no phones"),
        ("a.lab", "zero one two", "no start and end"),
        ("a.bml", "<bml><lips", "no XML"),
        ("a.bml", "<bml><lips viseme='D' start='x' end='1'/></bml>", "no number"),
        ("a.bml", "<bml><lips viseme='D' start='nan' end='1'/></bml>", "no number"),
        ("a.bml", "<bml/>", "no phones"),
        ("a.lab", "0 2000000 a\n0 2000000 b\n", "two phones"),
    ],
)
def test_broken_files_are_refused(tmp_path: Path, name: str, text: str, message: str) -> None:
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(MalformedFileError, match=message):
        read_times(file)


def test_an_entity_bomb_is_not_blown_up(tmp_path: Path) -> None:
    file = tmp_path / "a.bml"
    file.write_text('<!DOCTYPE b [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><bml><text>&b;</text></bml>')
    with pytest.raises(MummerError):
        read_times(file)


def test_another_ending_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnknownFormatError, match="textgrid"):
        read_times(tmp_path / "a.grid")
