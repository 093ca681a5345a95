"""The guide says what the judges do."""

from __future__ import annotations

from pathlib import Path

from mummer.grid import JUDGES

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "grid.md"


def test_the_guide_lists_every_judge_with_its_threshold_and_reason() -> None:
    rows = [line for line in GUIDE.read_text().splitlines() if line.startswith("| `")]
    assert rows == [
        f"| `{judge.name}` | {judge.threshold:g} | {judge.unit} | {judge.question} | {judge.reason} |"
        for judge in JUDGES
    ]
