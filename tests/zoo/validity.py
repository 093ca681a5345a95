"""What every body of the zoo must satisfy, built-in or random."""

from __future__ import annotations

import numpy as np

from mummer.character import Character, Pose
from mummer.character.clamp import violations
from mummer.zoo.sides import swap_sides


def rest_positions(character: Character) -> np.ndarray:
    """(J, 3) in the world: rest rotations of zoo bodies are all identity, so offsets add up."""
    skeleton = character.skeleton
    places = np.array(skeleton.rest_translations)
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if parent >= 0:
            places[joint] += places[parent]
    return places


def faults_of(character: Character) -> list[str]:
    """Everything that is wrong with a body; empty when all is well."""
    return [*skeleton_faults(character), *mesh_faults(character), *anatomy_faults(character)]


def skeleton_faults(character: Character) -> list[str]:
    skeleton, found = character.skeleton, []
    if skeleton.roots != (0,):
        found.append(f"roots are {skeleton.roots}")
    if not np.all(skeleton.rest_rotations == [0, 0, 0, 1]) or not skeleton.is_rigid:
        found.append("a joint is turned or scaled at rest")
    lengths = np.linalg.norm(skeleton.rest_translations[1:], axis=1)
    if lengths.size and lengths.min() < 1e-4:
        found.append(f"joint {skeleton.names[1 + int(lengths.argmin())]} sits on its parent")
    limits, mass = character.limits, character.mass
    if limits is None or len(limits) != len(skeleton):
        found.append("limits are missing")
    elif violations(limits, skeleton, Pose.rest(skeleton)).max() > 1e-6:
        found.append("the rest pose breaks its own limits")
    if mass is None or not mass.total > 0 or len(mass.masses) != len(skeleton):
        found.append("mass is missing")
    return found


def mesh_faults(character: Character) -> list[str]:
    found = []
    for mesh in character.meshes:
        numbers = [mesh.positions, mesh.normals, mesh.colors, mesh.skin.weights]
        numbers += [morph.positions for morph in mesh.morphs]
        if not all(np.all(np.isfinite(values)) for values in numbers):
            found.append(f"mesh {mesh.name} holds a number that is not finite")
        if np.abs(mesh.skin.weights.sum(axis=1) - 1).max() > 1e-5 or mesh.skin.weights.min() < 0:
            found.append(f"weights of {mesh.name} do not sum to one")
        if mesh.skin.influences > 4:
            found.append(f"mesh {mesh.name} has more than four influences")
        if np.abs(np.linalg.norm(mesh.normals, axis=1) - 1).max() > 1e-3:
            found.append(f"normals of {mesh.name} are not unit")
        if mesh.colors.min() < 0 or mesh.colors.max() > 1:
            found.append(f"colors of {mesh.name} leave 0 to 1")
        # Tubes that bend sharply fold a little on the inside of the bend.
        if agreement(mesh) < 0.95:
            found.append(f"faces of {mesh.name} look the other way than its normals")
    return found


def agreement(mesh) -> float:
    """The part of the faces that look the same way as the normals at their corners."""
    a, b, c = (mesh.positions[mesh.triangles[:, corner]].astype(float) for corner in range(3))
    faces = np.cross(b - a, c - a)
    sums = mesh.normals[mesh.triangles].sum(axis=1)
    areas = np.linalg.norm(faces, axis=1)
    return float(areas[(faces * sums).sum(axis=1) > 0].sum() / areas.sum())


def anatomy_faults(character: Character) -> list[str]:
    anatomy, skeleton = character.anatomy, character.skeleton
    if anatomy is None:
        return ["anatomy is missing"]
    found = list(anatomy.problems(skeleton))
    places = rest_positions(character)
    bounds = np.stack([places.min(axis=0), places.max(axis=0)])
    for mesh in character.meshes:
        bounds[0] = np.minimum(bounds[0], mesh.positions.min(axis=0))
        bounds[1] = np.maximum(bounds[1], mesh.positions.max(axis=0))
    if np.abs(anatomy.bounds - bounds).max() > 1e-4:
        found.append("bounds are not those of the body")
    for limb in anatomy.limbs:
        joints = np.linalg.norm(np.diff(places[list(limb.joints)], axis=0), axis=1).sum()
        if not limb.length >= joints - 1e-9:
            found.append(f"limb {limb.name} is shorter than its joints")
        along = places[limb.joints[0], 0]
        if (limb.side == "left" and along < -1e-9) or (limb.side == "right" and along > 1e-9):
            found.append(f"limb {limb.name} is on the other side")
    for joint, partner in enumerate(anatomy.mirror.tolist()):
        if partner != joint and swap_sides(skeleton.names[joint]) != skeleton.names[partner]:
            found.append(f"{skeleton.names[joint]} is paired with {skeleton.names[partner]}")
    if "root" not in anatomy.capabilities or anatomy.capabilities["root"] != (0,):
        found.append("the root is not the root")
    return found


def unmirrored(character: Character) -> list[str]:
    """Joints whose partner does not stand at the mirrored place."""
    places, names = rest_positions(character), character.skeleton.names
    flipped = places * [-1, 1, 1]
    gaps = np.abs(flipped - places[character.anatomy.mirror]).max(axis=1)
    return [names[joint] for joint in np.flatnonzero(gaps > 1e-9)]


def lowest_of_joints(character: Character, joints: set[int]) -> float:
    """The lowest vertex that mostly belongs to some joints."""
    lows = [np.inf]
    for mesh in character.meshes:
        main = mesh.skin.joints[mesh.skin.indices[np.arange(len(mesh.positions)), mesh.skin.weights.argmax(axis=1)]]
        heights = mesh.positions[np.isin(main, list(joints)), 1]
        if heights.size:
            lows.append(float(heights.min()))
    return min(lows)
