"""Recognise what the parts of a body are, by its shape alone, and correct it by hand where you know better."""

import sys
from pathlib import Path

import mummer as mm

OUT = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples")
OUT.mkdir(parents=True, exist_ok=True)

horse = mm.load("zoo:horse").replace(anatomy=None)
anatomy = mm.recognize(horse, ignore_names=True)
print(f"{horse.name} is a {anatomy.kind}; it faces {anatomy.front.round(2).tolist()}")
for role in ("hips", "head", "front_left_foot", "hind_right_foot"):
    joint, evidence = anatomy.joint(role), anatomy.evidence[role]
    print(f"  {role:16} {horse.skeleton.names[joint]:20} {evidence.confidence:.2f}  {evidence.reason}")

try:
    anatomy.joint("front_left_fot")
except mm.MummerError as error:
    print("asked for a part that is not there:", error)

corrected = mm.recognize(horse, corrections={"chest": horse.skeleton.names[anatomy.joint("chest")]})
print("corrected by hand:", corrected.evidence["chest"].reason)

known = horse.replace(anatomy=anatomy)
picture = mm.render.contact_sheet(known, views=("side", "front"), size=(320, 320), skeleton=True, names=True)
mm.render.save_png(picture, OUT / "04_horse.png")
print("wrote", OUT / "04_horse.png")
