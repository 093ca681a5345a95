"""The validation grid: every animation on every body, played, measured and shown."""

from mummer.grid.bodies import all_bodies, load_body
from mummer.grid.files import judge_file
from mummer.grid.judge import JUDGES, Judge, Score
from mummer.grid.plan import Plan
from mummer.grid.player import NotAdmittedError, Player, find_player
from mummer.grid.run import run_grid
from mummer.grid.summary import Summary, summarize
from mummer.grid.verdict import Cell, Verdict
from mummer.grid.viewer import view_page

__all__ = [
    "JUDGES",
    "Cell",
    "Judge",
    "NotAdmittedError",
    "Plan",
    "Player",
    "Score",
    "Summary",
    "Verdict",
    "all_bodies",
    "find_player",
    "judge_file",
    "load_body",
    "run_grid",
    "summarize",
    "view_page",
]
