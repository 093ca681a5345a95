"""Every public kernel by CUDA's simulator against the CPU; run in a process of its own, where numba simulates."""

from __future__ import annotations

import kernel_reference as reference
import numpy as np
from numba import cuda

from mummer import kernels
from mummer.errors import InputError


def calls(dtype):
    """Each public function with small inputs that suit it."""
    rng = np.random.default_rng(11)
    parents = np.array(reference.TREES["several roots"])
    joints, frames = len(parents), 5
    turns = reference.unit_quaternions(rng, frames, joints).astype(dtype)
    offsets, roots = rng.normal(size=(joints, 3)).astype(dtype), rng.normal(size=(frames, 3)).astype(dtype)
    scales = rng.uniform(0.5, 1.5, (frames, joints, 3)).astype(dtype)
    rest, indices, weights, _, _, rigid = reference.skin(rng, vertices=6, joints=joints, frames=frames)
    sheared = kernels.fk_affine(parents, offsets, turns, scales)
    base, deltas, amounts = rest.astype(dtype), rng.normal(size=(6, 6, 3)), rng.normal(size=(frames, 6))
    yield kernels.fk_rigid, (parents, turns, offsets, roots)
    yield kernels.fk_rigid, (parents, turns[0], offsets, roots[0])
    yield kernels.fk_affine, (parents, offsets, turns, scales)
    for matrices in (rigid.astype(dtype), sheared, sheared[2]):
        mesh = (rest.astype(dtype), indices.astype(np.uint32), weights.astype(dtype), matrices)
        yield kernels.skin_linear, mesh
        yield kernels.skin_linear_normals, mesh
        yield kernels.skin_dual_quaternion, mesh
        yield kernels.skin_dual_quaternion_normals, mesh
    yield kernels.morph, (base, deltas.astype(dtype), (amounts * (amounts > 0)).astype(dtype))


def tupled(value):
    return value if isinstance(value, tuple) else (value,)


def check_host_arrays() -> None:
    for dtype, tolerance in ((np.float64, 1e-12), (np.float32, 2e-5)):
        for function, arguments in calls(dtype):
            want, got = tupled(function(*arguments)), tupled(function(*arguments, backend="cuda"))
            for a, b in zip(want, got, strict=True):
                assert isinstance(b, np.ndarray)
                assert b.dtype == dtype
                np.testing.assert_allclose(b, a, atol=tolerance, err_msg=function.__name__)


def check_device_arrays() -> None:
    for function, arguments in calls(np.float64):
        want, got = tupled(function(*arguments)), tupled(function(*map(cuda.to_device, arguments)))
        for a, b in zip(want, got, strict=True):
            assert not isinstance(b, np.ndarray)
            np.testing.assert_allclose(b.copy_to_host(), a, atol=1e-12, err_msg=function.__name__)


def check_out() -> None:
    function, arguments = next(call for call in calls(np.float64) if call[0] is kernels.skin_linear)
    out = cuda.device_array((5, 6, 3), np.float64)
    assert function(*map(cuda.to_device, arguments), out=out) is out
    np.testing.assert_allclose(out.copy_to_host(), function(*arguments), atol=1e-12)


def check_errors() -> None:
    function, arguments = next(call for call in calls(np.float64) if call[0] is kernels.skin_linear)
    on_device = [cuda.to_device(a) for a in arguments]
    for keywords, wrong in (
        ({"backend": "cpu"}, on_device),
        ({"out": np.empty((5, 6, 3))}, on_device),
        ({"out": cuda.device_array((5, 6, 3), np.float64)}, arguments),
        ({}, [on_device[0], cuda.to_device(arguments[1].astype(np.int64)), *on_device[2:]]),
    ):
        try:
            function(*wrong, **keywords)
        except InputError:
            continue
        raise AssertionError(f"no error for {keywords}")


def main() -> None:
    steps = {"host": check_host_arrays, "device": check_device_arrays, "given": check_out, "errors": check_errors}
    for name, step in steps.items():
        step()
        print(name)  # noqa: T201
