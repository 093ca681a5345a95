"""What a child hands over arrives unchanged."""

from __future__ import annotations

import math
from array import array
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.io.child import _unpack
from mummer.io.sandbox.transfer import Block, block, view, write

WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
PLAIN = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False) | WORDS
BLOCKS = st.lists(st.floats(width=32), max_size=9).map(lambda values: block("f8", values))
TREES = st.recursive(
    PLAIN | BLOCKS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS.filter(lambda word: word[:1] != "$"), inner),
    max_leaves=12,
)


@given(tree=st.dictionaries(WORDS.filter(lambda word: word[:1] != "$"), TREES))
def test_trees_survive(tree: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("transfer") / "result"
    write(path, tree)
    assert_same(tree, _unpack(path.read_bytes(), None))


def assert_same(sent: Any, got: Any) -> None:
    if isinstance(sent, Block):
        assert got.shape == sent.shape
        assert got.tobytes() == sent.data
    elif isinstance(sent, dict):
        assert list(sent) == list(got)
        for key in sent:
            assert_same(sent[key], got[key])
    elif isinstance(sent, list):
        assert len(sent) == len(got)
        for mine, other in zip(sent, got, strict=True):
            assert_same(mine, other)
    else:
        assert sent == got


def test_arrays_have_their_shape_and_are_read_only(tmp_path: Path) -> None:
    write(tmp_path / "result", {"rows": block("i4", range(12), 2, 3), "none": block("f8", [], 3)})
    tree = _unpack((tmp_path / "result").read_bytes(), None)
    assert tree["rows"].tolist() == np.arange(12).reshape(2, 2, 3).tolist()
    assert tree["none"].shape == (0, 3)
    with pytest.raises(ValueError, match="read-only"):
        tree["rows"][0] = 1


def test_views_copy_buffers_of_every_kind() -> None:
    assert view("f4", array("f", [1, 2, 3, 4]), 2).shape == (2, 2)
    assert view("f2", np.float16([1, 2, 3]), 3).shape == (1, 3)
    assert math.prod(view("i4", b"").shape) == 0


def test_what_is_not_plain_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="set cannot be handed over"):
        write(tmp_path / "result", {"a": {1, 2}})
