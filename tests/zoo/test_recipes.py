"""The recipe language: what it makes, and how it complains."""

import re
from pathlib import Path

import msgspec
import numpy as np
import pytest

from mummer import zoo
from mummer.errors import InputError, MalformedFileError, UnknownNameError
from mummer.zoo.bodies import library_recipe
from mummer.zoo.compose import flattened
from mummer.zoo.recipe import Item, Recipe
from mummer.zoo.sides import both_sides, mirrored, swap_sides
from tests.zoo.validity import faults_of, rest_positions, unmirrored

WORM = """
version = 1
name = "worm"
kind = "worm"

[palette]
pink = "#e08a8a"

[[chain]]
name = "body"
kind = "spine"
joints = ["hips", "chest"]
points = [[0, 0.05, -0.2], [0, 0.05, 0.0], [0, 0.05, 0.2]]
radii = [0.04, 0.05, 0.04]
color = "pink"
"""
LEG = """
[[chain]]
name = "{side}_leg"
kind = "leg"
parent = "hips"
joints = ["{side}_upper_leg", "{side}_foot"]
points = [[0.04, 0.04, 0.0], [0.1, 0.02, 0.0], [0.12, 0.01, 0.03]]
radii = [0.02, 0.012, 0.01]
"""


def flat(text: str) -> Recipe:
    return flattened(zoo.parse_recipe(text), library_recipe)


def test_a_recipe_of_ten_lines_makes_a_body():
    worm = zoo.from_recipe(WORM)
    assert faults_of(worm) == []
    assert worm.skeleton.names == ("hips", "chest")
    assert worm.source.details["recipe"] == WORM


def test_a_recipe_can_be_a_file(tmp_path):
    path = tmp_path / "worm.toml"
    path.write_text(WORM)
    assert zoo.from_recipe(path).name == "worm"
    assert zoo.from_recipe(str(path)).name == "worm"


def test_one_side_makes_two():
    worm = zoo.from_recipe(WORM + LEG)
    assert {"left_leg", "right_leg"} <= {limb.name for limb in worm.anatomy.limbs}
    assert unmirrored(worm) == []
    assert worm.skeleton.names.index("left_foot") != worm.skeleton.names.index("right_foot")


def test_mirroring_twice_changes_nothing():
    for kind in ("chain", "flesh", "sweep", "eye"):
        for item in getattr(library_recipe("adult"), kind):
            assert mirrored(mirrored(item)) == item


def test_what_has_no_side_stays_one():
    chain = library_recipe("adult").chain[0]
    assert both_sides(chain) == (chain,)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("left_hand", "right_hand"),
        ("leg_1_right_foot", "leg_1_left_foot"),
        ("leftover", "leftover"),
        ("hips", "hips"),
        ("left_left_eye", "right_right_eye"),
        ("bright", "bright"),
    ],
)
def test_the_other_side(name, other):
    assert swap_sides(name) == other
    assert swap_sides(other) == name


def test_including_moves_scales_and_renames():
    text = WORM + '[[include]]\nrecipe = "dog"\nkeep = ["neck", "head"]\nprefix = "dog_"\nscale = 2.0\n'
    text += 'move = [0, -1, 0]\nparent = "chest"\n'
    made = flat(text)
    neck = next(chain for chain in made.chain if chain.name == "dog_neck")
    original = next(chain for chain in library_recipe("dog").chain if chain.name == "neck")
    np.testing.assert_allclose(neck.points, 2 * np.array(original.points) - [0, 1, 0], atol=1e-12)
    assert neck.parent == "chest"
    assert {chain.name for chain in made.chain} == {"body", "dog_neck", "dog_head"}
    assert next(chain for chain in made.chain if chain.name == "dog_head").parent == "dog_neck"


def test_adjusting_lengthens_and_carries_along():
    before, after = flat(WORM + LEG), flat(WORM + LEG + '[[adjust]]\nchains = ["*_leg"]\nlength = 2.0\ngirth = 0.5\n')
    old, new = before.chain[1], after.chain[1]
    np.testing.assert_allclose(np.diff(new.points, axis=0), 2 * np.diff(old.points, axis=0), atol=1e-12)
    np.testing.assert_allclose(new.radii, 0.5 * np.array(old.radii), atol=1e-12)
    assert new.points[0] == old.points[0]


def test_adjusting_turns_what_hangs_below():
    turned = flat(WORM + LEG + "[[adjust]]\nturn.hips = [0, 90, 0]\n")
    leg, straight = turned.chain[1], flat(WORM + LEG).chain[1]
    relative = np.array(straight.points) - [0, 0.05, -0.2]
    expected = relative[:, [2, 1, 0]] * [1, 1, -1] + [0, 0.05, -0.2]
    np.testing.assert_allclose(leg.points, expected, atol=1e-12)


