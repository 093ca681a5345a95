"""The page of a grid: a folder that opens in a browser from the disk, without a server.

Such a page may load scripts and nothing else. So everything is a script: the viewer, the verdicts, and each body and
motion in a file of its own that is loaded when its cell is opened.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from mummer import __version__
from mummer.atomic import write_text
from mummer.grid.bodies import load_body, title_of
from mummer.grid.history import Past, changes
from mummer.grid.judge import JUDGES
from mummer.grid.pack import as_script, pack_body
from mummer.grid.plan import Plan
from mummer.grid.play import Outcome
from mummer.grid.verdict import Cell, Verdict
from mummer.grid.viewer import ViewerMissingError, html, script, style


class Page:
    """The folder of a page, filled as cells are played."""

    def __init__(self, folder: Path, *, shown: bool = True) -> None:
        """A page in ``folder``; one that need not be ``shown`` is left without a viewer where none was built."""
        self.folder = folder
        self._viewer: tuple[str, str] | None = None
        try:
            # Asked for now, so that a missing viewer is told before hours of work.
            self._viewer = script(), style()
        except ViewerMissingError:
            if shown:
                raise

    def has_body(self, body: str) -> bool:
        """Whether the page has the surface of a body already."""
        return (self.folder / body_file(body)).is_file()

    def keep(self, outcome: Outcome) -> None:
        """Put the motion and the body of an outcome into the folder, as far as it has them."""
        cell = outcome.verdict.cell
        path = self.folder / clip_file(cell)
        if outcome.clip is not None:
            write_text(path, as_script("mummerClip", clip_file(cell), outcome.clip))
        else:
            path.unlink(missing_ok=True)
        if outcome.body is not None:
            self._keep_body(cell.body, outcome.body)

    def add_bodies(self, bodies: Iterable[str]) -> None:
        """Put the bodies that have motions on the page but were not brought along into the folder."""
        for body in bodies:
            clips = self.folder / Path(clip_file(Cell(body, "any"))).parent
            if not self.has_body(body) and clips.is_dir() and any(clips.iterdir()):
                self._keep_body(body, pack_body(load_body(body)))

    def _keep_body(self, body: str, content: bytes) -> None:
        write_text(self.folder / body_file(body), as_script("mummerBody", body_file(body), content))

    def write(self, plan: Plan, verdicts: Sequence[Verdict], history: Sequence[Past]) -> None:
        """Write the page itself."""
        data = msgspec.json.encode(self._data(plan, verdicts, history)).decode()
        write_text(self.folder / "data.js", f"window.mummerGrid = {data}\n")
        if self._viewer is None:
            return
        for name, content in zip(("viewer.js", "viewer.css"), self._viewer, strict=True):
            write_text(self.folder / name, content)
        links = ("<link rel=\"stylesheet\" href=\"viewer.css\">", "<script src=\"data.js\"></script>",
                 "<script src=\"viewer.js\"></script>")  # fmt: skip
        write_text(self.folder / "index.html", html("The grid", *links))

    def _data(self, plan: Plan, verdicts: Sequence[Verdict], history: Sequence[Past]) -> dict[str, Any]:
        """What the page shows; see ``web/src/data.ts``."""
        before = history[-2] if len(history) > 1 else None
        better, worse = changes(before, history[-1])
        return {
            "version": __version__,
            "measures": [
                {"name": each.name, "threshold": each.threshold, "unit": each.unit, "question": each.question,
                 "reason": each.reason}
                for each in JUDGES
            ],
            "animations": plan.animations,
            "bodies": [{"spec": body, "title": title_of(body), "file": body_file(body)} for body in plan.bodies],
            "cells": [self._cell(verdict) for verdict in verdicts],
            "history": [msgspec.structs.replace(past, statuses={}) for past in history],
            "better": [(change.animation, change.body) for change in better],
            "worse": [(change.animation, change.body) for change in worse],
        }  # fmt: skip

    def _cell(self, verdict: Verdict) -> dict[str, Any]:
        """One cell in few letters: a large grid has tens of thousands."""
        file = clip_file(verdict.cell)
        cell: dict[str, Any] = {"s": verdict.status[0]}
        if verdict.scores:
            cell["v"] = [score.value for score in verdict.scores]
            cell["d"] = verdict.duration
        if verdict.failures:
            cell["w"] = {score.measure: score.where for score in verdict.failures}
        if verdict.reason:
            cell["r"] = verdict.reason
        if (self.folder / file).is_file():
            cell["f"] = file
        return cell


def clip_file(cell: Cell) -> str:
    """Where the motion of a cell is, from the folder of the page."""
    return f"clips/{_slug(cell.body)}/{_slug(cell.animation)}.js"


def body_file(body: str) -> str:
    """Where the surface of a body is, from the folder of the page."""
    return f"bodies/{_slug(body)}.js"


def _slug(text: str) -> str:
    """A file name of plain letters; what had to be changed is told apart by a few letters of its hash."""
    plain = re.sub(r"[^A-Za-z0-9_.-]+", "-", text.replace(":", "-")).strip(".-")[-60:]
    if plain == text.replace(":", "-"):
        return plain
    return f"{plain}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"
