"""The grid on a Dask cluster, where Dask is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from mummer.grid import Cell, Plan, run_grid
from mummer.grid.cluster import play_on_cluster
from mummer.grid.play import Task
from mummer.grid.viewer import ViewerMissingError, script

distributed = pytest.importorskip("distributed", reason="Dask is not here: pip install 'mummer[cluster]'")
PLAYER = "tests.grid.players:play"


@pytest.mark.filterwarnings("ignore")
def test_cells_are_played_on_the_workers_of_a_cluster(tmp_path: Path) -> None:
    try:
        script()
    except ViewerMissingError as error:
        pytest.skip(str(error))
    plan = Plan(("nod", "refuse", "raise"), ("zoo:spider",), PLAYER)
    local = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1")
    with local as cluster:
        summary = run_grid(plan, tmp_path, cluster=cluster.scheduler_address, limit=120.0)
        stuck = [Task(Cell("zoo:spider", "hang"), PLAYER)]
        (outcome,) = play_on_cluster(stuck, cluster.scheduler_address, limit=2.0)
    assert (summary.passed, summary.not_admitted, summary.crashed) == (1, 1, 1)
    assert outcome.verdict.reason == "no answer within 2 s"
    assert (tmp_path / "bodies" / "zoo-spider.js").is_file()
    assert (tmp_path / "clips" / "zoo-spider" / "nod.js").is_file()
