"""The server: what comes in, what goes out, and who is kept out; on the loopback."""

from __future__ import annotations

import http.client
import json
import time
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from mummer.live import Hall, World
from mummer.live.protocol import MOST_MESSAGE, unpack_poses
from tests.live.serving import serving

websockets = pytest.importorskip("websockets.sync.client")
pytest.importorskip("uvicorn")

NOD = '<bml id="{}"><head id="n" lexeme="NOD" start="0" end="0.4"/></bml>'
Served = tuple[Hall, str]


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving(World({"ann": "zoo:adult", "bob": "zoo:adult"})) as found:
        yield found


def join(served: Served, **options: Any) -> Any:
    hall, place = served
    return websockets.connect(f"ws://{place}/live?token={hall.token}&rate=60", max_size=None, **options)


def posted(served: Served, path: str, data: bytes | str, **headers: str) -> tuple[int, Any]:
    hall, place = served
    connection = http.client.HTTPConnection(place, timeout=10)
    connection.request(
        "POST" if data else "GET", path, data or None, {"Authorization": f"Bearer {hall.token}", **headers}
    )
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    try:
        return answer.status, json.loads(text)
    except ValueError:
        return answer.status, text


def heard(socket: Any, until: Any, seconds: float = 20.0) -> tuple[list[Any], list[bytes]]:
    """Messages and frames until one message is what is waited for."""
    messages, frames, end = [], [], time.monotonic() + seconds
    while time.monotonic() < end:
        said = socket.recv(timeout=seconds)
        if isinstance(said, bytes):
            frames.append(said)
            continue
        message = json.loads(said)
        for each in [{**report, "type": "report"} for report in message.get("reports", ())] or [message]:
            messages.append(each)
            if until(each):
                return messages, frames
    raise AssertionError(messages[-5:])


def is_end(block: str) -> Any:
    wanted = ("report", "progress", block, None, "end")
    return lambda message: tuple(message.get(key) for key in ("type", "kind", "block", "behavior", "sync")) == wanted


def is_reply(message: Any) -> bool:
    return bool(message["type"] == "reply")


def test_a_block_comes_in_and_poses_and_feedback_go_out(served: Served) -> None:
    with join(served) as socket:
        hello = json.loads(socket.recv())
        assert [each["name"] for each in hello["characters"]] == ["ann", "bob"]
        socket.send(json.dumps({"type": "bml", "text": NOD.format("first"), "id": 7}))
        messages, frames = heard(socket, is_end("first"))
    assert {"id": 7, "ok": True}.items() <= next(each for each in messages if is_reply(each)).items()
    told = [each for each in messages if each.get("kind") == "progress"]
    assert set(Counter((each["behavior"], each["sync"]) for each in told).values()) == {1}
    assert [each["sync"] for each in told if each["behavior"]][::6] == ["start", "end"]
    read = [unpack_poses(frame) for frame in frames]
    assert [each.number for each in read] == sorted({each.number for each in read})
    assert set(read[0].poses) == {0, 1}
    head = hello["characters"][0]["joints"].index("head")
    alike = [abs(float(read[0].poses[0].rotations[head] @ each.poses[0].rotations[head])) for each in read]
    assert max(alike) - min(alike) > 1e-4


def test_who_joins_late_is_told_who_is_there_and_what_happens_from_then_on(served: Served) -> None:
    with join(served) as early:
        early.send(json.dumps({"type": "bml", "text": '<bml id="long"><wait id="w" start="0" end="1.5"/></bml>'}))
        heard(early, is_reply)
        time.sleep(0.3)
        with join(served) as late:
            messages, frames = heard(late, is_end("long"))
        assert messages[0]["type"] == "hello"
        assert not any(each.get("sync") == "start" for each in messages)
        assert frames
        heard(early, is_end("long"))


def test_who_leaves_without_a_word_is_forgotten(served: Served) -> None:
    hall, _ = served
    for _ in range(5):
        with join(served) as socket:
            socket.recv()
            socket.socket.close()
    until = time.monotonic() + 10
    while hall.clients and time.monotonic() < until:
        time.sleep(0.05)
    assert not hall.clients


