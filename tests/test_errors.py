"""Errors say what, where and what would be right, in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from mummer import errors
from mummer.report import Finding, ReportBuilder


def test_unknown_name_offers_the_closest() -> None:
    error = errors.UnknownNameError("skeleton 'hero'", "joint", "LeftHnad", ["LeftHand", "Spine", "Head"])
    assert str(error) == "skeleton 'hero' has no joint 'LeftHnad'; closest: 'LeftHand'; there are LeftHand, Spine, Head"
    assert error.closest == ("LeftHand",)
    assert isinstance(error, KeyError)
    assert isinstance(error, ValueError)


def test_unknown_name_without_anything_close() -> None:
    assert str(errors.UnknownNameError("the zoo", "body", "qqq", ["dog"])) == "the zoo has no body 'qqq'; there is dog"
    assert str(errors.UnknownNameError("the zoo", "body", "qqq", [])) == "the zoo has no body 'qqq'"


def test_many_names_are_listed_only_where_none_is_close() -> None:
    names = [f"walk_{number}" for number in range(40)]
    assert "there are" not in str(errors.UnknownNameError("the zoo", "clip", "walk_9", names))
    far = str(errors.UnknownNameError("the zoo", "clip", "qqq", names))
    assert far.startswith("the zoo has no clip 'qqq'; there are walk_0, walk_1, ")
    assert far.endswith("walk_19 and 20 more")


@pytest.mark.parametrize("prefix", ["mixamorig:", "Bip01 ", "CC_Base_"])
def test_closest_names_are_found_behind_a_prefix(prefix: str) -> None:
    names = [prefix + name for name in ("Hips", "LeftHand", "RightHand", "Head", "LeftFoot")]
    assert errors.closest_names("LeftHnad", names)[0] == f"{prefix}LeftHand"
    assert errors.closest_names("hips", names) == (f"{prefix}Hips",)
    assert errors.closest_names("zzzz", names) == ()


def test_closest_names_ignore_case_and_keep_spelling() -> None:
    assert errors.closest_names("lefthand", ["LeftHand", "RightHand"])[0] == "LeftHand"


def test_file_error_has_place_and_path() -> None:
    error = errors.MalformedFileError("a.bvh", "a brace is not closed", place="line 12")
    assert str(error) == "a.bvh: line 12: a brace is not closed"
    assert (error.path, error.place, error.what) == (Path("a.bvh"), "line 12", "a brace is not closed")
    assert str(errors.FileError(None, "is empty")) == "data: is empty"


def test_missing_extra_says_how_to_get_it() -> None:
    error = errors.MissingExtraError("fbx", "reading FBX")
    assert str(error) == "reading FBX needs the extra 'fbx': pip install 'mummer[fbx]'"
    assert isinstance(error, ImportError)


@pytest.mark.parametrize("name", [n for n in dir(errors) if n.endswith("Error")])
def test_every_error_is_a_mummer_error_and_in_the_tree(name: str) -> None:
    assert issubclass(getattr(errors, name), errors.MummerError)
    assert name in (errors.__doc__ or "")


def test_report_counts_repeats_and_stays_bounded() -> None:
    builder = ReportBuilder(most=2)
    for message in ("a", "b", "a", "c", "d"):
        builder.add("unusual", message)
    report = builder.build()
    assert report.findings[0] == Finding("unusual", "a", 2)
    assert len(report) == 3
    assert report.findings[2].count == 2
    assert "left out" in str(report)
    assert report.of("repaired") == ()
