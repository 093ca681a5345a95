"""Morphs whose names say nothing, told by what they move."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mummer.character import Character
from mummer.recognition import recognize_face
from mummer.zoo import body

SURE = ("eye_blink_left", "eye_blink_right", "jaw_open", "viseme_aa", "viseme_O", "viseme_U")
BROWS = ("brow_outer_up_left", "brow_outer_up_right", "brow_down_left", "brow_down_right")


def nameless(character: Character) -> Character:
    """The same body with its morphs called by numbers."""
    numbers = {name: f"Key {place}" for place, name in enumerate(character.morph_names)}
    return character.replace(
        meshes=tuple(
            replace(mesh, morphs=tuple(replace(morph, name=numbers[morph.name]) for morph in mesh.morphs))
            for mesh in character.meshes
        )
    )


@pytest.mark.parametrize(
    ("name", "sure"), [("adult", SURE + BROWS), ("child", SURE + BROWS), ("dragon", SURE + BROWS), ("bird", SURE)]
)
def test_what_numbers_do(name: str, sure: tuple[str, ...]) -> None:
    known = body(name)
    bare = nameless(known)
    truth, found = recognize_face(known, known.anatomy), recognize_face(bare, known.anatomy)
    for expression in sure:
        moved = [driver.morph for driver in found.drivers[expression]]
        assert [bare.morph_names[morph] for morph in moved if morph is not None] == [
            f"Key {driver.morph}" for driver in truth.drivers[expression]
        ], expression


def test_names_come_first() -> None:
    known = body("adult")
    assert recognize_face(known, known.anatomy).drivers["viseme_E"][0].morph == known.morph_names.index("viseme_E")


def test_a_face_without_known_eyes_is_not_guessed() -> None:
    known = body("adult")
    roles = {role: joint for role, joint in known.anatomy.roles.items() if not role.endswith("eye")}
    face = recognize_face(nameless(known), replace(known.anatomy, roles=roles))
    assert all(driver.morph is None for drivers in face.drivers.values() for driver in drivers)
