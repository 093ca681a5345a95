"""Speech on bodies: lips on the skin, jaws, mandibles and heads, sounds, syncs and what is cut off."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mummer.behavior import Performer, make
from mummer.behavior.speech import Phone, Utterance, say, synthesize
from mummer.errors import InputError
from mummer.zoo import body
from tests.behavior import lips

TEXT = "My baby put five maps by the shop."


def entry(said: Utterance) -> dict[str, dict[str, list[tuple[float, float, str]]]]:
    return {"tiers": {"phones": [(phone.start, phone.end, phone.symbol) for phone in said.phones]}}


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Utterance, float]:
    said = say("zoo:adult", synthesize(TEXT), gestures=False)
    file = tmp_path_factory.mktemp("speech") / "said.glb"
    said.clip.save(file)
    return file, said.utterance, said.start


def test_lips_close_on_the_skin_for_every_b_m_and_p(spoken: tuple[Path, Utterance, float]) -> None:
    file, utterance, start = spoken
    found = lips.seen(file, entry(utterance), start)
    assert len(found.closed) == 8
    assert max(found.closed) == 0.0
    assert max(found.shapes) <= lips.LATE
    assert found.widest > 0.01


def test_the_judge_sees_lips_that_are_late(spoken: tuple[Path, Utterance, float]) -> None:
    file, utterance, start = spoken
    found = lips.seen(file, entry(utterance), start + 0.15)
    assert max(found.closed) > 0.0 or max(found.shapes) > lips.LATE


def test_the_judge_sees_lips_that_do_not_close(tmp_path: Path) -> None:
    open_mouthed = Utterance("", tuple(phone if phone.symbol not in "pbm" else Phone("a", phone.start, phone.end)
                                       for phone in synthesize(TEXT).phones))  # fmt: skip
    said = say("zoo:adult", open_mouthed, gestures=False)
    said.clip.save(tmp_path / "said.glb")
    assert max(lips.seen(tmp_path / "said.glb", entry(synthesize(TEXT)), said.start).closed) > 0.0


def test_what_is_heard_goes_with_what_is_seen() -> None:
    utterance = synthesize("Good evening.")
    said = say("zoo:adult", utterance, gestures=False)
    assert said.audio.duration == pytest.approx(said.clip.duration, abs=0.001)
    assert said.audio.loudness(np.array([0.5 * said.start]))[0] == 0.0
    vowel = next(phone for phone in utterance.phones if phone.stress)
    assert said.audio.loudness(np.array([said.start + 0.5 * (vowel.start + vowel.end)]))[0] > 0.03


@pytest.mark.parametrize("name", ["crab", "bird", "two_headed"])
def test_jaws_of_any_kind_open_and_close(name: str) -> None:
    character = body(name)
    said = say(character, synthesize("Papa Bob."), morphs=False, gestures=False)
    poses = said.clip.sample(np.arange(0.0, said.clip.duration, 1 / 120))
    rest = character.default_pose.rotations
    for jaw in character.anatomy.capabilities["jaw"]:
        turn = 2 * np.arccos(np.clip(np.abs((poses.rotations[:, jaw] * rest[jaw]).sum(axis=1)), 0.0, 1.0))
        assert turn.max() > 0.1
        for phone in said.utterance.phones:
            if phone.symbol in "pb":
                middle = round((said.start + 0.5 * (phone.start + phone.end)) * 120)
                assert turn[middle] < 0.1 * turn.max()


def test_a_body_without_a_mouth_moves_its_head_and_says_so() -> None:
    adult = body("adult")
    capabilities = {name: () if name in ("jaw", "mouth") else joints for name, joints in
                    adult.anatomy.capabilities.items()}  # fmt: skip
    roles = {role: joint for role, joint in adult.anatomy.roles.items() if role != "jaw"}
    mute = adult.replace(
        anatomy=replace(adult.anatomy, capabilities=capabilities, roles=roles),
        meshes=tuple(replace(mesh, morphs=()) for mesh in adult.meshes),
    )
    said = say(mute, synthesize("Papa Bob."), gestures=False)
    assert "no mouth that opens; its head moves along" in str(said.report)


def test_marks_are_sync_points_and_speech_cannot_be_in_two_places() -> None:
    who = Performer("zoo:adult")
    speech = make("speech", who, text="one two three", marks={"tm": 4})
    assert list(speech.syncs) == ["start", "tm", "end"]
    assert 0.1 < speech.syncs["tm"] < speech.syncs["end"]
    with pytest.raises(InputError, match="needs its transcript"):
        make("speech", who, audio=synthesize("hi").sound)


def test_a_speech_that_is_cut_off_closes_its_mouth_and_is_silent() -> None:
    who = Performer("zoo:adult")
    running = who.start(make("speech", who, text="aaah aaah aaah aaah"))
    jaw = [who.character.morph_names.index(f"viseme_{sound}") for sound in ("aa", "E", "O")]
    shown = []
    for frame in range(90):
        if frame == 40:
            who.stop(running)
        shown.append(float(who.step(1 / 60).pose.morphs[jaw].sum()))
    assert shown[39] > 0.2
    assert shown[60] < 0.02
    assert np.abs(np.diff(shown)).max() < 0.35
    assert len(who.sounds[0].samples) / who.sounds[0].rate == pytest.approx(40 / 60, abs=0.02)


def test_expressions_come_stay_and_go() -> None:
    who = Performer("zoo:adult")
    who.face.life = None
    who.start(make("face", who, lexeme="joy"))
    smile = who.character.morph_names.index("smile_left")
    shown = [float(who.step(1 / 60).pose.morphs[smile]) for _ in range(130)]
    assert shown[0] < 0.05
    assert shown[60] == pytest.approx(0.9, abs=0.05)
    assert shown[-1] == 0.0
    assert np.abs(np.diff(shown)).max() < 0.12
    with pytest.raises(InputError, match="nothing in its face"):
        make("face", Performer("zoo:crab"), lexeme="joy")
    with pytest.raises(InputError, match="one of them only"):
        make("face", who)


def test_brows_and_head_stress_what_the_voice_stresses() -> None:
    who = Performer("zoo:adult")
    who.face.life = None
    speech = make("speech", who, text="This is a wonderful morning.")
    plain = make("speech", who, text="This is a wonderful morning.", emphasis=0.0)
    word = next(word for word in speech.utterance.words if word.text == "wonderful")  # type: ignore[attr-defined]
    assert speech.stress(word.start) == 1.0  # type: ignore[attr-defined]
    assert plain.stress(word.start) == 0.0  # type: ignore[attr-defined]
