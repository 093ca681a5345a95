"""The animation stacks of an FBX scene, evaluated at the file's frame rate."""

from __future__ import annotations

import math
from array import array
from typing import Any

import ufbx

from .fbx_values import each, keep, transform
from .transfer import Block, RefusedError, block

DEFAULT_RATE = 30.0
LONGEST = 1e6  # seconds; what is longer is damage, not motion


def read_motion(scene: Any, most_values: int) -> list[dict[str, Any]]:
    """Every stack: its times, and local transforms and blend weights of whatever its layers touch, at each time."""
    nodes, channels = each(scene.nodes), each(scene.blend_channels)
    rate = frame_rate(scene)
    left, answer = most_values, []
    for stack in each(scene.anim_stacks):
        moving, blending = _touched(stack)
        start, end = _range(stack)
        frames = math.floor((end - start) * rate + 1e-3) + 2
        left -= frames * (10 * len(moving) + len(blending))
        if left < 0:
            raise RefusedError("limit", f"holds more motion than the limit of {most_values:,} numbers")
        times = _times(start, end, rate) if moving or blending else [start]
        anim = keep(stack.anim)
        answer.append(
            {
                "name": stack.name,
                "start": start,
                "times": block("f8", times),
                "nodes": block("i4", moving),
                "channels": block("i4", blending),
                "local": _transforms(anim, [nodes[node] for node in moving], times),
                "weights": _weights(anim, [channels[channel] for channel in blending], times),
            }
        )
    return answer


def frame_rate(scene: Any) -> float:
    """Frames a second that the file states, or `DEFAULT_RATE` if that cannot be meant."""
    stated = float(keep(scene.settings).frames_per_second)
    return stated if math.isfinite(stated) and 0.1 <= stated <= 1000 else DEFAULT_RATE


def _touched(stack: Any) -> tuple[list[int], list[int]]:
    found: dict[int, dict[int, None]] = {int(ufbx.ElementType.NODE): {}, int(ufbx.ElementType.BLEND_CHANNEL): {}}
    for layer in each(stack.layers):
        for prop in each(layer.anim_props):
            element = keep(prop.element)
            if element is not None and int(element.type) in found:
                found[int(element.type)][element.typed_id] = None
    nodes, channels = found.values()
    return sorted(nodes), sorted(channels)


def _range(stack: Any) -> tuple[float, float]:
    start, end = stack.time_begin, stack.time_end
    if not end > start:
        # No stated range: from the first key to the last.
        keyed = [
            curve
            for layer in each(stack.layers)
            for value in each(layer.anim_values)
            for curve in (keep(one) for one in value.curves)
            if curve is not None and len(keep(curve.keyframes))
        ]
        start = min((curve.min_time for curve in keyed), default=0.0)
        end = max((curve.max_time for curve in keyed), default=0.0)
    if not (math.isfinite(start) and math.isfinite(end)) or abs(start) > LONGEST or end - start > LONGEST:
        raise RefusedError("malformed", f"has an animation {stack.name!r} from {start:g} to {end:g} seconds")
    return start, max(start, end)


def _times(start: float, end: float, rate: float) -> list[float]:
    frames = math.floor((end - start) * rate + 1e-3) + 1
    times = [start + frame / rate for frame in range(frames)]
    if end - times[-1] > 1e-3 / rate:
        times.append(end)
    return times


def _transforms(anim: Any, nodes: list[Any], times: list[float]) -> Block:
    numbers = array("d")
    for time in times:
        for node in nodes:
            numbers.extend(transform(node.evaluate_transform(anim, time)))
    return Block("f8", (len(times), len(nodes), 10), numbers.tobytes())


def _weights(anim: Any, channels: list[Any], times: list[float]) -> Block:
    numbers = array("d", (channel.evaluate_blend_weight(anim, time) for time in times for channel in channels))
    return Block("f8", (len(times), len(channels)), numbers.tobytes())
