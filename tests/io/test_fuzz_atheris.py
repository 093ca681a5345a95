"""Coverage-guided fuzzing, where atheris is installed."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("fuzz_with_atheris.py")
SEEDS = {
    "gltf": b'g{"asset":{"version":"2.0"},"nodes":[{"children":[1]},{"translation":[0,1,0]}],"scenes":[{"nodes":[0]}]}',
    "bvh": b"bHIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1 0"
    b"\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0\n1 2 3\n",
    "sk": b"sset_name a\nskeleton\nroot b\n{ offset 0 1 0\n  channel XPos 0 free\n  channel Quat\n}\n",
    "asf": b"a:name a\n:bonedata\nbegin\nname b\ndirection 0 1 0\nlength 1\ndof rx\nend\n:hierarchy\nroot b\n",
    "amc": b"c:FULLY-SPECIFIED\n:DEGREES\n1\nroot 0 0 0 1 2 3\nb 4\n2\nroot 0 0 0 1 2 3\nb 5\n",
    "skm": b'mSkMotion\nname "a"\nchannels 1\nb Quat\nframes 1\nkt 0.0 fr 0 0 0\n',
}


@pytest.mark.slow
def test_no_input_gives_a_foreign_exception(tmp_path: Path) -> None:
    if importlib.util.find_spec("atheris") is None:
        pytest.skip("atheris is not installed: pip install atheris to fuzz with coverage")
    for name, seed in SEEDS.items():
        (tmp_path / name).write_bytes(seed)
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "-runs=40000", "-max_total_time=240", "-rss_limit_mb=1024", str(tmp_path)],
        capture_output=True, text=True, timeout=400, cwd=tmp_path, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
