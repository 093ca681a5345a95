"""Character sketches: properties that make a character, said of everything that it does.

    # a sketch
    SetDuration {*} REL 1.8
    SetDOFAngle {* * * neck_y} REL 0.5
    when action walk run
      VaryAmplitude {*} 1.2
    end
    when mood tired > 0.5
      SetDuration {*} REL 1.2
    end

First comes the property, then whom it is for, in braces: action, cycle, pose and degree of freedom, as many as are
needed, ``*`` for any; then its parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mummer.errors import UnknownNameError
from mummer.script.action import Addressed, Condition
from mummer.script.dofs import split_name
from mummer.script.property import Property, built_in, load_properties
from mummer.script.words import Line, Word, address_of, lines_of, number_of, property_of, read_text

LIBRARY = Path(__file__).parent / "library"
SKETCHES = LIBRARY / "sketches"
ENDING = ".sketch"


@dataclass(frozen=True, eq=False)
class Sketch:
    """What makes a character.

    Attributes:
        name: of the sketch.
        said: its properties, addressed.
        folder: where the files lie that it speaks of.
    """

    name: str
    said: tuple[Addressed, ...]
    folder: Path = Path()


def sketch_names() -> tuple[str, ...]:
    """The sketches that ship."""
    return tuple(sorted(path.stem for path in SKETCHES.glob(f"*{ENDING}")))


def load_sketch(given: str | Path | Sketch) -> Sketch:
    """The sketch that ships under a name, or that a file holds.

    Raises:
        UnknownNameError: if there is none, with the closest.
        MalformedFileError: with file, line and column.

    Example:
        >>> load_sketch("old_man").name
        'old_man'
    """
    if isinstance(given, Sketch):
        return given
    path = Path(given)
    if path.suffix != ENDING:
        if str(given) not in sketch_names():
            raise UnknownNameError("mummer", "sketch", str(given), sketch_names())
        path = SKETCHES / f"{given}{ENDING}"
    return sketch_from_text(read_text(path, "a sketch"), path)


def sketch_from_text(text: str, path: Path | None = None, *, name: str = "") -> Sketch:
    """The sketch that a text says.

    Raises:
        MalformedFileError: with file, line and column.
    """
    reader = PropertyReader(path)
    said = [reader.addressed(line) for line in lines_of(text, path) if not reader.takes(line)]
    reader.finish()
    return Sketch(name or (path.stem if path else "sketch"), tuple(said), path.parent if path else Path())


class PropertyReader:
    """Reads lines with properties, and those that say when they count and where more properties are defined."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.kinds: dict[str, type[Property]] = dict(built_in())
        self.conditions: list[tuple[Line, Condition]] = []

    def takes(self, line: Line) -> bool:
        """Whether a line is not a property but says something about those that follow."""
        first = line.words[0].text
        if first == "when":
            self.conditions.append((line, _condition(line)))
        elif first == "end":
            if not self.conditions:
                line.fail("an end without a when", line.words[0])
            if len(line.words) > 1:
                line.fail("expected nothing behind end", line.words[1])
            self.conditions.pop()
        elif first == "properties":
            self._load(line)
        else:
            return False
        return True

    def finish(self) -> None:
        """Raise if something was begun and never ended."""
        if self.conditions:
            line = self.conditions[-1][0]
            line.fail("this when has no end", line.words[0])

    def addressed(self, line: Line) -> Addressed:
        """The property of a line, with whom it is for."""
        address, rest = address_of(line, line.words[1:])
        self._check(line, address)
        value = self.value(line, rest)
        return Addressed(value, address, line.where(), tuple(condition for _, condition in self.conditions))

    def value(self, line: Line, arguments: list[Word], values: Mapping[str, float] | None = None) -> Property:
        """The property of a line whose parameters are given."""
        from mummer.script.shape import resolved

        return resolved(line, property_of(line, line.words[0], arguments, self.kinds, values))

    def _check(self, line: Line, address: tuple[str, ...]) -> None:
        if len(address) < 4 or address[3] == "*":
            return
        word = next(word for word in line.words if address[3].startswith(word.text) and word.text not in "{}*")
        axis = split_name(address[3])[1]
        if axis is not None and axis not in KNOWN_AXES:
            line.fail(f"{address[3]!r} names no axis; expected bend, sway or twist, or x, y or z", word)

    def _load(self, line: Line) -> None:
        if len(line.words) != 2:
            line.fail("expected one Python file or definition behind properties", line.words[0])
        file = (self.path.parent if self.path else Path()) / line.words[1].text
        if file.suffix == ".py":
            self.kinds |= load_properties(file)
        else:
            from mummer.script.definition import load_definition

            self.kinds |= load_definition(file, self.kinds)


KNOWN_AXES = ("bend", "sway", "twist", "side", "up", "ahead")


def _condition(line: Line) -> Condition:
    words = line.words[1:]
    if len(words) < 2 or words[0].text not in ("action", "mood"):
        line.fail("expected 'when action NAME ...' or 'when mood NAME > 0.5'", words[0] if words else None)
    if words[0].text == "action":
        return Condition("action", tuple(word.text for word in words[1:]))
    if len(words) == 2:
        return Condition("mood", (words[1].text,))
    number = number_of(words[3].text, {}) if len(words) == 4 else None
    if len(words) != 4 or words[2].text != ">" or number is None:
        line.fail("expected 'when mood NAME > 0.5'", words[2])
    return Condition("mood", (words[1].text,), number)
