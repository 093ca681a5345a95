"""What the package offers."""

from __future__ import annotations

import inspect
import subprocess
import sys

import mummer.character as character


def test_every_name_exists_and_is_documented() -> None:
    assert len(set(character.__all__)) == len(character.__all__)
    for name in character.__all__:
        value = getattr(character, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert inspect.getdoc(value), name


def test_every_imported_name_is_offered() -> None:
    offered = {
        name
        for name, value in vars(character).items()
        if not name.startswith("_") and not inspect.ismodule(value) and name != "annotations"
    }
    assert offered == set(character.__all__)


def test_importing_loads_nothing_heavy() -> None:
    code = "import sys, mummer.character; print(' '.join(sorted({m.partition('.')[0] for m in sys.modules})))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "numpy" in loaded
    assert not {"numba", "scipy", "msgspec", "PIL"} & set(loaded)
