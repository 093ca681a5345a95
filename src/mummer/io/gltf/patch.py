"""Changing a kept document: only the animations, and the default pose if it was changed, are touched."""

from __future__ import annotations

import numpy as np

from mummer.character import Character, Recording
from mummer.io.gltf.builder import Builder
from mummer.io.gltf.document import Document
from mummer.io.gltf.fields import Json
from mummer.io.gltf.marks import labelled
from mummer.io.gltf.prune import pruned, used_accessors, views_of
from mummer.io.gltf.reading import Bytes
from mummer.io.gltf.write_motion import Stage, write_animation
from mummer.report import ReportBuilder


def patched_document(
    character: Character, document: Document, report: ReportBuilder
) -> tuple[Json, list[Bytes | None]]:
    """The JSON and the buffers of a kept document with the recordings of ``character``.

    Recordings that came out of the document keep their animation as it is, removed ones lose theirs and its data, and
    new ones are added at the end of the first buffer. Everything else is the very same.
    """
    buffers = list(document.buffers)
    target = 0 if buffers and buffers[0] is not None else len(buffers)
    held = buffers[target] if target < len(buffers) else None
    builder = Builder(
        list(document.json.get("bufferViews", [])),
        list(document.json.get("accessors", [])),
        0 if held is None else len(held),
        target,
    )
    json = document.mended.applied(document.json, builder) if document.mended else document.json
    stage = Stage(
        character.skeleton,
        document.nodes,
        character.default_pose,
        character.morph_names,
        document.morph_names,
        report,
    )
    animations = [_animation(recording, document, builder, stage) for recording in character.recordings]
    patched = _with_animations(json, animations)
    dead = used_accessors(document.json) - used_accessors(patched)
    if builder.added:
        content = b"".join([b"" if held is None else bytes(held), builder.added])
        buffers[target : target + 1] = [content]
        entries = list(patched.get("buffers", []))
        entries[target : target + 1] = [{**(entries[target] if held is not None else {}), "byteLength": len(content)}]
        patched.update({"bufferViews": builder.views, "accessors": builder.accessors, "buffers": entries})
    if character.default_pose is not document.default_pose:
        patched["nodes"] = _posed_nodes(character, document)
    replaced = {view for number in document.mended.accessors for view in views_of(document.json["accessors"][number])}
    return pruned(patched, buffers, dead, replaced, report) if dead or replaced else (patched, buffers)


def _animation(recording: Recording, document: Document, builder: Builder, stage: Stage) -> Json:
    for place, original in enumerate(document.recordings):
        if place in document.mended.animations:
            continue
        if recording is original:
            return document.json["animations"][place]
        if recording.curves is original.curves and recording.base is original.base:
            return labelled(document.json["animations"][place], recording)
    return write_animation(builder, recording, stage)


def _with_animations(json: Json, animations: list[Json]) -> Json:
    """The document with other animations; every other field in its place."""
    if animations:
        return {**json, "animations": animations}
    return {key: value for key, value in json.items() if key != "animations"}


def _posed_nodes(character: Character, document: Document) -> list[Json]:
    """The nodes with the character's default pose, changed only where it differs from the document's."""
    nodes = list(document.json["nodes"])
    skeleton, pose, before = character.skeleton, character.default_pose, document.default_pose
    pairs = {
        "translation": (pose.full_translations(skeleton), before.full_translations(skeleton)),
        "rotation": (pose.rotations, before.rotations),
        "scale": (pose.full_scales(skeleton), before.full_scales(skeleton)),
    }
    changed = [
        joint for joint in range(len(skeleton)) if any(np.any(new[joint] != old[joint]) for new, old in pairs.values())
    ]
    for joint in changed:
        kept = {key: value for key, value in nodes[document.nodes[joint]].items() if key != "matrix"}
        nodes[document.nodes[joint]] = {**kept, **{path: new[joint].tolist() for path, (new, _) in pairs.items()}}
    if pose.morphs is not None:
        places = {name: place for place, name in enumerate(character.morph_names)}
        for node, names in document.morph_names.items():
            if all(name in places for name in names):
                nodes[node] = {**nodes[node], "weights": [float(pose.morphs[places[name]]) for name in names]}
    return nodes
