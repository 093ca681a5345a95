"""The stage: plays with actors and props; motions that follow one another and lie over one another."""

from mummer.model.tweak import Tweak
from mummer.stage.cue import Cue, Tag
from mummer.stage.cut import Cut, Done
from mummer.stage.director import Director
from mummer.stage.durations import Durations, Example, learn, shipped
from mummer.stage.live import LiveActor, LiveStage, Told
from mummer.stage.live_action import LiveAction, LiveLayer
from mummer.stage.play import Contact, Doing, Move, Part, Pause, Play
from mummer.stage.play_text import load_play, play_from_text, play_names
from mummer.stage.play_writing import play_to_text, style_to_text
from mummer.stage.prop import Prop, ball, box
from mummer.stage.prop_path import PropPath
from mummer.stage.segue import Manner, Segue, segue
from mummer.stage.stack import Placed, Stack
from mummer.stage.starts import closest_approach, easiest_moment
from mummer.stage.stepper import Step
from mummer.stage.timing import Gap, Leap, gap_between, group_seconds, joined, transition_seconds
from mummer.stage.trial import Trial, trials

__all__ = [
    "Contact",
    "Cue",
    "Cut",
    "Director",
    "Doing",
    "Done",
    "Durations",
    "Example",
    "Gap",
    "Leap",
    "LiveAction",
    "LiveActor",
    "LiveLayer",
    "LiveStage",
    "Manner",
    "Move",
    "Part",
    "Pause",
    "Placed",
    "Play",
    "Prop",
    "PropPath",
    "Segue",
    "Stack",
    "Step",
    "Tag",
    "Told",
    "Trial",
    "Tweak",
    "ball",
    "box",
    "closest_approach",
    "easiest_moment",
    "gap_between",
    "group_seconds",
    "joined",
    "learn",
    "load_play",
    "play_from_text",
    "play_names",
    "play_to_text",
    "segue",
    "shipped",
    "style_to_text",
    "transition_seconds",
    "trials",
]
