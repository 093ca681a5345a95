"""Meshes: every part of every mesh that a scene shows, bound to the joints that carry it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Material, Mesh, MorphTarget, Skin, unique_names
from mummer.io import guard
from mummer.io.gltf import accessors, repairs, weights
from mummer.io.gltf.compression import UndecodableError
from mummer.io.gltf.fields import Element
from mummer.io.gltf.joints import Joints, is_skinned
from mummer.io.gltf.materials import Look
from mummer.io.gltf.morphs import MorphNode
from mummer.io.gltf.primitives import Surface, attribute, read_surface
from mummer.io.gltf.reading import Reading
from mummer.io.gltf.skins import SkinBinding
from mummer.io.gltf.tree import Tree

MOST_PARTS = 16_384


@dataclass
class MeshParts:
    """What is made once and shared by all nodes that show the same mesh.

    Attributes:
        surfaces: each primitive decoded, by its place in the document; None if it is left out.
        shapes: everything of a `Mesh` that does not depend on the node.
        skins: skins by primitive and skin.
    """

    surfaces: dict[str, Surface | None]
    shapes: dict[str, tuple[FloatArray | None, FloatArray | None, FloatArray | None, Material]]
    skins: dict[tuple[str, int], Skin | None]


def build_meshes(
    reading: Reading,
    tree: Tree,
    joints: Joints,
    skins: list[SkinBinding],
    looks: list[Look],
    morph_nodes: dict[int, MorphNode],
) -> tuple[Mesh, ...]:
    """The meshes of a character, in the order of the document's meshes and then of the nodes that show them.

    Raises:
        FileError: if a surface points outside its data, or there are too many vertices.
    """
    parts = MeshParts({}, {}, {})
    found: list[Mesh] = []
    vertices = 0
    for number, index in _shown(reading, tree):
        node, mesh = reading.element("nodes", index), reading.element("meshes", number)
        label = mesh.name() or node.name() or f"mesh{number}"
        skin = node.index("skin", reading.count("skins"), "skin")
        names = morph_nodes[index].names if index in morph_nodes else ()
        for primitive in mesh.children("primitives"):
            surface = _surface(reading, primitive, parts)
            if surface is None:
                continue
            vertices += len(surface.positions)
            guard.require_at_most(reading.path, vertices, reading.limits.vertices, "vertices")
            bound = _skin(reading, surface, joints, skins, skin, index, parts)
            found.append(_mesh(reading, label, surface, bound, names, looks, parts))
    labels = unique_names([mesh.name for mesh in found])
    return tuple(_renamed(mesh, label) for mesh, label in zip(found, labels, strict=True))


def _shown(reading: Reading, tree: Tree) -> list[tuple[int, int]]:
    """Mesh and node of everything that scenes show, by mesh and then by node."""
    numbers = [node.index("mesh", reading.count("meshes"), "mesh") for node in reading.elements("nodes")]
    shown = sorted((mesh, node) for node, mesh in enumerate(numbers) if mesh is not None and tree.in_scene[node])
    parts = sum(len(reading.element("meshes", mesh).items("primitives")) for mesh, _ in shown)
    guard.require_at_most(reading.path, parts, MOST_PARTS, "mesh parts in its scenes")
    return shown


def _renamed(mesh: Mesh, name: str) -> Mesh:
    if mesh.name != name:
        object.__setattr__(mesh, "name", name)  # nobody has seen this mesh yet
    return mesh


def _surface(reading: Reading, primitive: Element, parts: MeshParts) -> Surface | None:
    if primitive.place not in parts.surfaces:
        surface = None
        try:
            surface = read_surface(reading, primitive)
        except UndecodableError as error:
            reading.report.add("ignored", f"compressed mesh, kept as it is: {error.place} {error.what}")
        parts.surfaces[primitive.place] = None if surface is None else repairs.mended_surface(reading, surface)
    return parts.surfaces[primitive.place]


def _skin(
    reading: Reading,
    surface: Surface,
    joints: Joints,
    skins: list[SkinBinding],
    skin: int | None,
    node: int,
    parts: MeshParts,
) -> Skin:
    """The binding of one surface as shown by one node: by its skin, else rigidly to the node."""
    if skin is not None:
        key = (surface.element.place, skin)
        if key not in parts.skins:
            parts.skins[key] = _skinned(reading, surface, joints, skins[skin])
        found = parts.skins[key]
        if found is not None:
            return found
        reading.report.add("repaired", "mesh parts without weights are carried by their node, not by the skin it names")
        if not is_skinned(reading, reading.entries("nodes")[node]["mesh"]):
            reading.mended.fields["nodes", node, "skin"] = None
    if node not in joints.by_node:
        raise reading.element("nodes", node).error("shows a mesh, but is no joint")
    return Skin.rigid(joints.by_node[node], np.eye(3, 4), len(surface.positions))


def _skinned(reading: Reading, surface: Surface, joints: Joints, binding: SkinBinding) -> Skin | None:
    influences = weights.read_influences(reading, surface, len(binding.nodes))
    if influences is None:
        return None
    carriers = np.array([joints.by_node[node] for node in binding.nodes], np.int32)
    return Skin(carriers, binding.joint_from_mesh, *influences)


def _mesh(
    reading: Reading,
    label: str,
    surface: Surface,
    skin: Skin,
    names: tuple[str, ...],
    looks: list[Look],
    parts: MeshParts,
) -> Mesh:
    place = surface.element.place
    if place not in parts.shapes:
        index = surface.element.index("material", len(looks), "material")
        look = Look(Material("default", (1.0, 1.0, 1.0, 1.0))) if index is None else looks[index]
        normals = surface.floats(reading, "NORMAL", "VEC3")
        parts.shapes[place] = (
            None if normals is None else repairs.mended_normals(reading, surface, normals),
            _uvs(reading, surface, look),
            _colors(reading, surface),
            look.material,
        )
        repairs.mend_tangents(reading, surface)
    normals, uvs, colors, material = parts.shapes[place]
    morphs = _morphs(reading, surface, names)
    return Mesh(label, surface.positions, surface.triangles, skin, normals, uvs, colors, morphs, material)


def _uvs(reading: Reading, surface: Surface, look: Look) -> FloatArray | None:
    uvs = surface.floats(reading, f"TEXCOORD_{look.uv_set}", "VEC2")
    if uvs is None:
        return None
    name = f"TEXCOORD_{look.uv_set}"
    uvs = repairs.mended_values(reading, uvs, "texture coordinates", 0.0, attribute(reading, surface.element, name))
    if look.texture_from_uv is None:
        return uvs
    return (uvs @ look.texture_from_uv[:, :2].T + look.texture_from_uv[:, 2]).astype(np.float32)


def _colors(reading: Reading, surface: Surface) -> FloatArray | None:
    colors = surface.floats(reading, "COLOR_0", "VEC3", "VEC4")
    if colors is None:
        return None
    index = attribute(reading, surface.element, "COLOR_0")
    colors = np.clip(repairs.mended_values(reading, colors, "vertex colors", 1.0, index), 0.0, 1.0)
    if colors.shape[1] == 4:
        return colors
    return np.concatenate([colors, np.ones((len(colors), 1), np.float32)], axis=1)


def _morphs(reading: Reading, surface: Surface, names: tuple[str, ...]) -> tuple[MorphTarget, ...]:
    targets = surface.element.children("targets")
    found = []
    for name, target in zip(names, targets, strict=False):
        positions = _offsets(reading, surface, target, "POSITION")
        normals = _offsets(reading, surface, target, "NORMAL")
        if positions is None:
            positions = np.zeros_like(surface.positions)
        found.append(MorphTarget(name, positions, normals))
    return tuple(found)


def _offsets(reading: Reading, surface: Surface, target: Element, name: str) -> FloatArray | None:
    holder = Element({"attributes": target.raw}, target.place, target.path)
    index = attribute(reading, holder, name)
    if index is None:
        return None
    values = accessors.read_floats(reading, index, "VEC3")
    if len(values) != len(surface.positions):
        raise target.error(f"has {len(values)} rows for {len(surface.positions)} vertices", name)
    return repairs.mended_values(reading, values, "morph offsets", 0.0, index)
