"""Pages that follow the data name files that are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_path_from_a_wish_to_a_pose_names_files_that_exist() -> None:
    text = (ROOT / "docs" / "concepts" / "engine.md").read_text()
    told = set(re.findall(r"`((?:[a-z_]+/)+[a-z_]+\.(?:py|toml))`", text))
    assert len(told) > 25
    assert not {name for name in told if not (ROOT / "src" / "mummer" / name).is_file()}


def test_every_stage_of_the_step_is_on_that_page() -> None:
    text = (ROOT / "docs" / "concepts" / "engine.md").read_text()
    step = (ROOT / "src" / "mummer" / "engine" / "step.py").read_text()
    stages = set(re.findall(r"from mummer\.engine\.(\w+) import", step)) - {
        "scalars",
        "ground",
        "score",
        "legs",
        "body",
    }
    assert not {stage for stage in stages if f"{stage}.py`" not in text}
