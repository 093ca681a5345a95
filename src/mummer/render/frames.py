"""Frame after frame of a shot, with everything that is written over the bodies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from mummer.arrays import FloatArray
from mummer.render.camera import Camera
from mummer.render.draw import Drawn, Picture, draw
from mummer.render.labels import write_names
from mummer.render.look import Rgb
from mummer.render.options import Options
from mummer.render.scale_bar import scale_bar
from mummer.render.setting import Setting
from mummer.render.sides import joint_sides, side_colors
from mummer.render.strokes import paint, skeleton_strokes, trail_strokes

TRAIL_COLORS: tuple[Rgb, ...] = ((214, 64, 92), (36, 118, 204), (38, 148, 92), (196, 122, 16), (124, 82, 192))


def draw_setting(setting: Setting, options: Options, frames: Sequence[int] | None = None) -> Iterator[Picture]:
    """A picture for each of some frames of a setting; for all of them if None."""
    wanted = range(len(setting)) if frames is None else frames
    for frame, shape in zip(wanted, setting.shapes(wanted), strict=True):
        drawn = draw(
            setting.surface,
            shape,
            setting.camera_at(frame),
            ground=setting.ground_at(frame) if options.ground else None,
            look=options.look,
            samples=options.samples,
        )
        yield _write_over(drawn, setting, frame, options)


def _write_over(drawn: Drawn, setting: Setting, frame: int, options: Options) -> Picture:
    picture, camera = drawn.picture, setting.camera_at(frame)
    if options.floor_path:
        picture = _floor_paths(picture, drawn, setting, camera, frame)
    if options.trails:
        picture = _trails(picture, drawn, setting, camera, frame, options)
    if options.skeleton:
        picture = _skeletons(picture, drawn, setting, camera, frame, options)
    if options.names:
        picture = _names(picture, setting, camera, frame, options)
    return scale_bar(picture, setting, camera, frame, options.look) if options.scale_bar else picture


def _skeletons(
    picture: Picture, drawn: Drawn, setting: Setting, camera: Camera, frame: int, options: Options
) -> Picture:
    strokes = []
    for place, body in enumerate(setting.bodies):
        character = body.subject.character
        colors = side_colors(joint_sides(character), options.look)
        strokes.append(skeleton_strokes(camera, setting.joints_at(place, frame), character.skeleton.parents, colors))
    hidden = 0.3 if options.skeleton == "depth" else 1.0
    return paint(picture, np.concatenate(strokes), drawn.nearness, hidden=hidden, halo=1.0)


def _names(picture: Picture, setting: Setting, camera: Camera, frame: int, options: Options) -> Picture:
    for place, body in enumerate(setting.bodies):
        skeleton = body.subject.character.skeleton
        order = np.argsort(skeleton.depths, kind="stable")
        picture = write_names(picture, camera, setting.joints_at(place, frame), skeleton.names, order, options.look.ink)
    return picture


def _trails(picture: Picture, drawn: Drawn, setting: Setting, camera: Camera, frame: int, options: Options) -> Picture:
    strokes: list[FloatArray] = [np.empty((0, 12))]
    for place, body in enumerate(setting.bodies):
        for number, name in enumerate(options.trails):
            if name in body.subject.character.skeleton:
                joint = body.subject.character.skeleton.index(name)
                way = setting.placements[place].points(body.joints[:, joint])
                strokes.append(trail_strokes(camera, way, TRAIL_COLORS[number % len(TRAIL_COLORS)], now=frame))
    return paint(picture, np.concatenate(strokes), drawn.nearness, hidden=0.35)


def _floor_paths(picture: Picture, drawn: Drawn, setting: Setting, camera: Camera, frame: int) -> Picture:
    strokes = []
    for place, body in enumerate(setting.bodies):
        way = setting.placements[place].points(body.track) * [1.0, 0.0, 1.0] + [0.0, setting.ground.height, 0.0]
        strokes.append(trail_strokes(camera, way, (92, 100, 116), now=frame))
    return paint(picture, np.concatenate(strokes), drawn.nearness, hidden=0.0)
