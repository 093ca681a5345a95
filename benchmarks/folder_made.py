"""Folders of motions and of bodies, as many as wanted: real ones varied where the files are, else made ones."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.clips import data_folder
from mummer.character import Character
from mummer.clip import Clip, Sampled
from mummer.errors import MummerError
from mummer.zoo import body

PEOPLE = ("adult", "child", "giant", "hunched", "two_headed")
PERFORMED = ("walk", "wave", "nod", "look_around", "run")
CHARACTERS = (
    "mesh2motion/human-male.glb", "threejs/Xbot.glb", "threejs/Soldier.glb", "rocketbox/Male_Adult_01.fbx",
    "rocketbox/Female_Child_01.fbx", "khronos/CesiumMan.glb", "quaternius/Worker_Man.glb",
    "quaternius/CyberCharacter.glb", "godot-vrm/Godette_vrm_v4.vrm", "100avatars/100Avatars_013_Mint.fbx",
    "genoview/Geno.fbx", "keijiro/Neo.fbx", "gdquest/mannequiny.glb", "catprisbrey/mannyquin.glb",
    "smartbody/ChrBrad.sk",
)  # fmt: skip
"""Shared bodies, beside the people of the zoo."""
RATE, SHORTEST, LONGEST = 30.0, 2.0, 6.0


def make_clips(folder: Path, count: int) -> None:
    """Write ``count`` motions of 2 to 6 s: cut, at other speeds, mirrored; every other one BVH, the rest GLB."""
    from mummer.clip.recorded import bake
    from mummer.io import save
    from mummer.retargeting.work import bare_body

    folder.mkdir(parents=True, exist_ok=True)
    sources, rng = list(_motions()), np.random.default_rng(5)
    for number in range(count):
        path = folder / f"clip_{number:05d}.{'bvh' if number % 2 else 'glb'}"
        clip = _varied(sources[number % len(sources)], rng)
        if not path.exists():
            made = bake(clip, RATE, name=path.stem)
            save(bare_body(made.body, [made.recording]), path)


def make_characters(folder: Path, count: int) -> None:
    """Write ``count`` bodies: the zoo's people, shared ones, and then grown ones of the zoo."""
    from mummer.io import save

    folder.mkdir(parents=True, exist_ok=True)
    real = [data_folder() / "characters" / name for name in CHARACTERS]
    real = [path for path in real if path.exists()]
    for number in range(count):
        if number < len(real):
            if not (folder / real[number].name).exists():
                shutil.copy(real[number], folder / real[number].name)
            continue
        place = number - len(real)
        path = folder / f"{PEOPLE[place % len(PEOPLE)]}_{place:03d}.glb"
        if not path.exists():
            save(body(PEOPLE[place % len(PEOPLE)]), path)


def _motions() -> Iterator[Clip]:
    """Motions of people: those of the shared files, or such as the zoo's people perform."""
    found = 0
    for path in sorted(data_folder().joinpath("motions").rglob("*.bvh")):
        clip = _played(path)
        if clip is not None:
            found += 1
            yield clip
    if not found:
        from mummer.general import perform

        for name in PERFORMED:
            for person in PEOPLE[:3]:
                yield perform(_person(person), name)


def _played(path: Path) -> Clip | None:
    """The motion of a file, if a person does it."""
    from mummer.io import load
    from mummer.recognition import recognized

    try:
        known = recognized(load(path))
    except MummerError:
        return None
    long = [each for each in known.recordings if np.ptp(each.key_times) > 0.5]
    if not long or known.anatomy is None or known.anatomy.kind != "humanoid":
        return None
    return Sampled(known, long[0])


@cache
def _person(name: str) -> Character:
    return body(name)


def _varied(clip: Clip, rng: np.random.Generator) -> Clip:
    """A piece of a clip at another speed, mirrored or not, between the two lengths; short ones are repeated."""
    seconds, speed = float(rng.uniform(SHORTEST, LONGEST)), float(rng.uniform(0.8, 1.25))
    if clip.duration < speed * seconds:
        clip = clip.repeated(int(np.ceil(speed * seconds / clip.duration)))
    begin = clip.start + float(rng.uniform(0.0, clip.duration - speed * seconds))
    clip = clip.trimmed(begin, begin + speed * seconds).at_speed(speed)
    return clip.mirrored() if rng.uniform() < 0.5 else clip
