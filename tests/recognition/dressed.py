"""Bodies of the zoo as rigs, under the names of any convention and with what that convention hangs on them."""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np

from mummer import zoo
from tests.recognition.conventions import LIMBS
from tests.recognition.rigs import Rig
from tests.recognition.surgery import Table
from tests.recognition.wild_names import Naming

_DIGIT = re.compile(r"(thumb|index|middle|ring|little)_(\d)$")


@lru_cache
def zoo_rig(name: str, *, mesh: bool = True) -> Rig:
    """A body of the zoo with the roles of its own anatomy."""
    body = zoo.body(name)
    assert body.anatomy is not None
    stripped = body.replace(anatomy=None) if mesh else body.replace(anatomy=None, meshes=())
    chest = frozenset(joint for joint in body.anatomy.capabilities.get("spine", ()))
    return Rig(name, body.anatomy.kind, stripped, dict(body.anatomy.roles), {"spine": chest}, plain=True, sided=True)


def dressed(rig: Rig, naming: Naming) -> Rig:
    """The rig with the names of a convention; parts that it has no name for are taken out, its helpers put in."""
    table = Table(rig)
    roles = {joint: role for role, joint in rig.joints.items()}
    names = naming.roles()
    table.take_out([joint for joint in table.kept if not _name(roles.get(joint, ""), names)])
    before = list(table.names)
    table.rename(lambda joint: _name(roles.get(joint, ""), names) or before[joint])
    for number, (host, name) in enumerate(naming.helpers()):
        _hang(table, rig.joints.get(host, 0), number, name)
    return table.rig()


def _hang(table: Table, host: int, number: int, name: str) -> None:
    """A helper half way along the bone of its host if it is named for twist, else beside the host."""
    below = [child for child in table.children(host) if child < len(table.before.character.skeleton)]
    place = table.places[host].copy()
    if re.search("(?i)twist|part|roll|捩", name) and below:
        place += 0.5 * (table.places[below[0]] - place)
    elif host in {table.before.joints.get(f"{side}_{part}") for side in ("left", "right") for part in LIMBS}:
        place += 0.01 * table.size * np.array([0.0, 1.0, 0.5])
    else:
        across = (-1.0) ** number * 0.03 * table.size
        place += np.array([across if "{}" not in name else 0.0, 0.02 * table.size, 0.04 * table.size])
    table.add(host, place, name)


def _name(role: str, names: dict[str, str]) -> str:
    """The name for a role; later joints of a digit count on from the name of the first."""
    if role in names or not (found := _DIGIT.search(role)):
        return names.get(role, "")
    first = names.get(f"{role[:-1]}1", "")
    count = int(found[2]) - 1
    counted = re.sub(r"\d+(?=\D*$)", lambda number: f"{int(number[0]) + count:0{len(number[0])}}", first)
    return counted if counted != first else f"{first}.{count:03}" if first else ""
