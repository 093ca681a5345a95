"""Props: what lies about on a stage, is taken, carried, put down and thrown. A prop is a body of one joint."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mummer.character import Character
from mummer.errors import InputError, UnknownNameError
from mummer.zoo.things import ball, box

__all__ = ["Prop", "ball", "body_of", "box"]

SHAPES = ("ball", "cube", "box")
Size = float | tuple[float, float, float] | None


@dataclass(frozen=True)
class Prop:
    """A thing on the stage.

    Attributes:
        name: what the play calls it.
        shape: ``ball``, ``cube``, ``box``, or a file of a body, which then does not move by itself.
        at: (x, y, z) metres, its middle when the play begins.
        size: metres across, of a box three of them; of a file, None for as large as it is.
        heading: degrees to the left.
        color: (3,) linear RGB, 0 to 1; what suits the shape if None.
    """

    name: str
    shape: str = "ball"
    at: tuple[float, float, float] = (0.0, 0.0, 0.0)
    size: Size = None
    heading: float = 0.0
    color: tuple[float, float, float] | None = None

    def __post_init__(self) -> None:
        if self.shape in SHAPES and self.size is None:
            object.__setattr__(self, "size", 0.12)
        if isinstance(self.size, tuple) and self.shape != "box":
            raise InputError(f"prop {self.name!r} is a {self.shape} with three sizes; expected one, or the shape box")
        if self.color is not None and not all(0 <= each <= 1 for each in self.color):
            raise InputError(f"prop {self.name!r} has a color of {self.color}; expected three numbers from 0 to 1")
        for length in self.lengths if self.size is not None else ():
            if not 0 < length < 100:
                raise InputError(
                    f"prop {self.name!r} has a size of {length:g} m; expected more than 0 and less than 100"
                )

    @property
    def lengths(self) -> tuple[float, float, float]:
        """Metres along x, y and z."""
        size = 0.2 if self.size is None else self.size
        return size if isinstance(size, tuple) else (size, size, size)

    @property
    def radius(self) -> float:
        """Metres from its middle to its surface, where it is thinnest, as hands meet it."""
        return 0.5 * min(self.lengths)


def body_of(prop: Prop, folder: Path = Path()) -> Character:
    """The prop as a character of one joint, or as its file has it."""
    if prop.shape not in SHAPES:
        from mummer.io import load

        path = folder / prop.shape
        if not path.exists() and "." not in prop.shape and ":" not in prop.shape:
            raise UnknownNameError(f"prop {prop.name!r}", "shape", prop.shape, SHAPES)
        return load(path if path.exists() else prop.shape)
    color = {} if prop.color is None else {"color": prop.color}
    if prop.shape == "ball":
        return ball(prop.radius, name=prop.name, **color)
    return box(prop.lengths, name=prop.name, **color)
