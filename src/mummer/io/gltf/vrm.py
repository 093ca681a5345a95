"""VRM: what a humanoid avatar's joints are, its expressions, spring bones, gaze and terms, as plain data."""

from __future__ import annotations

from typing import Any

from mummer.io.gltf import vrm0, vrm1
from mummer.io.gltf.fields import Element
from mummer.io.gltf.reading import Reading
from mummer.io.gltf.vrm_data import References


def extension(reading: Reading) -> tuple[str, Element] | None:
    """``0``, ``1`` or ``animation``, and the VRM extension of the document, or None if it is no VRM."""
    for version, name in (("1", "VRMC_vrm"), ("0", "VRM"), ("animation", "VRMC_vrm_animation")):
        found = reading.root.extension(name)
        if found is not None:
            return version, found
    return None


def named_nodes(reading: Reading) -> set[int]:
    """Every node that the VRM data of the document names: they are joints, whether a skin uses them or not."""
    found = extension(reading)
    if found is None:
        return set()
    version, element = found
    return vrm0.named_nodes(reading, element) if version == "0" else vrm1.named_nodes(reading, element)


def details(reading: Reading, references: References) -> dict[str, Any] | None:
    """The VRM data with joint indices and morph names in the place of node and mesh numbers, or None.

    Returns:
        ``version``, ``humanoid`` (VRM bone name → joint), ``expressions`` (name → morphs, materials, is_binary ...),
        ``spring_bones`` (``springs`` and ``collider_groups``), ``look_at``, ``first_person``, ``meta``.
    """
    found = extension(reading)
    if found is None:
        return None
    version, element = found
    if version == "0":
        return vrm0.details(reading, element, references)
    return vrm1.details(reading, element, references)


def front(reading: Reading) -> str:
    """The axis that a VRM avatar faces: -Z in 0.x, +Z in 1.0; empty for other files."""
    found = extension(reading)
    if found is None:
        return ""
    return "-Z" if found[0] == "0" else "+Z"
