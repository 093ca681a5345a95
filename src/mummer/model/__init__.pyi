"""Names of motion models, and where they are at home."""

from mummer.model.act import act
from mummer.model.action import Action
from mummer.model.annotate import Annotation, annotate
from mummer.model.key_times import KeyTimes
from mummer.model.model import Model, load_model, model_names
from mummer.model.parameter import Parameter
from mummer.model.style import BaseMotion, Style, load_style, style_names
from mummer.model.values import Setting, Values

__all__ = [
    "Action",
    "Annotation",
    "BaseMotion",
    "KeyTimes",
    "Model",
    "Parameter",
    "Setting",
    "Style",
    "Values",
    "act",
    "annotate",
    "load_model",
    "load_style",
    "model_names",
    "style_names",
]
