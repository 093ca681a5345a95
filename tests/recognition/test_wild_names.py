"""Names of tools, games and languages that no file here uses, read alone and put on bodies of the zoo."""

from __future__ import annotations

import pytest

from mummer.recognition import recognize
from mummer.recognition.names import read_names
from mummer.recognition.reading import Reading
from tests.recognition.bodies import renamed
from tests.recognition.dressed import dressed, zoo_rig
from tests.recognition.rigs import judge, other_side
from tests.recognition.wild_names import WILD

ALIKE = {"chest": ("chest", "spine"), "spine": ("spine", "chest"), "hips": ("hips", "root", "spine")}
"""Parts that one word may stand for either of."""

BODIES = ("adult", "child", "giant", "hunched")


def speaks(reading: Reading, part: str) -> bool:
    """Whether a reading is that of a part or of a digit."""
    if part.endswith("_1"):
        return not reading.parts and bool(reading.meanings & {part[:-2], "finger", "metacarpal"})
    return not reading.helper and reading.vote(*ALIKE.get(part, (part,))) >= 0.3


@pytest.mark.parametrize("convention", WILD)
def test_every_name_is_read(convention: str) -> None:
    roles, others = WILD[convention].roles(), [name for _, name in WILD[convention].helpers()]
    readings = read_names([*roles.values(), *others])
    for (role, name), reading in zip(roles.items(), readings, strict=False):
        side, part = role.split("_", 1) if role.startswith(("left_", "right_")) else ("", role)
        assert reading.side == side, (name, reading)
        assert speaks(reading, part) or (convention == "Rigify deform" and part == "neck"), (name, reading)
    for name, reading in zip(others, readings[len(roles) :], strict=True):
        assert reading.helper or not reading.parts or reading.meanings & {"cloth", "hair"}, (name, reading)


@pytest.mark.parametrize(("number", "convention"), list(enumerate(WILD)))
def test_bodies_with_these_names_are_known(number: int, convention: str) -> None:
    rig = dressed(zoo_rig(BODIES[number % 4], mesh=number % 3 == 0), WILD[convention])
    anatomy = recognize(rig.character)
    assert judge(rig, anatomy) == ([], [])
    unsure = [role for role in rig.essential if anatomy.evidence[role].confidence <= 0.5]
    assert not unsure, {role: anatomy.evidence[role] for role in unsure}


@pytest.mark.parametrize(("number", "convention"), [each for each in enumerate(WILD) if each[0] % 4 == 0])
def test_names_of_the_other_side_are_not_believed_with_confidence(number: int, convention: str) -> None:
    """Sides exchanged for the whole body, and for the arms alone."""
    rig = dressed(zoo_rig(BODIES[number // 4 % 4], mesh=number % 3 == 0), WILD[convention])
    called = WILD[convention].roles()
    across = {name: called[other_side(role)] for role, name in called.items()}
    arms = {called[role]: across[called[role]] for role in called if role.endswith(("arm", "hand", "shoulder"))}
    for lie in (across, arms):
        lying = renamed(rig.character, [lie.get(name, name) for name in rig.character.skeleton.names])
        anatomy = recognize(lying)
        assert not judge(rig, anatomy)[1]
        assert anatomy.evidence["left_hand"].confidence < 0.5


@pytest.mark.parametrize(
    ("names", "languages"),
    [
        (["main", "you", "te", "me", "pie", "der", "cola", "asa"], "none"),
        (["bras_g", "main_g", "cuisse_g", "pied_g"], "French"),
    ],
)
def test_words_of_a_language_count_where_it_is_spoken(names: list[str], languages: str) -> None:
    readings = read_names(names)
    assert any(reading.parts or reading.side for reading in readings) == (languages != "none")


def test_words_are_seen_beside_one_another() -> None:
    spine = read_names(["L5", "L3", "T12", "LeftHand", "RightHand"])
    assert [reading.side for reading in spine] == ["", "", "", "left", "right"]
    assert all(reading.vote("spine") == 1.0 for reading in spine[:3])
    fingers = read_names(["L1", "R1"])
    assert [reading.side for reading in fingers] == ["left", "right"]
    assert read_names(["Palm.L"])[0].vote("hand") == 1.0
    assert not read_names(["Palm.01.L", "Hand.L"])[0].parts
    beast = read_names(["LF_Leg1", "RF_Leg1", "LH_Leg1", "RH_Leg1", "Spine"])
    assert [(reading.side, reading.meanings & {"front", "hind"}) for reading in beast[:4]] == [
        ("left", {"front"}), ("right", {"front"}), ("left", {"hind"}), ("right", {"hind"}),
    ]  # fmt: skip