def test_floating_bodies_float():
    worm = zoo.from_recipe(WORM.replace('kind = "worm"', 'kind = "worm"\nfloats = 0.7'))
    assert worm.anatomy.bounds[0, 1] == pytest.approx(0.7, abs=1e-6)


def test_a_bare_skeleton_needs_no_surface():
    bare = zoo.from_recipe(WORM.replace('color = "pink"', 'surface = "none"'))
    assert bare.meshes == ()
    assert bare.anatomy.problems(bare.skeleton) == ()


def test_recipes_survive_being_written_as_json():
    recipe = zoo.random_recipe(4)
    again = msgspec.json.decode(msgspec.json.encode(recipe), type=Recipe)
    assert again == recipe


@pytest.mark.parametrize("name", zoo.names())
def test_flat_recipes_have_no_template_left(name):
    assert "{side}" not in msgspec.json.encode(flattened(library_recipe(name), library_recipe)).decode()


# What is wrong in the text: file, line and field.
BAD_TEXT = {
    "not TOML": ("version = = 1\n", r"worm.toml: not TOML: .*line 1"),
    "missing": ('version = 1\nname = "x"\n', r"worm.toml: object missing required field `kind`"),
    "version": (
        WORM.replace("version = 1", "version = 9"),
        r"worm.toml: line 2, version: version 9; this mummer reads version 1",
    ),
    "unknown field": (
        WORM.replace("radii =", "radi ="),
        r"worm.toml: line 14, chain\[0\].radi: object contains unknown field `radi`; closest: 'radii'",
    ),
    "unknown top": ("colour = 1\n" + WORM, r"worm.toml: line 1, colour: .*unknown field `colour`"),
    "wrong type": (
        WORM.replace("[0.04, 0.05, 0.04]", '["thin"]'),
        r"worm.toml: line 14, chain\[0\].radii\[0\]: expected",
    ),
    "two numbers": (WORM.replace("[0, 0.05, 0.2]", "[0, 0.05]"), r"line 13, chain\[0\].points\[2\]: .*length 3"),
    "in a second table": (
        WORM + LEG.replace("[0.02, 0.012, 0.01]", "3"),
        r"line 23, chain\[1\].radii: expected `array`",
    ),
    "surface": (WORM + 'surface = "skni"\n', r"line 16, chain\[0\].surface: invalid enum value"),
}


@pytest.mark.parametrize("what", BAD_TEXT)
def test_bad_text_is_located(tmp_path, what):
    text, message = BAD_TEXT[what]
    path = tmp_path / "worm.toml"
    path.write_text(text)
    with pytest.raises(MalformedFileError, match=message) as caught:
        zoo.from_recipe(path)
    assert "\n" not in str(caught.value)
    assert caught.value.path == path


def test_close_names_are_offered():
    with pytest.raises(MalformedFileError, match="unknown field `blendd`; closest: 'blend'"):
        zoo.from_recipe(WORM + "blendd = 1\n")


def test_huge_and_binary_and_missing_files(tmp_path):
    with pytest.raises(MalformedFileError, match="expected a recipe of at most"):
        zoo.parse_recipe("#" * 2_000_000)
    path = tmp_path / "noise.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(MalformedFileError, match="not text in UTF-8"):
        zoo.from_recipe(path)
    with pytest.raises(InputError, match="cannot be read"):
        zoo.from_recipe(tmp_path / "nowhere.toml")
    with pytest.raises(MalformedFileError, match="not TOML"):
        zoo.parse_recipe("a = " + "[" * 100_000)


