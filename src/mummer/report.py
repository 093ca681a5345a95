"""What was found, repaired, guessed or left out while doing something: returned beside the result, never hidden."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

FindingKind = Literal["repaired", "guessed", "ignored", "missed", "refused", "unusual"]
"""``repaired``: wrong and safely mended. ``guessed``: not stated, a choice was made. ``ignored``: present but not used.
``missed``: wanted but not reached. ``refused``: asked for, but others need it more. ``unusual``: legal, but worth
knowing."""


@dataclass(frozen=True)
class Finding:
    """One thing worth telling.

    Attributes:
        kind: what was done about it.
        message: one sentence without a full stop.
        count: how often it was seen.
    """

    kind: FindingKind
    message: str
    count: int = 1

    def __str__(self) -> str:
        times = f" ({self.count}×)" if self.count > 1 else ""
        return f"{self.kind}: {self.message}{times}"


@dataclass(frozen=True)
class Report:
    """An ordered collection of findings, each message once with its count."""

    findings: tuple[Finding, ...] = ()

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def __bool__(self) -> bool:
        return bool(self.findings)

    def __str__(self) -> str:
        return "\n".join(str(finding) for finding in self.findings)

    def __repr__(self) -> str:
        return "\n  ".join([f"Report({len(self)} finding{'' if len(self) == 1 else 's'})", *map(str, self.findings)])

    def of(self, kind: FindingKind) -> tuple[Finding, ...]:
        """The findings of one kind."""
        return tuple(finding for finding in self.findings if finding.kind == kind)


@dataclass
class ReportBuilder:
    """Collects findings while work is going on; the same message is kept once and counted.

    Example:
        >>> builder = ReportBuilder()
        >>> builder.add("repaired", "weights did not sum to one", count=3)
        >>> str(builder.build())
        'repaired: weights did not sum to one (3×)'
    """

    most: int = 200
    _counts: dict[tuple[FindingKind, str], int] = field(default_factory=dict)

    def add(self, kind: FindingKind, message: str, *, count: int = 1) -> None:
        """Note ``message``; messages beyond the first ``most`` different ones are only counted."""
        key = (kind, message)
        if key not in self._counts and len(self._counts) >= self.most:
            key = ("unusual", "further findings were left out of this report")
        self._counts[key] = self._counts.get(key, 0) + count

    def add_all(self, findings: Iterable[Finding]) -> None:
        """Note what another report found."""
        for finding in findings:
            self.add(finding.kind, finding.message, count=finding.count)

    def build(self) -> Report:
        """The report of everything noted so far."""
        return Report(tuple(Finding(kind, text, count) for (kind, text), count in self._counts.items()))


def elided(text: str, width: int) -> str:
    """``text`` in at most ``width`` letters, its middle left out where it is longer: names often differ at their end.

    Example:
        >>> elided("a_long_walk_in_the_park_01.bvh", 17)
        'a_long_w…k_01.bvh'
    """
    if len(text) <= width:
        return text
    behind = (width - 1) // 2
    return f"{text[: width - 1 - behind]}…{text[len(text) - behind :]}"
