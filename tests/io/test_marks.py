"""Marks survive files, with what goes with them."""

from __future__ import annotations

from pathlib import Path

import pytest

import mummer as mm
from mummer.character import Mark
from mummer.clip import Annotated, Keyed
from mummer.errors import InputError, MalformedFileError
from mummer.io.marks import beside
from tests.io.real_files import real_files

MARKS = (Mark(0.1, "start"), Mark(0.4, "left_foot contact", 0.7), Mark(0.5, "stroke", data={"sound": "clap.wav"}))


def keyed_step() -> Keyed:
    body = mm.zoo.body("adult")
    return Keyed(body).with_pose(0, body.default_pose).with_pose(1, body.default_pose)


def marked() -> Annotated:
    return Annotated(keyed_step(), MARKS)


@pytest.mark.parametrize("ending", ["glb", "gltf", "bvh"])
def test_marks_and_their_data_survive_a_file(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"step.{ending}"
    marked().save(path)
    found = mm.load(path).recordings[0].marks
    assert [(mark.name, mark.data) for mark in found] == [(mark.name, mark.data) for mark in MARKS]
    for mark, given in zip(found, MARKS, strict=True):
        assert (mark.time, mark.until) == pytest.approx((given.time, given.until), abs=1e-6)
    assert beside(path).exists() == (ending == "bvh")


def test_a_motion_without_marks_leaves_none_of_another(tmp_path: Path) -> None:
    path = tmp_path / "step.bvh"
    marked().save(path)
    keyed_step().save(path)
    assert not beside(path).exists()
    assert mm.load(path).recordings[0].marks == ()


def test_a_file_of_marks_that_is_none_is_named(tmp_path: Path) -> None:
    path = tmp_path / "step.bvh"
    marked().save(path)
    beside(path).write_text("[1, 2")
    with pytest.raises(MalformedFileError, match=r"step\.bvh\.marks\.json.*is not JSON"):
        mm.load(path)
    beside(path).write_text('{"version": 9}')
    with pytest.raises(MalformedFileError, match="version 1"):
        mm.load(path)


def test_data_that_no_file_could_hold_are_refused() -> None:
    with pytest.raises(InputError, match="'stroke' are not what JSON can say"):
        Mark(0.5, "stroke", data={"sound": object()})


@pytest.mark.parametrize("path", real_files("motions_families/sb_gesture_brad", extensions=(".skm",)))
def test_gestures_say_when_they_are_ready_and_when_they_stroke(path: Path) -> None:
    body = mm.load(path, skeleton=path.parents[2] / "characters/smartbody/ChrBrad.sk")
    names = [mark.name for mark in body.recordings[0].marks]
    assert {"ready", "strokeStart", "emphasis", "stroke", "relax"} <= set(names)
    times = [mark.time for mark in body.recordings[0].marks]
    assert times == sorted(times)
