"""Animations become recordings that play the same motion."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mummer.character import Recording
from mummer.errors import MalformedFileError
from mummer.math import quaternion
from tests.io.gltf.helpers import QUARTER, Maker, arm, messages


def animated(path: str, times: Any, values: Any, node: int = 1, **sampler: Any) -> Maker:
    maker = arm()
    maker.json["animations"] = [
        {
            "samplers": [{"input": maker.accessor(times), "output": maker.accessor(values), **sampler}],
            "channels": [{"sampler": 0, "target": {"node": node, "path": path}}],
        }
    ]
    return maker


def first(maker: Maker) -> Recording:
    return maker.read().recordings[0]


def test_the_bend_is_played() -> None:
    character = arm().read()
    (bend,) = character.recordings
    assert bend.name == "bend"
    assert [curve.path for curve in bend.curves] == ["rotation", "morph"]
    pose = bend.sample([0.25, 0.5, 0.75])
    angles = quaternion.angle(pose.rotations[:, 1])
    assert np.allclose(angles, [np.pi / 4, np.pi / 2, np.pi / 4], atol=1e-6)
    assert np.array_equal(pose.morphs[:, 0], [0, 1, 1])
    assert np.array_equal(pose.translations[:, 1], [[0, 1, 0]] * 3)


def test_channels_with_the_same_times_become_one_curve() -> None:
    maker = arm()
    bend = maker.json["animations"][0]
    bend["channels"].append({"sampler": 0, "target": {"node": 0, "path": "rotation"}})
    curve = first(maker).curves[0]
    assert curve.targets.tolist() == [1, 0]
    assert curve.values.shape == (3, 2, 4)


def test_cubic_splines_keep_their_tangents() -> None:
    keys = np.arange(18.0).reshape(6, 3)
    (curve,) = first(animated("translation", [0, 2], keys, interpolation="CUBICSPLINE")).curves
    assert curve.interpolation == "cubic"
    assert np.array_equal(curve.in_tangents[:, 0], keys[[0, 3]])
    assert np.array_equal(curve.values[:, 0], keys[[1, 4]])
    assert np.array_equal(curve.out_tangents[:, 0], keys[[2, 5]])
    # The formula of the format's specification at the middle of a span of two seconds.
    expected = 0.5 * keys[1] + 0.125 * 2 * keys[2] + 0.5 * keys[4] - 0.125 * 2 * keys[3]
    assert np.allclose(curve.sample(np.array([1.0]))[0, 0], expected)


def test_scales_in_an_animation_give_the_base_scales() -> None:
    recording = first(animated("scale", [0, 1], [[1, 1, 1], [2, 2, 2]]))
    assert np.array_equal(recording.base.scales, np.ones((2, 3)))
    assert np.array_equal(recording.sample([1.0]).scales[0], [[1, 1, 1], [2, 2, 2]])


def test_times_that_do_not_increase_lose_their_keys() -> None:
    maker = animated("translation", [0, 1, 1, 0.5, 2], np.arange(15.0).reshape(5, 3))
    character = maker.read()
    (curve,) = character.recordings[0].curves
    assert curve.times.tolist() == [0, 1, 2]
    assert curve.values[:, 0, 0].tolist() == [0, 3, 12]
    assert "times do not increase were dropped (2×)" in messages(character)


def test_integer_rotations_and_lengths_other_than_one() -> None:
    maker = arm()
    output = maker.accessor([[0, 0, 0, 32767], [0, 0, 23170, 23170]], "int16", normalized=True)
    maker.json["animations"][0]["samplers"][0] = {"input": maker.accessor([0, 1]), "output": output}
    assert np.allclose(first(maker).curves[0].values[1, 0], QUARTER, atol=1e-4)
    doubled = animated("rotation", [0, 1], [[0, 0, 0, 2], [0, 0, 2, 2]]).read()
    assert np.allclose(doubled.recordings[0].curves[0].values[:, 0], [[0, 0, 0, 1], QUARTER])
    assert "rotation keys were brought to unit length (2×)" in messages(doubled)


@pytest.mark.parametrize(
    ("path", "times", "values", "message"),
    [
        ("translation", [0, np.nan], np.zeros((2, 3)), "key times that are not finite"),
        ("translation", [0, 1], [[0, 0, 0], [np.inf, 0, 0]], "/animations/0/samplers/0/output: holds values that are"),
        ("rotation", [0, 1], [[0, 0, 0, 1], [0, 0, 0, 0]], "holds a rotation of length zero"),
        ("translation", [0, 1], np.zeros((3, 3)), "has 3 values for 2 key times (LINEAR)"),
        ("rotation", [0, 1], np.zeros((2, 3)), "expected VEC4"),
    ],
)
def test_motion_that_cannot_be_known(path: str, times: Any, values: Any, message: str) -> None:
    with pytest.raises(MalformedFileError) as caught:
        animated(path, times, values).read()
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("sampler", "message"),
    [
        ({"interpolation": "BEZIER"}, "/samplers/0/interpolation: is 'BEZIER'; expected one of STEP"),
        ({"interpolation": ["LINEAR"]}, "/samplers/0/interpolation: is"),
        ({"input": 99}, "/samplers/0/input: points at accessor 99"),
        ({"output": None}, "/samplers/0/output: is missing"),
        ({"output": -1}, "points at accessor -1"),
    ],
)
def test_broken_samplers(sampler: dict[str, Any], message: str) -> None:
    maker = arm()
    maker.json["animations"][0]["samplers"][0].update(sampler)
    with pytest.raises(MalformedFileError) as caught:
        maker.read()
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ({"path": "rotation"}, "whose node is not there"),
        ({"node": 9, "path": "rotation"}, "whose node is not there"),
        ({"node": 1, "path": "color"}, "unknown properties"),
        ({"path": "pointer", "extensions": {"KHR_animation_pointer": {}}}, "KHR_animation_pointer"),
        ({"node": 1, "path": "rotation"}, "what another channel drives already"),
        ({"node": 0, "path": "weights"}, "does not fit the morph targets"),
    ],
)
def test_channels_that_are_left_out(target: dict[str, Any], message: str) -> None:
    maker = arm()
    sampler = 1 if target["path"] == "weights" else 0
    maker.json["animations"][0]["channels"].append({"sampler": sampler, "target": target})
    character = maker.read()
    assert len(character.recordings[0].curves) == 2
    assert message in messages(character)


def two_faces(second: Any) -> Maker:
    """Two nodes that show the same mesh; the second's weights move by ``second``, or not at all if that is None."""
    maker = arm()
    maker.json["nodes"].append({"name": "copy", "mesh": 0, "skin": 0})
    maker.json["scenes"][0]["nodes"].append(3)
    if second is not None:
        bend = maker.json["animations"][0]
        bend["samplers"].append({**bend["samplers"][1], "output": maker.accessor(second)})
        bend["channels"].append({"sampler": 2, "target": {"node": 3, "path": "weights"}})
    return maker


