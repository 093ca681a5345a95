"""Annotate: what a recording shows, proposed: the part that acts, its key times, footsteps, and where it goes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.character.marks import Mark
from mummer.clip.analysis.feet import known_feet
from mummer.clip.analysis.spells import spells
from mummer.clip.clip import Clip
from mummer.clip.motions import MotionLike, as_clip
from mummer.clip.pivot import pivot_to
from mummer.clip.retimed import Shift
from mummer.clip.standing import Standing
from mummer.clip.trajectory import GRAVITY
from mummer.errors import InputError
from mummer.ik.constraints.plant import footholds, stands_of
from mummer.ik.world_state import WorldState
from mummer.model.key_times import KeyTimes
from mummer.model.model import Model, load_model
from mummer.model.performed import filled

RATE = 60.0
"""Frames a second that are looked at."""
LEFT = 0.05
"""Part of its way out by which a part that lets go of its goal is away from it."""
SLOW = 0.15
"""Part of its highest speed below which a part has calmed down."""
LIFTED, LOW, SHORTEST = 0.03, 10, 0.1
"""Leg lengths above where it usually is (that percentile of its height) that a foot in the air is, and for how long."""
HOP, TOGETHER, FAR, FROUDE = 0.2, 0.6, 0.8, 0.5
"""Seconds that a jump is in the air at least, and part of the time that any foot is that all are; leg lengths that a
way goes; speed squared, over gravity and leg length, from which on legs run."""
TIPS = ("hand", "foot", "head", "jaw")
SURE = 1.5
"""How many times as far as a hand another part must move to be taken for the one that acts."""


@dataclass(frozen=True, eq=False)
class Proposal:
    """What is seen in a motion.

    Attributes:
        clip: the motion, from zero on.
        part: the role of the part that acts; empty if the body has none that could.
        times: (T,) seconds that were looked at.
        tracks: (T, 3) where the part is, seen from the hips as they stand when the motion begins.
    """

    clip: Clip
    part: str
    times: FloatArray
    tracks: FloatArray

    @cached_property
    def stands(self) -> tuple[Mark, ...]:
        """When heels and toes stand."""
        return footholds(self.clip) if known_feet(self.clip.body) else ()

    @cached_property
    def flight(self) -> tuple[float, float] | None:
        """From when to when all feet are off the ground, if they are for as long as a jump takes."""
        aloft = np.asarray(self._aloft.all(axis=0))
        if not len(self._aloft):
            return None
        longest = max(spells(aloft), key=len, default=None)
        if longest is None or len(longest) < SHORTEST * RATE:
            return None
        return float(self.times[max(longest.first - 1, 0)]), float(self.times[longest.last])

    @cached_property
    def _aloft(self) -> BoolArray:
        """(F, T) whether each foot is in the air."""
        feet = known_feet(self.clip.body)
        heights = WorldState(self.clip.body, self.clip.sample(self.times)).positions[..., 1]
        found = np.zeros((len(feet), len(self.times)), bool)
        for row, foot in enumerate(feet):
            lifted = [heights[:, part] - np.percentile(heights[:, part], LOW) for part in foot.parts]
            found[row] = np.min(lifted, axis=0) > LIFTED * max(each.leg for each in feet)
        return found

    @property
    def jumps(self) -> bool:
        """Whether feet leave the ground and come back together, rather than one after another as in a run."""
        if self.flight is None or self.flight[1] - self.flight[0] < HOP:
            return False
        middle = int(np.argmin(np.abs(self.times - 0.5 * sum(self.flight))))
        spans = [
            len(spell) for row in range(len(self._aloft)) for spell in spells(self._aloft[row])
            if spell.first <= middle <= spell.last
        ]  # fmt: skip
        return (self.flight[1] - self.flight[0]) * RATE > TOGETHER * max(spans)

    def _moments(self, known: Mapping[str, float]) -> dict[str, float]:
        at, tracks = self.times, self.tracks
        away = np.linalg.norm(tracks - tracks[0], axis=1)
        speed = np.linalg.norm(np.gradient(tracks, at, axis=0), axis=1)
        fast = int(np.argmax(speed))
        far = int(np.argmin(np.abs(at - known["achieve"]))) if "achieve" in known else int(np.argmax(away))
        leaves = np.flatnonzero(np.linalg.norm(tracks[far:] - tracks[far], axis=1) > LEFT * away[far])
        release = far + int(leaves[0]) if len(leaves) else len(away) - 1
        calm = np.flatnonzero(speed[release + 1 :] < SLOW * speed[fast])
        after = [place for place in (release + 1 + calm).tolist() if away[place] < 0.5 * away[far]]
        settle = after[0] if after else len(away) - 1
        back = int(np.argmax(away[: fast + 1])) if fast else 0
        slows = np.flatnonzero(speed[fast:] < 0.3 * speed[fast])
        through = fast + int(slows[0]) if len(slows) else len(away) - 1
        return {
            "achieve": float(at[far]), "release": float(at[release]), "settle": float(at[settle]),
            "windup": float(at[back]), "throw": float(at[fast]), "follow_through": float(at[through]),
        }  # fmt: skip

    def key_times(self, names: Sequence[str], known: Mapping[str, float] | None = None) -> dict[str, float]:
        """Those of ``names`` that are known, and proposals for others that can be told, in order."""
        said = {} if known is None else dict(known)
        found = self._moments(said) if len(self.times) > 2 else {}
        if "windup" in names and found:
            found["release"] = found["throw"]
        if "takeoff" in names:
            begin, end = said.get("takeoff"), said.get("landing")
            if begin is None and end is None and self.flight is not None:
                begin, end = self.flight
            found |= {} if begin is None else {"takeoff": begin}
            found |= {} if end is None else {"landing": end, "settle": self._calm(end)}
        kept = dict(said)
        for number, name in enumerate(names):
            if name in found and name not in kept:
                before = [kept[other] for other in names[:number] if other in kept]
                after = [kept[other] for other in names[number:] if other in kept]
                if found[name] >= max(before, default=-np.inf) and found[name] <= min(after, default=np.inf):
                    kept[name] = found[name]
        return kept

    def _calm(self, landing: float) -> float:
        """When the hips have come to rest after a landing."""
        hips = Standing.of(self.clip.body).places(self.clip.frames(self.times))[0]
        speed = np.linalg.norm(np.gradient(hips, self.times, axis=0), axis=1)
        slow = np.flatnonzero((self.times > landing) & (speed < SLOW * speed.max()))
        return float(self.times[slow[0]]) if len(slow) else float(self.times[-1])


def proposed(clip: Clip, part: str | None = None) -> Proposal:
    """What is seen in a motion that starts at zero."""
    times = np.linspace(clip.start, clip.end, max(2, round(clip.duration * RATE) + 1))
    state = WorldState(clip.body, clip.sample(times))
    roles = {} if clip.body.anatomy is None else clip.body.anatomy.roles
    hips, headings = Standing.of(clip.body).places(clip.frames(times))
    del headings

    def track(role: str) -> FloatArray:
        joint = roles[role] if role in roles else clip.body.skeleton.index(role)
        return np.asarray(state.positions[:, joint] - (hips - hips[0]))

    if part:
        return Proposal(clip, part, times, track(part))
    ways = {role: float(np.ptp(track(role), axis=0).max()) for role in roles if role.endswith(TIPS)}
    if not ways:
        return Proposal(clip, "", times, hips)
    hands = [role for role in ways if role.endswith("hand")]
    best = max(ways, key=lambda role: ways[role] * (SURE if role in hands else 1.0))
    return Proposal(clip, best, times, track(best))


@dataclass(frozen=True, eq=False)
class Annotation:
    """A proposal as a style: its text, and what to look at.

    Attributes:
        text: of a style file.
        model: the name of the model.
        clip: the motion, with key times and footsteps marked.
        key_times: as proposed.
        part: the part that acts.
        target: (x, y, z) where it is when it has its goal, seen from who stands at the origin and faces ahead.
        footsteps: marks.
    """

    text: str
    model: str
    clip: Clip
    key_times: KeyTimes
    part: str
    target: tuple[float, ...]
    footsteps: tuple[Mark, ...]


def model_for(seen: Proposal) -> str:
    """The model that a motion seems to be one of: a jump, a way somewhere, or a reach."""
    if seen.jumps:
        return "jump"
    body = seen.clip.body
    legs = [foot.leg for foot in known_feet(body)]
    hips = Standing.of(body).places(seen.clip.frames(seen.times))[0]
    gone = float(np.linalg.norm((hips[-1] - hips[0])[[0, 2]]))
    if legs and gone > FAR * max(legs):
        return "run" if gone / seen.clip.duration > math.sqrt(FROUDE * GRAVITY * max(legs)) else "walk"
    return "reach"


def annotate(motion: MotionLike, *, model: str | Path | Model | None = None, clip: str | None = None, file: str = "",
             skeleton: str = "", part: str | None = None) -> Annotation:  # fmt: skip
    """A style file for a recording, proposed: key times, footsteps, the part that acts and where it goes.

    Args:
        motion: a path, a clip, or a character with recordings.
        model: the model whose key times are looked for; the one that it seems to be if None.
        clip: which of several recordings, by name.
        file: how the style file names the recording; as ``motion`` says if empty.
        skeleton: how it names the skeleton of a motion that comes without.
        part: the part that acts; the one that moves farthest if None.

    Raises:
        InputError: if the motion has no length.
    """
    known = None if model is None else load_model(model)
    given = as_clip(motion, clip, asker="annotate()")
    if not given.duration > 0:
        raise InputError(f"{given.name!r} is a single pose; expected a motion")
    straight = pivot_to(Shift(given, -given.start), (0.0, 0.0, 0.0), 0.0)
    seen = proposed(straight, part)
    found = load_model(model_for(seen)) if known is None else known
    times = filled(found.key_times, seen.key_times(found.key_times), 0.0, straight.end)
    moment = times["achieve"] if "achieve" in times.names else times[found.key_times[len(found.key_times) // 2]]
    target: tuple[float, ...] = ()
    if seen.part:
        target = tuple(WorldState(given.body, straight.sample([moment])).point(seen.part)[0].round(4).tolist())
    named = file or (str(motion) if isinstance(motion, (str, Path)) else given.name)
    marks = (*(Mark(time, name) for name, time in times), *seen.stands)
    from mummer.clip.annotated import Annotated

    return Annotation(
        _text(found, named, clip, skeleton, given.start, seen, times), found.name, Annotated(straight, marks), times,
        seen.part, target, seen.stands,
    )  # fmt: skip


def _text(
    model: Model, file: str, clip: str | None, skeleton: str, start: float, seen: Proposal, times: KeyTimes
) -> str:
    """The style file."""
    import json

    name = Path(file).stem.lower().replace(" ", "_")
    keys = ", ".join(f"{key} = {time + start:.3f}" for key, time in times)
    rows = [
        "version = 1", f"name = {json.dumps(name)}", f"model = {json.dumps(model.name)}", "", "[[motion]]",
        f"file = {json.dumps(file)}",
    ]  # fmt: skip
    rows += [f"clip = {json.dumps(clip)}"] if clip else []
    rows += [f"skeleton = {json.dumps(skeleton)}"] if skeleton else []
    rows += [f"part = {json.dumps(seen.part)}"] if seen.part else []
    rows += [f"key_times = {{{keys}}}"]
    return "\n".join([*rows, *_steps(seen)]) + "\n"


def _steps(seen: Proposal) -> list[str]:
    """Footsteps: each from a lift-off to the strikes that follow it."""
    rows: list[str] = []
    for foot, stands in stands_of(seen.stands).items():
        for before, after in pairwise(stands):
            lift = max(span[1] for span in (before.heel, before.toe) if span is not None)
            rows += ["", "[[motion.footstep]]", f'foot = "{foot}"', f"lift_off = {lift:.3f}"]
            rows += [f"heel_strike = {after.heel[0]:.3f}"] if after.heel is not None else []
            rows += [f"toe_strike = {after.toe[0]:.3f}"] if after.toe is not None else []
    return rows
