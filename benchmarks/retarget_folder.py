"""``python -m benchmarks.retarget_folder --clips 1000 --characters 20``: a folder of motions onto a folder of bodies.

Makes both folders (of the shared files where they are, else of people of the zoo who perform), runs ``mummer retarget``
over them, interrupts it twice on the way (once as a person would, once without warning) and takes it up again. Prints
one JSON object: how many jobs, seconds and seconds of processor time for each, how many cores were busy (and how
many would have been, had nobody else used them), the most memory that all processes held together, and what was found
after each interruption.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

from benchmarks.folder_made import make_characters, make_clips

TICK, PAGE = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
STEP = 0.25
"""Seconds between two looks at the processes."""


@dataclass
class Watch:
    """What was seen of a tree of processes.

    Attributes:
        seconds: how long it ran.
        processor: seconds of processor time of the whole tree.
        waited: seconds that its threads had work and waited for a processor that others used.
        peak: bytes, the most that all processes held together.
        done: results that were there in the end.
        code: what the command came back with.
    """

    seconds: float = 0.0
    processor: float = 0.0
    waited: float = 0.0
    peak: int = 0
    done: int = 0
    code: int | None = None
    spent: dict[int, tuple[float, float]] = field(default_factory=dict, repr=False)

    def look(self, group: int) -> None:
        """Add up what the processes of a group hold and have spent; what ended processes spent is kept."""
        held = 0
        for entry in os.scandir("/proc"):
            if not entry.name.isdigit():
                continue
            try:
                fields = Path(entry.path, "stat").read_text().rsplit(")", 1)[1].split()
                if int(fields[2]) == group:
                    held += _private(Path(entry.path))
                    own = (int(fields[11]) + int(fields[12])) / TICK
                    self.spent[int(entry.name)] = own, _waited(Path(entry.path))
            except (OSError, IndexError, ValueError):
                continue
        self.peak = max(self.peak, held)
        self.processor, self.waited = (sum(values) for values in zip(*self.spent.values(), strict=True))


def _waited(process: Path) -> float:
    """Seconds that a process could have run and did not, because others did; 0 where that is not told."""
    try:
        return int((process / "schedstat").read_text().split()[1]) / 1e9
    except (OSError, IndexError):
        return 0.0


def _private(process: Path) -> int:
    """Bytes that a process holds: its share of what is shared with others, or all of it where that is not told."""
    try:
        rows = (process / "smaps_rollup").read_text().splitlines()
        return next(int(row.split()[1]) * 1024 for row in rows if row.startswith("Pss:"))
    except (OSError, StopIteration):
        return int((process / "statm").read_text().split()[1]) * PAGE


def run(folder: Path, options: argparse.Namespace, *, stop_after: int | None = None, how: int = 0) -> Watch:
    """Run the command until it is done, or until so many results are there; then it is sent the signal ``how``."""
    output, seen = folder / "out", Watch()
    command = [sys.executable, "-m", "mummer", "retarget", str(folder / "clips"), str(folder / "characters"), "-o",
               str(output), "-j", str(options.jobs), *options.option]  # fmt: skip
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
    while process.poll() is None:
        seen.look(process.pid)
        if stop_after is not None and len(results(output)) >= stop_after:
            if how == signal.SIGKILL:
                os.killpg(process.pid, how)
            else:
                # As a terminal does: the whole group hears of it.
                os.killpg(process.pid, signal.SIGINT)
            break
        time.sleep(STEP)
    _, told = process.communicate()
    seen.seconds, seen.code, seen.done = time.perf_counter() - begin, process.returncode, len(results(output))
    if process.returncode not in (0, 1) and stop_after is None:
        sys.exit(told.decode()[-2000:])
    return seen


def is_result(name: str) -> bool:
    """Whether a file is a finished result: one that is still written begins with a dot, and goes at any moment."""
    return name.endswith(".glb") and not name.startswith(".")


def results(output: Path) -> dict[str, int]:
    """The finished results with when they were written."""
    if not output.is_dir():
        return {}
    return {entry.name: entry.stat().st_mtime_ns for entry in os.scandir(output) if is_result(entry.name)}


def half_written(output: Path) -> int:
    """Files that begin as results do and are not whole, and temporary ones left among them."""
    broken = 0
    for entry in os.scandir(output):
        if entry.name.endswith(".glb"):
            with Path(entry.path).open("rb") as stream:
                head = stream.read(12)
            broken += len(head) < 12 or int.from_bytes(head[8:12], "little") != entry.stat().st_size
        elif entry.is_file() and entry.name != "report.json":
            broken += 1
    return broken


def interrupted(folder: Path, options: argparse.Namespace, before: int, how: int) -> dict[str, object]:
    """Interrupt the command when so many results are there: what it spent, and what is left behind."""
    seen = run(folder, options, stop_after=before, how=how)
    return {"signal": signal.Signals(how).name, "half_written": half_written(folder / "out"), **_facts(seen)}


def _facts(seen: Watch) -> dict[str, object]:
    facts = asdict(seen)
    del facts["spent"]
    facts["peak_mib"] = round(facts.pop("peak") / 2**20, 1)
    seconds = max(seen.seconds, 1e-9)
    busy, wanted = seen.processor / seconds, (seen.processor + seen.waited) / seconds
    return {**facts, "cores_busy": round(busy, 2), "cores_wanted": round(wanted, 2)}


def study(folder: Path, options: argparse.Namespace) -> dict[str, object]:
    """Make the folders, run the command with two interruptions, and say what was seen."""
    begin = time.perf_counter()
    make_clips(folder / "clips", options.clips)
    make_characters(folder / "characters", options.characters)
    made, jobs = time.perf_counter() - begin, options.clips * options.characters
    stops = []
    for share, how in ((0.1, signal.SIGINT), (0.2, signal.SIGKILL)) if options.interrupt else ():
        stops.append(interrupted(folder, options, max(1, int(share * jobs)), how))
        kept = results(folder / "out")
    last = run(folder, options)
    after = results(folder / "out")
    again = sum(after.get(name) != stamp for name, stamp in kept.items()) if stops else 0
    parts = [*stops, _facts(last)]
    total = {key: sum(float(str(part[key])) for part in parts) for key in ("seconds", "processor", "waited")}
    return {
        "jobs": jobs, "results": last.done, "seconds_to_make_folders": round(made, 1),
        "seconds": round(total["seconds"], 1), "processor_seconds_a_job": round(total["processor"] / jobs, 4),
        "jobs_a_second": round(jobs / total["seconds"], 2),
        "cores_busy": round(total["processor"] / total["seconds"], 2),
        "cores_wanted": round((total["processor"] + total["waited"]) / total["seconds"], 2), "workers": options.jobs,
        "peak_mib": max(float(str(part["peak_mib"])) for part in parts), "done_again_after_kill": again,
        "bytes_written": sum((folder / "out" / name).stat().st_size for name in after), "runs": parts,
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.retarget_folder", description=__doc__)
    parser.add_argument("--clips", type=int, default=1000)
    parser.add_argument("--characters", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="processes")
    parser.add_argument("--folder", type=Path, help="where to work, and what is there is used; else a temporary one")
    parser.add_argument("--no-interrupt", dest="interrupt", action="store_false", help="run through at one go")
    parser.add_argument("--option", action="append", default=[], help="passed on to the command, as --option=--bare")
    options = parser.parse_args()
    if options.folder is not None:
        options.folder.mkdir(parents=True, exist_ok=True)
        print(json.dumps(study(options.folder, options), indent=1))
        return
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(study(Path(folder), options), indent=1))


if __name__ == "__main__":
    main()
