"""The laws of all modes on every joint of very many bodies: a study that takes minutes."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.general import physique_of
from mummer.general.modes import Target
from tests.general.modes.sampling import COUNT, MODES, Case, posed_part

BODIES = [*mm.zoo.names(), *range(100)]


@pytest.mark.slow
@pytest.mark.parametrize("which", BODIES)
def test_every_joint_of_every_body(which: str | int) -> None:
    character = mm.zoo.body(which) if isinstance(which, str) else mm.zoo.random_creature(which)
    body, chance = physique_of(character.replace(meshes=())), np.random.default_rng(7)
    for joint in range(len(body)):
        for mode in MODES:
            target = Target(chance.normal(0, 2 * body.height, (COUNT, 3)))
            if mode.boundary is not None:
                target = posed_part(body, int(chance.integers(len(body))), chance)
            case = Case(body, joint, mode, target if mode.toward is not None else None, chance)
            general, places = case.general(), case.places()
            for mirror in (False, True):
                found = case.map(mirror=mirror)
                assert np.abs(found.generalize(found.specialize(general)) - general).max() < 1e-9
                assert np.abs(found.specialize(found.generalize(places)) - places).max() < 1e-9
