"""Spiders and snakes of others on the zoo's: not turned about, not tipped, and moved all along, with feet that stay."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer.clip.clip import Clip
from mummer.clip.sampled import Sampled
from mummer.measure.watched import places_at
from mummer.recognition import recognized
from mummer.retargeting.build import build_of
from mummer.retargeting.onto import Onto
from tests.retargeting.walk import people, walk

TIMES = np.linspace(0.0, 0.6, 10)


def played(data: Path, kind: str, name: str) -> tuple[Clip, Clip]:
    """A recording of somebody else's body, and what becomes of it on the zoo's."""
    body = recognized(mm.load(data / f"characters/quaternius/{kind}.glb"))
    source = Sampled(body, body.recording(f"{kind}Armature|{kind}_{name}"))
    return source, mm.retarget(source, f"zoo:{kind.lower()}", rate=30.0)


def axes(clip: Clip) -> tuple[np.ndarray, float]:
    """(T, 3) unit lines from tail to hips, or from these to the head, and degrees by which that at rest rises."""
    hips, head = (clip.anatomy.roles[role] for role in ("hips", "head"))
    # A snake may raise its head.
    hips, head = next(((limb.joints[-1], hips) for limb in clip.anatomy.limbs if limb.kind == "tail"), (hips, head))
    places = np.concatenate([places_at(clip, TIMES), mm.world_positions(clip.body, mm.Pose.rest(clip.body))[None]])
    lines = places[:, head] - places[:, hips]
    lines /= np.linalg.norm(lines, axis=1, keepdims=True)
    return lines[:-1], float(np.degrees(np.arcsin(lines[-1, 1])))


@pytest.mark.parametrize(("kind", "name"), [("Spider", "Walk"), ("Spider", "Attack"), ("Snake", "Walk")])
def test_no_body_is_turned_about_or_tipped(kind: str, name: str, data_dir: Path) -> None:
    (one, rest), (other, other_rest) = (axes(clip) for clip in played(data_dir, kind, name))
    level = [lines[:, [0, 2]] / np.linalg.norm(lines[:, [0, 2]], axis=1, keepdims=True) for lines in (one, other)]
    assert np.sum(level[0] * level[1], axis=1).min() > 0.85
    rises = [np.degrees(np.arcsin(lines[:, 1])) - still for lines, still in ((one, rest), (other, other_rest))]
    assert np.abs(rises[0] - rises[1]).max() < 12.0


def test_a_snake_moves_all_along(data_dir: Path) -> None:
    _, made = played(data_dir, "Snake", "Walk")
    places = places_at(made, TIMES)
    moved = np.ptp(places - places[:, :1], axis=0).max(axis=1) / build_of(made.body).size
    for limb in made.anatomy.limbs:
        assert moved[list(limb.joints)].max() > 0.05, limb.name


@pytest.mark.parametrize("kind", ["spider", "dog"])
def test_feet_that_no_foot_of_the_source_moves_stay_where_they_stand(kind: str) -> None:
    made = Onto(walk(), people(kind))
    body = build_of(made.body)
    rate = 60.0
    balls = places_at(made, made.times(rate))[:, [leg.ball for leg in body.legs]]
    high = balls[..., 1] - body.places[[leg.ball for leg in body.legs]][:, 1]
    stands = (high[1:] < 0.02 * body.size) & (high[:-1] < 0.02 * body.size)
    slid = np.linalg.norm(np.diff(balls, axis=0)[..., [0, 2]], axis=2)
    assert np.median(slid[stands]) < 0.003 * body.size
