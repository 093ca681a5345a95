"""SetReachShape: what the rest of the body does for a reach."""

from dataclasses import dataclass

from mummer.script.property import Property


@dataclass(frozen=True)
class SetReachShape(Property):
    """How a trunk goes along with a reach: radians of twist and of leaning ahead, and how deep the knees are bent."""

    twist: float
    lean: float
    knees: float = 0.0

    def parts(self) -> tuple[str, ...]:
        """Trunk and knees."""
        trunk = f"SetTrunk {{}} {self.twist!r} {0.5 * self.lean!r} {0.5 * self.lean!r} 0"
        return (trunk, f"SetKneeBend {{}} {min(max(self.knees, 0.0), 0.6)!r}")
