"""Many motions onto many bodies: one job each, on all cores, in little memory, to be interrupted and taken up again."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from mummer.clip.carriers import Choice
from mummer.errors import InputError

STATE = ".retarget"
"""The folder inside the output folder where what was done is kept."""
SUFFIXES = (".glb", ".gltf", ".vrm", ".bvh", ".fbx", ".usda", ".usdc", ".usdz", ".usd", ".sk", ".skm", ".asf",
            ".amc", ".c3d")  # fmt: skip
TOGETHER, TOGETHER_BYTES = 24, 150_000_000
"""Bodies, and bytes of their files, that a process keeps at hand: motions are done for these before others are."""


@dataclass(frozen=True)
class Job:
    """One motion file onto one body.

    Attributes:
        motion: the file.
        character: a file, or ``zoo:NAME``.
        output: the file to write.
        clips: the recordings to take; all if empty.
        measured: whether the result is measured.
        bare: whether joints and motions alone are written, without the surface.
        travel: which joints carry the body about, see `mummer.clip.carriers`.
        only_new: whether the motions that the body came with are left out.
        reading: options of the motion's reader and what they are set to, for instance its unit.
        kept: whether what was done is kept beside the output, so that it is not done again.
    """

    motion: str
    character: str
    output: Path
    clips: tuple[str, ...] = ()
    measured: bool = True
    bare: bool = False
    travel: Choice = "auto"
    only_new: bool = False
    reading: tuple[tuple[str, str], ...] = ()
    kept: bool = True

    @property
    def record(self) -> Path:
        """Where what was done is kept."""
        return self.output.parent / STATE / f"{self.output.name}.json"


def plan(
    motions: Sequence[str], characters: Sequence[str], folder: Path, *, suffix: str = ".glb", **options: Any
) -> list[Job]:
    """The jobs for every motion onto every character, each a file, a folder of files, or ``zoo:NAME``.

    Raises:
        InputError: if a name leads to no file.
    """
    sources, bodies = ([each for name in names for each in _files(name)] for names in (motions, characters))
    jobs, taken = [], set()
    for source in sources:
        for body in bodies:
            stem = f"{_stem(source)}__{_stem(body)}"
            number = 2
            while stem in taken:
                stem, number = f"{_stem(source)}__{_stem(body)}_{number}", number + 1
            taken.add(stem)
            jobs.append(Job(source, body, folder / f"{stem}{suffix}", **options))
    return jobs


def run(jobs: Sequence[Job], *, workers: int) -> Iterator[tuple[Job, dict[str, Any]]]:
    """Do the jobs and give what came of each, as they are done; finished ones are not done again.

    Args:
        jobs: see `plan`.
        workers: processes; 1 does the work in this one.
    """
    pending = []
    for job in jobs:
        done = finished(job)
        if done is None:
            pending.append(job)
        else:
            yield job, {**done, "skipped": True}
    _clear_strays(pending)
    if workers <= 1 or len(pending) <= 1:
        from mummer.retargeting.work import work

        for bundle in bundles(pending, workers=1):
            for job in bundle:
                yield job, work(job)
    else:
        from mummer.retargeting.crew import share_out

        yield from share_out(bundles(pending, workers=workers), workers)


def bundles(jobs: Sequence[Job], *, workers: int) -> list[tuple[Job, ...]]:
    """The jobs in parts of one motion each, which is read once for all of them; enough parts for all workers.

    Characters that are at hand together are done with before the next are begun.
    """
    places = {name: place for place, names in enumerate(blocks(jobs)) for name in names}
    found: dict[tuple[int, str], list[Job]] = {}
    for job in jobs:
        found.setdefault((places[job.character], job.motion), []).append(job)
    most = max(1, -(-len(jobs) // (4 * workers)))
    ordered = sorted(found.items(), key=lambda entry: entry[0][0])
    return [tuple(each[k : k + most]) for _, each in ordered for k in range(0, len(each), most)]


def blocks(jobs: Sequence[Job]) -> list[list[str]]:
    """The characters of the jobs, in parts that fit into a process."""
    found: list[list[str]] = []
    room = 0
    for name in dict.fromkeys(job.character for job in jobs):
        size = 0 if name.startswith("zoo:") or not Path(name).is_file() else Path(name).stat().st_size
        if not found or len(found[-1]) >= TOGETHER or room + size > TOGETHER_BYTES:
            found.append([])
            room = 0
        found[-1].append(name)
        room += size
    return found


def finished(job: Job) -> dict[str, Any] | None:
    """What came of a job that was done before with the same files, or None."""
    import msgspec

    if not job.kept:
        return None
    try:
        kept = msgspec.json.decode(job.record.read_bytes())
        size = job.output.stat().st_size
    except (OSError, msgspec.DecodeError):
        return None
    if kept.get("made_of") != fingerprint(job) or kept.get("bytes") != size:
        return None
    facts: dict[str, Any] = kept["facts"]
    return facts


def keep(job: Job, facts: dict[str, Any]) -> None:
    """Remember what came of a job, so that it is not done again."""
    import msgspec

    from mummer.atomic import write_bytes

    if not job.kept:
        return
    entry = {"made_of": fingerprint(job), "bytes": job.output.stat().st_size, "facts": facts}
    write_bytes(job.record, msgspec.json.encode(entry))


def fingerprint(job: Job) -> list[Any]:
    """What the result depends on: the files as they are now, and the version that made it."""
    from mummer import __version__

    reading = [list(pair) for pair in job.reading]
    return [__version__, state(job.motion), state(job.character), list(job.clips), job.measured, job.bare,
            job.travel, job.only_new, reading]  # fmt: skip


def state(name: str) -> list[Any]:
    """A file as it is now, or the body of the zoo."""
    if name.startswith("zoo:"):
        return [name]
    facts = os.stat(name)
    return [_resolved(name), facts.st_size, facts.st_mtime_ns]


@lru_cache(maxsize=4096)
def _resolved(name: str) -> str:
    return str(Path(name).resolve())


def _clear_strays(jobs: Sequence[Job]) -> None:
    """Remove what a process that was killed had begun to write."""
    from mummer.atomic import LONGEST, strays

    for folder in {job.output.parent for job in jobs}:
        names = {job.output.name[:LONGEST] for job in jobs if job.output.parent == folder}
        records = {job.record.name[:LONGEST] for job in jobs if job.output.parent == folder}
        for path in (*strays(folder, names), *strays(folder / STATE, records)):
            path.unlink(missing_ok=True)


def _files(name: str) -> list[str]:
    if name.startswith("zoo:"):
        return [name]
    path = Path(name)
    if path.is_dir():
        found = sorted(str(each) for each in path.rglob("*") if each.suffix.lower() in SUFFIXES)
        if not found:
            raise InputError(f"{path} holds no file that could be read; expected {' '.join(SUFFIXES)}")
        return found
    if not path.is_file():
        raise InputError(f"there is no file or folder {name!r}")
    return [name]


def _stem(name: str) -> str:
    return name.removeprefix("zoo:") if name.startswith("zoo:") else Path(name).stem
