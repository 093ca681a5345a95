"""Joints from markers: a person whose markers were put on by us comes back, and a real one as others solved it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mummer.character import world_positions
from mummer.io import load
from mummer.io.marker_joints import ALIKE, NEEDED, has_person, solve_person
from mummer.math import quaternion
from mummer.recognition import recognize

PLACES = {
    "LASI": (0.12, 1.0, 0.1), "LPSI": (0.05, 1.03, -0.1), "C7": (0, 1.48, -0.06), "CLAV": (0, 1.42, 0.08),
    "T10": (0, 1.2, -0.1), "STRN": (0, 1.25, 0.12), "LFHD": (0.07, 1.7, 0.09), "LBHD": (0.07, 1.68, -0.09),
    "LSHO": (0.19, 1.5, 0), "LELB": (0.45, 1.45, -0.01), "LWRA": (0.7, 1.45, 0.03), "LWRB": (0.7, 1.45, -0.03),
    "LFIN": (0.8, 1.45, 0), "LKNE": (0.14, 0.5, 0.02), "LANK": (0.14, 0.08, -0.02), "LHEE": (0.1, 0.04, -0.08),
    "LTOE": (0.1, 0.04, 0.14),
}  # fmt: skip
"""Markers of somebody who stands with arms spread and knees hardly bent, in metres; the right side is mirrored."""


def standing() -> tuple[tuple[str, ...], np.ndarray]:
    """Names and (M, 3) places of all markers that are needed."""
    mirrored = {f"R{name[1:]}": (-x, y, z) for name, (x, y, z) in PLACES.items() if name[0] == "L"}
    every = {**PLACES, **mirrored}
    return tuple(every), np.array(list(every.values()))


def moved(turns: np.ndarray, steps: np.ndarray) -> tuple[tuple[str, ...], np.ndarray]:
    """The markers turned as a whole by (T, 4) and moved by (T, 3)."""
    names, places = standing()
    return names, quaternion.rotate(turns[:, None], places[None]) + steps[:, None]


def test_both_usual_sets_are_known() -> None:
    names, _ = standing()
    assert set(names) == set(NEEDED)
    assert has_person(names)
    back = {new: old for old, new in ALIKE.items()}
    assert has_person(tuple(back.get(name, name) for name in names))
    assert not has_person(names[1:])


def test_somebody_who_stands_is_at_rest_and_is_recognised(tmp_path: Path) -> None:
    names, places = moved(np.tile(quaternion.IDENTITY, (5, 1)), np.zeros((5, 3)))
    skeleton, recording = solve_person(names, places, 60.0, "ann")
    found = dict(zip(skeleton.names, world_positions(skeleton, recording.frames())[0], strict=True))
    assert found["left_forearm"] == pytest.approx(PLACES["LELB"], abs=1e-6)
    assert found["left_toes"] == pytest.approx(PLACES["LTOE"], abs=1e-6)
    assert 0.07 < found["left_upper_leg"][0] < 0.12
    assert 0.9 < found["left_upper_leg"][1] < 0.98
    assert found["left_lower_leg"][0] < PLACES["LKNE"][0] - 0.03
    angles = np.degrees(quaternion.angle(recording.frames().rotations[0]))
    assert dict(zip(skeleton.names, angles, strict=True))["hips"] < 1e-3
    assert angles.max() < 35  # ankles and collar bones are never quite as they rest
    low = world_positions(skeleton, recording.base.rest(skeleton))[:, 1].min()
    assert low == pytest.approx(0, abs=1e-9)


def test_turning_the_person_turns_the_root_alone() -> None:
    angles = np.linspace(0, 2.5, 8)
    turns = quaternion.from_axis_angle([0.0, 1.0, 0.0], angles)
    steps = np.stack([angles, 0 * angles, -angles], axis=1)
    skeleton, recording = solve_person(*moved(turns, steps), 60.0, "ann")
    poses = recording.frames()
    assert np.allclose(quaternion.angle(poses.rotations[:, 0]), angles, atol=1e-6)
    assert np.all(quaternion.equal_rotations(poses.rotations[:, 1:], poses.rotations[:1, 1:], 1e-6))
    still = quaternion.rotate(quaternion.conjugate(turns)[:, None], world_positions(skeleton, poses) - steps[:, None])
    assert np.allclose(still, still[:1], atol=1e-9)


def test_a_knee_bends_backwards_and_an_elbow_forward() -> None:
    names, places = standing()
    bent = np.repeat(places[None], 9, axis=0)
    index = {name: place for place, name in enumerate(names)}
    for frame, angle in enumerate(np.linspace(0.0, 1.4, 9)):
        knee = quaternion.from_axis_angle([1.0, 0.0, 0.0], angle)
        for name in ("LANK", "LHEE", "LTOE"):
            pivot = places[index["LKNE"]]
            bent[frame, index[name]] = pivot + quaternion.rotate(knee, places[index[name]] - pivot)
        elbow = quaternion.from_axis_angle([0.0, 1.0, 0.0], -angle)
        for name in ("LWRA", "LWRB", "LFIN"):
            pivot = places[index["LELB"]]
            bent[frame, index[name]] = pivot + quaternion.rotate(elbow, places[index[name]] - pivot)
    skeleton, recording = solve_person(names, bent, 60.0, "ann")
    poses = recording.frames()
    for joint, axis in (("left_lower_leg", [1.0, 0.0, 0.0]), ("left_forearm", [0.0, -1.0, 0.0])):
        turn = quaternion.log(poses.rotations[-1, skeleton.index(joint)])
        assert np.degrees(np.linalg.norm(turn)) == pytest.approx(np.degrees(1.4), abs=12), joint
        assert turn @ np.array(axis) / np.linalg.norm(turn) > 0.95, joint
    assert np.degrees(quaternion.angle(poses.rotations[:, skeleton.index("right_lower_leg")])).max() < 15


BONES = (("UpLeg", "Leg", "upper_leg", "lower_leg"), ("Leg", "Foot", "lower_leg", "foot"),
         ("ForeArm", "Hand", "forearm", "hand"))  # fmt: skip


def test_a_real_walk_is_solved_as_its_makers_did(data_dir: Path) -> None:
    pytest.importorskip("ezc3d")
    ours = load(data_dir / "motions/momentum/02_01.c3d")
    theirs = load(data_dir / "motions/cmu-cgspeed/cmu_02_01_walk.bvh")
    assert "joints were solved from markers" in str(ours.report)
    assert recognize(ours).kind == "humanoid"
    mine = world_positions(ours.skeleton, ours.recordings[0].frames())
    # Their first frame is a pose of no recording, and they look elsewhere by a quarter turn.
    other = world_positions(theirs.skeleton, theirs.recordings[0].frames())[1:]
    other = quaternion.rotate(quaternion.from_axis_angle([0.0, 1.0, 0.0], np.pi / 2), other)
    for side in ("Left", "Right"):
        for first, second, start, end in BONES:
            a = (
                mine[:, ours.skeleton.index(f"{side.lower()}_{end}")]
                - mine[:, ours.skeleton.index(f"{side.lower()}_{start}")]
            )
            b = other[:, theirs.skeleton.index(side + second)] - other[:, theirs.skeleton.index(side + first)]
            cosine = np.sum(a * b, axis=-1) / np.linalg.norm(a, axis=-1) / np.linalg.norm(b, axis=-1)
            assert np.degrees(np.arccos(np.clip(cosine, -1, 1))).mean() < 5, f"{side} {start}"
