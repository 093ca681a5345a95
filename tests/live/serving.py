"""A server in a thread of its own, on the loopback, for tests and studies."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from typing import Any

from mummer.live import Hall, World, make_app
from mummer.live.server import listen, make_server


@contextlib.contextmanager
def serving(world: World, **options: Any) -> Iterator[tuple[Hall, str]]:
    """The hall of a world that is served meanwhile, and where: ``127.0.0.1:12345``."""
    pages = {name: options.pop(name) for name in ("page", "body") if name in options}
    hall = Hall(world, **options)
    server = make_server(make_app(hall, **pages))
    listening = listen("127.0.0.1", 0)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    until = time.monotonic() + 30
    while not server.started:
        assert time.monotonic() < until
        time.sleep(0.01)
    try:
        yield hall, f"127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(15)
        listening.close()
