"""Fingers and toes: which digit is which, by name where names tell, else by the order in which they start."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mummer.recognition.reading import Reading
from mummer.recognition.shape import Shape
from mummer.recognition.tidy import is_end

NAMES = ("thumb", "index", "middle", "ring", "little")


def find_digits(shape: Shape, hand: int, readings: Sequence[Reading]) -> list[tuple[int, ...]]:
    """The digits that start at a hand or a foot, each as its joints from the knuckle to the last that bends."""
    found = []
    for child in shape.children[hand]:
        chain = [joint for joint in shape.longest_chain(child) if not is_end(shape, joint)]
        if readings[child].meanings & {"prop", "twist", "control", "end"} or not chain:
            continue
        forks = [joint for joint in chain if len(shape.children[joint]) > 1]
        if forks and len(chain) > 1 and _bones_of_palm(shape, forks[0], readings):
            found.extend(find_digits(shape, forks[0], readings))
        elif len(chain) > 1 or len(shape.children[hand]) > 2:
            found.append(tuple(chain))
    return found


def _bones_of_palm(shape: Shape, fork: int, readings: Sequence[Reading]) -> bool:
    return all(shape.reaches[child] > 0 for child in shape.children[fork]) and not readings[fork].meanings & set(NAMES)


def name_digits(
    shape: Shape, hand: int, digits: Sequence[tuple[int, ...]], readings: Sequence[Reading]
) -> dict[str, tuple[int, ...]]:
    """The digits of a hand by name: ``thumb``, ``index`` ...; without the bones of the palm."""
    named: dict[str, tuple[int, ...]] = {}
    for digit in digits:
        words = {meaning for joint in digit for meaning in readings[joint].meanings} & set(NAMES)
        if len(words) == 1:
            named.setdefault(words.pop(), digit)
    if len(named) < len(digits) and not named:
        named = _by_place(shape, hand, digits)
    return {name: _knuckles(name, digit, readings) for name, digit in named.items()}


def _knuckles(name: str, digit: tuple[int, ...], readings: Sequence[Reading]) -> tuple[int, ...]:
    """The digit without its bone in the palm."""
    palm = [joint for joint in digit if "metacarpal" in readings[joint].meanings]
    rest = tuple(joint for joint in digit if joint not in palm)
    if not palm and name != "thumb" and len(digit) > 3:
        rest = digit[-3:]
    return rest or digit


def _by_place(shape: Shape, hand: int, digits: Sequence[tuple[int, ...]]) -> dict[str, tuple[int, ...]]:
    """The thumb starts nearest to the wrist and to one side; the others follow in a row from it."""
    if len(digits) < 2:
        return {}
    starts = np.array([shape.positions[digit[0]] for digit in digits])
    tips = np.array([shape.positions[shape.longest_chain(digit[0])[-1]] for digit in digits])
    reach = np.linalg.norm(tips - shape.positions[hand], axis=1)
    near = np.linalg.norm(starts - shape.positions[hand], axis=1)
    thumb = int(np.argmin(reach + near))
    others = [place for place in range(len(digits)) if place != thumb]
    row = sorted(others, key=lambda place: float(np.linalg.norm(tips[place] - tips[thumb])))
    if len(digits) < 4 and near[thumb] > 0.8 * float(np.mean(near[others])) and len(digits) < 3:
        return {}
    return dict(zip(NAMES, [digits[thumb], *[digits[place] for place in row]], strict=False))
