"""A person with sides, groups and joint frames that are not mirror images, and motions of it."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from mummer.character import Character, Pose, Recording, Skeleton, rest_positions
from mummer.character.marks import Mark
from mummer.clip.sampled import Sampled
from mummer.math import quaternion
from tests.character.strategies import human, human_anatomy
from tests.clip.strategies import seeds


def twisted_human(rng: np.random.Generator) -> Character:
    """A plain person whose joints stand where they should, in frames turned at random."""
    plain = human()
    places, turned = rest_positions(plain), quaternion.random(rng, (len(plain),))
    translations, rotations = places.copy(), turned.copy()
    for joint, parent in enumerate(plain.parents.tolist()):
        if parent >= 0:
            back = quaternion.conjugate(turned[parent])
            translations[joint] = quaternion.rotate(back, places[joint] - places[parent])
            rotations[joint] = quaternion.multiply(back, turned[joint])
    skeleton = Skeleton(plain.names, plain.parents, translations, rotations, name="twisted")
    return Character("twisted", skeleton, anatomy=human_anatomy(skeleton))


def walkabout(
    body: Character, rng: np.random.Generator, *, frames: int = 60, rate: float = 30.0, stretched: bool = False
) -> Sampled:
    """A person that goes forward along a bend while every joint moves, perhaps with stretching joints."""
    count, skeleton = len(body.skeleton), body.skeleton
    times = 0.5 + np.arange(frames) / rate
    passed = (times - times[0])[:, None, None]
    phases, speeds = rng.uniform(0, 6, (2, count, 3))
    rotations = quaternion.multiply(skeleton.rest_rotations, quaternion.exp(0.4 * np.sin(speeds * passed + phases)))
    heading = rng.uniform(-1, 1) * passed[:, 0, :]
    turn = quaternion.exp(heading * [0, 1, 0])
    rotations[:, 0] = quaternion.multiply(turn, rotations[:, 0])
    way = np.cumsum(quaternion.rotate(turn, [0, 0, 1.3]) / rate, axis=0)
    root = skeleton.rest_translations[0] + way + 0.05 * np.sin(4 * passed[:, 0, :])
    moved = None
    if stretched:
        moved = skeleton.rest_translations + 0.02 * np.sin(speeds * passed + phases)
        moved[:, 0] = root
    poses = Pose(rotations, root, moved)
    marks = (Mark(times[10], "left_foot contact", times[25]), Mark(times[30], "release"))
    return Sampled(body, Recording.from_poses("walkabout", times, poses), annotations=marks)


@st.composite
def walkabouts(draw: st.DrawFn, *, stretched: bool = False) -> Sampled:
    """Motions of a person in random frames."""
    rng = np.random.default_rng(draw(seeds))
    return walkabout(twisted_human(rng), rng, stretched=stretched)


def same_exactly(first: Pose, second: Pose) -> bool:
    """Whether two batches of poses are the same, bit by bit."""
    pairs = [
        (getattr(first, name), getattr(second, name)) for name in ("rotations", "root_translation", "translations")
    ]
    return all((a is None) == (b is None) and (a is None or np.array_equal(a, b)) for a, b in pairs)
