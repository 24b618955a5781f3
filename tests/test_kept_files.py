"""Streamlit's own files are read and compressed once."""

import asyncio
import gzip
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.responses import FileResponse

from pages import kept_files
from pages.kept_files import KeptFiles

SCRIPT = b"export const answer = 42; " * 100
PATH = "/static/js/index.Dorm_vYx-C.js"


class Server:
    """Answers every path with the same file, and counts how often it is asked."""

    def __init__(self, kind: bytes = b"text/javascript", status: int = 200):
        self.asked: list[str] = []
        self.start = {
            "type": "http.response.start",
            "status": status,
            "headers": [(b"content-type", kind), (b"set-cookie", b"one visitor's"), (b"cache-control", b"immutable")],
        }

    async def __call__(self, scope, receive, send):
        self.asked.append(scope["path"])
        await asyncio.sleep(0)
        await send(self.start)
        await send({"type": "http.response.body", "body": SCRIPT[:100], "more_body": True})
        await send({"type": "http.response.body", "body": SCRIPT[100:]})


def answers(server: Server, *scopes: dict) -> list[tuple[dict[str, str], bytes]]:
    """Headers and body that visitors get who ask at once, through one middleware."""

    async def one(kept: KeptFiles, scope: dict):
        sent = []

        async def send(message):
            sent.append(message)

        await kept(scope, None, send)
        headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        return headers, b"".join(message.get("body", b"") for message in sent[1:])

    async def all_at_once():
        kept = KeptFiles(server)
        together = await asyncio.gather(*(one(kept, scope) for scope in scopes))
        assert kept.under_way == {}
        return together

    with ThreadPoolExecutor(1) as beside:  # a browser test on this worker has a loop running
        return beside.submit(asyncio.run, all_at_once()).result()


def request(path: str = PATH, **headers: str) -> dict:
    """What a server hands on of a browser's request."""
    headers = {"accept_encoding": "gzip, br"} | headers
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {"type": "http", "method": "GET", "path": path, "headers": raw}


@pytest.mark.parametrize("path", [PATH, f"/below/a/path{PATH}", "/static/css/index.B3.css"])
def test_a_class_that_comes_at_once_has_a_file_read_once(path):
    server = Server()
    for headers, body in answers(server, *[request(path)] * 30):
        assert gzip.decompress(body) == SCRIPT
        assert headers["content-encoding"] == "gzip"
        assert headers["cache-control"] == "immutable"
        assert int(headers["content-length"]) == len(body) < len(SCRIPT)
        assert "set-cookie" not in headers
    assert server.asked == [path]


def test_a_font_is_kept_as_it_is():
    server = Server(b"font/woff2")
    for headers, body in answers(server, *[request("/static/media/Sans.Bs.woff2")] * 3):
        assert body == SCRIPT
        assert "content-encoding" not in headers
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "scope",
    [
        request("/"),
        request("/static/index.html"),
        request("/static/js/../../secret.js"),
        request("/_stcore/health"),
        request("/assets/plotly.min.js"),
        request(accept_encoding="identity"),
        request(range="bytes=0-9"),
        request(if_none_match="abc"),
        request() | {"method": "HEAD"},
    ],
)
def test_everything_else_is_the_servers(scope):
    server = Server()
    for headers, body in answers(server, scope, scope):
        assert body == SCRIPT
        assert headers["set-cookie"] == "one visitor's"
    assert len(server.asked) == 2


def test_what_is_not_there_is_not_kept():
    server = Server(status=404)
    assert all(body == SCRIPT for _, body in answers(server, *[request()] * 3))
    assert len(server.asked) == 3


def test_a_page_that_stands_for_what_is_not_there_is_handed_on_as_it_is():
    server = Server(b"text/html; charset=utf-8")
    server.start["headers"].append((b"content-encoding", b"gzip"))
    for headers, body in answers(server, *[request("/zz/static/js/no.js")] * 3):
        assert (headers["content-encoding"], body) == ("gzip", SCRIPT)
    assert len(server.asked) == 3


def test_what_is_kept_is_bounded(monkeypatch):
    monkeypatch.setattr(kept_files, "ROOM", len(SCRIPT))
    server = Server(b"font/woff2")
    paths = [f"/static/media/{n}.woff2" for n in (1, 2, 1, 2)]
    assert all(body == SCRIPT for _, body in answers(server, *map(request, paths)))
    assert sorted(server.asked) == sorted(["/static/media/1.woff2", "/static/media/2.woff2", "/static/media/2.woff2"])


def test_a_visitor_who_goes_away_leaves_no_half_of_a_file_to_the_others(tmp_path):
    file = tmp_path / "index.js"
    file.write_bytes(SCRIPT * 1000)

    async def gone():
        return {"type": "http.disconnect"}

    async def nothing(message):
        pass

    async def one_goes_the_other_stays() -> list[bytes]:
        kept, sent = KeptFiles(FileResponse(file)), []

        async def send(message):
            sent.append(message.get("body", b""))

        await kept(request(), gone, nothing)
        await kept(request(), None, send)
        return sent

    with ThreadPoolExecutor(1) as beside:
        sent = beside.submit(asyncio.run, one_goes_the_other_stays()).result()
    assert gzip.decompress(b"".join(sent)) == SCRIPT * 1000


@pytest.mark.parametrize("length", [None, len(SCRIPT) + 1])
def test_what_comes_in_part_is_not_kept(length):
    class Breaks(Server):
        async def __call__(self, scope, receive, send):
            self.asked.append(scope["path"])
            await send(self.start)
            await send({"type": "http.response.body", "body": SCRIPT, "more_body": length is None})

    server = Breaks()
    if length:
        server.start["headers"].append((b"content-length", str(length).encode()))
    answers(server, *[request()] * 2)
    assert len(server.asked) == 2
