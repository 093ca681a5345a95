"""What is kept between runs: the same as what was made, never stale, never in the way."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer import disk_cache
from mummer.disk_cache import cache_folder, cached, key_of
from mummer.zoo import bodies


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MUMMER_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def limits_of(count: int) -> mm.Limits:
    return mm.Limits.from_joints(count, {})


def test_a_thing_is_made_once_and_read_back_the_same_and_locked(folder: Path) -> None:
    made: list[int] = []

    def make() -> mm.Limits:
        made.append(1)
        return limits_of(5)

    first, second = (cached("limits", b"five", make) for _ in range(2))
    assert made == [1]
    for name, values in vars(first).items():
        again = getattr(second, name)
        np.testing.assert_array_equal(values, again)
        assert not isinstance(again, np.ndarray) or not again.flags.writeable
    assert [entry.name.split("-")[0] for entry in folder.iterdir()] == ["limits"]


@pytest.mark.parametrize("spoil", ["stamp", "cut", "foreign"])
def test_what_another_program_wrote_or_what_is_damaged_is_made_again(folder: Path, monkeypatch, spoil: str) -> None:
    cached("limits", b"five", lambda: limits_of(5))
    (entry,) = folder.iterdir()
    if spoil == "stamp":
        monkeypatch.setattr(disk_cache, "program_stamp", lambda: b"x" * 32)
    elif spoil == "cut":
        entry.write_bytes(entry.read_bytes()[:-200])
    else:
        stamp = disk_cache.program_stamp()
        assert stamp is not None
        entry.write_bytes(disk_cache._packed(os.getcwd, stamp))
    assert len(cached("limits", b"five", lambda: limits_of(6))) == 6
    assert len(cached("limits", b"five", lambda: limits_of(7))) == 6


def test_any_edit_of_the_program_changes_its_stamp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "package"
    (package / "inner").mkdir(parents=True)
    (package / "inner" / "a.py").write_text("one = 1")
    monkeypatch.setattr(disk_cache, "_package", lambda: package)
    before = disk_cache.program_stamp.__wrapped__()
    assert before == disk_cache.program_stamp.__wrapped__()
    (package / "inner" / "a.py").write_text("one = 2")
    assert disk_cache.program_stamp.__wrapped__() != before
    monkeypatch.setattr(disk_cache, "_package", lambda: tmp_path / "archive.zip")
    assert disk_cache.program_stamp.__wrapped__() is None


def test_where_nothing_can_be_kept_things_are_made_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    for place in ("", str(tmp_path / "file" / "cache")):
        monkeypatch.setenv("MUMMER_CACHE", place)
        assert [len(cached("limits", b"n", lambda n=n: limits_of(n))) for n in (3, 4)] == [3, 4]


def test_the_folder_is_the_user_s_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("MUMMER_CACHE")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "mummer"


def test_without_a_home_that_can_be_written_to_things_are_kept_among_temporary_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("MUMMER_CACHE")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def homeless() -> Path:
        raise RuntimeError("no home")

    monkeypatch.setattr(Path, "home", homeless)
    found = cache_folder()
    assert found is not None
    assert found.is_dir()
    assert found.parent == tmp_path
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "away")
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert cache_folder() == found


def test_the_oldest_make_room(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_cache, "MOST", 2)
    for number in range(4):
        cached("limits", bytes([number]), lambda: limits_of(2))
        for entry in folder.iterdir():
            os.utime(entry, ns=(entry.stat().st_atime_ns, entry.stat().st_mtime_ns - 10**9))
    assert len(list(folder.iterdir())) == 2
    assert len(cached("limits", b"\x03", lambda: limits_of(9))) == 2


def test_keys_differ_where_anything_differs() -> None:
    ones = np.ones((2, 3))
    keys = [key_of("a", ones), key_of("b", ones), key_of("a", 2 * ones), key_of("a", ones.reshape(3, 2)), key_of("a"),
            key_of("a", ones.astype(np.float32)), key_of("a", None)]  # fmt: skip
    assert len(set(keys)) == len(keys)
    assert key_of("a", ones) == key_of("a", ones.copy())


def test_a_body_from_the_cache_is_the_body_that_was_built(folder: Path) -> None:
    built, read = (bodies.body.__wrapped__("snake") for _ in range(2))
    assert any(entry.name.startswith("body-") for entry in folder.iterdir())
    for one, two in zip(built.meshes, read.meshes, strict=True):
        np.testing.assert_array_equal(one.positions, two.positions)
        np.testing.assert_array_equal(one.skin.weights, two.skin.weights)
        assert not two.positions.flags.writeable
    assert built.anatomy.roles == read.anatomy.roles
    assert built.source == read.source
    np.testing.assert_array_equal(built.mass.masses, read.mass.masses)
    assert mm.perform(read, "nod").duration == mm.perform(built, "nod").duration
