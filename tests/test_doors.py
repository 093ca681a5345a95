"""The calls that everybody starts with take whatever says a body or a motion, and say what is wrong in one sentence."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer.errors import FileError, InputError, UnknownNameError


@pytest.fixture(scope="module")
def nod() -> mm.clip.Sampled:
    return mm.clip.bake(mm.perform("zoo:adult", "nod"), 20)


@pytest.fixture(scope="module")
def files(nod: mm.clip.Sampled, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a motion, a body without one, and a body with two."""
    folder = tmp_path_factory.mktemp("files")
    nod.save(folder / "nod.bvh")
    mm.save(mm.zoo.body("child"), folder / "child.glb")
    two = (nod.to_recording(10, name="Nod"), nod.reversed().to_recording(10, name="Back"))
    mm.save(nod.body.replace(recordings=two), folder / "two.glb")
    return folder


def test_a_body_is_said_in_many_ways(files: Path, nod: mm.clip.Sampled) -> None:
    ways = [files / "child.glb", str(files / "child.glb"), "zoo:child", mm.zoo.body("child"), mm.load("zoo:child")]
    assert [mm.recognize(way).joint("head") >= 0 for way in ways] == [True] * 5
    assert {mm.perform(way, "nod").body.name for way in ways} == {"child"}
    assert {mm.retarget(nod, way, rate=5).body.name for way in ways} == {"child"}
    assert mm.recognize(nod).kind == "humanoid"
    assert mm.perform(nod, "wave").body is nod.body
    assert mm.load("random:3").anatomy is not None


def test_a_motion_is_said_in_many_ways(files: Path, nod: mm.clip.Sampled) -> None:
    path = files / "nod.bvh"
    ways = [path, str(path), mm.load(path), mm.clip.of(path), nod, nod.looped(2)]
    for way in ways:
        made = mm.retarget(way, "zoo:child", rate=10)
        assert (made.body.name, made.name) == ("child", "nod")
    assert mm.retarget(nod.recording, "zoo:child", source="zoo:adult", rate=10).name == "nod"


def test_what_was_loaded_goes_everywhere(files: Path, tmp_path: Path) -> None:
    motion = mm.load(files / "nod.bvh")
    assert mm.perform(motion, "wave", duration=0.2).duration == pytest.approx(0.2)
    assert mm.render.picture(motion, size=(32, 32)).shape == (32, 32, 3)
    assert mm.render.contact_sheet(str(files / "nod.bvh"), views="front", size=(32, 32)).shape[2] == 3
    assert "foot_skate" in mm.measure.measures(motion)
    assert "foot_skate" in mm.measure.measures(files / "nod.bvh", motion)
    assert mm.measure.jerk_ratio(motion, source=files / "nod.bvh").value == pytest.approx(1.0)
    mm.save(motion, tmp_path / "again.glb")
    assert mm.load(tmp_path / "again.glb").recordings[0].duration == pytest.approx(1.6)
    assert mm.clip.of(motion).mirrored().duration > 0  # recognised, so that left and right are known


def test_parts_and_poses_of_bodies_that_nobody_has_recognised() -> None:
    skeleton = mm.zoo.body("adult").skeleton
    nameless = dataclasses.replace(skeleton, names=tuple(f"joint {index}" for index in range(len(skeleton))))
    bare = mm.Character("bare", nameless)
    assert mm.ik.solve(bare, mm.ik.Place("left_hand", at=(0.4, 1.3, 0.3)), root="fixed").is_met
    assert mm.perform(bare, "wave", variant="left_hand").variants[0].startswith("joint ")
    assert mm.world_positions(bare, mm.Pose.rest(bare)).shape == (len(bare.skeleton), 3)


