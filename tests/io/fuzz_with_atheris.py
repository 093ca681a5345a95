"""Coverage-guided fuzzing of the readers that run in this process.

    python tests/io/fuzz_with_atheris.py -runs=20000 [CORPUS_FOLDER]

Ends with an error if any input gives something else than a character or one of our own errors. Needs atheris.
"""

from __future__ import annotations

import contextlib
import sys

import atheris

with atheris.instrument_imports(include=["mummer"]):
    from mummer.errors import MummerError
    from mummer.io import ReadLimits
    from mummer.io.bvh import read as read_bvh
    from mummer.io.gltf import read as read_gltf
    from mummer.io.sk import read as read_sk
    from mummer.io.skm import read as read_skm

LIMITS = ReadLimits(file_bytes=2**20, joints=500, depth=200, vertices=20_000, values=200_000)
READERS = {b"g": read_gltf, b"b": read_bvh, b"s": read_sk, b"m": read_skm}


def one_input(data: bytes) -> None:
    """The first byte chooses the reader, the rest is the file."""
    reader = READERS.get(data[:1], read_gltf)
    with contextlib.suppress(MummerError):
        reader(data[1:], None, LIMITS)


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
