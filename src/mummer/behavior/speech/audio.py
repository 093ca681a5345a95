"""Audio: mono samples, read from and written to .wav."""

from __future__ import annotations

import io
import struct
import wave
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mummer.arrays import FloatArray, locked
from mummer.atomic import replacing
from mummer.errors import InputError, LimitError, MalformedFileError
from mummer.io.guard import read_bytes
from mummer.io.limits import DEFAULT_LIMITS, ReadLimits

PCM, FLOAT, EXTENSIBLE = 1, 3, 0xFFFE
"""What the numbers of a .wav may be."""


@dataclass(frozen=True, eq=False)
class Audio:
    """What is heard.

    Attributes:
        rate: samples a second.
        samples: (N,) from -1 to 1.
    """

    rate: int
    samples: FloatArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "samples", locked(np.asarray(self.samples, np.float64)))
        if self.rate <= 0 or self.samples.ndim != 1:
            raise InputError(f"a sound has (N,) samples and a rate above 0; got {self.samples.shape} at {self.rate}")

    @property
    def duration(self) -> float:
        """Seconds."""
        return len(self.samples) / self.rate

    def loudness(self, times: FloatArray, *, window: float = 0.04) -> FloatArray:
        """(T,) how loud it is at some moments, root mean square over ``window`` seconds around each."""
        power = np.concatenate([[0.0], np.cumsum(self.samples**2)])
        ends = np.asarray(times, np.float64)[:, None] + 0.5 * window * np.array([-1.0, 1.0])
        first, last = np.clip(np.round(ends * self.rate), 0, len(self.samples)).astype(np.int64).T
        return np.sqrt(np.maximum(power[last] - power[first], 0.0) / max(1.0, window * self.rate))

    def shifted(self, seconds: float) -> Audio:
        """The same after so much silence; a start below 0 is cut off."""
        count = round(seconds * self.rate)
        samples = np.concatenate([np.zeros(count), self.samples]) if count >= 0 else self.samples[-count:]
        return Audio(self.rate, samples)


def read_wav(path: str | Path, *, limits: ReadLimits = DEFAULT_LIMITS) -> Audio:
    """The sound of a .wav of 8, 16, 24 or 32 bits or floats; channels are averaged.

    Raises:
        MalformedFileError: if it is no such file.
        LimitError: if it is longer than ``limits.values``.
    """
    file = Path(path)
    data = read_bytes(file, limits)
    kind, channels, rate, bits, samples = _chunks(data, file)
    width = bits // 8
    if not (0 < channels <= 64 and 0 < rate <= 1_000_000 and (kind, width) in _READERS):
        raise MalformedFileError(file, f"has {channels} channels of {bits} bits (kind {kind}) at {rate} a second; "
                                 "expected 8 to 32 bits or floats")  # fmt: skip
    if len(samples) // width > limits.values:
        raise LimitError(file, f"has {len(samples) // width:,} samples; the limit is {limits.values:,}")
    whole = samples[: len(samples) // (width * channels) * width * channels]
    values = _READERS[kind, width](whole).reshape(-1, channels).mean(axis=1)
    if not np.all(np.isfinite(values)):
        raise MalformedFileError(file, "has samples that are no finite numbers")
    return Audio(rate, np.clip(values, -1.0, 1.0))


def _chunks(data: bytes, file: Path) -> tuple[int, int, int, int, bytes]:
    """Kind, channels, rate, bits and the bytes of the samples."""
    if data[:4] != b"RIFF" or data[8:12] != b"WAVE":
        raise MalformedFileError(file, "is no .wav: it does not begin with RIFF and WAVE")
    place, form = 12, None
    while place + 8 <= len(data):
        name, size = data[place : place + 4], struct.unpack_from("<I", data, place + 4)[0]
        body = data[place + 8 : place + 8 + size]
        if name == b"fmt " and len(body) >= 16:
            kind, channels, rate, _, _, bits = struct.unpack_from("<HHIIHH", body)
            kind = struct.unpack_from("<H", body, 24)[0] if kind == EXTENSIBLE and len(body) >= 26 else kind
            form = (kind, channels, rate, bits)
        elif name == b"data" and form is not None:
            return (*form, body)
        place += 8 + size + size % 2
    raise MalformedFileError(file, f"has no {'samples' if form else 'description of its samples'}")


def _from_24(data: bytes) -> FloatArray:
    three = np.frombuffer(data, np.uint8).reshape(-1, 3)
    whole = np.zeros((len(three), 4), np.uint8)
    whole[:, 1:] = three
    return whole.view("<i4")[:, 0] / 2.0**31


_READERS: dict[tuple[int, int], Callable[[bytes], FloatArray]] = {
    (PCM, 1): lambda data: np.frombuffer(data, np.uint8) / 128.0 - 1.0,
    (PCM, 2): lambda data: np.frombuffer(data, "<i2") / 2.0**15,
    (PCM, 3): _from_24,
    (PCM, 4): lambda data: np.frombuffer(data, "<i4") / 2.0**31,
    (FLOAT, 4): lambda data: np.frombuffer(data, "<f4").astype(np.float64),
    (FLOAT, 8): lambda data: np.frombuffer(data, "<f8"),
}


def write_wav(path: str | Path, sound: Audio) -> None:
    """Write a sound as 16-bit .wav, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_bytes(wav_bytes(sound))


def wav_bytes(sound: Audio) -> bytes:
    """A sound as the bytes of a 16-bit .wav."""
    stream = io.BytesIO()
    with wave.open(stream, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(sound.rate)
        out.writeframes((np.clip(sound.samples, -1.0, 1.0) * 32767.0).astype("<i2").tobytes())
    return stream.getvalue()
