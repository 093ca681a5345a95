"""Many motions onto many bodies: one job each, on all cores, in little memory, to be interrupted and taken up again."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mummer.errors import InputError, MummerError

if TYPE_CHECKING:
    from mummer.character import Character

STATE = ".retarget"
"""The folder inside the output folder where what was done is kept."""
SUFFIXES = (".glb", ".gltf", ".vrm", ".bvh", ".fbx", ".usda", ".usdc", ".usdz", ".usd", ".sk", ".skm")
JOBS_A_WORKER = 200
"""Jobs after which a worker is replaced by a fresh one, so that nothing piles up."""


@dataclass(frozen=True)
class Job:
    """One motion file onto one body.

    Attributes:
        motion: the file.
        character: a file, or ``zoo:NAME``.
        output: the file to write.
        clips: the recordings to take; all if empty.
        measured: whether the result is measured.
    """

    motion: str
    character: str
    output: Path
    clips: tuple[str, ...] = ()
    measured: bool = True

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
        done = _finished(job)
        if done is None:
            pending.append(job)
        else:
            yield job, {**done, "skipped": True}
    if workers <= 1 or len(pending) <= 1:
        for job in pending:
            yield job, work(job)
    else:
        yield from _share_out(pending, workers)


def _share_out(jobs: list[Job], workers: int) -> Iterator[tuple[Job, dict[str, Any]]]:
    context = get_context("spawn")
    pool = ProcessPoolExecutor(workers, context, _alone, max_tasks_per_child=JOBS_A_WORKER)
    waiting: dict[Future[dict[str, Any]], Job] = {}
    queue = iter(jobs)
    try:
        while True:
            # Only a few at a time are handed out: a million jobs need no more memory than ten.
            while len(waiting) < 3 * workers and (job := next(queue, None)) is not None:
                waiting[pool.submit(work, job)] = job
            if not waiting:
                return
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                yield waiting.pop(future), future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _alone() -> None:
    """A worker is one of several: its kernels run on one thread."""
    os.environ["NUMBA_NUM_THREADS"] = "1"


def work(job: Job) -> dict[str, Any]:
    """Do one job; whatever goes wrong is in the answer, under ``error``."""
    try:
        facts = _do(job)
    except MummerError as error:
        return {"error": str(error)}
    except (ArithmeticError, ValueError, IndexError, KeyError, TypeError) as error:
        return {"error": f"internal error: {type(error).__name__}: {error}"}
    _keep(job, facts)
    return facts


def _do(job: Job) -> dict[str, Any]:
    from mummer.clip.sampled import Sampled
    from mummer.io import save
    from mummer.measure import measures
    from mummer.retarget.retarget import retarget

    source, target = load_body(job.motion), load_body(job.character)
    chosen = [source.recording(name) for name in job.clips] or list(source.recordings)
    if not chosen:
        raise InputError(f"{job.motion} holds no motion")
    made, found = [], {}
    for recording in chosen:
        clip = Sampled(source, recording)
        result = retarget(clip, target)
        made.append(result.recording)
        if job.measured and result.duration > 0:
            found[recording.name] = {name: each.to_json() for name, each in measures(result, clip).items()}
    save(target.replace(recordings=tuple(made)), job.output)
    return {"motion": job.motion, "character": job.character, "output": job.output.name, "clips": found,
            "frames": sum(len(each.curves[0].times) for each in made)}  # fmt: skip


@lru_cache(maxsize=24)
def load_body(name: str) -> Character:
    """A body with an anatomy; the last few are remembered, for one body is met again and again."""
    from mummer.io import load
    from mummer.retarget.build import recognized
    from mummer.zoo import body

    return recognized(body(name.removeprefix("zoo:")) if name.startswith("zoo:") else load(Path(name)))


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


def _fingerprint(job: Job) -> list[Any]:
    """What the result depends on: the files as they are now, and the version that made it."""
    from mummer import __version__

    def state(name: str) -> list[Any]:
        if name.startswith("zoo:"):
            return [name]
        facts = os.stat(name)
        return [str(Path(name).resolve()), facts.st_size, facts.st_mtime_ns]

    return [__version__, state(job.motion), state(job.character), list(job.clips), job.measured]


def _finished(job: Job) -> dict[str, Any] | None:
    """What came of a job that was done before with the same files, or None."""
    import msgspec

    try:
        kept = msgspec.json.decode(job.record.read_bytes())
    except (OSError, msgspec.DecodeError):
        return None
    if not job.output.is_file() or kept.get("made_of") != _fingerprint(job):
        return None
    facts: dict[str, Any] = kept["facts"]
    return facts


def _keep(job: Job, facts: dict[str, Any]) -> None:
    import msgspec

    from mummer.atomic import write_bytes

    write_bytes(job.record, msgspec.json.encode({"made_of": _fingerprint(job), "facts": facts}))
