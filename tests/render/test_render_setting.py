"""Who stands where: sides by side, on which ground, and whether the camera travels along."""

from __future__ import annotations

import numpy as np
import pytest

from mummer.character import Anatomy, Pose, Source
from mummer.errors import InputError, UnknownNameError
from mummer.render.options import Options, OptionsDict, options_from
from mummer.render.setting import Setting, build_setting, with_room
from mummer.render.subject import Subject, sample_times, subject_of, subjects_of
from tests.render.helpers import bare, box_character, figure, waving

SMALL = {"size": (64, 64)}


def setting_of(*given: object, **options: object) -> Setting:
    subjects = [subject_of(each, rate=20) for each in given]
    return build_setting(subjects, Options(**{**SMALL, **options}))


def span(setting: Setting, body: int, frame: int = 0) -> np.ndarray:
    """(2, 3) lowest and highest corner of one body of a setting."""
    first = sum(each.vertices for each in setting.bodies[:body])
    points = next(setting.shapes([frame])).positions[first : first + setting.bodies[body].vertices]
    return np.stack([points.min(axis=0), points.max(axis=0)])


@pytest.mark.parametrize("view", ["front", "side", "three_quarter", "back"])
def test_bodies_side_by_side_do_not_hide_each_other(view: str) -> None:
    setting = setting_of(figure(), figure("other"), box_character(), view=view)
    right = setting.camera.axes[0]
    sides = []
    for body in range(3):
        first = sum(each.vertices for each in setting.bodies[:body])
        offsets = next(setting.shapes([0])).positions[first : first + setting.bodies[body].vertices] @ right
        sides.append((offsets.min(), offsets.max()))
    assert sides[0][1] < sides[1][0]
    assert sides[1][1] < sides[2][0]


def test_true_size_is_kept_or_made_equal() -> None:
    small = box_character((-0.1, 0, -0.1), (0.1, 0.2, 0.1))
    true = setting_of(figure(), small)
    assert np.ptp(span(true, 1)[:, 1]) == pytest.approx(0.2)
    equal = setting_of(figure(), small, true_size=False)
    assert np.ptp(span(equal, 1)[:, 1]) == pytest.approx(1.0)
    assert np.ptp(span(equal, 0)[:, 1]) == pytest.approx(1.0)


def test_bodies_stand_on_one_ground_and_face_one_way() -> None:
    high = box_character((-0.5, 7, -0.1), (0.5, 8, 0.1)).replace(source=Source("glb", front="+X"))
    setting = setting_of(figure(), high)
    assert span(setting, 1)[0, 1] == pytest.approx(0.0, abs=1e-9)
    # It faced +X and was thin along Z; now it faces +Z and is thin along X.
    assert np.ptp(span(setting, 1), axis=0) == pytest.approx([0.2, 1.0, 1.0])
    assert setting.ground.height == 0.0


@pytest.mark.parametrize("low", [0.0, 0.1, -0.2, 3.0, -5.0])
def test_the_ground_is_where_the_body_stands_at_rest(low: float) -> None:
    body = box_character((-0.5, low, -0.5), (0.5, low + 1, 0.5))
    assert setting_of(body).ground.height == pytest.approx(low)
    sunk = Pose(body.skeleton.rest_rotations, np.array([0.0, -0.1, 0.0]))
    assert setting_of((body, sunk)).ground.height == pytest.approx(low)


def test_a_body_bound_about_the_origin_and_lifted_by_its_motion_stands_at_nought() -> None:
    body = box_character((-0.5, -1.0, -0.5), (0.5, 0.5, 0.5))
    lifted = Pose(body.skeleton.rest_rotations, np.array([0.0, 1.0, 0.0]))
    assert setting_of((body, lifted)).ground.height == 0.0
    gone = Pose(body.skeleton.rest_rotations, np.array([0.0, 20.0, 0.0]))
    assert setting_of((body, gone)).ground.height == pytest.approx(19.0)


