"""The clients that ship as examples: Blender's reader, VMC out, and retargeting while poses come in."""

from __future__ import annotations

import itertools
import runpy
import socket
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mummer as mm
from mummer.errors import InputError
from mummer.grid.pack import as_glb
from mummer.io.bvh.lines import Lines
from mummer.live import World
from mummer.live.protocol import pack_poses
from mummer.live.stream import Stream
from mummer.live.vmc import Puppet, unpack
from tests.conftest import REPOSITORY
from tests.live.serving import serving


def client(name: str) -> dict[str, Any]:
    return runpy.run_path(str(REPOSITORY / "examples" / "clients" / f"{name}.py"))


@pytest.fixture
def ear() -> Any:
    """A socket that a VRM application would listen on."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.settimeout(20)
        yield listening


def turns(packet: bytes) -> dict[str, np.ndarray]:
    return {str(v[0]): np.array(v[4:], float) for address, v in unpack(packet) if address == "/VMC/Ext/Bone/Pos"}


def test_blender_reads_what_is_served() -> None:
    made = client("blender")
    world = World({"ann": "zoo:adult", "rex": "zoo:dog"})
    with serving(world, body=as_glb) as (hall, place):
        feed = made["Feed"](place, hall.token)
        assert [each["name"] for each in feed.hello["characters"]] == ["ann", "rex"]
        listening = threading.Thread(target=feed.listen, daemon=True)
        listening.start()
        until = time.monotonic() + 20
        while feed.frames < 5:
            assert time.monotonic() < until
            time.sleep(0.02)
        with pytest.raises(SystemExit, match="token"):
            made["Feed"](place, "wrong")
    listening.join(20)
    assert not listening.is_alive()
    feed.close()
    pose = world.who("ann").pose
    feed.take(pack_poses(1, 0.0, {0: pose}))
    root, rotations, weights = feed.poses[0]
    np.testing.assert_allclose(rotations, pose.rotations, atol=1e-4)
    np.testing.assert_allclose(root, pose.root_translation, atol=1e-6)
    assert len(weights) == len(world.who("ann").character.morph_names)


def test_poses_of_a_server_go_to_a_vrm_application(ear: socket.socket) -> None:
    with serving(World({"rex": "zoo:dog", "ann": "zoo:adult"}), body=as_glb) as (hall, place):
        assert client("vmc_out")["forward"](f"ws://{place}/live", hall.token, "ann", ear.getsockname(), 3) == 3
    assert {"Hips", "Head", "LeftHand"} <= turns(ear.recv(65536)).keys()


def test_lines_of_a_file_are_its_poses_and_go_onto_another_body(tmp_path: Path, ear: socket.socket) -> None:
    wave = mm.perform("zoo:adult", "wave")
    wave.save(tmp_path / "wave.bvh", rate=30)
    text = (tmp_path / "wave.bvh").read_text()
    lines = Lines(text.encode())
    clip = mm.clip.of(mm.load(tmp_path / "wave.bvh"))
    rows = text.split("Frame Time:")[1].splitlines()[1:]
    for row in (0, 20, 40):
        read, want = lines.pose(rows[row]), clip.at(row / 30)
        assert np.abs(np.sum(read.rotations * want.rotations, -1)).min() > 1 - 1e-6
        np.testing.assert_allclose(read.root_translation, want.root_translation, atol=1e-5)
    with pytest.raises(InputError, match="finite numbers"):
        lines.pose("1 2 nan")
    made, stream = client("retarget"), Stream(lines.character, mm.zoo.body("child"))
    poses = made["from_bvh"](lines, [rows[20], "rubbish", rows[40]])
    assert made["send"](poses, stream, ear.getsockname()) == 2
    told, want = turns(ear.recv(65536)), turns(Puppet(stream.target).packet(stream.put(lines.pose(rows[20])), 0.0))
    assert told.keys() == want.keys()
    assert max(1 - abs(float(told[bone] @ want[bone])) for bone in told) < 1e-5


def test_vmc_comes_in_and_goes_out_on_another_body(ear: socket.socket) -> None:
    made, adult = client("retarget"), mm.zoo.body("adult")
    wave, stream = mm.perform("zoo:adult", "wave"), Stream(adult, mm.zoo.body("child"))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    poses = made["from_vmc"](adult, port)
    given = (itertools.islice(poses, 1), stream, ear.getsockname())
    first = threading.Thread(target=made["send"], args=given, daemon=True)
    first.start()
    ear.settimeout(0.2)
    heard = b""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        for _ in range(100):
            out.sendto(b"rubbish", ("127.0.0.1", port))
            out.sendto(Puppet(adult).packet(wave.at(1.0), 1.0), ("127.0.0.1", port))
            try:
                heard = ear.recv(65536)
                break
            except TimeoutError:
                continue
    first.join(20)
    poses.close()
    assert min(abs(turn[3]) for turn in turns(heard).values()) < 0.99
