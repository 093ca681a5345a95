"""Load and save: options reach the reader and writer, and those that lead nowhere are refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mummer.character import world_positions
from mummer.errors import InputError
from mummer.io import load, save
from mummer.zoo import body


def test_a_chosen_unit_is_written_and_read(tmp_path: Path) -> None:
    adult = body("adult")
    for unit, length in (("m", 1.0), ("inch", 0.0254), (0.5, 0.5)):
        report = save(adult, tmp_path / "a.bvh", unit=unit)
        assert "BVH does not state its unit: lengths are in" in str(report)
        again = load(tmp_path / "a.bvh", unit=unit)
        assert again.source is not None
        assert again.source.metres_per_unit == length
        assert "lengths are in" not in str(again.report)
        shown, read = (world_positions(one.skeleton, one.default_pose) for one in (adult, again))
        assert np.ptp(shown[:, 1]) == pytest.approx(np.ptp(read[:, 1]), abs=1e-6)
    assert np.ptp(shown[:, 1]) == pytest.approx(0.5 * np.ptp(raw_heights(tmp_path / "a.bvh")), abs=1e-6)


def raw_heights(path: Path) -> list[float]:
    """Heights of joints in the file's own unit."""
    one = load(path, unit=1.0)
    return world_positions(one.skeleton, one.default_pose)[:, 1].tolist()


def test_options_that_a_format_has_not_are_refused(tmp_path: Path) -> None:
    save(body("adult"), tmp_path / "a.glb")
    with pytest.raises(InputError, match=r"a.glb: reading glTF .* takes no unit, since the format states its own"):
        load(tmp_path / "a.glb", unit="cm")
    with pytest.raises(InputError, match="takes no option 'skeleton'; there is none"):
        load(tmp_path / "a.glb", skeleton="b.sk")
    with pytest.raises(InputError, match=r"writing .* takes no unit"):
        save(body("adult"), tmp_path / "b.glb", unit="cm")
    assert not (tmp_path / "b.glb").exists()
    with pytest.raises(InputError, match="zoo:dog takes no unit: built-in bodies are in metres"):
        load("zoo:dog", unit="cm")


@pytest.mark.parametrize(("unit", "told"), [(1.0, False), (100.0, True), (0.001, True)])
def test_a_body_of_an_odd_size_is_told_of(tmp_path: Path, unit: float, told: bool) -> None:
    save(body("adult"), tmp_path / "a.bvh", unit="m")
    assert ("m in size; a file that counts in another unit" in str(load(tmp_path / "a.bvh", unit=unit).report)) is told
