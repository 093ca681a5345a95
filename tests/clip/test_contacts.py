"""Contacts: on a gait whose contacts are known, under every change that must not matter, and on labelled recordings."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

import mummer as mm
from mummer.character.marks import Mark
from mummer.clip.analysis import ContactSettings, contacts, feet_of, with_contacts
from mummer.clip.annotated import Annotated
from mummer.clip.clip import Clip
from mummer.clip.retimed import Reverse, Shift
from mummer.clip.sampled import Sampled
from mummer.errors import InputError, UnknownNameError
from tests.clip.contact_score import LABELS, MOMENTS, Score, frame_score, moment_score, read_labels
from tests.clip.stepper import FEET, gait, stepper, true_contacts


def assert_true_contacts(marks: tuple[Mark, ...], *, tolerance: float = 0.06, start: float = 0.0) -> None:
    for foot in FEET:
        found = [(mark.time - start, mark.until - start) for mark in marks if mark.name == f"{foot} contact"]
        truth = [span for span in true_contacts(foot) if span[1] - span[0] > 0.05]
        assert len(found) == len(truth)
        assert np.abs(np.array(found) - np.array(truth)).max() < tolerance


@given(
    size=st.sampled_from([0.01, 0.3, 1.0, 40.0]),
    rate=st.sampled_from([24.0, 30.0, 60.0, 240.0]),
    slope=st.floats(-0.015, 0.015),
    heading=st.floats(-3, 3),
    start=st.sampled_from([0.0, -2.0, 7.5]),
)
@hypothesis_settings(max_examples=25)
def test_size_rate_slope_heading_and_time_do_not_matter(
    size: float, rate: float, slope: float, heading: float, start: float
) -> None:
    clip = gait(stepper(size), size=size, rate=rate, slope=slope, heading=heading, start=start)
    assert_true_contacts(contacts(clip, feet=FEET), start=start)


def test_noise_does_not_matter() -> None:
    assert_true_contacts(contacts(gait(stepper(), noise=0.001), feet=FEET))


def test_a_flat_foot_strikes_with_heel_and_toes_together_and_lifts_off() -> None:
    marks = contacts(gait(stepper()), feet=FEET)
    for what, moments in (("heel_strike", [1, 2, 3]), ("toe_strike", [1, 2, 3]), ("lift_off", [0.6, 1.6, 2.6, 3.6])):
        found = [mark.time for mark in marks if mark.name == f"left_foot {what}"]
        # The foot is down at the very end again, where nothing more is known.
        assert found[: len(moments)] == pytest.approx(moments, abs=0.07)
    assert all(mark.duration == 0 for mark in marks if "contact" not in mark.name)


def test_a_foot_of_one_joint_has_plain_strikes() -> None:
    marks = contacts(gait(stepper(toes=False)), feet=["left_foot", "right_foot"])
    assert_true_contacts(marks)
    assert {mark.name.split()[1] for mark in marks} == {"contact", "strike", "lift_off"}


def test_standing_still_is_one_contact_without_moments_and_flying_is_none() -> None:
    marks = contacts(gait(stepper(), stride=0.0, seconds=0.5), feet=["left_foot"])
    assert [mark.name for mark in marks] == ["left_foot contact"]
    clip = gait(stepper())
    assert clip.recording.base.translations is not None
    times = np.arange(100) / 50
    flying = clip.sample(times)
    assert flying.translations is not None
    moved = np.array(flying.translations)
    moved[:, 0] += 3.0 * times[:, None] * [0, 1, 1]
    away = dataclasses.replace(flying, translations=moved, root_translation=moved[:, 0])
    from mummer.character import Recording

    assert contacts(Sampled(clip.body, Recording.from_poses("away", times, away)), feet=FEET) == ()


def test_a_foot_held_in_the_air_is_not_down() -> None:
    clip = gait(stepper(), stride=0.0, seconds=0.5)
    times = np.linspace(0, 3, 200)
    pose = clip.sample(np.zeros(200))
    assert pose.translations is not None
    held = np.array(pose.translations)
    held[:, clip.body.skeleton.index("left_foot"), 1] += 0.25 * np.clip((times - 1.0) * 4, 0, 1)
    from mummer.character import Recording

    raised = Sampled(clip.body, Recording.from_poses("held", times, dataclasses.replace(pose, translations=held)))
    marks = contacts(raised, feet=FEET)
    assert [(mark.time, mark.until) for mark in marks if mark.name == "right_foot contact"] == [(0.0, 3.0)]
    (left,) = [mark for mark in marks if mark.name == "left_foot contact"]
    assert left.until == pytest.approx(1.05, abs=0.06)


def test_contacts_travel_through_operators() -> None:
    clip = gait(stepper())
    marked = with_contacts(clip, feet=FEET)
    for changed, bare in ((Shift(marked, 2.0), Shift(clip, 2.0)), (Reverse(marked), Reverse(clip))):
        carried = [mark for mark in changed.marks if mark.name == "left_foot contact"]
        found = [mark for mark in contacts(bare, feet=FEET) if mark.name == "left_foot contact"]
        assert len(carried) == len(found) >= 4
        for first, second in zip(carried, found, strict=True):
            assert (first.time, first.until) == pytest.approx((second.time, second.until), abs=0.03)


def test_feet_come_from_the_anatomy_of_any_body() -> None:
    for name, count in (("adult", 2), ("dog", 4), ("spider", 8)):
        body = mm.zoo.body(name)
        feet = feet_of(body)
        assert len(feet) == count
        assert all(0.1 * body.anatomy.height < foot.leg < 3 * body.anatomy.height for foot in feet)
        standing = Sampled(body, _standing(body))
        marks = contacts(standing)
        assert sorted(mark.name for mark in marks) == sorted(f"{foot.name} contact" for foot in feet)


def _standing(body: mm.Character) -> mm.Recording:
    from mummer.character import Pose, Recording

    return Recording.from_poses("standing", [0.0, 1.0], Pose.rest(body.skeleton, (2,)))


def test_annotated_keeps_the_motion_and_the_marks() -> None:
    clip = gait(stepper())
    once = Annotated(clip, (Mark(1.0, "release"),))
    twice = Annotated(once, (Mark(0.5, "aim", 0.9), Mark(1.0, "release")))
    assert twice.marks == (Mark(0.5, "aim", 0.9), Mark(1.0, "release"))
    assert np.array_equal(twice.sample([0.3]).translations, clip.sample([0.3]).translations)
    with pytest.raises(InputError, match=r"mark .late. from 3\.5 to 4\.5 s lies outside the clip, .* from 0 to 4 s"):
        Annotated(clip, (Mark(3.5, "late", 4.5),))


def test_bad_input() -> None:
    clip = gait(stepper())
    with pytest.raises(InputError, match="which joints of 'stepper' are feet is not known"):
        contacts(clip)
    with pytest.raises(UnknownNameError, match="has no joint 'left_foo'; closest: 'left_foot'"):
        contacts(clip, feet=["left_foo"])
    with pytest.raises(InputError, match="has no feet to look at"):
        contacts(clip, feet=[])
    with pytest.raises(InputError, match="speed of contact settings is 0"):
        ContactSettings(speed=0)
    with pytest.raises(InputError, match=r"leave of contact settings is 0\.5"):
        ContactSettings(leave=0.5)


# On recordings that people labelled

NAMES = sorted(path.stem for path in LABELS.glob("*.toml"))


def labelled_clip(data_dir: Path, name: str) -> Clip:
    character = mm.load(data_dir / read_labels(name).file)
    return Sampled(character, character.recordings[0])


@pytest.mark.parametrize("name", NAMES)
def test_contacts_agree_with_labels_frame_by_frame(data_dir: Path, name: str) -> None:
    labels = read_labels(name)
    marks = contacts(labelled_clip(data_dir, name), feet=labels.joints)
    assert frame_score(labels, marks).f1 >= 0.9


def test_moments_agree_with_labels_in_walks_runs_and_jumps(data_dir: Path) -> None:
    """The dances are left out: their recordings shake where feet turn in place."""
    totals = dict.fromkeys(MOMENTS, Score())
    for name in sorted(set(NAMES) - {"dance", "pirouette"}):
        labels = read_labels(name)
        marks = contacts(labelled_clip(data_dir, name), feet=labels.joints)
        for moment in MOMENTS:
            totals[moment] += moment_score(labels, marks, moment)
    assert totals["heel_strike"].f1 >= 0.9
    assert totals["lift_off"].f1 >= 0.95
    assert totals["toe_strike"].f1 >= 0.85
    assert sum(totals.values(), Score()).f1 >= 0.9


def test_the_score_can_fail(data_dir: Path) -> None:
    labels = read_labels("walk")
    marks = contacts(labelled_clip(data_dir, "walk"), feet=labels.joints)
    swapped = [dataclasses.replace(m, name=m.name.replace("left", "x").replace("right", "left")) for m in marks]
    assert frame_score(labels, swapped).f1 < 0.6
    late = [m.moved(m.time + 0.1, m.until + 0.1) for m in marks]
    assert moment_score(labels, late, "lift_off").f1 == 0
    assert frame_score(labels, ()).f1 == 0


def test_places_of_some_joints_are_those_of_all() -> None:
    from mummer.clip.analysis.tracks import places_of
    from mummer.measure.watched import places_at
    from tests.retargeting.walk import walk

    clip = walk(seconds=0.5)
    times, joints = clip.times(30.0), [len(clip.body.skeleton) - 1, 3, 7, 3]
    np.testing.assert_array_equal(places_of(clip, joints, times), places_at(clip, times)[:, joints])
