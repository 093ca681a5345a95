"""What a notebook shows of a body or a motion: the line that it prints as, and a picture."""

from __future__ import annotations

import base64
import html
import importlib
from typing import Any

from mummer.errors import MummerError


def shown(subject: Any) -> str:
    """The line and the picture, as HTML; the line alone where there is nothing to draw."""
    line = f"<pre>{html.escape(repr(subject))}</pre>"
    try:
        # By name, so that what is shown need not know what draws it.
        picture: bytes = importlib.import_module("mummer.render.saving").small_png(subject)
    except MummerError:
        return line
    return f'{line}<img src="data:image/png;base64,{base64.b64encode(picture).decode()}">'
