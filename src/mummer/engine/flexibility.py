"""How readily parts swing that nothing moves: by what they are, and by how long they are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character
from mummer.ik.rigid_body import rigid_body
from mummer.kept import kept

PENDULUM = 0.9
"""Swings a second of a part that is a metre long; they go with one over the root of the length, as a pendulum's do."""
SLOWEST, FASTEST = 0.6, 6.0
"""Swings a second, for the longest and the shortest parts."""


class Flexibility(NamedTuple):
    """How one kind of part swings.

    Attributes:
        stiffness: how many times faster than a limp part of its length.
        damping: part of the damping at which it would no longer swing past its rest; of the part as a whole.
        most: radians that the part as a whole may bend, about.
    """

    stiffness: float
    damping: float
    most: float


BY_KIND = {
    "tail": Flexibility(1.0, 0.3, 0.9),
    "antenna": Flexibility(0.9, 0.2, 0.9),
    "ear": Flexibility(1.2, 0.3, 0.5),
    "hair": Flexibility(1.0, 0.35, 0.7),
    "abdomen": Flexibility(1.6, 0.4, 0.2),
    "fin": Flexibility(1.5, 0.45, 0.3),
    "wing": Flexibility(1.6, 0.5, 0.25),
    "arm": Flexibility(1.5, 0.45, 0.25),
    "stalk": Flexibility(1.6, 0.5, 0.15),
}
"""What swings, if nothing moves it. Legs carry, heads look, hands hold: they do not."""
LOOSE_WORDS = (
    "antenna", "bang", "beard", "belly", "breast", "cape", "cloak", "cloth", "ear", "fat", "feather", "flap", "fur",
    "hair", "mane", "ponytail", "ribbon", "skirt", "strap", "tail", "tassel", "tentacle", "tuft", "whisker",
)  # fmt: skip
"""Words in the names of joints that no limb holds, and that hang loose all the same."""
FIXED = ("root", "spine", "head", "mouth", "jaw", "eye", "foot")


@kept
def kinds_of(character: Character) -> tuple[str | None, ...]:
    """(J,) for each joint the key of `BY_KIND` that says how it swings, or None if it does not by itself.

    A joint swings as its limb does; one that is in no limb, as its name suggests, or as what carries it. Fingers swing
    with wings alone, and what carries an eye swings little.
    """
    anatomy, skeleton = character.anatomy, character.skeleton
    found: list[str | None] = [None] * len(skeleton)
    if anatomy is None:
        return tuple(found)
    limbs = {joint: limb.kind for limb in anatomy.limbs for joint in limb.joints}
    fixed = {joint for name in FIXED for joint in anatomy.capabilities.get(name, ())}
    named = {joint: name for name in BY_KIND for joint in anatomy.capabilities.get(name, ())}
    for joint, parent in enumerate(skeleton.parents.tolist()):
        above = found[parent] if parent >= 0 else None
        kind = limbs.get(joint, named.get(joint))
        if kind is None:
            kind = above or _loose(skeleton.names[joint])
        elif kind in ("finger", "toe"):
            kind = above if above == "wing" else None
        found[joint] = kind if kind in BY_KIND and joint not in fixed else None
    for eye in anatomy.capabilities.get("eye", ()):
        for above in skeleton.ancestors(eye):
            found[above] = "stalk" if found[above] is not None else None
    return tuple(found)


def rates_of(character: Character, kinds: tuple[str | None, ...], lengths: FloatArray) -> FloatArray:
    """(J, 3) radians a second, damping and most bend of joints whose parts below are ``lengths`` (J,) metres long."""
    rows = np.zeros((len(kinds), 3))
    depth, links = _depths(character), np.ones(len(kinds))
    for joint, (kind, above) in enumerate(zip(kinds, rigid_body(character).parents.tolist(), strict=True)):
        how = BY_KIND[kind or "hair"]
        swings = np.clip(how.stiffness * PENDULUM / np.sqrt(max(lengths[joint], 1e-6)), SLOWEST, FASTEST)
        links[joint] = links[above] if above >= 0 and kinds[above] else depth[joint]
        # A swing's gain squared is 1 + 1 / (2 damping)² at most: all along a chain as large as that of one part.
        damping = 0.5 / np.sqrt((1.0 + 0.25 / how.damping**2) ** (1.0 / links[joint]) - 1.0)
        rows[joint] = 2 * np.pi * swings, damping, how.most / np.sqrt(depth[joint])
    return rows


def _depths(character: Character) -> FloatArray:
    """(J,) how many joints follow one another from each to the last below it, itself counted."""
    parents = rigid_body(character).parents
    depth = np.ones(len(parents))
    for joint in range(len(parents) - 1, 0, -1):
        if parents[joint] >= 0:
            depth[parents[joint]] = max(depth[parents[joint]], depth[joint] + 1)
    return depth


def _loose(name: str) -> str | None:
    folded = name.casefold()
    return "hair" if any(word in folded for word in LOOSE_WORDS) else None
