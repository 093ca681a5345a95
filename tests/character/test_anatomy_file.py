"""Anatomy files: what is written comes back, what is left out is worked out, what is wrong is named."""

from __future__ import annotations

import dataclasses
import json
import tomllib
from pathlib import Path

import numpy as np
import pytest

from mummer.character import Evidence, Skeleton, Socket, load_anatomy, save_anatomy, sidecar_of
from mummer.errors import FileError, InputError, LimitError, MalformedFileError
from mummer.math import quaternion
from tests.character.strategies import exactly, human, human_anatomy

SHORT = """
version = 1
kind = "humanoid"

[roles]
hips = "hips"
head = "head"

[[limbs]]
name = "left_arm"
kind = "arm"
joints = ["left_shoulder", "left_hand"]

[[limbs]]
name = "right_arm"
kind = "arm"
joints = ["right_shoulder", "right_hand"]

[[limbs]]
name = "left_leg"
kind = "leg"
joints = ["left_upper_leg", "left_toes"]
"""


@pytest.mark.parametrize("suffix", [".toml", ".json"])
def test_what_is_written_comes_back(tmp_path: Path, suffix: str) -> None:
    skeleton = human()
    sockets = (Socket("grip", 4, ([0.1, 0, 0], quaternion.from_axis_angle([0, 1, 0], 0.3))), Socket("hat", 4))
    evidence = {"head": Evidence(0.75, 'called "head"'), "left_hand.tip": Evidence(0.5, "line\nbreak \x7f ü 🦊")}
    anatomy = dataclasses.replace(human_anatomy(skeleton), sockets=sockets, evidence=evidence, ground=-0.125)
    path = tmp_path / f"hero.glb.anatomy{suffix}"
    save_anatomy(anatomy, skeleton, path)
    back = load_anatomy(path, skeleton)
    for name in ("kind", "roles", "capabilities", "groups", "ground", "evidence"):
        assert getattr(back, name) == getattr(anatomy, name), name
    for name in ("mirror", "front", "up", "bounds"):
        np.testing.assert_array_equal(getattr(back, name), getattr(anatomy, name))
    for limb, other in zip(back.limbs, anatomy.limbs, strict=True):
        assert dataclasses.replace(limb, length=1.0) == other
    for socket, given in zip(back.sockets, sockets, strict=True):
        assert (socket.name, socket.joint) == (given.name, given.joint)
        np.testing.assert_array_equal(socket.translation, given.translation)
        np.testing.assert_array_equal(socket.rotation, given.rotation)
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_names_that_need_quotes(tmp_path: Path) -> None:
    names = ["mixamorig:Hips", 'a "b" \\ c', "tab\tname", "ключ", "a.b", "del\x7f"]
    skeleton = Skeleton(names, [-1, 0, 1, 2, 3, 4], np.eye(6, 3))
    anatomy = dataclasses.replace(
        human_anatomy(human()),
        roles={name: joint for joint, name in enumerate(names)},
        capabilities={},
        limbs=(),
        groups={"all of it": range(6)},  # type: ignore[dict-item]
        mirror=np.arange(6),
    )
    path = tmp_path / "odd.toml"
    save_anatomy(anatomy, skeleton, path)
    assert tomllib.loads(path.read_text())["roles"] == {name: name for name in names}
    assert load_anatomy(path, skeleton).roles == anatomy.roles


def test_what_is_left_out_is_worked_out(tmp_path: Path) -> None:
    skeleton = human()
    path = tmp_path / "short.toml"
    path.write_text(SHORT)
    anatomy = load_anatomy(path, skeleton)
    expected = human_anatomy(skeleton)
    assert anatomy.limb("left_arm").joints == expected.limb("left_arm").joints
    assert anatomy.limb("left_arm").side == "left"
    assert anatomy.limb("right_arm").side == "right"
    assert anatomy.limb("left_arm").length == pytest.approx(0.7)
    assert anatomy.limb("left_arm").rank == 0
    np.testing.assert_array_equal(anatomy.mirror, expected.mirror)
    assert set(anatomy.groups) == {"waist", "torso", "left_arm", "right_arm", "left_leg"}
    assert anatomy.ground == pytest.approx(0.02)
    assert anatomy.problems(skeleton) == ()
    np.testing.assert_array_equal(anatomy.front, [0, 0, 1])


def test_ranks_go_from_front_to_back(tmp_path: Path) -> None:
    offsets = [[0, 0, 0], [0.1, 0, -1], [0.1, 0, 1], [0.1, 0, 0]]
    spider = Skeleton(("body", "hind", "front", "middle"), [-1, 0, 0, 0], offsets)
    path = tmp_path / "spider.json"
    limbs = [{"name": name, "kind": "leg", "joints": [name]} for name in ("hind", "front", "middle")]
    path.write_text(json.dumps({"version": 1, "kind": "insect", "limbs": limbs}))
    ranks = {limb.name: limb.rank for limb in load_anatomy(path, spider).limbs}
    assert ranks == {"front": 0, "middle": 1, "hind": 2}


