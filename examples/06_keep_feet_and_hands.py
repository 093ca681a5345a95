"""Goals over a stretch of time: feet that stay where they stand, a hand on a rail, without a jump."""

import sys
from pathlib import Path

import numpy as np

import mummer as mm
from mummer.ik import Place

OUT = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples")
OUT.mkdir(parents=True, exist_ok=True)

walk = mm.clip.bake(mm.perform("zoo:adult", "walk", duration=3.0), 60)
child = walk.onto("zoo:child", feet=False)  # legs point as the adult's do, so that feet slide
planted = child.planted()
for name, clip in (("as it came", child), ("planted", planted)):
    print(f"{name:11} {mm.measure.foot_skate(clip)}")

hand = mm.world_positions(walk.body.skeleton, walk.at(1.5))[walk.anatomy.joint("left_hand")]
rail = hand + np.array([0.1, 0.25, 0.0])
held = walk.constrained(Place("left_hand", at=rail, interval=(1.2, 1.8)))
there = mm.world_positions(walk.body.skeleton, held.at(1.5))[walk.anatomy.joint("left_hand")]
print(f"the hand is {1000 * abs(there - rail).max():.2f} mm from the rail")

held.save(OUT / "06_rail.glb", rate=30)
sheet = mm.render.contact_sheet([walk, held], views="front", times=[0.9, 1.2, 1.5, 1.8, 2.1], size=(160, 160))
mm.render.save_png(sheet, OUT / "06_rail.png")
print("wrote", OUT / "06_rail.glb", "and", OUT / "06_rail.png")
