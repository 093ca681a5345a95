"""The stage: plays with actors and props; motions that follow one another and lie over one another."""

from mummer.stage.cue import Cue, Tag
from mummer.stage.cut import Cut, Done
from mummer.stage.director import Director
from mummer.stage.durations import Durations, Example, learn, shipped
from mummer.stage.play import Doing, Part, Play, Tweak
from mummer.stage.play_text import load_play, play_from_text, play_names
from mummer.stage.prop import Prop
from mummer.stage.props import Carry, ball, box, carried, scene
from mummer.stage.segue import Segue, segue
from mummer.stage.stack import Placed, Stack
from mummer.stage.starts import closest_approach, easiest_moment
from mummer.stage.stepper import Step
from mummer.stage.timing import Gap, Leap, gap_between, group_seconds, joined, transition_seconds

__all__ = [
    "Carry",
    "Cue",
    "Cut",
    "Director",
    "Doing",
    "Done",
    "Durations",
    "Example",
    "Gap",
    "Leap",
    "Part",
    "Placed",
    "Play",
    "Prop",
    "Segue",
    "Stack",
    "Step",
    "Tag",
    "Tweak",
    "ball",
    "box",
    "carried",
    "closest_approach",
    "easiest_moment",
    "gap_between",
    "group_seconds",
    "joined",
    "learn",
    "load_play",
    "play_from_text",
    "play_names",
    "scene",
    "segue",
    "shipped",
    "transition_seconds",
]
