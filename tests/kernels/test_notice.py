"""Compiling that takes long is told of once, and quick compiling never."""

from __future__ import annotations

import time

import pytest

from mummer.kernels import notice


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(notice, "PATIENCE", 0.05)
    heard: list[str] = []
    notice.on_slow_compiling(lambda: heard.append("slow"))
    return heard


def test_slow_compiling_is_told_once(told: list[str]) -> None:
    for _ in range(2):
        with notice.noticed():
            time.sleep(0.2)
    assert told == ["slow"]


def test_quick_compiling_is_not_told(told: list[str]) -> None:
    with notice.noticed():
        pass
    time.sleep(0.2)
    assert told == []
