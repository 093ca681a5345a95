"""Mistakes that a stranger makes: each is one line, at once, with what would be right."""

from __future__ import annotations

from pathlib import Path

import pytest

from mummer.cli.app import run
from mummer.report import elided


@pytest.fixture(autouse=True)
def nothing_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("mummer.cli.subjects.load_subject", "mummer.zoo.body", "mummer.io.load"):
        monkeypatch.setattr(name, lambda *_, name=name: pytest.fail(f"{name} was called"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["perfrom", "zoo:adult"], "No such command 'perfrom'. Did you mean 'perform'? (mummer --help shows"),
        (["perform", "zoo:adult", "wave", "--vew", "side"], "--view"),
        (["perform", "zoo:adult", "wlak"], "the library has no animation 'wlak'; closest: 'walk'"),
        (["perform", "zoo:adult", "wave", "--view", "sied"], "has no view 'sied'; closest: 'side'"),
        (["perform", "zoo:adult", "wave", "--view", "xyz"], "there are front, three_quarter, side"),
        (["perform", "zoo:adult", "wave", "--speed", "0"], "--speed 0 makes no sense; expected more than 0"),
        (["perform", "zoo:adult", "wave", "--duration", "1e9"], "--duration 1e+09 makes no sense"),
        (["perform", "zoo:adult", "walk", "--duration", "-3"], "--duration -3 makes no sense"),
        (["perform", "zoo:adult", "wave", "--rate", "nan"], "--rate nan makes no sense"),
        (["perform", "zoo:adult", "wave", "--pace", "-1"], "--pace -1 makes no sense"),
        (["perform", "zoo:adult", "walk", "--path", "0,0"], "--path 0,0: expected places on the ground, two or more"),
        (["perform", "zoo:adult", "wave", "-o", "wave.gfi"], "no writer for '.gfi'; did you mean .gif?"),
        (["perform", "zoo:adult", "wave", "-o", "wave.webm"], "no writer for '.webm'"),
        (["pose", "zoo:adult", "--keep", "head", "--root", "fre"], "closest: 'free'"),
        (["pose", "zoo:adult", "--keep", "head", "--solver", "cdc"], "closest: 'ccd'"),
        (["retarget", "a.bvh", "b.glb", "-o", "out", "-j", "-5"], "'--jobs' / '-j'"),
        (["retarget", "a.bvh", "b.glb", "-o", "out", "-j", "100000"], "'--jobs' / '-j'"),
        (["grid", "-j", "-5"], "'--jobs' / '-j'"),
        (["render", "zoo:adult", "-o", "a.png", "--frames", "100000"], "100000 pictures of 320x320 make no sheet"),
        (["render", "zoo:adult", "-o", "a.png", "--frames", "-1"], "'--frames'"),
        (["render", "zoo:adult", "-o", "a.png", "--views", "front,side", "--size", "9000x9000"], "9000x9000"),
        (["render", "zoo:adult", "-o", "a.gif", "--fps", "0"], "--fps 0 makes no sense"),
        (["clip", "zoo:adult", "-o", "a.glb", "--loop", "1000000"], "'--loop'"),
        (["clip", "zoo:adult", "-o", "a.glb", "--resample", "-1"], "--resample -1 makes no sense"),
        (["clip", "zoo:adult", "-o", "a.glb", "--speed", "-2"], "--speed -2 makes no sense"),
        (["plant", "zoo:adult", "-o", "a.glb", "--resample", "1e6"], "--resample 1e+06 makes no sense"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_mistake_is_one_line_before_any_work(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(words) == 2
    said = capsys.readouterr().err
    assert said.startswith("mummer: ")
    assert said.count("\n") == 1
    assert message in said
    assert not list(tmp_path.iterdir())


def test_the_middle_of_long_names_is_left_out() -> None:
    names = [f"a_rather_long_name_of_a_walk_{number:02d}.glb" for number in range(20)]
    assert len({elided(name, 24) for name in names}) == 20
    assert all(len(elided(name, 24)) == 24 for name in names)
    assert elided("short", 24) == "short"