def test_shapes_that_move_alike_share_a_name() -> None:
    assert two_faces([0, 1, 0.5]).read().morph_names == ("bulge",)


@pytest.mark.parametrize("second", [None, [0, 1, 0.25]])
def test_shapes_that_move_apart_get_names_of_their_own(second: Any) -> None:
    character = two_faces(second).read()
    assert character.morph_names == ("bulge", "bulge@copy")
    morphs = character.recordings[0].sample([1.0]).morphs[0]
    assert morphs.tolist() == [0.5, 0.0 if second is None else 0.25]


def test_names_and_default_weights_of_morphs() -> None:
    maker = arm()
    del maker.json["meshes"][0]["extras"]
    maker.json["meshes"][0]["weights"] = [0.25]
    character = maker.read()
    assert character.morph_names == ("strip.morph0",)
    assert character.default_pose.morphs.tolist() == [0.25]
    maker.json["nodes"][2]["weights"] = [0.75]
    assert maker.read().default_pose.morphs.tolist() == [0.75]
    maker.json["nodes"][2]["weights"] = [1, 2]
    assert "not as many as the morph targets" in messages(maker.read())


def test_animation_names_are_unique() -> None:
    maker = arm()
    maker.json["animations"] *= 2
    maker.json["animations"].append({"channels": [], "samplers": []})
    assert [recording.name for recording in maker.read().recordings] == ["bend", "bend#2", "animation2"]
