"""Animation for bodies that did not exist when it was made: contexts, movement modes, variants, gait styles."""

from mummer.general.animated import Animated, animate
from mummer.general.animation import Animation, animation, animation_from_text, animation_names, load_animation
from mummer.general.binding import Bound, admitting, bind
from mummer.general.context import Context, select
from mummer.general.physique import Physique, physique_of
from mummer.general.variants import Variant, choose

__all__ = [
    "Animated",
    "Animation",
    "Bound",
    "Context",
    "Physique",
    "Variant",
    "admitting",
    "animate",
    "animation",
    "animation_from_text",
    "animation_names",
    "bind",
    "choose",
    "load_animation",
    "physique_of",
    "select",
]
