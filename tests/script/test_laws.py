"""Laws: merging, who is heard after whom, and what the time planner promises."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mummer as mm
from mummer.errors import MummerError
from mummer.script import Rehearsal, script_from_text, sketch_from_text
from mummer.script.action import Said
from mummer.script.cascade import Cascade
from mummer.script.plan import SPACERS, Plan
from mummer.script.properties.set_duration import SetDuration
from mummer.script.properties.set_transition_function import SetTransitionFunction
from mummer.script.properties.vary_extent import VaryExtent

amounts = st.floats(0.05, 20.0)
durations = st.builds(SetDuration, st.sampled_from(["ABS", "REL", "AVG", "ADD"]), amounts)


def test_the_numbers_of_the_paper() -> None:
    said = [Said(SetDuration("ABS", 1.1), "action", 2), Said(SetDuration("REL", 1.8), "sketch", 0)]
    assert Cascade().resolved(said)[SetDuration] == SetDuration("ABS", 1.1 * 1.8)
    flat = [
        Said(SetTransitionFunction("ABS", (0, 1, 1, 0))),
        Said(SetTransitionFunction("AVG", (0, 0, 0, 0)), "sketch"),
    ]
    assert Cascade().resolved(flat)[SetTransitionFunction] == SetTransitionFunction("ABS", (0, 0.5, 0.5, 0))
    take = Rehearsal.of_script("reach_inspect_show", "zoo:adult").sketch("old_man")
    reach = [element for _, element in take.plan.of_action("reach")]
    assert {round(element.duration, 9) for element in reach} == {1.98}
    assert {round(element.hold, 9) for element in reach} == {0.6}


@given(st.lists(durations, min_size=1, max_size=6))
def test_what_is_set_last_makes_all_before_it_silent(said: list[SetDuration]) -> None:
    last = SetDuration("ABS", 2.0)
    found = Cascade().resolved([Said(each) for each in (*said, last)])[SetDuration]
    assert found == last


@given(st.floats(0.1, 5.0), st.lists(st.floats(0.3, 1.3), max_size=4), st.randoms(use_true_random=False))
def test_scales_multiply_in_any_order(base: float, factors: list[float], chance: object) -> None:
    shuffled = list(factors)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    scaled = [Cascade().resolved([Said(SetDuration("ABS", base)), *(Said(SetDuration("REL", f)) for f in each)])
              for each in (factors, shuffled)]  # fmt: skip
    assert scaled[0][SetDuration].value == pytest.approx(scaled[1][SetDuration].value)  # type: ignore[attr-defined]
    extents = [Said(VaryExtent(f)) for f in factors]
    if extents:
        found = Cascade().resolved(extents)[VaryExtent]
        assert found.factor == pytest.approx(np.prod(list(factors)))  # type: ignore[attr-defined]


@given(st.permutations([("action", 3), ("action", 0), ("sketch", 3), ("sketch", 1), ("edit", 0)]))
def test_edits_are_heard_after_sketches_and_details_after_the_whole(order: list[tuple[str, int]]) -> None:
    values = {("action", 0): 1.0, ("action", 3): 2.0, ("sketch", 1): 3.0, ("sketch", 3): 4.0, ("edit", 0): 5.0}
    said = [Said(SetDuration("ABS", values[each]), each[0], each[1]) for each in order]  # type: ignore[arg-type]
    assert Cascade().resolved(said)[SetDuration] == SetDuration("ABS", 5.0)
    without = [each for each in said if each.origin != "edit"]
    assert Cascade().resolved(without)[SetDuration] == SetDuration("ABS", 4.0)
    other = Cascade(("edit", "sketch", "action")).resolved(said)[SetDuration]
    assert other == SetDuration("ABS", 2.0)


def promise(plan: Plan) -> None:
    """No two elements of a track at once, and no moment at which nothing goes on."""
    for track in plan.tracks.values():
        for one, other in pairwise(track):
            assert other.start >= one.end - 1e-6
    spans = sorted((e.start, e.end) for track in plan.tracks.values() for e in track)
    covered = 0.0
    for start, end in spans:
        assert start <= covered + 1e-6
        covered = max(covered, end)


parts = st.sampled_from(["left_elbow bend", "head twist", "spine bend", "right_upper_arm sway"])
seconds = st.floats(0.05, 2.0).map(lambda value: round(value, 3))


@st.composite
def scripts(draw: st.DrawFn) -> str:
    lines, names = ["script made"], []
    for number in range(draw(st.integers(1, 3))):
        names.append(f"a{number}")
        lines.append(f"action a{number}")
        for _ in range(draw(st.integers(1, 3))):
            lines += ["pose", f"SetDuration ABS {draw(seconds)}", f"SetHoldTime ABS {draw(seconds)}"]
            lines += [f"SetDOFValue {{{part}}} ABS 0.3" for part in draw(st.lists(parts, min_size=1, unique=True))]
    for track in range(draw(st.integers(1, 2))):
        lines.append(f"track t{track}")
        for name in draw(st.lists(st.sampled_from(names), min_size=1, max_size=3)):
            lines.append(f"do {name}")
            if draw(st.booleans()):
                lines.append(f"space {draw(seconds)}")
    lines.append("edits")
    for _ in range(draw(st.integers(0, 3))):
        who = draw(st.sampled_from(["*", *names]))
        lines.append(draw(st.sampled_from([
            f"SetDuration {{{who}}} REL {draw(seconds)}", f"SetHoldTime {{{who}}} REL {draw(seconds)}",
            f"VarySuccession {{{who}}} normal 0.05", f"ShiftTime {{{who}}} {draw(seconds)}",
            f"Synchronize {{a0}} at clock {draw(seconds)}", "SetDOFValue {* 1 1 head twist} ABS 0.2",
        ])))  # fmt: skip
    return "\n".join(lines)


@settings(max_examples=40, deadline=None)
@given(scripts())
def test_nothing_overlaps_and_nothing_gapes(text: str) -> None:
    plan = Rehearsal.of_script(script_from_text(text), "zoo:adult").plan
    if not any("wait for one another" in str(finding) for finding in plan.report):
        promise_tracks_only = "Synchronize" in text or "Shift" in text
        if promise_tracks_only:
            for track in plan.tracks.values():
                assert all(other.start >= one.end - 1e-6 for one, other in pairwise(track))
        else:
            promise(plan)


@pytest.mark.parametrize("factor", [0.5, 1.0, 2.5])
def test_links_are_kept(factor: float) -> None:
    text = """
    action lunge
      pose
        SetDOFValue {spine bend} ABS 0.4
        SetDuration ABS 1
    action punch
      pose
        SetDOFValue {right_elbow bend} ABS 0.4
        SetDuration ABS 0.3
    track body
      do lunge
    track arm
      space 0.4
      do punch
    link lunge punch
    """
    take = Rehearsal.of_script(script_from_text(text), "zoo:adult").edit(f"SetDuration {{lunge}} REL {factor}")
    lunge = [element for _, element in take.plan.of_action("lunge")]
    punch = [element for _, element in take.plan.of_action("punch")]
    assert (punch[0].start - lunge[0].start) / (lunge[0].end - lunge[0].start) == pytest.approx(0.4)
    assert any(track == SPACERS for track in take.plan.tracks)


def test_rhythm_puts_poses_on_beats() -> None:
    four, three = (Rehearsal.of_script(name, "zoo:adult").plan for name in ("dance_four", "dance_three"))
    for plan, tempo, every in ((four, 84.0, 1), (three, 140.0, 3)):
        swing = next(track for dof, track in plan.tracks.items() if dof == "left_upper_arm bend")
        arrivals = np.array([element.start + element.duration for element in swing]) * tempo / 60.0
        assert np.allclose(np.diff(arrivals), every, atol=1e-6)
    # In three the elbows are moved on one and two by one action, and on three by another.
    elbow = next(track for dof, track in three.tracks.items() if dof == "left_forearm bend")
    beats = np.array([element.start + element.duration for element in elbow]) * 140.0 / 60.0
    assert np.allclose(np.diff(beats), 1.0, atol=1e-6)
    assert {three.actions[element.action][0] for element in elbow} == {"swing", "bob"}


def test_a_filter_changes_what_all_others_have_written_and_is_kept_as_a_stage() -> None:
    text = """
    action lift
      pose
        SetDOFValue {left_elbow bend} ABS 0.5
      pose
        SetDOFValue {left_elbow bend} ABS 1
      pose
        SetDOFValue {left_elbow bend} ABS 0
    track arm
      do lift
    """
    take = Rehearsal.of_script(script_from_text(text), "zoo:adult")
    smooth = take.edit("SmoothTransitions {*} 1")
    first, second, third = smooth.plan.tracks["left_forearm bend"]
    assert (first.curve[2], second.curve[1]) == (0.0, 0.0)  # passed through without a stop
    assert (second.curve[2], third.curve[1]) == (1.0, 1.0)  # turned back from
    assert [stage.name for stage in smooth.plan.history][-2:] == ["filters", "time planner"]
    assert "filters" not in [stage.name for stage in take.plan.history]
    times = np.linspace(0.0, smooth.plan.duration, 200)
    turns = [each.clip.sample(times).rotations for each in (take, smooth)]
    assert np.abs(turns[0] - turns[1]).max() > 0.01


SPOKEN = """SetDuration VaryExtent SetShake SetReach { } * REL ABS 1.8 -3 1e309 nan $x when end mood action pose cycle
track do play wave space link edits script # neck_y left_elbow bend load oldMan.shp ../../etc properties \0 é
actions . > CreateRecoil SetRhythm GenerateTicks head_y 9999999999999999999999999999999999"""
WORDS = st.lists(st.sampled_from(SPOKEN.split()), max_size=7)


@settings(max_examples=300, deadline=None)
@given(st.lists(WORDS, max_size=8) | st.text(max_size=60).map(lambda text: [[text]]))
def test_no_text_makes_either_language_stumble(lines: list[list[str]]) -> None:
    text = "\n".join(" ".join(words) for words in lines)
    for read in (sketch_from_text, script_from_text):
        said = ""
        try:
            read(text)
        except MummerError as refused:
            said = str(refused)
        assert len(said.splitlines()) <= 1


def test_feet_stay_where_they_stand() -> None:
    walk = mm.perform("zoo:adult", "walk", duration=3.0)
    take = Rehearsal.of_clip(walk)
    heels = [foot.heel for foot in take.dofs.feet]
    skeleton = walk.body.skeleton
    before = mm.world_positions(skeleton, walk.sample(walk.times(60)))[:, heels]
    for sketch in ("old_man", "energetic", "drunk"):
        clip = take.sketch(sketch).clip
        times = clip.times(60)
        after = mm.world_positions(skeleton, clip.sample(times))[:, heels]
        slow = np.linalg.norm(np.diff(before, axis=0), axis=-1) < 2e-4
        assert slow.any()
        still = np.linalg.norm(np.diff(after, axis=0), axis=-1) < 5e-4
        assert still.mean() > 0.7 * slow.mean()
