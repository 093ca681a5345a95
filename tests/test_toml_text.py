"""TOML that people write: values checked, errors with the line and the nearest field."""

from __future__ import annotations

import msgspec
import pytest

from mummer.errors import InputError, MalformedFileError
from mummer.toml_text import LONGEST, parse_toml, place_of, read_toml_text


class Leaf(msgspec.Struct, forbid_unknown_fields=True):
    size: float
    rows: list[list[float]] = []


class Branch(msgspec.Struct, forbid_unknown_fields=True):
    leaf: list[Leaf] = []
    color: str = ""


class Tree(msgspec.Struct, forbid_unknown_fields=True):
    version: int
    branch: list[Branch] = []


GOOD = """version = 1

[[branch]]
color = "brown"  # [[branch]]

[[branch.leaf]]
size = 1.5

[[branch]]

[[branch.leaf]]
size = 2

[[branch.leaf]]
rows = [
    [1, 2],
    [3, 4],
]
size = 3
"""


def parsed(text: str) -> Tree:
    return parse_toml(text, Tree, version=1, what="a tree", path="oak.toml")


def test_nested_tables_are_read() -> None:
    tree = parsed(GOOD)
    assert [len(branch.leaf) for branch in tree.branch] == [1, 2]
    assert tree.branch[1].leaf[1].rows == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("size = 3", 'size = "x"', "oak.toml: line 19, branch[1].leaf[1].size: expected `float`, got `str`"),
        ("size = 2", "sise = 2", "oak.toml: line 12, branch[1].leaf[0].sise: object contains unknown field `sise`; "
         "closest: 'size'"),
        ("[3, 4]", '[3, "x"]', "oak.toml: line 17, branch[1].leaf[1].rows[1][1]: expected `float`, got `str`"),
        ("version = 1", "version = 2", "oak.toml: line 1, version: version 2; this mummer reads version 1"),
        ("version = 1", "version = [", "oak.toml: not TOML: Invalid value (at line 3, column 3)"),
        ('color = "brown"', "color = 3", "oak.toml: line 4, branch[0].color: expected `str`, got `int`"),
    ],
)  # fmt: skip
def test_errors_name_line_and_field(old: str, new: str, message: str) -> None:
    with pytest.raises(MalformedFileError) as caught:
        parsed(GOOD.replace(old, new))
    assert str(caught.value) == message


def test_a_missing_field_is_told_with_its_table() -> None:
    with pytest.raises(
        MalformedFileError, match=r"line 11, branch\[1\]\.leaf\[0\]: object missing required field `size`"
    ):
        parsed(GOOD.replace("size = 2", ""))


def test_too_much_and_too_deep() -> None:
    with pytest.raises(MalformedFileError, match="expected a tree of at most"):
        parsed("#" * (LONGEST + 1))
    with pytest.raises(MalformedFileError, match="not TOML"):
        parsed("version = " + "[" * 100_000)


def test_a_field_that_is_not_there_has_no_line() -> None:
    assert place_of(GOOD, "branch[7].leaf[0]") == "branch[7].leaf[0]"
    assert place_of(GOOD, "branch[0].nothing") == "line 3, branch[0].nothing"


def test_files_that_cannot_be_read(tmp_path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_toml_text(tmp_path / "none.toml", "a tree")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(MalformedFileError, match="not text in UTF-8; expected a tree in TOML"):
        read_toml_text(tmp_path / "bytes.toml", "a tree")
