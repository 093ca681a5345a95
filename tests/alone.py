"""What a command used when it ran on its own: a small process starts it, so that no memory but its own is counted.

A child inherits the peak of the process that started it until it has loaded its own program, and a test worker
may have grown large by then; run as a script, this file is the small process in between.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class Usage:
    """How a command ended, the processor seconds it took and the most memory it held at a time."""

    code: int
    seconds: float
    kilobytes: int


def run_alone(command: list[str], out: Path, err: Path) -> Usage:
    """Run a command with its outputs in two files; it is killed after a minute."""
    done = subprocess.run(
        [sys.executable, "-S", __file__, str(out), str(err), *command], capture_output=True, text=True, check=True
    )
    return Usage(**json.loads(done.stdout))


def measured(out: str, err: str, command: list[str]) -> Usage:
    writable = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    actions = [(os.POSIX_SPAWN_OPEN, 1, out, writable, 0o600), (os.POSIX_SPAWN_OPEN, 2, err, writable, 0o600)]
    child = os.posix_spawn(command[0], command, dict(os.environ), file_actions=actions)
    watchdog = threading.Timer(PATIENCE, lambda: os.kill(child, 9))
    watchdog.start()
    _, status, usage = os.wait4(child, 0)
    watchdog.cancel()
    return Usage(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss)


if __name__ == "__main__":
    usage = measured(sys.argv[1], sys.argv[2], sys.argv[3:])
    sys.stdout.write(json.dumps({"code": usage.code, "seconds": usage.seconds, "kilobytes": usage.kilobytes}))
