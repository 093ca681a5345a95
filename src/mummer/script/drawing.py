"""A plan as people read it: a table, and a picture of its tracks like a score."""

from __future__ import annotations

from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.script.plan import Plan, Stage

ROW, LEFT, WIDTH, TOP = 14, 190, 900, 26
MOST_ROWS = 60
COLORS = ("#3b6ea5", "#a5533b", "#4b8f5a", "#8a5aa5", "#b08a2e", "#3f8f8f")


def stage_rows(plan: Plan) -> list[dict[str, Any]]:
    """What each stage of the making of a plan has: name, tracks, elements, seconds."""
    return [
        {"stage": f"B{number}", "name": stage.name, "tracks": len(stage.tracks),
         "elements": sum(map(len, stage.tracks.values())), "seconds": round(stage.duration, 4)}
        for number, stage in enumerate(plan.history)
    ]  # fmt: skip


def moving_tracks(plan: Plan) -> list[str]:
    """The tracks that go anywhere, those that go farthest first."""
    far = {dof: float(np.ptp([0.0, *(element.value for element in track)])) for dof, track in plan.tracks.items()}
    return sorted((dof for dof, way in far.items() if way > 1e-3), key=lambda dof: -far[dof])


def score_svg(plan: Plan, stage: Stage | None = None) -> str:
    """A picture of tracks as SVG: a box from where each element begins to where it lets go, its hold lighter.

    Args:
        plan: the plan.
        stage: one stage of its making; the last if None.
    """
    tracks = plan.tracks if stage is None else stage.tracks
    shown = [dof for dof in moving_tracks(plan) if dof in tracks][:MOST_ROWS]
    seconds = max((track[-1].end for track in tracks.values() if track), default=1.0) or 1.0
    height = TOP + ROW * len(shown) + 24
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 20}" height="{height}" '
           'font-family="sans-serif" font-size="10">',
           '<rect width="100%" height="100%" fill="white"/>']  # fmt: skip
    for tick in ticks(seconds):
        x = LEFT + WIDTH * tick / seconds
        out.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 6}" y2="{height - 18}" stroke="#ddd"/>')
        out.append(f'<text x="{x:.1f}" y="{TOP - 10}" text-anchor="middle">{tick:g} s</text>')
    for place, dof in enumerate(shown):
        y = TOP + ROW * place
        out.append(f'<text x="{LEFT - 6}" y="{y + 10}" text-anchor="end">{escaped(dof)}</text>')
        for element in tracks[dof]:
            color = COLORS[element.action % len(COLORS)]
            x, width = LEFT + WIDTH * element.start / seconds, WIDTH * element.duration / seconds
            held = WIDTH * element.hold / seconds
            out.append(f'<rect x="{x:.1f}" y="{y + 2}" width="{width:.1f}" height="{ROW - 4}" fill="{color}" '
                       f'stroke="white"><title>{escaped(dof)} → {element.value:.3f}</title></rect>')  # fmt: skip
            out.append(f'<rect x="{x + width:.1f}" y="{y + 2}" width="{held:.1f}" height="{ROW - 4}" fill="{color}" '
                       'fill-opacity="0.35"/>')  # fmt: skip
    names = " · ".join(dict.fromkeys(escaped(name) for name, _ in plan.actions))
    out.append(f'<text x="{LEFT}" y="{height - 6}">{names}: {seconds:.2f} s</text></svg>')
    return "\n".join(out)


def ticks(seconds: float) -> FloatArray:
    """Even moments of a timeline, a handful of them."""
    step = next((step for step in (0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0) if seconds / step <= 12), 300.0)
    return np.arange(0.0, seconds + 1e-9, step)


def escaped(text: str) -> str:
    """A text as it may stand in SVG."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
