"""The kernel of poses: limbs are placed, and where they miss the core leans and they are placed again."""

from __future__ import annotations

from mummer.general.posing.begin import FAR_FROM_REST, NEAR_REST, begin_curl, begin_limb
from mummer.general.posing.columns import (
    BENT,
    CARRIER,
    COUNT,
    CURLED,
    DAMPING,
    ELBOW,
    FIRST,
    HAS_ELBOW,
    HAS_TURN,
    HIP,
    KIND,
    KNEE,
    LEANS,
    LENGTH,
    NEAR,
    PLACE,
    POINT,
    POINTED,
    PREFERRED,
    SOFTNESS,
    STEPS,
    TIP,
    TURN,
)
from mummer.general.posing.lean import lean
from mummer.general.posing.settle import settle
from mummer.general.posing.turns import eased, held, limited, turned_on
from mummer.ik.analytic.segments import offset_of, rotation_of, seen_from, segments_of, write_rotation
from mummer.ik.analytic.vectors import back, cross, dot, minus, plus, scaled, shortest, size, times, turned
from mummer.kernels.arguments import Floats1, Floats2, Floats3, Output2, Output3, Parents
from mummer.kernels.kernel import kernel
from mummer.kernels.scalars import Four, Three

# How often a girdle is brought nearer to what its limb does not reach.
GIRDLES = 2
# How often the joints of limbs that miss turn one by one.
SWEEPS = 8


@kernel(on_cuda=False)
def pose_frames(
    frame: int, parents: Parents, table: Floats2, offsets: Floats3, chains: Floats2, members: Parents,
    weights: Floats1, curls: Floats3, leaning: Parents, stiffness: Floats1, carries: Floats2, asked: Floats3,
    settings: Floats2, begun: Floats3, rotations: Output3, roots: Output2, left: Output3, spent: Output2,
    system: Output3, scratch: Output3,
) -> None:  # fmt: skip
    """One item is one frame; see `place_chain` and `lean` for the arguments.

    ``begun`` (T, J, 4) is what limbs begin from each time that they are placed, ``rotations`` what they end as.
    """
    for part in range(spent.shape[1]):
        spent[frame, part] = 0.0
    for chain in range(chains.shape[0]):
        for part in range(6, 9):
            left[frame, chain, part] = 0.0
    for turn_number in range(int(settings[0, LEANS]) + 1):
        for chain in range(chains.shape[0]):
            place_chain(
                frame, chain, parents, table, offsets, chains, members, weights, curls, asked, settings, begun,
                rotations, roots, left, scratch,
            )  # fmt: skip
        if turn_number < int(settings[0, LEANS]) and not lean(
            frame, leaning, stiffness, carries, chains, asked, settings, parents, table, offsets, left, rotations,
            roots, spent, system, scratch,
        ):  # fmt: skip
            break


