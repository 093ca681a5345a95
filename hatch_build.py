"""What the build adds to what lies in the repository: the built viewer, and a package page without dead links."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

PAGE = Path("src/mummer/grid/page/viewer.js")
LINK = re.compile(r"(!?)\[([^][]*)\]\((?!https?:|#)([^()\s]+)\)")


class Viewer(BuildHookInterface[Any]):
    """Builds the page of `mummer view` and `mummer grid` into the source tree, from where wheel and sdist take it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page if it is missing or older than its sources; an editable install can do without."""
        root = Path(self.root)
        if version == "editable" or is_current(root):
            return
        npm = shutil.which("npm")
        if npm is None:
            sys.exit("mummer: the viewer is not built, and npm is not here; `make web` builds it")
        if subprocess.run([npm, "--prefix", "web", "run", "--silent", "page"], cwd=root).returncode:
            sys.exit("mummer: the viewer could not be built (`npm --prefix web run page`)")


class PackagePage(MetadataHookInterface):
    """Makes the long description of the package from README.md."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set ``readme``, with ``base`` of the settings before every path inside the repository."""
        text = Path(self.root, "README.md").read_text("utf-8")
        text = page_text(text, self.config.get("base", ""))
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def is_current(root: Path) -> bool:
    """Whether the page is there and no older than what it is made of; an sdist carries it."""
    page = root / PAGE
    if not page.is_file() or (root / "PKG-INFO").is_file():
        return page.is_file()
    sources = [*(root / "web").glob("*.*"), *(root / "web" / "src").rglob("*.*")]
    return page.stat().st_mtime >= max(source.stat().st_mtime for source in sources)


def page_text(text: str, base: str) -> str:
    """Markdown in which paths inside the repository begin with ``base``; without a base only their words are left."""

    def absolute(found: re.Match[str]) -> str:
        picture, words, path = found.groups()
        if base:
            return f"{picture}[{words}]({base}/{path})"
        return "" if picture else words

    return re.sub(r"\n{3,}", "\n\n", LINK.sub(absolute, text))
