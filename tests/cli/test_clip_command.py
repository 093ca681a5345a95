"""``mummer clip`` as a user types it: on a gait made here, and on real files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer.character import Character, Pose, Skeleton, world_positions
from mummer.cli.app import run
from mummer.cli.clip_body import partners_by_name, with_sides
from mummer.cli.clip_steps import gains_of, parse_span
from mummer.errors import InputError
from mummer.report import ReportBuilder
from tests.clip.stepper import gait, stepper


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    """A walk of four seconds in a file that says nothing of anatomy."""
    body = stepper()
    file = tmp_path / "walk.glb"
    mm.save(body.replace(recordings=(gait(body).recording,)), file)
    return file


def made(file: Path, *options: str, capsys: pytest.CaptureFixture[str]) -> tuple[Character, dict]:
    target = file.with_name("made.glb")
    assert run(["clip", str(file), "-o", str(target), "--json", *options]) == 0
    return mm.load(target), json.loads(capsys.readouterr().out)


def way(character: Character) -> np.ndarray:
    """Where the hips go."""
    poses = character.recordings[0].frames()
    return world_positions(character.skeleton, poses)[:, character.skeleton.index("hips")]


def test_trim_speed_and_resample(walk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    character, facts = made(walk, "--trim", "1:3", "--speed", "2", "--resample", "50", capsys=capsys)
    assert facts["duration"] == pytest.approx(1.0)
    assert facts["frames"] == 51
    assert character.recordings[0].duration == pytest.approx(1.0, abs=1e-5)
    assert way(character)[0][2] == pytest.approx(1.2, abs=1e-4)
    assert way(character)[-1][2] == pytest.approx(3.6, abs=1e-4)


def test_open_trims(walk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert made(walk, "--trim", ":1.5", capsys=capsys)[1]["duration"] == pytest.approx(1.5)
    assert made(walk, "--trim", "3:", capsys=capsys)[1]["duration"] == pytest.approx(1.0)


def test_reverse_and_loop_carry_the_way(walk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    back, _ = made(walk, "--reverse", capsys=capsys)
    assert way(back)[0][2] == pytest.approx(4.8, abs=1e-4)
    assert way(back)[-1][2] == pytest.approx(0.0, abs=1e-4)
    looped, facts = made(walk, "--trim", "0:1", "--loop", "5", capsys=capsys)
    assert facts["duration"] == pytest.approx(5.0)
    assert way(looped)[-1][2] == pytest.approx(6.0, abs=1e-3)


def test_a_cycle_is_found_and_said(walk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, facts = made(walk, "--cycle", "--loop", "3", capsys=capsys)
    assert facts["duration"] == pytest.approx(3.0, abs=0.05)
    assert any("one cycle runs from" in finding["message"] for finding in facts["findings"])


def test_in_place_stays(walk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for mode in ([], ["--way", "linear"], ["--way", "composite"]):
        character, _ = made(walk, "--in-place", *mode, capsys=capsys)
        assert np.ptp(way(character)[:, 2]) < 1e-4


def test_smooth_takes_noise_away(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body, file = stepper(), tmp_path / "noisy.glb"
    mm.save(body.replace(recordings=(gait(body, noise=0.01).recording,)), file)
    foot = body.skeleton.index("left_foot")

    def roughness(character: Character) -> float:
        places = world_positions(character.skeleton, character.recordings[0].frames())[:, foot]
        return float(np.abs(np.diff(places, 2, axis=0)).mean())

    rough = roughness(made(file, capsys=capsys)[0])
    smooth = roughness(made(file, "--smooth", "1", capsys=capsys)[0])
    assert smooth < 0.5 * rough


def test_mirror_guesses_sides_and_says_so(walk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    character, facts = made(walk, "--mirror", capsys=capsys)
    assert {"kind": "guessed", "message": "left and right by names: 2 pairs of joints", "count": 1} in facts["findings"]
    plain, _ = made(walk, capsys=capsys)
    left, right = plain.skeleton.index("left_foot"), plain.skeleton.index("right_foot")
    before = world_positions(plain.skeleton, plain.recordings[0].frames())
    after = world_positions(character.skeleton, character.recordings[0].frames())
    assert np.allclose(after[:, left], before[:, right] * [-1, 1, 1], atol=1e-5)
    assert not np.allclose(after[:, left], before[:, left], atol=0.1)
    assert character.anatomy is None


def test_blend_into_another_animation_and_another_file(walk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, facts = made(walk, "--blend", "gait", "--overlap", "0.5", capsys=capsys)
    assert facts["duration"] == pytest.approx(7.5)
    character, facts = made(walk, "--trim", "0:2", "--blend", str(walk), capsys=capsys)
    assert facts["duration"] == pytest.approx(5.7)
    # The second goes on from where the first has come to.
    assert way(character)[-1][2] == pytest.approx(1.2 * 5.7, abs=0.02)


def test_contacts_are_printed_and_saved(walk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["clip", str(walk), "--contacts"]) == 0
    shown = capsys.readouterr().out
    assert "guessed: the feet are left_foot, right_foot" in shown
    assert "left_foot contact" in shown
    assert "right_foot lift_off" in shown
    _, facts = made(walk, "--contacts", "--trim", "1:3", "--feet", "left_foot", capsys=capsys)
    saved = json.loads(Path(facts["contacts_file"]).read_text())["contacts"]
    assert saved == facts["contacts"]
    assert {row["name"].split()[0] for row in saved} == {"left_foot"}
    assert min(row["time"] for row in saved) == 0.0
    assert max(row["until"] for row in saved) <= 2.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("-o OUT --trim 2:9", "cannot trim to 2 to 9 s: the clip runs from 0 to 4 s"),
        ("-o OUT --trim 1-2", "'1-2' is not a stretch of time; expected A:B in seconds"),
        ("-o OUT --trim nan:2", "'nan:2' is not a stretch of time"),
        ("-o OUT --in-place --way linaer", "--way has no mode 'linaer'; closest: 'linear'"),
        ("-o OUT --speed -1", "--speed -1 makes no sense"),
        ("-o OUT --smooth 3", "--smooth 3 makes no sense; expected 0 (nothing) to 1 (most)"),
        ("-o OUT --loop 0", "'--loop'"),
        ("-o OUT --overlap 9 --blend gait", "clips cannot overlap by 9 s"),
        ("-o OUT --blend gait2", "has no animation 'gait2'; closest: 'gait'"),
        ("-o OUT --blend nowhere.bvh", "nowhere.bvh"),
        ("-o OUT --clip gayt", "has no recording 'gayt'; closest: 'gait'"),
        ("-o OUT --resample -1", "--resample -1 makes no sense"),
        ("-o OUT --contacts --feet hand", "has no joint 'hand'"),
        ("--loop 2", "say where to write the result: -o out.glb"),
        ("-o out.xyz", "cannot be written: no writer for '.xyz'"),
    ],
)
def test_bad_input_is_one_line_and_leaves_no_file(
    walk: Path, arguments: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    target = walk.with_name("never.glb")
    given = [str(target) if part == "OUT" else part for part in arguments.split()]
    assert run(["clip", str(walk), *given]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not target.exists()


def test_a_body_without_motion(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["clip", "zoo:dog", "--contacts"]) == 2
    assert "'dog' holds no animation" in capsys.readouterr().err


def test_help_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["clip", "--help"]) == 0
    assert "Examples:" in capsys.readouterr().out


def test_sides_by_names_of_every_habit_and_by_position() -> None:
    names = ("hips", "LHipJoint", "RHipJoint", "LeftFoot", "RightFoot", "lHand", "rHand", "ear.L", "ear.R", "Lip")
    skeleton = Skeleton(names, [-1, *[0] * 9], np.zeros((10, 3)))
    assert partners_by_name(skeleton).tolist() == [0, 2, 1, 4, 3, 6, 5, 8, 7, 9]
    plain = Skeleton(("a", "b", "c"), [-1, 0, 0], [[0, 1, 0], [0.3, 0, 0], [-0.3, 0, 0]])
    report = ReportBuilder()
    assert with_sides(Character("plain", plain), report).anatomy.mirror.tolist() == [0, 2, 1]
    assert "by positions: 1 pairs" in str(report.build())
    with pytest.raises(InputError, match="neither names nor positions"):
        with_sides(Character("stick", Skeleton(("a",), [-1], [[0, 0, 0]])), ReportBuilder())


def test_the_front_follows_the_named_sides() -> None:
    """A body that looks along +X is mirrored across the plane in which it looks."""
    skeleton = Skeleton(("hips", "left_hand", "right_hand"), [-1, 0, 0], [[0, 1, 0], [0, 0, -0.4], [0, 0, 0.4]])
    anatomy = with_sides(Character("sideways", skeleton), ReportBuilder()).anatomy
    assert anatomy.front == pytest.approx([1, 0, 0])
    assert world_positions(skeleton, Pose.rest(skeleton))[1] @ anatomy.left > 0


def test_pieces() -> None:
    assert parse_span("0.5:2") == (0.5, 2.0)
    assert parse_span(":") == (None, None)
    assert gains_of(0.0) == (1.0, 1.0)
    assert gains_of(1.0) == (0.0, 0.5)


@pytest.mark.parametrize(
    ("file", "options"),
    [
        ("motions/cmu-cgspeed/cmu_02_01_walk.bvh", ["--cycle", "--loop", "3", "--mirror", "--contacts"]),
        (
            "characters/kaykit/Knight.glb",
            ["--clip", "Walking_A", "--blend", "Running_A", "--in-place", "--way", "linear"],
        ),
        ("motions/overte/walk_fwd.fbx", ["--speed", "0.5", "--mirror", "--resample", "60", "--contacts"]),
        ("motions/makehuman/mh_walk1.bvh", ["--loop", "3", "--reverse"]),
    ],
)
@pytest.mark.parametrize("extension", [".glb", ".bvh", ".usda"])
def test_real_files_in_any_format(
    data_dir: Path, tmp_path: Path, file: str, options: list[str], extension: str, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / f"made{extension}"
    assert run(["clip", str(data_dir / file), "-o", str(target), "--json", *options]) == 0
    facts = json.loads(capsys.readouterr().out)
    again = mm.load(target)
    (recording,) = again.recordings
    assert recording.duration == pytest.approx(facts["duration"], abs=2 / facts["rate"])
    assert np.isfinite(recording.frames().rotations).all()
