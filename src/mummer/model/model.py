"""Models: what a class of action is about. Plain files, read here; `mummer.model.style` has how it is done."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from mummer.errors import InputError, MalformedFileError, UnknownNameError
from mummer.model.key_times import DEFAULT
from mummer.model.parameter import Beyond, Kind, Parameter, Scale, Value
from mummer.toml_text import parse_toml, place_of, read_toml_text

VERSION = 1
MODELS = Path(__file__).parent / "library" / "models"
GoalKind = Literal["place", "height", "aim", "orient", "balance", "above", "center_of_mass", "keep"]
Rule = Literal["cartesian", "angular", "throw", "radial", "none"]
Deform = Literal["goals", "throw", "jump", "travel"]
Control = Literal["shared", "first", "second", "still"]
COMMON = (
    Parameter("position", "position", "where the actor stands when it begins", edit="start"),
    Parameter("orientation", "orientation", "where the actor faces when it begins, degrees to the left", edit="start"),
)
"""What every model has; both are those of the start pose if nobody says."""
TRANSITION = ("entry", "exit", "again", "seconds", "haste", "timing", "join", "geometry", "warp")
"""What a model or a style may say about how to come into it: at which key times it is entered and left; ``again``, the
canonical times at which it is left and entered where it follows itself, as hops do; ``haste``, how many times as fast
as others it is come into; fields of `mummer.stage.segue.Manner`."""


class GoalRule(Struct, frozen=True, forbid_unknown_fields=True):
    """A goal that a model makes of its parameters, and keeps as an invariant.

    Attributes:
        kind: place, height (of a place alone), aim, orient, balance, above (a floor), center_of_mass, or keep: the part
            stays where the motion has it when it begins, seen from the part ``to``.
        part: a role or joint; ``tip`` for the part that acts, as the style says.
        at: the parameter that says where.
        during: the key times between which it holds.
        weight: None for a hard one.
        when: a boolean parameter that switches it on; always if empty.
        each: whether it holds for a moment alone, each time that the model does what it ``repeat``s.
        to: the other part of ``keep``.
    """

    kind: GoalKind
    part: str = "tip"
    at: str = ""
    during: tuple[str, str] = ("achieve", "release")
    weight: float | None = None
    when: str = ""
    each: bool = False
    to: str = ""


@dataclass(frozen=True)
class Layer:
    """One of the models that a combination is made of.

    Attributes:
        name: what the combination calls it.
        model: which.
        style: how it is done; as the combination is, or its first one, if empty.
        values: of its parameters, which the combination says once for all and does not have itself.
        renamed: parameters of it that the combination has under another name.
        together: an earlier layer, or a key time of it, ``lean.achieve``: its moment ``key`` falls on that moment.
        key: see ``together``.
        groups: how important groups of the body are to it, 0 to 100, or ``add`` where only its changes are put on top.
        to: a part that what acts in it goes along with, wherever other layers have that: a hand that strokes a head.
    """

    name: str
    model: Model
    style: str = ""
    values: Mapping[str, Value] = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=dict)
    together: str = ""
    key: str = "start"
    groups: Mapping[str, float | str] = field(default_factory=dict)
    to: str = ""

    def outward(self, name: str) -> str:
        """What the combination calls a parameter of the layer; empty for one that it does not have."""
        return "" if name in self.values else self.renamed.get(name, name)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Those that the combination has of it, as it calls them; key times are those of the first layer alone."""
        shown = [each for each in self.model.parameters if self.outward(each.name)]
        return tuple(
            replace(each, name=self.outward(each.name), edit="" if self.together else each.edit,
                    excludes=tuple(filter(None, (self.outward(other) for other in each.excludes))))
            for each in shown
        )  # fmt: skip


