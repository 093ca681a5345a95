"""What a BVH file leaves open, taken from the caller or guessed from a few of its frames."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.errors import InputError, UnknownNameError
from mummer.io import units
from mummer.io.axes import AxisChange
from mummer.io.body import Body, chain_positions
from mummer.io.bvh import channels, guess
from mummer.io.bvh.document import Document
from mummer.io.bvh.guess import PositionMeaning
from mummer.report import ReportBuilder

_SAMPLES = 8


@dataclass(frozen=True)
class Conventions:
    """What a file leaves open and was stated by the caller or guessed.

    Attributes:
        up: the axis that points up.
        metres_per_unit: how long a unit is.
        root_positions: what position channels of roots mean.
        joint_positions: what position channels of other joints mean.
    """

    up: str = "+Y"
    metres_per_unit: float = 0.01
    root_positions: PositionMeaning = "replace"
    joint_positions: PositionMeaning = "replace"


def check_options(*, up: str | None, metres_per_unit: float | None, positions: str | None = None) -> None:
    """Raise unless each option is None or one of its choices.

    Raises:
        InputError: saying what would be right.
    """
    if up is not None:
        AxisChange(up)
    if metres_per_unit is not None and not 1e-9 < metres_per_unit < 1e9:
        raise InputError(f"metres_per_unit is {metres_per_unit}; expected a positive number, for instance 0.01")
    if positions not in (None, "replace", "add"):
        raise UnknownNameError("the option positions", "choice", str(positions), ("replace", "add"))


def find_conventions(
    document: Document,
    names: tuple[str, ...],
    report: ReportBuilder,
    *,
    up: str | None = None,
    metres_per_unit: float | None = None,
    positions: PositionMeaning | None = None,
) -> Conventions:
    """What the document leaves open: as stated, else guessed and reported."""
    sample = Document(document.nodes, spread(document.values), document.frame_time)
    roots = np.array(document.parents) < 0
    movers, values = channels.vectors(sample, "position")
    inner = ~roots[movers]
    joints = positions or guess.guess_joint_positions(document.offsets[movers[inner]], values[:, inner])
    body = _sampled_body(sample, names, movers, values, joints)
    chosen_up = up or guess.guess_up(body)
    root = positions or _root_positions(sample, body, movers, values, AxisChange(chosen_up))
    unit = metres_per_unit or units.guess_unit(body, report)
    if up is None:
        report.add("guessed", f"{chosen_up} is up")
    if positions is None and np.any(inner):
        report.add("guessed", f"position channels of joints {_in_words(joints)}")
    if positions is None and np.any(document.offsets[movers[~inner]]):
        report.add("guessed", f"position channels of the root {_in_words(root)}")
    return Conventions(chosen_up, unit, root, joints)


def placed(offsets: FloatArray, values: FloatArray, meaning: PositionMeaning) -> FloatArray:
    """(T, n, 3) parent_from_joint translations from position channels; NaN marks a channel that is missing."""
    if meaning == "add":
        return offsets + np.nan_to_num(values)
    return np.where(np.isnan(values), offsets, values)


def spread(values: FloatArray) -> FloatArray:
    """A few of the frames along the first axis, evenly spread: those that guesses look at."""
    chosen = np.unique(np.linspace(0, max(len(values) - 1, 0), _SAMPLES).astype(int))
    return values[chosen] if len(values) else values


def _in_words(meaning: PositionMeaning) -> str:
    return "are added to its OFFSET" if meaning == "add" else "replace its OFFSET"


def _sampled_body(
    sample: Document, names: tuple[str, ...], movers: IntArray, values: FloatArray, meaning: PositionMeaning
) -> Body:
    """The rest pose and the sampled frames, in the file's axes and units."""
    frames, joints = len(sample.values), len(sample.nodes)
    parents = np.array(sample.parents)
    rotations = np.zeros((frames + 1, joints, 4))
    rotations[..., 3] = 1
    turned, turns = channels.rotations(sample)
    rotations[1:, turned] = turns
    translations = np.repeat(sample.offsets[None], frames + 1, axis=0)
    inner = parents[movers] >= 0
    translations[1:, movers[inner]] = placed(sample.offsets[movers[inner]], values[:, inner], meaning)
    translations[1:, movers[~inner]] = placed(sample.offsets[movers[~inner]], values[:, ~inner], "replace")
    return Body(names, parents, chain_positions(parents, rotations, translations))


def _root_positions(
    sample: Document, body: Body, movers: IntArray, values: FloatArray, axes: AxisChange
) -> PositionMeaning:
    if not len(values) or not len(movers) or sample.nodes[movers[0]].parent >= 0:
        return "replace"
    offset = sample.offsets[movers[0]]
    moved = np.where(np.isnan(values[:, 0]), offset, values[:, 0])
    lowest = float(axes.vectors(body.positions[1:])[..., 1].min())
    return guess.guess_root_positions(axes.vectors(offset), axes.vectors(moved), lowest, body.size)
