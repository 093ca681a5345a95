"""Sets aside what is no part of the body (controls, ends, props), and hangs detached feet from their legs."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from mummer.recognition.reading import Reading
from mummer.recognition.shape import Shape

NEAR = 0.02
"""Joints this near to each other, in body sizes, are at the same place."""

SAME = 1e-3
"""Joints this near to each other, in body sizes, were put at one place on purpose."""

FAR = 0.4
"""No part of a body is this far, in body sizes, from the joint that it hangs from."""


MOST_TREES = 24
"""A file of more trees than this is no body in parts."""


def tidy(shape: Shape, readings: Sequence[Reading]) -> Shape:
    """The shape without what only steers it, and with feet that the file hangs from the root under their legs.

    Args:
        shape: the body as the file has it.
        readings: what the names of its joints say; silent readings to go by shape alone.
    """
    helpers = tuple(reading.helper for reading in readings)
    feet = tuple(reading.vote("foot") > 0.5 and not reading.helper for reading in readings)
    shape = _without_mesh_nodes(shape)
    shape = dataclasses.replace(shape, alive=_without_things(shape))
    shape = dataclasses.replace(shape, alive=_without_helpers(shape, helpers))
    shape = dataclasses.replace(shape, alive=_without_bare_branches(shape, feet))
    shape = dataclasses.replace(shape, alive=_without_far_roots(shape))
    shape = dataclasses.replace(shape, alive=_without_twists(shape))
    shape = dataclasses.replace(shape, alive=_without_frames(shape))
    shape = dataclasses.replace(shape, parents=_joined(shape))
    shape = _reattached(shape)
    return dataclasses.replace(shape, alive=_without_doubles(shape))


def _without_mesh_nodes(shape: Shape) -> Shape:
    """A joint that only holds a stiff mesh for the joint above it gives its surface to that joint."""
    alive, surface = list(shape.alive), shape.surface
    if not surface.exists:
        return shape
    share, low, high, center = surface.share.copy(), surface.low.copy(), surface.high.copy(), surface.center.copy()
    for joint in shape.order:
        nodes = [
            child
            for child in shape.children[joint]
            if not shape.children[child] and surface.stiff[child] and surface.share[child] > 0
        ]
        if len(nodes) == 1 and surface.share[joint] <= 0 and shape.parents[joint] >= 0:
            node = nodes[0]
            share[joint], share[node], alive[node] = share[node], 0.0, False
            low[joint], high[joint], center[joint] = low[node], high[node], center[node]
    return dataclasses.replace(
        shape, alive=tuple(alive), surface=dataclasses.replace(surface, share=share, low=low, high=high, center=center)
    )


def _without_things(shape: Shape) -> tuple[bool, ...]:
    """Stiff meshes in a slot, which carries nothing else, of a body with a soft skin are things that it holds."""
    alive, surface = list(shape.alive), shape.surface
    for joint in shape.order:
        slot = shape.parents[joint]
        stiff = surface.stiff[joint] and surface.share[joint] > 0 and not shape.children[joint]
        if stiff and slot >= 0 and surface.share[slot] <= 0:
            alive[joint] = not any(
                surface.share[above] > 0 and not surface.stiff[above] for above in shape.ancestors(slot)
            )
    return tuple(alive)


def _without_helpers(shape: Shape, helpers: tuple[bool, ...]) -> tuple[bool, ...]:
    """Branches that are nothing but helpers are set aside; a helper that carries the body stays."""
    alive = list(shape.alive)
    whole = [True] * shape.count
    for joint in reversed(shape.order):
        whole[joint] = helpers[joint] and all(whole[child] for child in shape.children[joint])
        carries = shape.surface.exists and shape.surface.share[joint] > 1e-4
        if whole[joint] and not carries:
            alive[joint] = False
    return tuple(alive)


def _without_bare_branches(shape: Shape, feet: tuple[bool, ...]) -> tuple[bool, ...]:
    """Where there is a surface, branches that carry none of it are set aside, but for the ends of chains."""
    alive = list(shape.alive)
    shares = shape.subtree_shares
    clothed = sum(shape.surface.share[joint] > 0 for joint in shape.order)
    if not shape.surface.exists or clothed < 0.3 * len(shape.order) or clothed < 6:
        return shape.alive
    for joint in shape.order:
        parent = shape.parents[joint]
        is_root = parent < 0
        if is_root or shares[joint] > 0 or feet[joint] or not alive[parent]:
            if not is_root and not alive[parent]:
                alive[joint] = False
            continue
        # The bare end of a clothed chain tells where the chain points; anything more is a control.
        alive[joint] = bool(shape.surface.share[parent] > 0) and shape.reaches[joint] < 0.25 * shape.size
    return tuple(alive)


def _without_far_roots(shape: Shape) -> tuple[bool, ...]:
    """A root that only places the body, with one joint below it and far from it, is set aside."""
    alive = list(shape.alive)
    usual = float(np.median([shape.bones[joint] for joint in shape.order]))
    for joint in shape.order:
        children = shape.children[joint]
        if len(children) != 1 or shape.surface.share[joint] > 0:
            break
        bone = shape.bones[children[0]]
        if shape.surface.exists or (bone > 4 * usual and bone > 0.15 * shape.size):
            alive[joint] = False
        else:
            break
    return tuple(alive)


def _joined(shape: Shape) -> tuple[int, ...]:
    """Parents that make one tree of several: parts of a body that hang from nothing hang from what is nearest."""
    parents = list(shape.parents)
    weight = {root: shape.subtree_lengths[root] for root in shape.roots}
    if not weight:
        return shape.parents
    main = max(weight, key=lambda root: (weight[root], -root))
    joined, rest = shape.below(main), [root for root in shape.roots if root != main]
    rest = [root for root in rest if shape.children[root] or shape.surface.share[root] > 0]
    while rest and len(rest) < MOST_TREES:
        apart = np.linalg.norm(shape.positions[joined][:, None] - shape.positions[rest][None], axis=2)
        part = int(np.argmin(apart.min(axis=0)))
        below = shape.below(rest.pop(part))
        ends = np.linalg.norm(shape.positions[below] - shape.positions[main], axis=1)
        if ends.min() < 0.5 * apart[:, part].min():
            # The body so far starts where this part ends: shoulders at the end of a back.
            parents[main], main = below[int(np.argmin(ends))], below[0]
        else:
            # Of joints about as near, the first of the body carries it.
            parents[below[0]] = joined[int(np.argmax(apart[:, part] < 1.25 * apart[:, part].min() + 1e-9))]
        joined += below
    return tuple(parents)


def _without_twists(shape: Shape) -> tuple[bool, ...]:
    """Leaves on the way from their parent to another joint that carries on only carry the twist of that bone."""
    alive = list(shape.alive)
    for joint in shape.order:
        onward = [child for child in shape.children[joint] if shape.children[child]]
        for leaf in shape.children[joint]:
            if not shape.children[leaf] and any(_is_on_the_way(shape, joint, leaf, child) for child in onward):
                alive[leaf] = False
    return tuple(alive)


def _without_frames(shape: Shape) -> tuple[bool, ...]:
    """Of a body without a surface, leaves of one joint that stand at one place only say where something is."""
    alive = list(shape.alive)
    for joint in shape.order if not shape.surface.exists else ():
        leaves = [child for child in shape.children[joint] if not shape.children[child]]
        for leaf in leaves:
            near = (shape.distance(leaf, other) < SAME * shape.size for other in leaves if other != leaf)
            alive[leaf] = alive[leaf] and not any(near)
    return tuple(alive)


def _is_on_the_way(shape: Shape, start: int, joint: int, stop: int) -> bool:
    line, step = shape.positions[stop] - shape.positions[start], shape.positions[joint] - shape.positions[start]
    length = float(np.linalg.norm(line))
    if length < NEAR * shape.size:
        return False
    along = float(step @ line) / length
    return 0.05 * length < along < 0.97 * length and float(np.linalg.norm(step - along / length * line)) < 0.01 * length


def is_end(shape: Shape, joint: int) -> bool:
    """Whether a living joint is a mere end: it says where its parent points, and nothing moves with it."""
    if shape.ends[joint] or joint in shape.reattached:
        return shape.ends[joint]
    bare = shape.surface.exists and shape.subtree_shares[joint] <= 0
    return bare and shape.parents[joint] >= 0


def _reattached(shape: Shape) -> Shape:
    """Feet that hang from the root, as rigs for inverse kinematics have them, hang from their legs; a head likewise."""
    parents, alive = list(shape.parents), list(shape.alive)
    for joint in shape.order:
        host = _far_host(shape, joint)
        parents[joint] = host if host >= 0 else parents[joint]
    for foot in _detached(shape):
        host = _host(shape, foot)
        if host < 0:
            continue
        same_place = shape.distance(host, foot) < NEAR * shape.size
        if same_place and not shape.children[host] and _is_lesser(shape, host, foot):
            alive[host] = False
            parents[foot] = shape.parents[host]
        elif same_place:
            for joint in shape.below(foot):
                alive[joint] = False
        else:
            parents[foot] = host
    moved = frozenset(joint for joint, parent in enumerate(parents) if parent != shape.parents[joint])
    return dataclasses.replace(shape, parents=tuple(parents), alive=tuple(alive), reattached=moved)


def _is_lesser(shape: Shape, end: int, foot: int) -> bool:
    """Whether the end of a leg is only a marker for a foot that stands at the same place."""
    if shape.surface.exists:
        return shape.subtree_shares[end] <= 0 < shape.subtree_shares[foot]
    return (shape.ends[end] and not shape.ends[foot]) or (not shape.children[end] and bool(shape.children[foot]))


def _detached(shape: Shape) -> list[int]:
    """Feet, or hands that are steered from elsewhere, that hang directly from a joint that carries most of the body."""
    found = []
    most = len(shape.order)
    for joint in shape.order:
        parent = shape.parents[joint]
        if parent < 0 or not shape.alive[parent] or shape.subtree_counts[parent] < 0.6 * most:
            continue
        low = shape.heights[joint] - shape.ground < 0.1 * shape.tall
        small = shape.reaches[joint] < 0.25 * shape.size
        # A hand with its fingers may be a third of all joints.
        foot, hand = (shape.subtree_counts[joint] < part * most for part in (0.25, 0.35))
        aside = np.linalg.norm(np.cross(shape.positions[joint] - shape.positions[parent], shape.up))
        if small and aside > 0.02 * shape.size and ((low and foot) or (hand and _is_at_bare_tip(shape, joint))):
            found.append(joint)
    return found


def _far_host(shape: Shape, joint: int) -> int:
    """The clothed tip next to a clothed part that hangs from far away, as a head does that is steered alone, or -1."""
    parent, bone = shape.parents[joint], shape.bones[joint]
    if parent < 0 or bone < FAR * shape.size or shape.subtree_shares[joint] <= 0:
        return -1
    own = {*shape.below(joint), *shape.children[parent]}
    tips = [each for each in shape.order if not shape.children[each] and shape.surface.share[each] > 0]
    near = [tip for tip in tips if tip not in own and shape.distance(tip, joint) < 0.25 * bone]
    return min(near, key=lambda tip: shape.distance(tip, joint), default=-1)


def _is_at_bare_tip(shape: Shape, joint: int) -> bool:
    """Whether what carries a surface stands where a chain without one ends: a hand that is steered from elsewhere."""
    if shape.subtree_shares[joint] <= 0:
        return False
    own = set(shape.below(joint))
    tips = [each for each in shape.order if not shape.children[each] and shape.surface.share[each] <= 0]
    return any(shape.distance(tip, joint) < 0.25 * NEAR * shape.size for tip in tips if tip not in own)


def _host(shape: Shape, foot: int) -> int:
    """The tip of the chain that a detached foot belongs to, or -1."""
    own, most = set(shape.below(foot)), len(shape.order)
    best, host = np.inf, -1
    for joint in shape.order:
        if joint in own or shape.subtree_counts[joint] > 0.2 * most or shape.parents[joint] == shape.parents[foot]:
            continue
        apart = shape.positions[joint] - shape.positions[foot]
        rise = float(apart @ shape.up)
        aside = float(np.linalg.norm(apart - rise * shape.up))
        if np.hypot(rise, aside) < NEAR * shape.size:
            cost = -1.0 + np.hypot(rise, aside)
        elif shape.children[joint] or rise < 0.02 * shape.size or aside > rise:
            continue
        else:
            cost = float(np.hypot(rise, aside)) / shape.size + aside / shape.size
        if cost < best:
            best, host = cost, joint
    return host


def _without_doubles(shape: Shape) -> tuple[bool, ...]:
    """Small branches of the root that only repeat the places of other joints are controls."""
    if shape.surface.exists:
        return shape.alive
    alive = list(shape.alive)
    positions = shape.positions
    for joint in shape.order:
        parent = shape.parents[joint]
        if parent < 0 or shape.subtree_counts[parent] < 0.6 * len(shape.order):
            continue
        branch = shape.below(joint)
        if len(branch) > 0.2 * len(shape.order) or shape.bones[joint] < 0.1 * shape.size:
            continue
        own = {*branch, *shape.ancestors(joint)}
        others = [each for each in shape.order if each not in own]
        near = [np.linalg.norm(positions[others] - positions[each], axis=1).min() for each in branch if others]
        if near and max(near) < NEAR * shape.size:
            for each in branch:
                alive[each] = False
    return tuple(alive)
