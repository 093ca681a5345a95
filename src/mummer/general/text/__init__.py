"""General animations as text: what a file may hold, and how it is read."""

from mummer.general.text.reading import parse_animation, read_animation_text
from mummer.general.text.schema import ANIMATION_VERSION, AnimationText, BranchText, ChannelText

__all__ = [
    "ANIMATION_VERSION",
    "AnimationText",
    "BranchText",
    "ChannelText",
    "parse_animation",
    "read_animation_text",
]
