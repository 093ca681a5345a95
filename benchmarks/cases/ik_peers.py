"""Full-body inverse kinematics beside mink and a loop on Pinocchio: 75 degrees of freedom, four places to 1 mm.

The peers run in an environment of their own, and are left out where it is not there::

    python3 -m venv .venv-peers
    .venv-peers/bin/pip install -r benchmarks/peers-requirements.txt

A solve of ours is timed with all that `mummer.ik.solve` does around it. On a busy machine look at the ratios.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks import ik_workload
from benchmarks.ik_workload import SETS, TIPS, TOLERANCE, HingeTree
from benchmarks.timing import Case, Contender
from benchmarks.workloads import REPOSITORY
from mummer import ik
from mummer.character import Pose
from mummer.ik.jacobian import Jacobian
from mummer.ik.mass_weighted import MassWeighted

PYTHON = REPOSITORY / ".venv-peers" / "bin" / "python"
COUNT = 200


class Peers:
    """The other process; answers with seconds a solve, and remembers how many problems were met."""

    def __init__(self, tree: HingeTree, targets: np.ndarray) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="mummer-bench-")
        path = Path(self.folder.name) / "problems.json"
        fields = {"names": tree.names, "parents": tree.parents, "tips": TIPS}
        arrays = {"offsets": tree.offsets, "ranges": tree.ranges, "targets": targets}
        path.write_text(json.dumps({**fields, **{name: array.tolist() for name, array in arrays.items()}}))
        command = [str(PYTHON), str(REPOSITORY / "benchmarks" / "ik_peers.py"), str(path)]
        environment = {"OPENBLAS_NUM_THREADS": "1", "PATH": "/usr/bin:/bin"}
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        assert self.process.stdout is not None
        self.is_here = self.process.stdout.readline().strip() == "ready"
        self.met: dict[str, int] = {}

    def seconds(self, which: str) -> float:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(which, file=self.process.stdin, flush=True)
        seconds, met = self.process.stdout.readline().split()
        self.met[which] = int(met)
        return float(seconds) * COUNT

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(timeout=60)
        self.folder.cleanup()


def cases() -> Iterator[Case]:
    tree = ik_workload.hinge_tree()
    if tree is None:
        print("ik_peers: the tree of the real files is not here; set MUMMER_DATA")
        return
    for name in SETS:
        yield full_body(tree, name)


def full_body(tree: HingeTree, name: str) -> Case:
    """A set of problems; a frame here is one solve."""
    character, targets = tree.character(), ik_workload.targets_of(tree, SETS[name], COUNT)
    goals = [ik.Place(tip, at=targets[:, place]) for place, tip in enumerate(TIPS)]
    tolerance = 0.9 * TOLERANCE / ik.make_problem(character, []).body.height
    batch = ik.make_problem(character, goals, Pose.rest(character.skeleton, (COUNT,)), tolerance=tolerance)
    singles = [[ik.Place(tip, at=target) for tip, target in zip(TIPS, row, strict=True)] for row in targets]
    start = Pose.rest(character.skeleton)

    def one_by_one(solver: ik.Solver) -> None:
        for goals in singles:
            ik.solve(character, goals, start, solver=solver, tolerance=tolerance)

    ours = {
        "first pose that meets them": MassWeighted(settle=1.0),
        "least displacement": MassWeighted(),
        "Jacobian": Jacobian(),
    }
    contenders, lines = [], []
    for what, solver in ours.items():
        found = solver.solve(batch)
        lines.append(f"mummer {what} {int((found.errors <= TOLERANCE).all(axis=1).sum())}")
        contenders.append(Contender(f"mummer {what}, one by one", lambda s=solver: one_by_one(s), "ours"))
        contenders.append(Contender(f"mummer {what}, as a batch", lambda s=solver: s.solve(batch), "ours"))
    peers = Peers(tree, targets) if PYTHON.exists() else None
    for which, label in (("mink", "mink + daqp"), ("pinocchio", "loop on Pinocchio, damped least squares")):
        if peers is None or not peers.is_here:
            contenders.append(Contender(label, None))
            continue
        contenders.append(Contender(label, None, seconds=lambda w=which: peers.seconds(w)))
        peers.seconds(which)
        lines.append(f"{label} {peers.met[which]}")
    work = f"{COUNT} problems, 75 degrees of freedom, 4 places to 1 mm; met: {', '.join(lines)}"
    return Case(f"ik_peers {name}", work, COUNT, contenders, peers.close if peers else lambda: None)
