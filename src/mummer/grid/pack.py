"""Bodies and motions as the page reads them: compressed, and a body only once for all of its motions.

A body is a .glb whose node i is joint i. A motion is a line of JSON and arrays behind it: turns as 16-bit quaternions,
the root's way in single precision, and morph weights. Both are compressed and given to the page as text.
"""

from __future__ import annotations

import base64
import gzip
import tempfile
from pathlib import Path

import msgspec
import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Pose
from mummer.io.gltf.document import Document
from mummer.io.gltf.write import write

LONGEST = 120.0
"""Seconds after which a motion is cut off on the page."""
FULL = 32767
"""What 1 is stored as."""


class Header(msgspec.Struct, frozen=True):
    """What the arrays behind it hold, in this order.

    Attributes:
        frames: T.
        rate: frames a second.
        joints: J; (T, J, 4) 16-bit turns come first.
        moving: joints whose translation changes; (T, n, 3) single-precision metres come next.
        morphs: names of the morphs; (T, M) 16-bit weights come last.
    """

    frames: int
    rate: float
    joints: int
    moving: list[int]
    morphs: list[str]


def pack_poses(body: Character, pose: Pose, rate: float) -> bytes:
    """A batch of poses, ``rate`` a second, as the page reads it."""
    moving, places = _moving(pose)
    morphs = pose.morphs if pose.morphs is not None and np.any(pose.morphs) else np.zeros((len(pose), 0))
    names = list(body.morph_names) if morphs.shape[1] else []
    header = Header(len(pose), rate, pose.joint_count, moving, names)
    parts = [
        np.round(pose.rotations * FULL).astype("<i2"),
        places.astype("<f4"),
        np.round(np.clip(morphs, -1, 1) * FULL).astype("<i2"),
    ]
    head = msgspec.json.encode(header)
    # Arrays must begin at multiples of four.
    head += b" " * (-len(head) % 4)
    content = len(head).to_bytes(4, "little") + head + b"".join(part.tobytes() for part in parts)
    return gzip.compress(content, 6, mtime=0)


def _moving(pose: Pose) -> tuple[list[int], FloatArray]:
    """The joints whose translation is told, and (T, n, 3) those."""
    if pose.translations is None:
        assert pose.root_translation is not None
        return [0], pose.root_translation[:, None]
    return list(range(pose.joint_count)), pose.translations


def pack_body(character: Character) -> bytes:
    """A body without its motions as the page reads it."""
    return gzip.compress(as_glb(character.replace(recordings=()), fresh=True), 6, mtime=0)


def as_glb(character: Character, *, fresh: bool = False) -> bytes:
    """The bytes of a .glb file of a character, with nothing compressed inside: the page has no decoders."""
    document = character.source.document if character.source is not None else None
    fresh = fresh or (isinstance(document, Document) and document.is_packed)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "body.glb"
        write(character, path, fresh=fresh)
        return path.read_bytes()


def as_script(function: str, key: str, content: bytes) -> str:
    """A script that hands packed content to the page: pages opened from a disk may load nothing else."""
    text = base64.b64encode(content).decode()
    return f'{function}({msgspec.json.encode(key).decode()},"{text}")\n'
