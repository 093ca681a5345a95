"""Any body gives any performance: recognise, retarget and animate any rigged character.

Everything most people need is here under one name, loaded when it is first used::

    import mummer as mm

    hero = mm.load("hero.glb")
    mm.save(hero, "hero.usda")
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mummer import (
        clip,
        engine,
        general,
        ik,
        math,
        measure,
        model,
        physics,
        recognition,
        render,
        retargeting,
        script,
        stage,
        zoo,
    )
    from mummer.character import (
        Anatomy,
        Character,
        Curve,
        Limb,
        Limits,
        Mass,
        Mesh,
        Pose,
        Recording,
        Skeleton,
        Skin,
        world_matrices,
        world_positions,
        world_transforms,
    )
    from mummer.engine import Actor, Crowd
    from mummer.engine.perform import perform
    from mummer.errors import MummerError
    from mummer.ik.constraints import blend
    from mummer.io import ReadLimits, load, save
    from mummer.model.act import act
    from mummer.physics.simulate import simulate
    from mummer.recognition.recognize import recognize
    from mummer.report import Finding, Report
    from mummer.retargeting.retarget import retarget
    from mummer.stage.play import Play

__version__ = "0.1.0"

_HOMES = {
    "mummer.character": (
        "Anatomy",
        "Character",
        "Curve",
        "Limb",
        "Limits",
        "Mass",
        "Mesh",
        "Pose",
        "Recording",
        "Skeleton",
        "Skin",
        "world_matrices",
        "world_positions",
        "world_transforms",
    ),
    "mummer.engine": ("Actor", "Crowd", "perform"),
    "mummer.errors": ("MummerError",),
    "mummer.ik.constraints": ("blend",),
    "mummer.io": ("ReadLimits", "load", "save"),
    "mummer.model": ("act",),
    "mummer.physics": ("simulate",),
    "mummer.recognition": ("recognize",),
    "mummer.report": ("Finding", "Report"),
    "mummer.retargeting": ("retarget",),
    "mummer.stage": ("Play",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_PACKAGES = (
    "clip", "engine", "general", "ik", "math", "measure", "model", "physics", "recognition", "render", "retargeting",
    "script",
    "stage",
    "zoo",
)  # fmt: skip

__all__ = [
    "Actor",
    "Anatomy",
    "Character",
    "Crowd",
    "Curve",
    "Finding",
    "Limb",
    "Limits",
    "Mass",
    "Mesh",
    "MummerError",
    "Play",
    "Pose",
    "ReadLimits",
    "Recording",
    "Report",
    "Skeleton",
    "Skin",
    "__version__",
    "act",
    "blend",
    "clip",
    "engine",
    "general",
    "ik",
    "load",
    "math",
    "measure",
    "model",
    "perform",
    "physics",
    "recognition",
    "recognize",
    "render",
    "retarget",
    "retargeting",
    "save",
    "script",
    "simulate",
    "stage",
    "world_matrices",
    "world_positions",
    "world_transforms",
    "zoo",
]


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        value = getattr(importlib.import_module(_HOME_OF[name]), name)
    elif name in _PACKAGES:
        value = importlib.import_module(f"mummer.{name}")
    else:
        raise AttributeError(f"module 'mummer' has no attribute {name!r}{_nearest(name)}")
    globals()[name] = value
    return value


def _nearest(name: str) -> str:
    from mummer.errors import closest_names

    near = closest_names(name, __all__, most=1)
    return f"; did you mean {near[0]!r}?" if near else ""


def __dir__() -> list[str]:
    return sorted(__all__)
