"""A channel gets another mode, and the body in hand moves as before."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.errors import InputError
from mummer.general import Context, animation, physique_of
from mummer.general.modes import PositionMode, position_map, rest_target

MODES = [
    PositionMode(scale="size"),
    PositionMode(scale="limb", ground=True),
    PositionMode(sagittal=True),
    PositionMode(relative="absolute", toward=Context("grasper", limb="shoulder"), scale="limb"),
]


def fists():
    branch = next(each for each in animation("pound_ground").branches if each.name == "fists")
    return branch.channel("fists")


def places(channel, body, joint, at):
    mode = channel.position
    target = mode.toward and rest_target(body, joint, mode.toward)
    return position_map(body, joint, mode, target=target).specialize(channel.place(at))


@pytest.mark.parametrize("mode", MODES, ids=["size", "ground", "sagittal", "shoulder"])
@pytest.mark.parametrize("name", ["adult", "giant"])
def test_the_body_in_hand_moves_as_before(name: str, mode: PositionMode) -> None:
    body, at = physique_of(mm.zoo.body(name)), np.linspace(0.0, 2.4, 60)
    joint = body.anatomy.joint("left_hand")
    given = fists()
    other = given.with_mode(body, mode)
    assert other.position == mode
    assert np.allclose(places(other, body, joint, at), places(given, body, joint, at), rtol=0, atol=1e-6)
    back = other.with_mode(body, given.position)
    assert np.allclose(back.place.values, given.place.values, rtol=0, atol=1e-9)


def test_another_body_moves_as_the_mode_says() -> None:
    adult, giant = (physique_of(mm.zoo.body(name)) for name in ("adult", "giant"))
    other = fists().with_mode(adult, PositionMode())
    at = np.array([1.08])
    near = [places(each, giant, giant.anatomy.joint("left_hand"), at)[0, 1] for each in (fists(), other)]
    assert near[0] < 0.05 * giant.height, "fists no longer come to the ground"
    assert near[1] > 0.2 * giant.height, "fists still know of the ground"


def test_a_body_without_such_parts_is_told() -> None:
    with pytest.raises(InputError, match="has no part that channel 'fists' moves"):
        fists().with_mode(mm.zoo.body("snake"), PositionMode())
