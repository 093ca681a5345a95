"""VRM 0.x: the extension ``VRM``. Such avatars face -Z."""

from __future__ import annotations

from typing import Any

from mummer.io.gltf.fields import Element
from mummer.io.gltf.reading import Reading
from mummer.io.gltf.vrm_data import (
    References,
    humanoid,
    joint,
    listing,
    mapping,
    node_number,
    number,
    objects,
    vector,
)


def named_nodes(reading: Reading, vrm: Element) -> set[int]:
    """Every node that the extension names."""
    springs = mapping(vrm.raw.get("secondaryAnimation"))
    numbers = [bone.get("node") for bone in _bones(vrm)]
    for group in objects(springs.get("boneGroups")):
        numbers += [*listing(group.get("bones")), group.get("center")]
    numbers += [group.get("node") for group in objects(springs.get("colliderGroups"))]
    numbers.append(mapping(vrm.raw.get("firstPerson")).get("firstPersonBone"))
    return {node for node in (node_number(reading, value) for value in numbers) if node is not None}


def _bones(vrm: Element) -> list[dict[str, Any]]:
    return objects(mapping(vrm.raw.get("humanoid")).get("humanBones"))


def details(reading: Reading, vrm: Element, references: References) -> dict[str, Any]:
    """The extension in our terms; see `mummer.io.gltf.vrm.details`."""
    view = mapping(vrm.raw.get("firstPerson"))
    return {
        "version": str(vrm.raw.get("specVersion", "0.0")),
        "humanoid": humanoid(reading, references, [(bone.get("bone"), bone.get("node")) for bone in _bones(vrm)]),
        "expressions": _expressions(reading, vrm, references),
        "spring_bones": _spring_bones(reading, vrm, references),
        "look_at": {key: value for key, value in view.items() if key.startswith("lookAt")},
        "first_person": {
            "joint": joint(reading, references, view.get("firstPersonBone")),
            "offset": vector(view.get("firstPersonBoneOffset"), (0.0, 0.0, 0.0)),
            "mesh_annotations": listing(view.get("meshAnnotations")),
        },
        "meta": mapping(vrm.raw.get("meta")),
    }


def _expressions(reading: Reading, vrm: Element, references: References) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for place, group in enumerate(objects(mapping(vrm.raw.get("blendShapeMaster")).get("blendShapeGroups"))):
        preset = str(group.get("presetName") or "unknown").lower()
        name = str(group.get("name") or "") if preset == "unknown" else preset
        found.setdefault(
            name or f"expression{place}",
            {
                "label": str(group.get("name") or ""),
                "preset": preset != "unknown",
                "is_binary": group.get("isBinary") is True,
                "morphs": [pair for bind in objects(group.get("binds")) for pair in _bind(reading, bind, references)],
                "materials": listing(group.get("materialValues")),
            },
        )
    return found


def _bind(reading: Reading, bind: dict[str, Any], references: References) -> list[tuple[str, float]]:
    """Morph names and weights 0 to 1 of one bind, which names a mesh and a percentage."""
    mesh, place = bind.get("mesh"), bind.get("index")
    weight = number(bind.get("weight"), 0.0) / 100.0
    nodes = references.nodes_of_mesh.get(mesh, []) if type(mesh) is int else []
    names = [references.morph_nodes[node].names for node in nodes if node in references.morph_nodes]
    found = [each[place] for each in names if type(place) is int and 0 <= place < len(each)]
    if not found:
        reading.report.add("ignored", "VRM expressions that name morph targets which are not there")
    return [(name, weight) for name in dict.fromkeys(found)]


def _spring_bones(reading: Reading, vrm: Element, references: References) -> dict[str, Any]:
    raw = mapping(vrm.raw.get("secondaryAnimation"))
    return {
        "springs": [_spring(reading, group, references) for group in objects(raw.get("boneGroups"))],
        "collider_groups": [
            {
                "name": "",
                "colliders": [
                    {
                        "joint": joint(reading, references, group.get("node")),
                        "shape": "sphere",
                        "offset": vector(collider.get("offset"), (0.0, 0.0, 0.0)),
                        "radius": number(collider.get("radius"), 0.0),
                    }
                    for collider in objects(group.get("colliders"))
                ],
            }
            for group in objects(raw.get("colliderGroups"))
        ],
    }


def _spring(reading: Reading, group: dict[str, Any], references: References) -> dict[str, Any]:
    """One group: every chain below its roots swings alike."""
    roots = [joint(reading, references, node) for node in listing(group.get("bones"))]
    return {
        "name": str(group.get("comment") or ""),
        "roots": [root for root in roots if root is not None],
        "center": joint(reading, references, group.get("center")),
        "collider_groups": [index for index in listing(group.get("colliderGroups")) if type(index) is int],
        "stiffness": number(group.get("stiffiness"), 1.0),  # the format spells it so
        "gravity_power": number(group.get("gravityPower"), 0.0),
        "gravity_direction": vector(group.get("gravityDir"), (0.0, -1.0, 0.0)),
        "drag": number(group.get("dragForce"), 0.5),
        "hit_radius": number(group.get("hitRadius"), 0.0),
    }
