"""The colour of what is seen, row by row of the picture.

Each pixel has several samples. Those that show the same triangle are shaded once, in their middle, which is what makes
smooth edges cheap.
"""

from __future__ import annotations

import math

from mummer.kernels.kernel import kernel
from mummer.kernels.scalars import index_at
from mummer.render.loops.arguments import (
    ColorsOut,
    Ids,
    Image,
    ImageOut,
    Points,
    Shadow,
    Size,
    Skin,
    Texture,
    Vectors,
)
from mummer.render.loops.shadow import light_reaching
from mummer.render.loops.texels import color_at
from mummer.render.loops.visibility import weights_at

Three = tuple[float, float, float]
METALLIC, ROUGHNESS, TEXTURE = 0, 1, 2
"""Columns of the table of materials."""
KEY, FILL, RIM = 0, 1, 2
"""Rows of the table of lights: direction towards the light, then its colour."""
SKY, GROUND, EYE = 3, 4, 5
"""Rows below the lights: colour from above, colour from below, place of the camera."""
KNEE = 0.7
"""Light above this is pressed together instead of cut off."""
WRAP = 0.25
"""How far light creeps round the edge of a form; skin and cloth are not plaster."""


def pressed(light: float) -> float:
    """Light brought below 1: unchanged up to the knee, then ever flatter."""
    if light <= KNEE:
        return max(0.0, light)
    return KNEE + (1 - KNEE) * (1 - math.exp(-(light - KNEE) / (1 - KNEE)))


def blend3(values: Vectors, a: int, b: int, c: int, wa: float, wb: float, wc: float) -> Three:
    """Three numbers of each corner, blended."""
    return (
        wa * values[a, 0] + wb * values[b, 0] + wc * values[c, 0],
        wa * values[a, 1] + wb * values[b, 1] + wc * values[c, 1],
        wa * values[a, 2] + wb * values[b, 2] + wc * values[c, 2],
    )


def unit(x: float, y: float, z: float) -> Three:
    """The vector at length one; straight up where it has no length."""
    length = math.sqrt(x * x + y * y + z * z)
    if length > 1e-150:
        return x / length, y / length, z / length
    return 0.0, 1.0, 0.0


def towards_eye(world: Points, a: int, b: int, c: int, vx: float, vy: float, vz: float) -> Three:
    """The flat normal of a triangle, on the side that is seen."""
    ux, uy, uz = world[b, 0] - world[a, 0], world[b, 1] - world[a, 1], world[b, 2] - world[a, 2]
    wx, wy, wz = world[c, 0] - world[a, 0], world[c, 1] - world[a, 1], world[c, 2] - world[a, 2]
    x, y, z = unit(uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx)
    if x * vx + y * vy + z * vz < 0:
        return -x, -y, -z
    return x, y, z


def level_of(levels: Points, points: Points, uvs: Vectors, texture: int, a: int, b: int, c: int) -> int:
    """Which copy of a texture has about one texel for each sample of this triangle."""
    ax, ay = points[a, 0] / points[a, 2], points[a, 1] / points[a, 2]
    bx, by = points[b, 0] / points[b, 2], points[b, 1] / points[b, 2]
    cx, cy = points[c, 0] / points[c, 2], points[c, 1] / points[c, 2]
    samples = abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax))
    across = (uvs[b, 0] - uvs[a, 0]) * (uvs[c, 1] - uvs[a, 1]) - (uvs[b, 1] - uvs[a, 1]) * (uvs[c, 0] - uvs[a, 0])
    texels = abs(across) * levels[texture, 1] * levels[texture, 2]
    last = levels.shape[1] // 3 - 1
    if not texels > samples or samples <= 0:
        return 0
    return index_at(0.5 * math.log2(texels / samples) + 0.3, last)


