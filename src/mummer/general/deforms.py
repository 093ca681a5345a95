"""Deforms: hands, mouths, lids and faces that open, close and speak, by joints or by morphs."""

from __future__ import annotations

from mummer.clip import Frames

DEFORMS = ("open", "blink", "smile", "frown", "brow_up", "brow_down", "droop")


def deform_frames(intent: object, frames: Frames) -> None:
    """Open and close what should be, in place."""
