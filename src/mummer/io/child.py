"""Reading in a short-lived child process, for formats whose native library may crash, hang or swallow all memory."""

from __future__ import annotations

import dataclasses
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from mummer.errors import LimitError, MalformedFileError
from mummer.io.limits import ReadLimits
from mummer.io.sandbox import main as sandbox_main
from mummer.io.sandbox import transfer

SANDBOX = Path(sandbox_main.__file__).parent
BYTES_PER_BYTE = 64
"""Address space for each byte of a file: real ones take less than ten."""
# The sandbox is loaded under a name of its own, so that the child imports neither mummer nor numpy.
_START = """
import sys, importlib.util as u
s = u.spec_from_file_location("sandbox", sys.argv[1] + "/__init__.py", submodule_search_locations=[sys.argv[1]])
m = u.module_from_spec(s); sys.modules["sandbox"] = m; s.loader.exec_module(m)
from sandbox.main import main
main(sys.argv[2])
"""


def read_in_child(
    task: str, data: bytes, path: Path | None, limits: ReadLimits, *, suffix: str, base_bytes: int
) -> dict[str, Any]:
    """What a sandboxed reader says about a file.

    The child gets a folder of its own that is removed whatever happens, and the limits on time and memory.

    Args:
        task: module of `mummer.io.sandbox` whose ``read(job)`` does the work.
        data: the file's bytes.
        path: the file, for messages.
        limits: ``seconds`` and ``child_bytes`` bound the child; all others are handed to it.
            A small file may not take all of ``child_bytes``.
        suffix: what the copy that the child reads is called, for instance ``.fbx``.
        base_bytes: address space that a child of this kind may take for the smallest file.

    Returns:
        Plain values, with numpy arrays where the child sent blocks.

    Raises:
        MalformedFileError: if the file is refused, or brings its reader down.
        LimitError: if it asks for more time, memory or anything else than the limits allow.
    """
    with tempfile.TemporaryDirectory(prefix="mummer-") as name:
        folder = Path(name)
        copy = folder / f"input{suffix}"
        copy.write_bytes(data)
        most = min(limits.child_bytes, base_bytes + BYTES_PER_BYTE * len(data))
        job = {"task": task, "input": str(copy), "seconds": limits.seconds, "bytes": most}
        job["limits"] = dataclasses.asdict(limits)
        (folder / sandbox_main.JOB).write_text(json.dumps(job))
        code = _run(folder, path, limits)
        result = folder / sandbox_main.RESULT
        if code or not result.is_file():
            raise _failure(code, path, limits)
        tree = _unpack(result.read_bytes(), path)
    if "error" in tree:
        kind, what = tree["error"]
        raise (LimitError if kind == "limit" else MalformedFileError)(path, str(what))
    content: dict[str, Any] = tree["content"]
    return content


def _run(folder: Path, path: Path | None, limits: ReadLimits) -> int:
    command = [sys.executable, "-P", "-X", "utf8", "-c", _START, str(SANDBOX), str(folder)]
    quiet = subprocess.DEVNULL
    # One thread a library: their stacks would count against the child's address space.
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PXR_WORK_THREAD_LIMIT": "1"}
    try:
        finished = subprocess.run(
            command, stdin=quiet, stdout=quiet, stderr=quiet, cwd=folder, env=environment, timeout=limits.seconds
        )
    except subprocess.TimeoutExpired:
        raise LimitError(path, f"takes longer to read than the limit of {limits.seconds:g} seconds") from None
    return finished.returncode


def _failure(code: int, path: Path | None, limits: ReadLimits) -> Exception:
    if code < 0 and -code == getattr(signal, "SIGXCPU", None):
        return LimitError(path, f"takes longer to read than the limit of {limits.seconds:g} seconds")
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    return MalformedFileError(path, f"brings its reader down ({how}); it is damaged, or needs more memory than allowed")


def _unpack(data: bytes, path: Path | None) -> dict[str, Any]:
    """The tree in a result file, arrays as read-only numpy views; what does not add up is an error."""
    start = transfer.LENGTH_BYTES
    size = int.from_bytes(data[:start], "little")
    blobs = memoryview(data)[start + size :]

    def revive(value: dict[str, Any]) -> Any:
        if transfer.KEY not in value:
            return value
        kind, shape, offset = value[transfer.KEY]
        count = math.prod(shape)
        array = np.frombuffer(blobs, dtype="<" + kind, count=count, offset=offset) if count else np.zeros(0, "<" + kind)
        return array.reshape(shape)

    try:
        tree: dict[str, Any] = json.loads(data[start : start + size], object_hook=revive)
    except (ValueError, TypeError, KeyError) as error:
        raise MalformedFileError(path, f"was read into a broken result: {error}") from None
    return tree
