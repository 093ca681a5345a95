"""Coverage-guided fuzzing of the readers that run in this process.

    python tests/io/fuzz_with_atheris.py -runs=20000 [CORPUS_FOLDER]

Ends with an error if any input gives something else than a character or one of our own errors. Needs atheris.
"""

from __future__ import annotations

import contextlib
import sys
from functools import partial

import atheris

with atheris.instrument_imports(include=["mummer"]):
    from mummer.character import Character, Skeleton
    from mummer.errors import MummerError
    from mummer.io import ReadLimits
    from mummer.io.amc import read as read_amc
    from mummer.io.asf import read as read_asf
    from mummer.io.bvh import read as read_bvh
    from mummer.io.gltf import read as read_gltf
    from mummer.io.sk import read as read_sk
    from mummer.io.skm import read as read_skm

LIMITS = ReadLimits(file_bytes=2**20, joints=500, depth=200, vertices=20_000, values=200_000)
ONE_JOINT = Character("one", Skeleton(("b",), [-1], [[0, 0, 0]]))
LEG = read_asf(b":name leg\n:bonedata\nbegin\nname b\ndirection 0 1 0\nlength 1\ndof rx\nend\n:hierarchy\nroot b\n")
READERS = {b"g": read_gltf, b"b": read_bvh, b"s": read_sk, b"m": partial(read_skm, skeleton=ONE_JOINT), b"a": read_asf,
           b"c": partial(read_amc, skeleton=LEG)}  # fmt: skip


def one_input(data: bytes) -> None:
    """The first byte chooses the reader, the rest is the file."""
    reader = READERS.get(data[:1], read_gltf)
    with contextlib.suppress(MummerError):
        reader(data[1:], None, LIMITS)


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
