"""Random creatures: any seed gives a whole, valid body."""

from __future__ import annotations

import math

from mummer.character import Character
from mummer.errors import InputError
from mummer.zoo.bodies import library_recipe, recipe_text
from mummer.zoo.build import build
from mummer.zoo.compose import flattened
from mummer.zoo.creature.colors import throw_palette
from mummer.zoo.creature.dice import Dice
from mummer.zoo.creature.draft import Draft
from mummer.zoo.creature.extras import draw_fins, draw_spikes, draw_tail, draw_wings
from mummer.zoo.creature.head import draw_heads
from mummer.zoo.creature.limbs import PAIR, draw_arm, draw_leg, throw_leg_style
from mummer.zoo.creature.spine import Spine, throw_spine
from mummer.zoo.recipe import Recipe

CELLS = 44
"""Grid cells along the largest side of a creature."""
SMALLEST, LARGEST = 0.25, 5.5
"""Metres of the largest side."""
GENERATOR_VERSION = 1
"""Grows whenever the same seed would give another creature."""


def random_creature(seed: int) -> Character:
    """The creature with this number; every number gives one, always the same.

    Args:
        seed: a whole number from zero up.

    Raises:
        InputError: if it is not one.

    Example:
        >>> random_creature(7).anatomy.problems(random_creature(7).skeleton)
        ()
    """
    recipe = random_recipe(seed)
    details = {
        "seed": seed, "recipe": recipe_text(recipe), "version": recipe.version, "generator": GENERATOR_VERSION,
    }  # fmt: skip
    return build(flattened(recipe, library_recipe), details=details, quick=True)


def random_recipe(seed: int) -> Recipe:
    """The recipe of a random creature, which can be written out, changed and built.

    Raises:
        InputError: if the seed is not a whole number from zero up.
    """
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise InputError(f"{seed!r} is not a seed; expected a whole number from zero up")
    dice, draft = Dice(seed), Draft()
    draft.palette = throw_palette(dice)
    size = math.exp(dice.between(math.log(SMALLEST), math.log(LARGEST)))
    attitude = dice.pick(
        [("level", 3.0), ("upright", 2.4), ("arched", 1.0), ("s_shaped", 1.2), ("serpent", 0.8), ("floating", 0.7)]
    )
    spine = throw_spine(dice, draft, attitude)
    pairs = _leg_pairs(dice, attitude)
    floor = _draw_legs(dice, draft, spine, pairs)
    _draw_arms(dice, draft, spine, floor)
    draw_heads(dice, draft, spine, 2 if dice.chance(0.1) else 1)
    _draw_extras(dice, draft, spine, floor)
    kind = {0: "floating" if attitude == "floating" else "legless", 1: "biped", 2: "quadruped"}.get(
        pairs, "many-legged"
    )
    floats = dice.between(0.15, 0.5) * size if attitude == "floating" else 0.0
    return draft.recipe(name=f"creature_{seed}", kind=kind, size=size, floats=floats, cells=CELLS)


def _leg_pairs(dice: Dice, attitude: str) -> int:
    if attitude in ("serpent", "floating"):
        return 0
    if attitude == "upright":
        return dice.pick([(0, 0.4), (1, 5.0), (2, 0.6)])
    return dice.pick([(1, 1.2), (2, 4.0), (3, 1.8), (4, 1.2), (5, 0.3)])


def _draw_legs(dice: Dice, draft: Draft, spine: Spine, pairs: int) -> float:
    """Draw all legs; gives the height of the ground in drawing units."""
    alone = pairs == 0 and spine.attitude == "upright"
    if pairs == 0 and not alone:
        return spine.lowest
    style = throw_leg_style(dice, spine, pairs)
    first, last = (0.0, 0.05) if spine.attitude == "upright" else (0.08, dice.between(0.75, 0.95))
    if pairs == 1 and spine.attitude != "upright":
        first = dice.between(0.3, 0.5)
    # Bellies stay clear of the ground.
    clear = min(0.0, spine.lowest) - 0.06
    style = type(style)(**{**style.__dict__, "height": max(style.height, -clear)})
    for number in range(pairs):
        part = first if pairs == 1 else first + (last - first) * number / (pairs - 1)
        draw_leg(draft, spine, style, part=part, name=f"leg_{number + 1}", side=PAIR)
    if alone:
        draw_leg(draft, spine, style, part=0.0, name="leg_1", side="")
    elif dice.chance(0.06):
        draw_leg(
            draft,
            spine,
            style,
            part=dice.between(0.1, 0.9),
            name="odd_leg",
            side=dice.pick([("left", 1.0), ("right", 1.0)]),
        )
    return -style.height


def _draw_arms(dice: Dice, draft: Draft, spine: Spine, floor: float) -> None:
    often = {"upright": 0.85, "floating": 0.6, "serpent": 0.15}.get(spine.attitude, 0.35)
    number = 0
    while dice.chance(often) and number < 3:
        number += 1
        part = 0.95 - 0.22 * (number - 1) if spine.attitude in ("upright", "floating") else 0.98 - 0.12 * (number - 1)
        forks = dice.chance(0.16)
        draw_arm(dice, draft, spine, part=part, name=f"arm_{number}", side=PAIR, branching=forks, floor=floor)
        often *= 0.35
    if dice.chance(0.10):
        side = dice.pick([("left", 1.0), ("right", 1.0)])
        part, forks = dice.between(0.3, 0.7), dice.chance(0.3)
        draw_arm(dice, draft, spine, part=part, name="odd_arm", side=side, branching=forks, floor=floor)


def _draw_extras(dice: Dice, draft: Draft, spine: Spine, floor: float) -> None:
    if spine.attitude == "serpent" or dice.chance(0.6):
        draw_tail(dice, draft, spine, floor=floor, pair=spine.attitude != "serpent" and dice.chance(0.1))
    if dice.chance(0.2):
        draw_wings(dice, draft, spine)
    if dice.chance(0.14):
        draw_fins(dice, draft, spine)
    if dice.chance(0.28):
        draw_spikes(dice, draft, spine)
