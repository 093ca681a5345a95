"""Learns the weights of the recogniser and says how well they do: ``python -m tests.recognition.learn [--write]``.

Each choice that the recogniser makes is recorded on bodies whose parts are known, and one softmax a decision is fitted
to them. What counts is the figure by *source*: all rigs of one maker are left out of the learning at once, and judged.
"""

# ruff: noqa: T201
from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

from mummer import zoo
from mummer.arrays import FloatArray
from mummer.character import Character, Pose, world_matrices
from mummer.recognition import recognize
from mummer.recognition.learned import Question, Weights, listening, using
from mummer.recognition.reference import is_one_way
from tests.conftest import find_data
from tests.recognition.made_humans import made_human
from tests.recognition.rigs import Rig, judge, load_rigs, other_side
from tests.recognition.variants import NAMINGS, VARIANTS

FILE = Path("src/mummer/recognition/library/weights.json")
SHRINKAGE = 0.5
"""How much large weights cost, beside the mean loss of a question; of 0.3 to 2 the best by source."""

SPECIAL = 4.0
"""How much more it costs that a feature weighs differently on one kind of body."""

MADE = "made"
"""The source of bodies that chance has built: they are never judged, and learned from in every fold."""

MOST_WRONG = 24
"""Of many wrong candidates only those that seem the likeliest are learned from."""

ROUNDS = 2
"""Choices follow from earlier ones: so often are they recorded anew, with the weights learned so far."""


@dataclass(frozen=True, eq=False)
class Lesson:
    """One choice whose right answer is known.

    Attributes:
        source: who made the body.
        question: the choice.
        right: (C,) which candidates are right.
    """

    source: str
    question: Question
    right: FloatArray


