"""Shows everybody of a mummer server in Blender, live. It needs nothing but Blender and its own Python.

mummer serve --body ann=zoo:adult         # prints an address and a token
blender --python blender.py -- 127.0.0.1:8765 TOKEN
"""

from __future__ import annotations

import base64
import json
import os
import socket
import struct
import sys
import tempfile
import threading
import urllib.request
from typing import Any

HEAD, BODY = struct.Struct("<BBHId"), struct.Struct("<HHHH3f")


class Feed:
    """A WebSocket that reads messages, and the newest poses of everybody by number."""

    def __init__(self, place: str, token: str) -> None:
        self.poses: dict[int, tuple[tuple[float, ...], list[tuple[float, ...]], list[float]]] = {}
        self.frames = 0
        host, _, port = place.partition(":")
        self.socket = socket.create_connection((host, int(port)))
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET /live?token={token} HTTP/1.1", f"Host: {place}", "Upgrade: websocket", "Connection: Upgrade",
                 f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", "", ""]  # fmt: skip
        self.socket.sendall("\r\n".join(lines).encode())
        self.data = self.socket.makefile("rb")
        if b" 101 " not in self.data.readline():
            self.close()
            raise SystemExit("the server did not let us in; is the token right?")
        while self.data.readline().strip():
            pass
        self.hello: dict[str, Any] = json.loads(self.message()[1])

    def close(self) -> None:
        """Leave the server."""
        self.data.close()
        self.socket.close()

    def message(self) -> tuple[int, bytes]:
        """The next message: 1 for text, 2 for bytes; pings are answered."""
        whole, kind = b"", 0
        while True:
            head = self.data.read(2)
            if len(head) < 2:
                raise EOFError("the server is gone")
            first, second = head
            size = second & 127
            if size > 125:
                size = struct.unpack(">H" if size == 126 else ">Q", self.data.read(2 if size == 126 else 8))[0]
            part = self.data.read(size)
            if first & 15 == 9:
                self.socket.sendall(bytes([0x8A, 0x80 | len(part), 0, 0, 0, 0]) + part)
            elif first & 15 == 8:
                raise EOFError("the server is gone")
            else:
                whole, kind = whole + part, kind or first & 15
                if first & 128:
                    return kind, whole

    def listen(self) -> None:
        """Take messages in until the server is gone."""
        while True:
            try:
                kind, data = self.message()
            except (EOFError, OSError):
                return
            if kind == 2 and data[0] == 1:
                self.take(data)

    def take(self, data: bytes) -> None:
        """A frame of poses; `mummer.live.protocol` says how it lies."""
        _, _, count, _, _ = HEAD.unpack_from(data)
        at = HEAD.size
        for _ in range(count):
            number, joints, morphs, flags, *root = BODY.unpack_from(data, at)
            at += BODY.size
            turns = [
                tuple(each / 32767 for each in row) for row in struct.iter_unpack("<4h", data[at : at + 8 * joints])
            ]
            at += 8 * joints + 12 * joints * ((flags & 1) + (flags >> 1 & 1))
            weights = [each / 16384 for each in struct.unpack_from(f"<{morphs}h", data, at)]
            at += 2 * morphs
            self.poses[number] = (tuple(root), turns, weights)
        self.frames += 1


def main(place: str, token: str) -> None:
    """Load everybody, and move them from a timer."""
    import bpy
    from mathutils import Matrix, Quaternion, Vector

    feed = Feed(place, token)
    up = Matrix.Rotation(1.5707963267948966, 4, "X")  # glTF is Y up, Blender Z up
    shown = []
    for who in feed.hello["characters"]:
        with urllib.request.urlopen(f"http://{place}/{who['body']}?token={token}") as answer:
            data = answer.read()
        with tempfile.NamedTemporaryFile(suffix=".glb", delete=False) as file:
            file.write(data)
        before = set(bpy.data.objects)
        bpy.ops.import_scene.gltf(filepath=file.name)
        os.unlink(file.name)
        new = set(bpy.data.objects) - before
        rig = next(each for each in new if each.type == "ARMATURE")
        nodes = json.loads(data[20 : 20 + struct.unpack_from("<I", data, 12)[0]])["nodes"]
        rest = {node.get("name", ""): node for node in nodes}
        shown.append((who, rig, rest, [each for each in new if each.type == "MESH" and each.data.shape_keys]))

    def matrices(who: dict[str, Any], local: Any) -> list[Any]:
        """World matrices of joints, from a function that gives each its own."""
        made: list[Any] = []
        for joint, parent in enumerate(who["parents"]):
            made.append(local(joint) if parent < 0 else made[parent] @ local(joint))
        return made

    def move() -> float:
        for who, rig, rest, meshes in shown:
            if who["number"] not in feed.poses:
                continue
            root, turns, weights = feed.poses[who["number"]]
            names = who["joints"]

            def offset(joint: int, rest: Any = rest, names: Any = names) -> Any:
                return Vector(rest[names[joint]].get("translation", (0, 0, 0)))

            def still(joint: int, rest: Any = rest, names: Any = names, offset: Any = offset) -> Any:
                x, y, z, w = rest[names[joint]].get("rotation", (0, 0, 0, 1))
                return Matrix.Translation(offset(joint)) @ Quaternion((w, x, y, z)).to_matrix().to_4x4()

            def now(joint: int, turns: Any = turns, root: Any = root, offset: Any = offset) -> Any:
                x, y, z, w = turns[joint]
                place = Vector(root) if joint == 0 else offset(joint)
                return Matrix.Translation(place) @ Quaternion((w, x, y, z)).normalized().to_matrix().to_4x4()

            posed: dict[str, Any] = {}
            for name, old, new in zip(names, matrices(who, still), matrices(who, now), strict=True):
                bone = rig.pose.bones.get(name)
                if bone is None:
                    continue
                posed[name] = up @ (new @ old.inverted()) @ up.inverted() @ bone.bone.matrix_local
                above = bone.parent
                carried = posed[above.name] @ above.bone.matrix_local.inverted() if above else Matrix.Identity(4)
                bone.matrix_basis = (carried @ bone.bone.matrix_local).inverted() @ posed[name]
            for mesh in meshes:
                for name, weight in zip(who["morphs"], weights, strict=True):
                    if name in mesh.data.shape_keys.key_blocks:
                        mesh.data.shape_keys.key_blocks[name].value = weight
        return 1 / 60

    threading.Thread(target=feed.listen, daemon=True).start()
    bpy.app.timers.register(move)


if __name__ == "__main__":
    main(*sys.argv[sys.argv.index("--") + 1 :][:2])
