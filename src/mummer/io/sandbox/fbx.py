"""What an FBX file holds, told by ufbx: nodes, meshes, materials and sampled motion as flat arrays."""

from __future__ import annotations

from typing import Any

import ufbx

from .fbx_materials import read_materials
from .fbx_meshes import read_meshes
from .fbx_motion import frame_rate, read_motion
from .fbx_nodes import read_nodes
from .fbx_values import keep
from .transfer import RefusedError

AXES = {0: "+X", 1: "-X", 2: "+Y", 3: "-Y", 4: "+Z", 5: "-Z"}


def read(job: dict[str, Any]) -> dict[str, Any]:
    """Everything that the parent process needs, in metres and in right-handed axes with Y up.

    Scales that only convert units go into the geometry (never onto a node), and scale inheritance other than the plain
    kind is compensated, so that a node's world transform is always its parent's times its own.
    """
    limits = job["limits"]
    scene = _load(job["input"], limits)
    _require_fit(scene, limits)
    settings, metadata = keep(scene.settings), keep(scene.metadata)
    return {
        "version": metadata.version,
        "ascii": bool(metadata.ascii),
        "creator": metadata.creator,
        "metres_per_unit": settings.unit_meters,
        "frame_rate": frame_rate(scene),
        "up": AXES.get(int(settings.axes.up), ""),
        "front": AXES.get(int(settings.axes.front), ""),
        "warnings": [keep(warning).description for warning in keep(metadata.warnings)][:50],
        "nodes": read_nodes(scene),
        "meshes": read_meshes(scene),
        "materials": read_materials(scene, limits["images_bytes"]),
        "stacks": read_motion(scene, limits["values"]),
    }


def _load(path: str, limits: dict[str, Any]) -> Any:
    try:
        return keep(
            ufbx.load_file(
                path,
                target_axes=ufbx.axes_right_handed_y_up,
                target_unit_meters=1.0,
                space_conversion=ufbx.SpaceConversion.MODIFY_GEOMETRY,
                handedness_conversion_axis=ufbx.MirrorAxis.X,
                inherit_mode_handling=ufbx.InheritModeHandling.COMPENSATE,
                geometry_transform_handling=ufbx.GeometryTransformHandling.PRESERVE,
                index_error_handling=ufbx.IndexErrorHandling.CLAMP,
                no_format_from_extension=True,
                file_format=ufbx.FileFormat.FBX,
                load_external_files=False,
                generate_missing_normals=True,
                normalize_normals=True,
                allow_missing_vertex_position=True,
                node_depth_limit=limits["depth"],
            )
        )
    except (ufbx.OutOfMemoryError, ufbx.MemoryLimitError, ufbx.AllocationLimitError) as error:
        raise RefusedError("limit", "asks for more memory than the limit allows") from error
    except ufbx.NodeDepthLimitError as error:
        raise RefusedError("limit", f"nests its nodes deeper than the limit of {limits['depth']:,}") from error
    except ufbx.UfbxError as error:
        what = " ".join(str(error).split())[:160] or type(error).__name__
        raise RefusedError("malformed", f"is no readable FBX: {what}") from error


def _require_fit(scene: Any, limits: dict[str, Any]) -> None:
    meshes = [keep(mesh) for mesh in keep(scene.meshes)]
    for count, most, what in (
        (len(keep(scene.nodes)), limits["joints"], "nodes"),
        (sum(mesh.num_vertices for mesh in meshes), limits["vertices"], "vertices"),
        (sum(mesh.num_indices for mesh in meshes), 4 * limits["vertices"], "corners of faces"),
    ):
        if count > most:
            raise RefusedError("limit", f"has {count:,} {what}; the limit is {most:,}")