def bodies(rigs: Sequence[Rig], *, variants: int, made: int, seed: int = 0) -> Iterator[Rig]:
    """What there is to learn from: rigs as they are and made harder, bodies of the zoo, and those of chance."""
    animals = [
        *(known(zoo.body(name), "zoo") for name in zoo.names()),
        *(known(zoo.random_creature(5000 + seed), MADE) for seed in range(made)),
    ]
    for rig in [*rigs, *animals, *map(made_human, range(5000, 5000 + made))]:
        yield rig
        chance = np.random.default_rng([zlib.crc32(rig.file.encode()), seed])
        for _ in range(variants if rig in rigs else variants // 4):
            yield _harder(rig, chance)


def _harder(rig: Rig, chance: np.random.Generator) -> Rig:
    """One to three changes of a rig, one after the other."""
    every = VARIANTS | {name: NAMINGS[name] for name in ("called by Daz", "called by SMPL")}
    if chance.random() < 0.3:
        rig = NAMINGS["front legs called arms"](rig, chance) or rig
    for name in chance.permutation(sorted(every))[: int(chance.integers(1, 5))]:
        changed = every[str(name)](rig, chance)
        rig = rig if changed is None else changed
    return rig


def known(body: Character, source: str) -> Rig:
    """A body of the zoo as a rig; of legs with three bends hock and paw both count."""
    anatomy = body.anatomy
    assert anatomy is not None
    roles, accepted = dict(anatomy.roles), {}
    heads = anatomy.capabilities.get("head", ())
    if len(heads) == 1:
        roles.setdefault("head", heads[0])
    for limb in anatomy.limbs:
        # Limbs whose joints have no roles of their own are still known to be limbs.
        roles |= {
            f"{limb.side}_{limb.kind}_joint_{joint}": joint
            for joint in limb.joints
            if limb.kind in ("leg", "arm", "wing", "fin")
        }
        for role, joint in anatomy.roles.items():
            if limb.kind == "leg" and role.endswith("foot") and joint in limb.joints and limb.joints.index(joint) >= 3:
                accepted[role] = frozenset({int(body.skeleton.parents[joint])})
    return Rig(
        f"{source}/{body.name}", anatomy.kind, body.replace(anatomy=None), roles, accepted, plain=False, sided=True
    )


def lessons(rigs: Sequence[Rig], weights: Weights) -> list[Lesson]:
    """Every choice that is made on the way to the parts of ``rigs`` and that has a right answer among wrong ones.

    What was asked of a body while it lay on its side is left out.
    """
    found = []
    for rig in rigs:
        with using(weights), listening() as questions:
            recognize(rig.character)
        looks: list[list[Question]] = [[]]
        for question in questions:
            looks[-1].append(question)
            if question.decision == "front":
                looks.append([])
        for look in looks:
            if (
                look[-1:]
                and look[-1].decision == "front"
                and not any(_stands(rig, each) for each in look[-1].candidates)
            ):
                continue
            found += [lesson for question in look if (lesson := _lesson(rig, question, weights)) is not None]
    return found


def _lesson(rig: Rig, question: Question, weights: Weights) -> Lesson | None:
    right = np.array([RIGHT[question.decision](rig, candidate) for candidate in question.candidates], float)
    if not 0 < right.sum() < len(right):
        return None
    known = weights.get(question.decision, {})
    scores = sum((known.get(name, 0.0) * values for name, values in question.features.items()), np.zeros(len(right)))
    kept = np.sort(np.argsort(np.where(right > 0, -np.inf, -scores), kind="stable")[: int(right.sum()) + MOST_WRONG])
    features = {name: values[kept] for name, values in question.features.items()}
    candidates = tuple(question.candidates[place] for place in kept)
    return Lesson(rig.family, Question(question.decision, candidates, features), right[kept])


def _places(rig: Rig) -> FloatArray:
    return np.asarray(world_matrices(rig.character.skeleton, Pose.rest(rig.character.skeleton))[:, :, 3])


def _stands(rig: Rig, candidate: object) -> bool:
    """Whether what was taken for up leads from the feet to what they hang from."""
    feet = [joint for role, joint in rig.joints.items() if role.endswith("foot")]
    tops = [
        joint for role, joint in rig.joints.items() if role.endswith(("upper_leg", "_upper")) and "wing" not in role
    ]
    line = np.array([0.0, 1.0, 0.0])
    if feet and tops:
        line = _places(rig)[tops].mean(axis=0) - _places(rig)[feet].mean(axis=0)
    return float(line @ np.array(candidate)[3:]) > 0.8 * float(np.linalg.norm(line))


def _is(rig: Rig, role: str, joint: object) -> bool:
    return joint == rig.joints.get(role, -1) or joint in rig.accepted.get(role, ())


_LIMBS = (
    ("_upper_arm", "_forearm", "_hand"),
    ("_upper_leg", "_lower_leg", "_foot"),
    ("_upper", "_lower", "_foot"),
    ("_wing_upper", "_wing_lower", "_wing_hand"),
)


@lru_cache(maxsize=4)
def _limbs(rig: Rig) -> list[tuple[str, ...]]:
    """The roles of upper, lower and end of each limb of a rig."""
    return [
        tuple(role.removesuffix(parts[0]) + part for part in parts)
        for role in rig.joints
        for parts in _LIMBS
        if role.endswith(parts[0]) and ("wing" in role) == ("wing" in parts[0])
    ]


def _right_places(rig: Rig, candidate: object) -> bool:
    """Whether the places of a limb, or those of two limbs that were looked at together, are right."""
    assert isinstance(candidate, tuple)
    if isinstance(candidate[0], tuple):
        return all(_right_places(rig, each) for each in candidate)
    return any(
        all(_is(rig, role, joint) for role, joint in zip(roles, candidate, strict=True)) for roles in _limbs(rig)
    )


def _right_line(rig: Rig, candidate: object) -> bool:
    assert isinstance(candidate, tuple)
    return any(_is(rig, "head", joint) for joint in candidate)


def _right_left(rig: Rig, candidate: object) -> bool:
    sides = [[joint for role, joint in rig.joints.items() if side in role] for side in ("left", "right")]
    if not rig.sided or not all(sides) or is_one_way(_places(rig), tuple(rig.character.skeleton.parents.tolist())):
        return False
    left = _places(rig)[sides[0]].mean(axis=0) - _places(rig)[sides[1]].mean(axis=0)
    return float(left @ np.array(candidate)[:3]) > 0.5 * float(np.linalg.norm(left))


def _right_sure(rig: Rig, candidate: object) -> bool:
    assert isinstance(candidate, tuple)
    sure, role, joint = candidate
    if role not in rig.essential:
        return False
    return bool(sure == (_is(rig, role, joint) or _is(rig, other_side(role), joint)))


RIGHT: dict[str, Callable[[Rig, object], bool]] = {
    "places": _right_places,
    "line": _right_line,
    "skull": lambda rig, joint: _is(rig, "head", joint),
    "front": _right_left,
    "sure": _right_sure,
}
"""Decision to whether a candidate is right for a rig."""


class Fit:
    """The lessons of one decision as arrays, ready to be fitted with or without one source."""

    def __init__(self, found: Sequence[Lesson]) -> None:
        self.names = sorted({name for lesson in found for name in lesson.question.features})
        self.sources = np.array([lesson.source for lesson in found])
        spot = {name: place for place, name in enumerate(self.names)}
        counts = [len(lesson.right) for lesson in found]
        self.rows = np.zeros((sum(counts), len(self.names)))
        self.starts = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(int)
        self.owner = np.repeat(np.arange(len(found)), counts)
        self.right = np.concatenate([lesson.right for lesson in found])
        for lesson, start in zip(found, self.starts, strict=True):
            for name, values in lesson.question.features.items():
                self.rows[start : start + len(lesson.right), spot[name]] = values
        many = Counter(self.sources.tolist())
        # Makers of many rigs count for more than makers of few, but not in proportion.
        self.weight = np.array([many[source] ** -0.5 for source in self.sources.tolist()])

    def learn(self, without: str, start: Mapping[str, float]) -> dict[str, float]:
        """The weights that make the right answers likeliest, all lessons of one source left out."""
        weight = self.weight * (self.sources != without)
        weight = weight / weight.sum()
        scale = np.maximum(self.rows.std(axis=0), 1e-6)
        rows = self.rows / scale
        # What a feature counts for on one kind of body keeps near to what it counts for on all.
        special = [":" in name and name.split(": ", 1)[1] in self.names for name in self.names]
        costs = SHRINKAGE / len(weight) ** 0.5 * np.where(special, SPECIAL, 1.0)

        def loss(values: FloatArray) -> tuple[float, FloatArray]:
            scores = rows @ values
            tops = np.maximum.reduceat(scores, self.starts)
            powers = np.exp(scores - tops[self.owner])
            whole = np.add.reduceat(powers, self.starts)
            good = np.add.reduceat(powers * self.right, self.starts)
            chance = powers / whole[self.owner]
            wanted = powers * self.right / np.maximum(good[self.owner], 1e-300)
            slope = rows.T @ ((chance - wanted) * weight[self.owner]) + 2 * costs * values
            total = float(weight @ (np.log(whole) - np.log(np.maximum(good, 1e-300))))
            return total + float(costs @ values**2), slope

        first = np.array([start.get(name, 0.0) for name in self.names]) * scale
        found = minimize(loss, first, jac=True, method="L-BFGS-B", options={"maxiter": 300})
        return {name: round(float(value), 4) for name, value in zip(self.names, found.x / scale, strict=True)}

    def hits(self, weights: Mapping[str, float]) -> FloatArray:
        """(Q,) whether the likeliest candidate of each lesson is right."""
        scores = self.rows @ np.array([weights.get(name, 0.0) for name in self.names])
        ends = [*self.starts[1:], len(scores)]
        return np.array(
            [
                self.right[start + int(np.argmax(scores[start:end]))]
                for start, end in zip(self.starts, ends, strict=True)
            ]
        )


def fits_of(found: Sequence[Lesson]) -> dict[str, Fit]:
    by_decision = defaultdict(list)
    for lesson in found:
        by_decision[lesson.question.decision].append(lesson)
    return {decision: Fit(group) for decision, group in by_decision.items()}


def _lessons_of(school: Sequence[Rig], weights: Weights, number: int) -> list[Lesson]:
    return lessons([school[number]], weights)


def _spread(work: Callable[[int], list[Any]], count: int, jobs: int) -> list[Any]:
    """What ``work`` gives for each of ``count`` numbers, in processes that share what is in memory now."""
    with multiprocessing.get_context("fork").Pool(jobs, _begin, (work,)) as pool:
        return [each for part in pool.imap(_do, range(count)) for each in part]


_work: list[Callable[[int], list[Any]]] = []


def _begin(work: Callable[[int], list[Any]]) -> None:
    _work[:] = [work]


def _do(number: int) -> list[Any]:
    return _work[0](number)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"keep the weights in {FILE}")
    parser.add_argument(
        "--also", type=Path, action="append", default=[], help="a further folder of rigs, with mappings/"
    )
    parser.add_argument("--variants", type=int, default=6, help="harder variants of each rig to learn from")
    parser.add_argument("--made", type=int, default=60, help="creatures and humans of chance to learn from")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seed", type=int, default=0, help="other variants of the same rigs")
    parser.add_argument("--no-folds", action="store_true", help="learn, and leave out nobody")
    options = parser.parse_args()
    data = find_data()
    if data is None:
        print("real files are not here: set MUMMER_DATA to the folder that holds characters/ and motions/")
        return 2
    rigs = [rig for folder in (data, *options.also) for rig in load_rigs(folder)]
    school = list(bodies(rigs, variants=options.variants, made=options.made, seed=options.seed))
    weights: dict[str, Mapping[str, float]] = dict(json.loads(FILE.read_text())["weights"])
    for number in range(options.rounds):
        recorded = _spread(partial(_lessons_of, school, weights), len(school), options.jobs)
        fits = fits_of(recorded)
        weights = {decision: fit.learn("", weights.get(decision, {})) for decision, fit in fits.items()}
        for decision, fit in fits.items():
            hits = fit.hits(weights[decision])
            print(
                f"round {number + 1}: {decision}: {hits.mean():.1%} of {len(hits)}, {len(weights[decision])} weights",
                flush=True,
            )
    if options.write:
        write(weights, rigs, len(school))
    if not options.no_folds:
        folds(rigs, fits, weights, options.jobs)
    return 0