def test_interrupted_in_mid_stroke_ends_once_and_the_body_does_not_jump(served: Served) -> None:
    with join(served) as socket:
        hello = json.loads(socket.recv())
        head = hello["characters"][0]["joints"].index("head")
        socket.send(json.dumps({"type": "bml", "text": NOD.format("cut").replace("0.4", "2")}))
        heard(socket, lambda message: message.get("kind") == "progress" and message["sync"] == "strokeStart")
        socket.send(json.dumps({"type": "stop", "block": "cut"}))
        messages, frames = heard(socket, is_end("cut"))
        assert messages[-1]["type"] == "report"
        time.sleep(0.3)
        socket.send(json.dumps({"type": "ping", "id": "last"}))
        more, last = heard(socket, lambda message: message.get("id") == "last")
        assert not any(each.get("block") == "cut" for each in more)
    turns = [unpack_poses(frame).poses[0].rotations[head] for frame in frames + last]
    assert len(turns) > 10
    assert all(abs(float(before @ after)) > 0.998 for before, after in pairwise(turns))


def test_messages_direct_characters(served: Served) -> None:
    for message in (
        {"type": "thing", "name": "gem", "at": [1, 1, 2]},
        {"type": "look", "character": "bob", "at": "gem"},
        {"type": "do", "character": "bob", "kind": "head", "attributes": {"lexeme": "shake"}},
        {"type": "go", "character": "bob", "to": [1.0, 1.0]},
        {"type": "stop", "character": "bob"},
        {"type": "ping"},
    ):
        status, reply = posted(served, "/tell", json.dumps(message))
        assert (status, reply["ok"]) == (200, True), reply


@pytest.mark.parametrize(
    "data",
    [
        "{", "[]", '{"type": "dance"}', '{"type": "bml"}', '{"type": "bml", "text": 3}', '{"type": "go"}',
        '{"type": "go", "to": [1e999, 0]}', '{"type": "look", "at": "nowhere"}', '{"type": "do", "kind": "os.system"}',
        '{"type": "do", "kind": "speech", "attributes": {"audio": "/etc/passwd"}}',
        '{"type": "play", "animation": "../x"}', '{"type": "stop", "character": "nobody"}', b"\xff\xfe",
        '{"type": "ping", "x": 1}', '{"type": "thing", "name": "t", "at": [1, 2]}', "[" * 5000,
    ],
)  # fmt: skip
def test_broken_messages_are_answered_in_one_line(served: Served, data: str | bytes) -> None:
    status, reply = posted(served, "/tell", data)
    assert status == 400
    assert reply["ok"] is False
    assert "\n" not in reply["error"]


def test_blocks_by_http(served: Served) -> None:
    assert posted(served, "/bml", NOD.format("posted"))[0] == 200
    status, reply = posted(served, "/bml", "<bml id='x'><gaze id='g' target='nowhere'/></bml>")
    assert status == 200
    assert reply["warnings"][0]["type"] == "NO_SUCH_TARGET"
    assert posted(served, "/bml", "<!DOCTYPE x [<!ENTITY a 'b'>]><bml id='x'/>")[0] == 400
    assert posted(served, "/bml", "x" * (MOST_MESSAGE + 1))[0] == 413


def test_who_does_not_know_the_token_is_kept_out(served: Served) -> None:
    for path in ("/", "/state", "/body/0.glb"):
        assert posted(served, path, "", Authorization="Bearer wrong")[0] == 401
    assert posted(served, "/bml", NOD.format("x"), Authorization="")[0] == 401
    with pytest.raises(Exception, match="403"):
        websockets.connect(f"ws://{served[1]}/live?token=wrong").__enter__()


def test_pages_of_other_origins_and_other_names_are_kept_out(served: Served) -> None:
    assert posted(served, "/bml", NOD.format("x"), Origin="http://evil.example")[0] == 403
    assert posted(served, "/state", "", Host="evil.example")[0] == 403
    assert posted(served, "/state", "", Origin="http://evil.example", Host="evil.example")[0] == 403
    assert posted(served, "/state", "", Origin=f"http://{served[1]}")[0] == 200
    with pytest.raises(Exception, match="403"):
        join(served, origin="http://evil.example").__enter__()


def test_a_hundred_blocks_in_a_row_are_each_told_once(served: Served) -> None:
    with join(served) as socket:
        for number in range(100):
            text = f'<bml id="q{number}" composition="APPEND"><wait id="w" start="0" end="0.01"/></bml>'
            socket.send(json.dumps({"type": "bml", "text": text}))
        messages, _ = heard(socket, is_end("q99"), 60.0)
    told = Counter(
        (each["block"], each["behavior"], each["sync"]) for each in messages if each.get("kind") == "progress"
    )
    assert set(told.values()) == {1}
    assert len([key for key in told if key[0].startswith("q")]) == 400
