"""What nothing needs any more goes: accessors of removed animations, their views, and the bytes behind those."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Any

from mummer.io.gltf.accessors import PLAIN
from mummer.io.gltf.fields import Json
from mummer.io.gltf.pack import MESHOPT
from mummer.io.gltf.reading import Bytes
from mummer.io.gltf.vrm_data import mapping, objects
from mummer.report import ReportBuilder

HARMLESS = ("KHR_materials_", "KHR_texture_", "KHR_lights_", "KHR_draco_", "KHR_mesh_quantization", "KHR_node_",
            "KHR_xmp", "EXT_texture_", "EXT_meshopt_", "KHR_meshopt_", "VRM", "MSFT_texture_",
            "EXT_mesh_gpu_instancing", "KHR_animation_pointer", "FB_ngon_encoding")  # fmt: skip
"""Extensions that are known to name no accessors or views but where `_accessor_places` and `_view_places` look."""
ALIGNMENT = 8


def pruned(
    json: Json, buffers: list[Bytes | None], dead: set[int], replaced: set[int], report: ReportBuilder
) -> tuple[Json, list[Bytes | None]]:
    """The document without accessors that nothing uses, and without views and bytes that only they used.

    Args:
        json: the document; it is not changed.
        buffers: the bytes of each buffer.
        dead: accessors that nothing uses any more.
        replaced: views that may go, if nothing else uses them.
        report: where findings go.
    """
    strangers = [name for name in json.get("extensionsUsed", []) if not str(name).startswith(HARMLESS)]
    if not dead and not replaced - set(_numbers(json, _view_places)):
        return json, buffers
    if strangers:
        report.add("unusual", f"data that nothing else uses stays: {strangers[0][:60]!r} may use it")
        return json, buffers
    json = _split_views(json, dead)
    views = replaced | {each for number in dead for each in views_of(json["accessors"][number])}
    json = _without(json, "accessors", dead, _accessor_places)
    json = _without(json, "bufferViews", views - set(_numbers(json, _view_places)), _view_places)
    return _compacted(json, buffers)


def used_accessors(json: Json) -> set[int]:
    """The accessors that some part of a document uses."""
    return set(_numbers(json, _accessor_places))


def views_of(accessor: Json) -> list[int]:
    """The views that an accessor uses."""
    sparse = accessor.get("sparse", {})
    holders = [accessor, sparse.get("indices", {}), sparse.get("values", {})]
    return [each["bufferView"] for each in holders if type(each.get("bufferView")) is int]


Places = Callable[[Json], Iterator[tuple[Any, Any]]]
"""Gives every container and key of a document under which a number of some kind stands."""


def _accessor_places(json: Json) -> Iterator[tuple[Any, Any]]:
    for part in (part for mesh in objects(json.get("meshes")) for part in objects(mesh.get("primitives"))):
        yield part, "indices"
        for attributes in (mapping(part.get("attributes")), *objects(part.get("targets"))):
            yield from ((attributes, name) for name in attributes)
    for skin in objects(json.get("skins")):
        yield skin, "inverseBindMatrices"
    for animation in objects(json.get("animations")):
        yield from ((each, key) for each in objects(animation.get("samplers")) for key in ("input", "output"))
    for node in objects(json.get("nodes")):
        instances = mapping(mapping(node.get("extensions")).get("EXT_mesh_gpu_instancing"))
        attributes = mapping(instances.get("attributes"))
        yield from ((attributes, name) for name in attributes)


def _view_places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Everything called ``bufferView``, wherever it stands: core and extensions use no other name."""
    if isinstance(value, dict):
        yield value, "bufferView"
        for each in value.values():
            yield from _view_places(each)
    elif isinstance(value, list):
        for each in value:
            yield from _view_places(each)


def _numbers(json: Json, places: Places) -> list[int]:
    return [holder[key] for holder, key in places(json) if type(holder.get(key)) is int]


def _without(json: Json, kind: str, gone: set[int], places: Places) -> Json:
    """The document without some entries of a kind, whatever names the others following them."""
    number = {old: new for new, old in enumerate(place for place in range(len(json[kind])) if place not in gone)}
    copy = _copied({**json, kind: [entry for place, entry in enumerate(json[kind]) if place not in gone]})
    for holder, key in list(places(copy)):
        if type(holder.get(key)) is int:
            holder[key] = number.get(holder[key], holder[key])
    return {key: value for key, value in copy.items() if key != kind or value}


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copied(each) for key, each in value.items()}
    return [_copied(each) for each in value] if isinstance(value, list) else value


def _split_views(json: Json, dead: set[int]) -> Json:
    """The document with views of their own for accessors that share a plain view with dead ones."""
    accessors, views = list(json["accessors"]), list(json["bufferViews"])
    shared = {view for number in dead for view in views_of(accessors[number])}
    for place, accessor in enumerate(accessors):
        view = accessor.get("bufferView")
        kind = PLAIN.get((accessor.get("componentType"), accessor.get("type")))
        if place in dead or view not in shared or kind is None or {"byteStride", "extensions"} & views[view].keys():
            continue
        length = accessor["count"] * kind[2]
        start = views[view].get("byteOffset", 0) + accessor.get("byteOffset", 0)
        views.append({**views[view], "byteOffset": start, "byteLength": length})
        kept = {key: value for key, value in accessor.items() if key != "byteOffset"}
        accessors[place] = {**kept, "bufferView": len(views) - 1}
    return {**json, "accessors": accessors, "bufferViews": views}


def _compacted(json: Json, buffers: list[Bytes | None]) -> tuple[Json, list[Bytes | None]]:
    """The document with buffers that hold only what some view covers."""
    json = _copied(json)
    holders = [holder for view in json.get("bufferViews", []) for holder in (view, *_packed(view))]
    made, entries = list(buffers), json["buffers"]
    for place, content in enumerate(buffers):
        inside = [holder for holder in holders if holder.get("buffer") == place]
        if content is None or not inside:
            continue
        stretches = _merged([(each.get("byteOffset", 0), each["byteLength"]) for each in inside])
        pieces, moves, length = [], [], 0
        for start, end in stretches:
            padding = (start - length) % ALIGNMENT
            pieces += [b"\0" * padding, bytes(content[start:end])]
            moves.append(length + padding - start)
            length += padding + end - start
        for holder in inside:
            offset = holder.get("byteOffset", 0)
            holder["byteOffset"] = offset + moves[bisect_right(stretches, (offset, len(content))) - 1]
        made[place] = b"".join(pieces)
        entries[place]["byteLength"] = length
    return json, made


def _packed(view: Json) -> list[Json]:
    return [content for name, content in mapping(view.get("extensions")).items() if name in MESHOPT]


def _merged(stretches: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Starts and ends of stretches, given by start and length, joined where they overlap."""
    found: list[tuple[int, int]] = []
    for start, length in sorted(stretches):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], start + length))
        else:
            found.append((start, start + length))
    return found