def write(weights: Weights, rigs: Sequence[Rig], count: int) -> None:
    """Keeps the weights, with what they were learned from."""
    kept = {
        decision: {name: value for name, value in sorted(values.items()) if abs(value) > 1e-3}
        for decision, values in sorted(weights.items())
    }
    about = {
        "learned by": "python -m tests.recognition.learn --write",
        "bodies": count,
        "rigs": len(rigs),
        "sources": sorted({rig.family for rig in rigs}),
        "shrinkage": SHRINKAGE,
    }
    FILE.write_text(json.dumps({"about": about, "weights": kept}, indent=1) + "\n")


def folds(rigs: Sequence[Rig], fits: Mapping[str, Fit], weights: Weights, jobs: int) -> None:
    """Judges each source by weights that were learned without it."""
    sources = sorted({rig.family for rig in rigs})
    outcomes = _spread(lambda place: _fold(rigs, fits, weights, sources[place]), len(sources), jobs)
    for names in (True, False):
        chosen = [outcome for outcome in outcomes if outcome.names == names]
        total = sum(outcome.count for outcome in chosen)
        print(
            f"by source, {'with' if names else 'without'} names: {sum(not outcome.wrong for outcome in chosen)} of"
            f" {len(chosen)} characters, {total - sum(len(outcome.wrong) for outcome in chosen)} of {total} joints,"
            f" {sum(outcome.swapped for outcome in chosen)} confident swaps"
        )
        for outcome in chosen:
            if outcome.wrong:
                print(f"  {outcome.file}: {' '.join(outcome.wrong[:6])}")


@dataclass(frozen=True)
class Outcome:
    """How a rig fared: with or without names, which essential roles are wrong, of how many, and whether swapped."""

    names: bool
    file: str
    wrong: list[str]
    count: int
    swapped: bool


def _fold(rigs: Sequence[Rig], fits: Mapping[str, Fit], weights: Weights, source: str) -> list[Outcome]:
    """How the rigs of a source fare by weights that were learned without it."""
    other = {decision: fit.learn(source, weights[decision]) for decision, fit in fits.items()}
    found = []
    for rig in [rig for rig in rigs if rig.family == source]:
        for names in (True, False):
            with using(other):
                wrong, swapped = judge(rig, recognize(rig.character, ignore_names=not names))
            found.append(Outcome(names, rig.file, wrong, len(rig.essential), bool(swapped)))
    return found


if __name__ == "__main__":
    sys.exit(main())
