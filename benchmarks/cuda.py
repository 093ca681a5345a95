"""The kernels on a real GPU: right results first, then times beside this machine's CPU threads.

    pip install numpy numba "numba-cuda[cu12]"     # or [cu13], to suit the driver
    PYTHONPATH=src python -m benchmarks.cuda [--json]

Needs an NVIDIA GPU. Exits with 1 when a result on the GPU differs from the CPU's. Times on the GPU are of arrays that
live there and end with a synchronisation; "with transfers" starts and ends with arrays of this process. The arrays
"frames last" hold the same values in Fortran order, so that neighbouring threads read neighbouring memory.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator

import numpy as np

from benchmarks.cases.ik_particle import CREATURE, STEPS, ends, prepared_inputs
from benchmarks.workloads import mesh, smooth_motion
from mummer import kernels, zoo
from mummer.ik.particles.records import Asked
from mummer.ik.particles.run import run_particles
from mummer.kernels.cuda import cuda_module

TOLERANCE = {"float64": 1e-9, "float32": 5e-4}
Work = tuple[str, Callable[..., object], tuple[np.ndarray, ...]]


def works(dtype: str, *, frames: int) -> Iterator[Work]:
    """Name, function and arguments of everything that is compared and timed."""
    motion = smooth_motion(frames).astype(dtype)
    offsets = motion.offsets
    scales = np.linspace(0.9, 1.1, 64 * 3, dtype=dtype).reshape(64, 3)
    yield f"fk_rigid {frames:,} frames", kernels.fk_rigid, (motion.parents, motion.turns, offsets, motion.roots)
    yield f"fk_affine {frames:,} frames", kernels.fk_affine, (motion.parents, offsets, motion.turns, scales)
    skin = mesh(frames=max(1, frames // 100))
    rest, weights, matrices = (a.astype(dtype) for a in (skin.rest, skin.weights, skin.matrices))
    arguments = (rest, skin.indices.astype(np.uint32), weights, matrices)
    size = f"10,000 vertices × {len(matrices)} frames"
    yield f"skin_linear {size}", kernels.skin_linear, arguments
    yield f"skin_linear_normals {size}", kernels.skin_linear_normals, arguments
    yield f"skin_dual_quaternion {size}", kernels.skin_dual_quaternion, arguments
    stretched = matrices * np.linspace(0.8, 1.2, 4, dtype=dtype)
    yield f"skin_dual_quaternion, scaled, {size}", kernels.skin_dual_quaternion, (*arguments[:3], stretched)
    yield f"skin_dual_quaternion_normals {size}", kernels.skin_dual_quaternion_normals, arguments
    rng = np.random.default_rng(1)
    deltas = rng.normal(size=(50, 10_000, 3)).astype(dtype)
    yield particle_work(dtype, frames)
    yield f"morph 50 targets, {size}", kernels.morph, (rest, deltas, rng.random((len(matrices), 50)).astype(dtype))


def particle_work(dtype: str, bodies: int) -> Work:
    """The particle solver on a six-legged creature; the corrections end early for bodies that are there."""
    creature = zoo.random_creature(CREATURE)
    joints = ends(creature)
    layout, settings, inputs = prepared_inputs(creature, joints, bodies, 0.25)

    def solve(*arrays: np.ndarray, backend: str | None = None) -> tuple[object, ...]:
        # Rounding may decide on one step more or less, so steps are not compared.
        return run_particles(layout, settings, Asked(*arrays), steps=STEPS, backend=backend)[:2]

    return f"particle IK {len(joints)} goals, {bodies:,} bodies", solve, tuple(inputs[dtype])


def tupled(value: object) -> tuple:
    return value if isinstance(value, tuple) else (value,)


def worst_difference(cuda, function, arguments) -> float:
    """The largest difference of GPU and CPU, over the size of the numbers, from host and from device arrays."""
    want = tupled(function(*arguments))
    worst = 0.0
    for got in (
        tupled(function(*arguments, backend="cuda")),
        tuple(a.copy_to_host() for a in tupled(function(*map(cuda.to_device, arguments)))),
    ):
        for a, b in zip(want, got, strict=True):
            worst = max(worst, float(np.abs(a - b).max() / (1 + np.abs(a).max())))
    return worst


def best(run: Callable[[], object], *, repeats: int = 7, floor: float = 0.05) -> float:
    run()
    start = time.perf_counter()
    run()
    inner = max(1, round(floor / max(1e-6, time.perf_counter() - start)))
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        for _ in range(inner):
            run()
        times.append((time.perf_counter() - start) / inner)
    return min(times)


def times(cuda, function, arguments) -> dict[str, float]:
    """Milliseconds on CPU threads, on the GPU with transfers, on the GPU alone, and of the copy that limits it."""
    arrays = [cuda.to_device(a) for a in arguments]
    return {
        "cpu": 1e3 * best(lambda: function(*arguments)),
        "with transfers": 1e3 * best(lambda: function(*arguments, backend="cuda")),
        "gpu": 1e3 * best(lambda: (function(*arrays), cuda.synchronize())),
        "copy": 1e3 * copy_time(cuda, function, arguments),
    }


def copy_time(cuda, function, arguments) -> float:
    """The limit: a copy on the GPU of as many bytes as go in and come out."""
    size = sum(a.nbytes for a in arguments) + sum(a.nbytes for a in tupled(function(*arguments)))
    source, target = cuda.device_array(size, np.uint8), cuda.device_array(size, np.uint8)
    return best(lambda: (target.copy_to_device(source), cuda.synchronize()))


def frames_last(cuda, dtype: str, frames: int) -> float:
    """Milliseconds of fk_rigid's kernel itself on arrays whose frames are last in memory."""
    from mummer.kernels.cuda import launch
    from mummer.kernels.fk_rigid import fk_rigid_frames

    m = smooth_motion(frames).astype(dtype)
    inputs = [cuda.to_device(np.asfortranarray(a)) for a in (m.turns, m.offsets[None], m.roots)]
    outputs = [cuda.device_array((frames, 64, n), dtype, order="F") for n in (3, 4)]
    arguments = (cuda.to_device(m.parents), *inputs, *outputs)
    grid = fk_rigid_frames.grid(dtype)
    launch(grid, frames, arguments)
    want = kernels.fk_rigid(m.parents, m.turns, m.offsets, m.roots)[0]
    assert np.abs(outputs[0].copy_to_host() - want).max() < TOLERANCE[dtype] * (1 + np.abs(want).max())
    return 1e3 * best(lambda: (launch(grid, frames, arguments), cuda.synchronize()))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cuda", description=__doc__.split("\n")[0])
    parser.add_argument("--json", action="store_true", help="one object a line for programs")
    parser.add_argument("--frames", type=int, default=100_000, help="frames of the timed forward kinematics")
    options = parser.parse_args()
    cuda, wrong = cuda_module(), 0
    for dtype, tolerance in TOLERANCE.items():
        for name, function, arguments in works(dtype, frames=300):
            error = worst_difference(cuda, function, arguments)
            wrong += not error <= tolerance
            verdict = "agrees" if error <= tolerance else "DIFFERS"
            tell(options.json, {"check": name, "dtype": dtype, "error": error, "verdict": verdict})
    for dtype in TOLERANCE:
        for name, function, arguments in works(dtype, frames=options.frames):
            tell(options.json, {"time": name, "dtype": dtype, "milliseconds": times(cuda, function, arguments)})
        tell(
            options.json,
            {"time": "fk_rigid, frames last", "dtype": dtype, "gpu": frames_last(cuda, dtype, options.frames)},
        )
    return 1 if wrong else 0


def tell(as_json: bool, values: dict[str, object]) -> None:
    if as_json:
        print(json.dumps(values), flush=True)
        return
    shown = {
        k: ", ".join(f"{n} {t:.3f}" for n, t in v.items()) if isinstance(v, dict) else v for k, v in values.items()
    }
    print("   ".join(f"{key}: {value}" for key, value in shown.items()), flush=True)


if __name__ == "__main__":
    sys.exit(main())
