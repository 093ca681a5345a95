"""Faces: jaws open, lids close, mouth shapes differ, and nothing but the head moves."""

import numpy as np
import pytest

from mummer import zoo
from mummer.zoo.eyes import LID_RADIUS, blink_name, eyelid
from mummer.zoo.visemes import VISEMES


def shape(character, name):
    """Positions and displacements of all vertices that have a morph."""
    pairs = [
        (mesh.positions, morph.positions) for mesh in character.meshes for morph in mesh.morphs if morph.name == name
    ]
    return np.concatenate([place for place, _ in pairs]), np.concatenate([move for _, move in pairs])


def test_jaw_open_lowers_the_lower_lip_and_not_the_upper():
    places, moves = shape(zoo.body("adult"), "jaw_open")
    front = (np.abs(places[:, 0]) < 0.01) & (places[:, 2] > 0.09)
    lower = front & (places[:, 1] < 1.567) & (places[:, 1] > 1.55)
    upper = front & (places[:, 1] > 1.578) & (places[:, 1] < 1.59)
    assert lower.sum() > 5
    assert upper.sum() > 5
    assert moves[lower, 1].max() < -0.02
    assert np.abs(moves[upper]).max() < 0.004


def test_lips_touch_at_rest():
    adult = zoo.body("adult")
    places, moves = shape(adult, "jaw_open")
    front = (np.abs(places[:, 0]) < 0.008) & (places[:, 2] > 0.085) & (np.abs(places[:, 1] - 1.573) < 0.02)
    moved = moves[:, 1] < -0.02
    gap = places[front & ~moved, 1].min() - places[front & moved, 1].max()
    assert gap < 0.004


@pytest.mark.parametrize("name", [name for name in zoo.names() if zoo.body(name).morph_names])
def test_shapes_leave_the_body_alone(name):
    character = zoo.body(name)
    places = np.concatenate([mesh.positions for mesh in character.meshes])
    lowest = places[:, 1].min() + 0.2 * (places[:, 1].max() - places[:, 1].min())
    far = places[:, 2].min() + 0.3 * (places[:, 2].max() - places[:, 2].min())
    for mesh in character.meshes:
        away = (mesh.positions[:, 1] < lowest) & (mesh.positions[:, 2] < far)
        for morph in mesh.morphs:
            assert np.abs(morph.positions[away]).max(initial=0) < 1e-6, (mesh.name, morph.name)


def test_mouth_shapes_differ_from_each_other():
    adult = zoo.body("adult")
    flat = {name: shape(adult, name)[1].sum(axis=0) for name in VISEMES}
    widths = {}
    for name in VISEMES:
        places, moves = shape(adult, name)
        corner = np.argmin(np.linalg.norm(places - [0.0255, 1.5725, 0.083], axis=1))
        widths[name] = float(moves[corner, 0])
    assert widths["viseme_I"] > 0.002 > -0.004 > widths["viseme_U"]
    assert len({tuple(np.round(total, 4)) for total in flat.values()}) == len(VISEMES)


def test_smiles_are_one_sided():
    places, moves = shape(zoo.body("adult"), "smile_left")
    size = np.linalg.norm(moves, axis=1)
    assert size[places[:, 0] > 0.015].max() > 0.006
    assert size[places[:, 0] < -0.02].max() < 0.002


def test_brows_go_up_and_down():
    up, down = shape(zoo.body("adult"), "brow_up_left")[1], shape(zoo.body("adult"), "brow_down_left")[1]
    assert up[:, 1].max() > 0.006
    assert down[:, 1].min() < -0.005
    assert up[:, 1].min() > -1e-6


@pytest.mark.parametrize("part", [0.0, 0.25, 0.5, 0.75, 1.0])
def test_lids_clear_the_ball_all_the_way(part):
    for upper in (True, False):
        lid = eyelid(36.0, -36.0, upper)
        points = lid.opened + part * (lid.closed - lid.opened)
        rim = points.reshape(7, -1, 3)[5]
        assert np.linalg.norm(rim, axis=1).min() > 1.0
        assert np.linalg.norm(points, axis=1).max() < LID_RADIUS + 1e-9


def test_closed_lids_meet():
    rims = [eyelid(30.0, -28.0, upper).closed.reshape(7, -1, 3)[5] for upper in (True, False)]
    np.testing.assert_allclose(rims[0], rims[1], atol=1e-12)


def test_blink_names():
    assert blink_name("left_eye") == "blink_left"
    assert blink_name("left_right_eye") == "blink_right"
    assert blink_name("eye") == "blink"


@pytest.mark.parametrize("name", ["dog", "horse", "frog", "lizard", "snake", "fish", "dragon", "ghost", "bird"])
def test_beasts_open_their_mouths(name):
    character = zoo.body(name)
    assert "jaw" in character.anatomy.roles
    _, moves = shape(character, "jaw_open")
    assert moves[:, 1].min() < -0.02 * character.anatomy.height / 2


def test_a_second_head_speaks_too():
    places, moves = shape(zoo.body("two_headed"), "viseme_aa")
    size = np.linalg.norm(moves, axis=1)
    assert size[places[:, 0] > 0.05].max() > 0.01
    assert size[places[:, 0] < -0.05].max() > 0.01
