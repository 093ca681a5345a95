"""Move a motion onto another body: rest poses, proportions and joint names may differ.

With files of your own it is one line: mm.retarget("walk.bvh", "hero.glb").save("hero_walk.glb").
"""

import sys
from pathlib import Path

import mummer as mm

OUT = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples")
OUT.mkdir(parents=True, exist_ok=True)

# A motion file to start from; yours would come from a recording session or a library.
mm.perform("zoo:adult", "walk", "wave", duration=2.0).save(OUT / "03_adult.bvh", rate=30)

made = []
for body in ("zoo:child", "zoo:giant", "zoo:hunched"):
    clip = mm.retarget(OUT / "03_adult.bvh", body)
    print(f"{clip.name} on {clip.body.name}: {clip.duration:.2f} s, {len(clip.recording.key_times)} frames")
    made.append(clip)

made[0].save(OUT / "03_child.glb")
sheet = mm.render.contact_sheet(made, views="side", times=4, size=(160, 160), same_scale=True)
mm.render.save_png(sheet, OUT / "03_retarget.png")
print("wrote", OUT / "03_child.glb", "and", OUT / "03_retarget.png")
