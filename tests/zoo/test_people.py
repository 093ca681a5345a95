"""People of the zoo that one likes to look at: ears on the skull, no seams where parts of the skin end, a child."""

import numpy as np
import pytest
from scipy.spatial import cKDTree

from mummer import zoo
from mummer.character.derive import rest_positions
from mummer.zoo.bodies import library_recipe
from mummer.zoo.compose import flattened
from mummer.zoo.patch import Patch
from mummer.zoo.surface import painted_alike

PEOPLE = ("adult", "child", "giant", "hunched")


def meshes_of(name):
    return {mesh.name: mesh for mesh in zoo.body(name).meshes}


def nearest(points, others):
    return cKDTree(others).query(points)


@pytest.mark.parametrize("name", PEOPLE)
def test_ears_are_on_the_skull(name):
    body, meshes = zoo.body(name), meshes_of(name)
    details = meshes["details"].positions
    eyes = [body.skeleton.index(f"{side}_eye") for side in ("left", "right")]
    places = rest_positions(body.skeleton)
    apart = abs(places[eyes[0], 0] - places[eyes[1], 0])
    ears = details[np.abs(details[:, 0]) > 0.9 * apart]
    ears = ears[ears[:, 1] > places[eyes[0], 1] - apart]
    assert len(ears) > 40
    away = nearest(ears, meshes["head"].positions)[0]
    near = cKDTree(meshes["head"].positions).query(meshes["head"].positions, k=2)[0][:, 1].mean()
    assert np.median(away) < 2.5 * near, "beside the skull there is air"


@pytest.mark.parametrize("name", PEOPLE)
def test_skin_goes_below_the_coarser_skin_around_it_where_it_ends(name):
    meshes = meshes_of(name)
    foot, skin = meshes["left_foot"], meshes["skin"]
    cell = np.median(cKDTree(skin.positions).query(skin.positions, k=2)[0][:, 1])
    rim = foot.positions[foot.positions[:, 1] > foot.positions[:, 1].max() - 0.3 * cell]
    which = nearest(rim, skin.positions)[1]
    above = ((rim - skin.positions[which]) * skin.normals[which]).sum(axis=1)
    assert above.max() < -0.05 * cell, "it ends in a step"


def test_skin_takes_on_the_colour_of_the_skin_around_it_where_it_ends():
    def patch(y, color):
        points = np.stack([np.linspace(0.0, 1.0, 5), np.full(5, y), np.zeros(5)], axis=1)
        return Patch("a", points, points, np.zeros((0, 3), int), np.zeros((5, 1), int), np.ones((5, 1)), color)

    fine, coarse = patch(0.0, np.full((5, 3), 0.2)), patch(0.01, np.linspace(0.5, 0.9, 5)[:, None] + np.zeros(3))
    made = painted_alike([fine, coarse], [np.array([1.0, 0.5, 0.0, 0.0, 0.0]), np.zeros(5)])
    assert made[1] is coarse
    assert made[0].colors[0] == pytest.approx(coarse.colors[0], abs=0.03)
    assert made[0].colors[1, 0] == pytest.approx(0.5 * (0.2 + coarse.colors[1, 0]), abs=0.03)
    assert (made[0].colors[2:] == 0.2).all()


def test_a_child_has_a_face_of_its_own():
    flat = {name: flattened(library_recipe(name), library_recipe) for name in PEOPLE[:2]}

    def of(name, part):
        return next(item for item in flat[name].flesh if item.name == part)

    def share(name, what):
        height = of(name, "cranium").radii[1]
        return what / height

    eye = {name: next(eye.radius for eye in flat[name].eye) for name in flat}
    assert share("child", eye["child"]) > 1.1 * share("adult", eye["adult"])
    nose = {name: of(name, "nose").radii[-1] for name in flat}
    assert share("child", nose["child"]) < 0.85 * share("adult", nose["adult"])
