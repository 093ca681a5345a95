"""Many animations on many bodies: what fits is played, measured and written; what does not is told."""

import csv
import sys
from pathlib import Path

import mummer as mm

OUT = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples")
OUT.mkdir(parents=True, exist_ok=True)

BODIES = ("zoo:adult", "zoo:dog", "zoo:fish", "zoo:ghost")
ANIMATIONS = ("nod", "clap", "look_around")

rows = []
for body in BODIES:
    for animation in ANIMATIONS:
        try:
            clip = mm.perform(body, animation)
        except mm.MummerError as error:
            rows.append({"body": body, "animation": animation, "file": "", "jerk": "", "note": str(error)})
            continue
        file = OUT / f"09_{clip.body.name}_{animation}.glb"
        clip.save(file, rate=20)
        jerk = mm.measure.jerk(clip, rate=20).value
        rows.append({"body": body, "animation": animation, "file": file.name, "jerk": f"{jerk:.3g}", "note": ""})

for row in rows:
    print(f"{row['body']:10} {row['animation']:12} {row['file'] or row['note']}")
with (OUT / "09_many.csv").open("w", newline="", encoding="utf-8") as stream:
    writer = csv.DictWriter(stream, rows[0])
    writer.writeheader()
    writer.writerows(rows)
print("wrote", OUT / "09_many.csv")