def test_one_of_several_recordings(files: Path) -> None:
    first = mm.retarget(files / "two.glb", "zoo:child")
    assert first.name == "Nod"
    assert [str(finding) for finding in first.report] == [
        "guessed: 'Nod', the first of 2 recordings, was taken; clip= takes 'Back'"
    ]
    chosen = mm.retarget(files / "two.glb", "zoo:child", clip="Back")
    assert (chosen.name, len(chosen.report)) == ("Back", 0)
    with pytest.raises(UnknownNameError, match="has no recording 'Bakc'; closest: 'Back'"):
        mm.retarget(files / "two.glb", "zoo:child", clip="Bakc")


def test_a_body_is_recognised_once() -> None:
    bare = mm.zoo.body("dog").replace(anatomy=None)
    assert mm.perform(bare, "nod").body is mm.perform(bare, "wave").body


WRONG: list[tuple[Callable[[], object], str]] = [
    (lambda: mm.recognize(3), "recognize() expected a body: a path, 'zoo:NAME', a character or a clip; got int"),
    (lambda: mm.recognize(None), "got None"),
    (lambda: mm.recognize(mm.Character), "got the class Character"),
    (lambda: mm.perform(3.5, "wave"), "perform() expected a body: "),
    (lambda: mm.perform("zoo:adult", 3), "perform() expected the body first, then names of animations; got int"),
    (lambda: mm.perform("wave", "zoo:adult"), "takes the body first and then animations; 'wave' is an animation"),
    (lambda: mm.perform("walk", mm.zoo.body("adult")), "expected the body first"),
    (lambda: mm.perform("zoo:adult", "wvae"), "the library has no animation 'wvae'; closest: 'wave'"),
    (lambda: mm.retarget(3, "zoo:adult"),
     "retarget() expected a motion: a path, a clip, a recording or a character with recordings; got int"),
    (lambda: mm.retarget(mm.perform("zoo:adult", "nod"), 7), "retarget() expected a body"),
    (lambda: mm.retarget("zoo:adult", "zoo:child"), "'adult' has no recordings, so there is no motion to take from it"),
    (lambda: mm.retarget("zoo:child", mm.perform("zoo:adult", "nod")), "takes the motion first and then the body"),
    (lambda: mm.retarget(mm.perform("zoo:adult", "nod"), "zoo:child", clip="x"), "got clip='x' beside a clip"),
    (lambda: mm.load(12), "load() expected a path, such as 'hero.glb'; got int"),
    (lambda: mm.load("zoo:adlt"), "the zoo has no body 'adlt'; closest: 'adult'"),
    (lambda: mm.load("random:x"), "'x' is not a seed"),
    (lambda: mm.save(12, "x.glb"), "save() expected a character or a clip first, then a path; got int"),
    (lambda: mm.save(mm.zoo.body("child"), 12), "save() expected a path"),
    (lambda: mm.save("x.glb", mm.zoo.body("child")), "save() expected a character or a clip first, then a path"),
    (lambda: mm.load(""), "load() expected a path, such as 'hero.glb'; got an empty name"),
    (lambda: mm.perform("zoo:adult", "wave", speed="fast"), "the speed is 'fast'; expected a number"),
    (lambda: mm.perform("zoo:adult", "wave", duration="2"), "the duration is '2'; expected a number"),
    (lambda: mm.perform("zoo:adult", "wave", target="head"), "the target is 'head'; expected numbers"),
    (lambda: mm.perform("zoo:adult", "walk", path="0,0 1,1"), "a path is '0,0 1,1'; expected numbers"),
    (lambda: mm.retarget(mm.perform("zoo:adult", "nod"), "zoo:child", rate=0), "a rate of 0 frames a second"),
    (lambda: mm.retarget(mm.perform("zoo:adult", "nod"), "zoo:child", rate="30"), "the rate is '30'; expected"),
    (lambda: mm.perform("zoo:adult", "nod").save("x.glb", rat=3), "takes no option 'rat'"),
    (lambda: mm.perform("zoo:adult", "nod").sample([[0, 1]]), "the times of a clip have shape (1, 2); expected (T,)"),
    (lambda: mm.perform("zoo:adult", "nod").looped("3"), "cannot be done '3' times"),
    (lambda: mm.perform("zoo:adult", "nod").at_speed("2"), "the speed is '2'; expected a number"),
    (lambda: mm.recognize("zoo:adult", corrections=["chest"]), "corrections are ['chest']; expected roles with joints"),
    (lambda: mm.measure.foot_skate(2), "foot_skate() expected a motion"),
    (lambda: mm.ik.solve("zoo:adult", "left_hand"), "is no goal; expected goals such as Place("),
    (lambda: mm.ik.solve(3, ()), "solve() expected a body"),
    (lambda: mm.Pose.rest(3), "expected a skeleton or a character; got int"),
    (lambda: mm.world_positions(mm.zoo.body("dog"), 3), "expected a pose, as clip.at(0.5) gives it; got int"),
    (lambda: mm.render.picture("zoo:dog", "Walk"), "cannot show a body as 'Walk'; expected a pose"),
    (lambda: mm.render.save_video(mm.zoo.body("dog"), "x.gif"), "save_video() expected a path first"),
    (lambda: mm.measure.measures(2), "measures() expected a motion"),
    (lambda: mm.render.picture(2), "cannot show int; expected a path, a character, a clip"),
    (lambda: mm.recognize("zoo:adult").joint("left_hnad"), "this body has no role 'left_hnad'; closest: 'left_hand'"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "message"), WRONG, ids=[message[:40] for _, message in WRONG])
