"""Walk along a path over uneven ground, on however many legs, and do something else meanwhile."""

import sys
from pathlib import Path

import numpy as np

import mummer as mm

OUT = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples")
OUT.mkdir(parents=True, exist_ok=True)


def hills(x: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Height of the ground in metres."""
    return 0.06 * np.sin(2.5 * x) * np.sin(2.5 * z)


path = [(0.0, 0.0), (0.0, 1.5), (1.0, 2.2)]  # x and z in metres
walks = [mm.perform(body, "walk", "look_around", path=path, ground=hills) for body in ("zoo:dog", "zoo:adult")]
for walk in walks:
    end = walk.at(walk.end).root_translation
    print(f"{walk.body.name}: {walk.duration:.1f} s, ends at ({end[0]:.2f}, {end[2]:.2f})")

walks[0].save(OUT / "12_dog.glb", rate=30)
sheet = mm.render.contact_sheet(walks, views="three_quarter", times=5, size=(160, 160))
mm.render.save_png(sheet, OUT / "12_path.png")
print("wrote", OUT / "12_dog.glb", "and", OUT / "12_path.png")
