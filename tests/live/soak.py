"""A server under load for a long time: many clients, random and broken messages, clients that drop and come back.

    python -m tests.live.soak --minutes 60 [--clients 100] [--characters 20]

Says at the end whether the server lived, whether its memory grew, and whether feedback was lost or told twice. A client
judges by what it is sent alone: of every block that was taken in while it listened, each predicted sync point is told
once and in order, from the start of the block to its end; an interrupted block ends, and says no more.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import struct
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.live.server_process import server_process

BEHAVIORS = (
    '<head id="{}" lexeme="NOD" repetition="2"/>', '<head id="{}" lexeme="SHAKE" start="0.2"/>',
    '<gaze id="{}" target="camera"/>', '<gazeShift id="{}" target="bluebox"/>', '<wait id="{}" start="0" end="0.7"/>',
    '<head id="{}" lexeme="TILT" end="1.5"/>', '<gaze id="{}" target="1 1 2" influence="EYES" start="0.5" end="1.5"/>',
)  # fmt: skip
BROKEN = (
    "{", "[]", "null", '{"type": "bml", "text": "<bml"}', '{"type": "bml", "text": "<bml id=\'x\'><a></b></bml>"}',
    '{"type": "go", "to": [1e400, 2]}', '{"type": "do", "kind": "speech", "attributes": {"audio": "/etc/passwd"}}',
    '{"type": "bml", "text": "<!DOCTYPE a [<!ENTITY b \'c\'>]><bml/>"}', b"\x00\xff\xfe",
    '{"type": "stop", "block": "none"}',
    '{"type": "look", "at": "nowhere"}', '{"type": "do", "kind": "nothing"}', "x" * 100_000, "[" * 20_000,
)  # fmt: skip


@dataclass
class Seen:
    """What all clients saw together."""

    sent: int = 0
    blocks: int = 0
    reports: int = 0
    frames: int = 0
    refused: int = 0
    dropped: int = 0
    faults: Counter[str] = field(default_factory=Counter)


@dataclass
class Followed:
    """A block from when it was taken in: which sync points were predicted, and which were told."""

    predicted: list[tuple[str | None, str]]
    told: list[tuple[str | None, str]] = field(default_factory=list)


class Listener:
    """Follows the feedback of one connection."""

    def __init__(self, seen: Seen) -> None:
        self.seen, self.open = seen, dict[str, Followed]()
        self.last = -1

    def frame(self, data: bytes) -> None:
        if data[0] != 1:
            return
        number = struct.unpack_from("<I", data, 4)[0]
        if number <= self.last:
            self.seen.faults["frames out of order"] += 1
        self.last = number
        self.seen.frames += 1

    def report(self, report: dict[str, Any]) -> None:
        self.seen.reports += 1
        block, moment = report["block"], (report["behavior"], report["sync"])
        if report["kind"] == "prediction":
            self.open.setdefault(block, Followed([])).predicted.append(moment)
        followed = self.open.get(block)
        if report["kind"] != "progress" or followed is None:
            return
        if moment in followed.told:
            self.seen.faults["told twice"] += 1
        followed.told.append(moment)
        if moment == (None, "end"):
            self.over(followed, interrupted=report.get("type") == "INTERRUPTED")
            del self.open[block]

    def over(self, followed: Followed, *, interrupted: bool) -> None:
        self.seen.blocks += 1
        missing = set(followed.predicted) - set(followed.told)
        if missing and not interrupted:
            self.seen.faults["lost feedback"] += 1
        if set(followed.told) - set(followed.predicted) - {(None, "end")}:
            self.seen.faults["told without a prediction"] += 1
        for behavior in {name for name, _ in followed.told}:
            points = [point for name, point in followed.told if name == behavior]
            expected = [point for name, point in followed.predicted if name == behavior and point in points]
            if points != expected:
                self.seen.faults["out of order"] += 1


def message(generator: random.Random, name: str, characters: int) -> str | bytes:
    """Something to say: mostly blocks, sometimes directions, sometimes nonsense."""
    kind, who = generator.random(), f"c{generator.randrange(characters)}"
    if kind < 0.2:
        return generator.choice(BROKEN)
    if kind < 0.35:
        place = [generator.uniform(-3, 3) for _ in range(3)]
        told: list[dict[str, Any]] = [
            {"type": "look", "at": place}, {"type": "go", "to": place[:2]}, {"type": "ping"},
            {"type": "go", "speed": 0.5},
            {"type": "do", "kind": "head", "attributes": {"lexeme": "nod"}}, {"type": "stop"},
        ]  # fmt: skip
        chosen = generator.choice(told)
        return json.dumps(chosen if chosen["type"] == "ping" else {**chosen, "character": who})
    inner = "".join(each.format(f"b{n}") for n, each in enumerate(generator.sample(BEHAVIORS, generator.randint(1, 3))))
    composition = generator.choice(("MERGE", "MERGE", "MERGE", "MERGE", "MERGE", "APPEND", "REPLACE"))
    return json.dumps({
        "type": "bml", "text": f'<bml id="{name}" characterId="{who}" composition="{composition}">{inner}</bml>',
    })  # fmt: skip


async def client(number: int, facts: dict[str, Any], seen: Seen, until: float, asked: argparse.Namespace) -> None:
    """One client that talks and listens, drops now and then, and comes back."""
    from websockets.asyncio.client import connect

    generator = random.Random(number)
    count = 0
    while time.monotonic() < until:
        listener = Listener(seen)
        rate = generator.choice((1, 2, 5, 10, 30, 60) if number % 10 == 0 else (1, 2, 5))
        leaves = time.monotonic() + generator.uniform(10, 120)
        with contextlib.suppress(OSError, Exception):
            async with connect(f"{facts['live']}?token={facts['token']}&rate={rate}", max_size=None) as socket:
                speaks = time.monotonic() + generator.uniform(0, asked.pause)
                while time.monotonic() < min(until, leaves):
                    try:
                        said = await asyncio.wait_for(socket.recv(), max(0.01, speaks - time.monotonic()))
                    except TimeoutError:
                        count += 1
                        seen.sent += 1
                        await socket.send(message(generator, f"k{number}_{count}", asked.characters))
                        speaks = time.monotonic() + generator.uniform(0.2, 2 * asked.pause)
                        continue
                    if isinstance(said, bytes):
                        listener.frame(said)
                        continue
                    told = json.loads(said)
                    seen.refused += told["type"] == "reply" and not told["ok"]
                    for report in told.get("reports", ()):
                        listener.report(report)
                if generator.random() < 0.3:
                    socket.transport.abort()
        seen.dropped += 1


def memory(process: int) -> float:
    """Megabytes that a process holds."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024.0