def surface_color(
    skin: Skin, atlas: Texture, texture: int, a: int, b: int, c: int, wa: float, wb: float, wc: float
) -> Three:
    """Linear RGB of the surface itself: material and vertex colours, times the texture if there is one."""
    red, green, blue = blend3(skin.colors, a, b, c, wa, wb, wc)
    if texture < 0:
        return red, green, blue
    uvs, levels = skin.uvs, atlas.levels
    u = wa * uvs[a, 0] + wb * uvs[b, 0] + wc * uvs[c, 0]
    v = wa * uvs[a, 1] + wb * uvs[b, 1] + wc * uvs[c, 1]
    level = 3 * level_of(levels, skin.points, uvs, texture, a, b, c)
    start, width, height = levels[texture, level], levels[texture, level + 1], levels[texture, level + 2]
    tr, tg, tb = color_at(atlas.texels, atlas.linear, int(start), int(width), int(height), u, v)
    return red * tr, green * tg, blue * tb


def channel_light(
    channel: int, surface: float, diffuse: float, metallic: float, shine: float, key: float, fill: float,
    gloss: float, behind: float, above: float, open_part: float, lights: Points,
) -> float:  # fmt: skip
    """One colour of the light that a surface sends to the eye, see `lit`."""
    ambient = (lights[SKY, channel] * above + lights[GROUND, channel] * (1.0 - above)) * open_part
    light = surface * diffuse * (lights[KEY, 3 + channel] * key + lights[FILL, 3 + channel] * fill + ambient)
    base = 0.04 + (surface - 0.04) * metallic
    mirror = base + (1.0 - base) * shine
    light += mirror * (lights[KEY, 3 + channel] * gloss * 6.0 + ambient * (0.3 + metallic))
    return pressed(light + lights[RIM, 3 + channel] * behind)


def lit(
    normal: Three, eye: Three, color: Three, metallic: float, roughness: float, key_part: float, open_part: float,
    lights: Points,
) -> Three:  # fmt: skip
    """Light that a surface sends to the eye: key, fill, sky from above and ground from below, gloss and a rim.

    Args:
        normal: unit, on the side of the eye.
        eye: the unit vector to it.
        color: of the surface, linear.
        metallic: 0 to 1.
        roughness: 0 to 1.
        key_part: how much of the key light arrives, 0 in shadow to 1.
        open_part: how much of the sky is seen from here, 0 to 1.
        lights: the table of lights.
    """
    nx, ny, nz = normal
    vx, vy, vz = eye
    red, green, blue = color
    key = (nx * lights[KEY, 0] + ny * lights[KEY, 1] + nz * lights[KEY, 2] + WRAP) / (1 + WRAP)
    # A crease is narrow for the key light too, which is no single point.
    key = max(0.0, key) * key_part * (0.6 + 0.4 * open_part)
    fill = max(0.0, nx * lights[FILL, 0] + ny * lights[FILL, 1] + nz * lights[FILL, 2]) * (0.4 + 0.6 * open_part)
    above = 0.5 + 0.5 * ny
    facing = max(0.0, nx * vx + ny * vy + nz * vz)
    grazing = (1.0 - facing) ** 4
    behind = max(0.0, 0.3 + nx * lights[RIM, 0] + ny * lights[RIM, 1] + nz * lights[RIM, 2]) * grazing * open_part
    hx, hy, hz = unit(vx + lights[KEY, 0], vy + lights[KEY, 1], vz + lights[KEY, 2])
    exponent = 4.0 + 90.0 * (1.0 - roughness) ** 2
    gloss = max(0.0, nx * hx + ny * hy + nz * hz) ** exponent * (1.05 - roughness) * key_part * 0.5
    diffuse = 1.0 - 0.75 * metallic
    shine = grazing * (1.0 - roughness) * 0.5
    return (
        channel_light(0, red, diffuse, metallic, shine, key, fill, gloss, behind, above, open_part, lights),
        channel_light(1, green, diffuse, metallic, shine, key, fill, gloss, behind, above, open_part, lights),
        channel_light(2, blue, diffuse, metallic, shine, key, fill, gloss, behind, above, open_part, lights),
    )


