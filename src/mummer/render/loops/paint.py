"""Round-ended tapered lines painted with smooth edges: the one brush for joints, bones and trails."""

from __future__ import annotations

import math

from mummer.kernels.kernel import compiled
from mummer.render.loops.arguments import ColorsOut, Image, Points


@compiled
def paint_strokes(strokes: Points, nearness: Image, hidden: Points, layer: ColorsOut) -> None:
    """Paint strokes into a layer. Where strokes cross, the more opaque one is seen: they do not add up.

    Args:
        strokes: (N, 12): column, row, radius and 1 / depth of both ends, then red, green, blue and opacity.
        nearness: (rows, columns) 1 / depth of the bodies.
        hidden: (1, 1) opacity of what lies behind a body, as a part of its own.
        layer: (rows, columns, 4) red, green, blue, opacity; written.
    """
    rows, columns = nearness.shape
    for stroke in range(strokes.shape[0]):
        ax, ay, ar, an = strokes[stroke, 0], strokes[stroke, 1], strokes[stroke, 2], strokes[stroke, 3]
        bx, by, br, bn = strokes[stroke, 4], strokes[stroke, 5], strokes[stroke, 6], strokes[stroke, 7]
        if not math.isfinite(ax + ay + bx + by):
            continue
        reach = max(ar, br) + 1.0
        left, right = max(0.0, min(ax, bx) - reach), min(columns - 1.0, max(ax, bx) + reach)
        top, bottom = max(0.0, min(ay, by) - reach), min(rows - 1.0, max(ay, by) + reach)
        if left > right or top > bottom:
            continue
        dx, dy = bx - ax, by - ay
        square = max(dx * dx + dy * dy, 1e-12)
        for row in range(int(top), int(bottom) + 1):
            for column in range(int(left), int(right) + 1):
                px, py = column + 0.5 - ax, row + 0.5 - ay
                along = min(1.0, max(0.0, (px * dx + py * dy) / square))
                distance = math.hypot(px - along * dx, py - along * dy)
                opacity = min(1.0, max(0.0, ar + along * (br - ar) - distance + 0.5)) * strokes[stroke, 11]
                if nearness[row, column] > 1.01 * (an + along * (bn - an)):
                    opacity *= hidden[0, 0]
                if opacity > layer[row, column, 3]:
                    for channel in range(3):
                        layer[row, column, channel] = strokes[stroke, 8 + channel]
                    layer[row, column, 3] = opacity
