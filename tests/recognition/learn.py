"""Learns the weights of the recogniser and says how well they do: ``python -m tests.recognition.learn [--write]``.

Each choice that the recogniser makes is recorded on bodies whose parts are known, and one softmax a decision is fitted
to them. What counts is the figure by *source*: all rigs of one maker are left out of the learning at once, and judged.
"""

# ruff: noqa: T201
from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from mummer import zoo
from mummer.arrays import FloatArray
from mummer.character import Character
from mummer.recognition import recognize
from mummer.recognition.learned import Question, Weights, listening, using
from tests.conftest import find_data
from tests.recognition.made_humans import made_human
from tests.recognition.rigs import Rig, judge, load_rigs
from tests.recognition.variants import NAMINGS, VARIANTS

FILE = Path("src/mummer/recognition/library/weights.json")
SHRINKAGE = 0.1
"""How much large weights cost, beside the mean loss of a question."""

SPECIAL = 4.0
"""How much more it costs that a feature weighs differently on one kind of body."""

MADE = "made"
"""The source of bodies that chance has built: they are never judged, and learned from in every fold."""

ROUNDS = 3
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


def bodies(rigs: Sequence[Rig], *, variants: int, made: int) -> Iterator[Rig]:
    """What there is to learn from: rigs as they are and made harder, bodies of the zoo, and those of chance."""
    chance = np.random.default_rng(7)
    animals = [
        *(known(zoo.body(name), "zoo") for name in zoo.names()),
        *(known(zoo.random_creature(5000 + seed), MADE) for seed in range(made)),
    ]
    for rig in [*rigs, *animals, *map(made_human, range(5000, 5000 + made))]:
        yield rig
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
    """Every choice that is made on the way to the parts of ``rigs`` and that has a right answer among wrong ones."""
    found = []
    for rig in rigs:
        with using(weights), listening() as questions:
            recognize(rig.character)
        found += [lesson for question in questions if (lesson := _lesson(rig, question)) is not None]
    return found


def _lesson(rig: Rig, question: Question) -> Lesson | None:
    right = np.array([RIGHT[question.decision](rig, candidate) for candidate in question.candidates], float)
    return Lesson(rig.family, question, right) if 0 < right.sum() < len(right) else None


def _is(rig: Rig, role: str, joint: object) -> bool:
    return joint == rig.joints.get(role, -1) or joint in rig.accepted.get(role, ())


def _right_line(rig: Rig, candidate: object) -> bool:
    assert isinstance(candidate, tuple)
    return any(_is(rig, "head", joint) for joint in candidate)


RIGHT: dict[str, Callable[[Rig, object], bool]] = {
    "line": _right_line,
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"keep the weights in {FILE}")
    parser.add_argument("--variants", type=int, default=8, help="harder variants of each rig to learn from")
    parser.add_argument("--made", type=int, default=40, help="creatures and humans of chance to learn from")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--no-folds", action="store_true", help="learn, and leave out nobody")
    options = parser.parse_args()
    data = find_data()
    if data is None:
        print("real files are not here: set MUMMER_DATA to the folder that holds characters/ and motions/")
        return 2
    rigs = load_rigs(data)
    school = list(bodies(rigs, variants=options.variants, made=options.made))
    weights: dict[str, Mapping[str, float]] = dict(json.loads(FILE.read_text())["weights"])
    for number in range(options.rounds):
        fits = fits_of(lessons(school, weights))
        weights = {decision: fit.learn("", weights.get(decision, {})) for decision, fit in fits.items()}
        for decision, fit in fits.items():
            hits = fit.hits(weights[decision])
            print(
                f"round {number + 1}: {decision}: {hits.mean():.1%} of {len(hits)}, {len(fit.names)} features",
                flush=True,
            )
    if options.write:
        write(weights, rigs, len(school))
    if not options.no_folds:
        folds(rigs, fits, weights)
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


def folds(rigs: Sequence[Rig], fits: Mapping[str, Fit], weights: Weights) -> None:
    """Judges each source by weights that were learned without it."""
    score: dict[bool, list[bool]] = {True: [], False: []}
    swaps = 0
    for source in sorted({rig.family for rig in rigs}):
        other = {decision: fit.learn(source, weights[decision]) for decision, fit in fits.items()}
        for rig in [rig for rig in rigs if rig.family == source]:
            for names in (True, False):
                with using(other):
                    wrong, swapped = judge(rig, recognize(rig.character, ignore_names=not names))
                score[names].append(not wrong)
                swaps += bool(swapped)
                if wrong:
                    print(f"  {'names' if names else 'shape'}: {rig.file}: {' '.join(wrong[:6])}", flush=True)
    for names, right in score.items():
        print(f"by source, {'with' if names else 'without'} names: {sum(right)} of {len(right)}, {np.mean(right):.1%}")
    print(f"confident swaps: {swaps}")


if __name__ == "__main__":
    sys.exit(main())
