"""Parts with a surface of their own: thin limbs, horns, claws, hooves, teeth, beaks, feathers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.errors import InputError, UnknownNameError
from mummer.zoo.binding import Bindings
from mummer.zoo.geometry import radius_pairs
from mummer.zoo.paint import eased_between, pattern_amount
from mummer.zoo.patch import Patch
from mummer.zoo.plan import ChainPlan, Plan
from mummer.zoo.recipe import Pattern, Sweep
from mummer.zoo.tubes import Tube, make_tubes, smooth_normals
from mummer.zoo.weights import weights_along


@dataclass(frozen=True, eq=False)
class Crisp:
    """A tube with what it needs to be seen and carried.

    Attributes:
        tube: its shape.
        carrier: the chain or joint that carries it.
        color, belly: palette names; the belly's may be empty.
        pattern: a second colour.
    """

    tube: Tube
    carrier: str
    color: str
    belly: str
    pattern: Pattern | None


def crisp_patch(plan: Plan, bindings: Bindings, *, pieces: int) -> Patch | None:
    """All crisp parts of a body as one patch, or None if it has none.

    Raises:
        InputError: naming the part at fault.
    """
    parts = [_chain_tube(entry) for entry in plan.chains if entry.chain.surface == "sweep"]
    parts += [_sweep_tube(plan, bindings, item) for item in plan.recipe.sweep]
    if not parts:
        return None
    positions, triangles, counts = make_tubes([part.tube for part in parts], pieces)
    normals = smooth_normals(positions, triangles)
    carriers = np.repeat([bindings.names[part.carrier] for part in parts], counts)
    indices, weights = weights_along(bindings, carriers, positions, len(plan.names))
    main = np.repeat(np.array([plan.color(part.color) for part in parts]), counts, axis=0)
    belly = np.repeat(np.array([plan.color(part.belly or part.color) for part in parts]), counts, axis=0)
    colors = main + eased_between(normals[:, 1:2], 0.05, -0.6) * (belly - main)
    stop = np.cumsum(counts)
    for part, low, high in zip(parts, stop - counts, stop, strict=True):
        if part.pattern is not None:
            ends = part.tube.line[[0, -1], :3]
            amount = pattern_amount(part.pattern, ends, positions[low:high], normals[low:high])
            colors[low:high] += amount[:, None] * (np.array(plan.color(part.pattern.color)) - colors[low:high])
    return Patch("details", positions, normals, triangles, indices, weights, colors, 0.55)


def _chain_tube(entry: ChainPlan) -> Crisp:
    chain = entry.chain
    line = np.concatenate([entry.points, entry.radii], axis=1)
    return Crisp(Tube(line, chain.across, chain.sides, True), chain.name, chain.color, chain.belly, chain.pattern)


def _sweep_tube(plan: Plan, bindings: Bindings, item: Sweep) -> Crisp:
    where = f"recipe {plan.recipe.name!r}, sweep {item.name or item.on!r}"
    if item.on not in bindings.names:
        raise UnknownNameError(where, "joint or chain", item.on, [*plan.index, *plan.chain_index])
    if len(item.points) < 2 or len(item.radii) != len(item.points):
        raise InputError(f"{where}: {len(item.points)} points and {len(item.radii)} radii; expected two or more, alike")
    line = np.concatenate([np.asarray(item.points, np.float64), radius_pairs(item.radii)], axis=1)
    if not np.all(np.isfinite(line)) or not np.all(line[:, 3:] > 0):
        raise InputError(f"{where}: points must be finite and radii above zero")
    return Crisp(Tube(line, item.across, item.sides, item.round_ends), item.on, item.color, "", item.pattern)
