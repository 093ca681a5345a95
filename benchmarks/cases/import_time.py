"""How long a fresh process takes to import mummer, files being in the page cache."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

from benchmarks.timing import Case, Contender


def cases() -> Iterator[Case]:
    def process(code: str):
        return lambda: subprocess.run([sys.executable, "-c", code], check=True)

    contenders = [
        Contender("python -c 'import mummer'", process("import mummer"), "ours"),
        Contender("python -c 'import mummer.kernels'", process("import mummer.kernels"), "ours"),
        Contender("python -c 'import numpy'", process("import numpy")),
        Contender("python -c 'pass'", process("pass"), "limit"),
        Contender("limit asked for: 0.5 s", None, "limit", seconds=lambda: 0.5),
    ]
    yield Case("import_time", "whole process", 1, contenders)
