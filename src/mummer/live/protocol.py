"""What goes to and from a server: messages as JSON, frames and sound as bytes.

Poses, little-endian::

    u8   1: poses            u8   version, 1          u16  how many characters follow
    u32  number of the frame                          f64  seconds on the clock of the world
    for each character:
      u16  its number        u16  joints J            u16  morphs M            u16  flags: 1 translations, 2 scales
      f32  x 3      translation of the first joint, metres
      i16  x 4 J    rotations parent_from_joint, xyzw, 32767 is 1
      f32  x 3 J    translations of all joints, if flagged
      f32  x 3 J    scales of all joints, if flagged
      i16  x M      morph weights, 16384 is 1

Sound, little-endian::

    u8   2: sound            u8   version, 1          u16  number of the character
    u32  samples a second    f64  seconds on the clock at which the whole of it begins
    u32  number of the sound u32  samples of it before these
    i16  x the rest          samples, 32767 is 1
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Pose
from mummer.errors import InputError

VERSION = 1
POSES, SOUND = 1, 2
HEAD = struct.Struct("<BBHId")
BODY = struct.Struct("<HHHH3f")
VOICE = struct.Struct("<BBHIdII")
TURNS, WEIGHTS = 32767.0, 16384.0
TRANSLATED, SCALED = 1, 2
MOST_MESSAGE = 1_100_000
"""Bytes of a message that comes in."""

Place = tuple[float, float, float]


class Bml(msgspec.Struct, tag="bml", tag_field="type", forbid_unknown_fields=True):
    """Blocks of BML to play."""

    text: str
    id: int | str | None = None


class Go(msgspec.Struct, tag="go", tag_field="type", forbid_unknown_fields=True):
    """Go to a place, or on at a speed or a velocity, or turn."""

    character: str = ""
    to: list[float] | None = None
    velocity: tuple[float, float] | None = None
    speed: float | None = None
    heading: float | None = None
    id: int | str | None = None


class Look(msgspec.Struct, tag="look", tag_field="type", forbid_unknown_fields=True):
    """Look at something, from now on; at nothing in particular if null."""

    character: str = ""
    at: Place | str | None = None
    id: int | str | None = None


class Do(msgspec.Struct, tag="do", tag_field="type", forbid_unknown_fields=True):
    """One behaviour, now; see `mummer.behavior.make`."""

    kind: str
    character: str = ""
    attributes: dict[str, Any] = {}
    id: int | str | None = None


class Play(msgspec.Struct, tag="play", tag_field="type", forbid_unknown_fields=True):
    """A general animation, now."""

    animation: str
    character: str = ""
    target: Place | None = None
    id: int | str | None = None


class Stop(msgspec.Struct, tag="stop", tag_field="type", forbid_unknown_fields=True):
    """Stop all that somebody does, or one block."""

    character: str = ""
    block: str = ""
    id: int | str | None = None


class Thing(msgspec.Struct, tag="thing", tag_field="type", forbid_unknown_fields=True):
    """A thing is at a place from now on; nowhere if null."""

    name: str
    at: Place | None = None
    id: int | str | None = None


class Ping(msgspec.Struct, tag="ping", tag_field="type", forbid_unknown_fields=True):
    """Are you there?"""

    id: int | str | None = None


Message = Bml | Go | Look | Do | Play | Stop | Thing | Ping
_decoder = msgspec.json.Decoder(Message)
encode = msgspec.json.encode


def read_message(data: str | bytes) -> Message:
    """A message that came in.

    Raises:
        InputError: in one line, if it is none.
    """
    if len(data) > MOST_MESSAGE:
        raise InputError(f"a message of {len(data)} bytes; at most {MOST_MESSAGE} are taken")
    try:
        return _decoder.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise InputError(f"not a message: {' '.join(str(error).split())[:200]}") from None


def pack_poses(number: int, time: float, poses: Mapping[int, Pose]) -> bytes:
    """Poses of characters by their numbers, as bytes; see the head of this file."""
    parts = [HEAD.pack(POSES, VERSION, len(poses), number & 0xFFFFFFFF, time)]
    for character, pose in poses.items():
        morphs = np.empty(0) if pose.morphs is None else pose.morphs
        root = (0.0, 0.0, 0.0) if pose.root_translation is None else pose.root_translation
        flags = (pose.translations is not None) * TRANSLATED + (pose.scales is not None) * SCALED
        parts.append(BODY.pack(character, len(pose.rotations), len(morphs), flags, *root))
        parts.append(np.rint(pose.rotations * TURNS).astype("<i2").tobytes())
        if pose.translations is not None:
            parts.append(pose.translations.astype("<f4").tobytes())
        if pose.scales is not None:
            parts.append(pose.scales.astype("<f4").tobytes())
        parts.append(np.clip(np.rint(morphs * WEIGHTS), -32768, 32767).astype("<i2").tobytes())
    return b"".join(parts)


@dataclass(frozen=True)
class PosesRead:
    """Poses that were packed.

    Attributes:
        number: of the frame.
        time: seconds on the clock of the world.
        poses: by the numbers of characters.
    """

    number: int
    time: float
    poses: Mapping[int, Pose]


def unpack_poses(data: bytes) -> PosesRead:
    """What `pack_poses` made.

    Raises:
        InputError: if it is something else.
    """
    try:
        kind, version, count, number, time = HEAD.unpack_from(data)
        if (kind, version) != (POSES, VERSION):
            raise InputError(f"message {kind} of version {version}; expected {POSES} of version {VERSION}")
        place, poses = HEAD.size, {}
        for _ in range(count):
            character, joints, morphs, flags, *root = BODY.unpack_from(data, place)
            place += BODY.size
            turns, place = _take(data, place, "<i2", (joints, 4))
            moved = grown = None
            if flags & TRANSLATED:
                moved, place = _take(data, place, "<f4", (joints, 3))
            if flags & SCALED:
                grown, place = _take(data, place, "<f4", (joints, 3))
            weights, place = _take(data, place, "<i2", (morphs,))
            turns = turns / np.linalg.norm(turns, axis=-1, keepdims=True)
            poses[character] = Pose(turns, np.array(root), moved, grown, weights / WEIGHTS if morphs else None)
    except (struct.error, ValueError) as error:
        raise InputError(f"not a frame of poses: {error}") from None
    return PosesRead(number, time, poses)


def _take(data: bytes, place: int, kind: str, shape: Sequence[int]) -> tuple[FloatArray, int]:
    count = int(np.prod(shape))
    found = np.frombuffer(data, kind, count, place).reshape(shape)
    return found.astype(np.float64), place + found.nbytes


def pack_sound(character: int, number: int, start: float, samples: FloatArray, rate: int, *, before: int = 0) -> bytes:
    """A piece of a sound as bytes; see the head of this file."""
    whole = np.clip(np.rint(np.asarray(samples) * 32767.0), -32768, 32767).astype("<i2")
    return VOICE.pack(SOUND, VERSION, character, rate, start, number, before) + whole.tobytes()
