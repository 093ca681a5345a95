"""Arrays that values hold are read-only, and shared only when that was asked for."""

from __future__ import annotations

import numpy as np
import pytest

from mummer.arrays import locked, require_finite, require_shape
from mummer.errors import InputError


def test_locked_copies_what_others_can_write_to() -> None:
    given = np.zeros(3)
    kept = locked(given)
    given[0] = 5
    assert kept[0] == 0
    with pytest.raises(ValueError, match="read-only"):
        kept[0] = 1


def test_locked_view_shares_memory_but_cannot_be_written() -> None:
    given = np.zeros(3)
    kept = locked(given, copy=False)
    assert np.shares_memory(given, kept)
    assert given.flags.writeable
    assert not kept.flags.writeable


def test_locked_keeps_a_read_only_array_as_it_is() -> None:
    given = locked([1.0, 2.0])
    assert locked(given) is given


def test_shapes_are_checked_from_the_end() -> None:
    require_shape(np.zeros((7, 2, 3)), (None, 3), "points")
    with pytest.raises(InputError, match=r"points has shape \(7, 2\); expected \(\.\.\., any, 3\)"):
        require_shape(np.zeros((7, 2)), (None, 3), "points")
    with pytest.raises(InputError, match="expected"):
        require_shape(np.zeros(()), (3,), "points")


def test_finite_counts_the_bad_ones() -> None:
    with pytest.raises(InputError, match="points holds 2 values that are not finite"):
        require_finite(np.array([np.nan, 1, np.inf]), "points")
