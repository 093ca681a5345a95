"""Changing the mode of a channel leaves the motion of the body in hand as it was."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mummer.general.context_limbs import swing_length
from mummer.general.modes import (
    PositionMode,
    RotationMode,
    Target,
    position_map,
    remap_keys,
    remap_slopes,
    rotation_map,
)
from mummer.math import quaternion
from tests.general.bodies import all_names, physique
from tests.general.modes.sampling import MODES, OUTSIDE, Case, cases

STRAIGHT = [mode for mode in MODES if not mode.reach and mode.boundary is None]


@given(case=cases(), other=cases(), mirror=st.booleans())
def test_keys_mean_the_same_places(case: Case, other: Case, mirror: bool) -> None:
    if other.mode.boundary is not None:
        return
    old = case.map(mirror=mirror)
    new = position_map(case.physique, case.joint, other.mode, mirror=mirror, target=other.target)
    places = case.places()
    keys = old.generalize(places)
    assert np.allclose(new.specialize(remap_keys(keys, old, new)), places, rtol=0, atol=1e-9)


@given(case=cases(STRAIGHT), mode=st.sampled_from(STRAIGHT), seed=st.integers(0, 2**32 - 1))
def test_curves_between_keys_mean_the_same(case: Case, mode: PositionMode, seed: int) -> None:
    target = Target(np.random.default_rng(seed).normal(0, case.physique.height, (1, 3)))
    old, new = (position_map(case.physique, case.joint, each, target=target) for each in (case.mode, mode))
    keys, slopes = case.general()[:2], case.general()[:2]
    new_keys, new_slopes = remap_keys(keys, old, new), remap_slopes(keys, slopes, old, new)
    before, after = (hermite(k, s) for k, s in ((keys, slopes), (new_keys, new_slopes)))
    assert np.allclose(new.specialize(after), old.specialize(before), rtol=0, atol=1e-9)


@given(case=cases(), other=cases())
def test_slopes_mean_the_same_speeds_at_the_keys(case: Case, other: Case) -> None:
    if not case.mode.reach and case.mode.boundary is None:
        return
    new = position_map(case.physique, case.joint, PositionMode(scale="limb"))
    general, slopes = 0.9 * case.general(), case.general()
    found = remap_slopes(general, slopes, case.map(), new) * swing_length(case.physique, case.joint)
    step = 1e-5
    moved = (case.map().specialize(general + step * slopes) - case.map().specialize(general - step * slopes)) / (
        2 * step
    )
    # Where a ray passes from one capsule to the next the surface has a crease.
    close = np.abs(found - moved).max(axis=1) < 1e-4 * max(np.abs(moved).max(), 1)
    assert np.count_nonzero(close) >= 4


@given(
    name=st.sampled_from(all_names()),
    part=st.floats(0, 0.999),
    modes=st.lists(st.sampled_from(["rest", "absolute", "look"]), min_size=2, max_size=2),
    seed=st.integers(0, 2**32 - 1),
)
def test_keys_mean_the_same_rotations(name: str, part: float, modes: list[str], seed: int) -> None:
    body, chance = physique(name), np.random.default_rng(seed)
    joint = int(part * len(body))
    target = Target(chance.normal(size=(4, 3)))
    old, new = (
        rotation_map(body, joint, RotationMode(each, OUTSIDE if each == "look" else None), target=target)  # type: ignore[arg-type]
        for each in modes
    )
    rotations = quaternion.random(chance, (4,))
    keys = remap_keys(old.generalize(rotations), old, new)
    assert quaternion.angle_between(new.specialize(keys), rotations).max() < 1e-9


def hermite(keys: np.ndarray, slopes: np.ndarray) -> np.ndarray:
    """Nine values of the cubic between two keys a second apart."""
    t = np.linspace(0, 1, 9)[:, None]
    return (
        (2 * t**3 - 3 * t**2 + 1) * keys[0] + (t**3 - 2 * t**2 + t) * slopes[0]
        + (3 * t**2 - 2 * t**3) * keys[1] + (t**3 - t**2) * slopes[1]
    )  # fmt: skip
