"""Both skinnings and morphs against plain numpy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.errors import InputError
from mummer.kernels import (
    morph,
    skin_dual_quaternion,
    skin_dual_quaternion_normals,
    skin_linear,
    skin_linear_normals,
)
from tests.kernels import kernel_reference as reference

TOLERANCE = {np.float64: 1e-12, np.float32: 1e-5}
PRECISIONS = pytest.mark.parametrize("dtype", [np.float64, np.float32])
# One, a few (vertex by vertex), many (frames side by side), and more than one block of them.
FRAMES = pytest.mark.parametrize("frames", [0, 1, 3, 4, 70, 131])
EVERY_SKINNING = pytest.mark.parametrize(
    "skinning", [skin_linear, skin_linear_normals, skin_dual_quaternion, skin_dual_quaternion_normals]
)


@FRAMES
@PRECISIONS
def test_linear(frames, dtype):
    rest, indices, weights, _, _, matrices = reference.skin(np.random.default_rng(1), frames=frames)
    got = skin_linear(rest, indices, weights, matrices.astype(dtype))
    assert got.dtype == dtype
    np.testing.assert_allclose(got, reference.linear(rest, indices, weights, matrices), atol=TOLERANCE[dtype])


@FRAMES
@PRECISIONS
def test_dual_quaternion(frames, dtype):
    rest, indices, weights, q, t, matrices = reference.skin(np.random.default_rng(2), frames=frames)
    got = skin_dual_quaternion(rest, indices, weights, matrices.astype(dtype))
    assert got.dtype == dtype
    want = reference.dual_quaternion_skin(rest, indices, weights, q, t)
    np.testing.assert_allclose(got, want, atol=TOLERANCE[dtype] * 10)


@given(
    seed=st.integers(0, 2**32 - 1),
    vertices=st.integers(0, 130),
    influences=st.integers(1, 9),
    frames=st.integers(0, 6),
)
def test_any_number_of_vertices_influences_and_frames(seed, vertices, influences, frames):
    rng = np.random.default_rng(seed)
    rest, indices, weights, q, t, matrices = reference.skin(
        rng, vertices=vertices, influences=influences, frames=frames
    )
    linear, dual = (f(rest, indices, weights, matrices) for f in (skin_linear, skin_dual_quaternion))
    np.testing.assert_allclose(linear, reference.linear(rest, indices, weights, matrices), atol=1e-12)
    # Where the blend of rotations nearly cancels, rounding shows more.
    np.testing.assert_allclose(dual, reference.dual_quaternion_skin(rest, indices, weights, q, t), atol=1e-8)


@FRAMES
def test_normals_are_turned_and_have_length_one(frames):
    rest, indices, weights, q, t, matrices = reference.skin(np.random.default_rng(3), frames=frames)
    normals = rest / np.linalg.norm(rest, axis=1, keepdims=True)
    linear = skin_linear_normals(normals, indices, weights, matrices)
    want = np.einsum("tvij,vj->tvi", reference.blended_matrices(indices, weights, matrices)[..., :3], normals)
    np.testing.assert_allclose(linear, want / np.linalg.norm(want, axis=-1, keepdims=True), atol=1e-11)
    dual = skin_dual_quaternion_normals(normals, indices, weights, matrices)
    np.testing.assert_allclose(np.linalg.norm(dual, axis=-1), 1, atol=1e-12)
    still = reference.dual_quaternion_skin(normals, indices, weights, q, np.zeros_like(t))
    np.testing.assert_allclose(dual, still, atol=1e-9)


def test_a_normal_of_length_zero_stays_zero():
    matrices = np.eye(3, 4)[None]
    assert skin_linear_normals([[0.0, 0, 0]], [[0]], [[1.0]], matrices).tolist() == [[0, 0, 0]]


@EVERY_SKINNING
def test_one_frame_is_the_frame_of_the_batch(skinning):
    rest, indices, weights, _, _, matrices = reference.skin(np.random.default_rng(4), frames=20)
    one, batch = (skinning(rest, indices, weights, m) for m in (matrices[7], matrices))
    np.testing.assert_allclose(one, batch[7], atol=1e-14)


@EVERY_SKINNING
def test_arrays_may_be_strided_read_only_lists_or_of_other_types(skinning):
    rest, indices, weights, _, _, matrices = reference.skin(np.random.default_rng(5), frames=6)
    want = skinning(rest, indices, weights, matrices)
    for array in (rest, indices, weights, matrices):
        array.flags.writeable = False
    strided = np.repeat(matrices, 2, axis=0)[::2]
    got = skinning(np.asfortranarray(rest), indices.astype(np.uint8), weights.tolist(), strided)
    np.testing.assert_array_equal(got, want)
    out = np.empty_like(want)
    assert skinning(rest, indices, weights, matrices, out=out) is out
    np.testing.assert_array_equal(out, want)


# ---- dual quaternions and stretch -------------------------------------------------------------


def alone(rng, matrices):
    """A mesh of which every vertex follows one joint."""
    rest = rng.uniform(-1, 1, (40, 3))
    return rest, rng.integers(0, matrices.shape[1], (40, 1)), np.ones((40, 1))


@pytest.mark.parametrize("kind", ["shear", "mirror", "flat", "line", "nothing", "tiny", "huge", "half turns"])
def test_one_joint_alone_gives_what_its_matrix_gives(kind):
    rng = np.random.default_rng(6)
    matrices = rng.normal(size=(5, 12, 3, 4))
    if kind == "half turns":
        matrices[..., :3] = np.diag([1.0, -1, -1])
        matrices[:, ::2, :, :3] = np.diag([-1.0, -1, 1])
        matrices[:, ::3, :, :3] = np.diag([-1.0, 1, -1])
    factor = {"mirror": [-1, 1, 1], "flat": [1, 1, 0], "line": [0, 1, 0], "nothing": [0, 0, 0]}.get(kind, [1, 1, 1])
    matrices[..., :3] *= np.array(factor) * {"tiny": 1e-9, "huge": 1e9}.get(kind, 1.0)
    mesh = alone(rng, matrices)
    want = skin_linear(*mesh, matrices)
    for pivots in (None, rng.normal(size=(12, 3))):
        got = skin_dual_quaternion(*mesh, matrices, pivots=pivots)
        np.testing.assert_allclose(got, want, atol=1e-11 * (1 + np.abs(want).max()))


def test_a_twisted_tube_keeps_its_radius_where_linear_blending_pinches_it():
    half_turn = np.zeros((2, 3, 4))
    half_turn[0, :, :3], half_turn[1, :, :3] = np.eye(3), np.diag([1.0, -1, -1])
    point, both = [[0.0, 1, 0]], ([[0, 1]], [[0.5, 0.5]])
    assert np.linalg.norm(skin_linear(point, *both, half_turn)) == pytest.approx(0)
    assert np.linalg.norm(skin_dual_quaternion(point, *both, half_turn)) == pytest.approx(1)


def test_two_joints_that_swell_about_their_own_places_swell_what_is_between():
    pivots = np.array([[0.0, 0, 0], [4.0, 0, 0]])
    matrices = np.zeros((2, 3, 4))
    matrices[..., :3] = 2 * np.eye(3)
    matrices[..., 3] = pivots - 2 * pivots
    between = skin_dual_quaternion([[2.0, 0.5, 0]], [[0, 1]], [[0.5, 0.5]], matrices, pivots=pivots)
    np.testing.assert_allclose(between, [[2.0, 1.0, 0]], atol=1e-12)


@PRECISIONS
def test_a_vertex_without_weight_stays_and_a_negative_weight_counts_as_none(dtype):
    _, _, _, _, _, matrices = reference.skin(np.random.default_rng(7), joints=2)
    matrices = matrices.astype(dtype)
    rest, indices = [[1.0, 2, 3], [1, 2, 3]], [[0, 1], [0, 1]]
    got = skin_dual_quaternion(rest, indices, [[0.0, 0.0], [1.0, -1.0]], matrices)
    assert np.isfinite(got).all()
    np.testing.assert_array_equal(got[:, 0], np.broadcast_to([1, 2, 3], (5, 3)))
    np.testing.assert_allclose(got[:, 1], skin_linear(rest, indices, [[0, 0], [1, 0]], matrices)[:, 1], atol=1e-5)


# ---- morphs -----------------------------------------------------------------------------------


@pytest.mark.parametrize("frames", [0, 1, 9])
@pytest.mark.parametrize("targets", [0, 1, 4, 11])
@PRECISIONS
def test_morph(frames, targets, dtype):
    rng = np.random.default_rng(8)
    base, deltas = rng.normal(size=(601, 3)).astype(dtype), rng.normal(size=(targets, 601, 3))
    weights = rng.normal(size=(frames, targets)) * (rng.random((frames, targets)) < 0.7)
    got = morph(base, deltas, weights)
    assert got.dtype == dtype
    np.testing.assert_allclose(got, base + np.tensordot(weights, deltas, 1), atol=TOLERANCE[dtype] * 5)


def test_morph_of_one_frame_and_of_no_vertices():
    rng = np.random.default_rng(9)
    base, deltas, weights = rng.normal(size=(5, 3)), rng.normal(size=(3, 5, 3)), rng.normal(size=(4, 3))
    np.testing.assert_array_equal(morph(base, deltas, weights[2]), morph(base, deltas, weights)[2])
    assert morph(np.zeros((0, 3)), np.zeros((2, 0, 3)), np.ones((4, 2))).shape == (4, 0, 3)


def test_a_target_of_weight_zero_is_not_read():
    deltas = np.full((3, 1, 3), np.nan)
    deltas[1] = 1.0
    assert morph(np.zeros((1, 3)), deltas, [0.0, 2.0, 0.0]).tolist() == [[2, 2, 2]]
    assert np.isnan(morph(np.zeros((1, 3)), deltas, [0.0, 2.0, 1.0])).all()


# ---- what does not fit ------------------------------------------------------------------------

GOOD = {
    "rest": np.zeros((5, 3)),
    "indices": np.zeros((5, 2), int),
    "weights": np.ones((5, 2)),
    "m": np.ones((4, 2, 3, 4)),
}


@EVERY_SKINNING
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rest": np.zeros((5, 4))}, r"rest has shape \(5, 4\); expected \(V, 3\)"),
        ({"indices": np.full((5, 2), 2)}, r"indices name joint 2; expected 0 to 1"),
        ({"indices": np.full((5, 2), -1)}, r"indices name joint -1; expected 0 to 1"),
        ({"indices": np.zeros((5, 2))}, r"indices hold float64; expected integers"),
        ({"indices": np.zeros((4, 2), int)}, r"indices has shape \(4, 2\); expected \(V, K\), here \(5, any\)"),
        ({"weights": np.ones((5, 3))}, r"weights has shape \(5, 3\).*\(5, 2\)"),
        ({"indices": np.zeros((5, 0), int), "weights": np.ones((5, 0))}, r"K at least 1"),
        ({"m": np.ones((4, 2, 4, 4))}, r"matrices has shape \(4, 2, 4, 4\); expected \(T, J, 3, 4\)"),
        ({"m": np.ones((3, 4))}, r"matrices have shape \(3, 4\)"),
        ({"m": np.ones((4, 0, 3, 4))}, r"J at least 1"),
    ],
)
def test_a_skin_that_does_not_fit_is_an_error(skinning, change, message):
    inputs = {**GOOD, **change}
    with pytest.raises(InputError, match=message):
        skinning(inputs["rest"], inputs["indices"], inputs["weights"], inputs["m"])


@pytest.mark.parametrize(
    ("base", "deltas", "weights", "message"),
    [
        ((5, 2), (1, 5, 3), (4, 1), r"base has shape \(5, 2\)"),
        ((5, 3), (1, 4, 3), (4, 1), r"deltas has shape \(1, 4, 3\).*\(any, 5, 3\)"),
        ((5, 3), (2, 5, 3), (4, 1), r"weights has shape \(4, 1\).*\(4, 2\)"),
        ((5, 3), (2, 5, 3), (1, 4, 2), r"weights has shape \(1, 4, 2\)"),
    ],
)
def test_a_morph_that_does_not_fit_is_an_error(base, deltas, weights, message):
    with pytest.raises(InputError, match=message):
        morph(np.zeros(base), np.zeros(deltas), np.zeros(weights))


def test_pivots_that_do_not_fit_are_an_error():
    with pytest.raises(InputError, match=r"pivots has shape \(3, 3\).*\(2, 3\)"):
        skin_dual_quaternion(*GOOD.values(), pivots=np.zeros((3, 3)))
