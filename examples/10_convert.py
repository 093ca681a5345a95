"""Convert between formats: the same body and motion as glTF, BVH and a film, and what each could not hold."""

import sys
from pathlib import Path

import mummer as mm

OUT = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples")
OUT.mkdir(parents=True, exist_ok=True)

clip = mm.perform("zoo:bird", "nod")
for ending in (".glb", ".gltf", ".bvh"):
    file = OUT / f"10_bird{ending}"
    report = clip.save(file, rate=30)
    back = mm.load(file)
    size = sum(len(mesh.positions) for mesh in back.meshes)
    print(f"{file.name}: {len(back.skeleton)} joints, {size} vertices, {back.recordings[0].duration:.2f} s")
    for finding in report:
        print("  ", finding)

clip.save(OUT / "10_bird.gif", size=(160, 160), fps=10)
print("wrote", OUT / "10_bird.gif")
