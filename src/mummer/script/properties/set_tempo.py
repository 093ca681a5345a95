"""SetTempo: the speed of the beat."""

from dataclasses import dataclass

from mummer.errors import InputError
from mummer.script.draft import PoseSite
from mummer.script.property import TIMING, Flag, Flagged

LEAST, MOST = 1.0, 1000.0


@dataclass(frozen=True)
class SetTempo(Flagged):
    """Beats a minute, or by how much they are scaled; see `SetRhythm`."""

    stage = TIMING
    limit = MOST
    acts = "pose"
    flag: Flag
    value: float

    def __post_init__(self) -> None:
        if not 0.0 < self.value <= MOST:
            raise InputError(f"a tempo of {self.value:g}; expected more than 0 and at most {MOST:g}")

    def apply_to_pose(self, site: PoseSite) -> None:
        """Note the tempo."""
        site.ref.tempo = min(max(self.of(site.ref.tempo), LEAST), MOST)
