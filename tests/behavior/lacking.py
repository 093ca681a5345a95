"""Bodies that lack something."""

from __future__ import annotations

from dataclasses import replace

from mummer import zoo
from mummer.character import Character


def lacking(name: str, *capabilities: str) -> Character:
    """A body of the zoo of which nobody knows that it can do something."""
    body = zoo.body(name)
    assert body.anatomy is not None
    kept = {can: joints for can, joints in body.anatomy.capabilities.items() if can not in capabilities}
    return body.replace(anatomy=replace(body.anatomy, capabilities=kept))
