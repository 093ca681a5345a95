"""Characters in real time over HTTP, WebSocket and OSC."""

from mummer.live.host import Host
from mummer.live.server import Hall, make_app, serve
from mummer.live.world import Beat, World

__all__ = ["Beat", "Hall", "Host", "World", "make_app", "serve"]
