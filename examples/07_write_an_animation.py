"""Write an animation in text, for bodies that do not exist yet, and let very different ones play it."""

import sys
from pathlib import Path

import mummer as mm

OUT = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples")
OUT.mkdir(parents=True, exist_ok=True)

TEXT = """
version = 1
name = "cheer"
description = "Throws up both hands and looks up; who has no hands rears up."
duration = 1.4

[[branch]]
needs = {grasper = true}

[[branch.channel]]
name = "hands"
select = {capability = "grasper"}
position = {scale = "limb"}
place = [[0, 0, 0, 0], [0.4, 0.2, 1.2, 0.2], [0.9, 0.2, 1.2, 0.2], [1.4, 0, 0, 0]]
open = [[0, 0], [0.4, 1], [1.4, 0]]
events = [[0.4, "hooray"]]

[[branch.channel]]
name = "head"
select = {capability = "head"}
turn = [[0, 0, 0, 0], [0.5, -20, 0, 0], [1.4, 0, 0, 0]]

[[branch]]

[[branch.channel]]
name = "body"
select = {capability = "root"}
turn = [[0, 0, 0, 0], [0.5, -15, 0, 0], [1.4, 0, 0, 0]]
"""

cheer = mm.general.animation_from_text(TEXT)
clips = [mm.perform(body, cheer) for body in ("zoo:adult", "zoo:crab", "zoo:snake")]
for clip in clips:
    print(f"{clip.body.name}: {clip.duration:.1f} s, {[mark.name for mark in clip.marks]}")

try:
    mm.general.animation_from_text(TEXT.replace("duration = 1.4", "duraton = 1.4"), "cheer.toml")
except mm.MummerError as error:
    print("a mistake is told with its line:", error)

sheet = mm.render.contact_sheet(clips, views="three_quarter", times=5, size=(160, 160))
mm.render.save_png(sheet, OUT / "07_cheer.png")
print("wrote", OUT / "07_cheer.png")
