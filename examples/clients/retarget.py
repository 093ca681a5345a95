"""Retargets a performance while it is given: poses of one body in, poses of another out, by VMC.

python retarget.py vmc SOURCE TARGET [PORT] [HOST:PORT]    # VMC comes in on PORT (39540), for a body like SOURCE
python retarget.py bvh FILE.bvh TARGET [HOST:PORT] < lines # the skeleton of FILE, a frame a line on standard input

SOURCE and TARGET are files or zoo:NAME. What goes out is VMC of TARGET, to port 39539 if nothing else is said.
"""

from __future__ import annotations

import socket
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from mummer.character import Character, Pose
from mummer.errors import InputError
from mummer.io.bvh.lines import Lines
from mummer.io.subjects import as_character
from mummer.live.stream import Stream
from mummer.live.vmc import MOST_PACKET, Puppet, Puppeteer


def from_vmc(source: Character, port: int) -> Iterator[Pose]:
    """Poses as they come in by UDP; what is no VMC is passed over."""
    puppeteer = Puppeteer(source)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as inward:
        inward.bind(("127.0.0.1", port))
        while True:
            try:
                puppeteer.take(inward.recv(MOST_PACKET))
            except InputError:
                continue
            yield puppeteer.pose()


def from_bvh(lines: Lines, texts: Iterable[str]) -> Iterator[Pose]:
    """Poses as lines come in; what is no frame is passed over."""
    for text in texts:
        try:
            yield lines.pose(text)
        except InputError:
            continue


def send(poses: Iterable[Pose], stream: Stream, to: tuple[str, int]) -> int:
    """Put poses onto the target and send them; how many."""
    puppet, sent, began = Puppet(stream.target), 0, time.monotonic()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        for pose in poses:
            out.sendto(puppet.packet(stream.put(pose), time.monotonic() - began), to)
            sent += 1
    return sent


def main(kind: str, source: str, target: str, *rest: str) -> None:
    """See the head of this file."""
    inward = int(rest[0]) if kind == "vmc" and rest else 39540
    host, _, port = (rest[-1] if rest and ":" in rest[-1] else "127.0.0.1:39539").partition(":")
    onto = as_character(target, asker="retarget")
    if kind == "vmc":
        body = as_character(source, asker="retarget")
        send(from_vmc(body, inward), Stream(body, onto), (host, int(port)))
    else:
        lines = Lines(Path(source).read_bytes(), Path(source))
        send(from_bvh(lines, sys.stdin), Stream(lines.character, onto), (host, int(port)))


if __name__ == "__main__":
    main(*sys.argv[1:])
