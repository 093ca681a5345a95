"""Names that fit together are believed; names thrown about are not."""

from __future__ import annotations

import random

import pytest

from mummer import zoo
from mummer.recognition import recognize
from mummer.recognition.coherence import believed, coherence
from mummer.recognition.names import read_names
from mummer.recognition.reading import SILENT
from tests.recognition.bodies import human, renamed, roles_of_human
from tests.recognition.conventions import CONVENTIONS, names_in


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_every_convention_fits_together(convention: str) -> None:
    skeleton = human(names_in(convention)).skeleton
    assert coherence(read_names(skeleton.names), skeleton.parents.tolist()) > 0.8


@pytest.mark.parametrize("name", zoo.names())
def test_names_of_all_kinds_of_bodies_fit_together(name: str) -> None:
    skeleton = zoo.body(name).skeleton
    assert coherence(read_names(skeleton.names), skeleton.parents.tolist()) > 0.5


@pytest.mark.parametrize("seed", range(6))
def test_names_thrown_about_are_silent_and_the_shape_serves(seed: int) -> None:
    body = human()
    names = list(body.skeleton.names)
    random.Random(seed).shuffle(names)
    strange = renamed(body, names)
    readings = believed(read_names(names), body.skeleton.parents.tolist())
    assert all(reading is SILENT for reading in readings)
    anatomy = recognize(strange)
    for role in roles_of_human():
        assert body.skeleton.names[anatomy.roles[role]] == role


def test_few_names_are_given_the_benefit_of_the_doubt() -> None:
    readings = read_names(["hand_l", "foot_r", "head"])
    assert believed(readings, [-1, 0, 1]) == readings
