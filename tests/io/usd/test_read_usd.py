"""USD as others write it: other axes and units, attributes spread in every way, arcs to elsewhere, and damage."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mummer.character import Character, Pose, world_positions
from mummer.errors import FileError, LimitError, MalformedFileError, MissingExtraError
from mummer.io import load, save
from mummer.io.limits import DEFAULT_LIMITS
from mummer.io.usd import read, write
from tests.io.usd.bodies import rich_body

pytest.importorskip("pxr")
ONE = "( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), ({}, {}, {}, 1) )"
SKELETON = f"""
    def Skeleton "Rig" {{
        uniform token[] joints = ["hip", "hip/between/head"]
        uniform matrix4d[] bindTransforms = [{ONE.format(0, 0, 100)}, {ONE.format(0, 0, 160)}]
        uniform matrix4d[] restTransforms = [{ONE.format(0, 0, 100)}, {ONE.format(0, 0, 60)}]
        rel skel:animationSource = </Body/Nod>
    }}
    def SkelAnimation "Nod" {{
        uniform token[] joints = ["hip/between/head", "hip"]
        float3[] translations.timeSamples = {{ 0: [(0, 0, 60), (0, 0, 100)], 24: [(0, 0, 60), (0, 50, 100)] }}
        quatf[] rotations = [(1, 0, 0, 0), (1, 0, 0, 0)]
        half3[] scales = [(1, 1, 1), (1, 1, 1)]
    }}
"""
SQUARE = """
        point3f[] points = [(0, 0, 0), (100, 0, 0), (100, 100, 0), (0, 100, 0)]
        int[] faceVertexCounts = [4]
        int[] faceVertexIndices = [0, 1, 2, 3]
"""
SKIN = """
        rel skel:skeleton = </Body/Rig>
        int[] primvars:skel:jointIndices = [{}] (interpolation = "constant"; elementSize = {})
        float[] primvars:skel:jointWeights = [{}] (interpolation = "constant"; elementSize = {})
