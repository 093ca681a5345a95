"""Small BVH files made to order, and random bodies, for the tests."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from mummer.character import Character, Pose, Recording, Skeleton
from mummer.io import bvh
from mummer.math import quaternion

SIX = "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"
THREE = "CHANNELS 3 Zrotation Xrotation Yrotation"
TWO_JOINTS = f"""HIERARCHY
ROOT Hips
{{
\tOFFSET 0 0 0
\t{SIX}
\tJOINT Spine
\t{{
\t\tOFFSET 0 10 0
\t\t{THREE}
\t\tEnd Site
\t\t{{
\t\t\tOFFSET 0 5 0
\t\t}}
\t}}
}}
"""
ROW = "1 2 3 10 20 30 40 50 60"


def motion(*rows: str, frames: int | str | None = None, frame_time: str = "0.1") -> str:
    """A MOTION part with the given rows."""
    count = len(rows) if frames is None else frames
    return f"MOTION\nFrames: {count}\nFrame Time: {frame_time}\n" + "".join(f"{row}\n" for row in rows)


def one_joint(channels: str, *rows: str, offset: str = "0 0 0", frames: int | None = None) -> str:
    """A root with the given channels and a tip 100 above it, so that lengths are seen as centimetres."""
    names = channels.split()
    head = f"HIERARCHY\nROOT a\n{{\nOFFSET {offset}\nCHANNELS {len(names)} {channels}\n"
    return head + "End Site\n{\nOFFSET 0 100 0\n}\n}\n" + motion(*rows, frames=frames)


def read(text: str, **options: object) -> Character:
    """The character of a text, in metres unless told otherwise, so that numbers stay as written."""
    settings: dict[str, object] = {"metres_per_unit": 1.0, "up": "+Y", **options}
    return bvh.read(text.encode(), **settings)  # type: ignore[arg-type]


def findings(character: Character) -> str:
    """Everything that the report says."""
    return str(character.report)


@st.composite
def bodies(draw: st.DrawFn, *, identity_rest: bool = False, frames: int | None = None) -> Character:
    """Random trees of up to 9 joints about a metre large, one or two roots, with a random motion of all of them."""
    seed = draw(st.integers(0, 2**32 - 1))
    joints = draw(st.integers(1, 9))
    rng = np.random.default_rng(seed)
    parents = np.array([-1, *(int(rng.integers(-1 if rng.random() < 0.1 else 0, joint)) for joint in range(1, joints))])
    rest = None if identity_rest else quaternion.random(rng, joints)
    offsets = rng.uniform(-0.5, 0.5, (joints, 3))
    skeleton = Skeleton(tuple(f"j{joint}" for joint in range(joints)), parents, offsets, rest)
    count = frames or draw(st.integers(1, 5))
    translations = None
    if draw(st.booleans()):
        translations = offsets + rng.uniform(-0.1, 0.1, (count, joints, 3)) * (rng.random((joints, 1)) < 0.5)
    poses = Pose(quaternion.random(rng, (count, joints)), rng.uniform(-1, 1, (count, 3)), translations)
    recording = Recording.from_poses("motion", np.arange(count) / 30, poses, frame_rate=30.0)
    return Character("random", skeleton, recordings=(recording,))
