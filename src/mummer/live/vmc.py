"""Poses for VRM applications: the VMC protocol, which is OSC messages over UDP.

VMC speaks of a body by the humanoid bones of VRM, each turned against a rest in which all of them face as the world
does, in Unity's axes: left-handed, so that x is the other way round.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Character, Pose
from mummer.errors import InputError
from mummer.math import quaternion
from mummer.recognition import recognized

MOST_PACKET = 65_536
FINGERS = ("thumb", "index", "middle", "ring", "little")
BONES = {
    "hips": "Hips", "spine": "Spine", "chest": "Chest", "upper_chest": "UpperChest", "neck": "Neck", "head": "Head",
    "jaw": "Jaw", "left_eye": "LeftEye", "right_eye": "RightEye",
    **{
        f"{side}_{role}": f"{side.title()}{bone}" for side in ("left", "right") for role, bone in (
            ("shoulder", "Shoulder"), ("upper_arm", "UpperArm"), ("forearm", "LowerArm"), ("hand", "Hand"),
            ("upper_leg", "UpperLeg"), ("lower_leg", "LowerLeg"), ("foot", "Foot"), ("toes", "Toes"),
            *((f"{finger}_{place}", f"{finger.title()}{part}") for finger in FINGERS
              for place, part in ((1, "Proximal"), (2, "Intermediate"), (3, "Distal"))),
        )
    },
}  # fmt: skip
"""Roles, and what VRM calls them."""


def pack_message(address: str, *values: str | float | int) -> bytes:
    """An OSC message.

    Example:
        >>> unpack_message(pack_message("/a/b", "c", 1, 0.5))
        ('/a/b', ('c', 1, 0.5))
    """
    kinds = "".join("s" if isinstance(each, str) else "i" if isinstance(each, int) else "f" for each in values)
    parts = [_text(address), _text("," + kinds)]
    for kind, value in zip(kinds, values, strict=True):
        parts.append(_text(str(value)) if kind == "s" else struct.pack(">i" if kind == "i" else ">f", value))
    return b"".join(parts)


def pack_bundle(messages: Sequence[bytes]) -> bytes:
    """OSC messages as one packet."""
    return b"#bundle\0" + struct.pack(">Q", 1) + b"".join(struct.pack(">i", len(each)) + each for each in messages)


def unpack(packet: bytes) -> Iterator[tuple[str, tuple[str | float | int, ...]]]:
    """The messages of an OSC packet; bundles are taken apart, four deep at most.

    Raises:
        InputError: if it is none.
    """
    if len(packet) > MOST_PACKET:
        raise InputError(f"an OSC packet of {len(packet)} bytes; at most {MOST_PACKET} are read")
    yield from _unpacked(packet, 4)


def _unpacked(packet: bytes, deep: int) -> Iterator[tuple[str, tuple[str | float | int, ...]]]:
    if not packet.startswith(b"#bundle\0"):
        yield unpack_message(packet)
        return
    if not deep:
        raise InputError("OSC bundles lie more than four deep in one another")
    place = 16
    while place + 4 <= len(packet):
        size = struct.unpack_from(">i", packet, place)[0]
        if size < 0 or place + 4 + size > len(packet):
            raise InputError("an OSC bundle is cut off")
        yield from _unpacked(packet[place + 4 : place + 4 + size], deep - 1)
        place += 4 + size


def unpack_message(packet: bytes) -> tuple[str, tuple[str | float | int, ...]]:
    """The address and the values of an OSC message; strings, whole numbers and single-precision numbers.

    Raises:
        InputError: if it is none.
    """
    try:
        address, place = _read_text(packet, 0)
        kinds, place = _read_text(packet, place)
        values: list[str | float | int] = []
        for kind in kinds[1:]:
            if kind == "s":
                text, place = _read_text(packet, place)
                values.append(text)
                continue
            if kind not in "if":
                raise InputError(f"an OSC message holds a {kind!r}; expected s, i or f")
            values.append(struct.unpack_from(f">{kind}", packet, place)[0])
            place += 4
    except (struct.error, ValueError, UnicodeError):
        raise InputError("not an OSC message") from None
    if not address.startswith("/") or not kinds.startswith(","):
        raise InputError("not an OSC message")
    return address, tuple(values)


def _text(text: str) -> bytes:
    data = text.encode() + b"\0"
    return data + b"\0" * (-len(data) % 4)


def _read_text(packet: bytes, place: int) -> tuple[str, int]:
    end = packet.index(b"\0", place)
    return packet[place:end].decode(), end + 4 - (end - place) % 4


class Puppet:
    """A body as VMC speaks of it.

    Attributes:
        character: whose poses are told.
        bones: names of VRM, and the joints that are them.
        rest: (J, 4) world_from_joint at rest.
    """

    def __init__(self, character: Character) -> None:
        """A body, recognised if nobody knows its parts."""
        self.character = recognized(character)
        assert self.character.anatomy is not None
        roles = self.character.anatomy.roles
        self.bones = {bone: roles[role] for role, bone in BONES.items() if role in roles}
        skeleton = self.character.skeleton
        self._above = {bone: self._bone_above(joint) for bone, joint in self.bones.items()}
        self.rest = _world(skeleton.parents, skeleton.rest_rotations)

    def _bone_above(self, joint: int) -> int | None:
        known = set(self.bones.values())
        above = int(self.character.skeleton.parents[joint])
        while above >= 0 and above not in known:
            above = int(self.character.skeleton.parents[above])
        return above if above >= 0 else None

    def packet(self, pose: Pose, time: float) -> bytes:
        """A pose as one packet of VMC."""
        skeleton = self.character.skeleton
        turned = quaternion.multiply(_world(skeleton.parents, pose.rotations), quaternion.conjugate(self.rest))
        messages = [pack_message("/VMC/Ext/OK", 1), pack_message("/VMC/Ext/T", float(time))]
        messages.append(pack_message("/VMC/Ext/Root/Pos", "root", 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0))
        for bone, joint in self.bones.items():
            above = self._above[bone]
            outer = np.array([0.0, 0.0, 0.0, 1.0]) if above is None else turned[above]
            x, y, z, w = quaternion.multiply(quaternion.conjugate(outer), turned[joint]).tolist()
            place = skeleton.rest_translations[joint]
            if bone == "Hips" and pose.root_translation is not None:
                place = pose.root_translation
            px, py, pz = (float(each) for each in place)
            messages.append(pack_message("/VMC/Ext/Bone/Pos", bone, -px, py, pz, x, -y, -z, w))
        for name, weight in zip(self.character.morph_names, () if pose.morphs is None else pose.morphs, strict=False):
            messages.append(pack_message("/VMC/Ext/Blend/Val", name, float(weight)))
        return pack_bundle([*messages, pack_message("/VMC/Ext/Blend/Apply")])


def _world(parents: IntArray, local: FloatArray) -> FloatArray:
    """(J, 4) world_from_joint of (J, 4) parent_from_joint."""
    made = np.array(local, np.float64)
    for joint, parent in enumerate(parents):
        if parent >= 0:
            made[joint] = quaternion.multiply(made[parent], made[joint])
    return made


class Puppeteer:
    """Poses that come in by VMC, for a character of the same roles.

    Attributes:
        puppet: the body as VMC speaks of it; what comes in turns its bones.
    """

    def __init__(self, character: Character) -> None:
        """Who is moved; recognised if nobody knows its parts."""
        self.puppet = Puppet(character)
        self._turns: dict[str, FloatArray] = {}

    def take(self, packet: bytes) -> None:
        """A packet comes in; what it does not speak of stays as it was.

        Raises:
            InputError: if it is no OSC.
        """
        for address, values in unpack(packet):
            if address == "/VMC/Ext/Bone/Pos" and len(values) == 8 and values[0] in self.puppet.bones:
                numbers = np.array([value if isinstance(value, (int, float)) else np.nan for value in values[4:]])
                length = float(np.linalg.norm(numbers))
                if np.isfinite(length) and length > 1e-6:
                    x, y, z, w = numbers / length
                    self._turns[str(values[0])] = np.array([x, -y, -z, w])

    def pose(self) -> Pose:
        """The pose as it is now."""
        puppet, skeleton = self.puppet, self.puppet.character.skeleton
        named = {joint: bone for bone, joint in puppet.bones.items()}
        turned = np.tile([0.0, 0.0, 0.0, 1.0], (len(skeleton), 1))
        rotations = np.array(skeleton.rest_rotations)
        for joint, parent in enumerate(skeleton.parents):
            outer = turned[parent] if parent >= 0 else np.array([0.0, 0.0, 0.0, 1.0])
            own = self._turns.get(named.get(joint, ""))
            turned[joint] = outer if own is None else quaternion.multiply(outer, own)
            world = quaternion.multiply(turned[joint], puppet.rest[joint])
            above = quaternion.multiply(outer, puppet.rest[parent]) if parent >= 0 else outer
            rotations[joint] = quaternion.multiply(quaternion.conjugate(above), world)
        return Pose(rotations, skeleton.rest_translations[0])
