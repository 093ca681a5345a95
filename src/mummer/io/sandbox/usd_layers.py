"""Opening a USD file without letting it reach for anything outside itself."""

from __future__ import annotations

import os
import zipfile
from typing import Any

from pxr import Ar, Sdf, Usd

from .transfer import RefusedError

ARCS = ("references", "payload")


def open_alone(path: str, limits: dict[str, Any]) -> tuple[Any, list[str]]:
    """A stage of the one layer in ``path``, and what was cut off from it.

    Sublayers, references, payloads and value clips that name another file are removed before anything is composed;
    those that stay within the layer work as ever. A package (.usdz) counts as its first layer.
    """
    if zipfile.is_zipfile(path):
        _check_package(path, limits)
    layer = Sdf.Layer.OpenAsAnonymous(path)
    if layer is None:
        raise RefusedError("malformed", "is no readable USD")
    cut: list[str] = [f"sublayer {name}" for name in layer.subLayerPaths]
    layer.subLayerPaths = []
    prims: list[Any] = []
    layer.Traverse(Sdf.Path.absoluteRootPath, lambda at: prims.append(at) if _is_prim(at) else None)
    for at in prims:
        spec = layer.GetPrimAtPath(at)
        if spec is not None:
            cut += _cut_prim(spec)
    # An empty context: nothing is searched for beside the working folder, and that is empty.
    with Ar.ResolverContextBinder(Ar.ResolverContext()):
        stage = Usd.Stage.Open(layer, Ar.ResolverContext(), Usd.Stage.LoadAll)
    if not stage:
        raise RefusedError("malformed", "is no readable USD")
    return stage, [f"{what[:100]} was not followed" for what in cut[:50]]


def _is_prim(path: Any) -> bool:
    return bool(path.IsPrimPath() or path.IsPrimVariantSelectionPath())


def _cut_prim(spec: Any) -> list[str]:
    cut = []
    for field in ARCS:
        arcs = spec.GetInfo(field) if spec.HasInfo(field) else None
        if arcs is None:
            continue
        outside = [arc for arc in arcs.GetAppliedItems() if arc.assetPath]
        if outside:
            kept = [arc for arc in arcs.GetAppliedItems() if not arc.assetPath]
            made = Sdf.ReferenceListOp if field == "references" else Sdf.PayloadListOp
            spec.SetInfo(field, made.CreateExplicit(kept))
            cut += [f"{field[:9].rstrip('s')} to {arc.assetPath}" for arc in outside]
    if spec.HasInfo("clips"):
        spec.ClearInfo("clips")
        cut.append("value clips")
    return cut


def _check_package(path: str, limits: dict[str, Any]) -> None:
    try:
        with zipfile.ZipFile(path) as package:
            entries = package.infolist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise RefusedError("malformed", f"is no readable package: {error}") from error
    if any(entry.compress_type != zipfile.ZIP_STORED for entry in entries):
        raise RefusedError("malformed", "is a package with compressed parts, which USD does not allow")
    if sum(entry.file_size for entry in entries) > max(limits["file_bytes"], os.path.getsize(path)):
        raise RefusedError("limit", "unfolds to more than the limit allows")
