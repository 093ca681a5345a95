"""Runs: all cells in order, interrupted and gone on with, summed up, remembered and shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mummer.errors import InputError
from mummer.grid import Cell, Plan, Summary, Verdict, all_bodies, run_grid, summarize
from mummer.grid import run as running
from mummer.grid.history import changes, past_of, read_history
from mummer.grid.journal import NAME, Journal
from mummer.grid.judge import Score
from mummer.grid.page_folder import body_file, clip_file
from mummer.grid.play import Outcome, Task, play
from mummer.grid.viewer import HOW_TO_BUILD

PLAN = Plan(("nod", "refuse", "slide", "raise"), ("zoo:spider", "random:1"), "tests.grid.players:play")


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, built: None) -> list[Cell]:
    """Cells played in this process, in the order that they were, last first."""
    done: list[Cell] = []

    def in_order(tasks: Sequence[Task], **_: object) -> Iterator[Outcome]:
        for task in reversed(tasks):
            done.append(task.cell)
            yield play(task)

    monkeypatch.setattr(running, "play_all", in_order)
    return done


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> None:
    """A viewer, whether or not it was built."""
    from mummer.grid import page_folder

    monkeypatch.setattr(page_folder, "script", lambda: "/* code */")
    monkeypatch.setattr(page_folder, "style", lambda: "/* style */")


def data_of(folder: Path) -> dict[str, Any]:
    text = (folder / "data.js").read_text()
    found: dict[str, Any] = msgspec.json.decode(text.removeprefix("window.mummerGrid = "))
    return found


@pytest.mark.usefixtures("here")
def test_a_run_is_summed_up_in_the_order_of_the_plan(tmp_path: Path) -> None:
    summary = run_grid(PLAN, tmp_path)
    assert (summary.cells, summary.passed, summary.failed) == (8, 2, 2)
    assert (summary.not_admitted, summary.crashed) == (2, 2)
    assert summary.share_passed == pytest.approx(2 / 6, abs=1e-6)
    assert [(each.animation, each.body, each.measure) for each in summary.failures] == [
        ("slide", "zoo:spider", "slip"),
        ("slide", "random:1", "slip"),
    ]
    assert [crash.body for crash in summary.crashes] == ["zoo:spider", "random:1"]
    on_disk = msgspec.json.decode((tmp_path / "summary.json").read_bytes(), type=Summary)
    assert on_disk == summary
    assert not (tmp_path / NAME).exists()


@pytest.mark.usefixtures("here")
def test_the_page_has_everything_and_loads_only_scripts(tmp_path: Path) -> None:
    run_grid(PLAN, tmp_path)
    data = data_of(tmp_path)
    assert data["animations"] == list(PLAN.animations)
    assert [body["title"] for body in data["bodies"]] == ["spider", "random 1"]
    assert [cell["s"] for cell in data["cells"]] == list("pnfcpnfc")
    for cell in data["cells"]:
        assert ("f" in cell) == (cell["s"] in "pf")
        if "f" in cell:
            assert (tmp_path / cell["f"]).read_text().startswith(f'mummerClip("{cell["f"]}","')
    assert all((tmp_path / body["file"]).is_file() for body in data["bodies"])
    page = (tmp_path / "index.html").read_text()
    assert re.findall(r'(?:src|href)="([^"]*)"', page) == ["data:,", "viewer.css", "data.js", "viewer.js"]


def test_an_interrupted_run_goes_on_where_it_was(tmp_path: Path, here: list[Cell]) -> None:
    def stop(_: Verdict, done: int, __: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_grid(PLAN, tmp_path, progress=stop)
    assert len(here) == 3
    with (tmp_path / NAME).open("ab") as stream:
        stream.write(b'{"animation":"nod","bo')
    summary = run_grid(PLAN, tmp_path)
    assert len(here) == len(set(here)) == 8
    assert summary.cells == 8


def test_a_journal_of_another_plan_is_not_gone_on_with(tmp_path: Path) -> None:
    first = Journal.open(tmp_path, PLAN)
    first.add(Verdict("nod", "zoo:spider", "passed"))
    first.close(finished=False)
    again = Journal.open(tmp_path, PLAN)
    assert list(again.verdicts) == [Cell("zoo:spider", "nod")]
    again.close(finished=False)
    fresh = Journal.open(tmp_path, PLAN, fresh=True)
    assert fresh.verdicts == {}
    fresh.add(Verdict("nod", "zoo:spider", "passed"))
    fresh.close(finished=False)
    other = Journal.open(tmp_path, msgspec.structs.replace(PLAN, animations=("nod",)))
    assert other.verdicts == {}
    other.close(finished=True)
    assert not other.path.exists()


@pytest.mark.usefixtures("here")
def test_history_tells_what_changed(tmp_path: Path) -> None:
    for _ in range(2):
        run_grid(PLAN, tmp_path)
    past = read_history(tmp_path)
    assert [run.passed for run in past] == [2, 2]
    assert past[0].statuses == {}
    assert data_of(tmp_path)["better"] == []


def test_changes_count_only_what_both_runs_played() -> None:
    def run(**statuses: str) -> Any:
        verdicts = [Verdict("wave", body, status) for body, status in statuses.items()]  # type: ignore[arg-type]
        return past_of(verdicts, when="", version="")

    before = run(a="failed", b="passed", c="passed", d="not_admitted", e="crashed")
    now = run(a="passed", b="failed", c="passed", d="failed", e="failed", f="failed")
    better, worse = changes(before, now)
    assert [change.body for change in better] == ["a", "e"]
    assert [change.body for change in worse] == ["b"]
    assert changes(None, now) == ((), ())


def test_a_large_grid_keeps_every_failure_and_some_of_what_passed() -> None:
    plan = Plan(tuple(f"a{number}" for number in range(40)), tuple(f"b{number}" for number in range(500)))
    kept = [plan.keeps(place) for place in range(len(plan.cells))]
    assert all("failed" in statuses for statuses in kept)
    assert sum("passed" in statuses for statuses in kept) == 1000
    assert all("passed" in PLAN.keeps(place) for place in range(8))


def test_a_score_without_a_value_passes() -> None:
    assert Score("slip", None, 0.2).passed
    assert Score("slip", 0.2, 0.2).passed
    assert not Score("slip", 0.21, 0.2).passed
    assert summarize([]).share_passed == 1.0


@pytest.mark.parametrize(
    ("chosen", "random", "expected"),
    [
        (["dog", "zoo:dog", "spider"], 0, ("zoo:dog", "zoo:spider")),
        ([], 2, ("random:5", "random:6")),
        (["random:9"], 1, ("random:9", "random:5")),
    ],
)
def test_bodies_are_listed_once_and_in_order(chosen: list[str], random: int, expected: tuple[str, ...]) -> None:
    assert all_bodies(chosen, random=random, seed=5) == expected


def test_all_of_the_zoo_is_the_default() -> None:
    from mummer import zoo

    assert all_bodies() == tuple(f"zoo:{name}" for name in zoo.names())


def test_a_folder_stands_for_its_files(tmp_path: Path) -> None:
    for name in ("b.glb", "a.vrm", "notes.txt"):
        (tmp_path / name).touch()
    assert all_bodies([str(tmp_path)]) == (str(tmp_path / "a.vrm"), str(tmp_path / "b.glb"))


@pytest.mark.parametrize(
    ("chosen", "options", "message"),
    [
        (["dgo"], {}, "the grid has no body 'dgo'; closest: 'dog', 'dragon'"),
        ([], {"random": -1}, "random is -1"),
        ([], {"seed": -2}, "seed -2"),
    ],
)
def test_bodies_that_are_not_there_are_named(chosen: list[str], options: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        all_bodies(chosen, **options)


@pytest.mark.usefixtures("built")
def test_nothing_to_play_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a grid of 0 animations and 1 bodies has no cells"):
        run_grid(Plan((), ("zoo:dog",)), tmp_path)


def test_a_viewer_that_was_not_built_is_told_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mummer.grid import viewer

    monkeypatch.setattr(viewer, "FOLDER", "nowhere")
    with pytest.raises(viewer.ViewerMissingError, match="run `make web`"):
        run_grid(PLAN, tmp_path / "out")
    assert "make web" in HOW_TO_BUILD
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("body", ["zoo:dog", "random:12", "../some folder/Größe.glb", "a/b.glb", "a-b.glb"])
def test_files_of_the_page_have_plain_names_of_their_own(body: str) -> None:
    assert re.fullmatch(r"bodies/[A-Za-z0-9_.-]+\.js", body_file(body))
    others = {"zoo:dog", "random:12", "../some folder/Größe.glb", "a/b.glb", "a-b.glb"} - {body}
    assert body_file(body) not in {body_file(other) for other in others}
    assert clip_file(Cell(body, "eat fruit")).startswith("clips/")
