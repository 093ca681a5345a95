"""Names of the clip language, and where they are at home."""

from mummer.character.marks import Mark
from mummer.clip.annotated import Annotated
from mummer.clip.bands import Banded, Graft
from mummer.clip.below import Below
from mummer.clip.blend import Blend
from mummer.clip.clip import Clip
from mummer.clip.composite import Composite
from mummer.clip.following import Following
from mummer.clip.frames import Frames
from mummer.clip.hold import Hold, Still
from mummer.clip.joining import join
from mummer.clip.keyed import Keyed
from mummer.clip.keys import Key, Track
from mummer.clip.loop import Loop
from mummer.clip.mirror import Mirror
from mummer.clip.mix import Mix
from mummer.clip.motions import MotionLike, as_clip, of
from mummer.clip.pivot import Pivot, pivot_at, pivot_to
from mummer.clip.recorded import Recorded, bake
from mummer.clip.repeat import Repeat
from mummer.clip.retimed import Reverse, Shift, Trim
from mummer.clip.root_motion import InPlace, Restored, RootMotion
from mummer.clip.sampled import Sampled
from mummer.clip.scale import Scale
from mummer.clip.segment import Glue, Segment
from mummer.clip.select import Select
from mummer.clip.space_warp import SpaceWarp, SpaceWarpKey
from mummer.clip.text import from_text, load_clip, save_clip, to_text, tree
from mummer.clip.time_warp import TimeWarp
from mummer.clip.trajectory import Trajectory
from mummer.clip.transition import Transition
from mummer.clip.travel import Travel
from mummer.clip.weighted import Weighted
from mummer.clip.wish import Wish

__all__ = [
    "Annotated",
    "Banded",
    "Below",
    "Blend",
    "Clip",
    "Composite",
    "Following",
    "Frames",
    "Glue",
    "Graft",
    "Hold",
    "InPlace",
    "Key",
    "Keyed",
    "Loop",
    "Mark",
    "Mirror",
    "Mix",
    "MotionLike",
    "Pivot",
    "Recorded",
    "Repeat",
    "Restored",
    "Reverse",
    "RootMotion",
    "Sampled",
    "Scale",
    "Segment",
    "Select",
    "Shift",
    "SpaceWarp",
    "SpaceWarpKey",
    "Still",
    "TimeWarp",
    "Track",
    "Trajectory",
    "Transition",
    "Travel",
    "Trim",
    "Weighted",
    "Wish",
    "as_clip",
    "bake",
    "from_text",
    "join",
    "load_clip",
    "of",
    "pivot_at",
    "pivot_to",
    "save_clip",
    "to_text",
    "tree",
]
