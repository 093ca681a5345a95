"""Names of the other side: left for right and right for left."""

from __future__ import annotations

import re

_WORDS = {"left": "right", "right": "left", "Left": "Right", "Right": "Left", "LEFT": "RIGHT", "RIGHT": "LEFT"}
_LETTERS = {"l": "r", "r": "l", "L": "R", "R": "L"}
# A word of its own, or one that CamelCase sets apart: neither "bright" nor "Leftover" names a side.
_WORD = re.compile(r"(?<![a-z])(left|right)(?![a-z])|(Left|Right)(?![a-z])|(?<![A-Z])(LEFT|RIGHT)(?![A-Z])")
_LETTER = re.compile(r"(?<![A-Za-z0-9])([lLrR])(?![A-Za-z0-9])|(?<=[a-z])([LR])$")


def other_side(name: str) -> str:
    """``name`` with every left and right exchanged; the name itself if it names no side.

    Example:
        >>> other_side("left_foot contact"), other_side("eyeBlinkLeft"), other_side("brow.L"), other_side("bright")
        ('right_foot contact', 'eyeBlinkRight', 'brow.R', 'bright')
    """
    swapped = _WORD.sub(lambda found: _WORDS[found[0]], name)
    if swapped != name:
        return swapped
    return _LETTER.sub(lambda found: _LETTERS[found[0]], name)
