"""The document that a character keeps of its file, so that writing it back changes only what was changed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mummer.character import Character, Mesh, Pose, Recording, Skeleton
from mummer.io.gltf.fields import Json
from mummer.io.gltf.mended import Mended
from mummer.io.gltf.reading import Bytes
from mummer.io.gltf.vrm_data import mapping, objects

PACKED = {"KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression"}


@dataclass(frozen=True, eq=False)
class Document:
    """A glTF file as it was read, and the values that were made from it.

    Attributes:
        json: the whole document; never changed.
        buffers: the bytes of each buffer, None for one that was not there.
        chunks: chunks of a .glb file that the format does not know.
        path: the file.
        nodes: the node of each joint.
        skeleton, meshes, recordings, default_pose: the very values that came out of it.
        morph_names: the names of the shapes of each node that has some.
        mended: what was repaired while it was read.
    """

    json: Json
    buffers: tuple[Bytes | None, ...]
    chunks: tuple[tuple[int, bytes], ...]
    path: Path | None
    nodes: tuple[int, ...]
    skeleton: Skeleton
    meshes: tuple[Mesh, ...]
    recordings: tuple[Recording, ...]
    default_pose: Pose
    morph_names: dict[int, tuple[str, ...]]
    mended: Mended

    @property
    def is_packed(self) -> bool:
        """Whether some of its content is compressed."""
        parts = (part for mesh in objects(self.json.get("meshes")) for part in objects(mesh.get("primitives")))
        holders = (*parts, *objects(self.json.get("bufferViews")))
        return any(PACKED & mapping(holder.get("extensions")).keys() for holder in holders)

    def has_body_of(self, character: Character) -> bool:
        """Whether the skeleton and the meshes of ``character`` are the very ones that came out of this document."""
        return (
            character.skeleton is self.skeleton
            and len(character.meshes) == len(self.meshes)
            and all(mine is theirs for mine, theirs in zip(self.meshes, character.meshes, strict=True))
        )
