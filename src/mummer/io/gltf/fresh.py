"""A new document for any character: nodes, skins, meshes, materials and animations."""

from __future__ import annotations

import numpy as np

from mummer import __version__
from mummer.arrays import FloatArray
from mummer.character import Character, Mesh, Skin
from mummer.errors import InputError
from mummer.io.gltf.builder import Builder
from mummer.io.gltf.fields import Json
from mummer.io.gltf.skins import REST_SKIN
from mummer.io.gltf.transforms import Transforms, world_from_joints
from mummer.io.gltf.tree import COMMON_ROOT
from mummer.io.gltf.write_materials import Materials
from mummer.io.gltf.write_meshes import write_mesh, write_skin
from mummer.io.gltf.write_motion import Stage, write_animation
from mummer.math import transform
from mummer.report import ReportBuilder


def fresh_document(character: Character, report: ReportBuilder) -> tuple[Json, bytes]:
    """The JSON of a new document, and the bytes of its one buffer.

    Node i is joint i. The nodes hold the default pose; the inverse binds of the skins hold the rest pose.
    """
    writing = Writing(character, report)
    writing.add_joints()
    for mesh in character.meshes:
        writing.add_mesh(mesh)
    writing.add_rest()
    writing.add_recordings()
    return writing.finished()


class Writing:
    """A document in the making."""

    def __init__(self, character: Character, report: ReportBuilder) -> None:
        self.character, self.report = character, report
        self.builder = Builder()
        self.materials = Materials(self.builder, report)
        self.nodes: list[Json] = []
        self.roots: list[int] = list(character.skeleton.roots)
        self.meshes: list[Json] = []
        self.skins: list[Json] = []
        self.animations: list[Json] = []
        self.morph_nodes: dict[int, tuple[str, ...]] = {}
        self._skin_numbers: dict[bytes, int] = {}

    def add_joints(self) -> None:
        """One node for each joint, in the default pose."""
        skeleton, pose = self.character.skeleton, self.character.default_pose
        translations, scales = pose.full_translations(skeleton), pose.full_scales(skeleton)
        for joint, name in enumerate(skeleton.names):
            node: Json = {"name": name}
            node.update(placed(translations[joint], pose.rotations[joint], scales[joint]))
            if skeleton.children[joint]:
                node["children"] = list(skeleton.children[joint])
            self.nodes.append(node)

    def add_rest(self) -> None:
        """A skin of all joints that holds the rest pose, where the file would not tell it or them otherwise."""
        skeleton = self.character.skeleton
        if self.skins and self._stands_at_rest() and len(self._told_joints()) == len(skeleton):
            return
        rest = Transforms(skeleton.rest_translations, skeleton.rest_rotations, skeleton.rest_scales)
        try:
            binds = transform.inverse(world_from_joints(None, skeleton.parents, rest.matrices()))
        except InputError:
            self.report.add("ignored", "the rest pose, which scales joints to nothing; the file holds the default pose")
            return
        skin = write_skin(self.builder, np.arange(len(skeleton)), binds, "rest")
        self.skins.append({**skin, "extras": {"mummer": REST_SKIN}})

    def add_mesh(self, mesh: Mesh) -> None:
        """One mesh: on its joint's node if it moves rigidly with it, else on a node of its own with a skin."""
        if not len(mesh.triangles):
            self.report.add("ignored", "meshes without triangles")
            return
        weights = self._default_weights(mesh)
        joint = _rigid_joint(mesh.skin)
        on_joint = joint is not None and "mesh" not in self.nodes[joint]
        written = write_mesh(self.builder, self.materials, mesh, weights, skinned=not on_joint)
        self.meshes.append(written)
        if on_joint and joint is not None:
            node = joint
            self.nodes[node]["mesh"] = len(self.meshes) - 1
        else:
            node = len(self.nodes)
            self.nodes.append({"name": mesh.name, "mesh": len(self.meshes) - 1, "skin": self._skin(mesh)})
            self.roots.append(node)
        if mesh.morphs:
            self.morph_nodes[node] = tuple(morph.name for morph in mesh.morphs)

    def _stands_at_rest(self) -> bool:
        skeleton, pose = self.character.skeleton, self.character.default_pose
        return bool(
            np.allclose(pose.full_translations(skeleton), skeleton.rest_translations, rtol=0, atol=1e-9)
            and np.allclose(pose.full_scales(skeleton), skeleton.rest_scales, rtol=0, atol=1e-9)
            and np.allclose(np.abs(np.sum(pose.rotations * skeleton.rest_rotations, axis=1)), 1, rtol=0, atol=1e-12)
        )

    def _told_joints(self) -> set[int]:
        """The joints that a reader will know as such: those of skins and below, those with a mesh, and all above."""
        told = {joint for joint, node in enumerate(self.nodes) if "mesh" in node and "skin" not in node}
        parents = self.character.skeleton.parents.tolist()
        carriers = {joint for skin in self.skins for joint in skin["joints"]}
        for joint, parent in enumerate(parents):
            if joint in carriers or parent in carriers:
                carriers.add(joint)
        told |= carriers
        for joint in range(len(parents) - 1, -1, -1):
            if joint in told and parents[joint] >= 0:
                told.add(parents[joint])
        return told

    def _default_weights(self, mesh: Mesh) -> FloatArray:
        held = self.character.default_pose.morphs
        if held is None:
            return np.zeros(len(mesh.morphs))
        places = {name: place for place, name in enumerate(self.character.morph_names)}
        return np.array([held[places[morph.name]] for morph in mesh.morphs])

    def _skin(self, mesh: Mesh) -> int:
        key = mesh.skin.joints.tobytes() + mesh.skin.joint_from_mesh.tobytes()
        if key not in self._skin_numbers:
            self._skin_numbers[key] = len(self.skins)
            name = f"skin of {mesh.name}"
            self.skins.append(write_skin(self.builder, mesh.skin.joints, mesh.skin.joint_from_mesh, name))
        return self._skin_numbers[key]

    def add_recordings(self) -> None:
        """One animation for each recording."""
        character = self.character
        nodes = tuple(range(len(character.skeleton)))
        stage = Stage(
            character.skeleton, nodes, character.default_pose, character.morph_names, self.morph_nodes, self.report
        )
        self.animations = [write_animation(self.builder, recording, stage) for recording in character.recordings]

    def finished(self) -> tuple[Json, bytes]:
        """The document and its bytes."""
        self._join_roots()
        document: Json = {
            "asset": {"version": "2.0", "generator": f"mummer {__version__}"},
            "scene": 0,
            "scenes": [{"name": self.character.name, "nodes": self.roots}],
            "nodes": self.nodes,
        }
        sections = {"meshes": self.meshes, "skins": self.skins, "animations": self.animations}
        document.update({name: entries for name, entries in sections.items() if entries})
        document.update(self.materials.sections())
        content = self.builder.added
        if content:
            document["accessors"] = self.builder.accessors
            document["bufferViews"] = self.builder.views
            document["buffers"] = [{"byteLength": len(content)}]
        return document, content

    def _join_roots(self) -> None:
        """Put one marked node above several roots, since the joints of a skin must have a common one."""
        tops = list(self.character.skeleton.roots)
        if len(tops) < 2 or not self.skins:
            return
        self.nodes.append({"name": "roots", "children": tops, "extras": {"mummer": COMMON_ROOT}})
        self.roots = [len(self.nodes) - 1, *(node for node in self.roots if node not in tops)]


def placed(translation: FloatArray, rotation: FloatArray, scale: FloatArray) -> Json:
    """The fields of a node that stands so; what is at its default is left out."""
    fields: Json = {}
    if np.any(translation):
        fields["translation"] = translation.tolist()
    if not np.array_equal(np.abs(rotation), (0, 0, 0, 1)):
        fields["rotation"] = rotation.tolist()
    if np.any(scale != 1):
        fields["scale"] = scale.tolist()
    return fields


def _rigid_joint(skin: Skin) -> int | None:
    """The joint that carries all of a mesh which stands in that joint's own space, or None."""
    if len(skin.joints) != 1 or not np.array_equal(skin.joint_from_mesh[0], np.eye(3, 4)):
        return None
    return int(skin.joints[0])
