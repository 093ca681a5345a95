"""The child's whole life: take the limits, do one job, leave one result file, end at once."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from . import transfer

JOB, RESULT = "job.json", "result"
PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of Linux


def main(folder: str) -> None:
    """Do the job that ``folder/job.json`` describes and end the process without any tear-down.

    Native libraries may crash while the interpreter winds down; the result is on disk before that could happen.
    """
    place = Path(folder)
    job = json.loads((place / JOB).read_text())
    _die_with_parent()
    _limit(job["seconds"], job["bytes"])
    temporary = place / (RESULT + ".part")
    try:
        transfer.write(temporary, _answer(job))
    except MemoryError:
        transfer.write(temporary, _failure("limit", "asks for more memory than the limit allows"))
    except OSError:
        # The result would not fit: the limit on files, or the disk.
        transfer.write(temporary, _failure("limit", "unfolds to more than the limit allows"))
    os.replace(temporary, place / RESULT)
    sys.stdout.flush()
    os._exit(0)


def _answer(job: dict[str, Any]) -> dict[str, Any]:
    try:
        reader = importlib.import_module(f".{job['task']}", __package__)
        return {"content": reader.read(job)}
    except transfer.RefusedError as refused:
        return _failure(refused.kind, refused.what)
    except MemoryError:
        raise
    except RecursionError:
        return _failure("malformed", "is nested too deeply")
    except Exception as error:  # whatever a native library makes of a hostile file is one line to the user
        return _failure("malformed", _one_line(error))


def _failure(kind: str, what: str) -> dict[str, Any]:
    return {"error": [kind, what]}


def _one_line(error: Exception) -> str:
    text = " ".join(str(error).split())[:200]
    return f"cannot be read: {text or type(error).__name__}"


def _limit(seconds: float, size: int) -> None:
    try:
        import resource
    except ImportError:  # not a POSIX system: the parent's clock is the only limit
        return
    for what, most in (
        (resource.RLIMIT_AS, size),
        (resource.RLIMIT_FSIZE, size),
        (resource.RLIMIT_CPU, int(seconds) + 1),
        (resource.RLIMIT_CORE, 0),
    ):
        _, ceiling = resource.getrlimit(what)
        wanted = most if ceiling == resource.RLIM_INFINITY else min(most, ceiling)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(what, (wanted, wanted))


def _die_with_parent() -> None:
    if sys.platform != "linux":
        return
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, int(signal.SIGKILL), 0, 0, 0)
