"""Scales that stand on the joints only because of units, folded away: a metre is a metre at every joint."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Character, Curve, Pose, Recording, parent_first_order

UNIFORM = 1e-4
"""Three factors that differ relatively by less than this are one factor."""
ONE = 1e-5
"""Factors that differ from one by less than this are one."""


def scale_factors(parents: IntArray, scales: FloatArray) -> FloatArray:
    """(J,) the factor to take out of every joint: the product of the uniform scales from the root down to it.

    Taking factor f out of a joint leaves every point of the body where it is, if the translation of each child is
    multiplied by f, and so is what its joint carries (see `fold_values` and `fold_binds`).

    Args:
        parents: (J,) parent of each joint, -1 for roots, in any order without loops.
        scales: (J, 3) factors at rest.
    """
    mean = scales.mean(axis=1)
    spread = np.abs(scales - mean[:, None]).max(axis=1)
    uniform = (spread <= UNIFORM * np.abs(mean)) & (np.abs(mean - 1) > ONE) & (mean != 0)
    own = np.where(uniform, mean, 1.0)
    factors = np.ones(len(parents))
    for joint in parent_first_order(parents):
        above = factors[parents[joint]] if parents[joint] >= 0 else 1.0
        # A body that is scaled up and down again must come back to exactly one.
        product = above * own[joint]
        factors[joint] = 1.0 if abs(product - 1) < ONE else product
    return factors


def fold_values(
    parents: IntArray, factors: FloatArray, path: str, values: FloatArray, joints: IntArray | slice = slice(None)
) -> FloatArray:
    """Values (..., n, D) of one property of some joints once the factors are taken out of all.

    Args:
        parents: (J,) parent of each joint, -1 for roots.
        factors: (J,) as `scale_factors` gives them.
        path: ``translation`` or ``scale``; anything else is as it was.
        values: of the joints that ``joints`` (n,) names, in its order.
        joints: all of them if not given.
    """
    above = np.where(parents >= 0, factors[parents], 1.0)[joints][:, None]
    if path == "translation":
        return np.asarray(values * above)
    if path != "scale":
        return values
    folded = values * (above / factors[joints][:, None])
    return np.where(np.abs(folded - 1) < ONE, 1.0, folded)


def fold_binds(factors: FloatArray, joint_from_mesh: FloatArray) -> FloatArray:
    """(B, 3, 4) binds of joints that have had their ``factors`` (B,) taken out."""
    return joint_from_mesh * factors[:, None, None]


def unscaled(character: Character) -> Character:
    """The same character, every point where it is in every pose, with no uniform scale left on a joint at rest.

    What formats and programs without scaled joints need of a file whose armature is scaled by 0.01 or 100.
    """
    skeleton = character.skeleton
    factors = scale_factors(skeleton.parents, skeleton.rest_scales)
    if np.all(factors == 1):
        return character

    def fold(path: str, values: FloatArray, joints: IntArray | slice = slice(None)) -> FloatArray:
        return fold_values(skeleton.parents, factors, path, values, joints)

    def fold_pose(pose: Pose) -> Pose:
        moved = None if pose.translations is None else fold("translation", pose.translations)
        return pose.replace(translations=moved, scales=None if pose.scales is None else fold("scale", pose.scales))

    def fold_curve(curve: Curve) -> Curve:
        if curve.path not in ("translation", "scale"):
            return curve
        changed: dict[str, Any] = {"values": fold(curve.path, curve.values, curve.targets)}
        if curve.in_tangents is not None and curve.out_tangents is not None:
            changed["in_tangents"] = fold(curve.path, curve.in_tangents, curve.targets)
            changed["out_tangents"] = fold(curve.path, curve.out_tangents, curve.targets)
        return dataclasses.replace(curve, **changed)

    def fold_recording(one: Recording) -> Recording:
        return dataclasses.replace(one, curves=tuple(map(fold_curve, one.curves)), base=fold_pose(one.base))

    skins = (
        dataclasses.replace(mesh.skin, joint_from_mesh=fold_binds(factors[mesh.skin.joints], mesh.skin.joint_from_mesh))
        for mesh in character.meshes
    )
    return character.replace(
        skeleton=dataclasses.replace(
            skeleton,
            rest_translations=fold("translation", skeleton.rest_translations),
            rest_scales=fold("scale", skeleton.rest_scales),
        ),
        meshes=tuple(dataclasses.replace(m, skin=skin) for m, skin in zip(character.meshes, skins, strict=True)),
        recordings=tuple(map(fold_recording, character.recordings)),
        default_pose=fold_pose(character.default_pose),
    )
