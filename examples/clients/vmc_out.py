"""Shows somebody on a mummer server in a VRM application: frames in by WebSocket, VMC out by UDP.

mummer serve --body ann=hero.vrm          # prints an address and a token
python vmc_out.py ws://127.0.0.1:8765/live TOKEN [CHARACTER] [HOST:PORT]

VSeeFace, Warudo, VMagicMirror and others listen on port 39539.
"""

from __future__ import annotations

import json
import socket
import sys
import urllib.request

from websockets.sync.client import connect

from mummer.io.gltf import read
from mummer.live.protocol import POSES, unpack_poses
from mummer.live.vmc import Puppet


def forward(live: str, token: str, name: str = "", to: tuple[str, int] = ("127.0.0.1", 39539), most: int = 0) -> int:
    """Send frames on until the server is gone, or ``most`` of them; how many were sent."""
    out, sent = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), 0
    with out, connect(f"{live}?token={token}", max_size=None) as server:
        hello = json.loads(server.recv())
        who = next(each for each in hello["characters"] if name in ("", each["name"]))
        page = live.replace("ws", "http", 1).removesuffix("/live")
        with urllib.request.urlopen(f"{page}/{who['body']}?token={token}") as answer:
            puppet = Puppet(read(answer.read()))
        for message in server:
            if isinstance(message, bytes) and message[0] == POSES:
                frame = unpack_poses(message)
                out.sendto(puppet.packet(frame.poses[who["number"]], frame.time), to)
                sent += 1
            if sent == most > 0:
                break
    return sent


if __name__ == "__main__":
    live, token, *rest = sys.argv[1:]
    host, _, port = (rest[1] if len(rest) > 1 else "127.0.0.1:39539").partition(":")
    forward(live, token, rest[0] if rest else "", (host, int(port)))
