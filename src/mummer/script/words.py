"""Words of a line with where they stand: what sketches, scripts and shapes are read with."""

from __future__ import annotations

import ast
import dataclasses
import operator
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NoReturn, Union, get_args, get_origin, get_type_hints

from mummer.errors import FileError, InputError, LimitError, MalformedFileError, UnknownNameError
from mummer.io.text import decode, parse_number
from mummer.script.property import Property

MOST_BYTES, MOST_LINES, MOST_WORDS = 1 << 20, 5_000, 200
MADE = "made"
"""Marks fields of properties that are not written but made of those that are."""
OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


@dataclass(frozen=True)
class Word:
    """A word, and the column that it begins in, from 1."""

    text: str
    column: int


@dataclass(frozen=True)
class Line:
    """The words of a line, and what to call the place."""

    path: Path | None
    number: int
    words: tuple[Word, ...]
    length: int

    def fail(self, what: str, word: Word | None = None) -> NoReturn:
        """Raise an error that names file, line and column; the end of the line if no word is given."""
        column = self.length + 1 if word is None else word.column
        raise MalformedFileError(self.path, what, place=f"line {self.number}, column {column}")

    def where(self) -> str:
        """File and line."""
        return f"{'' if self.path is None else f'{self.path.name} '}line {self.number}"


