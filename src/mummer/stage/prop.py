"""Props: what lies about on a stage, is taken, carried, put down and thrown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from mummer.character import Character
from mummer.errors import InputError
from mummer.stage.props import ball, box

SHAPES = ("ball", "cube")


@dataclass(frozen=True)
class Prop:
    """A thing on the stage.

    Attributes:
        name: what the play calls it.
        shape: ``ball``, ``cube``, or a file of a body, which then does not move by itself.
        at: (x, y, z) metres, its middle when the play begins.
        size: metres across; of a file, None for as large as it is.
        heading: degrees to the left.
    """

    name: str
    shape: str = "ball"
    at: tuple[float, float, float] = (0.0, 0.0, 0.0)
    size: float | None = None
    heading: float = 0.0

    def __post_init__(self) -> None:
        if self.shape in SHAPES and self.size is None:
            object.__setattr__(self, "size", 0.12)
        if self.size is not None and not 0 < self.size < 100:
            raise InputError(
                f"prop {self.name!r} has a size of {self.size:g} m; expected more than 0 and less than 100"
            )

    @property
    def radius(self) -> float:
        """Metres from its middle to its surface, as hands and floors meet it."""
        return 0.5 * float(self.size or 0.2)


def body_of(prop: Prop, folder: Path = Path()) -> Character:
    """The prop as a character of one joint, or as its file has it."""
    if prop.shape not in SHAPES:
        from mummer.io import load

        path = folder / prop.shape
        return load(path if path.exists() else prop.shape)
    made = ball(prop.radius, name=prop.shape) if prop.shape == "ball" else box((2 * prop.radius,) * 3, name=prop.shape)
    return replace(made, name=prop.name)
