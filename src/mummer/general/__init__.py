"""Animation for bodies that did not exist when it was made: contexts, movement modes, variants, gaits, jiggles."""

from mummer.general.animated import Animated
from mummer.general.animation import Animation, animation, animation_from_text, animation_names, load_animation
from mummer.general.binding import Bound, admitting, bind
from mummer.general.context import Context, select
from mummer.general.intent import Driver, Intent, Track, at_rest
from mummer.general.jiggle import Jiggled
from mummer.general.perform import perform
from mummer.general.performance import Performance
from mummer.general.physique import Physique, physique_of
from mummer.general.rounds import whole_rounds
from mummer.general.variants import Variant, choose

__all__ = [
    "Animated",
    "Animation",
    "Bound",
    "Context",
    "Driver",
    "Intent",
    "Jiggled",
    "Performance",
    "Physique",
    "Track",
    "Variant",
    "admitting",
    "animation",
    "animation_from_text",
    "animation_names",
    "at_rest",
    "bind",
    "choose",
    "load_animation",
    "perform",
    "physique_of",
    "select",
    "whole_rounds",
]
