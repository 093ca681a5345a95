"""Bodies with any number of legs, and ground of any shape, for tests and studies of gaits."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from mummer import zoo
from mummer.arrays import FloatArray
from mummer.character import Character
from mummer.general import Physique, physique_of


@lru_cache(maxsize=64)
def legged(count: int, *, sprawling: bool = False) -> Physique:
    """A body with ``count`` legs: pairs along its spine, and one in the middle if there is one left over."""
    return physique_of(_build(count, sprawling=sprawling))


def _build(count: int, *, sprawling: bool) -> Character:
    pairs, single = divmod(count, 2)
    rows = max(pairs, 1) + (1 if single and pairs else 0)
    height = 0.35 if sprawling else 0.6
    long = 0.32 * max(rows - 1, 1)
    spine = np.linspace(0.0, long, rows + 2)
    joints = ["hips", *(f"spine_{number}" for number in range(rows - 1)), "chest"]
    text = [
        'version = 1\nname = "walker"\nkind = "walker"\ncell = 0.04\n[palette]\ngray = "#888888"\n',
        '[[chain]]\nname = "body"\nkind = "spine"\ncolor = "gray"\nsurface = "sweep"\n',
        f"joints = {joints}\npoints = {[[0, height, float(z)] for z in spine]}\nradii = {[0.06] * len(spine)}\n",
    ]
    spots = np.linspace(0.0, long, rows)
    text += [
        _leg(f"leg_{number}_{{side}}", joints[number], 0.08, spots[number], height, sprawling=sprawling)
        for number in range(pairs)
    ]
    if single:
        text.append(_leg("leg_middle", joints[rows - 1 if pairs else 0], 0.0, spots[-1], height, sprawling=sprawling))
    return zoo.from_recipe("".join(text))


def _leg(name: str, parent: str, left: float, ahead: float, height: float, *, sprawling: bool) -> str:
    out = 0.3 if sprawling and left else 0.02
    knee = [left + 0.5 * out, height * (1.1 if sprawling else 0.55), float(ahead) + (0.0 if sprawling else 0.06)]
    ankle = [left + 0.9 * out, 0.06, float(ahead) - (0.0 if sprawling else 0.01)]
    tip = [left + out, 0.02, float(ahead) + (0.0 if sprawling else 0.1)]
    points = [[left, height - 0.02, float(ahead)], knee, ankle, tip]
    base = "shoulder" if sprawling else "hip"
    joints = [f"{name}_upper", f"{name}_lower", f"{name}_foot"]
    return (
        f'[[chain]]\nname = "{name}"\nkind = "leg"\nparent = "{parent}"\njoints = {joints}\npoints = {points}\n'
        f'radii = [0.03, 0.025, 0.02, 0.02]\nsurface = "sweep"\ncolor = "gray"\nlimits = ["{base}", "knee", "ankle"]\n'
    )


def slope(x: FloatArray, z: FloatArray) -> FloatArray:
    """Ground that rises by one in five."""
    return 0.2 * np.asarray(z) + 0.0 * np.asarray(x)


def stairs(size: float) -> object:
    """Steps of a fifth of ``size`` high and one ``size`` deep, with short ramps for edges."""

    def heights(x: FloatArray, z: FloatArray) -> FloatArray:
        count = np.maximum(np.asarray(z) / size - 1.0, 0.0)
        return 0.2 * size * (np.floor(count) + np.clip((count % 1.0 - 0.95) / 0.05, 0.0, 1.0)) + 0.0 * np.asarray(x)

    return heights
