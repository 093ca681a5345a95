"""Reads the MOTION part of a BVH file: how many frames, how long each, and their numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mummer.arrays import FloatArray
from mummer.errors import LimitError, MalformedFileError
from mummer.io import number_block
from mummer.io.limits import ReadLimits
from mummer.io.number_block import NumberBlock
from mummer.io.text import parse_number
from mummer.report import ReportBuilder

DEFAULT_FRAME_TIME = 1 / 30
_FRAME_TIMES = (1e-6, 1e4)
_FRAMES = re.compile(rb"\s*Frames[ \t]*:?[ \t]*(\S*)", re.IGNORECASE)
_FRAME_TIME = re.compile(rb"\s*Frame[ \t]*Time[ \t]*:?[ \t]*(\S*)", re.IGNORECASE)
_BLANK_OR_COMMENT = re.compile(rb"\s*(?:#|//)[^\n]*")


@dataclass(frozen=True)
class Motion:
    """The frames of a file.

    Attributes:
        values: (T, C) one row a frame.
        frame_time: seconds from a frame to the next.
    """

    values: FloatArray
    frame_time: float


def parse_motion(
    data: bytes, channels: int, path: Path | None, limits: ReadLimits, report: ReportBuilder, *, first_line: int
) -> Motion:
    """The motion in ``data``, everything after the word MOTION.

    Args:
        data: the rest of the file.
        channels: how many numbers a frame has.
        path: for messages.
        limits: how much it may ask for.
        report: takes what was guessed or repaired.
        first_line: the line on which MOTION stands.

    Raises:
        MalformedFileError: with the line, if numbers do not fit the channels or are not finite.
        LimitError: if there are too many numbers.
    """
    stated, frame_time, start = _read_head(data)
    frame_time = _checked_frame_time(frame_time, report)
    if stated is not None and stated * channels > limits.values:
        asked = f"asks for {stated:,.0f} frames of {channels} channels"
        raise LimitError(path, f"{asked}; the limit is {limits.values:,} numbers", place=f"line {first_line}")
    line = first_line + data.count(b"\n", 0, start)
    block = number_block.parse(data[start:], path, first_line=line, most=limits.values)
    _report_block(block, report)
    values = _frames(block.values, channels, report)
    if len(block.values) and (stated != len(values) or values.size != len(block.values)):
        _require_whole_frames(data[start:], channels, stated, path, line=line)
    if stated is None:
        report.add("repaired", "the count of frames is missing; the frames that are there are used")
    elif stated != len(values):
        found = f"says {stated:g} frames but holds {len(values):,}"
        report.add("repaired", f"{found}; what is there is used")
    return Motion(values, frame_time)


def _read_head(data: bytes) -> tuple[float | None, float | None, int]:
    """The stated count of frames, the frame time, and where the numbers start."""
    frames: float | None = None
    frame_time: float | None = None
    place = 0
    while True:
        if found := _FRAMES.match(data, place):
            frames = parse_number(found[1].decode("latin-1"))
            frames = frames if frames is not None and frames >= 0 else None
        elif found := _FRAME_TIME.match(data, place):
            frame_time = parse_number(found[1].decode("latin-1"))
        else:
            found = _BLANK_OR_COMMENT.match(data, place)
        if not found:
            return frames, frame_time, place
        place = found.end()


def _checked_frame_time(frame_time: float | None, report: ReportBuilder) -> float:
    if frame_time is None:
        report.add("guessed", "the frame time is missing; 30 frames a second are assumed")
        return DEFAULT_FRAME_TIME
    if not _FRAME_TIMES[0] <= frame_time <= _FRAME_TIMES[1]:
        report.add("guessed", f"the frame time is {frame_time:g} s; 30 frames a second are assumed")
        return DEFAULT_FRAME_TIME
    if frame_time >= 2:
        report.add("unusual", f"a frame lasts {frame_time:g} s; perhaps frames a second were meant")
    return frame_time


def _report_block(block: NumberBlock, report: ReportBuilder) -> None:
    if block.junk:
        report.add("ignored", f"after the frames stands {block.junk!r}")
    if block.decimal_commas:
        report.add("repaired", "numbers have decimal commas")


def _frames(numbers: FloatArray, channels: int, report: ReportBuilder) -> FloatArray:
    """(T, C) the numbers as frames."""
    if not channels:
        if len(numbers):
            report.add("ignored", "there are numbers in the motion, but no joint has a channel")
        return np.zeros((0, 0))
    rows, left = divmod(len(numbers), channels)
    if left:
        report.add("repaired", "the last frame is cut short and left out")
    return numbers[: rows * channels].reshape(rows, channels)


def _require_whole_frames(data: bytes, channels: int, stated: float | None, path: Path | None, *, line: int) -> None:
    """Raise unless the lines are frames (of which the last may be cut short), or frames spread over lines."""
    lines = number_block.line_counts(data, first_line=line)
    if not lines or not channels:
        return
    widths = [count for _, count in lines]
    if all(width == channels for width in widths[:-1]) and (widths[-1] <= channels and len(widths) > 1):
        return
    is_spread = sum(widths) % channels == 0 and not (len(set(widths)) == 1 and len(widths) == stated)
    if not is_spread:
        place, found = next(entry for entry in lines if entry[1] != channels)
        what = f"a frame holds {found} numbers, but the joints have {channels} channels"
        raise MalformedFileError(path, what, place=f"line {place}")
