"""From a character to a USD file."""

from __future__ import annotations

import importlib.util
import os
import tempfile
from pathlib import Path
from typing import Any

from mummer.atomic import replacing
from mummer.character import Character
from mummer.errors import FileError, MissingExtraError
from mummer.io.parts.fold_scales import unscaled
from mummer.io.usd.names import identifiers
from mummer.io.usd.write_materials import write_materials
from mummer.io.usd.write_meshes import write_meshes
from mummer.io.usd.write_motion import write_recordings
from mummer.io.usd.write_skeleton import write_skeletons
from mummer.report import Report, ReportBuilder

DEFAULT_RATE = 24.0
SCOPES = ("Skeleton", "Motions", "Materials")


def write(character: Character, path: Path) -> Report:
    """Write a character as USD, whole or not at all: .usda, .usdc, .usd (binary) or .usdz.

    The default prim is a SkelRoot that holds the Skeleton, the meshes with their blend shapes, ``Materials``, and
    ``Motions`` with one SkelAnimation for each recording, all on one timeline that starts where the recordings do.
    The Skeleton plays the first of them; to play another, point its ``skel:animationSource`` there. A uniform scale of
    joints at rest is folded into what they carry, since Blender's bones have none and UsdSkel's are halves.

    Args:
        character: what to write.
        path: where to.

    Returns:
        What USD could not hold.

    Raises:
        MissingExtraError: if the extra ``usd`` is not installed.
    """
    if importlib.util.find_spec("pxr") is None:
        raise MissingExtraError("usd", "writing USD")
    target = Path(path)
    report = ReportBuilder()
    with tempfile.TemporaryDirectory(prefix="mummer-") as folder:
        # Textures lie beside a plain file, but inside a package.
        packed = target.suffix.lower() == ".usdz"
        beside = Path(folder) if packed else target.parent
        stage = _build(unscaled(character), beside, target.stem, report)
        with replacing(target) as temporary:
            if packed:
                _package(stage, Path(folder), temporary, target)
            elif not stage.GetRootLayer().Export(str(temporary)):
                raise FileError(target, "cannot be written: USD refused to export it")
    return report.build()


def _build(character: Character, beside: Path, stem: str, report: ReportBuilder) -> Any:
    from pxr import Usd, UsdGeom, UsdSkel

    stage = Usd.Stage.CreateInMemory()
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.y)
    UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    rates = [recording.frame_rate for recording in character.recordings if recording.frame_rate]
    rate = float(rates[0]) if rates else DEFAULT_RATE
    stage.SetTimeCodesPerSecond(rate)
    stage.SetFramesPerSecond(rate)
    (name,) = identifiers([character.name])
    root = UsdSkel.Root.Define(stage, f"/{name}")
    root.GetPrim().SetDisplayName(character.name)
    stage.SetDefaultPrim(root.GetPrim())
    skeletons = write_skeletons(stage, root.GetPath(), character, report)
    write_recordings(stage, root.GetPath().AppendChild("Motions"), character, skeletons, rate, report)
    materials = write_materials(stage, root.GetPath().AppendChild("Materials"), character, beside, stem)
    write_meshes(stage, root, character, skeletons, materials, taken=SCOPES)
    _report_lost(character, report)
    return stage


def _package(stage: Any, folder: Path, temporary: Path, target: Path) -> None:
    from pxr import Sdf, UsdUtils

    inner = folder / f"{target.stem or 'character'}.usdc"
    stage.GetRootLayer().Export(str(inner))
    os.unlink(temporary)  # the packager wants to make the file itself
    if not UsdUtils.CreateNewUsdzPackage(Sdf.AssetPath(str(inner)), str(temporary)):
        raise FileError(target, "cannot be written: USD refused to package it")


def _report_lost(character: Character, report: ReportBuilder) -> None:
    for what in ("anatomy", "limits", "mass"):
        if getattr(character, what) is not None:
            report.add("ignored", f"the {what} of a character has no place in USD")
