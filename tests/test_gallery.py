"""The films of the docs are those that scripts/gallery makes, small, whole and shown on the page."""

from __future__ import annotations

import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from PIL import Image

import mummer as mm
from mummer.clip import Clip, Still

ROOT = Path(__file__).resolve().parents[1]
FILMS = sorted((ROOT / "docs" / "films").glob("*"))


@pytest.fixture(scope="module")
def gallery() -> ModuleType:
    loader = SourceFileLoader("gallery", str(ROOT / "scripts" / "gallery"))
    spec = spec_from_loader("gallery", loader)
    assert spec is not None
    module = sys.modules["gallery"] = module_from_spec(spec)
    loader.exec_module(module)
    return module


def test_every_film_is_made_by_the_script_and_shown(gallery: ModuleType) -> None:
    page = (ROOT / "docs" / "gallery.md").read_text()
    assert [film.name for film in FILMS] == sorted(f"{name}.webp" for name in gallery.GALLERY)
    assert all(f"(films/{film.name})" in page for film in FILMS)
    assert all(film.stat().st_size < 700_000 for film in FILMS)


def lasts(image: Image.Image) -> int:
    """Milliseconds of a film; pictures that are alike are kept as one that is shown longer."""
    total = 0
    for number in range(getattr(image, "n_frames", 1)):
        image.seek(number)
        image.load()
        total += int(image.info["duration"])
    return total


@pytest.mark.parametrize("film", FILMS, ids=lambda film: film.stem)
def test_a_film_loops_and_moves(gallery: ModuleType, film: Path) -> None:
    plan = gallery.GALLERY[film.stem]
    with Image.open(film) as image:
        assert lasts(image) == round(plan.seconds * gallery.RATE) * round(1000 / gallery.RATE)
        image.seek(0)
        assert image.info["loop"] == 0
        assert image.size == (plan.columns * plan.size, -(-plan.count // plan.columns) * plan.size)
        first = np.asarray(image.convert("RGB"), int)
        image.seek(image.n_frames // 2)
        moved = np.abs(np.asarray(image.convert("RGB"), int) - first).max(axis=2) > 40
    rows, columns = moved.shape[0] // plan.size, plan.columns
    tiles = moved.reshape(rows, plan.size, columns, plan.size).any(axis=(1, 3)).ravel()
    assert tiles[: plan.count].all()


def test_tiles_are_laid_out_and_what_repeats_plays_whole_rounds(gallery: ModuleType) -> None:
    dog = mm.zoo.body("dog")
    still: Clip = Still(dog, dog.default_pose, 0.9)
    tile = gallery.Tile(still)
    times = gallery.moments(tile, 2.0)
    assert times[0] == 0
    assert np.all(times < 0.9)
    assert np.sum(np.diff(times) < 0) == 1  # two rounds of 0.9 s in two seconds
    frames = gallery.pictures(gallery.Film(lambda: iter([tile, tile]), 2, 2, 2 / gallery.RATE, 32), "test")
    assert frames.shape == (2, 32, 64, 3)
    assert np.array_equal(frames[:, :, :32], frames[:, :, 32:])
