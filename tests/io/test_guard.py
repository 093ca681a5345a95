"""The guard: bounded reads and paths that stay in their folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mummer.errors import FileError, LimitError, MalformedFileError
from mummer.io import guard
from mummer.io.limits import ReadLimits


def test_a_file_longer_than_the_limit_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "long.bvh"
    file.write_bytes(b"x" * 101)
    with pytest.raises(LimitError, match="is 101 bytes long; the limit is 100"):
        guard.read_bytes(file, ReadLimits(file_bytes=100))
    assert len(guard.read_bytes(file, ReadLimits(file_bytes=101))) == 101


def test_folders_pipes_and_absent_files_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="is a folder"):
        guard.read_bytes(tmp_path, ReadLimits())
    with pytest.raises(FileError, match="is not there"):
        guard.read_bytes(tmp_path / "no.glb", ReadLimits())
    (tmp_path / "knight.glb").write_bytes(b"")
    with pytest.raises(FileError, match=r"is not there; closest: 'knight.glb'"):
        guard.read_bytes(tmp_path / "Knght.glb", ReadLimits())
    os.mkfifo(tmp_path / "pipe.glb")
    with pytest.raises(FileError, match="not a regular file"):
        guard.read_bytes(tmp_path / "pipe.glb", ReadLimits())
    with pytest.raises(FileError, match="cannot be read"):
        guard.read_bytes(tmp_path / "nul\0.glb", ReadLimits())


@pytest.mark.parametrize(
    "uri", ["../secret.bin", "/etc/passwd", "a/../../b.bin", "%2e%2e/secret.bin", "file:///etc/passwd", "http://x/y.bin",
            "//host/share.bin", "ok\0.bin"]
)  # fmt: skip
def test_paths_that_climb_out_are_refused(tmp_path: Path, uri: str) -> None:
    with pytest.raises(MalformedFileError):
        guard.path_beside(tmp_path / "model.gltf", uri)


def test_a_link_that_leads_out_is_refused(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "secret.bin").write_bytes(b"secret")
    (inside / "link.bin").symlink_to(tmp_path / "secret.bin")
    with pytest.raises(MalformedFileError, match="outside its folder"):
        guard.path_beside(inside / "model.gltf", "link.bin")


def test_paths_beside_and_below_are_fine(tmp_path: Path) -> None:
    assert guard.path_beside(tmp_path / "model.gltf", "a%20b/data.bin") == tmp_path.resolve() / "a b" / "data.bin"
