"""The volume of bodies: capsules, overlaps and their cure, distance to the surface, places on it."""

from mummer.ik.volume.drawing import as_body
from mummer.ik.volume.pairs import Pairs, pairs_of
from mummer.ik.volume.penetration import Penetration, penetration_between, self_penetration
from mummer.ik.volume.placed import Nearest, distance_to_volume
from mummer.ik.volume.push_out import PushOut, push_out
from mummer.ik.volume.surface import SurfacePoint, nearest_on_surface, on_surface, touch
from mummer.ik.volume.uncrossed import Uncrossed
from mummer.ik.volume.volume import Volume, volume_of

__all__ = [
    "Nearest",
    "Pairs",
    "Penetration",
    "PushOut",
    "SurfacePoint",
    "Uncrossed",
    "Volume",
    "as_body",
    "distance_to_volume",
    "nearest_on_surface",
    "on_surface",
    "pairs_of",
    "penetration_between",
    "push_out",
    "self_penetration",
    "touch",
    "volume_of",
]
