"""Clips as text: every operator comes back the same, and no text does anything but describe a clip."""

from __future__ import annotations

import dataclasses
import functools
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mummer as mm
import mummer.clip as mc
from mummer.character import Character, Pose, Recording, Skeleton
from mummer.clip.text_names import operators
from mummer.clip.text_read import MOST_LEVELS
from mummer.errors import FileError, InputError, LimitError, MalformedFileError
from mummer.math import quaternion
from tests.clip.strategies import assert_same_poses, smooth_motion


@functools.cache
def adult() -> Character:
    return mm.zoo.body("adult")


@functools.cache
def nod() -> mc.Keyed:
    """A clip small enough to be written out."""
    clip = mc.Keyed(adult(), annotations=(mc.Mark(0.25, "left_foot contact", 0.5),))
    for time, angle in ((0.0, 0.0), (0.5, 0.4), (1.0, -0.2)):
        clip = clip.with_key("head", time, quaternion.exp([angle, 0.1, 0]), between="bezier", reach=(0.3, 0.5))
        clip = clip.with_key("right_forearm", time, quaternion.exp([angle, 0.1, 0.3]), tangents="flat")
        clip = clip.with_key("hips", time, (0.1 * time, 1 + 0.1 * angle, time), path="translation")
        clip = clip.with_key(adult().morph_names[1], time, angle, path="morph", between="linear")
    return clip


def examples() -> dict[str, mc.Clip]:
    """One clip for each operator, its settings away from their defaults."""
    clip = nod()
    rest, other = Pose.rest(adult().skeleton), clip.shifted(0.2)
    stage = mc.Composite(adult()).with_segment(clip)
    glue = mc.Glue(0.4, 0.6, mc.Transition(stage.below(), other, 0.4, 0.6, 0.2, "hermite"))
    return {
        "Annotated": mc.Annotated(clip, (mc.Mark(0.1, "now"),)),
        "Banded": mc.Banded(clip, (0.0, 0.5)),
        "Below": mc.Composite(adult(), (*stage.segments, mc.Segment(stage.below(), 0, 0, 1, level=1))),
        "Blend": mc.Blend(clip, other, 0.3, "ground", (1.0, 0.5)),
        "Composite": stage.with_segment(other.mixed(clip, 0.5), groups=("head",), level=1, entrance=glue,
                                        resumption=mc.Glue(0.9, 1.0)),
        "Following": mc.Following(clip),
        "Graft": mc.Graft(clip, other, 2),
        "Hold": clip.held(0.3, 1.0),
        "InPlace": clip.in_place(mode="linear", vertical=True),
        "Keyed": clip,
        "Loop": clip.looped(3, spread=0.2, turn=False),
        "Mirror": clip.mirrored(),
        "Mix": clip.mixed(other, {"head": 0.5}, mode="difference", reference=rest, fade=0.1),
        "Pivot": clip.standing_at((1, 0, 2), 0.7),
        "Recorded": clip.baked(25),
        "Repeat": clip.repeated(2, travel=False),
        "Restored": mc.Restored(clip.in_place(), clip.in_place().motion),
        "Reverse": clip.reversed(),
        "Sampled": mc.Sampled(adult(), clip.to_recording(4), between="nlerp", annotations=(mc.Mark(0.1, "now"),)),
        "Scale": clip.scaled({"head": 1.5}, about=rest),
        "Select": clip.on("head", joints=("hips",)),
        "Shift": clip.shifted(-0.123456789),
        "SpaceWarp": clip.bent(
            mc.SpaceWarpKey.nothing(0.1), mc.SpaceWarpKey.turn(0.5, "head", quaternion.exp([0, 0.3, 0])),
            mc.SpaceWarpKey.pose(0.9, rest), tangents="scaled", scale=0.5, groups=("head", "torso"),
        ),
        "Still": mc.Still(adult(), rest, 1.5),
        "TimeWarp": clip.warped((0, 0), (0.5, 1), (1, 1.2)),
        "Trajectory": mc.Trajectory(clip, 0.2, 0.8, 0.3),
        "Transition": mc.Transition(clip, other, 0.5, 0.6, 0.3, "best", {"head": "warp"}, 0.2),
        "Travel": mc.Travel(clip, "hips"),
        "Trim": clip.trimmed(0.2, 0.7),
        "Weighted": mc.Weighted((clip, other), (1.0, ((0.0, 0.0), (1.0, 2.0)))),
    }  # fmt: skip


