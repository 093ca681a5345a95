"""Load a body and look at it: what it is made of, and a picture from three sides.

Your own file works the same way: mm.load("hero.fbx").
"""

import sys
from pathlib import Path

import mummer as mm

OUT = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples")
OUT.mkdir(parents=True, exist_ok=True)

dragon = mm.load("zoo:dragon")
print(dragon)
print(f"  {dragon.anatomy.height:.2f} m high, {len(dragon.skeleton)} joints, {len(dragon.morph_names)} morphs")
print(f"  it can: {', '.join(dragon.anatomy.capabilities)}")
print(f"  its roots: {', '.join(dragon.skeleton.names[joint] for joint in dragon.skeleton.roots)}")

mm.save(dragon, OUT / "01_dragon.glb")
again = mm.load(OUT / "01_dragon.glb")
print("from the file:", again)
for finding in again.report:
    print("  ", finding)

mm.save(again, OUT / "01_dragon.png", size=(240, 240))
print("wrote", OUT / "01_dragon.png")
