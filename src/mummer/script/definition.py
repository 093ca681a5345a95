"""Definitions: a property of one's own as a text file, made of others.

    property Graceful amount
    SetDuration {} REL 1+0.4*$amount
    VarySuccession {} forward 0.03*$amount
    SetTransitionFunction {} ABS 0 1 1 0

``{}`` is whatever the property is said of; numbers may speak of its parameters.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path

from mummer.script.property import Property
from mummer.script.words import Line, Word, lines_of, number_of, property_of, read_text

ENDING = ".property"


def load_definition(path: Path, kinds: Mapping[str, type[Property]]) -> dict[str, type[Property]]:
    """The property that a file defines, by its name.

    Args:
        path: the file.
        kinds: the properties that it may be made of.

    Raises:
        MalformedFileError: with file, line and column.
    """
    lines = list(lines_of(read_text(path, "a definition of a property"), path))
    if not lines or lines[0].words[0].text != "property" or len(lines[0].words) < 2:
        Line(path, 1, (), 0).fail("expected 'property NAME parameters ...' in the first line")
    name, names = lines[0].words[1].text, [word.text for word in lines[0].words[2:]]
    wrong = next((word for word in lines[0].words[1:] if not word.text.isidentifier()), None)
    if wrong is not None or len(set(names)) != len(names):
        lines[0].fail("expected names of letters and digits, each once", wrong or lines[0].words[2])
    texts = []
    for line in lines[1:]:
        begin = [word.text for word in line.words[1:3]]
        if begin != ["{", "}"]:
            line.fail("expected {} behind the name of the property", line.words[1] if len(line.words) > 1 else None)
        property_of(line, line.words[0], line.words[3:], kinds, dict.fromkeys(names, 1.0))
        texts.append((line.words[0].text, line.words[3:]))
    return {name: _kind(name, names, texts)}


def _kind(name: str, names: list[str], texts: list[tuple[str, tuple[Word, ...]]]) -> type[Property]:
    def parts(self: Property) -> tuple[str, ...]:
        values = {each: float(getattr(self, each)) for each in names}
        return tuple(f"{kind} {{}} {' '.join(_filled(word, values) for word in words)}" for kind, words in texts)

    fields = [(each, float) for each in names]
    return dataclasses.make_dataclass(
        name, fields, bases=(Property,), frozen=True, namespace={"parts": parts, "__doc__": f"{name}, as defined."}
    )


def _filled(word: Word, values: Mapping[str, float]) -> str:
    found = number_of(word.text, values) if "$" in word.text else None
    return word.text if found is None else repr(found)
