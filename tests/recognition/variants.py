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
from tests.recognition.surgery import Table, aimed, posed, reflected, turned

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


def limb_joints(table: Table) -> Iterator[tuple[str, int, int]]:
    """Side, upper and lower joint of every half of a limb that has both ends."""
    roles = table.before.joints
    pairs = (("upper_arm", "forearm"), ("forearm", "hand"), ("upper_leg", "lower_leg"), ("lower_leg", "foot"))
    for side in SIDES:
        for upper, lower in pairs:
            one, other = roles.get(f"{side}_{upper}"), roles.get(f"{side}_{lower}")
            if one is not None and other is not None and table.parents[other] == one:
                yield side, one, other


def twists(rig: Rig, chance: np.random.Generator) -> Rig | None:
    """Twist joints beside each half limb."""
    table = Table(standing(rig))
    for side, upper, lower in list(limb_joints(table)):
        for number, part in enumerate((0.33, 0.66)):
            place = table.places[upper] + part * (table.places[lower] - table.places[upper])
            table.add(upper, place, f"{table.names[upper]}_twist_{number}_{side[0]}", surface=0.01 * table.size)
    return table.rig() if len(table.names) > len(rig.character.skeleton) else None


def inline_twists(rig: Rig, chance: np.random.Generator) -> Rig | None:
    """Roll joints in the middle of the chain."""
    table = Table(standing(rig))
    for _, upper, lower in list(limb_joints(table)):
        table.put_between(lower, 0.5, f"{table.names[upper]}_roll")
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
    left = places[rig.joints["left_upper_leg"]] - places[rig.joints["right_upper_leg"]]
    front = np.cross(left, _up(rig))
    return np.asarray(front / np.linalg.norm(front))


def without(*parts: str, below: bool = False) -> Change:
    """Joints with these roles taken out, or what hangs below them."""

    def change(rig: Rig, chance: np.random.Generator) -> Rig | None:
        table = Table(standing(rig))
        roles = table.before.joints
        needed = {roles[role] for role in table.before.essential}
        chosen = [joint for role, joint in roles.items() if role.removeprefix("left_").removeprefix("right_") in parts]
        gone = {each for joint in chosen for each in (table.below(joint) if below else [joint])} - needed
        table.take_out(gone)
        return table.rig() if gone and _is_human(rig) else None

    return change


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
}
"""Changes of the body, each judged with names and without."""

NAMINGS: dict[str, Change] = {
    **{f"called by {word}": called(word) for word in ("Biped", "Rigify", "Unreal", "VRoid", "SMPL", "Daz", "HumanIK")},
    "called by foreign words": called("foreign"),
    "names shuffled": shuffled_names,
    "names of other side": swapped_names,
}
"""Changes of the names, judged with names alone."""
