"""What the search for a head looks at: the middle line, the limbs that leave it, and how the rig writes its ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray
from mummer.recognition.limbs import LOW, Branch
from mummer.recognition.reading import Reading
from mummer.recognition.segments import fan_of
from mummer.recognition.shape import Shape
from mummer.recognition.tidy import SAME, is_end


@dataclass(frozen=True)
class Sight:
    """What the search for a head looks at."""

    shape: Shape
    middle: set[int]
    legs: Sequence[Branch]
    arms: Sequence[Branch]
    small: Sequence[Branch]
    readings: Sequence[Reading]
    origin: int
    across: FloatArray

    @cached_property
    def upright(self) -> bool:
        """Whether the body stands on two legs with arms well above them."""
        if len(self.legs) != 1 or not self.arms:
            return False
        shape = self.shape
        hips = shape.positions[[self.legs[0].root, *self.legs[0].other[:1]]].mean(axis=0)
        shoulders = np.mean([shape.positions[[arm.root, *arm.other[:1]]].mean(axis=0) for arm in self.arms], axis=0)
        line = shoulders - hips
        return float(line @ shape.up) > 0.6 * float(np.linalg.norm(line))

    @cached_property
    def shoulders(self) -> float:
        """How high the arms of an upright body start, in metres: their second joint, unless it hangs far below."""
        heights = self.shape.heights
        found = []
        for arm in self.arms:
            first, second = (float(heights[arm.chain[spot]]) for spot in (0, min(1, len(arm.chain) - 1)))
            found.append(second if first - second < 0.1 * self.shape.tall else first)
        return max(found)

    @cached_property
    def torso(self) -> float:
        """Metres from where the legs start up to where the arms do; never zero."""
        return max(self.shoulders - self.legs[0].base, 0.1 * self.shape.tall)

    @cached_property
    def pairs(self) -> list[Branch]:
        """Small branches on both sides; several with both sides at one place, as the feathers of a tail, are none."""
        pairs = [branch for branch in self.small if branch.other and branch.attach >= 0]
        shut = [pair.attach for pair in pairs if self.shape.distance(pair.root, pair.other[0]) < SAME * self.shape.size]
        several = {joint for joint in shut if shut.count(joint) > 1}
        return [pair for pair in pairs if pair.attach not in several]

    @cached_property
    def pairs_below(self) -> list[int]:
        """How many small pairs hang from each joint and everything below it."""
        found = [0] * self.shape.count
        for branch in self.pairs:
            found[branch.attach] += 1
        for joint in reversed(self.shape.order):
            if self.shape.parents[joint] >= 0:
                found[self.shape.parents[joint]] += found[joint]
        return found

    @cached_property
    def feet_have_ends(self) -> float:
        """1 if legs go on for two joints or more once they are down, so that the last is a mere end; -1 if for none."""
        heights, ground = self.shape.heights, self.shape.ground
        found = []
        for leg in self.legs:
            low = [joint for joint in leg.chain if heights[joint] - ground < LOW * (leg.base - ground)]
            found.append(np.clip(len(low) - 2, -1, 1))
        return float(np.mean(found)) if found else 0.0

    @cached_property
    def hands_have_ends(self) -> float:
        """1 if fingers have one joint too many, so that the last is a mere end; -1 if arms end with a hand."""
        found = []
        for arm in self.arms:
            fan = fan_of(self.shape, arm.chain)
            if fan >= 0:
                digits = [_has_end(self.shape, digit) for digit in self.shape.children[arm.chain[fan]]]
                found.append(float(np.median(digits) > 0.5))
            else:
                found.append(-float(sum(not is_end(self.shape, joint) for joint in arm.chain) <= 4))
        return float(np.mean(found)) if found else 0.0

    def last_limb(self, line: Sequence[int]) -> int:
        """The last place along a line that a limb leaves; 0 if none does."""
        return max((line.index(limb.attach) for limb in (*self.arms, *self.legs) if limb.attach in line), default=0)


def _has_end(shape: Shape, digit: int) -> bool:
    """Whether a finger has a joint more than three, and than a bone of the palm, which is longer than the way to it."""
    chain = [joint for joint in shape.longest_chain(digit) if not is_end(shape, joint)]
    palm = len(chain) > 1 and shape.bones[chain[1]] > shape.bones[chain[0]]
    return len(chain) > 3 + palm
