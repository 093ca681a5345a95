"""Names of scripts and sketches, and where they are at home."""

from mummer.script.action import Action, Addressed, Condition, Cycle, Entry, PoseNode, Said, Script
from mummer.script.dofs import Dofs, dofs_of
from mummer.script.execute import execute
from mummer.script.integrate import Direction, make_plan
from mummer.script.plan import Element, Plan
from mummer.script.property import Property, load_properties
from mummer.script.reading import read_clip
from mummer.script.rehearsal import Rehearsal, sketched
from mummer.script.script_text import ScriptText, load_script, script_from_text, script_names
from mummer.script.shape import Shape, load_shape
from mummer.script.sketch import Sketch, load_sketch, sketch_from_text, sketch_names

__all__ = [
    "Action",
    "Addressed",
    "Condition",
    "Cycle",
    "Direction",
    "Dofs",
    "Element",
    "Entry",
    "Plan",
    "PoseNode",
    "Property",
    "Rehearsal",
    "Said",
    "Script",
    "ScriptText",
    "Shape",
    "Sketch",
    "dofs_of",
    "execute",
    "load_properties",
    "load_script",
    "load_shape",
    "load_sketch",
    "make_plan",
    "read_clip",
    "script_from_text",
    "script_names",
    "sketch_from_text",
    "sketch_names",
    "sketched",
]
