"""Leave one out: each recording of a family made from the others, beside two plainer ways.

``python -m tests.model.families DATA [FAMILY ...]`` reads ``DATA/*/family.json`` and prints a row a family: the mean
distance of joints from the recording that was left out, at the same canonical times, made by a model, by the nearest
recording bent to the goal, and by plain blending in normalised time; at worst, how far goals and
planted feet are missed.
Walks and runs are compared over the longest row of footsteps that all of a family have.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character
from mummer.clip.motions import of
from mummer.clip.time_warp import TimeWarp
from mummer.clip.weighted import Weighted
from mummer.errors import MummerError
from mummer.ik import WorldState
from mummer.io import load
from mummer.model import Action, Setting, Values, load_model
from mummer.model.act import Placing, finished
from mummer.model.jumping import landed
from mummer.model.performed import Rough, origin_of
from mummer.model.recorded import Bound, aligned, bind_motion, blended, in_step, weights_of
from mummer.model.style import BaseMotion

LIMBS = {
    "rhand": ("right_hand", "front_right_foot"), "lhand": ("left_hand", "front_left_foot"),
    "rfoot": ("right_foot", "hind_right_foot"), "lfoot": ("left_foot", "hind_left_foot"),
}  # fmt: skip
"""Roles of the parts that families name; a body that was taken for one on four legs has others."""
SAMPLES = 60
GOAL = {"jump": "to", "walk": "to", "reach": "target", "sit": "seat"}
STILL = np.array([0.0, 0.0, 0.0, 1.0])


@dataclass
class Row:
    """What a family came to; metres, metres, millimetres."""

    family: str
    trials: int
    model: list[float]
    nearest: list[float]
    plain: list[float]
    goals: list[float]
    feet: list[float]


def kind_of(trial: dict[str, object]) -> str:
    """The model that the parameters of a trial speak of; empty if none does."""
    parameters = trial.get("parameters") or {}
    assert isinstance(parameters, dict)
    if "takeoff_s" in parameters and "landing_s" in parameters:
        return "jump"
    if parameters.get("limb") in LIMBS and "extreme_time_s" in parameters:
        return "reach"
    if "lowest_time_s" in parameters:
        return "sit"
    return "walk" if "mean_speed_m_s" in parameters else ""


def motion_of(trial: dict, model: str, body: Character) -> BaseMotion:  # type: ignore[type-arg]
    """The annotation of a trial, as its family tells it."""
    skip = trial.get("skip_frames", 0) / trial.get("fps", 30.0)
    said = trial["parameters"]
    if model == "jump":
        times = {"takeoff": skip + said["takeoff_s"], "landing": skip + said["landing_s"]}
        return BaseMotion(trial["trial"], trial["path"], begin=skip or None, key_times=times)
    if model == "walk":
        return BaseMotion(trial["trial"], trial["path"], begin=skip or None)
    if model == "sit":
        return BaseMotion(
            trial["trial"], trial["path"], begin=skip or None, key_times={"achieve": skip + said["lowest_time_s"]}
        )
    times = {"achieve": skip + said["extreme_time_s"]}
    assert body.anatomy is not None
    part = next((role for role in LIMBS[said["limb"]] if role in body.anatomy.roles), "")
    return BaseMotion(trial["trial"], trial["path"], begin=skip or None, key_times=times, part=part)


def bound(folder: Path, family: dict, model: str) -> tuple[Bound, ...]:  # type: ignore[type-arg]
    """The trials of a family on the body of the first."""
    found, character = [], None
    for trial in family["trials"]:
        if kind_of(trial) != model:
            continue
        skeleton = family.get("skeleton")
        options: dict[str, object] = {}
        if skeleton and trial["path"].endswith(".skm"):
            options["skeleton"] = str(folder / skeleton)
        if any("metres_per_unit=0.01" in note for note in family.get("notes", ())):
            options["metres_per_unit"] = 0.01
        clip = of(load(folder / trial["path"], **options))
        motion = motion_of(trial, model, clip.body)
        character = clip.body if character is None else character
        found.append(bind_motion(character, load_model(model), motion, clip))
    known = load_model(model)
    return aligned(in_step(found, known) if model == "walk" else found, known)


def tracks(clip, times: FloatArray) -> FloatArray:  # type: ignore[no-untyped-def]
    """(T, J, 3) where joints are."""
    return WorldState(clip.body, clip.sample(times)).positions


def apart(made: FloatArray, wanted: FloatArray) -> float:
    """Metres, the mean over joints and moments."""
    return float(np.linalg.norm(made - wanted, axis=-1).mean())


def wish(left: Bound, model: str) -> Values:
    """What is asked of the others: the goal of the one that is left out."""
    found = {GOAL[model]: Setting(left.values[GOAL[model]])}
    if model == "walk":
        found["pace"] = Setting(left.values["pace"])
    if model == "jump":
        flight = left.key_times["landing"] - left.key_times["takeoff"]
        found["apex"] = Setting(9.80665 * flight**2 / 8)
    return Values(found)


def made_of(rough: Rough, model: str, values: Values) -> Action:
    """The action that a rough motion becomes."""
    origin = origin_of(rough.clip.body)
    return finished(rough, load_model(model), values, Placing(origin, origin, STILL))


def plain(others: list[Bound], weights: FloatArray, samples: FloatArray) -> FloatArray:
    """(T, J, 3) the mean of the others by weight, each stretched to one length."""
    seconds = float(weights @ [one.clip.duration for one in others])
    warped = [TimeWarp(one.clip, ((0.0, 0.0), (one.clip.end, seconds))) for one in others]
    return tracks(Weighted(tuple(warped), tuple(weights.tolist())), samples * seconds)


def leave_out(motions: tuple[Bound, ...], place: int, model: str, row: Row) -> None:
    """Make one of the motions from the others, in three ways."""
    left, others = motions[place], [one for number, one in enumerate(motions) if number != place]
    values = wish(left, model)
    origin = origin_of(left.clip.body)
    weights = weights_of(others, load_model(model), values, origin)
    shares = np.linspace(0.0, 1.0, SAMPLES)
    samples = left.key_times.canonical(shares * left.clip.end)
    wanted = tracks(left.clip, shares * left.clip.end)

    def error(action: Action) -> float:
        return apart(tracks(action.clip, action.key_times.seconds(samples)), wanted)

    action = made_of(blended(others, weights, load_model(model)), model, values)
    row.model.append(error(action))
    away = [np.linalg.norm(np.subtract(one.values[GOAL[model]], left.values[GOAL[model]])) for one in others]
    nearest = np.zeros(len(others))
    nearest[int(np.argmin(away))] = 1.0
    row.nearest.append(error(made_of(blended(others, nearest, load_model(model)), model, values)))
    row.plain.append(apart(plain(others, weights, shares), wanted))
    count = 0 if model in ("jump", "walk") else 1
    misses = np.array(action.misses)
    row.goals.append(1000 * (float(misses[len(misses) - count :].max()) if count else _off(action, left)))
    row.feet.append(1000 * float(misses[: len(misses) - count].max(initial=0.0)))


def _off(action: Action, left: Bound) -> float:
    """Metres over the ground from where feet come to stand to where those of the recording do, from the start."""
    end = action.key_times["landing"] if "landing" in action.key_times.names else action.key_times.end
    return float(np.linalg.norm((landed(action.clip, action.footsteps, end) - left.values["to"])[[0, 2]]))


def study(folder: Path) -> Row | str:
    """One family; why it was not tried if it was not."""
    family = json.loads((folder / "family.json").read_text(encoding="utf-8"))
    kinds = [kind_of(trial) for trial in family["trials"]]
    model = max(set(kinds), key=kinds.count) if kinds else ""
    if not model or kinds.count(model) < 2:
        return f"{family['family']}: poses or single trials, nothing to leave out"
    motions = bound(folder, family, model)
    row = Row(family["family"], len(motions), [], [], [], [], [])
    for place in range(len(motions)):
        leave_out(motions, place, model, row)
    return row


def say(line: str) -> None:
    """A line of the table."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main(arguments: list[str]) -> None:
    """Print the table."""
    data, names = Path(arguments[0]), arguments[1:]
    say(f"{'family':<26}{'trials':>7}{'model':>9}{'nearest':>9}{'plain':>9}{'goal mm':>9}{'feet mm':>9}{'s':>6}")
    for path in sorted(data.glob("*/family.json")):
        if names and path.parent.name not in names:
            continue
        begun = time.perf_counter()
        try:
            row = study(path.parent)
        except MummerError as error:
            row = f"{path.parent.name}: {error}"
        if isinstance(row, str):
            say(row)
            continue
        means = [f"{100 * float(np.mean(each)):.2f}" for each in (row.model, row.nearest, row.plain)]
        worst = [f"{max(each):.2f}" for each in (row.goals, row.feet)]
        say(f"{row.family:<26}{row.trials:>7}" + "".join(f"{each:>9}" for each in (*means, *worst))
              + f"{time.perf_counter() - begun:>6.0f}")  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1:])
