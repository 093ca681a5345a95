"""Sounds through files."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from mummer.behavior.speech import Audio, read_wav, write_wav
from mummer.errors import LimitError, MalformedFileError
from mummer.io.limits import ReadLimits

WAVE = 0.5 * np.sin(np.arange(800) / 5.0)


def wav(kind: int, bits: int, data: bytes, channels: int = 1, *, extra: bytes = b"") -> bytes:
    form = struct.pack("<HHIIHH", kind, channels, 8000, 8000 * channels * bits // 8, channels * bits // 8, bits)
    body = b"WAVE" + extra + b"fmt " + struct.pack("<I", 16) + form + b"data" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", len(body)) + body


def test_what_is_written_is_read(tmp_path: Path) -> None:
    write_wav(tmp_path / "a.wav", Audio(8000, WAVE))
    back = read_wav(tmp_path / "a.wav")
    assert back.rate == 8000
    assert np.abs(back.samples - WAVE).max() < 1e-4


@pytest.mark.parametrize(
    ("kind", "bits", "data", "error"),
    [
        (1, 8, np.round(WAVE * 127 + 128).astype(np.uint8).tobytes(), 0.01),
        (1, 16, (WAVE * 32767).astype("<i2").tobytes(), 1e-4),
        (1, 24, b"".join(int(v * (2**23 - 1)).to_bytes(3, "little", signed=True) for v in WAVE), 1e-6),
        (1, 32, (WAVE * (2**31 - 1)).astype("<i4").tobytes(), 1e-6),
        (3, 32, WAVE.astype("<f4").tobytes(), 1e-6),
        (3, 64, WAVE.astype("<f8").tobytes(), 1e-9),
    ],
)
def test_every_kind_of_sample(tmp_path: Path, kind: int, bits: int, data: bytes, error: float) -> None:
    file = tmp_path / "a.wav"
    file.write_bytes(wav(kind, bits, data, extra=b"LIST" + struct.pack("<I", 3) + b"abc\0"))
    assert np.abs(read_wav(file).samples - WAVE).max() < error


def test_channels_are_averaged(tmp_path: Path) -> None:
    file = tmp_path / "a.wav"
    both = np.stack([WAVE, -WAVE], axis=1)
    file.write_bytes(wav(1, 16, (both * 32767).astype("<i2").tobytes(), channels=2))
    assert np.abs(read_wav(file).samples).max() < 1e-4


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "does not begin"),
        (b"RIFF\0\0\0\0WAVE", "no description"),
        (wav(1, 16, b"")[:40], "no samples"),
        (wav(7, 8, b"abc"), "expected 8 to 32 bits"),
        (wav(1, 16, b"ab", channels=0), "0 channels"),
        (wav(3, 32, np.array([np.nan], "<f4").tobytes()), "finite"),
        (b"RIFF\xff\xff\xff\xffWAVEfmt \xff\xff\xff\xff", "no description"),
    ],
)
def test_broken_files_are_refused(tmp_path: Path, data: bytes, message: str) -> None:
    file = tmp_path / "a.wav"
    file.write_bytes(data)
    with pytest.raises(MalformedFileError, match=message):
        read_wav(file)


def test_a_long_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.wav"
    file.write_bytes(wav(1, 16, bytes(2000)))
    with pytest.raises(LimitError, match="1,000 samples"):
        read_wav(file, limits=ReadLimits(values=500))


def test_loudness_is_where_the_sound_is() -> None:
    sound = Audio(8000, np.concatenate([np.zeros(800), WAVE]))
    quiet, loud = sound.loudness(np.array([0.05, 0.15]))
    assert quiet == 0.0
    assert loud == pytest.approx(0.5 / np.sqrt(2), rel=0.05)
    assert sound.shifted(0.1).duration == pytest.approx(sound.duration + 0.1)
    assert sound.shifted(-0.1).duration == pytest.approx(sound.duration - 0.1)
