"""VRM 1.0 and VRM animation: the extensions ``VRMC_vrm``, ``VRMC_springBone`` and ``VRMC_vrm_animation``."""

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


def _springs(reading: Reading) -> dict[str, Any]:
    found = reading.root.extension("VRMC_springBone")
    return {} if found is None else found.raw


def _bones(vrm: Element) -> dict[str, dict[str, Any]]:
    bones = mapping(mapping(vrm.raw.get("humanoid")).get("humanBones"))
    return {name: mapping(bone) for name, bone in bones.items()}


def _kinds(vrm: Element) -> list[tuple[bool, str, dict[str, Any]]]:
    """Whether preset, the name and the data of every expression."""
    groups = mapping(vrm.raw.get("expressions"))
    return [
        (kind == "preset", name, mapping(value))
        for kind in ("preset", "custom")
        for name, value in mapping(groups.get(kind)).items()
    ]


def named_nodes(reading: Reading, vrm: Element) -> set[int]:
    """Every node that the extensions name."""
    springs = _springs(reading)
    numbers = [bone.get("node") for bone in _bones(vrm).values()]
    numbers += [collider.get("node") for collider in objects(springs.get("colliders"))]
    for spring in objects(springs.get("springs")):
        numbers += [spring.get("center"), *(link.get("node") for link in objects(spring.get("joints")))]
    numbers += [value.get("node") for _, _, value in _kinds(vrm)]
    numbers.append(mapping(vrm.raw.get("lookAt")).get("node"))
    return {node for node in (node_number(reading, value) for value in numbers) if node is not None}


def details(reading: Reading, vrm: Element, references: References) -> dict[str, Any]:
    """The extensions in our terms; see `mummer.io.gltf.vrm.details`."""
    bones = [(name, bone.get("node")) for name, bone in _bones(vrm).items()]
    return {
        "version": str(vrm.raw.get("specVersion", "1.0")),
        "humanoid": humanoid(reading, references, bones),
        "expressions": {name: _expression(reading, preset, raw, references) for preset, name, raw in _kinds(vrm)},
        "spring_bones": _spring_bones(reading, references),
        "look_at": mapping(vrm.raw.get("lookAt")),
        "first_person": {"mesh_annotations": listing(mapping(vrm.raw.get("firstPerson")).get("meshAnnotations"))},
        "meta": mapping(vrm.raw.get("meta")),
    }


def _expression(reading: Reading, preset: bool, raw: dict[str, Any], references: References) -> dict[str, Any]:
    found: dict[str, Any] = {
        "preset": preset,
        "is_binary": raw.get("isBinary") is True,
        "morphs": [],
        "materials": [*listing(raw.get("materialColorBinds")), *listing(raw.get("textureTransformBinds"))],
        "overrides": {key: value for key, value in raw.items() if key.startswith("override")},
    }
    if "node" in raw:  # in VRM animation a node's translation plays the expression
        found["joint"] = joint(reading, references, raw["node"])
    for bind in objects(raw.get("morphTargetBinds")):
        node, place = node_number(reading, bind.get("node")), bind.get("index")
        shapes = references.morph_nodes.get(-1 if node is None else node)
        if shapes is None or type(place) is not int or not 0 <= place < len(shapes.names):
            reading.report.add("ignored", "VRM expressions that name morph targets which are not there")
            continue
        found["morphs"].append((shapes.names[place], number(bind.get("weight"), 0.0)))
    return found


def _spring_bones(reading: Reading, references: References) -> dict[str, Any]:
    raw = _springs(reading)
    colliders = [_collider(reading, collider, references) for collider in objects(raw.get("colliders"))]
    groups = objects(raw.get("colliderGroups"))
    return {
        "springs": [_spring(reading, spring, references) for spring in objects(raw.get("springs"))],
        "collider_groups": [
            {
                "name": str(group.get("name") or ""),
                "colliders": [
                    colliders[index]
                    for index in listing(group.get("colliders"))
                    if type(index) is int and 0 <= index < len(colliders)
                ],
            }
            for group in groups
        ],
    }


def _collider(reading: Reading, raw: dict[str, Any], references: References) -> dict[str, Any]:
    shape = mapping(raw.get("shape"))
    kind = "capsule" if "capsule" in shape else "sphere"
    inner = mapping(shape.get(kind))
    found = {
        "joint": joint(reading, references, raw.get("node")),
        "shape": kind,
        "offset": vector(inner.get("offset"), (0.0, 0.0, 0.0)),
        "radius": number(inner.get("radius"), 0.0),
    }
    if kind == "capsule":
        found["tail"] = vector(inner.get("tail"), (0.0, 0.0, 0.0))
    return found


def _spring(reading: Reading, raw: dict[str, Any], references: References) -> dict[str, Any]:
    links = [
        {
            "joint": joint(reading, references, link.get("node")),
            "stiffness": number(link.get("stiffness"), 1.0),
            "gravity_power": number(link.get("gravityPower"), 0.0),
            "gravity_direction": vector(link.get("gravityDir"), (0.0, -1.0, 0.0)),
            "drag": number(link.get("dragForce"), 0.5),
            "hit_radius": number(link.get("hitRadius"), 0.0),
        }
        for link in objects(raw.get("joints"))
    ]
    return {
        "name": str(raw.get("name") or ""),
        "links": [link for link in links if link["joint"] is not None],
        "center": joint(reading, references, raw.get("center")),
        "collider_groups": [index for index in listing(raw.get("colliderGroups")) if type(index) is int],
    }