def test_the_anatomy_knows_front_and_ground() -> None:
    anatomy = Anatomy("thing", {}, {}, (), {"all": (0,)}, [0], front=[1, 0, 0], ground=-0.4)  # type: ignore[arg-type]
    setting = setting_of(box_character().replace(anatomy=anatomy), view=(0, 0))
    assert setting.ground.height == pytest.approx(-0.4)
    assert setting.camera.axes[2] == pytest.approx([-1, 0, 0])


def test_a_long_way_is_followed_and_a_short_one_is_not() -> None:
    body = figure()
    short, far = (setting_of((body, waving(body, travel=way))) for way in (0.5, 9.0))
    assert np.all(short.track == 0)
    assert far.track[-1] == pytest.approx([0, 0, 9.0], abs=1.5)
    assert far.camera_at(len(far) - 1).eye - far.camera.eye == pytest.approx(far.track[-1])
    assert far.ground_at(5).center[1] > far.ground.center[1]
    kept = setting_of((body, waving(body, travel=9.0)), follow=False)
    assert np.all(kept.track == 0)
    assert kept.width > 8


def test_few_moments_of_a_way_are_followed_one_by_one() -> None:
    body = figure()
    few = build_setting(subjects_of((body, waving(body, travel=9.0)), times=4), Options(follow=True))
    assert few.track[:, 2] == pytest.approx([0.0, 3.0, 6.0, 9.0], abs=0.2)


@pytest.mark.parametrize("travel", [0.0, 9.0])
def test_the_camera_sees_the_whole_motion(travel: float) -> None:
    body = figure()
    setting = setting_of((body, waving(body, travel=travel)))
    for frame, shape in enumerate(setting.shapes(range(len(setting)))):
        column, row, _ = setting.camera_at(frame).project(shape.positions).T
        assert column.min() > 0
        assert row.min() > 0
        assert max(column.max(), row.max()) < 64


def test_the_camera_sees_all_sides_of_a_turn() -> None:
    setting = setting_of((figure(), waving(figure())), turns=1.0)
    for frame, shape in enumerate(setting.shapes(range(len(setting)))):
        column, row, _ = setting.camera_at(frame).project(shape.positions).T
        assert min(column.min(), row.min()) > 0
        assert max(column.max(), row.max()) < 64
    assert setting.camera_at(len(setting) - 1).eye == pytest.approx(setting.camera.eye)


def test_a_shorter_motion_waits_for_the_longer_one() -> None:
    body = figure()
    setting = setting_of((body, waving(body, seconds=0.2)), (body, waving(body, seconds=1.0)))
    assert len(setting) == 21
    shapes = list(setting.shapes(range(21)))
    first = slice(0, setting.bodies[0].vertices)
    assert np.array_equal(shapes[10].positions[first], shapes[20].positions[first])
    assert not np.array_equal(shapes[10].positions, shapes[20].positions)


def test_frames_are_bent_alike_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    body = figure()
    setting = setting_of((body, waving(body)))
    whole = [shape.positions for shape in setting.shapes(range(len(setting)))]
    monkeypatch.setattr("mummer.render.body.NUMBERS_A_CHUNK", 400)
    pieces = [shape.positions for shape in setting.shapes(range(len(setting)))]
    assert np.array_equal(whole, pieces)


def test_more_room_means_a_smaller_body() -> None:
    setting = setting_of(figure())
    roomy = with_room(setting, Options(**SMALL), 4.0, 4.0)
    tall = [np.ptp(each.camera.project(each.points)[:, 1]) for each in (setting, roomy)]
    assert tall[1] < 0.5 * tall[0]