@dataclass(frozen=True)
class Model:
    """A parameterised class of action.

    Attributes:
        name, description: for people.
        key_times: names of its key times, in order.
        parameters: what may be chosen, the common ones first.
        goals: what it makes of them.
        rule, over: how weights of base motions follow from which parameters.
        deform: how a motion is bent to its goals: by goals at key times alone, or also as a throw, a jump or a way is.
        transition: what the stage is told about how to come into it, by name.
        style: the one of its styles that is taken where nobody says; ``performed`` or the first if empty.
        repeat: the parameter, if any, that says how often it is done between its achieve and its release.
        contact: who leads a part of its actor that somebody else touches meanwhile, whatever they wish: ``first``, who
            touches, ``second``, its actor, ``shared`` or ``still``; empty if it is as they wish.
        layers: models that it is made of, the lowest first; its parameters and invariants are all of theirs.
    """

    name: str
    description: str = ""
    key_times: tuple[str, ...] = DEFAULT
    parameters: tuple[Parameter, ...] = COMMON
    goals: tuple[GoalRule, ...] = ()
    rule: Rule = "none"
    over: tuple[str, ...] = ()
    deform: Deform = "goals"
    transition: Mapping[str, Any] = field(default_factory=dict)
    style: str = ""
    repeat: str = ""
    contact: Control | Literal[""] = ""
    layers: tuple[Layer, ...] = ()

    def parameter(self, name: str) -> Parameter:
        """The parameter called ``name``.

        Raises:
            UnknownNameError: with the closest.
        """
        for parameter in self.parameters:
            if parameter.name == name:
                return parameter
        raise UnknownNameError(f"model {self.name!r}", "parameter", name, [each.name for each in self.parameters])

    def has(self, name: str) -> bool:
        """Whether it has a parameter of that name."""
        return any(parameter.name == name for parameter in self.parameters)


class ParameterText(Struct, frozen=True, forbid_unknown_fields=True):
    """A parameter as its file has it; see `Parameter`."""

    name: str
    type: Kind
    description: str = ""
    default: Any = None
    choices: list[str] = msgspec.field(default_factory=list)
    least: float = -math.inf
    most: float = math.inf
    scale: Scale = "none"
    unit: str = ""
    edit: str = ""
    excludes: list[str] = msgspec.field(default_factory=list)
    beyond: Beyond = "clip"


class WeightsText(Struct, frozen=True, forbid_unknown_fields=True):
    """How weights of base motions are found."""

    rule: Rule
    over: list[str]


class LayerText(Struct, frozen=True, forbid_unknown_fields=True):
    """A layer as its file has it; see `Layer`."""

    model: str
    name: str = ""
    style: str = ""
    set: dict[str, Any] = msgspec.field(default_factory=dict)
    renamed: dict[str, str] = msgspec.field(default_factory=dict, name="as")
    together: str = msgspec.field(default="", name="with")
    key: str = "start"
    groups: dict[str, float | Literal["add"]] = msgspec.field(default_factory=dict)
    to: str = ""


class ModelText(Struct, frozen=True, forbid_unknown_fields=True):
    """A whole model; what is not said is as in the model that it is ``like``."""

    version: int
    name: str
    description: str = ""
    like: str = ""
    key_times: list[str] | None = None
    weights: WeightsText | None = None
    deform: Deform | None = None
    style: str = ""
    repeat: str = ""
    transition: dict[str, Any] = msgspec.field(default_factory=dict)
    contact: Control | Literal[""] = ""
    parameter: list[ParameterText] = msgspec.field(default_factory=list)
    goal: list[GoalRule] = msgspec.field(default_factory=list)
    layer: list[LayerText] = msgspec.field(default_factory=list)


def model_names() -> tuple[str, ...]:
    """The models of the library; templates that only others are made of are left out."""
    return tuple(sorted(path.stem for path in MODELS.glob("*.toml") if not path.stem.startswith("_")))


def load_model(given: str | Path | Model) -> Model:
    """The model of the library that is called so, or that a file holds.

    Raises:
        UnknownNameError: if there is none, with the closest.
        MalformedFileError: naming file, line and field.

    Example:
        >>> load_model("reach").key_times
        ('start', 'achieve', 'release', 'settle', 'end')
    """
    if isinstance(given, Model):
        return given
    if isinstance(given, Path) or str(given).endswith(".toml"):
        path = Path(given)
        return model_from_text(read_toml_text(path, "a model"), path)
    if not (MODELS / f"{given}.toml").is_file() or not str(given).isidentifier():
        raise UnknownNameError("mummer", "model", str(given), model_names())
    return _library(str(given))