@kernel(on_cuda=False)
def shade_row(
    row: int,
    samples: Size,
    seen: Ids,
    sample_nearness: Image,
    openness: Image,
    skin: Skin,
    atlas: Texture,
    lights: Points,
    shadow: Shadow,
    shaded: ColorsOut,
    coverage: ImageOut,
    nearness: ImageOut,
) -> None:
    """Shade one row of pixels.

    Args:
        row: which row of pixels.
        samples: samples along a side of a pixel.
        seen: (samples * rows, samples * columns) triangle seen at each sample, or -1.
        sample_nearness: 1 / depth at each sample, 0 for nothing.
        openness: (rows, columns) how much of the sky each pixel sees.
        skin: what is seen.
        atlas: its textures.
        lights: the table of lights.
        shadow: of the key light.
        shaded: (rows, columns, 3) linear light times coverage; written.
        coverage: (rows, columns) part of each pixel that is covered; written.
        nearness: (rows, columns) 1 / depth of the nearest sample of each pixel; written.
    """
    part, world = 1.0 / (samples * samples), skin.world
    for column in range(shaded.shape[1]):
        red, green, blue, covered, nearest = 0.0, 0.0, 0.0, 0, 0.0
        for first in range(samples * samples):
            face = seen[row * samples + first // samples, column * samples + first % samples]
            if face < 0:
                continue
            nearest = max(
                nearest, sample_nearness[row * samples + first // samples, column * samples + first % samples]
            )
            count, x, y, is_first = 0, 0.0, 0.0, True
            for other in range(samples * samples):
                sample_row, sample_column = row * samples + other // samples, column * samples + other % samples
                if seen[sample_row, sample_column] == face:
                    is_first = is_first and other >= first
                    count, x, y = count + 1, x + sample_column + 0.5, y + sample_row + 0.5
            if not is_first:
                continue
            a, b, c = skin.faces[face, 0], skin.faces[face, 1], skin.faces[face, 2]
            wa, wb, wc = weights_at(skin.points, a, b, c, x / count, y / count)
            px = wa * world[a, 0] + wb * world[b, 0] + wc * world[c, 0]
            py = wa * world[a, 1] + wb * world[b, 1] + wc * world[c, 1]
            pz = wa * world[a, 2] + wb * world[b, 2] + wc * world[c, 2]
            vx, vy, vz = unit(lights[EYE, 0] - px, lights[EYE, 1] - py, lights[EYE, 2] - pz)
            gx, gy, gz = towards_eye(world, a, b, c, vx, vy, vz)
            sx, sy, sz = blend3(skin.normals, a, b, c, wa, wb, wc)
            # A surface without normals is flat, triangle by triangle, as glTF has it.
            nx, ny, nz = unit(sx, sy, sz) if sx * sx + sy * sy + sz * sz > 1e-8 else (gx, gy, gz)
            if nx * gx + ny * gy + nz * gz < 0:
                nx, ny, nz = -nx, -ny, -nz
            materials, material = skin.materials, skin.material[face]
            color = surface_color(skin, atlas, int(materials[material, TEXTURE]), a, b, c, wa, wb, wc)
            key_part = light_reaching(shadow, px, py, pz, gx, gy, gz)
            lr, lg, lb = lit(
                (nx, ny, nz), (vx, vy, vz), color, materials[material, METALLIC], materials[material, ROUGHNESS],
                key_part, openness[row, column], lights,
            )  # fmt: skip
            red, green, blue, covered = red + count * lr, green + count * lg, blue + count * lb, covered + count
        shaded[row, column, 0], shaded[row, column, 1], shaded[row, column, 2] = red * part, green * part, blue * part
        coverage[row, column], nearness[row, column] = covered * part, nearest
