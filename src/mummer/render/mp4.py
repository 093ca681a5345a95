"""Pictures as .mp4 (H.264), by way of the ffmpeg that the extra ``video`` brings."""

from __future__ import annotations

import subprocess
import tempfile
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import IO

import numpy as np

from mummer.atomic import replacing
from mummer.errors import FileError, InputError, MissingExtraError
from mummer.render.draw import Picture

PATIENCE = 60.0
"""Seconds that ffmpeg may take for one picture, or to finish, before it is stopped."""


def write_mp4(
    path: Path, pictures: Iterable[Picture], *, fps: float, size: tuple[int, int], audio: Path | None = None
) -> None:
    """Write pictures to ``path``, whole or not at all.

    Odd sizes are made even by repeating the last column or row, as the format wants it.

    Args:
        path: the file.
        pictures: (rows, columns, 3) sRGB bytes each.
        fps: pictures a second.
        size: columns and rows of each.
        audio: a .wav that is heard with them.

    Raises:
        MissingExtraError: if the extra ``video`` is not installed.
        FileError: if ffmpeg fails or stands still.
    """
    if not 0 < fps <= 1000:
        raise InputError(f"a video cannot show {fps:g} pictures a second; expected more than 0 and at most 1000")
    columns, rows = size[0] + size[0] % 2, size[1] + size[1] % 2
    program = ffmpeg()
    with replacing(path) as temporary, tempfile.TemporaryFile() as complaints:
        command = _command(program, columns, rows, fps, temporary, audio)
        # Complaints go to a file: a pipe that nobody reads would fill up and bring ffmpeg to a halt.
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=complaints) as process:
            try:
                count = _feed(process, pictures, (columns, rows))
            except BaseException:
                process.kill()
                raise
        if count == 0:
            raise InputError("a video needs at least one picture")
        if process.returncode != 0:
            raise FileError(path, f"cannot be written: ffmpeg says {_last_line(complaints)!r}")


def ffmpeg() -> str:
    """The path of the program.

    Raises:
        MissingExtraError: if the extra ``video`` is not installed.
    """
    try:
        import imageio_ffmpeg
    except ImportError:
        raise MissingExtraError("video", "writing .mp4") from None
    try:
        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except RuntimeError:
        raise MissingExtraError("video", "writing .mp4") from None


def _command(program: str, columns: int, rows: int, fps: float, target: Path, audio: Path | None) -> list[str]:
    source = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{columns}x{rows}", "-r", f"{fps:g}", "-i", "-"]
    heard = ["-an"] if audio is None else ["-c:a", "aac", "-b:a", "128k"]
    source += [] if audio is None else ["-i", str(audio)]
    coding = [*heard, "-c:v", "libx264", "-preset", "medium", "-crf", "18", "-pix_fmt", "yuv420p"]
    # Say which of the many conversions from RGB was made, so that players show the colours that were drawn.
    colors = ["-vf", "scale=out_color_matrix=bt709:out_range=tv", "-colorspace", "bt709", "-color_primaries", "bt709",
              "-color_trc", "iec61966-2-1", "-color_range", "tv"]  # fmt: skip
    return [program, "-hide_banner", "-loglevel", "error", "-y", "-nostdin", *source, *coding, *colors,
            "-movflags", "+faststart", "-f", "mp4", str(target)]  # fmt: skip


def _feed(process: subprocess.Popen[bytes], pictures: Iterable[Picture], size: tuple[int, int]) -> int:
    """Hand over all pictures and wait for the end; a process that stands still is killed."""
    assert process.stdin is not None
    count = 0
    try:
        for picture in pictures:
            padded = np.pad(
                picture, ((0, size[1] - picture.shape[0]), (0, size[0] - picture.shape[1]), (0, 0)), mode="edge"
            )
            count += 1
            with _alarm(process):
                process.stdin.write(padded.tobytes())
        with _alarm(process):
            process.stdin.close()
            process.wait(PATIENCE)
    except (BrokenPipeError, subprocess.TimeoutExpired):
        # Its complaints say why it left.
        process.kill()
        process.wait()
    return count


class _alarm:  # noqa: N801 - used like a function
    """Kills a process unless the block ends in time: a write to a pipe has no timeout of its own."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._timer = threading.Timer(PATIENCE, process.kill)
        self._timer.daemon = True

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()


def _last_line(complaints: IO[bytes]) -> str:
    complaints.seek(0)
    lines = complaints.read(64_000).decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "nothing, and stood still"
