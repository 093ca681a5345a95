"""Choices among candidates by weighed features: one softmax for all of them, with weights that were learned."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

import numpy as np
from numpy.typing import ArrayLike

from mummer.arrays import FloatArray

Weights = Mapping[str, Mapping[str, float]]
"""Decision to feature to weight."""


MOST = 4.0
"""No feature counts for more than this, however strange a body is."""


@dataclass(frozen=True, eq=False)
class Question:
    """One choice that was made.

    Attributes:
        decision: which choice, a key of the weights.
        candidates: what there was to choose from, C of them.
        features: feature to (C,) values.
    """

    decision: str
    candidates: tuple[Hashable, ...]
    features: Mapping[str, FloatArray]


_others: ContextVar[Weights | None] = ContextVar("weights", default=None)
_heard: ContextVar[list[Question] | None] = ContextVar("questions", default=None)


@lru_cache
def learned_weights() -> Weights:
    """The weights that ship; ``library/weights.json`` says what they were learned from."""
    text = (resources.files("mummer.recognition") / "library" / "weights.json").read_text()
    return dict(json.loads(text)["weights"])


@contextmanager
def using(weights: Weights) -> Iterator[None]:
    """Choices inside are made by other weights."""
    token = _others.set(weights)
    try:
        yield
    finally:
        _others.reset(token)


@contextmanager
def listening() -> Iterator[list[Question]]:
    """Every choice made inside, in order: what weights are learned from."""
    questions: list[Question] = []
    token = _heard.set(questions)
    try:
        yield questions
    finally:
        _heard.reset(token)


def scores(
    decision: str,
    features: Mapping[str, ArrayLike],
    *,
    kinds: Sequence[str] = (),
    plain: Mapping[str, ArrayLike] | None = None,
) -> FloatArray:
    """(C,) the logarithm of how likely each candidate is the right one, up to a constant; arguments as `chances`."""
    weights = (_others.get() or learned_weights()).get(decision, {})
    each = [sum(weights.get(key, 0.0) for key in (name, *(f"{kind}: {name}" for kind in kinds))) for name in features]
    each += [weights.get(name, 0.0) for name in plain or {}]
    return np.asarray(np.array(each) @ _rows({**features, **(plain or {})}))


def _rows(features: Mapping[str, ArrayLike]) -> FloatArray:
    """(F, C) the values of all features."""
    return np.clip(np.array([np.asarray(values, float) for values in features.values()]), -MOST, MOST)


def chances(
    decision: str,
    candidates: Sequence[Hashable],
    features: Mapping[str, ArrayLike],
    *,
    kinds: Sequence[str] = (),
    plain: Mapping[str, ArrayLike] | None = None,
) -> FloatArray:
    """(C,) how likely each candidate is the right one; they sum to one.

    Args:
        decision: which choice this is.
        candidates: what there is to choose from; only listeners look at them.
        features: feature to C values; a feature without a weight counts for nothing.
        kinds: what the body or limb is; each feature counts for as much more as ``KIND: FEATURE`` says.
        plain: further features, which count for the same on all kinds.
    """
    heard = _heard.get()
    if heard is not None:
        every = {**features, **(plain or {})}
        known = dict(zip(every, _rows(every), strict=True))
        special = {f"{kind}: {name}": known[name] for kind in kinds for name in features}
        heard.append(Question(decision, tuple(candidates), known | special))
    found = scores(decision, features, kinds=kinds, plain=plain)
    powers = np.exp(found - found.max())
    return np.asarray(powers / powers.sum())
