"""Measure a motion: do feet slide, does it jerk, how near is it to what it was made from?"""

import json
import sys
from pathlib import Path

import mummer as mm

OUT = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples")
OUT.mkdir(parents=True, exist_ok=True)

walk = mm.clip.bake(mm.perform("zoo:adult", "walk", duration=3.0), 60)
results = {}
for body in ("zoo:child", "zoo:giant"):
    for feet in (True, False):
        made = mm.retarget(walk, body, feet=feet)
        found = mm.measure.measures(made, walk)
        title = f"{made.body.name}, feet {'kept' if feet else 'left alone'}"
        print(title)
        for name in ("foot_skate", "ground_penetration", "bone_direction_error", "jerk_ratio"):
            print("  ", found[name])
        results[title] = {name: measure.to_json() for name, measure in found.items()}

(OUT / "08_measures.json").write_text(json.dumps(results, indent=2), encoding="utf-8")
print("wrote", OUT / "08_measures.json")