def place_chain(
    frame: int, chain: int, parents: Parents, table: Floats2, offsets: Floats3, chains: Floats2, members: Parents,
    weights: Floats1, curls: Floats3, asked: Floats3, settings: Floats2, begun: Floats3, rotations: Output3,
    roots: Floats2, left: Output3, scratch: Output3,
) -> None:  # fmt: skip
    """Place the tip of one chain: begun in closed form where that can be, then settled in damped steps.

    Args:
        frame: which row of the arrays of frames.
        chain: which row of the chains.
        parents: (J,)
        table: of `joint_table`.
        offsets: (1, J, 3) from parents to joints, metres.
        chains: (N, CHAIN) see `columns`.
        members: the joints of all chains, one chain after the other.
        weights: how readily each of them turns.
        curls: (N, ROWS, 1 + M) of `curl_table`.
        asked: (T, N, ASKED) see `columns`.
        settings: (1, SETTINGS) see `columns`.
        begun: (T, J, 4) parent_from_joint that limbs begin from.
        rotations: (T, J, 4) parent_from_joint.
        roots: (T, 3) where joint 0 is.
        left: (T, N, 9) becomes what is left of the way, and where the tip is, metres in the world; see `lean`.
        scratch: (T, S, SCRATCH)
    """
    tip, first, count = int(chains[chain, TIP]), int(chains[chain, FIRST]), int(chains[chain, COUNT])
    kind = int(chains[chain, KIND])
    target = (asked[frame, chain, PLACE], asked[frame, chain, PLACE + 1], asked[frame, chain, PLACE + 2])
    wanted = (asked[frame, chain, TURN], asked[frame, chain, TURN + 1], asked[frame, chain, TURN + 2],
              asked[frame, chain, TURN + 3])  # fmt: skip
    point = (chains[chain, POINT], chains[chain, POINT + 1], chains[chain, POINT + 2])
    oriented = asked[frame, chain, HAS_TURN] > 0.0
    goal = target
    if kind != 0:
        for number in range(count):
            again(frame, members[first + number], begun, rotations)
        again(frame, tip, begun, rotations)
    if kind == BENT:
        too_far = begin_chain(frame, chain, tip, first, count, parents, table, offsets, chains, members, weights, asked,
                              settings, begun, rotations, roots, target, point, oriented, wanted)  # fmt: skip
        goal = minus(target, too_far)
    if kind == CURLED:
        too_far = curl_chain(
            frame, chain, tip, first, count, parents, table, offsets, chains, members, weights, curls, settings, begun,
            rotations, roots, target, point, oriented, wanted,
        )  # fmt: skip
        goal = minus(target, too_far)
    if kind == POINTED:
        point_chain(frame, members[first], tip, parents, table, offsets, roots, target, point, rotations)
    rest = settle(
        frame, first, count, tip, members, weights, parents, table, offsets, roots, goal, point, oriented, wanted,
        chains[chain, LENGTH], settings[0, NEAR], chains[chain, DAMPING], int(chains[chain, STEPS]),
        SWEEPS if kind >= BENT else 0, rotations, scratch,
    )  # fmt: skip
    end = minus(goal, rest)
    missed = minus(target, end)
    for part in range(3):
        left[frame, chain, part] = missed[part]
        left[frame, chain, 3 + part] = end[part]


def begin_chain(
    frame: int, chain: int, tip: int, first: int, count: int, parents: Parents, table: Floats2, offsets: Floats3,
    chains: Floats2, members: Parents, weights: Floats1, asked: Floats3, settings: Floats2, begun: Floats3,
    rotations: Output3, roots: Floats2, target: Three, point: Three, oriented: bool, wanted: Four,
) -> Three:  # fmt: skip
    """Bend hip and knee, and bring the girdle above them nearer where they do not reach; metres that are too far."""
    hip, knee = int(chains[chain, HIP]), int(chains[chain, KNEE])
    preferred = (chains[chain, PREFERRED], chains[chain, PREFERRED + 1], chains[chain, PREFERRED + 2])
    carrier = (asked[frame, chain, CARRIER], asked[frame, chain, CARRIER + 1], asked[frame, chain, CARRIER + 2],
               asked[frame, chain, CARRIER + 3])  # fmt: skip
    elbow = turned(carrier, (chains[chain, ELBOW], chains[chain, ELBOW + 1], chains[chain, ELBOW + 2]))
    too_far = (0.0, 0.0, 0.0)
    for turn_number in range(GIRDLES + 1):
        segments = segments_of(frame, hip, knee, tip, parents, offsets, roots, rotations)
        lower, aimed = segments.ankle, minus(target, turned(wanted, point))
        if not oriented:
            tip_turn = times(segments.middle_from_above, rotation_of(frame, tip, rotations))
            lower, aimed = plus(lower, turned(tip_turn, point)), target
        pull = 0.0
        if chains[chain, HAS_ELBOW] > 0.0:
            from_hip = plus(
                segments.knee, turned(times(segments.base_from_above, rotation_of(frame, knee, rotations)), lower)
            )
            hip_turn = times(segments.world_from_above, rotation_of(frame, hip, rotations))
            away = size(minus(aimed, plus(segments.hip, turned(hip_turn, from_hip)))) / chains[chain, LENGTH]
            share = min(max((away - NEAR_REST) / (FAR_FROM_REST - NEAR_REST), 0.0), 1.0)
            pull = share * share * (3.0 - 2.0 * share)
        too_far = begin_limb(frame, hip, knee, table, segments, lower, aimed, preferred, elbow, pull,
                             settings[0, SOFTNESS], rotations)  # fmt: skip
        if turn_number == GIRDLES or members[first] == hip or size(too_far) < settings[0, NEAR]:
            break
        bring_girdle(frame, hip, first, count, parents, table, offsets, members, weights, roots, segments.hip, too_far,
                     rotations)  # fmt: skip
        again(frame, hip, begun, rotations)
        again(frame, knee, begun, rotations)
    return too_far


