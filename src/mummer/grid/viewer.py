"""The viewer: the built page code that ships with the package, and single pages made with it."""

from __future__ import annotations

import base64
import gzip
import html as escaping
import os
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

from mummer.atomic import write_text
from mummer.character import Character
from mummer.errors import MissingExtraError, MummerError
from mummer.grid.pack import as_glb
from mummer.io.files import Recordable

FOLDER = "page"
HOW_TO_BUILD = "the viewer is not built; run `make web`"


class ViewerMissingError(MummerError):
    """The code of the page was not built."""


def script() -> str:
    """The code of the page.

    Raises:
        ViewerMissingError: if it was not built, with how to.
    """
    return _asset("viewer.js")


def style() -> str:
    """The style sheet of the page; see `script`."""
    return _asset("viewer.css")


def _asset(name: str) -> str:
    file = resources.files("mummer.grid").joinpath(FOLDER, name)
    if not file.is_file():
        raise ViewerMissingError(HOW_TO_BUILD)
    return file.read_text("utf-8")


def html(title: str, *parts: str) -> str:
    """A page of that title; ``parts`` bring the style, the data and the code, in this order."""
    head = [
        "<!doctype html>",
        '<html lang="en">',
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="dark light">',
        f"<title>{escaping.escape(title)} · mummer</title>",
        '<link rel="icon" href="data:,">',
        '<body><div id="app"></div>',
    ]
    return "\n".join([*head, *parts, ""])


def view_page(character: Character) -> str:
    """A single page that shows a character and its recordings, with everything inside.

    Raises:
        MissingExtraError: if its surface is compressed and what decodes it is not installed.
    """
    if any("needs the extra 'compressed'" in finding.message for finding in character.report):
        raise MissingExtraError("compressed", f"showing the meshes of {character.name!r}, which Draco compressed,")
    content = base64.b64encode(gzip.compress(as_glb(character), 6, mtime=0)).decode()
    data = msgspec.json.encode({"title": character.name, "file": content}).decode()
    scripts = [f"<script>{_inside(code)}</script>" for code in (f"window.mummerView = {data}", script())]
    return html(character.name, f"<style>{style()}</style>", *scripts)


def live_page() -> str:
    """The page of `mummer serve`, which shows what the server sends it."""
    scripts = [f"<script>{_inside(code)}</script>" for code in ("window.mummerLive = true", script())]
    return html("live", f"<style>{style()}</style>", *scripts)


def _inside(code: str) -> str:
    """Code that may stand inside a page: nothing in it ends the element early."""
    return code.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def save_page(subject: Character | Recordable, path: str | os.PathLike[str], **options: Any) -> None:
    """Write a page that shows a character and its recordings, or a clip on its body.

    Args:
        subject: a character, or a clip.
        path: of the page.
        options: of `mummer.clip.Clip.to_recording`, for a clip.
    """
    if not isinstance(subject, Character):
        subject = subject.body.with_recordings(subject.to_recording(**options), only=True)
    write_text(Path(path), view_page(subject))