def test_every_operator_has_an_example() -> None:
    shipped = {name for name, kind in operators().items() if kind.__module__.startswith("mummer.clip.")}
    assert shipped == set(examples())


@pytest.mark.parametrize("name", sorted(examples()))
def test_round_trip(name: str) -> None:
    clip = examples()[name]
    text = mc.to_text(clip)
    back = mc.from_text(text)
    times = np.linspace(clip.start - 0.1, clip.end + 0.1, 41)
    assert type(back) is type(clip)
    assert (back.start, back.end) == (clip.start, clip.end)
    first, second = clip.sample(times), back.sample(times)
    assert_same_poses(first, second, 1e-12)
    for part in ("translations", "scales", "morphs"):
        one, two = getattr(first, part), getattr(second, part)
        assert (one is None) == (two is None)
        assert one is None or np.allclose(one, two, rtol=0, atol=1e-12)
    assert back.marks == clip.marks
    assert np.array_equal(back.defined, clip.defined)
    assert mc.to_text(back) == text


def test_what_is_shared_is_said_once_and_stays_shared() -> None:
    clip = nod()
    for _ in range(12):
        clip = clip.mixed(clip, 0.5)
    text = mc.to_text(clip)
    assert text.count("Keyed(") == 1
    back = mc.from_text(text)
    assert back.parts[0] is back.parts[1]


def test_files_beside_the_text_are_referred_to(tmp_path: Path) -> None:
    hero = dataclasses.replace(adult(), recordings=(nod().to_recording(10, name="nod"),))
    (tmp_path / "bodies").mkdir()
    mm.save(hero, tmp_path / "bodies" / "hero.glb")
    mm.character.save_anatomy(hero.anatomy, hero.skeleton, mm.character.sidecar_of(tmp_path / "bodies" / "hero.glb"))
    loaded = mm.load(tmp_path / "bodies" / "hero.glb")
    clip = mc.of(loaded, "nod").trimmed(0.2, 0.8)
    mc.save_clip(clip, tmp_path / "nod.clip")
    text = (tmp_path / "nod.clip").read_text()
    assert text == 'mummer clip 1\nTrim(Sampled("bodies/hero.glb", "nod"), begin=0.2, finish=0.8)\n'
    back = mc.load_clip(tmp_path / "nod.clip")
    assert back.body.anatomy is not None
    assert_same_poses(back.sample([0.5]), clip.sample([0.5]), 1e-12)
    with pytest.raises(InputError, match="is not in or below"):
        mc.save_clip(clip, tmp_path / "elsewhere" / "nod.clip")
    mc.save_clip(clip, tmp_path / "elsewhere" / "nod.clip", folder=tmp_path)
    assert_same_poses(
        mc.load_clip(tmp_path / "elsewhere" / "nod.clip", folder=tmp_path).sample([0.5]), clip.sample([0.5])
    )


def test_real_recordings_are_referred_to(data_dir: Path) -> None:
    folder = data_dir / "motions" / "cmu-cgspeed"
    clip = mc.of(folder / "cmu_02_01_walk.bvh").at_speed(2.0)
    text = mc.to_text(clip, folder=folder)
    assert len(text) < 200
    assert_same_poses(mc.from_text(text, folder=folder).sample([0.5]), clip.sample([0.5]), 1e-12)


def test_bodies_of_the_zoo_random_ones_and_given_ones() -> None:
    creature = mm.zoo.random_creature(42)
    assert '"random:42"' in mc.to_text(mc.Still(creature, creature.default_pose, 1.0))
    made = Character("mine", Skeleton(("root",), [-1], np.zeros((1, 3)), np.array([[0, 0, 0, 1.0]])))
    clip = mc.Still(made, made.default_pose, 1.0)
    with pytest.raises(InputError, match="cannot say where 'mine' comes from"):
        mc.to_text(clip)
    text = mc.to_text(clip, bodies={"mine": made})
    assert mc.from_text(text, bodies={"mine": made}).body is made
    with pytest.raises(MalformedFileError, match="'mine'"):
        mc.from_text(text)


