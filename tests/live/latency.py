"""Milliseconds from a block that is sent to the first poses that show it, over the loopback.

    python -m tests.live.latency [--blocks 300] [--characters 1]

A server of its own process; a client sends a block, is told the number of the first frame that shows it, and waits for
that frame. Two frames at 60 a second are 33.3 ms.
"""

from __future__ import annotations

import argparse
import json
import random
import struct
import time
from socket import IPPROTO_TCP as TCP
from socket import TCP_NODELAY as NODELAY
from typing import Any

import numpy as np

from tests.live.server_process import server_process

TWO_FRAMES = 2000.0 / 60.0
BLOCKS = (
    '<bml id="{}"><head id="n" lexeme="NOD"/></bml>',
    '<bml id="{}"><gaze id="g" target="camera"/><head id="n" lexeme="SHAKE" start="g:ready"/></bml>',
    '<bml id="{}"><gaze id="g" target="0 1.5 2" start="0.1"/><wait id="w" start="g:end" end="g:end+0.2"/></bml>',
)


def first_frame(socket: Any, block: str) -> float:
    """Seconds from sending a block to having the first frame that shows it."""
    began = time.perf_counter()
    socket.send(json.dumps({"type": "bml", "text": block, "id": block}))
    wanted, seen = None, {}
    while True:
        said = socket.recv(timeout=10)
        now = time.perf_counter()
        if isinstance(said, bytes):
            if said[0] == 1:
                seen[struct.unpack_from("<I", said, 4)[0]] = now
        else:
            message = json.loads(said)
            if message.get("id") == block:
                assert message["ok"], message
                wanted = message["frame"]
        there = [at for number, at in seen.items() if wanted is not None and number >= wanted]
        if there:
            return min(there) - began


def main() -> None:
    from websockets.sync.client import connect

    parser = argparse.ArgumentParser()
    parser.add_argument("--blocks", type=int, default=300)
    parser.add_argument("--characters", type=int, default=1)
    asked = parser.parse_args()
    generator = random.Random(1)
    with server_process(asked.characters) as facts, connect(f"{facts['live']}?token={facts['token']}") as socket:
        socket.socket.setsockopt(TCP, NODELAY, 1)
        took = []
        for number in range(asked.blocks + 20):
            took.append(1000.0 * first_frame(socket, generator.choice(BLOCKS).format(f"b{number}")))
            time.sleep(generator.uniform(0.01, 0.05))
    print("tenths:", " ".join(f"{x:.0f}" for x in np.percentile(took[20:], range(0, 101, 10))), "ms")
    median, most, worst = np.percentile(took[20:], [50, 99, 100])
    print(f"{asked.blocks} blocks, {asked.characters} characters: median {median:.1f} ms, 99 of 100 in {most:.1f} ms,")
    print(f"longest {worst:.1f} ms; two frames are {TWO_FRAMES:.1f} ms: {'met' if most < TWO_FRAMES else 'not met'}")


if __name__ == "__main__":
    main()
