"""Acclaim skeletons: bones become joints, and bad files say where they are bad."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mummer.character.derive import rest_positions
from mummer.errors import LimitError, MalformedFileError
from mummer.io import ReadLimits, load
from mummer.io.asf import read

ASF = b"""# made here
:version 1.10
:name stick
:root
   position 0 0 0
:bonedata
  begin
     id 1
     name thigh
     direction 0 -2 0
     length 4
     axis 0 0 90 XYZ
  end
  begin
     id 2
     name shin
     direction 0 0 1
     length 3
     axis 10 20 30 XYZ
  end
:hierarchy
  begin
    root thigh
    thigh shin
  end
"""


def test_bones_start_where_their_parents_end() -> None:
    body = read(ASF)
    unit = body.source.metres_per_unit if body.source else 0.0
    assert body.skeleton.names == ("root", "thigh", "shin", "shin_end")
    np.testing.assert_allclose(
        rest_positions(body.skeleton) / unit, [[0, 0, 0], [0, 0, 0], [0, -4, 0], [0, -4, 3]], atol=1e-9
    )


def test_a_file_is_known_by_its_content(tmp_path: Path) -> None:
    file = tmp_path / "stick.txt"
    file.write_bytes(ASF)
    assert load(file).skeleton.names[1] == "thigh"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b"direction 0 0 1", b"direction 0 x 1", "line 17: expected 3 finite numbers"),
        (b"direction 0 0 1", b"direction 0 1", "expected 3 finite numbers"),
        (b"direction 0 0 1", b"direction 0 1e308 1", "none beyond 1e"),
        (b"length 3", b"length", "expected 1 finite numbers"),
        (b"thigh shin", b"thigh shin foot", "'foot' is not in :bonedata"),
        (b"thigh shin\n", b"thigh shin\n    root shin\n", "hangs from two bones"),
        (b"axis 10 20 30 XYZ", b"axis 10 20 30 XXZ", "is no order of axes"),
        (b":hierarchy", b":nothing", "no bones under a root"),
    ],
)
def test_bad_files_say_what_is_wrong(old: bytes, new: bytes, message: str) -> None:
    with pytest.raises(MalformedFileError, match=message):
        read(ASF.replace(old, new))


def test_limits_are_kept() -> None:
    with pytest.raises(LimitError, match="more than 1 bones"):
        read(ASF, limits=ReadLimits(joints=1))


def test_a_real_one_stands_upright(data_dir: Path) -> None:
    body = load(data_dir / "characters/fairmotion/cmu_11.asf")
    heights = dict(zip(body.skeleton.names, rest_positions(body.skeleton)[:, 1], strict=True))
    assert heights["head"] > heights["thorax"] > heights["lfemur"] > heights["lfoot"]
    assert 1.2 < heights["head_end"] - heights["ltoes"] < 1.9
