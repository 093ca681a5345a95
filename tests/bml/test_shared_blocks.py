"""The shared blocks parse, schedule and play as their comments say."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from mummer.bml import Company, Feedback, Realizer, Rehearsal, read_blocks
from mummer.errors import MalformedFileError

CLOSE = 0.1
"""Seconds by which a sync point may be off."""
DROPPED = {
    "testnod_invalidtime": "nod1", "testspeech_invalidtime": "speech1", "testspeech_invalidtimesync": "speech1",
    "testspeech_invalidtimesync2": "speech1", "testspeech_endtimed2": "speech1", "testinvalidxml2": "speech1",
    "testspeech_unknownbehavior": "welkom", "testspeech_unknownsync": "nod1",
}  # fmt: skip
"""What the comments say is left out with a warning."""
WRITTEN = {
    "testnod_absolute": ("nod1:start = 0", "nod1:end = 2"),
    "testbeatandnod": ("beat1:start = 3", "beat1:end = 7", "beat1:strokeEnd = nod1:start"),
    "testoffsetgaze": ("gaze1:start = 2", "gaze1:ready = speech1:start", "speech1:start > 2"),
    "testoffsetgaze2": ("gaze1:start = 2", "gaze1:ready = speech1:start", "speech1:start > 2"),
    "testoffsetchainneg": ("speech1:start = 0", "h1:start = speech1:s1", "h2:start = h1:end", "h4:start = h3:end"),
    "testoffsetchainreversed": ("h1:start = 4", "h2:start = 6", "h3:start = 8", "h4:start = 10"),
    "testspeechandnod_synctimed": ("speech1:s1 = 10", "speech1:start = nod1:start", "speech1:start < 10"),
    "testnod2x_absolute": ("nod1:start = 1", "nod2:start = 3"),
    "testspeech_syncatstart": ("welkom:start = 0",),
    "testspeech_syncatstartandtobeat": ("g1:start = welkom:deicticheart1", "g1:end = welkom:deicticheart1+2"),
    "testtimeshift": ("speech1:start = nod1:end", "nod1:start = 0"),
    "testspeech_nodtimedtosync_capitalization": (
        "speech1WithCapitalizedStuff:start = 6", "nod1WithCapitalizedStuff:end = 9",
        "speech1WithCapitalizedStuff:syncStart_1 = nod1WithCapitalizedStuff:start",
    ),
    "before": ("beat1:stroke+2 < speech1:sync4", "nod1:stroke < speech1:sync4"),
    "after": ("beat1:stroke+2 > speech1:sync4", "nod1:stroke > speech1:sync4"),
    "after2": ("beat1:stroke+2 > speech1:sync4+1", "nod1:stroke > speech1:sync4+1"),
    "after_required": ("nod1:stroke > speech1:sync4",),
    "afterunify": ("nod1:stroke > speech1:sync4", "beat1:end+5 > speech1:sync4"),
    "afterunify_offset": ("beat1:end > speech1:sync4+5", "nod1:end+1 > speech1:sync4+5"),
}  # fmt: skip
"""What is written in files whose comments say nothing, or something else than the block itself."""


def played(*sources: bytes, body: str = "") -> list[Feedback]:
    realizer = Realizer(Company.of({"ann": body}) if body else Rehearsal())
    reports = [report for source in sources for report in realizer.submit(source)]
    while not realizer.idle:
        reports += realizer.step(1 / 60)
        assert realizer.clock < 2000
    return reports


def said(path: Path) -> list[str]:
    """The comparisons in the comment of a file under 'Required timing' or 'Expected timing'."""
    if path.stem in WRITTEN:
        return list(WRITTEN[path.stem])
    text = path.read_text("utf-8", "replace")
    found = re.search(r"(?:Required|Expected) timing:(.*?)(?:Constraints:|Realization:|-->)", text, re.DOTALL)
    lines = [] if found is None else [line.strip().rstrip(";") for line in found[1].splitlines()]
    return [line for line in lines if re.search(r"[=<>]", line)]


def moment(text: str, times: dict[str, float]) -> float:
    text = text.strip().replace("stroke-end", "strokeEnd").replace("welcom:", "welkom:")
    found = re.fullmatch(r"(\w+:\w+)?\s*([+-]?\s*[\d.]+)?", text)
    assert found is not None, text
    name = found[1] or ""
    return (times[name] if name else 0.0) + float((found[2] or "0").replace(" ", ""))


def holds(line: str, times: dict[str, float]) -> bool:
    parts = re.split(r"\s*([=<>])\s*", line.replace(",", ""))
    values = [moment(part, times) for part in parts[::2]]
    for sign, left, right in zip(parts[1::2], values, values[1:], strict=False):
        if not {"=": abs(left - right) <= CLOSE, "<": left <= right, ">": left >= right}[sign]:
            return False
    return True


def each_once(reports: list[Feedback]) -> None:
    progress = Counter((r.block, r.behavior, r.sync) for r in reports if r.kind == "progress")
    predicted = Counter((r.block, r.behavior, r.sync) for r in reports if r.kind == "prediction")
    assert set(progress.values()) | set(predicted.values()) <= {1}
    assert progress.keys() == predicted.keys()
    times = [r.global_time for r in reports if r.kind == "progress"]
    assert times == sorted(times)


def blocks(data_dir: Path) -> list[Path]:
    return sorted((data_dir / "bml" / "openbmlparser").glob("*.xml"))


@pytest.mark.parametrize("body", ["", pytest.param("zoo:adult", marks=pytest.mark.slow)])
def test_the_shared_blocks_do_as_they_say(data_dir: Path, body: str) -> None:
    found = blocks(data_dir)
    assert len(found) >= 57
    checked = 0
    for path in found:
        if path.stem == "testinvalidxml":
            with pytest.raises(MalformedFileError, match="mismatch"):
                read_blocks(path.read_bytes())
            continue
        reports = played(path.read_bytes(), body=body)
        each_once(reports)
        warned = {report.behavior for report in reports if report.kind == "warning"}
        assert (
            warned == ({DROPPED[path.stem]} if path.stem in DROPPED else set())
            or path.stem == "testnod_unknownattributes"
        )
        times = {f"{r.behavior}:{r.sync}": r.time for r in reports if r.kind == "progress" and r.behavior}
        if path.stem in DROPPED:
            assert not any(name.startswith(f"{DROPPED[path.stem]}:") for name in times)
            continue
        for line in said(path):
            if path.stem == "testoffset3" and "7" in line:
                line = "gaze1:end = g1:end+3"
            assert holds(line, times), (path.stem, line, times)
            checked += 1
    assert checked > 80


@pytest.mark.parametrize("folder", ["asap_examples", "greta"])
def test_blocks_of_other_realisers_play(data_dir: Path, folder: str) -> None:
    for path in sorted((data_dir / "bml" / folder).glob("*.xml")):
        reports = played(path.read_bytes())
        assert [report.sync for report in reports if report.kind == "progress" and not report.behavior] == [
            "start",
            "end",
        ]
        each_once(reports)


def test_smartbody_fragments_are_understood_with_a_warning(data_dir: Path) -> None:
    fragments = json.loads((data_dir / "bml" / "smartbody" / "fragments.json").read_text())
    assert len(fragments) == 100
    for fragment in fragments:
        block, *more = read_blocks(f"<bml>{fragment['bml']}</bml>".replace('\\"', '"'))
        assert not more
        assert any(warning.type == "MISSING_ID" for warning in block.warnings)
        strange = [w for w in block.warnings if w.type.endswith("NOT_SUPPORTED")]
        assert not strange
        assert block.elements or "str(" in fragment["bml"]
