"""What somebody who waits sees: a bar on the terminal, gone when the work is done; nothing where nobody watches."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mummer.render.sheet import Progress

Say = Callable[[str], None]


@contextlib.contextmanager
def drawing(*, quiet: bool) -> Iterator[Progress | None]:
    """Tells how many pictures are drawn, and of how many."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("drawing")
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextlib.contextmanager
def waiting(*, quiet: bool) -> Iterator[Say]:
    """Tells in a word what is being done now, with a sign that it goes on."""
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status("") as status:
        yield status.update
