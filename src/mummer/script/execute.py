"""Execution: a plan becomes a clip. Feet stay where they stand, whatever happens above them."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.character.marks import Mark
from mummer.clip.analysis.tracks import smoothed
from mummer.clip.frames import Frames
from mummer.clip.recorded import recorded
from mummer.clip.sampled import Sampled
from mummer.clip.standing import move_body
from mummer.ik.rigid_body import rigid_body
from mummer.ik.world_state import WorldState
from mummer.math import quaternion
from mummer.math.steps import smooth_step
from mummer.report import ReportBuilder
from mummer.script.dofs import PLACES, SIGNALS, TRAVEL, Dofs
from mummer.script.draft import above, is_beneath
from mummer.script.follow import Followed, follow, source_times
from mummer.script.plan import Plan
from mummer.script.shape import HANGING
from mummer.script.source import Source
from mummer.script.touches import keep_touches

RATE = 90.0
LOW, HIGH = 0.45, 0.8
"""How high hips are, in how high they are when standing, for a posture to be held not at all, and fully."""
BUSY = 0.8
"""Radians by which a joint of a limb is turned that does something else than hang."""
SHORT = 0.05
"""Seconds within which hips come down for feet that are out of reach."""
GIVES = 0.3
"""Metres that it goes up or down at most at a time."""
MOST_FRAMES = 100_000


def execute(plan: Plan, *, name: str = "performance", rate: float = RATE) -> Sampled:
    """The clip that a plan says.

    Args:
        plan: any plan.
        name: of the motion.
        rate: frames a second.
    """
    count = min(max(2, round(plan.duration * rate) + 1), MOST_FRAMES)
    times = np.linspace(0.0, max(plan.duration, 1.0 / rate), count)
    followed, report = follow(plan, times), ReportBuilder()
    report.add_all(plan.report)
    frames = _base(plan, times)
    _pose_joints(plan, followed, frames)
    _move_hips(plan, followed, frames)
    _place_feet(plan, followed, frames, report)
    keep_touches(plan, frames, times, report)
    _shake_legs(plan, followed, frames)
    poses = frames.to_pose()
    made = recorded(times, poses, np.arange(len(plan.dofs.names)), rate=rate, name=name, marks=_marks(plan))
    return Sampled(plan.dofs.character, made, report=report.build())


def first_source(plan: Plan) -> Source | None:
    """The first recording of a plan, which says where the body is at the start."""
    return next((source for _, source in plan.actions if source is not None), None)


def _base(plan: Plan, times: FloatArray) -> Frames:
    """The body as it stands, with what recordings say of its size and face at their time."""
    frames = Frames.of_pose(plan.dofs.neutral, len(times))
    track = plan.tracks.get(f"{TRAVEL} up", [])
    for number in dict.fromkeys(element.action for element in track):
        source = plan.actions[number][1]
        mine = [element for element in track if element.action == number]
        if source is None:
            continue
        rows = np.flatnonzero((times >= mine[0].start) & (times <= mine[-1].end + 1e-9))
        frames.put(rows, source.clip.frames(np.clip(source_times(mine, times[rows]), source.clip.start,
                                                    source.clip.end)), plan.dofs.character)  # fmt: skip
    return frames


def _beneath(values: dict[str, FloatArray]) -> dict[str, FloatArray]:
    """How the body is held, all layers added, by degree of freedom."""
    found: dict[str, FloatArray] = {}
    for track, value in values.items():
        if is_beneath(track) and not track.startswith(HANGING):
            found[above(track)] = found[above(track)] + value if above(track) in found else value
    return found


def _vectors(dofs: Dofs, values: dict[str, FloatArray], count: int) -> FloatArray:
    """(T, J, 3) rotation vectors in the frames of joints."""
    found = np.zeros((count, len(dofs.names), 3))
    for dof, (joint, axis) in dofs.columns.items():
        if dof in values:
            found[:, joint, axis] = values[dof]
    return np.asarray(np.einsum("jab,tjb->tja", dofs.joint_from_axes, found))


def _pose_joints(plan: Plan, followed: Followed, frames: Frames) -> None:
    """Turn every joint: how the body is held, then what it does, then what trembles."""
    dofs, count = plan.dofs, len(frames)
    free = np.array([joint not in dofs.legs for joint in range(len(dofs.names))])
    beneath = _beneath(followed.values)
    doing = _vectors(dofs, followed.values, count)
    hanging = {above(track): value for track, value in followed.values.items() if track.startswith(HANGING)}
    held = _vectors(dofs, beneath, count) + _vectors(dofs, hanging, count) * _idleness(dofs, doing)[..., None]
    held *= _upright(plan, followed)[:, None, None]
    if "pelvis twist" in beneath:
        back = -beneath["pelvis twist"] / max(len(dofs.joints("spine")), 1)
        held += _vectors(dofs, dict.fromkeys(dofs.tracks("spine twist"), back), count)
    posture, turned = quaternion.exp(held * free[:, None]), quaternion.exp(doing)
    turns = quaternion.multiply(posture, turned)
    # Hips that have turned away are held as they face now.
    turns[:, dofs.hips] = quaternion.multiply(turned[:, dofs.hips], posture[:, dofs.hips])
    shaking = _vectors(dofs, _beneath(followed.tremors), count) * free[:, None]
    if shaking.any():
        turns = quaternion.multiply(turns, quaternion.exp(shaking))
    frames.rotations[:] = quaternion.multiply(dofs.neutral.rotations, turns)


def _idleness(dofs: Dofs, doing: FloatArray) -> FloatArray:
    """(T, J) how much each limb hangs, from how far its joints are turned from how they hang of themselves."""
    found = np.ones(doing.shape[:2])
    for limb in dofs.anatomy_limbs:
        joints = [joint for joint in limb.joints if joint in dofs.in_limbs]
        if joints:
            turned = np.linalg.norm(doing[:, joints], axis=-1).max(axis=1)
            found[:, joints] = np.exp(-((turned / BUSY) ** 2))[:, None]
    return found


def _height(plan: Plan, followed: Followed) -> FloatArray:
    """(T,) how high the hips are, in how high they are when the body stands."""
    dofs = plan.dofs
    anatomy = dofs.character.anatomy
    assert anatomy is not None
    source = first_source(plan)
    begins = dofs.state.positions[0, dofs.hips] if source is None else source.positions[0, dofs.hips]
    ground = anatomy.ground
    up = followed.values.get(f"{TRAVEL} up", 0.0)
    return np.asarray((float(begins @ anatomy.up) - ground + up) / dofs.hip_height)


def _upright(plan: Plan, followed: Followed) -> FloatArray:
    """(T,) how much of a posture is held: none by a body that lies."""
    count = len(next(iter(followed.values.values()), np.zeros(1)))
    height = np.broadcast_to(_height(plan, followed), (count,))
    return smooth_step(np.clip((height - LOW) / (HIGH - LOW), 0.0, 1.0)) if plan.dofs.feet else np.ones(count)


def _way(followed: Followed, dofs: Dofs, part: str, count: int) -> FloatArray:
    """(T, 3) the way of hips or a foot in the world."""
    nothing = np.zeros(count)
    side, up, ahead = (followed.values.get(f"{part} {axis}", nothing) for axis in PLACES)
    if part == TRAVEL and f"{TRAVEL} up" in followed.gains:
        up = np.where(up > 0.0, up * followed.gains[f"{TRAVEL} up"], up)
    return np.stack([side, up, ahead], axis=1) @ dofs.axes


def _move_hips(plan: Plan, followed: Followed, frames: Frames) -> None:
    """Bring the hips where they are to be."""
    dofs, count = plan.dofs, len(frames)
    source = first_source(plan)
    begins = dofs.state.positions[0, dofs.hips] if source is None else source.positions[0, dofs.hips]
    upright = _upright(plan, followed)
    values, tremors, nothing = _beneath(followed.values), _beneath(followed.tremors), np.zeros(count)
    signal = {name: values.get(name, nothing) + tremors.get(name, nothing) for name in SIGNALS}
    _, headings = dofs.standing.places(frames)
    left, up, front = dofs.axes
    shift = signal["balance side"][:, None] * left + signal["balance ahead"][:, None] * front
    shift = quaternion.rotate(dofs.standing.turn(headings), shift) - signal["knees bend"][:, None] * up
    if signal["pelvis twist"].any():
        move_body(frames, dofs.character, np.zeros(3), dofs.standing.turn(signal["pelvis twist"]))
    wanted = begins + _way(followed, dofs, TRAVEL, count) + shift * (upright * dofs.hip_height)[:, None]
    places, _ = dofs.standing.places(frames)
    move_body(frames, dofs.character, wanted - places)


def _place_feet(plan: Plan, followed: Followed, frames: Frames, report: ReportBuilder) -> None:
    """Bend legs to where feet are; the hips come down for feet that are out of reach."""
    dofs, count = plan.dofs, len(frames)
    if dofs.solver is None:
        return
    source = first_source(plan)
    targets, turns = np.empty((count, len(dofs.feet), 3)), np.empty((count, len(dofs.feet), 4))
    for place, (foot, name) in enumerate(zip(dofs.feet, dofs.foot_names, strict=True)):
        begins = dofs.state.positions[0, foot.heel] if source is None else source.positions[0, foot.heel]
        targets[:, place] = begins + _way(followed, dofs, name, count)
        vector = np.stack([followed.values.get(f"{name} world_{axis}", np.zeros(count)) for axis in
                           ("bend", "sway", "twist")], axis=1)  # fmt: skip
        turns[:, place] = quaternion.multiply(quaternion.exp(vector), dofs.state.rotations[0, foot.heel])
    body, short = rigid_body(dofs.character), np.zeros(count)
    for last in (False, False, True):
        offsets = body.offsets_of(frames.to_pose())
        root = np.ascontiguousarray(frames.root)
        placed, misses = dofs.solver.place(frames.rotations, root, targets, turns=turns, offsets=offsets)
        short = misses.max(axis=1)
        if last or short.max() < 2e-3 * dofs.hip_height:
            frames.rotations[:] = placed
            break
        by = np.clip(smoothed(_give(dofs, frames, targets, misses), SHORT * RATE), -GIVES, GIVES)
        move_body(frames, dofs.character, by[:, None] * dofs.axes[1])
    if short.max() > 0.02 * dofs.hip_height:
        report.add("missed", f"a foot is out of reach, by {short.max():.2f} m at worst")


def _give(dofs: Dofs, frames: Frames, targets: FloatArray, misses: FloatArray) -> FloatArray:
    """(T,) metres that the body goes up for legs that cannot fold so far, or down for those that are too short."""
    assert dofs.solver is not None
    places = WorldState(dofs.character, frames.to_pose()).positions
    found = np.zeros(len(frames))
    for place, chain in enumerate(dofs.solver.joints):
        far = np.linalg.norm(targets[:, place] - places[:, chain.base], axis=1)
        rest = dofs.state.positions[0]
        length = np.linalg.norm(rest[chain.base] - rest[chain.middle]) + np.linalg.norm(
            rest[chain.middle] - rest[chain.tip]
        )
        found += np.where(far > 0.85 * length, -1.0, 1.0) * misses[:, place]
    return found / max(1, len(dofs.solver.joints) // 2)


def _shake_legs(plan: Plan, followed: Followed, frames: Frames) -> None:
    """Let legs that stand tremble without moving their feet: about the line from hip to foot."""
    dofs = plan.dofs
    if dofs.solver is None:
        return
    shaken: dict[int, FloatArray] = {}
    for dof, tremor in followed.tremors.items():
        joint = dofs.columns.get(above(dof), (-1, 0))[0]
        for place, chain in enumerate(dofs.solver.joints):
            if joint in chain.joints:
                shaken[place] = shaken.get(place, 0.0) + tremor
    if not shaken:
        return
    state = WorldState(dofs.character, frames.to_pose())
    for place, tremor in shaken.items():
        chain = dofs.solver.joints[place]
        line = state.positions[:, chain.tip] - state.positions[:, chain.base]
        line = line / np.maximum(np.linalg.norm(line, axis=1), 1e-9)[:, None]
        for joint, sign in ((chain.base, 1.0), (chain.tip, -1.0)):
            local = quaternion.rotate(quaternion.conjugate(state.rotations[:, joint]), line)
            turn = quaternion.exp(sign * tremor[:, None] * local)
            frames.rotations[:, joint] = quaternion.multiply(frames.rotations[:, joint], turn)


def _marks(plan: Plan) -> tuple[Mark, ...]:
    """Named moments of recordings, at the times at which they are played."""
    found: list[Mark] = []
    for number, (_, source) in enumerate(plan.actions):
        seconds, times = plan.moments(number)
        if source is not None and len(seconds):
            found += [
                mark.moved(*np.interp([mark.time, mark.until], seconds, times).tolist()) for mark in source.clip.marks
            ]
    return tuple(sorted(found))
