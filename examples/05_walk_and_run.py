"""A walk and a run as one: footfalls brought together, so that halfway between the two is a jog."""

import sys
from pathlib import Path

import numpy as np

import mummer as mm

OUT = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples")
OUT.mkdir(parents=True, exist_ok=True)

walk = mm.perform("zoo:adult", "walk", duration=4.0, pace=1.2)
run = mm.perform("zoo:adult", "run", duration=4.0, pace=2.6)

jogs = [mm.blend(walk, run, weight) for weight in (0.0, 0.5, 1.0)]
for weight, jog in zip((0.0, 0.5, 1.0), jogs, strict=True):
    speed = np.linalg.norm(jog.in_place(mode="linear").motion.velocity)
    print(f"{weight:.1f} run: one cycle takes {jog.duration:.2f} s, at {speed:.2f} m/s")

faster = mm.blend(walk, run, [(0.0, 0.0), (1.0, 0.0), (3.0, 1.0), (4.0, 1.0)])  # seconds, share of the run
print(f"from a walk into a run within {faster.duration:.0f} s: {len(faster.marks)} footholds")
jogs[1].looped(4).save(OUT / "05_jog.glb")

sheet = mm.render.contact_sheet(jogs, views="side", times=5, size=(160, 160))
mm.render.save_png(sheet, OUT / "05_walk_and_run.png")
print("wrote", OUT / "05_jog.glb", "and", OUT / "05_walk_and_run.png")
