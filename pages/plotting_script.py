"""The plotting script that charts need, 4.8 MB of it: compressed once, and on its way before the first chart asks.

It is plotly.py's own copy, so that nothing comes from another host. `HeadStart` puts it into the page that a visitor's
browser fetches first, beside Streamlit's own scripts: it is fetched and run while the session begins.
"""

import gzip
from collections.abc import Awaitable, Callable, MutableMapping
from functools import cache
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response

from pages.components.chart import ROUTE, SCRIPT

KEPT = "public, max-age=86400"  # by browsers
EARLY = f'<script async src=".{ROUTE}" onerror="this.remove()"></script></head>'.encode()

Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]


@cache
def compressed() -> bytes:
    """The script as browsers take it."""
    return gzip.compress(SCRIPT.read_bytes(), mtime=0)


def plotting_script(request: Request) -> Response:
    """Answer a browser that wants the script. A plain function: Starlette calls it beside its event loop."""
    headers = {"Cache-Control": KEPT}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(SCRIPT.read_bytes(), media_type="text/javascript", headers=headers)
    return Response(
        compressed(),
        media_type="text/javascript",
        headers=headers | {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"},
    )


class HeadStart:
    """Middleware around the server: whoever fetches a page gets the script along with it."""

    def __init__(self, app: Callable):
        self.app = app

    async def __call__(self, scope: Message, receive: Callable, send: Send) -> None:
        wants_page = scope["type"] == "http" and scope["method"] == "GET" and _accepts_html(scope)
        if not wants_page:
            await self.app(scope, receive, send)
            return
        # A page is small. It must come as it is, because something is put into it.
        headers = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
        await self.app({**scope, "headers": headers}, receive, _Answer(send).take)


class _Answer:
    """What the server answers, with the script in it if it is a page."""

    def __init__(self, send: Send):
        self.send = send
        self.start: Message | None = None  # of a page whose text is not complete yet
        self.text = b""

    async def take(self, message: Message) -> None:
        """One message of the answer."""
        if message["type"] == "http.response.start" and _is_page(message):
            self.start = message
        elif self.start and message["type"] == "http.response.body":
            self.text += message.get("body", b"")
            if not message.get("more_body", False):
                await self._send_page(self.start)
        else:
            await self.send(message)

    async def _send_page(self, start: Message) -> None:
        page = self.text.replace(b"</head>", EARLY, 1)
        headers = MutableHeaders(raw=start["headers"])
        headers["Content-Length"] = str(len(page))
        headers["Link"] = f"<.{ROUTE}>; rel=preload; as=script"
        await self.send(start)
        await self.send({"type": "http.response.body", "body": page})


def _accepts_html(scope: Message) -> bool:
    return "text/html" in Headers(raw=scope["headers"]).get("accept", "")


def _is_page(start: Message) -> bool:
    return start["status"] == 200 and Headers(raw=start["headers"]).get("content-type", "").startswith("text/html")
