"""The particle solver's one kernel, and how it runs over many poses of one body, block by block.

The spine finds a pose from which all limbs can reach (`spine`), the limbs aim at their goals from there (`limbs`), and
at last a few damped steps bring what is nearly right onto the goals (`correct`).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray, locked
from mummer.ik.particles.correct import correct, settle
from mummer.ik.particles.layout import Layout
from mummer.ik.particles.limbs import aim_limbs, relax_lengths, turn_of_limb_joint
from mummer.ik.particles.records import Answers, Asked, Body, Lane, Settings, Work, placed
from mummer.ik.particles.spine import pose_spine
from mummer.kernels import Backend, choose_place
from mummer.kernels.arguments import Count
from mummer.kernels.kernel import kernel
from mummer.kernels.place import Place
from mummer.kernels.vectors import four, put_four, put_three, three

BLOCK = 512
"""Poses whose scratch memory still fits the caches of a CPU."""
BLOCK_ON_A_DEVICE = 32_768
GRAIN = 16
"""Fewer poses than this are not worth another thread."""
SPINE_NUMBERS = 10


@kernel(borrows=True)
def solve_bodies(
    frame: int, body: Body, settings: Settings, asked: Asked, work: Work, answers: Answers, steps: Count
) -> None:
    """One item is one body."""
    mine = Work(
        work.wanted[frame], work.places[frame], work.turns[frame], work.spine[frame], work.particles[frame],
        work.aim_turns[frame], work.tips[frame], work.rows[frame], work.axes[frame], work.blocked[frame],
        work.steps[frame], work.tried[frame], work.turned_to[frame], work.columns[frame], work.matrix[frame],
    )  # fmt: skip
    lane = Lane(
        asked.targets[frame], asked.pins[frame], asked.masks[frame], mine, answers.local[frame], answers.roots[frame],
    )  # fmt: skip
    joints = body.joints
    begin(body, lane)
    pose_spine(body, settings, lane)
    for joint in range(1, joints.parents.shape[0]):
        if joints.is_spine[joint] > 0:
            settle(body, lane, joint, four(mine.wanted, joint, 0))
    aim_limbs(body, settings, lane)
    relax_lengths(body, lane)
    for joint in range(1, joints.parents.shape[0]):
        if joints.is_spine[joint] == 0:
            settle(body, lane, joint, turn_of_limb_joint(body, settings, lane, joint))
    answers.taken[frame] = correct(body, settings, lane, steps)


def begin(body: Body, lane: Lane) -> None:
    """Stand as at rest."""
    joints = body.joints
    for joint in range(joints.parents.shape[0]):
        put_four(lane.local, joint, 0, four(joints.local, joint, 0))
    put_four(lane.local, 0, 0, four(joints.turns, 0, 0))
    put_three(lane.root, 0, 0, three(joints.places, 0, 0))
    put_three(lane.work.places, 0, 0, three(joints.places, 0, 0))
    put_four(lane.work.turns, 0, 0, four(joints.turns, 0, 0))


def run_particles(
    layout: Layout, settings: Settings, asked: Asked, *, steps: int, backend: Backend | None = None
) -> Answers:
    """Rotations, roots and steps of B poses.

    Args:
        layout: the body and its goals.
        settings: see `settings_for`.
        asked: what is asked. Numbers are kept in the precision of its targets, float32 or else float64.
        steps: the most corrections for each frame.
        backend: ``"cpu"``, ``"cuda"``, or None for wherever the arrays are.
    """
    place = choose_place(backend, *asked)
    dtype = np.float32 if str(asked.targets.dtype) == "float32" else np.float64
    inputs = [place.array(array, dtype) for array in asked]
    count, n = len(asked.targets), len(layout.body.joints.parents)
    outputs = [place.empty(shape, dtype) for shape in ((count, n, 4), (count, 1, 3), (count,))]
    block = max(1, min(count, BLOCK if place.is_cpu else BLOCK_ON_A_DEVICE))
    body, work = placed(layout.body, place, dtype), room_for(layout.body, place, dtype, block)
    for start in range(0, count, block):
        part = slice(start, min(start + block, count))
        some = Asked(*(locked(array[part], dtype, copy=False) if place.is_cpu else array[part] for array in inputs))
        given = Answers(*(array[part] for array in outputs))
        place.run(solve_bodies, len(some.targets), body, settings, some, work, given, steps, grain=GRAIN)
    return Answers(*(place.result(output) for output in outputs))


def room_for(body: Body, place: Place, dtype: npt.DTypeLike, block: int) -> Work:
    """Room for ``block`` poses."""
    n, tasks = len(body.joints.parents), max(1, len(body.tasks.kinds))
    below = int(np.diff(body.tasks.below_starts).max(initial=1))
    shapes = [
        (n, 4), (n, 3), (n, 4), (len(body.spine.joints), SPINE_NUMBERS), (len(body.limbs.rest), 3),
        (max(1, len(body.limbs.roots)), 4), (tasks, 3), (3 * tasks, 3), (3 * n, 4), (n, 3), (n, 6), (n, 4), (n, 4),
        (max(1, below), 3), (3 * tasks, 3 * tasks),
    ]  # fmt: skip
    return Work(*(place.empty((block, *shape), dtype) for shape in shapes))


def world_masks(axes: FloatArray, matrices: FloatArray) -> FloatArray:
    """(B, N, 6) the upper half of what takes from an error in the body's space the part that counts.

    Args:
        axes: (N, 3) one for the world's axes that count, else zero.
        matrices: (B, 3, 3) world_from_body.
    """
    full = np.einsum("bki,nk,bkj->bnij", matrices, np.asarray(axes, np.float64), matrices)
    return np.ascontiguousarray(full[..., [0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2]])