def test_an_unnamed_recording_is_written_out() -> None:
    clip = mc.Sampled(adult(), nod().to_recording(2))
    assert "Recording(" in mc.to_text(clip)
    other = dataclasses.replace(adult(), recordings=(clip.recording, Recording("clip", (), clip.recording.base)))
    assert "Recording(" in mc.to_text(mc.Sampled(other, clip.recording))


BAD = [
    ("", "starts with ''; expected 'mummer clip 1'"),
    ("mummer clip 2\nKeyed('zoo:dog')", "line 1: starts with 'mummer clip 2'"),
    ("mummer clip 1\n", "describes no clip"),
    ("mummer clip 1\nMirrror(Keyed('zoo:dog'))", "line 2, column 1: there is no operator 'Mirrror'; closest: 'Mirror'"),
    ("mummer clip 1\n\n  Shift(", "line 3, column"),
    ("mummer clip 1\nShift(Keyed('zoo:dog'), second=1)", "column 25: Shift has no setting 'second'; closest: 'seconds"),
    ("mummer clip 1\nShift(Keyed('zoo:dog'))", "Shift needs seconds"),
    ("mummer clip 1\nShift(Keyed('zoo:dog'), 1, 2)", "Shift takes 2 values, not 3"),
    ("mummer clip 1\nShift(Keyed('zoo:dog'), 1, seconds=2)", "seconds of Shift is given twice"),
    ("mummer clip 1\nShift(Keyed('zoo:dog'), 'soon')", "seconds of Shift is a text; expected a number"),
    ("mummer clip 1\nShift(Keyed('zoo:dog'), True)", "seconds of Shift is True or False; expected a number"),
    ("mummer clip 1\nShift(1, 1)", "clip of Shift is a number; expected a clip"),
    ("mummer clip 1\nKeyed('zoo:dogg')", "the zoo has no body 'dogg'; closest: 'dog'"),
    ("mummer clip 1\nKeyed('random:x')", "is not a seed; expected a whole number"),
    ("mummer clip 1\nKeyed('../hero.glb')", "lies outside its folder"),
    ("mummer clip 1\nKeyed('/etc/passwd')", "lies outside its folder"),
    ("mummer clip 1\nKeyed('http://example.org/hero.glb')", "only files beside it are read"),
    ("mummer clip 1\nKeyed('nowhere.glb')", "is not there"),
    ("mummer clip 1\nSampled('zoo:dog', 'walk')", "brings no recording 'walk'"),
    ("mummer clip 1\nTrim(Keyed('zoo:dog'), 1, 2)", "cannot trim to 1 to 2 s"),
    ("mummer clip 1\nMix(Keyed('zoo:dog'), Keyed('zoo:dog'), 'much')", "Mix cannot be made of these values"),
    ("mummer clip 1\nwalk", "nothing is called 'walk'"),
    ("mummer clip 1\nwalk = 1\nwalkk", "nothing is called 'walkk'; closest: 'walk'"),
    ("mummer clip 1\nShift = 1\nShift", "is the name of an operator"),
    ("mummer clip 1\nwalk = Keyed('zoo:dog')", "the last line must be the clip itself"),
    ("mummer clip 1\n(1, 2)", "the last line is a row of values; expected a clip"),
    ("mummer clip 1\nimport os\nKeyed('zoo:dog')", "only lines such as"),
    ("mummer clip 1\n__import__('os').system('true')", "there is no operator 'that'"),
    ("mummer clip 1\n[].__class__", "here may stand"),
    ("mummer clip 1\nShift(Keyed('zoo:dog'), 2 ** 99999)", "here may stand"),
    ("mummer clip 1\nShift(*(1, 2))", "here may stand"),
    ("mummer clip 1\nShift(**{'clip': 1})", "Shift has no setting None"),
    ("mummer clip 1\nf'{1}'", "here may stand"),
    ("mummer clip 1\nShift(Keyed('zoo:dog'), -'a')", "here may stand"),
    ("mummer clip 1\n(lambda: 1)()", "there is no operator"),
    ("mummer clip 1\nClip()", "there is no operator 'Clip'"),
    ("mummer clip 1\nBeneath()", "there is no operator 'Beneath'"),
    ("mummer clip 1\nKeyed('zoo:dog\\0')", "no body"),
    ("mummer clip 1\nKeyed('\0')", "nested too deeply, or holds what is no text|is not an expression"),
    ("mummer clip 1\n" + "(" * 5000, "is not an expression|nested too deeply"),
    ("mummer clip 1\n" + "-" * 100_000 + "1", "nested too deeply|more than 64 deep|not an expression"),
    ("mummer clip 1\n" + "1+" * 50_000 + "1", "here may stand|nested too deeply"),
    ("mummer clip 1\n" + "(" * 100 + "1" + ",)" * 100, "more than 64 deep"),
    ("mummer clip 1\n" + "9" * 100_000, "not an expression|nested too deeply"),
    ("mummer clip 1\nRecorded(Keyed('zoo:dog'), 1e400)", "makes no sense"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), BAD, ids=[message[:40] for _, message in BAD])
