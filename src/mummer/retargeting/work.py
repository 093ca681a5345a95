"""One job of a batch: a motion read, moved onto a body, measured and written. Bodies are loaded once and kept."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from mummer.atomic import unsynced
from mummer.character import Character, Pose, Recording
from mummer.clip.sampled import Sampled
from mummer.errors import InputError, MummerError, internal_error
from mummer.io import load, save_motions
from mummer.measure import measures
from mummer.recognition import recognized
from mummer.retargeting.batch import TOGETHER, Job, keep, state
from mummer.retargeting.build import build_of
from mummer.retargeting.retarget import retarget


def work(job: Job) -> dict[str, Any]:
    """Do one job; whatever goes wrong is in the answer, under ``error``."""
    try:
        # Thousands of files need not wait for the disk one by one: what a power cut takes is done again.
        with unsynced():
            facts = _do(job)
            keep(job, facts)
    except MummerError as error:
        return {"error": str(error)}
    except Exception as error:  # a fault of one job is no reason to leave the others undone
        return {"error": internal_error(error)}
    return facts


def _do(job: Job) -> dict[str, Any]:
    motions, target = clips_of(job.motion, job.reading), load_body(job.character)
    chosen = _chosen(motions, job)
    made, found = [], {}
    told: dict[str, None] = {}
    for clip in chosen:
        result = retarget(clip, target, travel=job.travel)
        made.append(result.recording)
        told |= {str(each): None for each in result.report}
        if job.measured and result.duration > 0:
            found[clip.recording.name] = {name: each.to_json() for name, each in measures(result, clip).items()}
    body = result.body
    body = bare_body(body, made) if job.bare else body
    save_motions(body, made, job.output, only_new=job.bare or job.only_new)
    return {"motion": job.motion, "character": job.character, "output": job.output.name, "clips": found,
            "findings": list(told), "files": _unusual(job.motion, chosen[0].body) + _unusual(job.character, target),
            "frames": sum(len(each.curves[0].times) for each in made)}  # fmt: skip


def _unusual(file: str, character: Character) -> list[str]:
    """What is worth knowing about a file."""
    return [f"{file}: {finding}" for finding in character.report.of("unusual")]


def _chosen(motions: tuple[Sampled, ...], job: Job) -> list[Sampled]:
    if not motions:
        raise InputError(f"{job.motion} holds no motion")
    if not job.clips:
        return list(motions)
    whole = motions[0].body
    wanted = [whole.recording(name) for name in job.clips]
    return [clip for recording in wanted for clip in motions if clip.recording is recording]


def bare_body(target: Character, recordings: Sequence[Recording]) -> Character:
    """The joints alone with the motions, without what shows on a surface only."""
    return Character(target.name, target.skeleton, recordings=tuple(_without_morphs(each) for each in recordings))


def _without_morphs(recording: Recording) -> Recording:
    base = recording.base
    pose = Pose(base.rotations, base.root_translation, base.translations, base.scales)
    curves = tuple(curve for curve in recording.curves if curve.path != "morph")
    return dataclasses.replace(recording, curves=curves, base=pose)


def load_body(name: str) -> Character:
    """A body with an anatomy; those that are met again and again are remembered, as their files are now."""
    return _loaded(name, str(state(name)) if name.startswith("zoo:") or os.path.exists(name) else "")


@lru_cache(maxsize=TOGETHER)
def _loaded(name: str, _: str) -> Character:
    known = _read(name)
    build_of(known)
    return known


def clips_of(name: str, reading: tuple[tuple[str, str], ...] = ()) -> tuple[Sampled, ...]:
    """The motions of a file as clips; the last file is remembered, for its motions are put onto many bodies."""
    return _clips(name, reading, str(state(name)) if name.startswith("zoo:") or os.path.exists(name) else "")


@lru_cache(maxsize=1)
def _clips(name: str, reading: tuple[tuple[str, str], ...], _: str) -> tuple[Sampled, ...]:
    whole = _read(name, **dict(reading))
    return tuple(Sampled(whole, recording) for recording in whole.recordings)


def _read(name: str, **reading: Any) -> Character:
    return recognized(load(name, **reading))
