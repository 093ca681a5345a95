"""What is asked for again and again is worked out once, and says the same."""

from __future__ import annotations

import numpy as np
import pytest

from mummer import measure
from mummer.character.derive import rest_positions
from mummer.clip.analysis import contacts
from mummer.clip.analysis.contacts import ContactSettings
from mummer.measure import watched
from mummer.measure.watched import remembering, watch
from tests.retargeting.walk import people, walk


def test_a_clip_is_watched_once_while_measures_remember(monkeypatch: pytest.MonkeyPatch) -> None:
    clip, calls = walk(seconds=1.0), []
    plain = watched.places_at

    def counted(*arguments):
        calls.append(arguments)
        return plain(*arguments)

    monkeypatch.setattr(watched, "places_at", counted)
    with remembering():
        assert watch(clip) is watch(clip)
        assert watch(clip) is not watch(clip, rate=30.0)
    assert len(calls) == 2
    assert watch(clip) is not watch(clip)


def test_all_measures_at_once_are_each_by_itself() -> None:
    clip, source = walk("child", seconds=1.0), walk(seconds=1.0)
    every = measure.measures(clip, source)
    marks = contacts(source)
    alone = [measure.foot_skate(clip, marks=marks), measure.bone_direction_error(clip, source), measure.jerk(clip),
             measure.jerk_ratio(clip, source), measure.ground_float(clip, marks=marks)]  # fmt: skip
    for each in alone:
        assert every[each.name].to_json() == each.to_json()


def test_contacts_are_found_once_for_the_same_settings() -> None:
    clip = walk(seconds=1.0)
    assert contacts(clip) is contacts(clip)
    assert contacts(clip, settings=ContactSettings(height=1e-6)) != contacts(clip)


def test_places_at_rest_are_kept_and_cannot_be_written_to() -> None:
    skeleton = people("child").skeleton
    places = rest_positions(skeleton)
    assert rest_positions(skeleton) is places
    with pytest.raises(ValueError, match="read-only"):
        places[0] = np.zeros(3)
