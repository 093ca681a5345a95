"""How long a play of sixty actions takes: python -m tests.stage.edits [--body zoo:adult] [--profile].

The first cut, every action changed once by itself (median and worst), all frames of the final cut sampled, and a cut of
as many actions as a minute takes, from nothing to its last frame. Times are CPU seconds, as on a quiet core.
"""

from __future__ import annotations

import argparse
import cProfile
import itertools
import pstats
import sys
import time
from typing import Any

import numpy as np

import mummer as mm
from mummer.model.tweak import Tweak
from mummer.stage.director import Director

DOES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("reach", {"target": (0.25, 0.75, 0.25)}), ("peer", {"target": (0.5, 0.9, 2.0)}), ("wave", {}),
    ("walk", {}), ("throw", {"target": (0.3, 0.6, 3.0)}), ("shrug", {}), ("jump", {}),
    ("point", {"target": (0.6, 0.7, 1.5)}), ("nod", {}), ("check_watch", {}),
)  # fmt: skip
"""Models, and places that they are about, in heights of the body, before who stands where it does."""
MINUTE, RATE = 60.0, 60.0
"""Seconds of the final cut that is timed from nothing, and its frames a second."""
MOVED = (0.03, 0.02, 0.01)
"""Metres by which an edit moves a target."""


def sixty(spec: str, count: int) -> mm.Play:
    """A play of ``count`` actions of one actor."""
    body = mm.load(spec)
    assert body.anatomy is not None
    tall = body.anatomy.height
    play, here = mm.Play("sixty").actor("a", body), np.zeros(3)
    for number, (model, said) in zip(range(count), itertools.cycle(DOES), strict=False):
        values = {name: tuple((here + tall * np.asarray(place)).tolist()) for name, place in said.items()}
        if model in ("walk", "jump"):
            here = here + np.array([0.0, 0.0, (1.5 if model == "walk" else 0.4) * tall])
            values["to"] = tuple(here.tolist())
        play = play.do("a", model, name=f"a{number}", **values)
    return play


def changed(play: mm.Play, name: str) -> mm.Play:
    """The play with one action done otherwise: its target a hand's breadth elsewhere, or its arm raised a little."""
    doing = next(each for each in play.doings if each.name == name)
    if "target" in doing.values:
        return play.changed(name, values={"target": tuple(np.add(doing.values["target"], MOVED).tolist())})
    return play.tweaked(name, Tweak(1.5, "left_upper_arm", turn=(10.0, 0.0, 0.0)))


def timed(what: Any) -> tuple[float, Any]:
    """CPU seconds that something takes, and what it gives."""
    begun = time.process_time()
    found = what()
    return time.process_time() - begun, found


def main() -> None:
    """Time and tell."""
    reader = argparse.ArgumentParser(prog="python -m tests.stage.edits", description=__doc__)
    reader.add_argument("--body", default="zoo:adult")
    reader.add_argument("--count", type=int, default=60)
    reader.add_argument("--every", type=int, default=1, help="change one action in so many")
    reader.add_argument("--profile", default="", choices=["", "first", "edits", "final"])
    told = reader.parse_args()
    Director().cut(sixty(told.body, 10))  # Compiled, and the body known.
    play, director, watch = sixty(told.body, told.count), Director(), cProfile.Profile(time.process_time)
    _on(watch, told.profile == "first")
    first, cut = timed(lambda: director.cut(play))
    watch.disable()
    clip = cut.clips["a"]
    times = clip.times(RATE)
    _on(watch, told.profile == "final")
    again, _ = timed(lambda: clip.sample(times))
    watch.disable()
    _on(watch, told.profile == "edits")
    edits = {
        doing.name: timed(lambda each=doing: director.cut(changed(play, each.name)))[0]
        for doing in play.doings[:: told.every]
    }
    watch.disable()
    took, slowest = list(edits.values()), max(edits, key=lambda name: edits[name])
    model = next(each.model for each in play.doings if each.name == slowest)
    sys.stdout.write(
        f"{told.count} actions, {clip.duration:.1f} s, {len(clip.body.skeleton)} joints: first cut {first:.2f} s; "
        f"{len(took)} edits, median {np.median(took):.3f} s, worst {max(took):.3f} s ({model}); "
        f"{len(times)} frames of the final cut {again:.2f} s\n"
    )
    count = sum(done.begin < MINUTE for done in cut.done.values())
    whole, frames = timed(lambda: _final(sixty(told.body, count)))
    sys.stdout.write(
        f"a final cut of {min(frames / RATE, MINUTE):.0f} s, {count} actions, {len(clip.body.skeleton)} joints, "
        f"from nothing: {whole:.2f} s\n"
    )
    by_model: dict[str, list[float]] = {}
    for doing in play.doings[:: told.every]:
        by_model.setdefault(doing.model, []).append(edits[doing.name])
    sys.stdout.write(", ".join(f"{name} {np.median(each):.3f}" for name, each in by_model.items()) + "\n")
    if told.profile:
        pstats.Stats(watch).sort_stats("cumulative").print_stats(70)


def _final(play: mm.Play) -> int:
    """The frames of a minute of a play that nobody has cut yet."""
    clip = Director().cut(play).clips["a"]
    return len(clip.sample(clip.times(RATE)[: round(MINUTE * RATE)]))


def _on(watch: cProfile.Profile, wanted: bool) -> None:
    if wanted:
        watch.enable()


if __name__ == "__main__":
    main()
