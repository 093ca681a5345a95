"""A write that fails or is interrupted leaves the old file and nothing else."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mummer.atomic import replacing, write_bytes, write_text
from mummer.errors import FileError


def write_half(target: Path) -> None:
    with replacing(target) as temporary:
        temporary.write_bytes(b"half")
        raise RuntimeError("half way")


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "out.bin"
    target.write_bytes(b"old")
    with pytest.raises(RuntimeError, match="half way"):
        write_half(target)
    assert target.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["out.bin"]


def test_a_write_makes_its_folder_and_honours_the_umask(tmp_path: Path) -> None:
    write_text(tmp_path / "new" / "out.txt", "ä")
    assert (tmp_path / "new" / "out.txt").read_bytes() == "ä".encode()
    mask = os.umask(0)
    os.umask(mask)
    assert (tmp_path / "new" / "out.txt").stat().st_mode & 0o777 == 0o666 & ~mask


def test_a_place_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(FileError, match="cannot be written"):
        write_bytes(tmp_path / "file" / "out.bin", b"x")


def test_a_killed_process_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "out.bin"
    target.write_bytes(b"old")
    code = (
        "import sys, time\nfrom mummer.atomic import replacing\n"
        f"with replacing({str(target)!r}) as t:\n"
        "    t.write_bytes(b'half')\n    print('ready', flush=True)\n    time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline().strip() == "ready"
        child.send_signal(signal.SIGKILL)
        child.wait(timeout=10)
    assert target.read_bytes() == b"old"
    time.sleep(0.01)