# What is wrong in the body: recipe, part and value.
BAD_BODY = {
    "no parent": (LEG.replace('"hips"', '"hisp"'), r"chain 'left_leg' has no joint 'hisp'; closest: 'hips'"),
    "two roots": (LEG.replace('parent = "hips"\n', ""), r"has 3 chains without a parent"),
    "same chain": (WORM[WORM.index("[[chain]]") :], r"two chains called 'body'"),
    "same joint": (LEG.replace('"{side}_foot"', '"chest"'), r"two joints called 'chest'"),
    "loop": (LEG.replace('"hips"', '"left_foot"'), r"hangs from itself"),
    "points": (LEG.replace(", [0.12, 0.01, 0.03]", ""), r"chain 'left_leg': 3 radii for 2 points"),
    "too many": (LEG.replace('"{side}_upper_leg", ', ""), r"3 points for 1 joints; expected 1 or 2"),
    "radius": (LEG.replace("0.012", "0.0"), r"points must be finite and radii above zero"),
    "not finite": (LEG.replace("0.012", "nan"), r"points must be finite and radii above zero"),
    "no length": (LEG.replace("[0.1, 0.02, 0.0]", "[0.04, 0.04, 0.0]"), r"two points lie in the same place"),
    "color": (LEG + 'color = "pnik"\n', r"has no color 'pnik'; closest: 'pink'"),
    "hex": (LEG + 'color = "#12"\n', r"'#12' is not a color; expected #rrggbb"),
    "region": (LEG + 'region = "foot"\n', r"has no region 'foot'"),
    "limit": (LEG + 'limits = ["kne"]\n', r"has no limit 'kne'; closest: 'knee'"),
    "flesh": ('[[flesh]]\non = "hisp"\npoints = [[0, 0, 0]]\nradii = [1, 1, 1]\n', r"no joint or chain 'hisp'"),
    "ellipsoid": ('[[flesh]]\non = "hips"\npoints = [[0, 0, 0]]\nradii = [1, 1]\n', r"an ellipsoid needs radii"),
    "sweep": ('[[sweep]]\non = "hips"\npoints = [[0, 0, 0]]\nradii = [1]\n', r"1 points and 1 radii"),
    "eye": ('[[eye]]\njoint = "e"\nparent = "hisp"\ncenter = [0, 0, 0]\nradius = 1\n', r"eye 'e' has no joint 'hisp'"),
    "lids": (
        '[[eye]]\njoint = "eye"\nparent = "hips"\ncenter = [0, 0, 0]\nradius = 0.1\nlids = [10]\n',
        r"eye 'eye': lids are \[10.0\]; expected degrees",
    ),
    "membrane": ('[[membrane]]\nname = "web"\nbetween = ["body"]\ncolor = "pink"\n', r"between 1 chains; expected two"),
    "include": ('[[include]]\nrecipe = "dgo"\n', r"the zoo has no body 'dgo'; closest: .*'dog'"),
    "turn": ("[[adjust]]\nturn.hisp = [1, 2, 3]\n", r"has no joint to turn 'hisp'; closest: 'hips'"),
    "too fine": (
        '[regions.tiny]\ncell = 1e-6\n[[flesh]]\non="hips"\nregion="tiny"\npoints=[[0,0.05,0]]\nradii=[1]\n',
        r"grid points; expected at most",
    ),
    "hand": (
        '[[hand]]\njoint = "chest"\nname = "h"\nfingers = ["thumb"]\nroot = [0, 0, 0.2]\nforward = [0, 0, 1]\n'
        "palm = [0, -1, 0]\nwidth = 0.1\nlength = 0.1\nradius = 0.01\n",
        r"hand 'h' has a thumb; expected thumb_root",
    ),
    "plume": (
        '[[plume]]\non = "bdoy"\ncount = 3\nlengths = [0.1, 0.1]\ndirections = [[0, 1, 0], [0, 1, 0]]\nwidth = 0.01\n'
        "thickness = 0.01\n",
        r"no chain for a plume 'bdoy'; closest: 'body'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD_BODY)
def test_bad_bodies_are_explained(what):
    addition, message = BAD_BODY[what]
    with pytest.raises(InputError, match=message) as caught:
        zoo.from_recipe(WORM + addition)
    assert "\n" not in str(caught.value)


def test_recipes_that_include_each_other_end():
    loop = Recipe(version=1, name="loop", kind="x", include=[{"recipe": "loop"}])  # type: ignore[list-item]
    loop = msgspec.convert(msgspec.to_builtins(loop), Recipe)
    with pytest.raises(InputError, match="includes others more than 8 deep"):
        flattened(loop, lambda name: loop)


def test_parents_may_come_later_in_the_file():
    chains = zoo.parse_recipe(WORM + LEG).chain
    recipe = msgspec.structs.replace(zoo.parse_recipe(WORM), chain=list(reversed(chains)))
    assert zoo.from_recipe(recipe).skeleton.names[0] == "hips"


def test_unknown_capability_joint_is_an_error():
    with pytest.raises(UnknownNameError, match="chain 'left_leg' has no joint 'nobody'"):
        zoo.from_recipe(WORM + LEG + 'can = { foot = ["nobody"] }\n')


@pytest.mark.parametrize("item", Item.__subclasses__(), ids=lambda item: item.__name__)
def test_the_guide_and_the_docstrings_name_every_field(item):
    guide = (Path(__file__).resolve().parents[2] / "docs" / "guides" / "zoo.md").read_text()
    fields = item.__struct_fields__
    assert not [field for field in fields if not re.search(rf"\b{field}\b", item.__doc__ or "")]
    assert not [field for field in fields if not re.search(rf"`{field}`|^{field} = ", guide, re.M)]


def test_rest_positions_are_where_the_recipe_says():
    worm = zoo.from_recipe(WORM)
    np.testing.assert_allclose(np.diff(rest_positions(worm), axis=0), [[0, 0, 0.2]], atol=1e-12)