def test_bad_texts_get_one_line(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FileError) as caught:
        mc.from_text(text, folder=tmp_path)
    alternatives = "|".join(re.escape(each) for each in message.split("|"))
    assert re.search(alternatives, str(caught.value)), str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_short_text_cannot_stand_for_an_endless_clip() -> None:
    double = "\n".join(f"a{n + 1} = Blend(a{n}, a{n}, overlap=0.0)" for n in range(60))
    with pytest.raises(MalformedFileError, match="operators on"):
        mc.from_text(f"mummer clip 1\na0 = Keyed('zoo:dog')\n{double}\na60")
    chain = "\n".join(f"a{n + 1} = Shift(a{n}, 1.0)" for n in range(MOST_LEVELS))
    with pytest.raises(MalformedFileError, match="operators on 201 levels"):
        mc.from_text(f"mummer clip 1\na0 = Keyed('zoo:dog')\n{chain}\na{MOST_LEVELS}")
    with pytest.raises(LimitError, match="characters long"):
        mc.from_text("mummer clip 1\n" + " " * 17_000_000)


@given(st.text(alphabet="mShiftKeyed()'zoo:dg,=1.-[]{}\n_ *", max_size=60))
def test_any_text_is_a_clip_or_one_line(text: str) -> None:
    said = ""
    try:
        mc.from_text("mummer clip 1\n" + text)
    except FileError as error:
        said = str(error)
    assert "\n" not in said


def test_files_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "bad.clip").write_bytes(b"mummer clip 1\n\xff")
    with pytest.raises(MalformedFileError, match=r"bad\.clip: byte 14: is not text in UTF-8"):
        mc.load_clip(tmp_path / "bad.clip")
    (tmp_path / "typo.clip").write_text("mummer clip 1\n\nKeyd('zoo:dog')")
    with pytest.raises(MalformedFileError, match=r"typo\.clip: line 3, column 1: .* closest: 'Keyed'"):
        mc.load_clip(tmp_path / "typo.clip")


def test_what_has_no_form_in_text_says_so() -> None:
    clip = smooth_motion(adult(), np.random.default_rng(0))
    with pytest.raises(InputError, match="nan of type float has no form"):
        mc.to_text(mc.Shift(clip, float("nan")))

    class Local(mc.Shift):
        pass

    del mc.Clip.OPERATORS["Local"]
    with pytest.raises(InputError, match="Local has no form in text"):
        mc.to_text(Local(clip, 1.0))


def test_a_clip_prints_as_its_tree() -> None:
    clip = nod().trimmed(0.2, 0.8).mixed(nod().mirrored(), {"head": 0.5})
    assert repr(clip) == (
        "Mix(weights={head: 0.5}), from 0.2 to 0.8 s\n"
        "  first: Trim(begin=0.2, finish=0.8)\n"
        "    Keyed(adult, tracks=4 tracks, annotations=1 mark)\n"
        "  second: Mirror()\n"
        "    Keyed(adult, tracks=4 tracks, annotations=1 mark)"
    )
    stage = mc.Composite(adult()).with_segment(nod()).with_layer(nod(), fade=0.2)
    assert "Segment(start=0, source=0, seconds=1, level=1, entrance=Glue(begin=0, end=0.2)" in repr(stage)
    deep = nod()
    for _ in range(300):
        deep = deep.shifted(0.0)
    assert repr(deep).endswith("...")
