"""Poses in, poses out: as retargeting a clip does it, and to and from VRM applications."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mummer as mm
from mummer.character import Pose
from mummer.clip import Clip
from mummer.errors import InputError
from mummer.live.protocol import pack_poses, unpack_poses
from mummer.live.stream import Stream
from mummer.live.vmc import Puppet, Puppeteer, pack_bundle, pack_message, unpack
from mummer.retargeting import Onto


@pytest.fixture(scope="module")
def wave() -> Clip:
    return mm.perform("zoo:adult", "wave")


def alike(first: Pose, second: Pose) -> float:
    """The largest angle between rotations, radians."""
    return float(2 * np.arccos(np.clip(np.abs(np.sum(first.rotations * second.rotations, -1)), 0, 1)).max())


def test_a_stream_is_what_retargeting_the_clip_is(wave: Clip) -> None:
    child = mm.zoo.body("child")
    stream, onto = Stream(wave.body, child), Onto(wave, child, feet=False)
    for time in np.linspace(wave.start, wave.end, 9):
        ours, theirs = stream.put(wave.at(time)), onto.at(time)
        assert alike(ours, theirs) < 1e-6
        assert np.abs(np.asarray(ours.root_translation) - np.asarray(theirs.root_translation)).max() < 1e-3


def test_poses_survive_their_packing(wave: Clip) -> None:
    pose = wave.at(1.0)
    read = unpack_poses(pack_poses(7, 1.5, {3: pose}))
    assert (read.number, read.time) == (7, 1.5)
    assert alike(read.poses[3], pose) < 2e-3
    with pytest.raises(InputError):
        unpack_poses(pack_poses(7, 1.5, {3: pose})[:-9])


def test_vmc_out_and_in_again_is_the_same_pose(wave: Clip) -> None:
    pose, puppeteer = wave.at(1.0), Puppeteer(wave.body)
    puppeteer.take(Puppet(wave.body).packet(pose, 1.0))
    again = turns(Puppet(wave.body).packet(puppeteer.pose(), 1.0))
    told = turns(Puppet(wave.body).packet(pose, 1.0))
    assert len(told) > 40
    assert told.keys() == again.keys()
    assert max(1 - abs(float(told[bone] @ again[bone])) for bone in told) < 1e-5
    assert min(abs(float(turn[3])) for turn in told.values()) < 0.99


def turns(packet: bytes) -> dict[str, np.ndarray]:
    """The rotations of bones in a packet."""
    told = [values for address, values in unpack(packet) if address == "/VMC/Ext/Bone/Pos"]
    return {str(values[0]): np.array(values[4:], float) for values in told}


@given(st.binary(max_size=80))
def test_any_packet_is_read_or_refused(packet: bytes) -> None:
    for data in (packet, b"#bundle\0" + packet, b"/a\0\0,f\0\0" + packet):
        try:
            list(unpack(data))
        except InputError as error:
            told = str(error)
            assert "\n" not in told


def test_bundles_are_not_taken_apart_without_end() -> None:
    packet = pack_message("/a", 1)
    for _ in range(6):
        packet = pack_bundle([packet])
    with pytest.raises(InputError, match="deep"):
        list(unpack(packet))
