"""Creatures that nobody has seen before: the same seed is always the same creature, and each can perform."""

import sys
from pathlib import Path

import mummer as mm

OUT = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples")
OUT.mkdir(parents=True, exist_ok=True)

creatures = [mm.load(f"random:{seed}") for seed in (3, 7, 42)]
for creature in creatures:
    parts = ", ".join(f"{len(joints)} {name}" for name, joints in creature.anatomy.capabilities.items())
    print(f"{creature.name}: {creature.anatomy.kind}, {len(creature.skeleton)} joints; {parts}")

roars = [mm.perform(creature, "roar") for creature in creatures]
roars[0].save(OUT / "11_creature.glb")
sheet = mm.render.contact_sheet(roars, views="three_quarter", times=4, size=(160, 160))
mm.render.save_png(sheet, OUT / "11_creatures.png")
print("wrote", OUT / "11_creature.glb", "and", OUT / "11_creatures.png")
