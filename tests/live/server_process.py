"""`mummer serve` as a process of its own, for studies."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

BODIES = ("zoo:adult", "zoo:dog", "zoo:child", "zoo:bird")


@contextlib.contextmanager
def server_process(characters: int, *more: str) -> Iterator[dict[str, Any]]:
    """Where a server is, what its token is, and its process; it is ended afterwards."""
    bodies = [f"--body=c{number}={BODIES[number % len(BODIES)]}" for number in range(characters)]
    command = [sys.executable, "-m", "mummer", "serve", "--port=0", "--json", *bodies, *more]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            assert process.stderr is not None
            raise SystemExit(process.stderr.read())
        yield {**json.loads(line), "process": process}
    finally:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(20)
        if process.poll() is None:
            process.kill()
