"""Jobs shared out: what belongs together stays together, what dies costs one job, what was begun is cleared away."""

from __future__ import annotations

import multiprocessing
import os
from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer import atomic
from mummer.retargeting import batch, crew, work
from tests.retargeting.walk import walk


def made_jobs(motions: int, characters: int) -> list[batch.Job]:
    return [
        batch.Job(f"m{motion}.bvh", f"zoo:c{character}", Path("out") / f"m{motion}__c{character}.glb")
        for motion in range(motions)
        for character in range(characters)
    ]


@pytest.fixture(scope="module")
def motion(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("motion") / "walk.bvh"
    clip = walk(seconds=0.5, rate=30.0)
    mm.save(clip.body.replace(recordings=(clip.recording,)), path)
    return path


def job_of(motion: Path, folder: Path, **options) -> batch.Job:
    (job,) = batch.plan([str(motion)], ["zoo:child"], folder, **options)
    return job


@pytest.mark.parametrize(("motions", "characters", "workers"), [(1, 1, 2), (1, 20, 2), (50, 20, 2), (3, 60, 4)])
def test_bundles_hold_every_job_once_and_one_motion_each(motions: int, characters: int, workers: int) -> None:
    jobs = made_jobs(motions, characters)
    found = batch.bundles(jobs, workers=workers)
    assert sorted(job.output for bundle in found for job in bundle) == sorted(job.output for job in jobs)
    assert all(len({job.motion for job in bundle}) == 1 for bundle in found)
    assert len(found) >= min(workers, len(jobs))


def test_characters_that_fit_into_a_process_are_done_with_before_the_next() -> None:
    jobs = made_jobs(3, 2 * batch.TOGETHER + 1)
    assert [len(names) for names in batch.blocks(jobs)] == [batch.TOGETHER, batch.TOGETHER, 1]
    order = [job.character for bundle in batch.bundles(jobs, workers=1) for job in bundle]
    first = set(batch.blocks(jobs)[0])
    last = max(place for place, name in enumerate(order) if name in first)
    assert last == 3 * batch.TOGETHER - 1


def test_a_motion_is_read_once_for_all_bodies(motion: Path) -> None:
    assert work.clips_of(str(motion)) is work.clips_of(str(motion))
    assert work.load_body("zoo:child") is work.load_body("zoo:child")
    stamp = motion.stat().st_mtime_ns
    before = work.clips_of(str(motion))
    os.utime(motion, ns=(stamp, stamp + 10**9))
    assert work.clips_of(str(motion)) is not before


def test_what_is_not_whole_is_done_again(motion: Path, tmp_path: Path) -> None:
    job = job_of(motion, tmp_path, measured=False)
    ((_, facts),) = batch.run([job], workers=1)
    assert "error" not in facts
    assert batch.finished(job) is not None
    whole = job.output.read_bytes()
    job.output.write_bytes(whole[:-1])
    assert batch.finished(job) is None
    ((_, facts),) = batch.run([job], workers=1)
    assert "skipped" not in facts
    assert job.output.read_bytes() == whole


def test_what_a_killed_process_had_begun_is_cleared_away(motion: Path, tmp_path: Path) -> None:
    job = job_of(motion, tmp_path, measured=False)
    job.record.parent.mkdir(parents=True)
    begun = [tmp_path / f".{job.output.name}.ab12_xyz.glb", job.record.parent / f".{job.record.name}.ab12_xyz.json"]
    others = [tmp_path / ".hidden.glb", tmp_path / ".another.glb.ab12_xyz.glb"]
    for path in (*begun, *others):
        path.write_bytes(b"half")
    list(batch.run([job], workers=1))
    assert not any(path.exists() for path in begun)
    assert all(path.exists() for path in others)


def test_temporary_names_are_found_as_they_are_made(tmp_path: Path) -> None:
    with atomic.replacing(tmp_path / "walk__child.glb") as temporary:
        temporary.write_bytes(b"half")
        assert list(atomic.strays(tmp_path, {"walk__child.glb"})) == [temporary]
        assert not list(atomic.strays(tmp_path, {"walk.glb"}))
    assert not list(atomic.strays(tmp_path, {"walk__child.glb"}))
    assert not list(atomic.strays(tmp_path / "nowhere", {"walk__child.glb"}))


def test_unsynced_files_do_not_wait_for_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    monkeypatch.setattr(os, "fsync", calls.append)
    with atomic.unsynced():
        atomic.write_text(tmp_path / "a.txt", "a")
    assert not calls
    atomic.write_text(tmp_path / "b.txt", "b")
    assert len(calls) == 1
    assert (tmp_path / "a.txt").read_text() == "a"


def test_bare_results_have_joints_and_motion_alone(motion: Path, tmp_path: Path) -> None:
    whole, bare = job_of(motion, tmp_path / "whole"), job_of(motion, tmp_path / "bare", bare=True)
    assert "error" not in work.work(whole)
    assert "error" not in work.work(bare)
    assert batch.fingerprint(whole) != batch.fingerprint(bare)
    first, second = mm.load(whole.output), mm.load(bare.output)
    assert first.meshes
    assert not second.meshes
    assert second.skeleton.names == tuple(name for name in first.skeleton.names if name in second.skeleton.names)
    times = np.linspace(0.0, 0.5, 7)
    poses = [mm.clip.of(each).sample(times) for each in (first, second)]
    shared = [first.skeleton.names.index(name) for name in second.skeleton.names]
    np.testing.assert_allclose(poses[0].rotations[:, shared], poses[1].rotations, atol=1e-6)


class Dying:
    """Stands for a job that ends the process which takes it up."""

    def __init__(self, job: batch.Job) -> None:
        self.job, self.motion, self.character, self.output = job, job.motion, job.character, job.output

    def __reduce__(self):
        return os._exit, (7,)


def test_a_process_that_dies_costs_one_job(motion: Path, tmp_path: Path) -> None:
    jobs = batch.plan([str(motion)], ["zoo:child", "zoo:giant"], tmp_path, measured=False)
    bundles = [(jobs[0],), (Dying(jobs[0]),), (jobs[1],)]
    found = list(crew.share_out(bundles, 2))
    assert [facts.get("error") for job, facts in found if isinstance(job, Dying)] == [
        "the process that did it ended with code 7"
    ]
    assert sorted(job.output.name for job, facts in found if "error" not in facts) == [
        "walk__child.glb",
        "walk__giant.glb",
    ]


class Faulty(Dying):
    """Stands for a job that shows a fault of mummer itself."""

    def __reduce__(self):
        return str, ("no job",)


@pytest.mark.parametrize("shown", [False, True])
def test_a_fault_is_one_line_and_told_in_full_when_asked(
    motion: Path, tmp_path: Path, shown: bool, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    if shown:
        monkeypatch.setenv("MUMMER_TRACEBACK", "1")
    (job,) = batch.plan([str(motion)], ["zoo:child"], tmp_path, measured=False)
    # A fresh process, whose surroundings are those of now.
    monkeypatch.setattr(crew, "_context", lambda _: multiprocessing.get_context("spawn"))
    answers = [work.work("no job"), *(facts for _, facts in crew.share_out([(Faulty(job),)], 1))]  # type: ignore[arg-type]
    for facts in answers:
        assert facts["error"].startswith("internal error: AttributeError: 'str' object has no attribute 'motion'")
        assert ("set MUMMER_TRACEBACK=1 to see where" in facts["error"]) != shown
    assert capfd.readouterr().err.count("Traceback") == (2 if shown else 0)
