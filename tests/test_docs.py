"""Every code block of the README and the docs is run, page by page, in an empty folder."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from mummer.cli.app import run

ROOT = Path(__file__).resolve().parents[1]
ALL_PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
# The reference is written by scripts/reference; its examples are those of the docstrings, which test_reference.py runs.
PAGES = [page for page in ALL_PAGES if "reference" not in page.parts]
FENCE = re.compile(r"^(?P<indent> *)```(?P<language>[\w-]*)[^\n]*\n(?P<body>.*?)^(?P=indent)```", re.S | re.M)
RUNNABLE = {"python", "sh"}
# Shown, not run here: data, output and pictures of layout; test_three_page.py runs html and js.
SHOWN = {"text", "json", "toml", "yaml", "bvh", "html", "js", "gdscript", "csharp"}


def blocks(page: Path) -> list[tuple[str, str, int]]:
    """Language, text and line of every fenced block of a page."""
    text = page.read_text()
    found = []
    for match in FENCE.finditer(text):
        indent = len(match["indent"])
        body = "\n".join(line[indent:] for line in match["body"].splitlines())
        found.append((match["language"], body, text.count("\n", 0, match.start()) + 1))
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {"__name__": "__docs__"}
    for language, body, line in blocks(page):
        assert language in RUNNABLE | SHOWN, f"{page}:{line}: block of unknown language {language!r}"
        if language == "python":
            padded = "\n" * line + body
            exec(compile(padded, str(page), "exec"), namespace)
        elif language == "sh":
            for command in shell_lines(body):
                run_shell_line(command, f"{page}:{line}")


def shell_lines(body: str) -> list[str]:
    joined = body.replace("\\\n", " ")
    return [line.strip() for line in joined.splitlines() if line.strip() and not line.strip().startswith("#")]


def run_shell_line(command: str, place: str) -> None:
    """Runs a mummer command; of make, git and pip lines it checks that they can be right."""
    words = shlex.split(command, comments=True)
    if words[0] == "mummer":
        assert run(words[1:]) == 0, f"{place}: {command}"
    elif words[0] == "make":
        targets = (ROOT / "Makefile").read_text()
        for target in words[1:]:
            assert re.search(rf"^{re.escape(target)}:", targets, re.M), f"{place}: no make target {target!r}"
    else:
        assert words[0] in {"git", "cd", "pip", "python"}, f"{place}: a command that the tests cannot judge: {command}"


def test_links_between_pages_lead_somewhere() -> None:
    for page in ALL_PAGES:
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text()):
            if "://" not in target and not target.startswith("mailto:"):
                assert (page.parent / target).exists(), f"{page.name} points to {target}, which is not there"
