"""One animation, any body: who has hands waves a hand, and who has none finds another way."""

import sys
from pathlib import Path

import mummer as mm

OUT = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples")
OUT.mkdir(parents=True, exist_ok=True)

print("the library:", ", ".join(mm.general.animation_names()[:12]), "...")
waves = []
for name in ("adult", "dog", "spider"):
    wave = mm.perform(f"zoo:{name}", "wave")
    print(f"{name} waves with {wave.variants[0]}: {wave.duration:.1f} s")
    for mark in wave.marks:
        print(f"  at {mark.time:.2f} s: {mark.name}")
    waves.append(wave)

waves[0].save(OUT / "02_wave.glb")
sheet = mm.render.contact_sheet(waves, views="three_quarter", times=4, size=(160, 160))
mm.render.save_png(sheet, OUT / "02_wave.png")
print("wrote", OUT / "02_wave.glb", "and", OUT / "02_wave.png")
