"""Whatever bytes come in, a character or an error of ours comes out."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mummer.character import Character, world_positions
from mummer.errors import MummerError
from mummer.io import ReadLimits, bvh
from tests.io.bvh.making import ROW, TWO_JOINTS, motion

SEED = (TWO_JOINTS + motion(ROW, ROW)).encode()
LIMITS = ReadLimits(joints=100, depth=20, values=10_000)
WORDS = [
    b"{", b"}", b"MOTION", b"HIERARCHY", b"ROOT", b"JOINT x", b"End Site", b"OFFSET", b"CHANNELS 3", b"nan", b"1e999",
    b"-", b".", b"1,5", b"\0", b"\xff", b"Frames: 99", b"#", b"\n", b"\r", b"Xposition", b"9" * 400,
]  # fmt: skip


def check(data: bytes) -> None:
    try:
        character = bvh.read(data, limits=LIMITS)
    except MummerError as error:
        message = str(error)
    else:
        message = ""
        require_finite(character)
    assert "\n" not in message


def require_finite(character: Character) -> None:
    poses = character.recordings[0].frames() if character.recordings else character.default_pose
    assert np.all(np.isfinite(world_positions(character.skeleton, poses)))


@given(place=st.integers(0, len(SEED)))
def test_truncated(place: int) -> None:
    check(SEED[:place])


@st.composite
def mutations(draw: st.DrawFn) -> bytes:
    data = SEED
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 30)))
        data = data[:start] + draw(st.sampled_from(WORDS) | st.binary(max_size=6)) + data[end:]
    return data


@given(data=mutations())
@settings(max_examples=400, deadline=None)
@example(data=SEED.replace(b"CHANNELS 3 Zrotation Xrotation Yrotation", b""))
def test_mutated(data: bytes) -> None:
    check(data)


@given(data=st.binary(max_size=300))
def test_noise(data: bytes) -> None:
    check(b"HIERARCHY\n" + data)