def test_a_bare_skeleton_has_solid_bones_along_its_joints() -> None:
    setting = setting_of(bare(figure()))
    points = next(setting.shapes([0])).positions
    assert len(setting.surface.faces) > 3 * 8
    joints = setting.joints_at(0, 0)
    nearest = np.linalg.norm(points[:, None] - joints, axis=2).min(axis=0)
    assert np.all(nearest < 0.02)
    assert np.all(points.min(axis=0) > joints.min(axis=0) - 0.05)


def test_normals_of_bones_are_unit_and_point_outwards() -> None:
    shape = next(setting_of(bare(figure())).shapes([0]))
    assert np.allclose(np.linalg.norm(shape.normals, axis=1), 1.0, atol=1e-5)


def test_a_joint_that_is_not_there_has_no_trail() -> None:
    with pytest.raises(UnknownNameError, match="skeleton 'figure' has no joint 'left_amr'; closest: 'left_arm'"):
        setting_of(figure(), trails=("left_amr",))


def test_subjects_of_all_kinds() -> None:
    body = figure()
    clip = waving(body)
    body = body.replace(recordings=(clip,))
    assert len(subject_of(body)) == 1
    assert len(subject_of((body, clip.sample([0.1, 0.2])))) == 2
    assert len(subject_of((body, "wave"), times=7)) == 7
    assert subject_of((body, clip), times=[0.25]).times.tolist() == [0.25]
    assert subject_of((body, clip), times=1).times.tolist() == [0.5]
    assert len(subject_of((body, clip), rate=10)) == 11
    assert subject_of((body, clip)).caption == "figure · wave"
    ready = subject_of(body)
    assert subject_of(ready) is ready
    assert len(subjects_of([body, (body, clip)])) == 2


def test_a_motion_that_knows_its_body() -> None:
    body = figure()
    clip = waving(body)

    class Moving:
        start, end = clip.start, clip.end
        sample = staticmethod(clip.sample)

        def __init__(self) -> None:
            self.body = body

    assert len(subject_of(Moving(), times=3)) == 3


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (42, "cannot show int; expected a path, a character"),
        ((figure(), 42), "cannot show 'figure' with a int; expected a pose or a motion"),
        ((figure(), box_character().default_pose), "the pose is for 1 joints; 'figure' has 4"),
    ],
)
def test_what_cannot_be_shown(given: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        subject_of(given)


def test_nobody_to_show() -> None:
    with pytest.raises(InputError, match="the list of subjects is empty"):
        subjects_of([])


@pytest.mark.parametrize(
    ("times", "rate", "message"),
    [
        (0, None, "times is 0; expected 1 to"),
        ([np.nan], None, "finite numbers of seconds"),
        ([], None, "one or more"),
        ([[0.0, 1.0]], None, "one or more finite"),
        (None, 0.0, "a rate of 0 frames a second"),
        (None, 2000.0, "a rate of 2000 frames a second"),
    ],
)
def test_times_that_make_no_sense(times: object, rate: float | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        sample_times(waving(figure()), times, rate)  # type: ignore[arg-type]


def test_times_must_fit_the_poses() -> None:
    body = figure()
    with pytest.raises(InputError, match=r"times of a subject have shape \(3,\); expected \(1,\)"):
        Subject(body, body.default_pose, np.zeros(3))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": (8, 64)}, "size is 8x64; each side must be 16 to 8192"),
        ({"size": (64, 9000)}, "size is 64x9000"),
        ({"size": 64}, "expected two numbers, columns and rows"),
        ({"samples": 0}, "samples is 0; expected 1, 2, 3 or 4"),
        ({"method": "linaer"}, "has no method 'linaer'; closest: 'linear'"),
        ({"skeleton": "deep"}, "expected True, False or 'depth'"),
        ({"skelton": True}, "has no option 'skelton'; closest: 'skeleton'"),
    ],
)
def test_options_that_make_no_sense(options: OptionsDict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        options_from(options)


def test_keyword_arguments_are_the_fields_of_the_options() -> None:
    from dataclasses import fields

    assert [field.name for field in fields(Options)] == list(OptionsDict.__annotations__)
