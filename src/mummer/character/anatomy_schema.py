"""The schema of an anatomy file: joints by name, so that a person can write it and a changed file still fits."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

VERSION = 1
Numbers3 = Annotated[list[float], msgspec.Meta(min_length=3, max_length=3)]
Numbers4 = Annotated[list[float], msgspec.Meta(min_length=4, max_length=4)]
Names = Annotated[list[str], msgspec.Meta(min_length=1)]


class LimbEntry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One ``[[limbs]]`` table.

    Attributes:
        name: unique within the body.
        kind: ``leg``, ``arm``, ``wing``, ``tail`` ...
        joints: from the spine to the tip; joints in between may be left out.
        side: found from where the limb lies if left out.
        rank: 0 for the foremost of its kind and side; found from where the limb lies if left out.
    """

    name: str
    kind: str
    joints: Names
    side: Literal["left", "right", "center"] | None = None
    rank: Annotated[int, msgspec.Meta(ge=0)] | None = None


class SocketEntry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One ``[[sockets]]`` table: a named place that moves with a joint."""

    name: str
    joint: str
    translation: Numbers3 = msgspec.field(default_factory=lambda: [0.0, 0.0, 0.0])
    rotation: Numbers4 = msgspec.field(default_factory=lambda: [0.0, 0.0, 0.0, 1.0])


class EvidenceEntry(msgspec.Struct, forbid_unknown_fields=True):
    """One ``[evidence.role]`` table: why a role was given."""

    confidence: Annotated[float, msgspec.Meta(ge=0, le=1)]
    reason: str


class AnatomyFile(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A whole file. Only ``version`` and ``kind`` must be there."""

    version: int
    kind: str
    front: Numbers3 = msgspec.field(default_factory=lambda: [0.0, 0.0, 1.0])
    up: Numbers3 = msgspec.field(default_factory=lambda: [0.0, 1.0, 0.0])
    ground: float | None = None
    bounds: Annotated[list[Numbers3], msgspec.Meta(min_length=2, max_length=2)] | None = None
    mirror: list[Annotated[list[str], msgspec.Meta(min_length=2, max_length=2)]] | None = None
    roles: dict[str, str] = {}
    capabilities: dict[str, list[str]] = {}
    groups: dict[str, list[str]] | None = None
    limbs: list[LimbEntry] = []
    sockets: list[SocketEntry] = []
    evidence: dict[str, EvidenceEntry] = {}


FIELDS: dict[str, tuple[str, ...]] = {
    "": AnatomyFile.__struct_fields__,
    "limbs": LimbEntry.__struct_fields__,
    "sockets": SocketEntry.__struct_fields__,
    "evidence": EvidenceEntry.__struct_fields__,
}
"""Which fields each table may have, for messages."""
