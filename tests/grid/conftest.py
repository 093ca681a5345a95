"""What the tests of the grid share."""

from __future__ import annotations

import pytest

from mummer.character import Character
from mummer.grid import load_body


@pytest.fixture(scope="session")
def adult() -> Character:
    return load_body("zoo:adult")


@pytest.fixture(scope="session")
def spider() -> Character:
    return load_body("zoo:spider")