def read_text(path: Path, what: str) -> str:
    """The text of a small file.

    Raises:
        FileError: if it is not there or cannot be read.
        LimitError: if it is larger than anybody writes.
    """
    if path.is_dir():
        raise FileError(path, f"is a folder; expected {what}")
    try:
        with open(path, "rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise FileError(path, f"cannot be read: {error.strerror or error}") from None
    if len(data) > MOST_BYTES:
        raise LimitError(path, f"is larger than {MOST_BYTES:,} bytes; expected {what}")
    return decode(data)


def lines_of(text: str, path: Path | None = None) -> Iterator[Line]:
    """The lines of a text that say something; what follows # does not.

    Raises:
        LimitError: if there are too many lines, or words in one.
    """
    rows = text.splitlines()
    if len(rows) > MOST_LINES:
        raise LimitError(path, f"has {len(rows):,} lines; expected at most {MOST_LINES:,}")
    for number, row in enumerate(rows, 1):
        said = row.split("#", 1)[0]
        words = tuple(_words(said))
        if len(words) > MOST_WORDS:
            raise LimitError(path, f"has {len(words)} words; expected at most {MOST_WORDS}", place=f"line {number}")
        if words:
            yield Line(path, number, words, len(said.rstrip()))


def _words(row: str) -> Iterator[Word]:
    begin = None
    for column, letter in enumerate(row + " "):
        if letter in "{}" or letter.isspace():
            if begin is not None:
                yield Word(row[begin:column], begin + 1)
                begin = None
            if letter in "{}":
                yield Word(letter, column + 1)
        elif begin is None:
            begin = column


def property_of(
    line: Line, name: Word, arguments: Sequence[Word], kinds: Mapping[str, type[Property]],
    values: Mapping[str, float] | None = None,
) -> Property:  # fmt: skip
    """The property that a line says.

    Args:
        line: for errors.
        name: what it is called.
        arguments: its parameters.
        kinds: the properties that there are.
        values: of the names that numbers may speak of, as ``$amount``.

    Raises:
        MalformedFileError: with line and column.
    """
    kind = kinds.get(name.text)
    if kind is None:
        line.fail(str(UnknownNameError("mummer", "property", name.text, kinds)), name)
    given: dict[str, Any] = {}
    hints, left = get_type_hints(kind), list(arguments)
    fields = _written(kind)
    for field in fields:
        needed = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        if not left and not needed:
            break
        given[field.name] = _value(line, kind, field.name, hints[field.name], left, values or {})
    if left:
        line.fail(f"{name.text} takes no further word; expected {usage(kind)}", left[0])
    try:
        return kind(**given)
    except InputError as error:
        line.fail(f"{name.text}: {error}", arguments[0] if arguments else name)


def usage(kind: type[Property]) -> str:
    """How a property is written."""
    hints = get_type_hints(kind)
    said = [_expected(field.name, hints[field.name]) for field in _written(kind)]
    return " ".join([kind.__name__, "{...}", *said])


def _written(kind: type[Property]) -> list[dataclasses.Field[Any]]:
    """The fields that a text gives; others are filled in by whoever reads it."""
    return [field for field in dataclasses.fields(kind) if not field.metadata.get(MADE)]


def _expected(name: str, hint: Any) -> str:
    if get_origin(hint) is Literal:
        return "|".join(str(choice) for choice in get_args(hint))
    if get_origin(hint) is tuple:
        return f"{name} ..." if get_args(hint)[-1] is Ellipsis else " ".join([name] * len(get_args(hint)))
    return name


def _value(
    line: Line, kind: type[Property], name: str, hint: Any, left: list[Word], values: Mapping[str, float]
) -> Any:
    if get_origin(hint) in (Union, types.UnionType):
        hint = next(each for each in get_args(hint) if each is not type(None))
    if get_origin(hint) is tuple:
        inner, *more = get_args(hint)
        count = len(left) if Ellipsis in more else len(get_args(hint))
        return tuple(_value(line, kind, name, inner, left, values) for _ in range(count))
    if not left:
        line.fail(f"{kind.__name__} wants {name}; expected {usage(kind)}")
    word = left.pop(0)
    if get_origin(hint) is Literal:
        choices = [str(choice) for choice in get_args(hint)]
        if word.text not in choices:
            line.fail(f"{kind.__name__} got {word.text!r} for {name}; expected {', '.join(choices)}", word)
        return word.text
    if hint in (float, int):
        number = number_of(word.text, values)
        if number is None or (hint is int and number != int(number)):
            what = "a whole number" if hint is int else "a number"
            line.fail(f"{kind.__name__} got {word.text!r} for {name}; expected {what}", word)
        return hint(number)
    return word.text


def number_of(text: str, values: Mapping[str, float]) -> float | None:
    """The number that a word says: one, or a sum of products of numbers and names, as ``1+0.5*$amount``; else None."""
    if "$" not in text:
        return parse_number(text)
    if len(text) > 100:
        return None
    try:
        found = _evaluated(ast.parse(text.replace("$", "_said_"), mode="eval").body, values)
    except (SyntaxError, ValueError, KeyError, ZeroDivisionError, OverflowError, RecursionError, MemoryError):
        return None
    return found if abs(found) < 1e12 else None


def _evaluated(node: ast.AST, values: Mapping[str, float]) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return float(node.value)
    if isinstance(node, ast.Name):
        return values[node.id.removeprefix("_said_")]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_evaluated(node.operand, values)
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        return float(OPERATORS[type(node.op)](_evaluated(node.left, values), _evaluated(node.right, values)))
    raise ValueError


def address_of(line: Line, words: Sequence[Word]) -> tuple[tuple[str, ...], list[Word]]:
    """The address in braces that ``words`` begin with, and the words behind it.

    Raises:
        MalformedFileError: with line and column.
    """
    if not words or words[0].text != "{":
        line.fail("expected {action cycle pose dof}, as in {*} or {* * * neck_y}", words[0] if words else None)
    close = next((place for place, word in enumerate(words) if word.text == "}"), None)
    if close is None:
        line.fail("the brace is not closed; expected }", words[0])
    inside = words[1:close]
    nested = next((word for word in inside if word.text == "{"), None)
    if nested is not None:
        line.fail("a brace within braces; expected }", nested)
    if not inside:
        line.fail("the braces are empty; expected {*} for everything", words[close])
    if len(inside) > 5:
        line.fail("too many words in braces; expected action, cycle, pose and degree of freedom", inside[5])
    for word in inside[1:3]:
        if word.text != "*" and not (word.text.isascii() and word.text.isdigit()):
            line.fail(f"got {word.text!r} for the number of a cycle or pose; expected 1, 2, ... or *", word)
    address = [word.text for word in inside]
    if len(address) == 5:
        address[3:] = [" ".join(address[3:])]
    stray = next((word for word in words[close + 1 :] if word.text in "{}"), None)
    if stray is not None:
        line.fail(f"a stray {stray.text}; expected the parameters of the property", stray)
    return tuple(address), list(words[close + 1 :])