def test_groups_may_name_only_where_they_begin(tmp_path: Path) -> None:
    skeleton = human()
    path = tmp_path / "groups.toml"
    path.write_text(SHORT + '\n[groups]\nupper = ["spine"]\nlegs = ["left_upper_leg", "right_upper_leg"]\n')
    groups = load_anatomy(path, skeleton).groups
    assert set(groups) == {"upper", "legs", "waist"}
    assert skeleton.index("right_hand") in groups["upper"]
    assert skeleton.index("left_toes") in groups["legs"]
    assert groups["waist"] == (0,)


KIND = 'kind = "humanoid"'
ARM = 'kind = "arm"\njoints = ["left'


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('head = "head"', 'head = "haed"', "roles.head: skeleton 'human' has no joint 'haed'; closest: 'head'"),
        ('"left_hand"]', '"left_hnad"]',
         "limbs[0].joints[1]: skeleton 'human' has no joint 'left_hnad'; closest: 'left_hand'"),
        ('"left_hand"]', '"hips"]', "limbs[0].joints[1]: 'left_shoulder' does not stand above 'hips'"),
        ("version = 1", "version = 2", "version: states version 2; expected 1"),
        ("version = 1", "", "version: states no version; expected 1"),
        ("version = 1", "version = true", "version: states version True; expected 1"),
        (KIND, "", "object missing required field `kind`"),
        (KIND, "kind = 5", "kind: expected `str`, got `int`"),
        (KIND, 'kind = "x"\nmirrors = []', "has no field 'mirrors'; closest: 'mirror'"),
        (KIND, 'kind = "x"\nfront = [0, 1]', "front: expected `array` of length >= 3"),
        (KIND, 'kind = "x"\nfront = [0, 0, 0]', "front: is no direction"),
        (KIND, 'kind = "x"\nfront = [0, 1, 1]', "front: is not at right angles to up"),
        (KIND, 'kind = "x"\nground = nan', "ground: is not a finite number"),
        (KIND, 'kind = "x"\nbounds = [[1, 1, 1], [0, 0, 0]]',
         "bounds: are not a lowest and a highest corner"),
        (KIND, 'kind = "x"\nmirror = [["head", "neck"], ["neck", "hips"]]',
         "mirror[1]: a joint has a partner already"),
        (ARM, ARM.replace("kind", "kindd"), "limbs[0]: has no field 'kindd'; closest: 'kind'"),
        (ARM, f'side = "port"\n{ARM}', "limbs[0].side: invalid enum value 'port'"),
        ('name = "right_arm"', 'name = "left_arm"', "two limbs have the same name"),
    ],
)  # fmt: skip
def test_wrong_fields_are_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert SHORT.count(old) == 1
    path = tmp_path / "wrong.toml"
    path.write_text(SHORT.replace(old, new))
    with pytest.raises(MalformedFileError) as caught:
        load_anatomy(path, human())
    assert str(caught.value).startswith(f"{path}: {message}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("tail", "message"),
    [
        ('[groups]\na = ["head"]\nb = ["head"]', "groups.b: joint 'head' is in group 'a' already"),
        ('[[sockets]]\nname = "hat"\njoint = "hed"', "sockets[0].joint: skeleton 'human' has no joint 'hed'"),
        ('[[sockets]]\nname = "hat"\njoint = "head"\nrotation = [0, 0, 0, 2]',
         "sockets[0]: rotation of socket 'hat' has length 2; expected 1"),
        ('[evidence.head]\nconfidence = 2\nreason = "x"', "evidence[...].confidence: expected `float` <= 1.0"),
    ],
)  # fmt: skip
def test_wrong_tables_are_named(tmp_path: Path, tail: str, message: str) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(f"{SHORT}\n{tail}\n")
    with pytest.raises(MalformedFileError) as caught:
        load_anatomy(path, human())
    assert str(caught.value).startswith(f"{path}: {message}")


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.toml", b"version = ", "is not TOML: Invalid value (at end of document)"),
        ("a.json", b"{", "is not JSON: Expecting property name"),
        ("a.json", b"[1]", "is a list or a single value; expected a table of fields"),
        ("a.json", b"[" * 100_000, "is nested too deeply"),
        ("a.toml", b"\xff\xfe\x00", "is not text in UTF-8; expected TOML or JSON"),
    ],
)
def test_what_is_no_anatomy_file(tmp_path: Path, name: str, data: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(MalformedFileError) as caught:
        load_anatomy(path, human())
    assert str(caught.value).startswith(f"{path}: {message}")


def test_files_that_are_not_there_or_too_long(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be read: No such file"):
        load_anatomy(tmp_path / "none.toml", human())
    long = tmp_path / "long.toml"
    long.write_bytes(b"#" * (4 * 2**20 + 1))
    with pytest.raises(LimitError, match="is longer than the limit of 4,194,304 bytes"):
        load_anatomy(long, human())


def test_an_anatomy_of_another_body_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "kept.toml"
    path.write_text("old")
    other = Skeleton("ab", [-1, 0], np.zeros((2, 3)), name="other")
    message = "the anatomy does not fit skeleton 'other': mirror is for 21 joints; the skeleton has 2"
    with pytest.raises(InputError, match=exactly(message)):
        save_anatomy(human_anatomy(human()), other, path)
    assert path.read_text() == "old"


def test_where_the_sidecar_is() -> None:
    assert sidecar_of("folder/hero.glb") == Path("folder/hero.glb.anatomy.toml")
