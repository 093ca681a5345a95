"""A process in which compiled loops check their bounds and a number that is none is an error, and what is run in it.

``NUMBA_BOUNDSCHECK=1 python -m tests.under_bounds WORK [FILE ...]`` does one of the works below and prints a line for
everything that failed; what mummer refuses with a sentence of its own is no failure.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

from mummer import zoo
from mummer.arrays import IntArray
from mummer.character import Character
from mummer.clip.sampled import Sampled
from mummer.engine import perform
from mummer.errors import MummerError
from mummer.io import load
from mummer.io.gltf.meshopt import MeshoptError, decode_attributes, decode_indices, decode_triangles
from mummer.recognition import recognize
from mummer.render import contact_sheet, picture
from mummer.retargeting import retarget
from tests.io.gltf.meshopt_streams import plain_attributes, plain_triangles
from tests.render.helpers import figure
from tests.strange import resized, strange_bodies, torn

REPOSITORY = Path(__file__).resolve().parents[1]
CHARACTERS = (".asf", ".bvh", ".fbx", ".glb", ".gltf", ".json", ".sk", ".txt", ".vrm")
MOTIONS = (".bvh", ".fbx", ".glb", ".skm", ".vrma")
BODIES = ("adult", "dog", "spider")
SIZE = (96, 80)
MOST_CLIPS = 2
"""Motions of one file that are moved: some hold seventy."""
Step = tuple[str, Callable[[], object]]


def failures(work: str, *arguments: Path | str) -> list[str]:
    """What goes wrong when a process under bounds checks does some work."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.under_bounds", work, *map(str, arguments)], cwd=REPOSITORY, capture_output=True,
        text=True, env={**os.environ, "NUMBA_BOUNDSCHECK": "1"},
    )  # fmt: skip
    lines = done.stdout.splitlines()
    if not lines or lines[-1] != "done":
        return [*lines, f"ended with code {done.returncode}: {done.stderr[-2000:]}"]
    return lines[:-1]


def strange(count: str) -> Iterator[Step]:
    """Bodies of random numbers, and a figure of every size, from every side."""
    sizes = (resized(figure(f"figure e{power}"), 10.0**power) for power in range(-8, 9, 2))
    for body in (torn(), *sizes, *strange_bodies(int(count))):
        yield (
            f"draw {body.name}",
            partial(
                contact_sheet, body, views=["front", "top", (30.0, -40.0)], size=SIZE, skeleton=True, scale_bar=True
            ),
        )


def draw(*files: str) -> Iterator[Step]:
    """Characters drawn."""
    for file in files:
        yield f"draw {file}", lambda file=file: picture(load(file), size=SIZE)


def play(*files: str) -> Iterator[Step]:
    """Characters that perform one animation and one gait."""

    def played(file: str, name: str) -> None:
        clip = perform(known(file), name)
        assert np.isfinite(clip.sample(np.linspace(clip.start, clip.end, 7)).rotations).all()

    for file in files:
        for name in ("wave", "walk"):
            yield f"{name} {file}", partial(played, file, name)


def move(*files: str) -> Iterator[Step]:
    """Motions of files onto three bodies."""

    def moved(file: str) -> None:
        whole = known(file)
        for recording in whole.recordings[:MOST_CLIPS]:
            for target in targets:
                made = retarget(Sampled(whole, recording), target)
                assert np.isfinite(made.sample([made.start, made.end]).rotations).all()

    targets = [zoo.body(name) for name in BODIES]
    for file in files:
        yield f"move {file}", partial(moved, file)


def known(file: str) -> Character:
    """A character that is recognised; a bare motion with the skeleton that its family names, or one that it fits."""
    character = _hung(Path(file)) if file.endswith(".skm") else load(file)
    return character.replace(anatomy=character.anatomy or recognize(character))


def _hung(file: Path) -> Character:
    """A motion of joints alone on a skeleton."""
    family = file.with_name("family.json")
    named = json.loads(family.read_text()).get("skeleton") if family.exists() else None
    elsewhere = sorted((file.parents[2] / "characters" / file.parent.name).glob("*.sk"))
    for skeleton in [file.parent / named] if named else elsewhere:
        with contextlib.suppress(MummerError):
            return load(file, skeleton=skeleton)
    return load(file)


def streams(count: str) -> Iterator[Step]:
    """Compressed buffers of random bytes, and whole ones cut short or with bytes changed."""
    rng = np.random.default_rng(0)
    whole = [
        plain_attributes(rng.integers(0, 255, (40, 8), np.uint8)), plain_triangles(range(60)), b"\xd1" + bytes(30)
    ]  # fmt: skip
    for number in range(int(count)):
        stream = np.frombuffer(whole[number % 3], np.uint8).copy()
        stream = stream[: int(rng.integers(1, len(stream) + 1))] if number % 2 else stream
        places = rng.integers(0, len(stream), int(rng.integers(0, 6)))
        stream[places] = rng.integers(0, 255, len(places), np.uint8)
        for decode in (partial(decode_attributes, stride=8), decode_triangles, decode_indices):
            yield f"decode stream {number}", partial(_decoded, decode, stream, 3 * int(rng.integers(0, 40)))


def _decoded(decode: Callable[..., object], stream: IntArray, count: int) -> None:
    with contextlib.suppress(MeshoptError):
        decode(stream, count)


WORKS: dict[str, Callable[..., Iterator[Step]]] = {
    "strange": strange, "draw": draw, "perform": play, "motions": move, "streams": streams
}  # fmt: skip


def main(work: str, *arguments: str) -> None:
    warnings.simplefilter("error")
    np.seterr(divide="raise", over="raise", invalid="raise")
    for name, step in WORKS[work](*arguments):
        try:
            step()
        except MummerError:
            pass
        except Exception as error:
            where = [frame for frame in traceback.extract_tb(error.__traceback__) if "mummer" in frame.filename][-1:]
            place = f" at {Path(where[0].filename).name}:{where[0].lineno}" if where else ""
            sys.stdout.write(f"{name}: {type(error).__name__}: {error}{place}\n")
            sys.stdout.flush()
    sys.stdout.write("done\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
