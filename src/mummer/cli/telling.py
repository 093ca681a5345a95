"""What commands say: one object for programs, the findings of a report for people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import typer

from mummer.report import Finding

LONGEST = 1000
"""Letters of a line where no terminal bounds it."""


def say_json(facts: dict[str, Any]) -> None:
    """Print plain data as one line of JSON."""
    import msgspec

    typer.echo(msgspec.json.encode(facts).decode())


def finding_rows(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """Findings as plain data."""
    return [{"kind": finding.kind, "message": finding.message, "count": finding.count} for finding in findings]


def say_findings(findings: Iterable[Finding]) -> None:
    """Print findings, indented, one a line."""
    for finding in findings:
        typer.echo(f"  {finding}")