@lru_cache(maxsize=256)
def _library(name: str) -> Model:
    path = MODELS / f"{name}.toml"
    return model_from_text(read_toml_text(path, "a model"), path)


def model_from_text(text: str, path: Path | None = None) -> Model:
    """The model that a text holds.

    Raises:
        MalformedFileError: naming file, line and field.
    """
    fields = parse_toml(text, ModelText, version=VERSION, what="a model", path=path)
    checking = Checking(text, path)
    with checking.at("like"):
        base = load_model(fields.like) if fields.like else Model(fields.name)
    if fields.layer:
        base = checking.layers(fields, path)
    made = [checking.parameter(each, f"parameter[{number}]") for number, each in enumerate(fields.parameter)]
    renewed = {each.name for each in made}
    found = replace(
        base, name=fields.name, description=fields.description or base.description,
        key_times=base.key_times if fields.key_times is None else tuple(fields.key_times),
        parameters=(*(each for each in base.parameters if each.name not in renewed), *made),
        goals=tuple(fields.goal) or base.goals,
        rule=base.rule if fields.weights is None else fields.weights.rule,
        over=base.over if fields.weights is None else tuple(fields.weights.over),
        deform=base.deform if fields.deform is None else fields.deform,
        transition={**base.transition, **fields.transition}, style=fields.style or base.style,
        repeat=fields.repeat or base.repeat, contact=fields.contact or base.contact,
    )  # fmt: skip
    checking.model(found, fields)
    return found