def curl_chain(
    frame: int, chain: int, tip: int, first: int, count: int, parents: Parents, table: Floats2, offsets: Floats3,
    chains: Floats2, members: Parents, weights: Floats1, curls: Floats3, settings: Floats2, begun: Floats3,
    rotations: Output3, roots: Floats2, target: Three, point: Three, oriented: bool, wanted: Four,
) -> Three:  # fmt: skip
    """As `begin_chain`, for a limb that bends at several hinges."""
    hip_place = int(chains[chain, HIP])
    hip = members[first + hip_place]
    aimed, end = target, point
    if oriented:
        aimed, end = minus(target, turned(wanted, point)), (0.0, 0.0, 0.0)
    too_far = (0.0, 0.0, 0.0)
    for turn_number in range(GIRDLES + 1):
        spot, above = seen_from(frame, hip, -1, parents, offsets, roots, rotations)
        too_far = begin_curl(
            frame, hip_place, first, count, tip, members, curls, chain, table, spot, above, offsets, roots, end, aimed,
            settings[0, SOFTNESS], rotations,
        )  # fmt: skip
        if turn_number == GIRDLES or hip_place == 0 or size(too_far) < settings[0, NEAR]:
            break
        bring_girdle(
            frame, hip, first, count, parents, table, offsets, members, weights, roots, spot, too_far, rotations
        )
        for number in range(hip_place, count):
            again(frame, members[first + number], begun, rotations)
    return too_far


def bring_girdle(
    frame: int, hip: int, first: int, count: int, parents: Parents, table: Floats2, offsets: Floats3,
    members: Parents, weights: Floats1, roots: Floats2, place: Three, way: Three, rotations: Output3,
) -> None:  # fmt: skip
    """Turn the joints above a hip so that it goes along ``way`` as far as it can."""
    for number in range(count):
        joint = members[first + number]
        if joint == hip:
            break
        if weights[first + number] == 0.0:
            continue
        spot, above = seen_from(frame, joint, -1, parents, offsets, roots, rotations)
        arm = minus(place, spot)
        square = dot(arm, arm)
        if square > 1e-12:
            turn = limited(scaled(cross(arm, way), 1.0 / square), 1.0)
            new = turned_on(above, rotation_of(frame, joint, rotations), turn)
            write_rotation(frame, joint, held(joint, table, new), rotations)


def point_chain(
    frame: int, joint: int, tip: int, parents: Parents, table: Floats2, offsets: Floats3, roots: Floats2,
    target: Three, point: Three, rotations: Output3,
) -> None:  # fmt: skip
    """Turn the only joint of a limb so that its tip lies in the direction of the target."""
    place, above = seen_from(frame, joint, -1, parents, offsets, roots, rotations)
    local = rotation_of(frame, joint, rotations)
    end = plus(offset_of(frame, tip, offsets, roots), turned(rotation_of(frame, tip, rotations), point))
    now = turned(local, end)
    turn = shortest(now, turned(back(above), minus(target, place)))
    write_rotation(frame, joint, held(joint, table, eased(joint, table, times(turn, local))), rotations)


def again(frame: int, joint: int, begun: Floats3, rotations: Output3) -> None:
    """Give a joint the rotation that it began with."""
    for part in range(4):
        rotations[frame, joint, part] = begun[frame, joint, part]
