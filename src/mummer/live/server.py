"""The server: a world behind HTTP and WebSocket, on this machine only unless told otherwise.

Who asks must know the token, and pages of other origins are refused. All that comes in is bounded: the length of
messages, how many come in a second and how many wait; so is what waits to go out: who is slow misses frames, never
feedback, and who does not listen at all is let go.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import secrets
import socket
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import Any
from urllib.parse import urlsplit

from mummer.errors import InputError, MissingExtraError
from mummer.live import protocol
from mummer.live.host import Host
from mummer.live.protocol import encode, read_message
from mummer.live.world import Beat, World, is_refusal

MOST_CLIENTS = 200
MOST_FEEDBACK = 20_000
"""Messages that wait for one client; one more, and it is let go."""
MOST_A_SECOND, BURST = 100.0, 200.0
"""Messages that one client may send in a second, and at once after a pause."""
LOCAL = ("localhost", "127.0.0.1", "::1")


class Client:
    """Somebody who listens.

    Attributes:
        socket: where.
        every: of how many frames one is sent.
        texts: messages that wait to be sent, none of which is lost.
        frame: the newest poses, which replace older ones that were not sent in time.
    """

    def __init__(self, socket: Any, every: int) -> None:
        self.socket, self.every = socket, max(1, every)
        self.texts: deque[str | bytes] = deque()
        self.frame: bytes | None = None
        self.wake = asyncio.Event()
        self.lost = False
        self.tokens, self.counted = BURST, time.monotonic()

    def say(self, text: str | bytes) -> None:
        """Have a message sent."""
        if len(self.texts) >= MOST_FEEDBACK:
            self.lost = True
        else:
            self.texts.append(text)
        self.wake.set()

    def show(self, number: int, frame: bytes) -> None:
        """Have poses sent, unless newer ones come first."""
        if number % self.every == 0:
            self.frame = frame
            self.wake.set()

    def may_speak(self) -> bool:
        """Whether it has not said too much lately."""
        now = time.monotonic()
        self.tokens = min(BURST, self.tokens + (now - self.counted) * MOST_A_SECOND)
        self.counted = now
        self.tokens -= 1.0
        return self.tokens >= 0.0

    async def send(self) -> None:
        """Send what waits, until the end."""
        while not self.lost:
            await self.wake.wait()
            self.wake.clear()
            while self.texts:
                text = self.texts.popleft()
                await (self.socket.send_text(text) if isinstance(text, str) else self.socket.send_bytes(text))
            frame, self.frame = self.frame, None
            if frame is not None:
                await self.socket.send_bytes(frame)
        await self.socket.close(1013, "too much waits to be sent")


class Hall:
    """All who listen to a world.

    Attributes:
        world: what they see.
        host: who steps it.
        clients: who listens.
        token: who knows it may come in.
    """

    def __init__(
        self, world: World, *, token: str | None = None, origins: tuple[str, ...] = (), address: str = "127.0.0.1"
    ) -> None:
        self.world, self.origins, self.address = world, origins, address
        self.token = secrets.token_urlsafe(16) if token is None else token
        self.clients: set[Client] = set()
        self.loop: asyncio.AbstractEventLoop | None = None
        self.host = Host(world, self._beat)

    def knows(self, token: str) -> bool:
        """Whether somebody knows the token."""
        return not self.token or hmac.compare_digest(token.encode("utf-8", "replace"), self.token.encode())

    def admits(self, origin: str | None, host: str) -> bool:
        """Whether a page of some origin may speak to us: our own, those that were named, and what is no page at all."""
        named = {urlsplit(each).netloc for each in self.origins}
        try:
            hostname = urlsplit(f"//{host}").hostname or ""
            if hostname not in (*LOCAL, self.address) and host not in named:
                return False  # a name that was made to point here
            return not origin or origin in self.origins or urlsplit(origin).netloc == host
        except ValueError:
            return False

    def every(self, rate: str) -> int:
        """Of how many frames one goes to who wants ``rate`` a second."""
        try:
            wanted = min(max(float(rate or self.host.rate), 1.0), self.host.rate)
        except ValueError:
            wanted = self.host.rate
        return round(self.host.rate / wanted) if wanted == wanted else 1

    def _beat(self, beat: Beat) -> None:
        """Called in the thread of the host."""
        if self.loop is not None and not self.loop.is_closed():
            reports = [each.facts() for each in beat.feedback]
            text = encode({"type": "feedback", "reports": reports}).decode() if reports else ""
            with contextlib.suppress(RuntimeError):  # the loop is closing
                self.loop.call_soon_threadsafe(self._spread, beat, text)

    def _spread(self, beat: Beat, text: str) -> None:
        for client in self.clients:
            if text:
                client.say(text)
            for sound in beat.sounds:
                client.say(sound)
            client.show(beat.number, beat.frame)

    def hello(self) -> str:
        """The first message to everybody: who is there."""
        characters = [
            {
                "name": name, "number": self.world.numbers[name], "joints": list(performer.character.skeleton.names),
                "parents": performer.character.skeleton.parents.tolist(),
                "morphs": list(performer.character.morph_names), "body": f"body/{self.world.numbers[name]}.glb",
            }
            for name, performer in self.world.company.performers.items()
        ]  # fmt: skip
        things = {name: place for name, place in self.world.company.world.items() if isinstance(place, tuple)}
        facts = {"type": "hello", "version": protocol.VERSION, "rate": self.host.rate, "time": self.world.time}
        return encode({**facts, "characters": characters, "things": things}).decode()

    async def answer(self, data: str | bytes) -> dict[str, Any]:
        """What to say to a message that came in."""
        name: Any = None
        try:
            message = read_message(data)
            name = message.id
            reports, number = await asyncio.wrap_future(self.host.tell(message))
        except Exception as error:
            if not is_refusal(error):
                raise
            return {"type": "reply", "id": name, "ok": False, "error": " ".join(str(error).split())[:500]}
        warnings = [report.facts() for report in reports if report.kind == "warning"]
        return {"type": "reply", "id": name, "ok": True, "frame": number, "warnings": warnings}


def make_app(hall: Hall, *, page: Callable[[], str] | None = None, body: Callable[[Any], bytes] | None = None) -> Any:
    """The web application of a hall.

    Args:
        hall: who listens to what.
        page: gives the page that shows the world.
        body: gives a character as a .glb.
    """
    try:
        from starlette.applications import Starlette
        from starlette.responses import Response
        from starlette.routing import Route, WebSocketRoute
        from starlette.websockets import WebSocketDisconnect
    except ImportError:
        raise MissingExtraError("serve", "a server") from None

    bodies: dict[int, bytes] = {}

    def refused(request: Any) -> Any:
        """A refusal, or None."""
        if not hall.admits(request.headers.get("origin"), request.headers.get("host", "")):
            return Response("this origin is not admitted\n", 403)
        said = request.headers.get("authorization", "").removeprefix("Bearer ") or request.query_params.get("token", "")
        return None if hall.knows(said) else Response("the token is missing or wrong\n", 401)

    async def index(request: Any) -> Any:
        wrong = refused(request)
        if wrong is not None or page is None:
            return wrong or Response("mummer serves here; there is no page\n", 404)
        headers = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff"}
        return Response(page(), media_type="text/html", headers=headers)

    async def glb(request: Any) -> Any:
        wrong, number = refused(request), request.path_params["number"]
        names = {place: name for name, place in hall.world.numbers.items()}
        if wrong is not None or body is None or number not in names:
            return wrong or Response("nobody of that number is here\n", 404)
        if number not in bodies:
            character = hall.world.company.performers[names[number]].character
            bodies[number] = await asyncio.to_thread(body, character)
        return Response(bodies[number], media_type="model/gltf-binary")

    async def state(request: Any) -> Any:
        return refused(request) or Response(hall.hello(), media_type="application/json")

    async def post(request: Any) -> Any:
        wrong = refused(request)
        if wrong is not None:
            return wrong
        data = b""
        async for part in request.stream():
            data += part
            if len(data) > protocol.MOST_MESSAGE:
                return Response(f"more than {protocol.MOST_MESSAGE} bytes\n", 413)
        if request.url.path == "/bml":
            data = encode({"type": "bml", "text": data.decode("utf-8", "replace")})
        reply = await hall.answer(data)
        return Response(encode(reply), 200 if reply["ok"] else 400, media_type="application/json")

    async def live(socket: Any) -> None:
        admitted = hall.admits(socket.headers.get("origin"), socket.headers.get("host", ""))
        if not admitted or not hall.knows(socket.query_params.get("token", "")) or len(hall.clients) >= MOST_CLIENTS:
            await socket.close(1008)
            return
        await socket.accept()
        client = Client(socket, hall.every(socket.query_params.get("rate", "")))
        client.say(hall.hello())
        hall.clients.add(client)
        sender = asyncio.create_task(client.send())
        try:
            while True:
                message = await socket.receive()
                if message["type"] == "websocket.disconnect":
                    break
                data = message.get("text") or message.get("bytes") or ""
                reply = await hall.answer(data) if client.may_speak() else TOO_MUCH
                client.say(encode(reply).decode())
        except (WebSocketDisconnect, RuntimeError, OSError):
            pass
        finally:
            hall.clients.discard(client)
            sender.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await sender

    @contextlib.asynccontextmanager
    async def lifespan(app: Any) -> AsyncIterator[None]:  # noqa: ARG001
        hall.loop = asyncio.get_running_loop()
        hall.host.start()
        yield
        await asyncio.to_thread(hall.host.stop)

    routes = [
        Route("/", index), Route("/state", state), Route("/body/{number:int}.glb", glb),
        Route("/bml", post, methods=["POST"]), Route("/tell", post, methods=["POST"]), WebSocketRoute("/live", live),
    ]  # fmt: skip
    return Starlette(routes=routes, lifespan=lifespan)


TOO_MUCH = {"type": "reply", "id": None, "ok": False, "error": "too many messages; wait a little"}


def serve(
    hall: Hall,
    *,
    port: int,
    page: Callable[[], str] | None = None,
    body: Callable[[Any], bytes] | None = None,
    ready: Callable[[int], None] | None = None,
) -> None:
    """Serve until somebody interrupts it.

    Args:
        hall: who listens to what.
        port: of its address; 0 for any that is free.
        page: see `make_app`.
        body: see `make_app`.
        ready: called with the port when it serves.

    Raises:
        InputError: if everybody could come in without a token, or the port is taken.
    """
    if hall.address not in LOCAL and not hall.token:
        raise InputError(f"serving {hall.address} needs a token: leave --token out, or name one")
    app = make_app(hall, page=page, body=body)
    listening = listen(hall.address, port)
    if ready is not None:
        ready(listening.getsockname()[1])
    make_server(app).run(sockets=[listening])


def listen(address: str, port: int) -> socket.socket:
    """A socket that listens.

    Raises:
        InputError: if the port is taken.
    """
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    # Only of a socket that says that it is TCP does asyncio send small messages at once, not 40 ms later.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((address, port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        raise InputError(f"{address} port {port}: {error.strerror}; name another port") from None
    return listening


def make_server(app: Any) -> Any:
    """What serves an application, with limits on all that comes in."""
    import uvicorn

    config = uvicorn.Config(
        app, log_level="error", access_log=False, ws="websockets-sansio", ws_max_size=protocol.MOST_MESSAGE,
        ws_max_queue=16, ws_per_message_deflate=False, limit_concurrency=MOST_CLIENTS + 50, timeout_graceful_shutdown=2,
        timeout_keep_alive=10,
    )  # fmt: skip
    return uvicorn.Server(config)
