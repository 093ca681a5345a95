"""Forward kinematics against plain matrices, on every shape of tree and every kind of array."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.errors import InputError
from mummer.kernels import fk_affine, fk_rigid
from tests.kernels import kernel_reference as reference

TOLERANCE = {np.float64: 1e-12, np.float32: 5e-5}
PRECISIONS = pytest.mark.parametrize("dtype", [np.float64, np.float32])
EVERY_TREE = pytest.mark.parametrize("parents", reference.TREES.values(), ids=reference.TREES)


def motion(parents, frames, dtype=np.float64, seed=3):
    rng, joints = np.random.default_rng(seed), len(parents)
    turns = reference.unit_quaternions(rng, frames, joints)
    offsets, roots = rng.normal(size=(joints, 3)), rng.normal(size=(frames, 3))
    scales = rng.uniform(0.5, 1.5, (frames, joints, 3))
    return [np.asarray(a, dtype) for a in (turns, offsets, roots, scales)]


def assert_rigid(parents, turns, offsets, roots, got, tolerance):
    positions, rotations = reference.rigid(parents, turns, offsets, roots)
    np.testing.assert_allclose(got[0], positions, atol=tolerance * (1 + np.abs(positions).max(initial=0)))
    np.testing.assert_allclose(reference.rotation_matrices(got[1]), rotations, atol=tolerance * 10)


@EVERY_TREE
@PRECISIONS
def test_rigid_is_the_product_of_matrices(parents, dtype):
    turns, offsets, roots, _ = motion(parents, 7, dtype)
    got = fk_rigid(np.array(parents, np.int64), turns, offsets, roots)
    assert got[0].dtype == got[1].dtype == dtype
    assert_rigid(parents, turns, offsets, roots, got, TOLERANCE[dtype])


@EVERY_TREE
@PRECISIONS
def test_affine_is_the_product_of_matrices(parents, dtype):
    turns, offsets, _, scales = motion(parents, 7, dtype)
    # A long chain of random scales multiplies up, so that the tolerance is relative to the largest entry.
    got = fk_affine(np.array(parents, np.int64), offsets, turns, scales)
    want = reference.affine(parents, offsets, turns, scales)[..., :3, :]
    assert got.dtype == dtype
    np.testing.assert_allclose(got, want, atol=TOLERANCE[dtype] * (1 + np.abs(want).max(initial=0)))


@given(seed=st.integers(0, 2**32 - 1), joints=st.integers(1, 12), frames=st.integers(0, 5))
def test_any_tree(seed, joints, frames):
    parents = reference.random_tree(np.random.default_rng(seed), joints)
    turns, offsets, roots, scales = motion(parents, frames, seed=seed)
    assert_rigid(parents, turns, offsets, roots, fk_rigid(parents, turns, offsets, roots), 1e-12)
    want = reference.affine(parents, offsets, turns, scales)[..., :3, :]
    np.testing.assert_allclose(fk_affine(parents, offsets, turns, scales), want, atol=1e-10)


@PRECISIONS
def test_one_frame_is_the_frame_of_the_batch(dtype):
    parents = np.array(reference.TREES["several roots"])
    turns, offsets, roots, scales = motion(parents, 6, dtype)
    batch, single = fk_rigid(parents, turns, offsets, roots), fk_rigid(parents, turns[4], offsets, roots[4])
    np.testing.assert_array_equal(single[0], batch[0][4])
    np.testing.assert_array_equal(single[1], batch[1][4])
    world = fk_affine(parents, offsets, turns[4], scales[4])
    np.testing.assert_array_equal(world, fk_affine(parents, offsets, turns, scales)[4])


def test_the_fast_way_and_the_long_way_of_one_frame_agree():
    parents = np.array(reference.TREES["several roots"])
    turns, offsets, roots, scales = (a[0] if a.ndim == 3 else a for a in motion(parents, 1))
    fast, long = (fk_rigid(parents, turns, offsets, roots[0], backend=backend) for backend in (None, "cpu"))
    np.testing.assert_array_equal(fast[0], long[0])
    np.testing.assert_array_equal(fast[1], long[1])
    np.testing.assert_array_equal(
        fk_affine(parents, offsets, turns, scales), fk_affine(parents, offsets, turns, scales, backend="cpu")
    )


def test_translations_may_change_from_frame_to_frame():
    parents, rng = np.array([-1, 0, 1, 0]), np.random.default_rng(0)
    turns, _, roots, scales = motion(parents, 5)
    offsets = rng.normal(size=(5, 4, 3))
    assert_rigid(parents, turns, offsets, roots, fk_rigid(parents, turns, offsets, roots), 1e-12)
    want = reference.affine(parents, offsets, turns, scales)[..., :3, :]
    np.testing.assert_allclose(fk_affine(parents, offsets, turns, scales), want, atol=1e-12)


def test_only_joint_zero_is_placed_by_the_root_translation():
    positions, _ = fk_rigid([-1, -1], [[[0.0, 0, 0, 1]] * 2], [[5, 5, 5], [1, 2, 3]], [[7.0, 8, 9]])
    assert positions.tolist() == [[[7, 8, 9], [1, 2, 3]]]


def test_non_uniform_scale_shears_what_is_turned_below_it():
    quarter = [0, 0, np.sin(np.pi / 8), np.cos(np.pi / 8)]
    world = fk_affine([-1, 0], np.zeros((2, 3)), [[0, 0, 0, 1], quarter], [[2, 1, 1], [1, 1, 1]])
    axes = world[1, :, :2]
    assert abs(axes[:, 0] @ axes[:, 1]) == pytest.approx(1.5)


def test_arrays_may_be_strided_read_only_lists_or_of_other_types():
    parents = np.array([-1, 0, 1], np.int32)
    turns, offsets, roots, _ = motion(parents, 8)
    want = fk_rigid(parents.astype(np.int64), turns, offsets, roots)
    strided = np.repeat(turns, 2, axis=0)[::2]
    assert not strided.flags.c_contiguous
    locked = offsets.copy()
    locked.flags.writeable = False
    for got in (
        fk_rigid(parents, strided, locked, np.asfortranarray(roots)),
        fk_rigid(parents.tolist(), turns.tolist(), offsets.tolist(), roots.tolist()),
    ):
        np.testing.assert_array_equal(got[0], want[0])
        np.testing.assert_array_equal(got[1], want[1])
    single = fk_rigid(parents, strided[3].astype(np.float16), locked, roots[3])
    np.testing.assert_allclose(single[0], want[0][3], atol=0.02)
    assert single[0].dtype == np.float64


def test_inputs_are_never_changed():
    parents = np.array([-1, 0, 1])
    arrays = motion(parents, 3)
    before = [a.copy() for a in arrays]
    fk_rigid(parents, *arrays[:3])
    fk_affine(parents, arrays[1], arrays[0], arrays[3])
    for array, copy in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_results_go_into_the_arrays_given():
    parents = np.array([-1, 0, 1])
    turns, offsets, roots, scales = motion(parents, 3)
    for chosen, lead in ((slice(None), (3,)), (0, ())):
        out = (np.empty((*lead, 3, 3)), np.empty((*lead, 3, 4)))
        got = fk_rigid(parents, turns[chosen], offsets, roots[chosen], out=out)
        assert got[0] is out[0]
        assert got[1] is out[1]
        np.testing.assert_array_equal(out[0], fk_rigid(parents, turns, offsets, roots)[0][chosen])
        world = np.empty((*lead, 3, 3, 4))
        assert fk_affine(parents, offsets, turns[chosen], scales[chosen], out=world) is world


def test_nan_stays_in_its_frame_and_below_its_joint():
    parents = np.array([-1, 0, 1, 0])
    turns, offsets, roots, _ = motion(parents, 3)
    turns[1, 1] = np.nan
    positions, _ = fk_rigid(parents, turns, offsets, roots)
    assert np.isnan(positions).any(-1).tolist() == [[False] * 4, [False, False, True, False], [False] * 4]


GOOD = {"parents": [-1, 0], "turns": np.ones((5, 2, 4)), "offsets": np.zeros((2, 3)), "roots": np.zeros((5, 3))}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"parents": [-1, 1]}, r"parents\[1\] is 1; expected -1 \(a root\) or a joint before it, at most 0"),
        ({"parents": [-1, -2]}, r"parents\[1\] is -2"),
        ({"parents": [-1, 0, 0]}, r"local_rotations has shape \(5, 2, 4\); expected \(T, J, 4\).*\(any, 3, 4\)"),
        ({"turns": np.ones((5, 2, 3))}, r"local_rotations has shape \(5, 2, 3\)"),
        ({"turns": np.ones(4)}, r"local_rotations has shape \(4,\)"),
        ({"offsets": np.zeros((4, 2, 3))}, r"local_translations has shape \(4, 2, 3\).*\(5, 2, 3\)"),
        ({"offsets": np.zeros(3)}, r"local_translations has shape \(3,\)"),
        ({"roots": np.zeros((4, 3))}, r"root_translation has shape \(4, 3\).*\(5, 3\)"),
        ({"roots": np.zeros(3)}, r"root_translation has shape \(3,\)"),
        ({"out": (np.zeros((5, 2, 4)), np.zeros((5, 2, 4)))}, r"out\[0\] has shape \(5, 2, 4\)"),
        ({"out": (np.zeros((5, 2, 3), np.float32), None)}, r"out\[0\] .* type float32; expected .* float64"),
        ({"out": (np.zeros((5, 2, 6))[..., ::2], None)}, r"out\[0\] is read-only or not C-contiguous"),
    ],
)
def test_what_does_not_fit_is_an_error_before_anything_runs(change, message):
    given_ = {**GOOD, **change}
    with pytest.raises(InputError, match=message):
        fk_rigid(given_["parents"], given_["turns"], given_["offsets"], given_["roots"], out=given_.get("out"))


@pytest.mark.parametrize("parents", [[-1, 1], [-1, 5], [-3, 0]])
def test_one_frame_is_checked_as_well(parents):
    with pytest.raises(InputError, match=r"parents\[\d\] is"):
        fk_rigid(np.array(parents), np.ones((2, 4)), np.zeros((2, 3)), np.zeros(3))
    with pytest.raises(InputError, match=r"parents\[\d\] is"):
        fk_affine(np.array(parents), np.zeros((2, 3)), np.ones((2, 4)), np.ones((2, 3)))


def test_one_frame_of_the_wrong_size_is_an_error():
    with pytest.raises(InputError, match=r"root_translation has shape \(2,\)"):
        fk_rigid(np.array([-1]), np.ones((1, 4)), np.zeros((1, 3)), np.zeros(2))
    with pytest.raises(InputError, match=r"scales has shape \(2, 3\); expected .*\(1, 3\)"):
        fk_affine(np.array([-1]), np.zeros((1, 3)), np.ones((1, 4)), np.ones((2, 3)))
