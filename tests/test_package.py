"""What is published: a wheel and an sdist that hold the viewer, and a package page without dead links."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from hatch_build import PAGE, is_current, page_text

REPOSITORY = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
TEXT = (
    "![zoo](docs/zoo.png)\n\nSee [bodies](docs/bodies.md#adult), [three](https://three.example) and [below](#more).\n"
)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The parts of a checkout that the build looks at, with a viewer to build and a package of one file."""
    root = tmp_path / "checkout"
    (root / "web" / "src").mkdir(parents=True)
    (root / "web" / "src" / "main.ts").write_text("")
    (root / "src" / "mummer").mkdir(parents=True)
    (root / "src" / "mummer" / "__init__.py").write_text("")
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", "CHANGELOG.md"):
        shutil.copy(REPOSITORY / name, root)
    (root / ".gitignore").write_text("/src/mummer/grid/page/\n")
    return root


def with_page(root: Path) -> Path:
    (root / PAGE).parent.mkdir(parents=True)
    (root / PAGE).write_text("built")
    return root


def build(root: Path, target: str) -> subprocess.CompletedProcess[str]:
    """``hatchling build`` where there is no Node."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(root / "dist")]
    nowhere = {**os.environ, "PATH": str(root / "nowhere")}
    return subprocess.run(command, cwd=root, env=nowhere, capture_output=True, text=True, timeout=120)


def wheel_of(root: Path) -> zipfile.ZipFile:
    done = build(root, "wheel")
    assert done.returncode == 0, done.stderr
    return zipfile.ZipFile(next((root / "dist").glob("*.whl")))


@pytest.mark.parametrize("target", ["wheel", "sdist"])
def test_a_checkout_without_node_says_what_is_missing(checkout: Path, target: str) -> None:
    done = build(checkout, target)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "mummer: the viewer is not built, and npm is not here; `make web` builds it"
    assert "Traceback" not in done.stderr
    assert not list((checkout / "dist").glob("*.*"))


def test_a_wheel_holds_the_viewer_and_reads_fbx_without_an_extra(checkout: Path) -> None:
    wheel = wheel_of(with_page(checkout))
    assert wheel.read("mummer/grid/page/viewer.js") == b"built"
    metadata = wheel.read(next(name for name in wheel.namelist() if name.endswith("METADATA"))).decode()
    assert "Requires-Dist: ufbx==0.0.5; python_version < '3.15'" in metadata
    assert "\n# mummer\n" in metadata


def test_an_sdist_carries_the_viewer_so_that_building_from_it_needs_no_node(checkout: Path, tmp_path: Path) -> None:
    done = build(with_page(checkout), "sdist")
    assert done.returncode == 0, done.stderr
    with tarfile.open(next((checkout / "dist").glob("*.tar.gz"))) as archive:
        archive.extractall(tmp_path, filter="data")
    unpacked = next(tmp_path.glob("mummer-*"))
    (unpacked / "web" / "src" / "main.ts").touch()
    assert wheel_of(unpacked).read("mummer/grid/page/viewer.js") == b"built"


def test_a_page_older_than_its_sources_is_built_again(checkout: Path) -> None:
    assert not is_current(checkout)
    assert is_current(with_page(checkout))
    source = checkout / "web" / "src" / "main.ts"
    later = (checkout / PAGE).stat().st_mtime + 1
    os.utime(source, (later, later))
    assert not is_current(checkout)


def test_paths_of_the_repository_become_absolute_on_the_package_page() -> None:
    assert page_text(TEXT, "https://there.example") == (
        "![zoo](https://there.example/docs/zoo.png)\n\nSee [bodies](https://there.example/docs/bodies.md#adult), "
        "[three](https://three.example) and [below](#more).\n"
    )
    assert page_text(TEXT, "") == "\n\nSee bodies, [three](https://three.example) and [below](#more).\n"


def test_the_package_page_of_this_readme_has_no_dead_links() -> None:
    text = page_text((REPOSITORY / "README.md").read_text("utf-8"), "")
    assert "](docs/" not in text
    assert 'src="docs/' not in text


def test_the_extra_all_brings_every_extra_that_any_machine_can_use() -> None:
    extras = PROJECT["optional-dependencies"]
    (everything,) = extras["all"]
    named = everything.partition("[")[2].rstrip("]").split(",")
    assert sorted(named) == sorted(set(extras) - {"all", "cuda", "fbx"})