def test_what_is_wrong_is_said_in_one_sentence(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_name_of_the_zoo_where_a_file_is_meant() -> None:
    with pytest.raises(FileError, match=r"adult: is not there; did you mean 'zoo:adult'\?"):
        mm.load("adult")


@pytest.mark.parametrize("ending", [".glb", ".gltf", ".bvh"])
def test_a_clip_saves_itself(ending: str, nod: mm.clip.Sampled, tmp_path: Path) -> None:
    nod.save(tmp_path / f"one{ending}")
    mm.save(nod, tmp_path / f"other{ending}", rate=10, name="slow")
    one, other = mm.load(tmp_path / f"one{ending}"), mm.load(tmp_path / f"other{ending}")
    assert one.recordings[0].frames().shape == (len(nod.times(20)),)
    assert other.recordings[0].frames().shape == (len(nod.times(10)),)
    assert np.allclose(mm.clip.of(one).at(0.5).rotations[3], nod.at(0.5).rotations[3], atol=1e-3)
    left = {file.suffix for file in tmp_path.iterdir()} - {ending}
    assert left <= {".bin"}  # nothing half-written


def test_a_clip_is_saved_beside_the_recordings_of_its_body(files: Path, tmp_path: Path) -> None:
    nod = mm.perform(files / "two.glb", "wave")
    nod.save(tmp_path / "beside.glb")
    assert [each.name for each in mm.load(tmp_path / "beside.glb").recordings] == ["Nod", "Back", "wave"]
    nod.save(tmp_path / "alone.glb", only_new=True, name="Hello")
    assert [each.name for each in mm.load(tmp_path / "alone.glb").recordings] == ["Hello"]


@pytest.mark.parametrize("ending", [".png", ".gif"])
def test_pictures_are_saved_too(ending: str, nod: mm.clip.Sampled, tmp_path: Path) -> None:
    nod.trimmed(0, 0.1).save(tmp_path / f"nod{ending}", size=(32, 32))
    mm.save(nod.body, tmp_path / f"body{ending}", size=(32, 32), **({"times": 2} if ending == ".gif" else {}))
    assert {path.name for path in tmp_path.iterdir()} == {f"nod{ending}", f"body{ending}"}


def test_clips_are_called_what_they_play(nod: mm.clip.Sampled) -> None:
    assert nod.name == "nod"
    assert nod.looped(2).mirrored().name == "nod"
    assert mm.perform("zoo:dog", "walk", "wave", duration=0.5).name == "walk wave"
    assert mm.clip.Still(nod.body, nod.body.default_pose, 1.0).name == "clip"
