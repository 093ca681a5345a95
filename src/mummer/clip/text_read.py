"""Clips from text: an expression is read, never run, and may only name what clips are made of."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mummer.character import Character, Recording
from mummer.clip.clip import Clip
from mummer.clip.text_names import HEADER, VALUES, kind_of, operators, resolve, told_fields
from mummer.errors import LimitError, MalformedFileError, MummerError, closest_names

MOST_BYTES = 16 * 2**20
MOST_DEPTH = 64
"""How deeply values may be nested."""
MOST_OPERATORS = 20_000
"""Operators of a clip, counting one that several others share once for each."""
MOST_LEVELS = 200
"""Operators from the clip down to a leaf."""
_TYPES: dict[str, tuple[tuple[type, ...], str]] = {
    "float": ((int, float), "a number"),
    "int": ((int,), "a whole number"),
    "str": ((str,), "a text"),
    "bool": ((bool,), "True or False"),
    "Clip": ((Clip,), "a clip"),
}
_MISUSES = (TypeError, ValueError, AttributeError, KeyError, IndexError, ArithmeticError, RecursionError, MemoryError)


def read(text: str, path: Path | None, folder: Path, bodies: Mapping[str, Character]) -> Clip:
    """The clip that ``text`` describes.

    Args:
        text: see `mummer.clip.text`.
        path: the file that it came from, for messages.
        folder: files are looked for here and below.
        bodies: bodies that it may name.

    Raises:
        MalformedFileError: with line and column.
        LimitError: if it is too large.
    """
    if len(text) > MOST_BYTES:
        raise LimitError(path, f"is {len(text):,} characters long; the limit is {MOST_BYTES:,}")
    first, _, rest = text.lstrip("\ufeff").partition("\n")
    if first.strip() != HEADER:
        raise MalformedFileError(path, f"starts with {first.strip()[:40]!r}; expected {HEADER!r}", place="line 1")
    # The header becomes a comment, so that line numbers stay what they are.
    statements = _parse("#\n" + rest, path)
    reader = _Reader(path, folder, bodies)
    for statement in statements[:-1]:
        reader.define(statement)
    return reader.result(statements[-1])


def _parse(text: str, path: Path | None) -> list[ast.stmt]:
    try:
        statements = ast.parse(text).body
    except SyntaxError as error:
        place = f"line {error.lineno}, column {error.offset}"
        raise MalformedFileError(path, f"is not an expression: {error.msg}", place=place) from None
    except (ValueError, RecursionError, MemoryError):
        raise MalformedFileError(path, "is nested too deeply, or holds what is no text") from None
    if not statements:
        raise MalformedFileError(path, "describes no clip; expected an operator after the first line")
    return statements


class _Reader:
    """Builds values from the tree of an expression, whose every kind of node it must know."""

    def __init__(self, path: Path | None, folder: Path, bodies: Mapping[str, Character]) -> None:
        self.path, self.folder, self.bodies = path, folder, bodies
        self.kinds: dict[str, type] = {**operators(), **VALUES}
        self.names: dict[str, Any] = {}
        self.loaded: dict[str, Character] = {}
        # By identity, with the clip itself so that the identity stays taken: operators in it, and levels.
        self.sizes: dict[int, tuple[int, int, Clip]] = {}

    def error(self, node: ast.AST, what: str) -> MalformedFileError:
        place = f"line {getattr(node, 'lineno', 0)}, column {getattr(node, 'col_offset', 0) + 1}"
        return MalformedFileError(self.path, what, place=place)

    def define(self, statement: ast.stmt) -> None:
        """``name = expression``, for use further down."""
        if not (
            isinstance(statement, ast.Assign)
            and len(statement.targets) == 1
            and isinstance(statement.targets[0], ast.Name)
        ):
            raise self.error(statement, "only lines such as walk = Sampled(...) may stand before the clip itself")
        name = statement.targets[0].id
        if name in self.kinds:
            raise self.error(statement, f"{name!r} is the name of an operator and cannot be given to something else")
        self.names[name] = self.value(statement.value, 0)

    def result(self, statement: ast.stmt) -> Clip:
        """The last line, which must be a clip."""
        if not isinstance(statement, ast.Expr):
            raise self.error(statement, "the last line must be the clip itself, an operator with its arguments")
        made = self.value(statement.value, 0)
        if not isinstance(made, Clip):
            raise self.error(statement, f"the last line is {_kind(made)}; expected a clip")
        return made

    def value(self, node: ast.expr, depth: int) -> Any:
        if depth > MOST_DEPTH:
            raise self.error(node, f"values are nested more than {MOST_DEPTH} deep; give a part a name of its own")
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float, str, bool, type(None))):
            return node.value
        if isinstance(node, (ast.Tuple, ast.List)):
            return tuple([self.value(entry, depth + 1) for entry in node.elts])
        if isinstance(node, ast.Dict) and all(isinstance(key, ast.Constant) for key in node.keys):
            keys = [self.value(key, depth + 1) for key in node.keys if key is not None]
            return dict(zip(keys, [self.value(entry, depth + 1) for entry in node.values], strict=True))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            number = self.value(node.operand, depth + 1)
            if isinstance(number, (int, float)):
                return -number
        if isinstance(node, ast.Name):
            return self._named(node)
        if isinstance(node, ast.Call):
            return self._call(node, depth)
        raise self.error(node, "here may stand operators, names, numbers, texts, tuples and dictionaries alone")

    def _named(self, node: ast.Name) -> Any:
        if node.id in self.names:
            return self.names[node.id]
        raise self.error(node, f"nothing is called {node.id!r}{_hint(node.id, self.names)}")

    def _call(self, node: ast.Call, depth: int) -> Any:
        if not isinstance(node.func, ast.Name) or node.func.id not in self.kinds:
            name = node.func.id if isinstance(node.func, ast.Name) else "that"
            raise self.error(node, f"there is no operator {name!r}{_hint(name, self.kinds)}")
        kind = self.kinds[node.func.id]
        arguments = self._arguments(node, kind, depth)
        try:
            made = kind(**arguments)
            if isinstance(made, Clip):
                self._measure(made, node)
        except MalformedFileError:
            raise
        except MummerError as error:
            raise self.error(node, str(error)) from None
        except _MISUSES as error:
            raise self.error(node, f"{node.func.id} cannot be made of these values: {error}"[:300]) from None
        return made

    def _measure(self, clip: Clip, node: ast.Call) -> None:
        """Keep count, so that a short text cannot stand for an endless clip."""
        inner = [self.sizes[id(part)] for part in clip.parts if id(part) in self.sizes]
        size, levels = 1 + sum(each[0] for each in inner), 1 + max((each[1] for each in inner), default=0)
        if size > MOST_OPERATORS or levels > MOST_LEVELS:
            raise self.error(
                node,
                f"the clip is made of {size} operators on {levels} levels; the limits are {MOST_OPERATORS} and "
                f"{MOST_LEVELS}",
            )
        self.sizes[id(clip)] = (size, levels, clip)

    def _arguments(self, node: ast.Call, kind: type, depth: int) -> dict[str, Any]:
        """The arguments by field, with bodies and recordings found."""
        fields = {field.name: field for field in told_fields(kind) if field.init}
        unnamed = [name for name, field in fields.items() if not field.kw_only]
        if len(node.args) > len(unnamed):
            raise self.error(node, f"{kind.__name__} takes {len(unnamed)} values, not {len(node.args)}")
        given = [(name, value) for name, value in zip(unnamed, node.args, strict=False)]
        for keyword in node.keywords:
            if keyword.arg not in fields:
                hint = _hint(keyword.arg or "", fields)
                raise self.error(keyword, f"{kind.__name__} has no setting {keyword.arg!r}{hint}")
            given.append((keyword.arg, keyword.value))
        found: dict[str, Any] = {}
        for name, value in given:
            if name in found:
                raise self.error(value, f"{name} of {kind.__name__} is given twice")
            found[name] = self._fitting(fields[name], self.value(value, depth + 1), value, kind, found)
        self._require_all(node, kind, fields, found)
        return found

    def _require_all(self, node: ast.Call, kind: type, fields: Mapping[str, Any], found: Mapping[str, Any]) -> None:
        nothing = dataclasses.MISSING
        needed = [name for name, field in fields.items() if field.default is field.default_factory is nothing]
        missing = [name for name in needed if name not in found]
        if missing:
            raise self.error(node, f"{kind.__name__} needs {' and '.join(missing)}")

    def _fitting(
        self, field: dataclasses.Field[Any], value: Any, node: ast.expr, kind: type, found: Mapping[str, Any]
    ) -> Any:
        wanted = kind_of(field)
        if wanted == "Character" and isinstance(value, str):
            return self._body(value, node)
        if wanted == "Recording" and isinstance(value, str):
            return self._recording(value, node, found.get("character"))
        plain, _, other = wanted.partition(" | ")
        if plain not in _TYPES or (other == "None" and value is None):
            return value
        types, words = _TYPES[plain]
        # To Python, True is a number.
        if isinstance(value, types) and isinstance(value, bool) == (plain == "bool"):
            return value
        raise self.error(node, f"{field.name} of {kind.__name__} is {_kind(value)}; expected {words}")

    def _body(self, name: str, node: ast.expr) -> Character:
        if name not in self.loaded:
            try:
                self.loaded[name] = resolve(name, self.folder, self.bodies)
            except MummerError as error:
                raise self.error(node, f"body {name[:80]!r}: {error}") from None
        return self.loaded[name]

    def _recording(self, name: str, node: ast.expr, character: Any) -> Recording:
        choices = {each.name: each for each in character.recordings} if isinstance(character, Character) else {}
        if name not in choices:
            raise self.error(node, f"the body brings no recording {name!r}{_hint(name, choices)}")
        return choices[name]


def _hint(name: str, choices: Mapping[str, Any]) -> str:
    near = closest_names(name, choices)
    return f"; closest: {', '.join(repr(each) for each in near)}" if near else ""


def _kind(value: Any) -> str:
    words = {bool: "True or False", int: "a number", float: "a number", str: "a text", tuple: "a row of values",
             dict: "a dictionary", type(None): "None"}  # fmt: skip
    return words.get(type(value), type(value).__name__)