async def watch(process: Any, until: float, seen: Seen) -> list[float]:
    """Memory of the server, a minute after its start and every ten seconds from then on."""
    found = []
    while time.monotonic() < until and process.poll() is None:
        await asyncio.sleep(10)
        if process.poll() is None:
            found.append(memory(process.pid))
            print(f"{found[-1]:8.1f} MB  {seen.sent} sent, {seen.blocks} blocks followed, {seen.reports} reports, "
                  f"{seen.frames} frames, {seen.refused} refused, faults {dict(seen.faults)}", flush=True)  # fmt: skip
    return found


async def soak(asked: argparse.Namespace) -> int:
    seen = Seen()
    with server_process(asked.characters) as facts:
        until = time.monotonic() + 60 * asked.minutes
        talkers = [client(number, facts, seen, until, asked) for number in range(asked.clients)]
        found, *_ = await asyncio.gather(watch(facts["process"], until, seen), *talkers)
        alive = facts["process"].poll() is None
    settled = found[len(found) // 4 :]
    half = len(settled) // 2
    growth = max(settled[half:]) - max(settled[:half]) if half else 0.0
    print(f"{asked.minutes:g} minutes, {asked.clients} clients, {asked.characters} characters: "
          f"{'alive' if alive else 'DEAD'}; {seen.sent} messages, {seen.refused} refused, {seen.blocks} blocks, "
          f"{seen.reports} reports, {seen.frames} frames, {seen.dropped} connections; "
          f"memory {growth:+.1f} MB in the second half; faults {dict(seen.faults) or 'none'}")  # fmt: skip
    return 0 if alive and not seen.faults and growth < 20.0 and seen.blocks else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--clients", type=int, default=100)
    parser.add_argument("--characters", type=int, default=20)
    parser.add_argument("--pause", type=float, default=20.0, help="seconds between messages of one client, roughly")
    sys.exit(asyncio.run(soak(parser.parse_args())))
