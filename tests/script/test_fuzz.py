"""Whatever is written in either language is planned and performed, or refused in one line."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from mummer.errors import MummerError
from mummer.script import Rehearsal, script_from_text, sketch_from_text
from mummer.script.property import Property, built_in
from mummer.script.words import MADE

USUAL = st.floats(0.0, 1.0).map(lambda number: f"{number:.4f}")
ODD = st.sampled_from(["0", "-1", "1.8", "1e-9", "1e9", "1e308", "-0.0", "nan", "inf", "7", "3", "-0.3"])
NUMBERS = st.integers(0, 9).flatmap(lambda chance: ODD if chance == 0 else USUAL)
WHOLE = st.sampled_from([*"1234", "64", "0", "-1", "0.5"])
DOFS = [
    "neck_y",
    "forearm_x",
    "left_elbow bend",
    "spine twist",
    "tail sway",
    "head bend",
    "wing sway",
    "third_eye bend",
]
NAMES = {"file": "oldMan.shp", "name": "dejected", "dof": "neck_y", "part": "right_hand", "other": "nod"}
ADDRESSES = st.sampled_from(
    ["*", "lift", "nod", "* 1", "* * 1", "lift 1 2", "* 9 9", *(f"* * * {dof}" for dof in DOFS)]
)


def words(name: str, hint: Any) -> st.SearchStrategy[list[str]]:
    """Words for a parameter, mostly of its kind."""
    if get_origin(hint) is Literal:
        return st.sampled_from([[str(choice)] for choice in get_args(hint)])
    if get_origin(hint) is tuple:
        inner, *more = get_args(hint)
        if name == "beats":
            return st.sampled_from([["1"], ["1", "2"], ["1.5", "2"], ["2", "1"], []])
        count = 3 if Ellipsis in more else len(get_args(hint))
        return st.lists(words(name, inner), min_size=count, max_size=count).map(
            lambda lists: [word for each in lists for word in each]
        )
    if hint in (float, int):
        return (WHOLE if hint is int else NUMBERS).map(lambda word: [word])
    return st.integers(0, 9).map(lambda chance: ["nobody"] if chance == 0 else [NAMES.get(name, "lift")])


@st.composite
def lines(draw: st.DrawFn, braces: bool = True) -> str:
    kind: type[Property] = draw(st.sampled_from(sorted(built_in().values(), key=lambda kind: kind.__name__)))
    hints = get_type_hints(kind)
    fields = [field for field in dataclasses.fields(kind) if not field.metadata.get(MADE)]
    said = [word for field in fields for word in draw(words(field.name, hints[field.name]))]
    if braces:
        return " ".join([kind.__name__, "{", draw(ADDRESSES), "}", *said])
    return " ".join([kind.__name__, *(["{", draw(st.sampled_from(DOFS)), "}"] if draw(st.booleans()) else []), *said])


@st.composite
def sketches(draw: st.DrawFn) -> str:
    said = draw(st.lists(lines(), min_size=1, max_size=6))
    if draw(st.booleans()):
        said = ["when mood tired > 0.2", *said, "end"]
    return "\n".join(said)


@st.composite
def scripts(draw: st.DrawFn) -> str:
    said = ["script made"]
    for name in ("lift", "nod"):
        said.append(f"action {name}")
        for _ in range(draw(st.integers(1, 2))):
            said += ["pose", *draw(st.lists(lines(braces=False), max_size=3)), "SetDOFValue {head bend} ABS 0.3"]
    said += ["track one", "do lift", f"space {draw(NUMBERS)}", "do nod times 2", "track two", "do nod"]
    said += ["link lift nod"] if draw(st.booleans()) else []
    return "\n".join([*said, "edits", *draw(st.lists(lines(), max_size=3))])


def refusal(text: str, make: Callable[[str], Rehearsal]) -> str:
    """Plan and perform; what comes out is a motion, or a line that says why there is none."""
    try:
        take = make(text)
        clip = take.clip
    except MummerError as refused:
        event("refused")
        return str(refused)
    pose = clip.sample(np.linspace(0.0, clip.end, 5))
    assert np.isfinite(pose.rotations).all()
    assert take.plan.duration < 1e5
    event("performed")
    return ""


LIFT = """
action lift
  pose
    SetDOFValue {left_upper_arm sway} ABS 1
    SetDuration ABS 0.2
  pose
    SetDOFValue {left_upper_arm sway} ABS 0
    SetDuration ABS 0.2
track arm
  do lift
"""


def sketched(text: str) -> Rehearsal:
    return Rehearsal.of_script(script_from_text(LIFT), "zoo:adult").sketch(sketch_from_text(text)).in_mood(tired=0.5)


def scripted(text: str) -> Rehearsal:
    return Rehearsal.of_script(script_from_text(text), "zoo:adult")


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(sketches())
def test_any_sketch_is_performed_or_refused_in_one_line(text: str) -> None:
    assert len(refusal(text, sketched).splitlines()) <= 1


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(scripts())
def test_any_script_is_performed_or_refused_in_one_line(text: str) -> None:
    assert len(refusal(text, scripted).splitlines()) <= 1
