"""What a USD file holds, told by usd-core: skeletons, animations, meshes and materials as flat arrays."""

from __future__ import annotations

import re
from typing import Any

from pxr import Tf, Usd, UsdGeom, UsdSkel

from .transfer import RefusedError
from .usd_layers import open_alone
from .usd_materials import read_materials
from .usd_meshes import read_mesh
from .usd_motion import read_animation
from .usd_skeletons import read_skeleton

MOST_PRIMS = 1_000_000


def read(job: dict[str, Any]) -> dict[str, Any]:
    """Everything that the parent process needs, in the file's own axes and units."""
    try:
        return _read(job)
    except Tf.ErrorException as error:
        raise RefusedError("malformed", f"is no readable USD: {reason(str(error), job['input'])}") from error


def reason(message: str, path: str) -> str:
    """What usd-core complains about, without where in its own sources it does and what our copy is called.

    Example:
        >>> reason("Error in 'x' at line 4 in file /a.h : '/tmp/input.usd:3:15: Expected )'", "/tmp/input.usd")
        'line 3:15: Expected )'
    """
    said = re.search(r" in file \S+ : '(.*?)'?\s*$", message, re.DOTALL)
    text = (said.group(1) if said else message).replace(f"{path}:", "line ").replace(path, "the file")
    return " ".join(text.split())[:160]


def _read(job: dict[str, Any]) -> dict[str, Any]:
    limits = job["limits"]
    stage, findings = open_alone(job["input"], limits)
    skeletons, animations, meshes = [], [], []
    for place, prim in enumerate(stage.Traverse(Usd.TraverseInstanceProxies())):
        if place >= MOST_PRIMS:
            raise RefusedError("limit", f"has more than {MOST_PRIMS:,} prims")
        if prim.IsA(UsdSkel.Skeleton):
            skeletons.append(prim)
        elif prim.IsA(UsdSkel.Animation):
            animations.append(prim)
        elif prim.IsA(UsdGeom.Mesh):
            meshes.append(prim)
    _require_fit(skeletons, animations, meshes, limits)
    cache = UsdGeom.XformCache()
    default = stage.GetDefaultPrim()
    return {
        "name": (default.GetDisplayName() or default.GetName()) if default else "",
        "up": str(UsdGeom.GetStageUpAxis(stage)),
        "metres_per_unit": float(UsdGeom.GetStageMetersPerUnit(stage)),
        "rate": float(stage.GetTimeCodesPerSecond()),
        "findings": findings,
        "skeletons": [read_skeleton(prim, cache) for prim in skeletons],
        "animations": [read_animation(prim) for prim in animations],
        "meshes": [read_mesh(prim, cache) for prim in meshes],
        "materials": read_materials(meshes),
    }


def _require_fit(skeletons: list[Any], animations: list[Any], meshes: list[Any], limits: dict[str, Any]) -> None:
    joints = sum(len(UsdSkel.Skeleton(prim).GetJointsAttr().Get() or ()) for prim in skeletons)
    points = sum(len(UsdGeom.Mesh(prim).GetPointsAttr().Get() or ()) for prim in meshes)
    corners = sum(len(UsdGeom.Mesh(prim).GetFaceVertexIndicesAttr().Get() or ()) for prim in meshes)
    motion = 0
    for prim in animations:
        animation = UsdSkel.Animation(prim)
        width = len(animation.GetJointsAttr().Get() or ()) + len(animation.GetBlendShapesAttr().Get() or ())
        samples = [animation.GetTranslationsAttr(), animation.GetRotationsAttr(), animation.GetScalesAttr()]
        motion += 4 * width * sum(attribute.GetNumTimeSamples() + 1 for attribute in samples)
        motion += width * animation.GetBlendShapeWeightsAttr().GetNumTimeSamples()
    for count, most, what in (
        (joints + len(meshes), limits["joints"], "joints"),
        (points, limits["vertices"], "vertices"),
        (corners, 4 * limits["vertices"], "corners of faces"),
        (motion, limits["values"], "numbers of motion"),
    ):
        if count > most:
            raise RefusedError("limit", f"has {count:,} {what}; the limit is {most:,}")
