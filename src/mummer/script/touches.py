"""Touches: hands that stay on what they touch in a recording, whatever a sketch does to times, extents and postures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.clip.analysis.spells import spells, without_short
from mummer.clip.analysis.tracks import rates
from mummer.clip.frames import Frames
from mummer.ik.limb_joints import find_limb
from mummer.ik.limbs import make_limbs
from mummer.ik.rigid_body import rigid_body
from mummer.ik.world_state import WorldState
from mummer.math import interpolate, quaternion
from mummer.math.steps import smooth_step
from mummer.report import ReportBuilder
from mummer.script.dofs import Dofs
from mummer.script.follow import source_times
from mummer.script.plan import Plan
from mummer.script.source import Source

NEAR, NEAR_HANDS, LOW = 0.15, 0.11, 0.05
"""How far, in heights of the body, a wrist is from a joint, another wrist, or above the ground, that touches it."""
STILL = 0.25
"""Heights a second that it moves against what it touches, at most."""
RAISED = 0.6
"""Radians that a joint of its arm is turned from how it hangs; a hand that hangs beside a thigh touches nothing."""
SHORTEST, EASE = 0.03, 0.25
"""Seconds that a touch lasts, and that it is prepared and let go of."""
WISHED = 0.95


@dataclass(frozen=True)
class Touch:
    """A tip that touches something.

    Attributes:
        tip: the joint.
        part: the joint of what it touches; -1 for a place in the world.
        begin, end: seconds of the recording.
    """

    tip: int
    part: int
    begin: float
    end: float


def touches_of(dofs: Dofs, source: Source) -> list[Touch]:
    """When tips of arms touch parts of the body, each other, the ground, or what the maker of the motion wished."""
    anatomy = dofs.character.anatomy
    assert anatomy is not None
    tips = _tips(dofs)
    found = [touch for tip in tips for touch in _wished(source, tip)]
    parts = [*dofs.joints("head"), *dofs.joints("spine"), dofs.hips]
    height, places = max(anatomy.height, 1e-6), source.positions
    trunk = (dofs.joints("spine") or (dofs.hips,))[-1]
    for tip in tips:
        raised = _raised(dofs, source, tip)
        for part in parts:
            near = np.linalg.norm(places[:, tip] - places[:, part], axis=1) < NEAR * height
            found += _spells(source, raised & near & _still(source, tip, part, height), tip, part)
        for other in tips:
            if other != tip:
                near = np.linalg.norm(places[:, tip] - places[:, other], axis=1) < NEAR_HANDS * height
                found += _spells(source, raised & near, tip, trunk)
        low = places[:, tip] @ anatomy.up - anatomy.ground < LOW * height
        found += _spells(source, low & raised & _still(source, tip, -1, height), tip, -1)
    return found


def _tips(dofs: Dofs) -> list[int]:
    assert dofs.character.anatomy is not None
    tips = [*dofs.character.anatomy.capabilities.get("grasper", ())]
    tips += [joint for joint in dofs.joints("hand") if joint not in tips]
    body = rigid_body(dofs.character)
    return [tip for tip in tips if tip not in dofs.legs and find_limb(body, tip) is not None]


def _wished(source: Source, tip: int) -> list[Touch]:
    found = []
    for wish in source.clip.wishes:
        if wish.joint == tip and wish.touches is not None:
            times = np.asarray(wish.times)
            for spell in spells(np.asarray(wish.weights > WISHED, bool)):
                part = -1 if wish.touches == "place" else int(wish.touches)
                found.append(Touch(tip, part, float(times[spell.first]), float(times[spell.last])))
    return found


def _raised(dofs: Dofs, source: Source, tip: int) -> BoolArray:
    limb = next((limb for limb in dofs.anatomy_limbs if tip in limb.joints), None)
    joints = [tip] if limb is None else list(limb.joints)
    turned = np.stack([
        np.linalg.norm([source.values[f"{dofs.names[joint]} {axis}"] for axis in ("bend", "sway", "twist")], axis=0)
        for joint in joints
    ])  # fmt: skip
    return np.asarray(turned.max(axis=0) > RAISED, bool)


def _still(source: Source, tip: int, part: int, height: float) -> BoolArray:
    apart = source.positions[:, tip] - (source.positions[:, part] if part >= 0 else 0.0)
    step = float(source.times[1] - source.times[0]) if len(source.times) > 1 else 1.0
    return np.asarray(np.linalg.norm(rates(apart, step), axis=1) < STILL * height, bool)


def _spells(source: Source, flags: BoolArray, tip: int, part: int) -> list[Touch]:
    if len(source.times) < 2:
        return []
    step = float(source.times[1] - source.times[0])
    kept = without_short(flags, gap=round(0.05 / step), shortest=max(2, round(SHORTEST / step)))
    return [Touch(tip, part, float(source.times[s.first]), float(source.times[s.last])) for s in spells(kept)]


def keep_touches(plan: Plan, frames: Frames, times: FloatArray, report: ReportBuilder) -> None:
    """Bring tips back to what they touch: as they were to it in the recording, at the time that is played."""
    dofs = plan.dofs
    for number, (_, source) in enumerate(plan.actions):
        touches = [] if source is None else touches_of(dofs, source)
        if source is None or not touches:
            continue
        for tip in dict.fromkeys(touch.tip for touch in touches):
            _keep(plan, number, source, [touch for touch in touches if touch.tip == tip], frames, times, report)


def _keep(
    plan: Plan, number: int, source: Source, touches: list[Touch], frames: Frames, times: FloatArray,
    report: ReportBuilder,
) -> None:  # fmt: skip
    dofs, tip = plan.dofs, touches[0].tip
    track = [e for e in plan.tracks.get(f"{dofs.names[tip]} bend", []) if e.action == number]
    if not track:
        return
    inside = (times >= track[0].start) & (times <= track[-1].end + 1e-9)
    rows = np.flatnonzero(inside)
    played = np.clip(source_times(track, times[rows]), source.clip.start, source.clip.end)
    state, was = _state(dofs, frames, rows), WorldState(dofs.character, source.clip.sample(played))
    place, turn, most = state.positions[:, tip].copy(), state.rotations[:, tip].copy(), np.zeros(len(rows))
    for touch in touches:
        weight = _weight(touch, played, times[rows])
        there, turned = _target(touch, state, was)
        share = weight / np.maximum(np.maximum(weight, most), 1e-9) * weight
        place += share[:, None] * (there - place)
        turn = interpolate.slerp(turn, turned, share)
        most = np.maximum(most, weight)
    active = most > 0.0
    if not active.any():
        return
    limbs = make_limbs(dofs.character, [tip])
    offsets = rigid_body(dofs.character).offsets_of(state.pose)
    placed, misses = limbs.place(
        state.pose.rotations, np.ascontiguousarray(frames.root[rows]), place[:, None], turns=turn[:, None],
        active=active[:, None], offsets=offsets,
    )  # fmt: skip
    frames.rotations[rows[active]] = placed[active]
    missed = float((misses[:, 0] * (most > WISHED)).max())
    if missed > 0.02 * dofs.hip_height:
        report.add("missed", f"{dofs.names[tip]} no longer touches what it should, {missed:.2f} m short")


def _state(dofs: Dofs, frames: Frames, rows: IntArray) -> WorldState:
    return WorldState(dofs.character, frames.select(rows).to_pose())


def _weight(touch: Touch, played: FloatArray, times: FloatArray) -> FloatArray:
    """(T,) how much a touch counts: fully while it lasts, and less and less before and after."""
    now = (played >= touch.begin - 1e-9) & (played <= touch.end + 1e-9)
    if not now.any():
        return np.zeros(len(times))
    begin, end = times[now][0], times[now][-1]
    away = np.maximum(np.maximum(begin - times, times - end), 0.0)
    return np.asarray(smooth_step(1.0 - np.minimum(away / EASE, 1.0)))


def _target(touch: Touch, state: WorldState, was: WorldState) -> tuple[FloatArray, FloatArray]:
    """Where the tip is to be and how turned: to the part that it touches as it was to it."""
    if touch.part < 0:
        return was.positions[:, touch.tip], was.rotations[:, touch.tip]
    back = quaternion.conjugate(was.rotations[:, touch.part])
    apart = quaternion.rotate(back, was.positions[:, touch.tip] - was.positions[:, touch.part])
    turned = quaternion.multiply(back, was.rotations[:, touch.tip])
    there = state.positions[:, touch.part] + quaternion.rotate(state.rotations[:, touch.part], apart)
    return np.asarray(there), quaternion.multiply(state.rotations[:, touch.part], turned)