"""


def text(inside: str, *, header: str = 'upAxis = "Z"; metersPerUnit = 0.01; timeCodesPerSecond = 24') -> bytes:
    return f'#usda 1.0\n(\n defaultPrim = "Body"\n {header}\n)\ndef SkelRoot "Body" {{\n{inside}\n}}\n'.encode()


def mesh(inside: str) -> str:
    return f'    def Mesh "Cube" (prepend apiSchemas = ["SkelBindingAPI"]) {{\n{SQUARE}\n{inside}\n    }}\n'


def load_text(data: bytes, path: Path | None = None) -> Character:
    return read(data, path, DEFAULT_LIMITS)


def test_axes_and_units_become_ours() -> None:
    character = load_text(text(SKELETON))
    places = world_positions(character.skeleton, character.default_pose)
    assert character.skeleton.names == ("hip", "head")
    assert np.allclose(places, [[0, 1, 0], [0, 1.6, 0]])
    assert character.skeleton.is_rigid
    assert character.source is not None
    assert (character.source.up, character.source.metres_per_unit) == ("+Z", 0.01)
    (nod,) = character.recordings
    assert nod.name == "Nod"
    assert (nod.end, nod.frame_rate) == (1.0, 24.0)
    moved = world_positions(character.skeleton, nod.sample([0.5, 1.0]))
    assert np.allclose(moved[:, 0], [[0, 1, -0.25], [0, 1, -0.5]], atol=1e-6)
    assert np.allclose(moved[:, 1], [[0, 1.6, -0.25], [0, 1.6, -0.5]], atol=1e-6)


def test_a_skin_of_one_influence_for_the_whole_mesh() -> None:
    character = load_text(text(SKELETON + mesh(SKIN.format("1", 1, "1", 1))))
    (cube,) = character.meshes
    assert cube.skin.joints[cube.skin.indices].tolist() == [[1]] * 4
    corner = cube.skin.joint_from_mesh[cube.skin.indices[2, 0]] @ [*cube.positions[2], 1]
    # Half the height of the head lies between the mesh and its joint, in metres.
    assert np.allclose(corner, [1, 1, -1.6], atol=1e-6)


def test_a_mesh_without_a_skin_has_a_joint_of_its_own() -> None:
    placed = 'double3 xformOp:translate = (0, 0, 200)\n uniform token[] xformOpOrder = ["xformOp:translate"]'
    character = load_text(text(SKELETON + mesh(placed)))
    assert character.skeleton.names == ("hip", "head", "Cube")
    assert np.allclose(world_positions(character.skeleton, character.default_pose)[2], [0, 2, 0])
    assert character.meshes[0].skin.joints.tolist() == [2]
    alone = load_text(text(mesh("")))
    assert alone.skeleton.names == ("Cube",)


def test_attributes_may_be_spread_over_corners_faces_and_points() -> None:
    spread = """
        texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] (interpolation = "faceVarying")
        int[] primvars:st:indices = [3, 2, 1, 0]
        normal3f[] normals = [(0, 0, 2)] (interpolation = "uniform")
        color3f[] primvars:displayColor = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)] (interpolation = "vertex")
    """
    (cube,) = load_text(text(mesh(spread))).meshes
    assert cube.uvs is not None
    assert cube.normals is not None
    assert cube.colors is not None
    order = np.lexsort(cube.positions.T[::-1])
    assert cube.uvs[order].tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert cube.normals.tolist() == [[0, 0, 1]] * 4
    assert cube.colors[order].tolist() == [[1, 0, 0, 1], [1, 1, 1, 1], [0, 1, 0, 1], [0, 0, 1, 1]]


def test_faces_with_materials_of_their_own_become_meshes() -> None:
    parts = """
        int[] faceVertexCounts = [3, 3]
        int[] faceVertexIndices = [0, 1, 2, 0, 2, 3]
        uniform token subsetFamily:materialBind:familyType = "partition"
        def GeomSubset "Half" (prepend apiSchemas = ["MaterialBindingAPI"]) {
            uniform token elementType = "face"
            uniform token familyName = "materialBind"
            int[] indices = [1]
            rel material:binding = </Body/Red>
        }
    """
    red = """
    def Material "Red" {
        token outputs:surface.connect = </Body/Red/Surface.outputs:surface>
        def Shader "Surface" {
            uniform token info:id = "UsdPreviewSurface"
            color3f inputs:diffuseColor = (1, 0, 0)
            token outputs:surface
        }
    }
    """
    points = "point3f[] points = [(0, 0, 0), (100, 0, 0), (100, 100, 0), (0, 100, 0)]\n"
    prim = f'def Mesh "Cube" {{\n{points}{parts}\n}}\n'
    meshes = {one.name: one for one in load_text(text(prim + red)).meshes}
    assert set(meshes) == {"Cube.material", "Cube.Red"}
    assert meshes["Cube.Red"].material.base_color == (1, 0, 0, 1)


def test_left_handed_faces_are_turned() -> None:
    extras = ("", 'uniform token orientation = "leftHanded"')
    plain, turned = (load_text(text(mesh(extra))).meshes[0] for extra in extras)
    assert turned.triangles[:, ::-1].tolist() == plain.triangles.tolist()


def test_bind_and_rest_stand_apart() -> None:
    moved = SKELETON.replace(f"restTransforms = [{ONE.format(0, 0, 100)}", f"restTransforms = [{ONE.format(0, 0, 130)}")
    character = load_text(text(moved))
    assert np.allclose(world_positions(character.skeleton, Pose.rest(character.skeleton))[0], [0, 1, 0])
    assert np.allclose(world_positions(character.skeleton, character.default_pose)[0], [0, 1.3, 0])


def test_nothing_outside_is_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.usda"
    save(rich_body(), secret)
    arcs = f"""
    def "Taken" (references = @{secret}@) {{}}
    def "Loaded" (payload = @../secret.usda@</a_body>) {{}}
    def "Inner" (references = </Body/Rig>) {{}}
    """
    header = f'upAxis = "Y"; metersPerUnit = 1; subLayers = [@{secret}@, @http://example.invalid/a.usda@]'
    folder = tmp_path / "inside"
    folder.mkdir()
    (folder / "a.usda").write_bytes(text(SKELETON + arcs, header=header))
    character = load(folder / "a.usda")
    report = str(character.report)
    assert report.count("was not followed") == 4
    assert "mixamorig:Hips" not in character.skeleton.names
    assert character.meshes == ()


BAD = {
    "empty": (b"", "no readable USD"),
    "not USD": (b"#usda 1.0\n{{{", "no readable USD: line 2:1: "),
    "damaged binary": (b"PXR-USDC" + bytes(200), "no readable USD"),
    "damaged package": (b"PK\x03\x04" + bytes(100), "no readable USD"),
    "nothing in it": (text(""), "neither a Skeleton with joints nor a mesh"),
    "joint twice": (text(SKELETON.replace('"hip/between/head"]', '"hip"]', 1)), "names a joint twice"),
    "child first": (text(SKELETON.replace('["hip", "hip/between/head"]', '["hip/head", "hip"]')), "before its parent"),
    "too few transforms": (
        text(SKELETON.replace(f"[{ONE.format(0, 0, 100)}, {ONE.format(0, 0, 160)}]", f"[{ONE.format(0, 0, 1)}]")),
        "has 1 bind transforms for 2 joints",
    ),
    "not finite": (text(SKELETON.replace("(0, 0, 160, 1)", "(0, nan, 160, 1)")), "transform that is not finite"),
    "flat": (text(SKELETON.replace("(1, 0, 0, 0), (0, 1", "(0, 0, 0, 0), (0, 1", 1)), "cannot be undone"),
    "motion not finite": (text(SKELETON.replace("(0, 50, 100)", "(0, inf, 100)")), "motion that is not finite"),
    "short sample": (text(SKELETON.replace(", (0, 50, 100)]", "]")), "is not for its 2 targets"),
    "corner outside": (text(mesh("").replace("[0, 1, 2, 3]", "[0, 1, 2, 9]")), "corners that do not exist"),
    "corners missing": (text(mesh("").replace("[4]", "[40]")), "corners that do not exist"),
    "points not finite": (text(mesh("").replace("(100, 0, 0)", "(nan, 0, 0)")), "points that are not finite"),
    "joint index outside": (text(SKELETON + mesh(SKIN.format("7", 1, "1", 1))), "joint index outside its 2 joints"),
    "weights missing": (text(SKELETON + mesh(SKIN.format("0, 1", 2, "1", 1))), "expected 2"),
    "unknown joint": (
        text(SKELETON + mesh(SKIN.format("0", 1, "1", 1) + 'uniform token[] skel:joints = ["nose"]')),
        "'nose', which is no joint",
    ),
    "no size": (text(SKELETON, header="metersPerUnit = 0"), "a unit is 0 metres"),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_files_are_one_line(what: str) -> None:
    data, message = BAD[what]
    with pytest.raises(MalformedFileError, match=message) as caught:
        read(data, Path("bad.usda"), DEFAULT_LIMITS)
    assert "\n" not in str(caught.value)


def test_what_can_be_mended_is() -> None:
    weights = SKIN.format("0, 1", 2, "2, 2", 2)
    normals = 'normal3f[] normals = [(nan, 0, 0), (0, 0, 1), (0, 0, 1), (0, 0, 1)] (interpolation = "vertex")'
    short = 'texCoord2f[] primvars:st = [(0, 0)] (interpolation = "vertex")'
    character = load_text(text(SKELETON + mesh(weights + normals + "\n" + short)))
    (cube,) = character.meshes
    assert cube.skin.weights.tolist() == [[0.5, 0.5]] * 4
    assert cube.uvs is None
    assert cube.normals is not None
    assert np.isfinite(cube.normals).all()
    report = str(character.report)
    for finding in ("did not sum to one", "normals that are not finite", "uvs that do not fit"):
        assert finding in report


@pytest.mark.parametrize("rate", ["0", "-24", "nan"])
def test_a_rate_that_cannot_be_meant_is_guessed(rate: str) -> None:
    character = load_text(text(SKELETON, header=f"timeCodesPerSecond = {rate}"))
    assert character.recordings[0].end == 1.0
    assert "cannot be meant" in str(character.report)


@pytest.mark.parametrize("limit", [{"joints": 1}, {"vertices": 3}, {"values": 5}])
def test_limits_are_kept(limit: dict[str, int]) -> None:
    data = text(SKELETON + mesh(SKIN.format("0", 1, "1", 1)))
    with pytest.raises(LimitError, match="the limit is"):
        read(data, None, dataclasses.replace(DEFAULT_LIMITS, **limit))


def test_without_the_extra_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    for call in (lambda: read(b"", None, DEFAULT_LIMITS), lambda: write(rich_body(), tmp_path / "a.usda")):
        with pytest.raises(MissingExtraError, match=r"pip install 'mummer\[usd\]'"):
            call()


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32 - 1), suffix=st.sampled_from([".usda", ".usdc", ".usdz"]))
def test_damaged_files_are_one_line(seed: int, suffix: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    check_damaged(seed, suffix, tmp_path_factory.mktemp("damaged"))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(150))
def test_damaged_at_length(seed: int, tmp_path: Path) -> None:
    check_damaged(seed, (".usda", ".usdc", ".usdz")[seed % 3], tmp_path)


def check_damaged(seed: int, suffix: str, folder: Path) -> None:
    path = folder / f"body{suffix}"
    save(rich_body(), path)
    rng = np.random.default_rng(seed)
    content = bytearray(path.read_bytes())
    for place in rng.integers(0, len(content), rng.integers(1, 8)).tolist():
        if rng.integers(0, 3):
            content[place] = int(rng.integers(0, 256))
        else:
            del content[place : place + int(rng.integers(1, 40))]
    path.write_bytes(content)
    try:
        outcome: Character | str = load(path)
    except FileError as error:
        outcome = str(error)
    assert isinstance(outcome, Character) or "\n" not in outcome
