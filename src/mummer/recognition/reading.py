"""What one name says about its joint."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Reading:
    """What one name says.

    Attributes:
        side: ``left``, ``right``, or empty if it names none.
        parts: part of the trunk or a limb to how much the name speaks for it, 0 to 1.
        meanings: every meaning found in the name, see `mummer.recognition.words`.
        numbers: the numbers in the name, in order.
        helper: whether the name is that of a control, a twist or roll joint, an end or a prop.
        key: the name without its side: partners have the same.
    """

    side: str = ""
    parts: dict[str, float] = field(default_factory=dict)
    meanings: frozenset[str] = frozenset()
    numbers: tuple[int, ...] = ()
    helper: bool = False
    key: str = ""

    def vote(self, *parts: str) -> float:
        """How much the name speaks for any of ``parts``: 1 fully, 0 not at all, -1 for another part instead."""
        best = max((self.parts.get(part, 0.0) for part in parts), default=0.0)
        if best > 0:
            return best
        return -1.0 if self.parts else 0.0

    @property
    def speaks(self) -> bool:
        """Whether the name says anything about a part."""
        return bool(self.parts or self.meanings - {"root", "end", "control"})


SILENT = Reading()
"""The reading of a joint that has no name worth reading."""
