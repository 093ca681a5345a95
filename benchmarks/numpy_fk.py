"""Forward kinematics as one would write it well in numpy alone."""

from __future__ import annotations

import numpy as np

from benchmarks.workloads import rotation_matrices


def component_major(turns, roots, offsets, parents, positions, rotations, scratch) -> None:
    """Turns and rotations (J, 4, T), roots (3, T), positions (J, 3, T), scratch (7, T): one row a component.

    Every pass is over all frames of one number, in place, which is as fast as numpy gets.
    """
    a, cross, _ = scratch[0], scratch[1:4], scratch[4:]
    positions[0], rotations[0] = roots, turns[0]
    for joint in range(1, len(parents)):
        parent, p = parents[joint], rotations[parents[joint]]
        _multiply(p, turns[joint], rotations[joint], a)
        _rotate_offset(p, offsets[joint], positions[parent], positions[joint], cross, a)


def _multiply(p, q, out, a) -> None:
    signs = (
        ((3, 0, 1), (0, 3, 1), (1, 2, 1), (2, 1, -1)),
        ((3, 1, 1), (0, 2, -1), (1, 3, 1), (2, 0, 1)),
        ((3, 2, 1), (0, 1, 1), (1, 0, -1), (2, 3, 1)),
        ((3, 3, 1), (0, 0, -1), (1, 1, -1), (2, 2, -1)),
    )
    for row, terms in zip(out, signs, strict=True):
        np.multiply(p[terms[0][0]], q[terms[0][1]], out=row)
        for i, j, sign in terms[1:]:
            np.multiply(p[i], q[j], out=a)
            (np.add if sign > 0 else np.subtract)(row, a, out=row)


def _rotate_offset(p, offset, start, out, cross, a) -> None:
    """out = start + offset + w·t + p × t with t = 2 p × offset."""
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        np.multiply(p[i], 2 * offset[j], out=cross[k])
        np.multiply(p[j], 2 * offset[i], out=a)
        np.subtract(cross[k], a, out=cross[k])
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        np.multiply(p[3], cross[k], out=out[k])
        np.multiply(p[i], cross[j], out=a)
        np.add(out[k], a, out=out[k])
        np.multiply(p[j], cross[i], out=a)
        np.subtract(out[k], a, out=out[k])
        np.add(out[k], start[k], out=out[k])
        np.add(out[k], offset[k], out=out[k])


class ComponentMajor:
    """The arrays laid out once, before the clock starts."""

    def __init__(self, turns, roots, offsets, parents) -> None:
        frames, joints, _ = turns.shape
        self.arguments = (
            np.ascontiguousarray(turns.transpose(1, 2, 0)),
            np.ascontiguousarray(roots.T),
            offsets,
            parents,
        )
        self.positions = np.empty((joints, 3, frames), turns.dtype)
        self.rotations = np.empty((joints, 4, frames), turns.dtype)
        self.scratch = np.empty((7, frames), turns.dtype)

    def run(self) -> None:
        component_major(*self.arguments, self.positions, self.rotations, self.scratch)


def frame_major(turns, roots, offsets, parents, *, chunk: int = 2000) -> tuple[np.ndarray, np.ndarray]:
    """The same from (T, J, 4) to (T, J, 3) and (T, J, 4), transposing pieces that fit the cache."""
    positions = np.empty((*turns.shape[:2], 3), turns.dtype)
    rotations = np.empty_like(turns)
    for start in range(0, len(turns), chunk):
        piece = slice(start, start + chunk)
        work = ComponentMajor(turns[piece], roots[piece], offsets, parents)
        work.run()
        positions[piece] = work.positions.transpose(2, 0, 1)
        rotations[piece] = work.rotations.transpose(2, 0, 1)
    return positions, rotations


class ByDepth:
    """One frame: 4 × 4 matrices, one stacked product for each depth of the tree."""

    def __init__(self, parents) -> None:
        depth = np.zeros(len(parents), int)
        for joint in range(1, len(parents)):
            depth[joint] = depth[parents[joint]] + 1
        self.levels = [(np.flatnonzero(depth == d), parents[depth == d]) for d in range(1, depth.max() + 1)]

    def run(self, turns, root, offsets) -> np.ndarray:
        m = np.zeros((len(turns), 4, 4))
        m[:, :3, :3], m[:, :3, 3], m[:, 3, 3] = rotation_matrices(turns), offsets, 1
        m[0, :3, 3] = root
        for joints, above in self.levels:
            m[joints] = m[above] @ m[joints]
        return m
