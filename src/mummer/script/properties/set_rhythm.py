"""SetRhythm: on which beats poses are reached."""

from dataclasses import dataclass

from mummer.errors import InputError
from mummer.script.draft import PoseSite
from mummer.script.property import QUERY, Property

MOST = 64


@dataclass(frozen=True)
class SetRhythm(Property):
    """Beats in a measure, and those on which the poses of an action are reached, one after another, again and again."""

    stage = QUERY
    acts = "pose"
    measure: int
    beats: tuple[float, ...]

    def __post_init__(self) -> None:
        if not 1 <= self.measure <= MOST:
            raise InputError(f"a measure of {self.measure} beats; expected 1 to {MOST}")
        rising = all(one < other for one, other in zip(self.beats, self.beats[1:], strict=False))
        if not self.beats or not rising or not all(1 <= beat < self.measure + 1 for beat in self.beats):
            raise InputError(f"beats {self.beats}; expected rising ones from 1 to {self.measure}")

    def apply_to_pose(self, site: PoseSite) -> None:
        """Note when the pose is to be reached: the first beat comes one beat after the start."""
        measure, place = divmod(site.ref.turn, len(self.beats))
        site.ref.arrives = (measure * self.measure + self.beats[place]) * 60.0 / site.ref.tempo
