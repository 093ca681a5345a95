"""Travel on the joints that carry it in a body's own clips, so that these and ours fade into one another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mummer as mm
from mummer.character import Character, Skeleton, world_positions
from mummer.clip import Travel, bake
from mummer.clip.carriers import carriers_of, with_carrier
from mummer.errors import InputError, UnknownNameError
from mummer.io import save_motions
from mummer.recognition import recognized
from mummer.retargeting import retarget
from tests.io.judges import Fade, three_clips, three_fades
from tests.retargeting.walk import walk

OWN = {
    "threejs/Xbot.glb": ("idle", "mixamorig:Hips", None),
    "threejs/Soldier.glb": ("Idle", "mixamorig:Hips", None),
    "gdquest/mannequiny.glb": ("idle", "pelvis", None),
    "kaykit/Knight.glb": ("Idle", "hips", "root"),
    "khronos/Fox.glb": ("Survey", "b_Hip_01", None),
}
"""Files with clips of their own: one of these, the joint that carries the body in them, and the one that goes."""


@cache
def loaded(path: Path) -> Character:
    return recognized(mm.load(path))


def moved(body: Character) -> mm.Recording:
    """A motion of ours on that body, which goes somewhere."""
    if body.anatomy is not None and body.anatomy.kind == "biped":
        return retarget(walk(seconds=1.0, rate=30.0), body, name="ours").recording
    return mm.perform(body, "walk").to_recording(30.0, name="ours")


@pytest.mark.parametrize("file", OWN)
def test_the_joint_that_carries_the_own_clips_carries_ours(shared_character: Callable[[str], Path], file: str) -> None:
    body = loaded(shared_character(file))
    _, carrier, goes = OWN[file]
    carriers = carriers_of(body)
    assert body.skeleton.names[carriers.body] == carrier
    assert (carriers.ground is not None and body.skeleton.names[carriers.ground]) == (goes or False)


@pytest.mark.parametrize("file", OWN)
def test_three_fades_from_an_own_clip_to_ours_and_back_without_a_sink(
    shared_character: Callable[[str], Path], tmp_path: Path, file: str
) -> None:
    body, target = loaded(shared_character(file)), tmp_path / "faded.glb"
    own, carrier, _ = OWN[file]
    save_motions(body, [moved(body)], target)
    height = float(np.ptp(world_positions(body.skeleton, body.default_pose)[:, 1]))
    for faded in three_fades([Fade(target, own, "ours", carrier), Fade(target, "ours", own, carrier)]):
        assert faded.weights[0] < 0.01
        assert faded.weights[-1] > 0.99
        share = faded.weights[:, None]
        between = (1 - share) * faded.first + share * faded.second
        assert np.abs(faded.fading - between).max() < 0.01 * height
        lowest = np.minimum(faded.first[:, 1], faded.second[:, 1])
        assert np.all(faded.fading[:, 1] > lowest - 0.002 * height)


@pytest.mark.parametrize("file", OWN)
def test_three_moves_the_same_tracks_in_ours_as_in_the_own_clips(
    shared_character: Callable[[str], Path], tmp_path: Path, file: str
) -> None:
    """What stands above the carrier is for the game to move: ours leaves it where the own clips do."""
    body, target = loaded(shared_character(file)), tmp_path / "faded.glb"
    own, carrier, goes = OWN[file]
    save_motions(body, [moved(body)], target)
    clips = {clip["name"]: set(clip["tracks"]) for clip in three_clips([target])[0]}
    assert f"{carrier.replace(':', '')}.position" in clips["ours"] & clips[own]
    names = body.skeleton.names
    above = [names[joint] for joint in body.skeleton.ancestors(body.skeleton.index(goes or carrier))]
    assert above
    for name, faded in zip(above, three_fades([Fade(target, own, "ours", name) for name in above]), strict=True):
        assert np.ptp(np.concatenate([faded.first, faded.second, faded.fading]), axis=0).max() < 1e-6, name


def game_rig(*, above: int) -> Character:
    """The adult with joints above its hips: none, or a root on the ground as game engines have."""
    adult = mm.zoo.body("adult")
    return mm.character.with_ground_root(adult, extract="none") if above else adult


def going() -> mm.clip.Clip:
    return retarget(walk(seconds=2.0, rate=30.0), game_rig(above=1), travel="hips")


def test_a_root_on_the_ground_goes_along_below_and_faces_where_the_body_goes() -> None:
    clip = going()
    made = Travel(clip, "root")
    times = clip.times(30.0)
    before, after = (world_positions(clip.body.skeleton, each.sample(times)) for each in (clip, made))
    np.testing.assert_allclose(after[:, 1:], before[:, 1:], atol=1e-9)
    root, hips = after[:, 0], after[:, 1]
    assert np.ptp(root[:, 1]) < 1e-9
    assert np.linalg.norm(root[-1] - root[0]) > 1.0
    assert np.abs((hips - root)[:, [0, 2]]).max() < 0.1


def test_a_root_does_not_sway_as_the_hips_do() -> None:
    clip = mm.perform(game_rig(above=1), "walk", duration=6.0, ends="moving")
    times = np.linspace(clip.start + 0.5, clip.end - 0.5, 60)
    places = world_positions(clip.body.skeleton, Travel(clip, "root").sample(times))
    root, hips = (np.abs(np.diff(places[:, joint, 0], 2)).max() for joint in (0, 1))
    assert root < 0.2 * hips


def test_a_root_stays_where_the_body_only_sways() -> None:
    body = game_rig(above=1).replace(meshes=(), default_pose=None)
    made = Travel(mm.perform(body, "nod"), "auto")
    assert carriers_of(body).ground == 0
    root = made.sample(made.times(20.0)).full_translations(body.skeleton)[:, 0]
    assert np.ptp(root, axis=0).max() < 1e-9


def test_what_does_not_move_has_no_keys() -> None:
    recording = bake(Travel(going(), "hips"), 30.0).recording
    targets = [curve.targets.tolist() for curve in recording.curves if curve.path == "translation"]
    assert targets == [[1]]


def test_a_body_without_a_joint_above_its_hips_gets_one_for_a_root() -> None:
    body = game_rig(above=0)
    with pytest.raises(InputError, match="no joint of 'adult' is above its hips"):
        Travel(mm.perform(body, "nod"), "root")
    with pytest.raises(UnknownNameError, match="hip"):
        Travel(mm.perform(body, "nod"), "hip")  # type: ignore[arg-type]
    made = retarget(walk(seconds=1.0, rate=30.0), body, travel="root")
    assert made.body.skeleton.names[:2] == ("root", "hips")
    assert np.ptp(made.sample([0.0, 1.0]).full_translations(made.body.skeleton)[:, 0], axis=0)[2] > 0.5
    assert with_carrier(body, "auto") is body


def test_the_centre_of_a_biped_carries_what_hangs_from_it() -> None:
    parents, names = [-1, 0, 1, 2, 2, 4, 1, 6], ["scene", "Bip01", "Pelvis", "Spine", "L", "LFoot", "R", "RFoot"]
    places = np.zeros((8, 3))
    places[1], places[3] = (0, 1, 0), (0, 0.5, 0)
    places[4], places[6], places[5], places[7] = (0.1, 0, 0), (-0.1, 0, 0), (0, -0.9, 0), (0, -0.9, 0)
    skeleton = Skeleton(tuple(names), np.array(parents), places, np.tile([0.0, 0, 0, 1], (8, 1)))
    body = Character("biped", skeleton)
    assert carriers_of(body).body == 1


def bound_to(body: Character, joint: int) -> Character:
    """The body with one corner of its skin carried by a joint, in part."""
    mesh = body.meshes[0]
    joints = np.append(mesh.skin.joints, joint)
    binds = np.concatenate([mesh.skin.joint_from_mesh, np.eye(3, 4)[None]])
    indices, weights = mesh.skin.indices.copy(), mesh.skin.weights.copy()
    indices[0, -1], weights[0] = len(joints) - 1, 0.8 * weights[0]
    weights[0, -1] = 1.0 - weights[0, :-1].sum()
    skin = replace(mesh.skin, joints=joints, joint_from_mesh=binds, indices=indices, weights=weights)
    return body.replace(meshes=(replace(mesh, skin=skin), *body.meshes[1:]))


@pytest.mark.parametrize("choice", ["auto", "hips", "root"])
def test_a_root_that_carries_skin_goes_along_with_the_body(choice: Any) -> None:
    """Where the body's own clips leave a root that soles hang on in part, feet must not be drawn out behind it."""
    own = bake(Travel(going(), "hips"), 30.0).recording
    body = bound_to(game_rig(above=1), 0).replace(recordings=(own,))
    assert carriers_of(game_rig(above=1).replace(recordings=(own,))).ground is None
    made = Travel(mm.perform(body, "walk", path=[(0, 0), (0, 4)]), choice)
    places = world_positions(body.skeleton, made.sample(made.times(10.0)))
    assert np.linalg.norm((places[:, 1] - places[:, 0])[:, [0, 2]], axis=1).max() < 0.2
    assert np.ptp(places[:, 0, 2]) > 3.5
