"""Binding: which branch, who owns what of a part, who is late and who plays the mirror image."""

from __future__ import annotations

import pytest

from mummer.errors import InputError
from mummer.general import admitting, animation, animation_from_text, bind
from mummer.general.predicates import fits, require_predicate
from tests.general.bodies import physique

HEAD = 'version = 1\nname = "test"\nduration = 1\n'
PLACE, TURN = "place = [[0, 0, 0, 0]]", "turn = [[0, 0, 0, 0]]"


def channel(name: str, capability: str, *lines: str) -> str:
    return "\n".join(
        ["[[branch.channel]]", f'name = "{name}"', f'select = {{capability = "{capability}"}}', *lines, ""]
    )


def parts_of(body: str, *channels: str, variant: int = 0):
    bound = bind(animation_from_text(HEAD + "[[branch]]\n" + "".join(channels)), physique(body))
    return bound.parts(bound.variants[variant]), physique(body).character.skeleton.names


@pytest.mark.parametrize(
    ("body", "needs", "expected"),
    [
        ("adult", {"grasper": True, "upright_spine": True, "wing": False}, True),
        ("adult", {"grasper": 3}, False),
        ("adult", {"grasper": 2, "foot": 2, "tail": False}, True),
        ("bird", {"wing": True, "floats": False}, True),
        ("snake", {"foot": True}, False),
        ("snake", {"upright_spine": False, "foot": False}, True),
        ("spider", {"foot": 8}, True),
        ("spider", {"foot": 9}, False),
        ("spider", {"grasper": 2, "hands": False}, True),
        ("crab", {"hands": True}, True),
        ("crab", {"head": True}, False),
        ("adult", {"limb:tail": False, "role:left_hand": True}, True),
        ("adult", {}, True),
    ],
)
def test_what_bodies_have(body: str, needs: dict[str, bool | int], expected: bool) -> None:
    assert fits(physique(body), needs) is expected


def test_unknown_needs_are_told_with_the_nearest() -> None:
    with pytest.raises(InputError, match="closest: 'upright_spine'"):
        require_predicate("upright_spin")


def test_the_first_branch_that_fits_plays() -> None:
    wave = animation("wave")
    found = {name: bind(wave, physique(name)).branch.name for name in ("adult", "crab", "bird", "snake", "spider")}
    assert found == {"adult": "hand", "crab": "hand", "bird": "wing", "snake": "head", "spider": "front leg of many"}


def test_a_body_that_nothing_is_for() -> None:
    text = HEAD + "[[branch]]\nneeds = {wing = true, tail = false}\n" + channel("a", "wing", PLACE)
    with pytest.raises(InputError, match="'test' is not for 'adult': it needs wing and no tail"):
        bind(animation_from_text(text), physique("adult"))
    assert admitting(animation_from_text(text), physique("adult")) is None
    nothing = animation_from_text(HEAD + "[[branch]]\n" + channel("a", "wing", PLACE))
    with pytest.raises(InputError, match="it needs parts that the body has not"):
        bind(nothing, physique("adult"))


def test_the_first_channel_owns_what_it_moves() -> None:
    first, second = channel("a", "grasper", PLACE), channel("b", "grasper", PLACE, TURN)
    parts, names = parts_of("adult", first, second)
    owned = {(part.channel.name, names[part.joint]): set(part.freedoms) for part in parts}
    assert owned == {
        ("a", "left_hand"): {"place"}, ("a", "right_hand"): {"place"},
        ("b", "left_hand"): {"turn"}, ("b", "right_hand"): {"turn"},
    }  # fmt: skip


def test_priority_decides_who_is_first() -> None:
    parts, _ = parts_of("adult", channel("a", "grasper", PLACE), channel("b", "grasper", PLACE, "priority = 1"))
    assert {part.channel.name for part in parts} == {"b"}


def test_channels_of_a_blend_group_share() -> None:
    shared = 'blend = "hand"'
    parts, _ = parts_of(
        "adult", channel("a", "grasper", PLACE, shared), channel("b", "grasper", PLACE, shared),
        channel("c", "grasper", PLACE),
    )  # fmt: skip
    assert sorted(part.channel.name for part in parts) == ["a", "a", "b", "b"]


def test_the_right_side_and_what_goes_with_it_is_mirrored() -> None:
    hand, head = channel("hand", "grasper", PLACE, 'vary = "one"'), channel("head", "head", TURN)
    for variant, expected in ((0, False), (1, True)):
        parts, _ = parts_of("adult", hand, head, variant=variant)
        assert [part.mirrored for part in parts] == [expected, expected]
    plain, _ = parts_of("adult", channel("hand", "grasper", PLACE, "mirror = false"))
    assert not any(part.mirrored for part in plain)
    both, names = parts_of("adult", channel("hand", "grasper", PLACE))
    assert {names[part.joint]: part.mirrored for part in both} == {"left_hand": False, "right_hand": True}


def test_parts_are_late_from_front_to_back_and_side_to_side() -> None:
    parts, names = parts_of("spider", channel("feet", "foot", PLACE, "stagger = 0.1", "alternate = 1.0"))
    late = {names[part.joint]: part.delay for part in parts}
    ranks = {f"leg_{leg}_{side}_foot": (leg - 1, side) for leg in range(1, 5) for side in ("left", "right")}
    for name, (rank, side) in ranks.items():
        assert late[name] == pytest.approx(0.1 * rank + (rank + (side == "right")) % 2)


def test_a_turn_of_the_spine_grows_towards_the_head() -> None:
    parts, names = parts_of("adult", channel("spine", "spine", TURN))
    shares = [part.share for part in parts if names[part.joint] in ("spine", "spine_2", "chest")]
    assert shares == sorted(shares)
    assert shares[0] > 0
    assert shares[-1] == 1
    snake, names = parts_of("snake", channel("spine", "spine", TURN))
    tail_end = max(physique("snake").spine, key=lambda joint: -physique("snake").positions[joint, 2])
    assert tail_end not in {part.joint for part in snake}
