"""Playing scores: what animations ask for at this moment, gathered into goals."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mummer.engine.down import is_down
from mummer.engine.look import look_turn
from mummer.engine.scalars import bend_of, eased, follow, mixed, place_of, rotation_by, vector
from mummer.engine.score import (
    AIMED,
    AROUND,
    BEND,
    CLOSE,
    COMFORTABLE,
    EXACT,
    FAR,
    FURTHEST,
    GRIP,
    LOOK,
    MORPH,
    PLACE,
    REST,
    SCALES,
    TOWARD,
)
from mummer.engine.settle import settle_target, settled_target
from mummer.engine.state import AIMS, ENDING, FADE, FADE_RATE, HEAVE, SCORE, SLOTS, TEMPO, WALKING, WHEN
from mummer.engine.tables import RATE
from mummer.kernels.linking import apart
from mummer.kernels.scalars import index_at
from mummer.kernels.vectors import about, back, minus, plus, size, times, turned, unit_rotation

if TYPE_CHECKING:
    from mummer.engine.body import Body
    from mummer.engine.legs import Legs
    from mummer.engine.score import Scores
    from mummer.engine.state import Actors, Goals
    from mummer.kernels.scalars import Four, Three

# How soon an animation that is stopped is over, one over seconds.
FADING = 9.0
# Relative speed from which on nobody sits or lies down.
HALTED = 0.3


def go_on_playing(actor: int, body: Body, scores: Scores, actors: Actors, goals: Goals, seconds: float) -> bool:
    """Move everything that an actor plays on in time; nothing is asked for yet. Whether it plays anything."""
    playing = False
    if goals.asked[actor] > 0.0:
        clear(actor, goals)
    for slot in range(SLOTS):
        score = int(actors.plays[actor, slot, SCORE])
        if score >= 0:
            playing = True
            go_on(actor, slot, score, body.legs, scores, actors, seconds)
            for aim in range(AIMS):
                settle_target(actor, slot, aim, body.frame.height, actors.plays, seconds)
            fade, ends = actors.plays[actor, slot, FADE], actors.plays[actor, slot, ENDING] > 0.0
            goals.free[actor] = max(goals.free[actor], fade * scores.free[score])
            goals.lies[actor] = max(goals.lies[actor], goals.free[actor], fade * scores.holds[score])
            # Who is to sit or lie down stops first.
            goals.down[actor] = max(goals.down[actor], scores.halts[score] * (fade if ends else 1.0))
            if ends and fade < 1e-3:
                actors.plays[actor, slot, SCORE] = -1.0
    goals.asked[actor] = 1.0 if playing else 0.0
    return playing


@apart
def gather(actor: int, level: int, body: Body, scores: Scores, actors: Actors, goals: Goals) -> None:
    """Gather what animations ask for, of the parts that are asked now; later ones over earlier ones."""
    for slot in range(SLOTS):
        score = int(actors.plays[actor, slot, SCORE])
        if score < 0:
            continue
        for number in range(scores.number[score]):
            part = scores.first[score] + number
            if scores.level[part] == level:
                ask(actor, slot, part, score, actors.plays[actor, slot, FADE], body, scores, actors, goals)
        if level > 0:
            lay_over(actor, goals)
    if level == 0:
        goals.down[actor] = max(goals.down[actor], is_down(actor, body.legs, goals))


def clear(actor: int, goals: Goals) -> None:
    """Nothing is asked for."""
    goals.free[actor], goals.down[actor], goals.lies[actor] = 0.0, 0.0, 0.0
    for part in range(goals.root.shape[1]):
        goals.root[actor, part] = 1.0 if part == 6 else 0.0
    for limb in range(goals.places.shape[1]):
        goals.places[actor, limb, 3], goals.asked_places[actor, limb, 3] = 0.0, 0.0
        goals.exact[actor, limb], goals.grips[actor, limb], goals.touched[actor, limb, 1] = 0.0, 0.0, 0.0
    for joint in range(goals.turns.shape[1]):
        goals.turns[actor, joint, 4], goals.asked_turns[actor, joint, 4], goals.closed[actor, joint] = 0.0, 0.0, 0.0
        for part in range(4):
            goals.bends[actor, joint, part] = 1.0 if part == 3 else 0.0
        goals.bends[actor, joint, 4] = 0.0
    for morph in range(goals.morphs.shape[1]):
        goals.morphs[actor, morph] = 0.0


def go_on(actor: int, slot: int, score: int, legs: Legs, scores: Scores, actors: Actors, seconds: float) -> None:
    """Move a play on in time; one that is over or stopped fades; who still walks does not lie down yet."""
    plays = actors.plays
    speed = math.hypot(actors.motion[actor, 0], actors.motion[actor, 1]) * legs.unit / legs.length
    ready = 1.0 - scores.halts[score] * eased(speed / HALTED)
    when = plays[actor, slot, WHEN] + seconds * plays[actor, slot, TEMPO] * ready
    duration = scores.duration[score]
    if scores.loops[score] > 0.0:
        when -= duration * math.floor(when / duration)
    elif when >= duration:
        when = duration
        if scores.holds[score] == 0.0:
            plays[actor, slot, ENDING] = 1.0
    plays[actor, slot, WHEN] = when
    wanted = 0.0 if plays[actor, slot, ENDING] > 0.0 else ready
    fade, change = follow(plays[actor, slot, FADE], plays[actor, slot, FADE_RATE], wanted, FADING, seconds)
    plays[actor, slot, FADE], plays[actor, slot, FADE_RATE] = fade, change


def row_at(part: int, score: int, when: float, column: int, scores: Scores) -> float:
    """A number of a part at a moment."""
    at, last = max(when * RATE, 0.0), scores.samples[score] - 2
    number = index_at(at, last)
    row, share = scores.row[part] + number, min(at - number, 1.0)
    return scores.rows[row, column] + share * (scores.rows[row + 1, column] - scores.rows[row, column])


def ask(
    actor: int, slot: int, part: int, score: int, fade: float, body: Body, scores: Scores, actors: Actors,
    goals: Goals,
) -> None:  # fmt: skip
    """What one part asks for at this moment, mixed with what others of its animation do."""
    when, kind, joint = actors.plays[actor, slot, WHEN], scores.kind[part], scores.joint[part]
    weight = row_at(part, score, when, 4, scores) * fade
    if kind == TOWARD and scores.numbers[part, EXACT] > 0.0 and scores.aim[part] < 0:
        # Who walks passes by what it was to touch.
        weight *= 1.0 - actors.gait[actor, WALKING]
    if weight <= 0.0:
        return
    value = (row_at(part, score, when, 0, scores), row_at(part, score, when, 1, scores),
             row_at(part, score, when, 2, scores), row_at(part, score, when, 3, scores))  # fmt: skip
    if kind == MORPH:
        goals.morphs[actor, joint] = min(goals.morphs[actor, joint] + weight * value[0], 1.0)
    elif kind == CLOSE:
        goals.closed[actor, joint] = min(goals.closed[actor, joint] + weight * value[0], 1.0)
    elif kind == BEND:
        bend = rotation_by(weight * value[0], weight * value[1], weight * value[2])
        bend = times(unit_rotation(bend), bend_of(actor, joint, goals.bends))
        for each in range(4):
            goals.bends[actor, joint, each] = bend[each]
        goals.bends[actor, joint, 4] = max(goals.bends[actor, joint, 4], min(weight, 1.0))
    elif kind in (PLACE, TOWARD):
        place = (value[0], value[1], value[2])
        if kind == TOWARD:
            place = on_the_way(actor, slot, part, place, body, scores, actors)
        if joint == body.frame.root:
            for each in range(3):
                goals.root[actor, each] += weight * (place[each] - body.frame.places[joint, each])
        elif scores.limb[part] >= 0:
            limb, exact = scores.limb[part], scores.numbers[part, EXACT]
            if scores.aim[part] >= 0 and exact * weight > goals.touched[actor, limb, 1]:
                goals.touched[actor, limb, 0], goals.touched[actor, limb, 1] = scores.aim[part], exact * weight
            x, y, z = to_world(actor, scores.seen[part], place, body, actors)
            mix_place(actor, limb, (x, y, z, weight, exact, scores.numbers[part, GRIP]), goals)
    else:
        turn = unit_rotation(value)
        if kind == LOOK:
            turn = looking(actor, slot, part, turn, body, scores, actors)
        if joint == body.frame.root:
            turn_root(actor, turn, weight, goals)
        else:
            mix_turn(actor, joint, times(frame_turn(actor, scores.seen[part], actors), turn), weight, goals)


def frame_turn(actor: int, seen: int, actors: Actors) -> Four:
    """The turn of the space that a joint carries, or of the stage."""
    if seen < 0:
        return about((0.0, 1.0, 0.0), actors.stage[actor, 2])
    return bend_of(actor, seen, actors.turns)


def to_world(actor: int, seen: int, place: Three, body: Body, actors: Actors) -> Three:
    """A place of the character space that a joint carries, or of the stage, in the world."""
    turn = frame_turn(actor, seen, actors)
    if seen < 0:
        return plus((actors.stage[actor, 0], actors.ride[actor, HEAVE], actors.stage[actor, 1]), turned(turn, place))
    return plus(place_of(actor, seen, actors), turned(turn, minus(place, vector(body.frame.places, seen))))


def to_character(actor: int, seen: int, place: Three, body: Body, actors: Actors) -> Three:
    """The other way."""
    turn = back(frame_turn(actor, seen, actors))
    if seen < 0:
        origin = (actors.stage[actor, 0], actors.ride[actor, HEAVE], actors.stage[actor, 1])
        return turned(turn, minus(place, origin))
    return plus(vector(body.frame.places, seen), turned(turn, minus(place, place_of(actor, seen, actors))))


def aimed_at(actor: int, slot: int, part: int, body: Body, scores: Scores, actors: Actors) -> Three:
    """What a part is toward, in its character space."""
    aim = scores.aim[part]
    place = place_of(actor, aim, actors) if aim >= 0 else settled_target(actor, slot, -1 - aim, actors.plays)
    return to_character(actor, scores.seen[part], place, body, actors)


def on_the_way(actor: int, slot: int, part: int, general: Three, body: Body, scores: Scores, actors: Actors) -> Three:
    """A place on the way from rest to a target, or around the target."""
    target = aimed_at(actor, slot, part, body, scores, actors)
    numbers = scores.numbers
    scaled = (numbers[part, SCALES] * general[0], numbers[part, SCALES + 1] * general[1],
              numbers[part, SCALES + 2] * general[2])  # fmt: skip
    if numbers[part, AROUND] > 0.0:
        return plus(target, scaled)
    rest = (numbers[part, REST], numbers[part, REST + 1], numbers[part, REST + 2])
    way = minus(target, rest)
    far = size(way)
    if numbers[part, FAR] == 0.0:
        scaled = (scaled[0], scaled[1], far * general[2])
    if far < 1e-9:
        return plus(rest, scaled)
    return plus(rest, turned(to_ahead(way, far), scaled))


def to_ahead(way: Three, far: float) -> Four:
    """The least turn of ahead into a direction."""
    x, y, z = way[0] / far, way[1] / far, way[2] / far
    if z < -0.999999:
        return 0.0, 1.0, 0.0, 0.0
    return unit_rotation((-y, x, 0.0, 1.0 + z))


def looking(actor: int, slot: int, part: int, turn: Four, body: Body, scores: Scores, actors: Actors) -> Four:
    """A turn from pointing at a target, as far as that is comfortable."""
    numbers = scores.numbers
    rest = (numbers[part, REST], numbers[part, REST + 1], numbers[part, REST + 2])
    frame = (numbers[part, AIMED], numbers[part, AIMED + 1], numbers[part, AIMED + 2], numbers[part, AIMED + 3])
    way = turned(back(frame), minus(aimed_at(actor, slot, part, body, scores, actors), rest))
    vector_to = look_turn(way, numbers[part, COMFORTABLE], numbers[part, FURTHEST])
    look = unit_rotation(rotation_by(vector_to[0], vector_to[1], vector_to[2]))
    return times(times(frame, times(look, turn)), back(frame))


def mix_place(actor: int, limb: int, asked: tuple[float, float, float, float, float, float], goals: Goals) -> None:
    """Mix a place, its weight, and how exactly and gripped it is asked for, into what the animation asks of a limb."""
    together = goals.asked_places[actor, limb, 3] + asked[3]
    share = asked[3] / together
    for part in range(6):
        goals.asked_places[actor, limb, part] += share * (asked[part] - goals.asked_places[actor, limb, part])
    goals.asked_places[actor, limb, 3] = together


def mix_turn(actor: int, joint: int, turn: Four, weight: float, goals: Goals) -> None:
    """Mix a turn into what the animation asks of a joint."""
    before = goals.asked_turns[actor, joint, 4]
    together = before + weight
    new = turn if before <= 0.0 else mixed(bend_of(actor, joint, goals.asked_turns), turn, weight / together)
    for part in range(4):
        goals.asked_turns[actor, joint, part] = new[part]
    goals.asked_turns[actor, joint, 4] = together


def turn_root(actor: int, turn: Four, weight: float, goals: Goals) -> None:
    """Turn the root on, as the stage sees it."""
    new = times(mixed((0.0, 0.0, 0.0, 1.0), turn, weight), (
        goals.root[actor, 3], goals.root[actor, 4], goals.root[actor, 5], goals.root[actor, 6]))  # fmt: skip
    for part in range(4):
        goals.root[actor, 3 + part] = new[part]


def lay_over(actor: int, goals: Goals) -> None:
    """Lay what one animation asks for over what those before it did."""
    for limb in range(goals.places.shape[1]):
        weight = min(goals.asked_places[actor, limb, 3], 1.0)
        if weight > 0.0:
            below = goals.places[actor, limb, 3] * (1.0 - weight)
            share = weight / (weight + below)
            for part in range(3):
                new = goals.asked_places[actor, limb, part]
                goals.places[actor, limb, part] += share * (new - goals.places[actor, limb, part])
            # What fades away asks ever less exactly: a body that leans for it does not come up at once.
            goals.exact[actor, limb] += share * (goals.asked_places[actor, limb, 4] - goals.exact[actor, limb])
            goals.grips[actor, limb] += share * (goals.asked_places[actor, limb, 5] - goals.grips[actor, limb])
            goals.places[actor, limb, 3] = weight + below
            goals.asked_places[actor, limb, 3] = 0.0
    for joint in range(goals.turns.shape[1]):
        weight = min(goals.asked_turns[actor, joint, 4], 1.0)
        if weight > 0.0:
            below = goals.turns[actor, joint, 4] * (1.0 - weight)
            new = bend_of(actor, joint, goals.asked_turns)
            if below > 0.0:
                new = mixed(bend_of(actor, joint, goals.turns), new, weight / (weight + below))
            for part in range(4):
                goals.turns[actor, joint, part] = new[part]
            goals.turns[actor, joint, 4] = weight + below
            goals.asked_turns[actor, joint, 4] = 0.0
