"""The plotting script is compressed once, and a page brings it along."""

import gzip
from contextlib import suppress

import pytest
from starlette.requests import Request

from pages.components.chart import ROUTE, SCRIPT
from pages.plotting_script import HeadStart, compressed, plotting_script

PAGE = b"<html><head><title>Page</title></head><body></body></html>"


def request(**headers: str) -> dict:
    """What a server hands on of a browser's request."""
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {"type": "http", "method": "GET", "path": "/", "headers": raw}


def answered(scope: dict, parts: list[bytes], kind: bytes = b"text/html; charset=utf-8", status: int = 200):
    """What a browser gets through the middleware from a server that answers with these parts, and what that saw."""
    sent, seen = [], []

    async def server(scope, receive, send):
        seen.append(scope)
        size = str(sum(map(len, parts))).encode()
        headers = [(b"content-type", kind), (b"content-length", size)]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        for n, part in enumerate(parts, start=1):
            await send({"type": "http.response.body", "body": part, "more_body": n < len(parts)})

    async def send(message):
        sent.append(message)

    with suppress(StopIteration):  # nothing in it waits: it is done at the first step, also beside a browser's loop
        HeadStart(server)(scope, None, send).send(None)
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return headers, b"".join(message.get("body", b"") for message in sent[1:]), seen[0]


@pytest.mark.parametrize("parts", [[PAGE], [PAGE[:20], PAGE[20:]], [PAGE[:30], PAGE[30:], b""]])
def test_a_page_brings_the_script_along(parts):
    headers, text, seen = answered(request(accept="text/html,*/*", accept_encoding="gzip, br"), parts)
    assert text.count(f'<script async src=".{ROUTE}"'.encode()) == 1
    assert text.index(b"<script") < text.index(b"</head>")
    assert int(headers["content-length"]) == len(text)
    assert headers["link"] == f"<.{ROUTE}>; rel=preload; as=script"
    assert "accept-encoding" not in dict(seen["headers"])  # else the page might come compressed


@pytest.mark.parametrize(
    ("scope", "kind", "status"),
    [
        (request(accept="*/*"), b"text/html", 200),
        (request(accept="text/html"), b"text/javascript", 200),
        (request(accept="text/html"), b"text/html", 304),
        (request(accept="text/html") | {"method": "POST"}, b"text/html", 200),
        (request(accept="text/html") | {"type": "websocket"}, b"text/html", 200),
    ],
)
def test_nothing_else_is_changed(scope, kind, status):
    headers, text, _ = answered(scope, [PAGE], kind, status)
    assert text == PAGE
    assert "link" not in headers


def test_the_script_is_plotlys_own_and_compressed_once():
    answer = plotting_script(Request(request(accept_encoding="gzip, deflate")))
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.body is compressed()
    assert gzip.decompress(answer.body) == SCRIPT.read_bytes()
    plain = plotting_script(Request(request()))
    assert "content-encoding" not in plain.headers
    assert plain.body == SCRIPT.read_bytes()
