"""The branches of a body: chains that leave its middle line, in pairs or alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.recognition.shape import Shape
from mummer.recognition.symmetry import Symmetry, fork_weight


@dataclass(frozen=True)
class Branch:
    """A pair of mirrored chains, or one chain alone, that leaves the middle of the body.

    Attributes:
        attach: the joint of the middle that it hangs from, -1 if it hangs from nothing.
        chain: joints of one side, from the one next to the middle to the tip.
        other: the partner chain on the other side; empty if it has none.
        length: metres along the chain.
        low: height of the lowest point of the pair, surface included, in metres.
        base: height of the first joint.
        span: metres from the lowest to the highest joint of the chain.
        share: part of the surface that one side carries.
    """

    attach: int
    chain: tuple[int, ...]
    other: tuple[int, ...]
    length: float
    low: float
    base: float
    span: float
    share: float

    @property
    def root(self) -> int:
        """The first joint of one side."""
        return self.chain[0]


LOW = 0.15
"""What is lower than this part of its leg belongs to the foot."""


def toe_way(shape: Shape, legs: Sequence[Branch]) -> FloatArray:
    """(3,) level: where the feet lead from where they meet their legs; a unit vector if all lead the same way."""
    found = []
    for leg in legs:
        for chain in (leg.chain, leg.other):
            if not chain:
                continue
            top = max(float(shape.heights[joint]) for joint in chain) - shape.ground
            high = [place for place, joint in enumerate(chain) if shape.heights[joint] - shape.ground > LOW * top]
            ankle = chain[min(high[-1] + 1, len(chain) - 1)] if high else chain[0]
            below = shape.below(ankle)
            spots = [
                *shape.positions[below],
                *shape.surface.center[[each for each in below if shape.surface.share[each] > 0]],
            ]
            steps = np.array(spots) - shape.positions[ankle]
            steps -= np.outer(steps @ shape.up, shape.up)
            step = max(steps, key=lambda each: float(each @ each))
            found.append(step / max(float(np.linalg.norm(step)), LOW * LOW * top, 1e-9))
    return np.asarray(np.mean(found, axis=0)) if found else np.zeros(3)


def middle_joints(shape: Shape, symmetry: Symmetry) -> set[int]:
    """Joints that are their own partner and that only such joints stand above, near the mirror plane."""
    fork = max(shape.order, key=lambda joint: fork_weight(shape, joint))
    # Whatever stands above the fork of the body is in its middle, wherever a file puts its root.
    found = {joint for joint in (fork, *shape.ancestors(fork)) if shape.alive[joint]}
    for joint in shape.order:
        parent = shape.parents[joint]
        fits_above = parent < 0 or not shape.alive[parent] or parent in found
        across = abs(float(shape.positions[joint] @ symmetry.normal) - symmetry.middle)
        if fits_above and symmetry.partner[joint] == joint and across < 0.12 * shape.size:
            found.add(joint)
    return found


def find_branches(shape: Shape, symmetry: Symmetry, middle: set[int]) -> list[Branch]:
    """Every branch that leaves the middle of the body sideways, the longest first."""
    found = []
    for joint in shape.order:
        parent = shape.parents[joint]
        if joint in middle or (parent >= 0 and shape.alive[parent] and parent not in middle):
            continue
        partner = symmetry.partner[joint]
        if partner < joint and partner not in middle and shape.alive[partner]:
            continue
        found.append(_branch(shape, joint, partner, symmetry))
    return sorted(found, key=lambda branch: (-branch.length, branch.root))


def _branch(shape: Shape, root: int, partner: int, symmetry: Symmetry) -> Branch:
    chain = _paired_chain(shape, root, symmetry) if partner != root else shape.longest_chain(root)
    other = _partner_chain(shape, chain, partner, symmetry) if partner != root else []
    if other and len(other) != len(chain):
        # One side holds something: the limb ends where both sides do.
        both = _paired_count(chain, other, symmetry)
        chain, other = (chain[:both], other[:both]) if both > 2 else (chain, other)
    low = min(float(shape.lows[joint]) for joint in shape.below(root))
    if other:
        low = min(low, min(float(shape.lows[joint]) for joint in shape.below(partner)))
    heights = shape.heights[chain]
    attach = shape.parents[root]
    return Branch(
        attach if attach >= 0 and shape.alive[attach] else -1,
        tuple(chain),
        tuple(other),
        sum(shape.bones[joint] for joint in chain[1:]),
        low,
        float(heights[0]),
        float(np.ptp(heights)),
        shape.subtree_shares[root],
    )


def _paired_chain(shape: Shape, root: int, symmetry: Symmetry) -> list[int]:
    """The longest chain down from a joint, through joints that have partners wherever there is a choice."""
    chain = [root]
    while shape.children[chain[-1]]:
        paired = [child for child in shape.children[chain[-1]] if symmetry.partner[child] != child]
        chain.append(shape.longest_of(paired or shape.children[chain[-1]]))
    return chain


def _paired_count(chain: list[int], other: list[int], symmetry: Symmetry) -> int:
    """How many joints from the start of two chains are partners."""
    count = 0
    for one, its in zip(chain, other, strict=False):
        if symmetry.partner[one] != its:
            break
        count += 1
    return count


def _partner_chain(shape: Shape, chain: list[int], partner: int, symmetry: Symmetry) -> list[int]:
    """The partners of a chain; where they do not make a chain, the longest one."""
    other = [partner]
    for joint in chain[1:]:
        mirrored = symmetry.partner[joint]
        if shape.parents[mirrored] != other[-1] or mirrored == joint:
            break
        other.append(mirrored)
    if len(other) < len(chain):
        rest = shape.longest_chain(other[-1])[1:]
        other.extend(rest)
    return other
