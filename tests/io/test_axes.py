"""Changing axes is an exact rotation that brings the file's up to ours, and can be undone."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mummer.errors import UnknownNameError
from mummer.io.axes import UP_AXES, AxisChange
from mummer.math import quaternion


def matrix(up: str) -> np.ndarray:
    return AxisChange(up).vectors(np.eye(3)).T


@pytest.mark.parametrize("up", UP_AXES)
def test_up_becomes_ours_by_a_proper_rotation(up: str) -> None:
    axis = np.zeros(3)
    axis["XYZ".index(up[1])] = 1 if up[0] == "+" else -1
    assert AxisChange(up).vectors(axis).tolist() == [0, 1, 0]
    assert np.linalg.det(matrix(up)) == pytest.approx(1)


@pytest.mark.parametrize("up", UP_AXES)
def test_undone_exactly(up: str) -> None:
    rng = np.random.default_rng(3)
    change, vectors, rotations = AxisChange(up), rng.normal(size=(4, 5, 3)), quaternion.random(rng, (4, 5))
    assert np.array_equal(change.undo_vectors(change.vectors(vectors)), vectors)
    assert np.array_equal(change.undo_rotations(change.rotations(rotations)), rotations)


@pytest.mark.parametrize("up", UP_AXES)
def test_rotations_turn_changed_vectors_as_they_turned_the_others(up: str) -> None:
    rng = np.random.default_rng(4)
    change, vectors, rotations = AxisChange(up), rng.normal(size=(9, 3)), quaternion.random(rng, 9)
    before = change.vectors(Rotation.from_quat(rotations).apply(vectors))
    after = quaternion.rotate(change.rotations(rotations), change.vectors(vectors))
    assert np.allclose(before, after, rtol=0, atol=1e-14)


@pytest.mark.parametrize("up", UP_AXES)
def test_sizes_follow_their_axes_without_signs(up: str) -> None:
    sizes = np.array([2.0, 3.0, 4.0])
    assert np.array_equal(np.abs(matrix(up)) @ sizes, AxisChange(up).sizes(sizes))


def test_a_z_up_body_that_faces_minus_y_faces_plus_z() -> None:
    assert AxisChange("+Z").vectors(np.array([0.0, -1.0, 0.0])).tolist() == [0, 0, 1]


def test_unknown_axis() -> None:
    with pytest.raises(UnknownNameError, match=r"the list of axes has no up axis 'up'"):
        AxisChange("up")
