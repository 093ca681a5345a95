"""Formats are told by content, and an extension that leads nowhere lists those that lead somewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from mummer.errors import UnknownFormatError
from mummer.io import formats


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("a.xyz", "a.xyz: cannot be written: no writer for '.xyz'; choose one of .glb, .vrm"),
        ("a.gbl", "no writer for '.gbl'; did you mean .glb? There are .glb, .vrm"),
        ("a.doc", "no writer for '.doc'; choose one of"),
        ("a.fbx", "Autodesk FBX is read, not written; choose one of"),
        ("a", "no writer for 'a name without extension'; choose one of"),
        ("a.pgn", "did you mean .png? There are"),
    ],
)
def test_wrong_extensions_list_the_choices(name: str, message: str) -> None:
    with pytest.raises(UnknownFormatError) as caught:
        formats.for_writing(Path(name), also=(".png",))
    assert message in str(caught.value)
    assert str(caught.value).endswith(".gltf, .png")


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b"# made\n:FULLY-SPECIFIED\n:DEGREES\n1\n", "amc"),
        (b":version 1.10\n:name a\n", "asf"),
        (b"\x02\x50" + bytes(510), "c3d"),
        (b"HIERARCHY\nROOT a", "bvh"),
        (b"# SKM\nSkMotion", "skm"),
    ],
)
def test_content_decides_whatever_the_name(head: bytes, name: str) -> None:
    assert formats.detect(head, Path("motion.txt")).name == name
