"""C3D: markers where they were seen, linked as they move together, in our axes and units; damage is one line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mummer.character import world_positions
from mummer.errors import FileError, InputError, LimitError, MalformedFileError, MissingExtraError
from mummer.io import ReadLimits, load
from mummer.io.c3d import linked, read
from mummer.recognition import recognize

ezc3d = pytest.importorskip("ezc3d")
UNHURRIED = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


def two_rods(path: Path, *, hidden: bool = False, unit: str = "mm") -> np.ndarray:
    """Write two rods of two markers each that fold about one another; (T, 4, 3) where the markers are, in the file."""
    frames = 12
    angles = np.linspace(0, 2, frames)
    places = np.zeros((frames, 4, 3))
    places[:, 1] = [0, 0, 400]
    places[:, 2] = [50, 0, 400]
    places[:, 3] = places[:, 2] + 400 * np.stack([np.sin(angles), 0 * angles, np.cos(angles)], axis=1)
    made = ezc3d.c3d()
    made["parameters"]["POINT"]["RATE"]["value"] = [60.0]
    made["parameters"]["POINT"]["LABELS"]["value"] = tuple(f"Ann:{name}" for name in ("HEE", "KNE", "HIP", "SHO"))
    made["parameters"]["POINT"]["UNITS"]["value"] = (unit,)
    points = np.ones((4, 4, frames))
    points[:3] = np.moveaxis(places, -1, 0).swapaxes(1, 2)
    if hidden:
        points[:3, 1, 4:6] = np.nan
    made["data"]["points"] = points
    made.write(str(path))
    return places


def test_markers_come_in_our_axes_and_units(tmp_path: Path) -> None:
    places = two_rods(tmp_path / "fold.c3d")
    body = load(tmp_path / "fold.c3d")
    assert sorted(body.skeleton.names) == ["HEE", "HIP", "KNE", "SHO"]
    assert (body.recordings[0].frame_rate, body.recordings[0].end) == (60.0, pytest.approx(11 / 60))
    found = world_positions(body.skeleton, body.recordings[0].frames())
    for marker, name in enumerate(("HEE", "KNE", "HIP", "SHO")):
        x, y, z = np.moveaxis(places[:, marker] / 1000, -1, 0)
        assert np.allclose(found[:, body.skeleton.index(name)], np.stack([x, z, -y], axis=1), atol=1e-6)
    assert "these are markers on the skin, not joints" in str(body.report)


def test_markers_that_hold_together_are_linked() -> None:
    rng = np.random.default_rng(2)
    turns = rng.normal(size=(40, 5, 3))
    steps = turns / np.linalg.norm(turns, axis=-1, keepdims=True)
    chain = np.concatenate([np.zeros((40, 1, 3)), np.cumsum(steps, axis=1)], axis=1)
    shuffled = np.array([3, 0, 5, 1, 4, 2])
    parents, order = linked(chain[:, shuffled])
    for place, parent in enumerate(parents[1:], start=1):
        assert abs(shuffled[order[place]] - shuffled[order[parent]]) == 1
    assert parents[0] == -1


def test_gaps_are_closed_and_told(tmp_path: Path) -> None:
    places = two_rods(tmp_path / "fold.c3d", hidden=True)
    body = load(tmp_path / "fold.c3d", up="+Y")
    found = world_positions(body.skeleton, body.recordings[0].frames())
    assert np.allclose(found[:, body.skeleton.index("KNE")], places[:, 1] / 1000, atol=1e-6)
    assert "repaired: places of markers that were not seen were filled in from before and after (2×)" in str(
        body.report
    )


def test_units_are_as_stated_guessed_or_chosen(tmp_path: Path) -> None:
    two_rods(tmp_path / "fold.c3d", unit="cm")
    for options, unit in (({}, 0.01), ({"unit": "m"}, 1.0)):
        source = load(tmp_path / "fold.c3d", **options).source  # type: ignore[arg-type]
        assert source is not None
        assert source.metres_per_unit == unit
    two_rods(tmp_path / "fold.c3d", unit="furlong")
    assert "guessed: lengths are in" in str(load(tmp_path / "fold.c3d").report)


def test_markers_are_not_taken_for_joints(tmp_path: Path) -> None:
    two_rods(tmp_path / "fold.c3d")
    with pytest.raises(InputError, match="'fold' is made of markers on the skin, not of joints"):
        recognize(load(tmp_path / "fold.c3d"))


def test_limits_are_kept(tmp_path: Path) -> None:
    two_rods(tmp_path / "fold.c3d")
    data = (tmp_path / "fold.c3d").read_bytes()
    for limits in (ReadLimits(joints=2), ReadLimits(values=20)):
        with pytest.raises(LimitError, match="more than the limit allows"):
            read(data, limits=limits)


def test_without_the_library_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    two_rods(tmp_path / "fold.c3d")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'mummer\[c3d\]'"):
        load(tmp_path / "fold.c3d")


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=12, suppress_health_check=UNHURRIED)
def test_damaged_files_only_give_our_errors(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "fold.c3d"
    two_rods(path)
    rng = np.random.default_rng(seed)
    content = bytearray(path.read_bytes())
    for _ in range(rng.integers(1, 8)):
        # The first kilobyte says how much there is of everything.
        content[int(rng.integers(2, 1024 if rng.random() < 0.7 else len(content)))] = int(rng.integers(0, 256))
    path.write_bytes(content[: len(content) if rng.random() < 0.6 else int(rng.integers(600, len(content)))])
    message = ""
    try:
        body = load(path, limits=ReadLimits(seconds=10))
    except FileError as error:
        message = str(error)
    else:
        assert np.all(np.isfinite(world_positions(body.skeleton, body.recordings[0].frames())))
    assert "\n" not in message


@pytest.mark.parametrize("content", [b"\x02\x50" + bytes(600), b"\x02\x50" + b"\xff" * 5000])
def test_files_of_nothing_are_one_line(content: bytes) -> None:
    with pytest.raises((MalformedFileError, LimitError)):
        read(content)


def test_a_real_one_stands_on_its_heels(data_dir: Path) -> None:
    body = load(data_dir / "motions/momentum/02_01.c3d", markers=True)
    positions = world_positions(body.skeleton, body.recordings[0].frames())
    heights = dict(zip(body.skeleton.names, np.median(positions[..., 1], axis=0), strict=True))
    assert heights["LFHD"] > heights["C7"] > heights["LFWT"] > heights["LKNE"] > heights["LANK"] > heights["LTOE"] > 0
    assert 1.5 < heights["LFHD"] < 1.9
    names, parents = body.skeleton.names, body.skeleton.parents.tolist()
    hung = {names[joint]: names[parent] for joint, parent in enumerate(parents) if parent >= 0}
    assert (hung["LSHN"], hung["RELB"], hung["LANK"]) == ("LKNE", "RUPA", "LSHN")
