"""The Skeletons of a USD stage."""

from __future__ import annotations

from typing import Any

from pxr import UsdSkel

from .usd_values import label, matrix, numbers, tokens


def read_skeleton(prim: Any, cache: Any) -> dict[str, Any]:
    """Joints as paths, their transforms at bind and at rest, and where the Skeleton itself stands."""
    skeleton = UsdSkel.Skeleton(prim)
    weights = prim.GetAttribute("mummer:blendShapeWeights")
    return {
        "path": str(prim.GetPath()),
        "name": label(prim),
        "joints": tokens(skeleton.GetJointsAttr()),
        "names": tokens(skeleton.GetJointNamesAttr()),
        "bind": numbers(skeleton.GetBindTransformsAttr().Get(), 4, 4),
        "rest": numbers(skeleton.GetRestTransformsAttr().Get(), 4, 4),
        "world": matrix(cache.GetLocalToWorldTransform(prim)),
        "source": _source(prim),
        "morphs": tokens(prim.GetAttribute("mummer:blendShapes")) if weights else [],
        "weights": numbers(weights.Get()) if weights else None,
    }


def _source(prim: Any) -> str:
    found = UsdSkel.BindingAPI(prim).GetInheritedAnimationSource()
    return str(found.GetPath()) if found else ""
