"""From a character to its anatomy: the call that everybody uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Anatomy, Character
from mummer.character.copies import copies_in
from mummer.errors import InputError
from mummer.io.subjects import BodyLike, as_character
from mummer.recognition.assemble import PERSON, Found, find_all, named_instead, write_anatomy
from mummer.recognition.by_name import roles_by_name
from mummer.recognition.coherence import believed
from mummer.recognition.copies import with_copies, without_joints
from mummer.recognition.declared import with_corrections, with_declared
from mummer.recognition.facing import UNSURE
from mummer.recognition.look import look, plan_by_shape
from mummer.recognition.names import read_names
from mummer.recognition.reading import SILENT, Reading
from mummer.recognition.reference import is_one_way, rest_of
from mummer.recognition.roles import check_role
from mummer.report import Report, ReportBuilder


@dataclass(frozen=True, eq=False)
class Recognition:
    """What was found out about one body.

    Attributes:
        anatomy: its parts, with evidence.
        report: what was guessed, and what is unusual about the body.
        aside: joints that are no part of the body: controls, ends, what only carries a mesh.
        signs: what about its shape tells where it looks, each sign for (above 0) or against the front that was chosen.
    """

    anatomy: Anatomy
    report: Report
    aside: tuple[int, ...]
    signs: Mapping[str, float]


def recognize(
    body: BodyLike, *, ignore_names: bool = False, corrections: Mapping[str, str | int] | None = None
) -> Anatomy:
    """What the parts of a body are, with a confidence and a reason for each.

    Names, shape and topology each have a say, and none decides alone. Left and right come from the body's own shape:
    where it looks, and where its top is; a role whose name disagrees with that has a confidence under one half.

    Args:
        body: a path, ``zoo:NAME``, a character or a clip of one; nothing but its skeleton is needed, a surface and
            recordings help.
        ignore_names: recognise as if no joint had a name.
        corrections: roles that a person has set, role to joint name or index; the rest follows them.

    Raises:
        InputError: if ``body`` says no body.
        UnknownNameError: if a correction names a role that there is not, or a joint that the body has not.

    Example:
        >>> horse = recognize("zoo:horse", ignore_names=True)
        >>> horse.kind, "front_left_foot" in horse.roles
        ('quadruped', True)
    """
    character = as_character(body, asker="recognize()")
    copies = copies_in(character.skeleton)
    if copies:
        alone, kept = without_joints(character, list(copies))
        named = {
            role: character.skeleton.names[joint] for role, joint in _indices(character, corrections or {}).items()
        }
        return with_copies(study(alone, ignore_names=ignore_names, corrections=named).anatomy, kept, copies)
    return study(character, ignore_names=ignore_names, corrections=corrections).anatomy


def corrections_in(anatomy: Anatomy | None) -> dict[str, int]:
    """The roles of an anatomy that a person has set, role to joint."""
    if anatomy is None:
        return {}
    said = [role for role, evidence in anatomy.evidence.items() if evidence.reason == PERSON]
    return {role: anatomy.roles[role] for role in said if role in anatomy.roles}


def study(
    body: BodyLike, *, ignore_names: bool = False, corrections: Mapping[str, str | int] | None = None
) -> Recognition:
    """As `recognize`, with what was guessed and set aside on the way."""
    character = as_character(body, asker="recognize()")
    if character.source is not None and character.source.format == "c3d" and not character.source.details["solved"]:
        remedy = "have them solved into a skeleton by the software that recorded them, and bring that"
        raise InputError(f"{character.name!r} is made of markers on the skin, not of joints; {remedy}")
    fixed = _indices(character, corrections or {})
    silent: tuple[Reading, ...] = (SILENT,) * len(character.skeleton)
    readings = silent if ignore_names else read_joints(character)
    readings = with_corrections(readings, fixed)
    plan, pose = look(character, readings)
    found = find_all(plan, readings)
    flat = is_one_way(pose[:, :, 3], tuple(character.skeleton.parents.tolist()))
    found = named_instead(found, roles_by_name(character.skeleton, readings), character.skeleton, flat=flat)
    plan = found.plan
    by_shape = found.roles
    if readings != silent:
        by_shape = find_all(plan_by_shape(plan, silent), silent).roles
    rest = rest_of(character)
    turn = _rest_from_pose(rest, pose, plan.trunk.hips)
    anatomy = write_anatomy(character, found, by_shape, readings, rest, turn, fixed)
    aside = tuple(joint for joint, alive in enumerate(plan.shape.alive) if not alive)
    return Recognition(
        anatomy, _report(character, found, aside, moved=not np.array_equal(rest, pose)), aside, plan.facing.signs
    )


def read_joints(character: Character) -> tuple[Reading, ...]:
    """What names and the file itself say, if that fits together as the joints do."""
    readings = with_declared(character, read_names(character.skeleton.names))
    return believed(readings, character.skeleton.parents.tolist())


def _indices(character: Character, corrections: Mapping[str, str | int]) -> dict[str, int]:
    if not isinstance(corrections, Mapping):
        raise InputError(f"corrections are {corrections!r}; expected roles with joints: {{'chest': 'Spine2'}}")
    skeleton = character.skeleton
    found = {
        role: skeleton.index(joint) if isinstance(joint, str) else int(joint) for role, joint in corrections.items()
    }
    for role, joint in found.items():
        check_role(role)
        if not 0 <= joint < len(skeleton):
            raise InputError(
                f"correction of {role!r} names joint {joint}; {character.name!r} has {len(skeleton)} joints"
            )
    return found


def _rest_from_pose(rest: FloatArray, pose: FloatArray, hips: int) -> FloatArray:
    """(3, 3) how the hips are turned at rest against a pose."""
    if np.array_equal(rest, pose) or hips < 0:
        return np.eye(3)
    left, _, right = np.linalg.svd(rest[hips, :, :3] @ np.linalg.pinv(pose[hips, :, :3]))
    return np.asarray(left @ right)


def _report(character: Character, found: Found, aside: tuple[int, ...], *, moved: bool) -> Report:
    builder = ReportBuilder()
    names, plan = character.skeleton.names, found.plan
    if aside:
        shown = ", ".join(repr(names[joint]) for joint in aside[:6]) + (" ..." if len(aside) > 6 else "")
        builder.add("ignored", f"joints that are controls, ends or mesh holders: {shown}", count=len(aside))
    if moved:
        builder.add("guessed", "the rest pose shows no body; parts were found in another pose of the file")
    if plan.facing.names < 0:
        builder.add("unusual", "names say left where the shape says right; sides follow the shape, with low confidence")
    elif plan.facing.shape < UNSURE:
        builder.add("guessed", "the shape hardly tells where the body looks")
    parts = [names[joint] for joint in sorted(plan.shape.reattached) if plan.shape.alive[joint]]
    if parts:
        what = "feet that hang from the root are taken as part of their legs, and a head as part of its neck"
        builder.add("repaired", f"{what}: {', '.join(parts)}")
    if found.by_name_alone:
        builder.add("guessed", "the shape shows no body; roles follow the names alone")
    if plan.symmetry.quality < 0.6:
        builder.add("unusual", "the two sides of the body are not alike")
    return builder.build()
