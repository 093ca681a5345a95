"""A body whose anatomy is known: its own, or found out now."""

from __future__ import annotations

import dataclasses
from typing import cast

import numpy as np

from mummer.character import Character
from mummer.character.kinematics import local_rotations
from mummer.math import transform
from mummer.recognition.look import look
from mummer.recognition.recognize import read_joints, recognize
from mummer.recognition.reference import rest_of

_KEPT = "_recognized"


def recognized(character: Character) -> Character:
    """The character with an anatomy: its own, or a recognised one.

    What was recognised is kept in the character, which never changes: whoever asks again gets the same. A bare skeleton
    whose rest shows no body rests as in the pose in which its parts were found; its motions are the same.
    """
    if character.anatomy is not None and character.anatomy.roles:
        return character
    found = character.__dict__.get(_KEPT)
    if found is None:
        body = _resting(character)
        found = character.__dict__[_KEPT] = body.replace(anatomy=recognize(body))
    return cast(Character, found)


def _resting(character: Character) -> Character:
    """The character, resting as its motion shows it where its rest only writes down lengths."""
    if character.meshes or not character.recordings:
        return character
    _, pose = look(character, read_joints(character))
    if np.array_equal(pose, rest_of(character)):
        return character
    skeleton = character.skeleton
    turns = transform.decompose(pose)[1]
    turned = local_rotations(skeleton, turns)
    places = skeleton.rest_translations.copy()
    roots = np.flatnonzero(skeleton.parents < 0)
    places[roots] = pose[roots, :, 3] * (0.0, 1.0, 0.0)
    return character.replace(skeleton=dataclasses.replace(skeleton, rest_rotations=turned, rest_translations=places))
