"""What is printed of things, in one short line, and what a notebook shows."""

from __future__ import annotations

import pytest

import mummer as mm
from mummer.notebook import shown

ADULT = mm.zoo.body("adult")
WAVE = mm.perform(ADULT, "wave")
LINES = {
    "Character('adult', humanoid, 1.77 m, 65 joints, 10 meshes, 17018 vertices, 0 recordings)": ADULT,
    "2 recordings: wave, nod)": ADULT.with_recordings(WAVE.to_recording(5), WAVE.to_recording(5, name="nod")),
    "Anatomy('humanoid', 1.77 m, ": ADULT.anatomy,
    "limbs: left_arm, right_arm, left_leg, right_leg, head_and_neck)": ADULT.anatomy,
    "Recording('wave', 2.6 s, 14 key times, 65 joints)": WAVE.to_recording(5),
    "Performance(adult, 'wave', 313 key times, variants=('left_hand',)), from 0 to 2.6 s": WAVE,
    "Sampled(adult, 'wave', 14 key times), from 0 to 2.6 s": mm.clip.bake(WAVE, 5),
    "Pose(65 joints)": mm.Pose.rest(ADULT.skeleton),
    "Pose(2 poses of 65 joints": WAVE.sample([0.0, 1.0]),
    "Report(0 findings)": mm.Report(),
    "Measure(foot_skate ": mm.measure.foot_skate(WAVE),
    "Animation('wave', 2.6 s, ": mm.general.animation("wave"),
    " kg, 65 joints)": ADULT.mass,
    "65 joints limited)": ADULT.limits,
    "Mesh(": ADULT.meshes[0],
    "Curve('rotation', 65 targets, 14 keys, linear)": WAVE.to_recording(5).curves[0],
}


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[:30])
def test_things_print_in_one_line(line: str) -> None:
    assert line in repr(LINES[line])
    assert len(repr(LINES[line])) < 500
    assert "\n" not in repr(LINES[line])


def test_reports_print_their_findings() -> None:
    report = mm.Report((mm.Finding("guessed", "the unit is metres"),))
    assert repr(report) == "Report(1 finding)\n  guessed: the unit is metres"


@pytest.mark.parametrize("thing", [ADULT, mm.clip.bake(WAVE, 5)], ids=["character", "clip"])
def test_notebooks_show_a_picture(thing: mm.Character | mm.clip.Clip) -> None:
    text = thing._repr_html_()
    assert text.startswith(f"<pre>{type(thing).__name__}(")
    assert 'src="data:image/png;base64,iVBOR' in text


def test_what_cannot_be_drawn_is_told_in_a_line() -> None:
    assert shown(3) == "<pre>3</pre>"
