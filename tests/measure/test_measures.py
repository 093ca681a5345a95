"""Every measure is good for a good motion and bad for the same motion broken in the way that it is to find."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mummer import measure
from mummer.character import Pose, Recording
from mummer.clip import Mirror, Scale
from mummer.clip.sampled import Sampled
from mummer.errors import InputError
from mummer.math import quaternion
from mummer.measure import Measure
from tests.retargeting.walk import people, walk


def changed(clip: Sampled, change) -> Sampled:
    """The same clip with its poses changed: ``change(times, rotations, root)`` writes into copies."""
    times = clip.recording.curves[0].times
    poses = clip.sample(times)
    rotations, root = poses.rotations.copy(), poses.root_translation.copy()
    change(times, rotations, root)
    recording = Recording.from_poses("changed", times, Pose(rotations, root), frame_rate=60.0)
    return Sampled(clip.body, recording)


def turned(role: str, axis, angle: float):
    def change(_times, rotations, _root):
        joint = people("adult").anatomy.roles[role]
        turn = quaternion.exp(angle * np.asarray(axis, float))
        rotations[:, joint] = quaternion.multiply(rotations[:, joint], turn)

    return change


def test_verdicts_follow_the_thresholds() -> None:
    less = [Measure("skate", value, "mm", 1.0, 2.0).verdict for value in (0.5, 1.5, 3.0, math.nan)]
    assert less == ["good", "acceptable", "poor", "unknown"]
    more = [Measure("recall", value, "", 0.9, 0.5, more_is_better=True).verdict for value in (0.95, 0.7, 0.1)]
    assert more == ["good", "acceptable", "poor"]
    assert Measure("skate", math.nan, "mm", 1.0, 2.0).to_json() == {"value": None, "unit": "mm", "verdict": "unknown"}
    assert "skate 3 mm (poor)" in str(Measure("skate", 3.0, "mm", 1.0, 2.0))


def test_the_floor_is_found_where_the_feet_stand() -> None:
    assert measure.floor_of(walk()) == pytest.approx(0.0, abs=0.01)
    raised = changed(walk(), lambda _t, _r, root: root.__iadd__([0, 0.1, 0]))
    assert measure.floor_of(raised) == pytest.approx(0.1, abs=0.01)


def test_foot_skate_sees_a_body_that_slides() -> None:
    def slide(times, _rotations, root):
        root[:, 0] += 0.3 * times

    from mummer.clip.analysis import contacts

    marks = contacts(walk())
    good, bad = (measure.foot_skate(clip, marks=marks).value for clip in (walk(), changed(walk(), slide)))
    assert good < 3.0
    assert bad > good + 5.0
    assert measure.mann_skate(changed(walk(), slide)).value > 2 * measure.mann_skate(walk()).value


def test_penetration_and_float_see_a_body_too_low_or_too_high() -> None:
    low = changed(walk(), lambda _t, _r, root: root.__isub__([0, 0.05, 0]))
    high = changed(walk(), lambda _t, _r, root: root.__iadd__([0, 0.05, 0]))
    assert measure.ground_penetration(walk(), floor=0.0).value < 1.0
    assert measure.ground_penetration(low, floor=0.0).value == pytest.approx(100 * 0.05 / 1.77, abs=0.6)
    assert measure.ground_float(high, floor=0.0).value > measure.ground_float(walk(), floor=0.0).value + 1.5
    hills = lambda x, z: 0.05 + 0 * x  # noqa: E731
    assert measure.ground_penetration(walk(), floor=hills).value > 2.0


def test_contacts_are_missed_by_feet_in_the_air_and_added_by_feet_that_stand() -> None:
    def stand(_times, rotations, root):
        rotations[:] = people("adult").skeleton.rest_rotations
        root[:] = people("adult").skeleton.rest_translations[0]

    still = changed(walk(), stand)
    assert measure.contact_precision(walk(), walk()).value == 1.0
    assert measure.contact_precision(still, walk()).value < 0.8
    assert measure.contact_recall(still, walk()).value > 0.95
    assert measure.contact_recall(walk(), still).value < 0.8


def test_limits_see_a_knee_bent_the_wrong_way() -> None:
    good = measure.limit_violations(walk())
    bad = measure.limit_violations(changed(walk(), turned("left_lower_leg", [1, 0, 0], -1.2)))
    assert bad.worst > good.worst + 15
    assert bad.value > good.value


def test_jerk_sees_shaking_and_a_single_pop() -> None:
    rng = np.random.default_rng(3)
    shaken = changed(walk(), lambda _t, _r, root: root.__iadd__(rng.normal(0, 0.003, root.shape)))

    def pop(_times, _rotations, root):
        root[90:] += [0, 0.03, 0]

    assert measure.jerk_ratio(walk(), walk()).value == pytest.approx(1.0)
    assert measure.jerk_ratio(shaken, walk()).value > 1.3
    assert measure.jerk(changed(walk(), pop)).worst > 1.5 * measure.jerk(walk()).worst
    with pytest.raises(InputError, match="too few samples"):
        measure.jerk(walk().trimmed(0, 0.02))


def test_jerk_free_of_proportions_is_one_for_legs_of_any_length() -> None:
    from mummer.retargeting import Onto

    rng = np.random.default_rng(3)
    shaken = changed(walk(), lambda _t, r, _o: r[:, 5:9].__iadd__(rng.normal(0, 0.01, r[:, 5:9].shape)))
    assert measure.turning_jerk_ratio(walk(), walk()).value == pytest.approx(1.0)
    on_giant = Onto(walk(), people("giant"), feet=False)
    assert measure.turning_jerk_ratio(on_giant, walk()).value == pytest.approx(1, abs=0.05)
    assert measure.turning_jerk_ratio(shaken, walk()).value > 1.5
    with pytest.raises(InputError, match="too few samples"):
        measure.turning_jerk_ratio(walk().trimmed(0, 0.02), walk().trimmed(0, 0.02))


def test_directions_and_hands_see_a_raised_arm() -> None:
    raised = changed(walk(), turned("left_upper_arm", [0, 0, 1], 0.6))
    found = measure.bone_direction_error(raised, walk())
    assert found.parts["left_upper_arm"] == pytest.approx(np.degrees(0.6), abs=8)
    assert found.parts["right_upper_arm"] < 1e-6
    assert measure.end_effector_error(raised, walk()).parts["left_hand"] > 5
    assert measure.end_effector_error(walk(), walk()).value == 0.0


def test_side_swaps_see_left_for_right() -> None:
    wave = changed(walk(), turned("left_upper_arm", [0, 0, 1], 1.2))
    assert measure.side_swaps(wave, wave).value == 0
    assert measure.side_swaps(Mirror(wave), wave).value > 0


def test_dropped_energy_sees_arms_that_hardly_swing() -> None:
    lazy = Scale(walk(), {"left_arm": 0.2, "right_arm": 0.2})
    assert measure.dropped_energy(walk(), walk()).value == pytest.approx(0.0)
    assert measure.dropped_energy(lazy, walk()).value > 15


def test_self_penetration_sees_an_arm_in_the_chest() -> None:
    import mummer as mm

    body = mm.zoo.body("adult")
    inside = Sampled(body, changed(walk(), turned("left_upper_arm", [0, 1, 0], 2.2)).recording)
    apart = Sampled(body, Recording.from_poses("rest", [0.0, 0.2], Pose.rest(body.skeleton, (2,))))
    assert measure.self_penetration(apart).value < 0.5
    assert measure.self_penetration(inside.trimmed(0, 0.2)).worst > measure.self_penetration(apart).worst


def test_all_measures_at_once_have_their_own_names() -> None:
    alone, against = measure.measures(walk()), measure.measures(walk(), walk())
    assert {"foot_skate", "mann_skate", "ground_penetration", "jerk"} <= set(alone)
    assert {"bone_direction_error", "contact_recall", "jerk_ratio", "side_swaps"} <= set(against) - set(alone)
    assert all(name == each.name for name, each in against.items())
