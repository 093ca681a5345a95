"""The core of BML 1.0 on a body: every behaviour has its sync points, once each, in order, when they were foretold."""

from __future__ import annotations

from collections import Counter

import pytest

from mummer.bml import Company, Feedback, Realizer

STROKE = ["start", "ready", "strokeStart", "stroke", "strokeEnd", "relax", "end"]
CORE = {
    '<gaze id="x" target="bluebox" influence="WAIST" offsetAngle="9" offsetDirection="UP"/>': "start ready relax end",
    '<gazeShift id="x" target="bluebox" influence="EYES"/>': "start end",
    '<head id="x" lexeme="SHAKE" repetition="2" amount="0.3"/>': " ".join(STROKE),
    '<headDirectionShift id="x" target="greenbox"/>': "start end",
    '<face id="x"><faceLexeme lexeme="SMILE"/></face>': "start attackPeak relax end",
    '<faceLexeme id="x" lexeme="OBLIQUE_BROWS" amount="0.5"/>': "start attackPeak relax end",
    '<faceFacs id="x" au="4" side="LEFT"/>': "start attackPeak relax end",
    '<faceShift id="x"><lexeme lexeme="SMILE"/></faceShift>': "start end",
    '<gesture id="x" lexeme="BEAT" mode="LEFT_HAND"/>': " ".join(STROKE),
    '<pointing id="x" target="bluebox" mode="RIGHT_HAND"/>': " ".join(STROKE),
    '<posture id="x"><stance type="SITTING"/></posture>': "start ready relax end",
    '<postureShift id="x"><stance type="STANDING"/></postureShift>': "start end",
    '<postureShift id="x"><pose part="ARMS" lexeme="ARMS_CROSSED"/></postureShift>': "start end",
    '<locomotion id="x" target="table" manner="WALK"/>': "start end",
    '<locomotion id="x" target="1 1.5" manner="RUN"/>': "start end",
    '<speech id="x"><text>Well, <sync id="m"/>hello there.</text></speech>': "start m end",
    '<wait id="x" duration="1"/>': "start end",
}  # fmt: skip


@pytest.fixture(scope="module")
def company() -> Company:
    return Company.of({"ann": "zoo:adult"})


def played(company: Company, *blocks: str) -> list[Feedback]:
    realizer = Realizer(company)
    reports = [report for block in blocks for report in realizer.submit(block)]
    while not realizer.idle:
        reports += realizer.step(1 / 60)
        assert realizer.clock < 30
    company.performers["ann"].stop()
    return reports


@pytest.mark.parametrize("element", CORE)
def test_every_behaviour_of_the_core_is_told_once_in_order_and_when_foretold(company: Company, element: str) -> None:
    reports = played(company, f'<bml id="b">{element}</bml>')
    assert not [each for each in reports if each.kind == "warning"]
    told = {
        kind: [(each.behavior, each.sync, each.time) for each in reports if each.kind == kind]
        for kind in ("prediction", "progress")
    }
    assert [sync for name, sync, _ in told["progress"] if name] == CORE[element].split()
    assert [told["progress"][place][:2] for place in (0, -1)] == [("", "start"), ("", "end")]
    foretold = {row[:2]: row[2] for row in told["prediction"]}
    assert len(foretold) == len(told["prediction"]) == len(told["progress"])
    for name, sync, time in told["progress"]:
        assert time == pytest.approx(foretold[name, sync], abs=0.1), (name, sync)


@pytest.mark.parametrize("point", STROKE)
def test_every_sync_point_can_be_asked_for_and_referred_to(company: Company, point: str) -> None:
    reports = played(company, f'<bml id="b"><gesture id="g" {point}="3"/><head id="h" start="g:{point}+0.25"/></bml>')
    at = {(each.behavior, each.sync): each.time for each in reports if each.kind == "progress"}
    assert at["g", point] == pytest.approx(3.0, abs=0.01)
    assert at["h", "start"] == pytest.approx(3.25, abs=0.01)


def test_who_is_asked_to_be_there_at_a_time_is(company: Company) -> None:
    actor = company.performers["ann"].actor
    goal = (float(actor.place[0]) + 1.5, float(actor.place[1]))
    for end in (3.0, 6.0):
        goal = (2.0 * float(actor.place[0]) - goal[0], goal[1])
        reports = played(company, f'<bml id="b"><locomotion id="l" target="{goal[0]} {goal[1]}" end="{end}"/></bml>')
        at = {(each.behavior, each.sync): each.time for each in reports if each.kind == "progress"}
        assert at["l", "end"] == pytest.approx(end, abs=0.1)
    reports = played(company, '<bml id="b"><locomotion id="l" target="30 30" start="0" end="1"/></bml>')
    assert [each.type for each in reports if each.kind == "warning"] == ["IMPOSSIBLE_TO_SCHEDULE"]


@pytest.mark.parametrize(
    ("element", "done"),
    [
        ('<gesture id="x" lexeme="JUGGLE"/>', "'beat' is done"), ('<head id="x" lexeme="WOBBLE"/>', "'nod' is done"),
        ('<locomotion id="x" target="table" manner="MOONWALK"/>', "it walks"),
        ('<posture id="x"><stance type="STANDING"/><pose part="ARMS" lexeme="ON_TIPTOE"/></posture>', "left out"),
    ],
)  # fmt: skip
def test_what_nobody_knows_is_done_as_nearly_as_can_be_and_told(company: Company, element: str, done: str) -> None:
    reports = played(company, f'<bml id="b">{element}</bml>')
    warned = [each for each in reports if each.kind == "warning"]
    assert [each.type for each in warned] == ["LEXEME_NOT_KNOWN"]
    assert done in warned[0].text
    assert Counter(each.sync for each in reports if each.kind == "progress" and each.behavior)["end"] == 1


def test_two_gestures_of_one_hand_at_once_are_warned_about(company: Company) -> None:
    both = '<gesture id="x" lexeme="BEAT" mode="LEFT_HAND"/><gesture id="y" lexeme="BEAT" mode="{}_HAND"/>'
    for hand, types in (("LEFT", ["CONFLICT"]), ("RIGHT", [])):
        reports = played(company, f'<bml id="b">{both.format(hand)}</bml>')
        assert [each.type for each in reports if each.kind == "warning"] == types


def test_ids_may_begin_with_a_digit(company: Company) -> None:
    reports = played(company, '<bml id="1"><head id="2"/><head id="b" start="2:end+0.5"/></bml>')
    at = {(each.behavior, each.sync): each.time for each in reports if each.kind == "progress" and each.block == "1"}
    assert at["b", "start"] == pytest.approx(at["2", "end"] + 0.5, abs=0.01)
