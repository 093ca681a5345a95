"""The same rigs made harder: every way in which the next file may differ from those that were looked at."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator

import numpy as np

from mummer.arrays import FloatArray
from mummer.math import quaternion
from mummer.recognition.reference import is_one_way
from tests.recognition.conventions import names_in
from tests.recognition.rigs import Rig, other_side
from tests.recognition.surgery import Table, aimed, hung, posed, reflected, turned

Change = Callable[[Rig, np.random.Generator], "Rig | None"]
SIDES = ("left", "right")
FOREIGN = ("German", "French", "Spanish", "Italian", "Portuguese", "Japanese", "Russian", "Pinyin")


def as_is(rig: Rig, chance: np.random.Generator) -> Rig:
    return rig


def standing(rig: Rig) -> Rig:
    """The rig without its recordings; where its rest is no pose of a body, the first recorded pose is its rest."""
    flat = is_one_way(Table(rig).places, tuple(rig.character.skeleton.parents.tolist()))
    if flat and rig.character.recordings:
        return posed(rig, rig.character.recordings[0].sample([rig.character.recordings[0].start])[0])
    return Table(rig).rig()


def no_mesh(rig: Rig, chance: np.random.Generator) -> Rig | None:
    found = standing(rig)
    return dataclasses.replace(found, character=found.character.replace(meshes=())) if found.character.meshes else None


def no_mesh_no_ends(rig: Rig, chance: np.random.Generator) -> Rig | None:
    table = Table(standing(rig))
    character = table.before.character
    sites = set(character.source.details["end_sites"]) if character.source else set()
    carries = {int(joint) for mesh in character.meshes for joint in mesh.skin.joints[np.unique(mesh.skin.indices)]}
    needed = set(table.before.joints.values())
    bare = [joint for joint in table.kept if not table.children(joint) and joint not in needed]
    table.take_out(joint for joint in bare if table.names[joint] in sites or (carries and joint not in carries))
    found = table.rig()
    return dataclasses.replace(found, character=found.character.replace(meshes=()))


def turned_about(rig: Rig, chance: np.random.Generator) -> Rig:
    return turned(standing(rig), quaternion.from_axis_angle((0.0, 1.0, 0.0), chance.uniform(-np.pi, np.pi)))


def lying(rig: Rig, chance: np.random.Generator) -> Rig:
    axis = [(1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, -1.0)][chance.integers(4)]
    return turned(standing(rig), quaternion.from_axis_angle(axis, np.pi / 2))


def z_up_centimetres(rig: Rig, chance: np.random.Generator) -> Rig:
    return turned(standing(rig), quaternion.from_axis_angle((1.0, 0.0, 0.0), np.pi / 2), 100.0)


def mirrored(rig: Rig, chance: np.random.Generator) -> Rig | None:
    return reflected(standing(rig)) if rig.sided else None


def limbs(rig: Rig) -> list[tuple[int, ...]]:
    """Upper, lower and end joint of every limb, as far as it has them; -1 for one that is missing."""
    found = []
    for role in rig.joints:
        for upper, lower, end in (
            ("_upper_arm", "_forearm", "_hand"),
            ("_upper_leg", "_lower_leg", "_foot"),
            ("_upper", "_lower", "_foot"),
        ):
            if role.endswith(upper) and "wing" not in role:
                found.append(tuple(rig.joints.get(role.removesuffix(upper) + part, -1) for part in (upper, lower, end)))
    return found


def limb_joints(table: Table) -> Iterator[tuple[str, int, int]]:
    """Side, upper and lower joint of every half of a limb that has both ends."""
    sides = {joint: "left" if "left" in role else "right" for role, joint in table.before.joints.items()}
    for upper, lower, end in limbs(table.before):
        for one, other in ((upper, lower), (lower, end)):
            if min(one, other) >= 0 and table.parents[other] == one:
                yield sides[one], one, other


def twists(rig: Rig, chance: np.random.Generator) -> Rig | None:
    """Twist joints beside each half limb."""
    table = Table(standing(rig))
    for side, upper, lower in list(limb_joints(table)):
        for number, part in enumerate((0.33, 0.66)):
            place = table.places[upper] + part * (table.places[lower] - table.places[upper])
            table.add(upper, place, f"{table.names[upper]}_twist_{number}_{side[0]}", surface=0.01 * table.size)
    return table.rig() if len(table.names) > len(rig.character.skeleton) else None


def inline_twists(rig: Rig, chance: np.random.Generator) -> Rig | None:
    """Roll joints in the chain, one to three a bone."""
    table = Table(standing(rig))
    count = int(chance.integers(1, 4))
    for _, upper, lower in list(limb_joints(table)):
        for number in range(count):
            table.put_between(lower, 1 / (count + 1 - number), f"{table.names[upper]}_roll")
    return table.rig() if len(table.names) > len(rig.character.skeleton) else None


def controls(rig: Rig, chance: np.random.Generator) -> Rig:
    """Handles and poles for inverse kinematics, hung from the root."""
    table = Table(standing(rig))
    root = table.parents.index(-1)
    for side in SIDES:
        for end, middle in (("hand", "forearm"), ("foot", "lower_leg")):
            if f"{side}_{end}" in rig.joints:
                table.add(root, table.places[table.before.joints[f"{side}_{end}"]].copy(), f"ik_{end}_{side[0]}")
            if f"{side}_{middle}" in rig.joints:
                bend = table.places[table.before.joints[f"{side}_{middle}"]]
                table.add(root, bend + np.array([0.0, 0.0, 0.3 * table.size]), f"{end}_pole_{side[0]}")
    return table.rig()


def ends(rig: Rig, chance: np.random.Generator) -> Rig:
    """An end joint on every tip."""
    table = Table(standing(rig))
    for tip in [joint for joint in table.kept if not table.children(joint)]:
        step = table.places[tip] - table.places[table.parents[tip]] if table.parents[tip] >= 0 else np.zeros(3)
        table.add(tip, table.places[tip] + 0.7 * step, f"{table.names[tip]}_end")
    return table.rig()


def prop(rig: Rig, chance: np.random.Generator) -> Rig | None:
    """A long thing in the right hand."""
    table = Table(standing(rig))
    hand = table.before.joints.get("right_hand")
    if hand is None:
        return None
    line = table.places[hand] - table.places[table.parents[hand]]
    across = np.cross(line, _up(table.before))
    line = np.cross(across, line) / max(float(np.linalg.norm(across) * np.linalg.norm(line)), 1e-9)
    grip = table.add(hand, table.places[hand] + 0.02 * table.size, "weapon", surface=0.01 * table.size, stiff=True)
    table.add(grip, table.places[hand] + 0.4 * table.size * line, "weapon_tip")
    return table.rig()


def sword(rig: Rig, chance: np.random.Generator) -> Rig | None:
    """A sword slung over the back."""
    table = Table(standing(rig))
    chest = table.before.joints.get("chest")
    if chest is None or not _is_human(rig):
        return None
    up, front = _up(table.before), _front(table.before)
    hilt = table.places[chest] + table.size * (0.15 * up - 0.08 * front)
    grip = table.add(chest, hilt, "sword", surface=0.02 * table.size, stiff=True)
    left = np.cross(up, front)
    table.add(grip, hilt - table.size * (0.4 * up + 0.15 * left), "sword_tip", surface=0.02 * table.size, stiff=True)
    return table.rig()


def hair_and_skirt(rig: Rig, chance: np.random.Generator) -> Rig | None:
    """Six chains of a skirt about the hips, and a pony tail with two strands beside it."""
    table = Table(standing(rig))
    if not _is_human(rig) or "head" not in table.before.joints:
        return None
    up, front = _up(table.before), _front(table.before)
    left, size = np.cross(up, front), table.size
    hips, head = table.before.joints["hips"], table.before.joints["head"]
    for number in range(6):
        angle = 2 * np.pi * number / 6
        out = np.cos(angle) * front + np.sin(angle) * left
        _hang(table, hips, 0.09 * out - 0.03 * up, 0.02 * out - 0.1 * up, 3, f"skirt_{number}", 0.02 * size)
    for number, spot in enumerate((-0.06 * front, 0.05 * left, -0.05 * left)):
        _hang(table, head, spot + 0.05 * up, -0.06 * up - 0.02 * front, 4, f"hair_{number}", 0.015 * size)
    return table.rig()


def _hang(table: Table, host: int, start: FloatArray, step: FloatArray, count: int, name: str, surface: float) -> None:
    """A chain of ``count`` joints, in body sizes."""
    place = table.places[host] + table.size * start
    for number in range(count):
        host = table.add(host, place, f"{name}_{number}", surface=surface)
        place = place + table.size * step


def _is_human(rig: Rig) -> bool:
    return rig.kind == "humanoid" and {"hips", "left_foot", "right_foot"} <= rig.joints.keys()


def _up(rig: Rig) -> FloatArray:
    """(3,) from the feet to the head, along the nearest axis."""
    places = Table(rig).places
    low = places[[joint for role, joint in rig.joints.items() if role.endswith("foot")] or [0]].mean(axis=0)
    line = places[rig.joints.get("head", rig.joints.get("hips", 0))] - low
    axis = int(np.argmax(np.abs(line)))
    return np.asarray(np.sign(line[axis]) * np.eye(3)[axis])


def _front(rig: Rig) -> FloatArray:
    """(3,) from up and from where left is."""
    places = Table(rig).places
    sides = [[joint for role, joint in rig.joints.items() if side in role] for side in SIDES]
    front = np.cross(places[sides[0]].mean(axis=0) - places[sides[1]].mean(axis=0), _up(rig))
    return np.asarray(front / np.linalg.norm(front))


def without(*parts: str, below: bool = False) -> Change:
    """Joints with these roles taken out, or what hangs below them."""

    def change(rig: Rig, chance: np.random.Generator) -> Rig | None:
        table = Table(standing(rig))
        roles = table.before.joints
        needed = {roles[role] for role in table.before.essential}
        chosen = [joint for role, joint in roles.items() if re.sub(r"^(front_|hind_)?(left|right)_", "", role) in parts]
        gone = {each for joint in chosen for each in (table.below(joint) if below else [joint])} - needed
        table.take_out(gone)
        return table.rig() if gone else None

    return change


def no_ends(rig: Rig, chance: np.random.Generator) -> Rig | None:
    """Tips taken out that are no part by the map and carry nothing."""
    table = Table(standing(rig))
    character = table.before.character
    carries = {int(joint) for mesh in character.meshes for joint in mesh.skin.joints[np.unique(mesh.skin.indices)]}
    needed = set(table.before.joints.values()) | carries
    bare = [joint for joint in table.kept if not table.children(joint) and joint not in needed]
    table.take_out(bare)
    return table.rig() if bare and character.meshes else None


def shoulders_in_the_middle(rig: Rig, chance: np.random.Generator) -> Rig | None:
    """Limbs start with a joint where the trunk is, as if a bone led from there to the limb."""
    table = Table(standing(rig))
    tops = [row[0] for row in limbs(table.before) if row[0] >= 0 and table.parents[row[0]] >= 0]
    for top in tops:
        table.put_between(top, 0.0, f"{table.names[top]}_shoulder")
    return table.rig() if tops else None


def limbs_in_the_middle(rig: Rig, chance: np.random.Generator) -> Rig | None:
    """The first joint of one kind of limb moved to the mirror plane; what follows stays where it is."""
    table = Table(standing(rig))
    rows = [row for row in limbs(table.before) if min(row[:2]) >= 0 and table.parents[row[1]] == row[0]]
    sides = {role: joint for role, joint in table.before.joints.items() if "left" in role or "right" in role}
    moved = False
    for role, joint in sides.items():
        twin = sides.get(other_side(role), -1)
        if "left" not in role or twin < 0 or not {joint, twin} <= {row[0] for row in rows}:
            continue
        if chance.random() < 0.5:
            middle = (table.places[joint] + table.places[twin]) / 2
            for top in (joint, twin):
                table.move(top, middle)
            moved = True
    return table.rig() if moved else None


def wings_folded(rig: Rig, chance: np.random.Generator) -> Rig | None:
    """Wings laid back along the body, or raised."""
    found = standing(rig)
    wings = [(f"{side}_wing_upper", f"{side}_wing_lower", side) for side in SIDES]
    needed = {"left_upper_leg", "right_upper_leg", "left_foot", "right_foot"}
    if not all({upper, lower} <= found.joints.keys() for upper, lower, _ in wings) or not needed <= found.joints.keys():
        return None
    up, front = _up(found), _front(found)
    left = np.cross(up, front)
    rise, spread = chance.uniform(-0.6, 0.8), chance.uniform(0.0, 0.8)
    return aimed(
        found,
        [
            (
                found.joints[upper],
                found.joints[lower],
                rise * up - front + (spread if side == "left" else -spread) * left,
            )
            for upper, lower, side in wings
        ],
    )


def in_flight(rig: Rig, chance: np.random.Generator) -> Rig | None:
    """What has wings, without its legs."""
    table = Table(standing(rig))
    if not any("wing" in role for role in table.before.joints):
        return None
    tops = [row[0] for row in limbs(table.before) if row[0] >= 0]
    table.take_out([joint for top in tops for joint in (top, *table.below(top))])
    return table.rig() if tops else None


def legs_from_the_spine(rig: Rig, chance: np.random.Generator) -> Rig | None:
    """Legs that hang from the joint above the hips, as old bipeds have them."""
    table = Table(standing(rig))
    roles = table.before.joints
    hips, spine = roles.get("hips", -1), roles.get("spine", -1)
    legs = [
        joint
        for role, joint in roles.items()
        if role.endswith("upper_leg") or (role.startswith("hind") and role.endswith("_upper"))
    ]
    if (
        hips < 0
        or spine < 0
        or table.parents[spine] != hips
        or not legs
        or any(table.parents[leg] != hips for leg in legs)
    ):
        return None
    for leg in legs:
        hung(table, leg, spine)
    return table.rig()


def stocky(rig: Rig, chance: np.random.Generator) -> Rig | None:
    """Short limbs, or long ones, under the same trunk and head."""
    table = Table(standing(rig))
    grown = float(chance.choice([chance.uniform(0.35, 0.8), chance.uniform(1.2, 1.6)]))
    for row in limbs(table.before):
        for joint in table.below(row[0]) if row[0] >= 0 else ():
            table.translations[joint] = table.translations[joint] * grown
    return table.rig()


def called_arms(rig: Rig, chance: np.random.Generator) -> Rig | None:
    """A beast whose front legs or wings are called arms, as those of a biped rig bent to its shape are."""
    table = Table(standing(rig))
    words = {"shoulder": "Clavicle", "upper": "UpperArm", "lower": "Forearm", "foot": "Hand", "toes": "Finger0"}
    hind = {"upper": "Thigh", "lower": "Calf", "foot": "Foot", "toes": "Toe0"}
    found = {}
    for role, joint in table.before.joints.items():
        end, *rest = role.split("_")
        if end in ("front", "hind") and len(rest) == 2 and rest[1] in (words if end == "front" else hind):
            found[joint] = f"Bip01 {rest[0][0].upper()} {(words if end == 'front' else hind)[rest[1]]}"
        if rest[:1] == ["wing"] and rest[1:] and rest[1] in words | {"hand": "Hand"}:
            found[joint] = f"Bip01 {end[0].upper()} {(words | {'hand': 'Hand'})[rest[1]]}"
    before = list(table.names)
    table.rename(lambda joint: found.get(joint, before[joint]))
    return table.rig() if found else None


def arms(down: float) -> Change:
    """Arms stretched to the sides and so many degrees down."""

    def change(rig: Rig, chance: np.random.Generator) -> Rig | None:
        found = standing(rig)
        wanted = {"left_upper_arm", "left_hand", "right_upper_arm", "right_hand", "left_upper_leg", "right_upper_leg"}
        if not _is_human(rig) or not wanted <= found.joints.keys():
            return None
        up = _up(found)
        left = np.cross(up, _front(found))
        angle = np.radians(down)
        aims = []
        for side, out in (("left", left), ("right", -left)):
            start, tip = found.joints[f"{side}_upper_arm"], found.joints[f"{side}_hand"]
            aims.append((start, tip, np.cos(angle) * out - np.sin(angle) * up))
        return aimed(found, aims)

    return change


def recorded(rig: Rig, chance: np.random.Generator) -> Rig | None:
    """A moment of a recording as the rest pose."""
    if not rig.character.recordings:
        return None
    recording = rig.character.recordings[int(chance.integers(len(rig.character.recordings)))]
    return posed(rig, recording.sample([chance.uniform(recording.start, recording.end)])[0])


def called(convention: str) -> Change:
    """The names of another convention for what has a role, and names that say nothing for the rest."""

    def change(rig: Rig, chance: np.random.Generator) -> Rig | None:
        if not _is_human(rig):
            return None
        table = Table(standing(rig))
        words = names_in(FOREIGN[int(chance.integers(len(FOREIGN)))] if convention == "foreign" else convention)
        roles = {joint: role for role, joint in table.before.joints.items()}
        table.rename(lambda joint: words.get(roles.get(joint, ""), f"bone{joint}"))
        return table.rig()

    return change


def shuffled_names(rig: Rig, chance: np.random.Generator) -> Rig:
    table = Table(standing(rig))
    order = chance.permutation(len(table.names))
    names = list(table.names)
    table.rename(lambda joint: names[order[joint]])
    return table.rig()


_LETTER = re.compile(
    r"(?<![A-Za-z])([LlRr])(?![A-Za-z])|(?<=[a-z_])([LR])(?=[A-Z]|$)|^([lr])(?=[A-Z])|^([LR])(?=[A-Z][a-z])"
)


def _exchanged(name: str) -> str:
    """A name that says the other side."""
    swapped = other_side(name.replace("Left", "Xleft").replace("Right", "Xright"))
    swapped = swapped.replace("Xleft", "Left").replace("Xright", "Right")
    if swapped != name:
        return swapped
    letters = {"L": "R", "R": "L", "l": "r", "r": "l"}
    return _LETTER.sub(lambda found: letters[found.group(0)], name)


def swapped_names(rig: Rig, chance: np.random.Generator) -> Rig | None:
    table = Table(standing(rig))
    before = list(table.names)
    table.rename(lambda joint: _exchanged(before[joint]))
    return table.rig() if table.names != before else None


def rooted_ahead(rig: Rig, chance: np.random.Generator) -> Rig | None:
    """The chest as what everything hangs from: the line from the hips turned round."""
    table = Table(standing(rig))
    hips, chest = (table.before.joints.get(role, -1) for role in ("hips", "chest"))
    path = [chest]
    while path[-1] >= 0 and path[-1] != hips:
        path.append(table.parents[path[-1]])
    if len(path) < 2 or path[-1] != hips:
        return None
    root = table.parents[hips]
    hung(table, chest, root)
    for below, above in zip(path[1:], path, strict=False):
        hung(table, below, above)
    return table.rig()


def jaw_and_crown(rig: Rig, chance: np.random.Generator) -> Rig | None:
    """A jaw of one or two joints, and a leaf on top of the head; sometimes a beak or a tongue."""
    table = Table(standing(rig))
    head = table.before.joints.get("head")
    feet = {"left_upper_leg", "right_upper_leg"} <= rig.joints.keys()
    if head is None or table.parents[head] < 0 or not feet:
        return None
    up, front, size = _up(table.before), _front(table.before), 0.06 * table.size * chance.uniform(0.6, 1.4)
    here = table.places[head]
    jaw = table.add(head, here + size * (0.5 * front - 0.2 * up), "jaw", surface=0.2 * size)
    if chance.random() < 0.5:
        table.add(jaw, here + size * (1.5 * front - 0.4 * up), "jaw_tip" if chance.random() < 0.5 else "tongue")
    if chance.random() < 0.7:
        table.add(head, here + size * 1.8 * up, "head_leaf")
    return table.rig()


def beastly_face(rig: Rig, chance: np.random.Generator) -> Rig | None:
    """A jaw, eyes, ears and the tip of a snout, as chance has them, on the head of what stands on four legs."""
    table = Table(standing(rig))
    roles, places = table.before.joints, table.places
    legs = [role for role in roles if role.startswith("hind") and role.endswith("_upper")]
    if "head" not in roles or not legs or table.parents[roles["head"]] < 0:
        return None
    head, feet = roles["head"], [roles[role.replace("_upper", "_foot")] for role in legs]
    up = places[[roles[role] for role in legs]].mean(axis=0) - places[feet].mean(axis=0)
    up = np.sign(up[np.argmax(np.abs(up))]) * np.eye(3)[np.argmax(np.abs(up))]
    front = places[head] - places[roles.get("hips", table.parents[head])]
    front = front - (front @ up) * up
    front, size = front / max(float(np.linalg.norm(front)), 1e-9), 0.05 * table.size * chance.uniform(0.5, 1.5)
    here, left, lump = places[head], np.cross(up, front), 0.3 * size
    if chance.random() < 0.6:
        jaw = table.add(head, here + size * (0.3 * front - 0.4 * up), "jaw", surface=lump)
        if chance.random() < 0.5:
            table.add(jaw, here + size * (1.8 * front - 0.8 * up), "jaw_tip", surface=lump)
    for name, spot in (("eye", front + 0.3 * up), ("ear", 0.3 * front + 0.9 * up)):
        if chance.random() < 0.4:
            for side, sign in zip(SIDES, (1, -1), strict=True):
                table.add(head, here + size * (spot + sign * 0.6 * left), f"{name}_{side[0]}", surface=0.5 * lump)
    if chance.random() < 0.5:
        table.add(head, here + size * chance.uniform(1.0, 3.0) * front, "snout", surface=lump * (chance.random() < 0.5))
    return table.rig()


def motors(rig: Rig, chance: np.random.Generator) -> Rig | None:
    """Hips, shoulders and wrists of several joints, a little apart, and no surface: a robot."""
    table = Table(standing(rig))
    if not _is_human(rig) or len(limbs(table.before)) != 4:
        return None
    front, apart = _front(table.before), 0.02 * table.size * chance.uniform(0.0, 2.0)
    before, after, wrist = chance.uniform(0.4, 0.9), chance.uniform(0.1, 0.5), chance.uniform(0.3, 0.9)
    for upper, lower, end in limbs(table.before):
        if min(upper, lower, end) < 0 or table.parents[upper] < 0:
            return None
        table.take_out(table.below(end))
        table.put_between(upper, before, f"{table.names[upper]}_pitch")
        yaw = table.put_between(lower, after, f"{table.names[upper]}_yaw")
        table.move(yaw, table.places[yaw] + apart * front)
        table.put_between(end, wrist, f"{table.names[lower]}_roll")
        step = table.places[end] - table.places[lower]
        table.add(end, table.places[end] + chance.uniform(0.05, 0.2) * step, f"{table.names[end]}_link")
    found = table.rig()
    return dataclasses.replace(found, character=found.character.replace(meshes=()))


def longer_neck(rig: Rig, chance: np.random.Generator) -> Rig | None:
    table = Table(standing(rig))
    head = table.before.joints.get("head", -1)
    if head < 0 or table.parents[head] < 0:
        return None
    table.put_between(head, chance.uniform(0.3, 0.7), "neck_2")
    return table.rig()


def longer_shoulders(rig: Rig, chance: np.random.Generator) -> Rig | None:
    """A joint more between the trunk and every arm or front leg."""
    table = Table(standing(rig))
    tops = [
        joint
        for role, joint in table.before.joints.items()
        if role.endswith("upper_arm") or (role.startswith("front") and role.endswith("_upper"))
    ]
    part = chance.uniform(0.2, 0.8)
    for top in tops:
        if table.parents[top] >= 0:
            table.put_between(top, part, f"{table.names[top]}_helper")
    return table.rig() if tops else None


def joints_about_the_hips(rig: Rig, chance: np.random.Generator) -> Rig | None:
    """Joints between root and hips, hips and spine, hips and legs."""
    table = Table(standing(rig))
    roles = table.before.joints
    legs = [
        joint
        for role, joint in roles.items()
        if role.endswith("upper_leg") or (role.startswith("hind") and role.endswith("_upper"))
    ]
    hips = roles.get("hips", -1)
    if hips < 0 or not legs:
        return None
    if chance.random() < 0.6:
        part = chance.uniform(0.1, 0.6)
        for leg in legs:
            if table.parents[leg] >= 0:
                table.put_between(leg, part, f"{table.names[leg]}_root")
    if table.parents[hips] >= 0 and chance.random() < 0.6:
        table.put_between(hips, chance.uniform(0.5, 0.95), "cog")
    if chance.random() < 0.6:
        table.add(hips, table.places[hips] + 0.05 * table.size * chance.normal(size=3) * [0, 1, 1], "belly")
    return table.rig()


def crouched(rig: Rig, chance: np.random.Generator) -> Rig | None:
    """Knees bent, and the trunk a little forward."""
    found = standing(rig)
    if (
        not _is_human(rig)
        or not {"left_lower_leg", "right_lower_leg", "left_upper_leg", "right_upper_leg"} <= found.joints.keys()
    ):
        return None
    up, front = _up(found), _front(found)
    angle = np.radians(chance.uniform(20.0, 50.0))
    aims = []
    for side in SIDES:
        upper, lower, foot = (found.joints[f"{side}_{part}"] for part in ("upper_leg", "lower_leg", "foot"))
        aims += [
            (upper, lower, np.sin(angle) * front - np.cos(angle) * up),
            (lower, foot, -2 * np.sin(angle) * front - np.cos(angle) * up),
        ]
    return aimed(found, aims)


def stubby(rig: Rig, chance: np.random.Generator) -> Rig | None:
    """Limbs of two joints: no elbows and knees, or neither hands nor feet."""
    table = Table(standing(rig))
    if not _is_human(rig):
        return None
    rows = [[joint for joint in row if joint >= 0] for row in zip(*limbs(table.before), strict=True)]
    if chance.random() < 0.5:
        table.take_out(rows[1])
    else:
        table.take_out([joint for end in rows[2] for joint in (end, *table.below(end))])
    return table.rig()


def numbered(rig: Rig, chance: np.random.Generator) -> Rig:
    """Names that only count, some with a side that says nothing else."""
    table = Table(standing(rig))
    table.rename(lambda joint: f"Bone.{joint:03d}")
    return table.rig()


VARIANTS: dict[str, Change] = {
    "as is": as_is,
    "no mesh": no_mesh,
    "no mesh, no ends": no_mesh_no_ends,
    "turned": turned_about,
    "lying": lying,
    "Z up, centimetres": z_up_centimetres,
    "mirrored": mirrored,
    "twist joints": twists,
    "twist joints in line": inline_twists,
    "controls": controls,
    "end joints": ends,
    "prop in hand": prop,
    "sword on the back": sword,
    "hair and skirt": hair_and_skirt,
    "no toes": without("foot", below=True),
    "no fingers": without("hand", below=True),
    "no clavicles": without("shoulder"),
    "one spine less": without("chest"),
    "no neck": without("neck"),
    "arms in T": arms(0.0),
    "arms in A": arms(45.0),
    "arms down": arms(82.0),
    "recorded pose": recorded,
    "rooted at the chest": rooted_ahead,
    "jaw and crown": jaw_and_crown,
    "face of a beast": beastly_face,
    "motors": motors,
    "longer neck": longer_neck,
    "longer shoulders": longer_shoulders,
    "joints about the hips": joints_about_the_hips,
    "crouched": crouched,
    "stubby": stubby,
    "in flight": in_flight,
    "wings folded": wings_folded,
    "limbs in the middle": limbs_in_the_middle,
    "stocky": stocky,
    "legs from the spine": legs_from_the_spine,
    "no ends": no_ends,
    "shoulders in the middle": shoulders_in_the_middle,
}
"""Changes of the body, each judged with names and without."""

NAMINGS: dict[str, Change] = {
    **{f"called by {word}": called(word) for word in ("Biped", "Rigify", "Unreal", "VRoid", "SMPL", "Daz", "HumanIK")},
    "called by foreign words": called("foreign"),
    "names that count": numbered,
    "front legs called arms": called_arms,
    "names shuffled": shuffled_names,
    "names of other side": swapped_names,
}
"""Changes of the names, judged with names alone."""
