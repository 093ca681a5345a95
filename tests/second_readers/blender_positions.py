"""Where Blender puts every joint of a file, for comparison. Runs in Blender's own Python environment, not in ours.

Reads a list of jobs as JSON from standard input, ``{"path", "motion" (name or null), "times" (seconds)}`` and maybe
``frame_rate``, ``first_frame`` and ``scale`` (of BVH), and writes to the file named by its only argument one object
of JSON a line: ``frame_rate``, ``motions``, ``heads`` (for each time, name to position), ``boxes`` (for each time,
lowest and highest corner of all meshes), all in metres with Y up.
"""

import json
import sys
from pathlib import Path

import bpy


def main():
    jobs = json.load(sys.stdin)
    with open(sys.argv[1], "w") as stream:
        for job in jobs:
            try:
                answer = measure(job)
            except Exception as error:  # one bad file must not hide the others
                answer = {"error": f"{type(error).__name__}: {error}"}
            print(json.dumps(answer), file=stream, flush=True)


def measure(job):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    load(Path(job["path"]), job.get("scale", 1.0))
    scene = bpy.context.scene
    # Blender takes over the frame rate of FBX and BVH files, but not of USD files, whose time codes become frames.
    rate = job.get("frame_rate") or scene.render.fps / scene.render.fps_base
    motions = sorted(action.name for action in bpy.data.actions)
    if job.get("motion"):
        choose(job["motion"])
    heads, boxes = [], []
    for time in job["times"]:
        frame = time * rate + job.get("first_frame", 0)
        whole = int(frame // 1)
        scene.frame_set(whole, subframe=frame - whole)
        bpy.context.view_layer.update()
        heads.append(joint_heads())
        boxes.append(mesh_box())
    return {"frame_rate": rate, "motions": motions, "heads": heads, "boxes": boxes}


def load(path, scale):
    kind = path.suffix.lower()
    if kind == ".fbx":
        # The importer written in Python: it shares no code with the library that we read with.
        bpy.ops.import_scene.fbx(filepath=str(path), anim_offset=0.0, use_custom_normals=False)
    elif kind in (".glb", ".gltf", ".vrm"):
        bpy.ops.import_scene.gltf(filepath=str(path))
    elif kind == ".bvh":
        bpy.ops.import_anim.bvh(
            filepath=str(path), global_scale=scale, frame_start=0, update_scene_fps=True, use_fps_scale=False
        )
    else:
        bpy.ops.wm.usd_import(filepath=str(path), set_frame_range=True)


def choose(motion):
    """Make every object play the part of ``motion`` that is meant for it; actions are called object|motion|layer."""
    for owner in [*bpy.data.objects, *bpy.data.shape_keys]:
        name = f"{owner.name}|{motion}"
        for action in bpy.data.actions:
            # Blender cuts names after 63 bytes.
            mine = action.name in (motion, name[:63]) or action.name.startswith(name + "|")
            if mine and action.slots:
                data = owner.animation_data or owner.animation_data_create()
                data.action = action
                data.action_slot = action.slots[0]


def joint_heads():
    heads = {}
    for thing in bpy.data.objects:
        heads[thing.name] = ours(thing.matrix_world.translation)
    for thing in bpy.data.objects:
        if thing.type == "ARMATURE":
            for bone in thing.pose.bones:
                heads[bone.name] = ours(thing.matrix_world @ bone.head)
    return heads


def mesh_box():
    corners = []
    graph = bpy.context.evaluated_depsgraph_get()
    for thing in bpy.data.objects:
        if thing.type == "MESH":
            shown = thing.evaluated_get(graph)
            mesh = shown.to_mesh()
            corners += [ours(shown.matrix_world @ vertex.co) for vertex in mesh.vertices]
            shown.to_mesh_clear()
    if not corners:
        return None
    return [[pick(corner[axis] for corner in corners) for axis in range(3)] for pick in (min, max)]


def ours(vector):
    """From Blender's axes (Z up) to ours (Y up)."""
    return [vector.x, vector.z, -vector.y]


main()
