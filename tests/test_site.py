"""The documentation builds without a warning, and every link and anchor of the built pages leads somewhere."""

from __future__ import annotations

import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).resolve().parents[1]


class Page(HTMLParser):
    """The links out of a page and the anchors in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.anchors.add(value)
            elif name in {"href", "src", "poster"} and value:
                self.links.append(value)
                if tag != "a":
                    self.loads.append(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Page]:
    """Every page of the site, built strictly from a copy of the sources."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(ROOT / "docs", folder / "docs")
    shutil.copy(ROOT / "mkdocs.yml", folder)
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    answer = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return {path: Page(path.read_text()) for path in (folder / "site").rglob("*.html") if path.name != "404.html"}


def test_every_page_is_built_and_found_in_the_navigation(site: dict[Path, Page]) -> None:
    listed = (ROOT / "mkdocs.yml").read_text()
    written = [path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")]
    assert [name for name in written if name not in listed] == []
    assert len(site) >= len(written)


def test_pages_load_nothing_from_elsewhere(site: dict[Path, Page]) -> None:
    outside = {link for page in site.values() for link in page.loads if urlsplit(link).netloc}
    assert outside == set()


def test_links_and_anchors_of_the_built_pages_lead_somewhere(site: dict[Path, Page]) -> None:
    dead = []
    for path, page in site.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or link.startswith("//"):
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                dead.append(f"{path.parent.name}: {link} is not there")
            elif parts.fragment and target in site and unquote(parts.fragment) not in site[target].anchors:
                dead.append(f"{path.parent.name}: {link} has no such anchor")
    assert dead == []
