"""SetPosture: the posture of a pose, from a file."""

from dataclasses import dataclass

from mummer.script.property import Property


@dataclass(frozen=True)
class SetPosture(Property):
    """How much of a posture there is in a pose; see `SetCharShapeParam`, which it stands for."""

    name: str
    weight: float = 1.0

    def parts(self) -> tuple[str, ...]:
        """The shape."""
        return (f"SetCharShapeParam {{}} {self.weight!r} load {self.name.removesuffix('.shp')}.shp",)