class Checking:
    """Knows the text that something was read from, so that whatever is wrong is told with its line."""

    def __init__(self, text: str, path: Path | str | None) -> None:
        self.text, self.path = text, path

    @contextmanager
    def at(self, where: str) -> Iterator[None]:
        """Whatever is wrong inside is wrong with the field ``where``."""
        try:
            yield
        except MalformedFileError:
            raise
        except InputError as error:
            raise MalformedFileError(self.path, str(error), place=place_of(self.text, where)) from None

    def parameter(self, fields: ParameterText, where: str) -> Parameter:
        """A parameter."""
        named = msgspec.structs.asdict(fields)
        named |= {"choices": tuple(fields.choices), "excludes": tuple(fields.excludes), "kind": named.pop("type")}
        made = Parameter(**{**named, "default": None})
        with self.at(f"{where}.choices"):
            if (fields.type == "enumeration") != bool(fields.choices):
                raise InputError(f"{fields.name} is of type {fields.type}; expected choices for an enumeration alone")
        with self.at(f"{where}.default"):
            return made if fields.default is None else replace(made, default=made.read(fields.default))

    def layers(self, fields: ModelText, path: Path | None) -> Model:
        """The combination of the layers of a file, without what else the file says."""
        with self.at("layer[0].with"):
            if fields.layer[0].together:
                raise InputError("the first layer begins by itself; expected none")
        for name in ("like", "key_times", "weights", "deform", "goal"):
            with self.at(name):
                if getattr(fields, name):
                    raise InputError("a combination has those of its layers; expected none, or no layers")
        layers: list[Layer] = []
        parameters: dict[str, Parameter] = {}
        for number, each in enumerate(fields.layer):
            made = self._layer(each, f"layer[{number}]", layers, path)
            with self.at(f"layer[{number}].model"):
                for parameter in made.parameters:
                    known = parameters.setdefault(parameter.name, parameter)
                    if (known.kind, known.choices) != (parameter.kind, parameter.choices):
                        raise InputError(f"{parameter.name} of {made.name} is another thing than that of the layers "
                                         "before it; expected another name for one of them, in 'as'")  # fmt: skip
            layers.append(made)
        return Model(fields.name, key_times=layers[0].model.key_times, parameters=tuple(parameters.values()),
                     transition=layers[0].model.transition, layers=tuple(layers))  # fmt: skip

    def _layer(self, fields: LayerText, where: str, before: list[Layer], path: Path | None) -> Layer:
        with self.at(f"{where}.model"):
            beside = (path.parent if path else Path()) / fields.model
            model = load_model(beside if fields.model.endswith(".toml") else fields.model)
            name = fields.name or model.name
            if model.layers:
                raise InputError(f"{model.name} is made of layers itself; expected a model that is not")
            if name in [each.name for each in before]:
                raise InputError(f"two layers are called {name!r}; expected a name each")
        with self.at(f"{where}.set"):
            values = {key: model.parameter(key).read(value) for key, value in fields.set.items()}
        with self.at(f"{where}.as"):
            for key in fields.renamed:
                model.parameter(key)
        with self.at(f"{where}.key"):
            require_key_time(model, fields.key)
        known = {each.name: each.model for each in before}
        at, _, moment = (fields.together or (before[0].name if before else "")).partition(".")
        with self.at(f"{where}.with"):
            if before and at not in known:
                raise UnknownNameError("a combination", "earlier layer", at, known)
            if moment:
                require_key_time(known[at], moment)
        together = f"{at}.{moment or known[at].key_times[0]}" if before else ""
        return Layer(name, model, fields.style, values, fields.renamed, together, fields.key, fields.groups,
                     fields.to)  # fmt: skip

    def transition(self, given: Mapping[str, Any], model: Model) -> None:
        """Raise unless all that is said about transitions is known."""
        with self.at("transition"):
            for name, value in given.items():
                if name not in TRANSITION:
                    raise UnknownNameError("a transition", "field", name, TRANSITION)
                for moment in value if name == "again" else [value] if name in ("entry", "exit") else ():
                    check_moment(model, moment)

    def model(self, model: Model, fields: ModelText) -> None:
        """Raise unless everything that is named is there."""
        self.transition(fields.transition, model)
        names = [each.name for each in model.parameters]
        for number, each in enumerate(fields.parameter):
            with self.at(f"parameter[{number}].name"):
                if names.count(each.name) > 1:
                    raise InputError(f"two parameters are called {each.name!r}; expected a name each")
            with self.at(f"parameter[{number}].edit"):
                if each.edit:
                    require_key_time(model, each.edit)
            with self.at(f"parameter[{number}].excludes"):
                for other in each.excludes:
                    model.parameter(other)
        with self.at("repeat"):
            if model.repeat and model.parameter(model.repeat).kind != "scalar":
                raise InputError(f"{model.repeat} is no number; expected a parameter that is a scalar")
        with self.at("weights.over"):
            for name in model.over:
                model.parameter(name)
        self.goals(fields.goal, model)

    def goals(self, fields: list[GoalRule], model: Model) -> tuple[GoalRule, ...]:
        """Goals whose parameters and key times are there."""
        for number, goal in enumerate(fields):
            for name in ("at", "when"):
                with self.at(f"goal[{number}].{name}"):
                    if getattr(goal, name):
                        model.parameter(getattr(goal, name))
            with self.at(f"goal[{number}].during"):
                for moment in goal.during:
                    require_key_time(model, moment)
            with self.at(f"goal[{number}].to"):
                if (goal.kind == "keep") != bool(goal.to):
                    raise InputError(f"a goal of kind {goal.kind}; expected the other part of one that is kept alone")
        return tuple(fields)


def check_moment(model: Model, at: float | str) -> None:
    """Raise unless a model has such a key time or canonical time.

    Raises:
        UnknownNameError: for a key time that it has not.
        InputError: for a canonical time outside of its own.
    """
    if isinstance(at, str):
        require_key_time(model, at)
    elif not 0 <= at <= len(model.key_times) - 1:
        raise InputError(f"canonical time {at:g}; expected 0 to {len(model.key_times) - 1}")


def require_key_time(model: Model, name: str) -> None:
    """Raise unless the model has such a key time.

    Raises:
        UnknownNameError: with the closest.
    """
    if name not in model.key_times:
        raise UnknownNameError(f"model {model.name!r}", "key time", name, model.key_times)
