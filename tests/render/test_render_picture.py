"""Whole pictures: mirrored poses, overlays, trails, the same picture on any number of threads, and real files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import mummer.render
from mummer.character import Pose
from mummer.errors import FileError, InputError, UnknownFormatError
from mummer.io import load
from mummer.kernels import threads
from mummer.math import quaternion
from mummer.render import contact_sheet, picture, save_png
from mummer.render.draw import draw
from mummer.render.labels import without_common_prefix, write_line
from mummer.render.options import Options
from mummer.render.scale_bar import round_length
from mummer.render.setting import build_setting
from mummer.render.sides import joint_sides
from mummer.render.subject import subject_of
from tests.render.helpers import bare, box_character, difference, figure, waving

SMALL = (120, 90)


def silhouette(character: object, pose: Pose) -> np.ndarray:
    options = Options(size=(121, 121), view="front")
    setting = build_setting([subject_of((character, pose))], options)
    shape = next(setting.shapes([0]))
    return draw(setting.surface, shape, setting.camera, ground=None, look=options.look).nearness > 0


def test_a_mirrored_pose_gives_a_mirrored_picture() -> None:
    body = figure()
    rest = Pose.rest(body.skeleton)
    up = quaternion.from_axis_angle(np.array([0.0, 0, 1]), 0.7)
    left = silhouette(body, rest.with_rotation(2, up))
    right = silhouette(body, rest.with_rotation(3, quaternion.conjugate(up)))
    assert np.mean(left != right[:, ::-1]) < 0.003
    assert np.mean(left != right) > 0.02


def test_a_picture_is_bytes_of_the_size_asked_for() -> None:
    made = picture(figure(), size=SMALL)
    assert made.shape == (90, 120, 3)
    assert made.dtype == np.uint8
    assert made.std() > 10


def test_one_thread_and_many_draw_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    body = figure()
    pictures = []
    for count in (1, 2, 5):
        monkeypatch.setattr(threads, "thread_count", lambda count=count: count)
        pictures.append(picture((body, waving(body)), size=(200, 160), skeleton=True, trails=("left_arm",), names=True))
    assert np.array_equal(pictures[0], pictures[1])
    assert np.array_equal(pictures[0], pictures[2])


@pytest.mark.parametrize("samples", [1, 2, 3, 4])
def test_more_samples_change_edges_only(samples: int) -> None:
    reference = picture(figure(), size=SMALL, samples=2)
    made = picture(figure(), size=SMALL, samples=samples)
    assert difference(made, reference) < 2.5


def test_edges_are_smooth() -> None:
    body = box_character(base_color=(0.0, 0.0, 0.0, 1.0))
    levels = {
        samples: len(np.unique(picture(body, size=(96, 96), samples=samples, ground=False, view=(20, 0))[40, :, 0]))
        for samples in (1, 4)
    }
    assert levels[4] > levels[1]


def test_the_skeleton_is_drawn_over_the_mesh() -> None:
    body = figure()
    plain, drawn = picture(body, size=SMALL), picture(body, size=SMALL, skeleton=True)
    behind = picture(body, size=SMALL, skeleton="depth")
    assert 0.2 < difference(plain, drawn) < 20
    assert difference(plain, behind) < difference(plain, drawn)


def test_left_and_right_have_their_colours() -> None:
    assert joint_sides(figure()).tolist() == [0, 0, 1, -1]
    made = picture(figure(), size=(240, 240), skeleton=True, view="front", ground=False).astype(int)
    blue, red = made[..., 2] - made[..., 0] > 90, made[..., 0] - made[..., 2] > 110
    assert np.nonzero(blue)[1].mean() > 125
    assert np.nonzero(red & (np.arange(240) < 108))[1].size > 4


def test_names_are_written_and_find_room() -> None:
    body = figure()
    plain, named = picture(body, size=(300, 300)), picture(body, size=(300, 300), names=True)
    changed = np.any(plain != named, axis=2)
    assert 100 < changed.sum() < 0.2 * changed.size


def test_names_lose_what_all_share() -> None:
    assert without_common_prefix(("rig:a", "rig:b", "rig:c")) == ("a", "b", "c")
    assert without_common_prefix(("a", "b:c", "d")) == ("a", "b:c", "d")
    assert without_common_prefix(("left_hand", "left_foot", "head")) == ("left_hand", "left_foot", "head")
    assert without_common_prefix(()) == ()


def test_trails_follow_their_joint() -> None:
    body = figure()
    motion = waving(body, travel=1.5)
    options = {"size": (240, 160), "view": "side", "follow": False}
    plain, trailed = (picture((body, motion), **options, trails=names) for names in ((), ("head",)))
    changed = np.any(plain != trailed, axis=2)
    setting = build_setting([subject_of((body, motion))], Options(**options))
    joints = setting.bodies[0].joints[:, 1]
    places = setting.camera.project(joints)[:, :2].astype(int)
    hit = [changed[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2].any() for column, row in places[5:]]
    assert np.mean(hit) > 0.95
    assert changed.mean() < 0.05
    early = picture((body, motion), **options, trails=("head",), time=0.3)
    assert not np.array_equal(early, trailed)


def test_the_floor_path_lies_on_the_ground() -> None:
    body = figure()
    motion = waving(body, travel=1.5)
    options = {"size": (240, 160), "view": (-90, 25), "follow": False}
    changed = np.any(picture((body, motion), **options) != picture((body, motion), **options, floor_path=True), axis=2)
    setting = build_setting([subject_of((body, motion))], Options(**options))
    row = setting.camera.project(np.array([0.0, 0.0, 0.75]))[1]
    assert np.nonzero(changed)[0].size > 30
    assert np.abs(np.nonzero(changed)[0] - row).max() < 4


def test_the_scale_bar_is_as_tall_as_it_says() -> None:
    body = figure()
    options = {"size": (300, 300), "view": (0, 0)}
    changed = np.any(picture(body, **options) != picture(body, **options, scale_bar=True), axis=2)
    setting = build_setting([subject_of(body)], Options(**options))
    foot, head = setting.camera.project(np.array([[0.0, 0, 0], [0.0, 0.5, 0]]))[:, 1]
    columns = changed.sum(axis=0)
    assert columns.max() == pytest.approx(foot - head, abs=12)


def test_the_scale_bar_lies_down_when_seen_from_above() -> None:
    options = {"size": (300, 300), "view": "top"}
    changed = np.any(picture(figure(), **options) != picture(figure(), **options, scale_bar=True), axis=2)
    rows, columns = np.nonzero(changed)
    setting = build_setting([subject_of(figure())], Options(**options))
    left, right = setting.camera.project(np.array([[0.0, 0, 0], [0.1, 0, 0]]))[:, 0]
    assert changed.sum(axis=1).max() == pytest.approx(abs(right - left), abs=8)
    assert np.ptp(columns) > np.ptp(rows)


@pytest.mark.parametrize(("height", "length"), [(1.75, 1), (2.0, 2), (0.4, 0.2), (0.05, 0.05), (7, 5), (0, 0.001)])
def test_round_lengths(height: float, length: float) -> None:
    assert round_length(height) == pytest.approx(length)


def test_a_body_without_surface_is_seen() -> None:
    made = picture(bare(figure()), size=SMALL, ground=False)
    empty = picture(box_character((90, 0, 0), (91, 1, 1)), size=SMALL, ground=False)
    assert np.any(made != empty, axis=2).mean() > 0.01


def test_several_bodies_in_one_picture() -> None:
    one = picture(figure(), size=(300, 100), ground=False)
    three = picture([figure(), figure(), figure()], size=(300, 100), ground=False)
    assert np.ptp(np.nonzero(np.any(one != one[:, :1], axis=2))[1]) < 150
    assert np.ptp(np.nonzero(np.any(three != three[:, :1], axis=2))[1]) > 150


def test_nothing_is_written_to_what_is_given() -> None:
    body = figure()
    before = body.meshes[0].positions.copy()
    picture(body, size=SMALL)
    assert np.array_equal(before, body.meshes[0].positions)


def test_a_surface_full_of_nan_still_makes_a_picture() -> None:
    body = box_character()
    positions = body.meshes[0].positions.copy()
    positions[3] = np.nan
    broken = body.replace(
        meshes=(body.meshes[0].__class__("box", positions, body.meshes[0].triangles, body.meshes[0].skin),)
    )
    assert picture(broken, size=SMALL).std() > 5


def test_a_batch_of_poses_is_no_picture() -> None:
    body = figure()
    with pytest.raises(InputError, match=r"the pose is a batch of shape \(3,\); a picture shows one pose"):
        picture(body, Pose.rest(body.skeleton, (3,)))


def test_png_comes_back_as_it_was(tmp_path: Path) -> None:
    made = picture(figure(), size=SMALL)
    save_png(made, tmp_path / "a" / "made.png")
    assert np.array_equal(np.asarray(Image.open(tmp_path / "a" / "made.png")), made)


def test_what_is_no_png(tmp_path: Path) -> None:
    with pytest.raises(UnknownFormatError, match=r"is no picture that can be written; choose \.png"):
        save_png(np.zeros((4, 4, 3), np.uint8), tmp_path / "made.jpg")
    with pytest.raises(InputError, match=r"not \(4, 4\) of float64"):
        save_png(np.zeros((4, 4)), tmp_path / "made.png")  # type: ignore[arg-type]
    (tmp_path / "blocked").write_text("")
    with pytest.raises(FileError, match="cannot be written"):
        save_png(np.zeros((4, 4, 3), np.uint8), tmp_path / "blocked" / "made.png")


def test_sheets_are_laid_out_by_moment_view_or_body() -> None:
    body = figure()
    cell = {"size": (40, 32), "captions": False}

    def shape(*given: object, **options: object) -> tuple[int, int]:
        rows, columns, _ = contact_sheet(*given, **{**cell, **options}).shape
        return (columns - 6) // 46, (rows - 6) // 38

    assert shape(body) == (3, 1)
    assert shape(body, views=["front", "side"]) == (2, 1)
    assert shape((body, waving(body)), times=5, views="front") == (5, 1)
    assert shape((body, waving(body)), times=5, views=["front", "side"]) == (5, 2)
    assert shape([body] * 7, views="front", columns=3) == (3, 3)
    assert shape([body] * 10, views="front") == (4, 3)
    assert shape([body] * 4) == (3, 4)


def test_captions_take_room_below_each_picture() -> None:
    plain = contact_sheet(figure(), size=(160, 160), views="front", captions=False)
    named = contact_sheet(figure(), size=(160, 160), views="front")
    assert named.shape[0] > plain.shape[0] + 10
    assert np.array_equal(named[: len(plain) - 6], plain[:-6])
    assert named[len(plain) :].min() < 120


def test_a_sheet_at_one_scale_shows_small_bodies_small() -> None:
    small = box_character((-0.1, 0, -0.1), (0.1, 0.2, 0.1), base_color=(0.0, 0.0, 0.0, 1.0))
    options = {"views": "front", "size": (80, 80), "captions": False, "ground": False, "columns": 2}
    dark = [
        (contact_sheet([figure(), small], same_scale=same, **options)[:, 92:].max(axis=2) < 60).sum()
        for same in (False, True)
    ]
    assert dark[1] < 0.2 * dark[0]


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    contact_sheet([figure()] * 3, views="front", size=(32, 32), progress=lambda *done: told.append(done))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_sheets_that_make_no_sense() -> None:
    with pytest.raises(InputError, match="columns is 0; expected one or more"):
        contact_sheet(figure(), columns=0)
    with pytest.raises(InputError, match="a sheet of 30000 pictures is too large"):
        contact_sheet((figure(), waving(figure())), times=10_000)


def test_public_names_exist_once() -> None:
    assert len(mummer.render.__all__) == len(set(mummer.render.__all__))
    for name in mummer.render.__all__:
        assert getattr(mummer.render, name) is not None


@pytest.mark.parametrize("file", ["characters/khronos/CesiumMan.glb", "motions/cmu-cgspeed/cmu_02_01_walk.bvh"])
def test_real_files_make_pictures(data_dir: Path, file: str) -> None:
    body = load(data_dir / file)
    made = picture((body, body.recordings[0]), time=0.5, size=SMALL, skeleton=True)
    assert made.std() > 8


def test_captions_that_are_too_long_keep_their_end() -> None:
    strip = np.full((20, 120, 3), 255, np.uint8)
    captions = [f"a long name of a walk · side · {time:.2f} s" for time in (0.0, 1.5)]
    first, second = (write_line(strip, text, at=(60, 10), anchor="mm", size=11, ink=(0, 0, 0)) for text in captions)
    assert (first != second).any()
    assert (first != 255).any(axis=(0, 2))[:4].sum() == 0  # nothing runs over the edge
