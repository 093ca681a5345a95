"""Can sketches be told apart by how joints move? python -m tests.script.told_apart

Twelve sketches of twenty actions by one body; a small classifier (linear discriminants on features of joint motion,
learned on some actions) says which sketch it was, on actions that it never saw. Features compare nothing with the
action without a sketch: an onlooker does not know it either. It takes from `mummer.script` the sketched clips alone.
"""
# ruff: noqa: T201

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

import mummer as mm
from mummer.clip import Clip

Array = NDArray[np.float64]
ACTIONS = (
    "wave", "nod", "shake_head", "bow", "beckon", "point", "clap", "cheer", "look_around", "punch", "throw", "scratch",
    "beg", "hands_on_hips", "rub_chin", "eat_fruit", "hand_over", "pick_up", "dance_sway", "walk",
)  # fmt: skip
SKETCHES = (
    "old_man", "energetic", "dejected", "proud", "nervous", "angry", "timid", "drunk", "robot", "graceful", "sneaky",
    "childlike",
)  # fmt: skip
FOLDS, RATE, RIDGE = 5, 40.0, 0.3
PARTS = ("hips", "spine", "chest", "neck", "head", "left_upper_arm", "left_forearm", "right_upper_arm", "right_forearm")


def features(clip: Clip) -> Array:
    """Of each part its usual turn, how far it strays, how fast and jerky it is; and the body as a whole."""
    times = clip.start + np.arange(max(8, int(clip.duration * RATE))) / RATE
    pose = clip.sample(times)
    anatomy = clip.body.anatomy
    assert anatomy is not None
    joints = [anatomy.roles[part] for part in PARTS if part in anatomy.roles]
    turns = pose.rotations[:, joints]
    turns = turns * np.where((turns * clip.body.skeleton.rest_rotations[joints]).sum(-1, keepdims=True) < 0, -1.0, 1.0)
    speed = 2.0 * np.linalg.norm(np.diff(turns, axis=0), axis=-1) * RATE
    jerky = np.abs(np.diff(speed, axis=0)) * RATE
    places = mm.world_positions(clip.body.skeleton, pose)
    height = places[..., 1].max(axis=1) / anatomy.height
    pace = np.sqrt((np.diff(places, axis=0) ** 2).sum(-1).mean(axis=1)) * RATE / anatomy.height
    spectrum = np.abs(np.fft.rfft((speed - speed.mean(axis=0)) * np.hanning(len(speed))[:, None], axis=0)).mean(axis=1)
    hertz = np.fft.rfftfreq(len(speed), 1.0 / RATE)
    bands = [spectrum[(hertz >= a) & (hertz < b)].mean() if ((hertz >= a) & (hertz < b)).any() else 0.0
             for a, b in ((0.0, 1.0), (1.0, 2.5), (2.5, 4.0), (4.0, 6.2), (6.2, 8.0), (8.0, 20.0))]  # fmt: skip
    return np.concatenate([
        np.median(turns, axis=0).ravel(), turns[0].ravel(), turns.std(axis=0).ravel(), np.log1p(speed.mean(axis=0)),
        np.log1p(np.quantile(speed, 0.1, axis=0)), np.log1p(jerky.mean(axis=0)), np.log1p(bands),
        [height.mean(), height.std(), np.log(clip.duration), np.log1p(pace.mean()), (pace < 0.05).mean()],
    ])  # fmt: skip


def discriminants(x: Array, y: Array) -> tuple[Array, Array]:
    """Means of classes, and the inverse of what varies within them, kept from being singular."""
    means = np.stack([x[y == label].mean(axis=0) for label in range(len(SKETCHES))])
    within = x - means[y]
    spread = within.T @ within / len(x)
    spread = (1 - RIDGE) * spread + RIDGE * np.trace(spread) / len(spread) * np.eye(len(spread))
    return means, np.linalg.inv(spread)


def told(x: Array, means: Array, inverse: Array) -> Array:
    away = x[:, None] - means[None]
    return np.einsum("nci,ij,ncj->nc", away, inverse, away).argmin(axis=1)


def held_out(x: Array, y: Array, action: Array) -> Array:
    """What each clip is taken for by a classifier that knows none of its action."""
    found = np.full(len(x), -1)
    for fold in range(FOLDS):
        test = action % FOLDS == fold
        scale = x[~test].std(axis=0) + 1e-6
        middle = x[~test].mean(axis=0)
        means, inverse = discriminants((x[~test] - middle) / scale, y[~test])
        found[test] = told((x[test] - middle) / scale, means, inverse)
    return found


def main() -> None:
    from mummer.errors import InputError
    from mummer.recognition import recognized
    from mummer.script import Rehearsal

    parser = argparse.ArgumentParser()
    parser.add_argument("--body", default="zoo:adult")
    body = recognized(mm.load(parser.parse_args().body))
    rows, labels, actions = [], [], []
    for number, action in enumerate(ACTIONS):
        try:
            clip = mm.perform(body, action, **({"duration": 4.0} if action == "walk" else {}))
        except InputError:
            continue
        take = Rehearsal.of_clip(clip)
        for label, sketch in enumerate(SKETCHES):
            rows.append(features(take.sketch(sketch).clip))
            labels.append(label)
            actions.append(number)
    x, y, action_of = np.array(rows), np.array(labels), np.array(actions)
    found = held_out(x, y, action_of)
    print(f"{(found == y).mean():.1%} of {len(y)} right, on actions never seen; chance is {1 / len(SKETCHES):.1%}")
    shuffled = np.random.default_rng(1).permutation(y)
    print(f"{(held_out(x, shuffled, action_of) == shuffled).mean():.1%} with labels shuffled")
    for label, sketch in enumerate(SKETCHES):
        mine = found[y == label]
        wrong = [SKETCHES[other] for other in mine if other != label]
        print(f"  {sketch:<10} {(mine == label).mean():5.0%}  {' '.join(wrong)}")


if __name__ == "__main__":
    main()
