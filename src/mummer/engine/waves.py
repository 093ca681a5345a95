"""Waves: what bodies without legs move by. Tails sweep, fins and wings beat, and a snake bends all along."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mummer.arrays import locked
from mummer.engine.scalars import bend_of, follow, held, rotation_by, write_bend
from mummer.general.gait.backbone import backbone_of, lies_on_belly
from mummer.general.gait.legs import legs_of
from mummer.general.gait.strokes import BEAT, IDLE, WING_BEAT, strokes_of
from mummer.general.physique import Physique
from mummer.kernels.arguments import Floats1, Floats2, Number, Parents
from mummer.kernels.vectors import times, unit_rotation

if TYPE_CHECKING:
    from mummer.engine.body import Body
    from mummer.engine.state import Actors

GRAVITY = 9.81
SWAYED, WAVELENGTH = 0.55, 0.6
"""Radians by which a snake is turned to either side of its way at most, and the length of a wave beside its own."""
# Columns of `Actors.strokes`: phases of beats, of wings and of what is pushed along the ground; strength, how fast that
# changes.
BEATS, WINGS, GONE, STRONG, STRONG_RATE, STROKES = 0, 1, 2, 3, 4, 5


class Waves(NamedTuple):
    """The W joints that beat or wind.

    Attributes:
        joint: (W,) which.
        bend: (W, 3) how far it is bent at most, about left, up and ahead, radians.
        late: (W,) radians by which it is late.
        clock: (W,) which of the phases it follows.
        beat, wing: radians a second of beats at full strength.
        wind: radians a metre of what winds along the ground; 0 for what does not.
        cruise: metres a second at which strokes are as strong as they get.
    """

    joint: Parents
    bend: Floats2
    late: Floats1
    clock: Parents
    beat: Number
    wing: Number
    wind: Number
    cruise: Number


def waves_table(physique: Physique) -> Waves:
    """What a body without legs moves by; nothing for one that walks."""
    unit = float(np.sqrt(0.5 * physique.height / GRAVITY))
    rows: list[tuple[int, np.ndarray[tuple[int, ...], np.dtype[np.float64]], float, int]] = []
    wind = 0.0
    if not legs_of(physique):
        if lies_on_belly(physique):
            rows, wind = _winding(physique)
        else:
            for stroke in strokes_of(physique):
                clock = WINGS if stroke.is_wing else BEATS
                rows += [
                    (joint, bend, float(late), clock)
                    for joint, bend, late in zip(stroke.joints, stroke.bends, stroke.late, strict=True)
                ]
    return Waves(
        locked(np.array([row[0] for row in rows], np.int64), np.int64),
        locked(np.array([row[1] for row in rows], np.float64).reshape(-1, 3)),
        locked(np.array([row[2] for row in rows], np.float64)),
        locked(np.array([row[3] for row in rows], np.int64), np.int64),
        2 * np.pi / (BEAT * unit),
        2 * np.pi / (WING_BEAT * unit),
        wind,
        0.4 * float(np.sqrt(GRAVITY * 0.5 * physique.height)),
    )


def _winding(
    physique: Physique,
) -> tuple[list[tuple[int, np.ndarray[tuple[int, ...], np.dtype[np.float64]], float, int]], float]:
    """The bends of a backbone that winds, and radians a metre."""
    line = backbone_of(physique)
    number = 2 * np.pi / max(WAVELENGTH * line.length, 4.0 * float(line.bones.max()), 1e-9)
    along = np.concatenate([[0.0], np.cumsum(line.bones)])[::-1]
    rows = []
    for index, joint in enumerate(line.joints.tolist()):
        if index == line.root:
            continue
        # Bends add up from the root to both ends; each turns what is beyond it by what the wave has changed since.
        nearer = index - 1 if index > line.root else index + 1
        start, end = number * along[nearer], number * along[index]
        most = 2.0 * SWAYED * float(np.sin(0.5 * (end - start)))
        rows.append((joint, np.array([0.0, most, 0.0]), float(0.5 * (start + end) + 0.5 * np.pi), GONE))
    return rows, number


def wave(actor: int, body: Body, actors: Actors, seconds: float) -> None:
    """Move strokes on, and bend what beats or winds."""
    waves, strokes = body.waves, actors.strokes
    x, z = actors.motion[actor, 0], actors.motion[actor, 1]
    heading = actors.stage[actor, 2]
    ahead = x * math.sin(heading) + z * math.cos(heading)
    speed = math.sqrt(x * x + z * z)
    wanted = IDLE + (1.0 - IDLE) * min(speed / max(waves.cruise, 1e-9), 1.0)
    if waves.wind > 0.0:
        # A snake that stops stays wound.
        wanted = 1.0 if speed > 0.02 * waves.cruise else strokes[actor, STRONG]
    strong, change = follow(strokes[actor, STRONG], strokes[actor, STRONG_RATE], wanted, 3.0, seconds)
    strokes[actor, STRONG], strokes[actor, STRONG_RATE] = strong, change
    strokes[actor, BEATS] += seconds * waves.beat * (0.5 + 0.5 * strong)
    strokes[actor, WINGS] += seconds * waves.wing * (0.5 + 0.5 * strong)
    strokes[actor, GONE] += seconds * waves.wind * ahead
    for number in range(waves.joint.shape[0]):
        joint = waves.joint[number]
        share = strong * math.sin(strokes[actor, waves.clock[number]] - waves.late[number])
        bend = unit_rotation(
            rotation_by(share * waves.bend[number, 0], share * waves.bend[number, 1], share * waves.bend[number, 2])
        )
        bend = held(joint, body.frame.limits, times(bend, bend_of(actor, joint, actors.bends)))
        write_bend(actor, joint, bend, actors.bends)
