"""From a flat recipe to a character."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Material, Mesh, MorphTarget, Skeleton, Skin, Source, estimate_mass
from mummer.zoo.anatomy import make_anatomy
from mummer.zoo.binding import make_bindings
from mummer.zoo.eyes import eye_patch, lid_patch
from mummer.zoo.face import with_shapes
from mummer.zoo.flesh import body_parts
from mummer.zoo.gape import jaw_turns
from mummer.zoo.limits import make_limits
from mummer.zoo.mass import mass_of_chains
from mummer.zoo.membrane import membrane_patches
from mummer.zoo.patch import Patch, merged
from mummer.zoo.plan import Plan, make_plan
from mummer.zoo.recipe import Recipe
from mummer.zoo.surface import make_skin
from mummer.zoo.sweep import crisp_patch
from mummer.zoo.tubes import smooth_normals


def build(recipe: Recipe, *, details: dict[str, Any], quick: bool = False) -> Character:
    """The character that a flat recipe describes.

    Args:
        recipe: without includes, hands, plumes or ``{side}``, see `mummer.zoo.compose.flattened`.
        details: what its source should say beyond the name and version.
        quick: whether to cut lines coarsely, leave vertices where the grid put them and weigh the body by its chains,
            for creatures by the thousand.
    """
    plan = make_plan(recipe)
    patches = make_patches(plan, pieces=2 if quick else 4, steps=0 if quick else 2)
    plan, patches = _grounded(plan, patches)
    above = np.array(plan.parents)
    offsets = plan.positions - np.where(above[:, None] >= 0, plan.positions[above], 0.0)
    skeleton = Skeleton(plan.names, above, offsets, name=recipe.name)
    character = Character(
        recipe.name,
        skeleton,
        tuple(_mesh(plan, patch) for patch in patches),
        anatomy=make_anatomy(plan, _bounds(plan, patches)),
        limits=make_limits(plan),
        mass=mass_of_chains(plan, skeleton),
        source=Source("zoo", front="+Z", details={"name": recipe.name, **details}),
    )
    if quick or not character.meshes:
        return character
    mass, report = estimate_mass(character)
    return character.replace(mass=mass, report=report)


def make_patches(plan: Plan, *, pieces: int, steps: int) -> list[Patch]:
    """The surfaces of a body, one for each mesh."""
    parts = body_parts(plan, pieces=pieces)
    carriers = [part.carrier for part in parts] + [item.on for item in plan.recipe.sweep]
    bindings = make_bindings(plan, [name for name in carriers if name in plan.index])
    patches = make_skin(plan, parts, bindings, jaw_turns(plan, modelling=True), steps=steps)
    sheets = membrane_patches(plan, bindings)
    more = [
        crisp_patch(plan, bindings, pieces=pieces),
        merged("membranes", sheets, roughness=0.7) if sheets else None,
        lid_patch(plan),
    ]
    patches += [patch for patch in more if patch is not None]
    if plan.recipe.face:
        patches = with_shapes(plan, patches)
    eyes = eye_patch(plan)
    return patches if eyes is None else [*patches, eyes]


def _grounded(plan: Plan, patches: list[Patch]) -> tuple[Plan, list[Patch]]:
    """Everything moved up or down so that the lowest point is where the recipe wants it."""
    lowest = min((float(patch.positions[:, 1].min()) for patch in patches), default=float(plan.positions[:, 1].min()))
    rise = np.array([0.0, plan.recipe.floats - lowest, 0.0])
    moved = replace(
        plan,
        positions=plan.positions + rise,
        chains=tuple(replace(entry, points=entry.points + rise) for entry in plan.chains),
    )
    return moved, [replace(patch, positions=patch.positions + rise) for patch in patches]


def _bounds(plan: Plan, patches: list[Patch]) -> FloatArray:
    places = np.concatenate([plan.positions, *(patch.positions for patch in patches)])
    return np.stack([places.min(axis=0), places.max(axis=0)])


def _mesh(plan: Plan, patch: Patch) -> Mesh:
    used = np.unique(patch.indices[patch.weights > 0])
    place = np.zeros(len(plan.names), np.int64)
    place[used] = np.arange(len(used))
    # A slot without weight may point anywhere; the first joint is as good as any.
    indices = np.where(patch.weights > 0, place[patch.indices], 0)
    joint_from_mesh = np.concatenate([np.tile(np.eye(3), (len(used), 1, 1)), -plan.positions[used][:, :, None]], axis=2)
    return Mesh(
        patch.name,
        patch.positions,
        patch.triangles,
        Skin(used, joint_from_mesh, indices, patch.weights),
        normals=patch.normals,
        colors=np.concatenate([patch.colors, np.ones((len(patch.colors), 1))], axis=1),
        morphs=_morphs(patch),
        material=Material(
            patch.name,
            (1.0, 1.0, 1.0, 1.0),
            roughness=patch.roughness,
            double_sided=patch.name in ("lids", "membranes"),
        ),
    )


def _morphs(patch: Patch) -> tuple[MorphTarget, ...]:
    """The shapes of a patch with how they turn its normals, so that an open mouth is lit as one."""
    if not patch.shapes:
        return ()
    before = smooth_normals(patch.positions, patch.triangles)
    return tuple(
        MorphTarget(name, shape, smooth_normals(patch.positions + shape, patch.triangles) - before)
        for name, shape in patch.shapes.items()
    )
