"""Streamlit's own scripts, styles and fonts: read and compressed once, then sent from memory.

A first visit fetches about a hundred of them. Streamlit reads each from the disk for every visitor and sends it as it
is: seconds for a class that arrives together, and more bytes than need be through a lecture hall's network. Their names
contain a hash of what is in them, so what was sent once can be sent again. What is kept is for everybody: it is read to
its end also if the visitor who asked first goes away meanwhile, and a file that came in part is not kept.
"""

import asyncio
import gzip
import re
from collections.abc import Callable
from dataclasses import dataclass

from starlette.datastructures import Headers

from pages.plotting_script import Message, Send

HASHED = re.compile(r"(/[\w.-]+)*/static/(js|css|media)/[\w.-]+")  # a path below which nothing ever changes
ROOM = 64_000_000  # bytes that are kept at most
SHRINKS = ("text/", "application/javascript", "application/json", "image/svg")
HANDED_ON = (b"content-type", b"cache-control", b"etag", b"last-modified")


@dataclass(frozen=True)
class File:
    """What is sent for a path."""

    headers: list[tuple[bytes, bytes]]
    body: bytes


class KeptFiles:
    """Middleware around the server: it is asked for each file once."""

    def __init__(self, app: Callable):
        self.app = app
        self.kept: dict[str, File] = {}
        self.room = ROOM
        self.under_way: dict[str, asyncio.Lock] = {}

    async def __call__(self, scope: Message, receive: Callable, send: Send) -> None:
        if not _may_be_kept(scope):
            await self.app(scope, receive, send)
            return
        path = scope["path"]
        if path not in self.kept:
            async with self.under_way.setdefault(path, asyncio.Lock()):  # a class wants the same file at once
                try:
                    if path not in self.kept and not await self._keep(scope, send):
                        return
                finally:
                    self.under_way.pop(path, None)
        file = self.kept[path]
        await send({"type": "http.response.start", "status": 200, "headers": file.headers})
        await send({"type": "http.response.body", "body": file.body})

    async def _keep(self, scope: Message, send: Send) -> bool:
        """Ask the server for a file and keep it; where that cannot be, hand on what it says."""
        messages: list[Message] = []

        async def take(message: Message) -> None:
            messages.append(message)

        async def nobody_leaves() -> Message:
            return await asyncio.Event().wait()

        await self.app(scope, nobody_leaves, take)
        body = b"".join(message.get("body", b"") for message in messages)
        if _is_whole(messages, body) and len(body) <= self.room:
            self.room -= len(body)
            self.kept[scope["path"]] = await asyncio.to_thread(_file, messages[0]["headers"], body)
            return True
        for message in messages:
            await send(message)
        return False


def _may_be_kept(scope: Message) -> bool:
    """A whole file with a hash in its name, for somebody who takes it compressed."""
    if scope["type"] != "http" or scope["method"] != "GET" or not HASHED.fullmatch(scope["path"]):
        return False
    headers = Headers(raw=scope["headers"])
    asks_for_less = any(name in headers for name in ("range", "if-none-match", "if-modified-since"))
    return "gzip" in headers.get("accept-encoding", "") and not asks_for_less


def _is_whole(messages: list[Message], body: bytes) -> bool:
    """Whether this is a file as it lies on the disk, from its beginning to its end."""
    if messages[0]["status"] != 200 or messages[-1].get("more_body", False):
        return False
    headers = Headers(raw=messages[0]["headers"])
    if "content-encoding" in headers or headers.get("content-type", "").startswith("text/html"):
        return False  # a page that stands for whatever is not there
    return int(headers.get("content-length", len(body))) == len(body)


def _file(headers: list[tuple[bytes, bytes]], body: bytes) -> File:
    """A server's answer, compressed where that makes it smaller."""
    handed_on = [(name, value) for name, value in headers if name in HANDED_ON]
    if Headers(raw=headers).get("content-type", "").startswith(SHRINKS) and len(small := gzip.compress(body)) < len(
        body
    ):
        body = small
        handed_on.append((b"content-encoding", b"gzip"))
    return File([*handed_on, (b"content-length", str(len(body)).encode()), (b"vary", b"accept-encoding")], body)
