"""A link cannot put anything but plain text on a page, and the server hands out no file of the project."""

import http.client
import re
from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import expect

from pages.components.chart import ROUTE, SCRIPT
from pages.parameters import MOST_COMPLAINTS
from tests.browser.conftest import ROOT
from tests.test_hostile_links import OWN

SMALL = "horizon=20&k=5&runs=2"
TEXTS = (  # messages quote up to 40 characters
    "<img src=x onerror=hit=1> **b** `c` $x$",
    "[x](javascript:hit=1) :red[x] :heart:",
    ":material/home: a@a.example www.a.ex",
    "<script>hit=1</script> https://a.example",
)
PATHS = {"one_run": "/one-run", "history": "/rich-history", "theory": "/theory", "paper": "/paper-figures",
         "rivals": "/rivals", "lab": "/simulation-lab", "start": "/"}  # fmt: skip
COMMON = ("pin", "sweep", "link", "ask", "items")
MARKUP = "img, script, strong, em, a, code, .katex, svg, [data-testid=stIconMaterial], [class*=Badge], span"


def alerts(page) -> list[str]:
    """The text of every message, without the characters of no width."""
    found = page.locator("[data-testid=stAlertContentWarning] [data-testid=stMarkdownContainer]")
    return [text.replace("\u2060", "") for text in found.all_inner_texts()]


@pytest.mark.parametrize("name", PATHS)
def test_text_of_a_link_is_shown_as_it_is(visit, name):
    names = (*(parameter.name for parameter in OWN[name]), *COMMON)[:MOST_COMPLAINTS]
    texts = dict(zip(names, TEXTS * 2, strict=False))
    query = "&".join(f"{parameter}={quote(text)}" for parameter, text in texts.items())
    page = visit(f"{PATHS[name]}?{SMALL}&{query}")
    messages = page.locator("[data-testid=stAlertContentWarning]")
    expect(messages).to_have_count(len(texts))
    assert messages.locator("p").locator(MARKUP).count() == 0
    shown = " ".join(alerts(page))
    for text in texts.values():
        assert text in shown
    assert page.evaluate("window.hit") is None


def ask(server: str, path: str, method: str = "GET", **headers: str) -> tuple[int, bytes, dict[str, str]]:
    """What the server answers to exactly this path."""
    connection = http.client.HTTPConnection(urlsplit(server).netloc, timeout=20)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    found = answer.status, answer.read() if answer.status != 101 else b"", dict(answer.getheaders())
    connection.close()
    return found


FILES = ("app.py", "pages/lab/page.py", "README.md", ".streamlit/config.toml", "roam_core/__init__.py", ".git/config")
WAYS = ("/{}", "/../{}", "/%2e%2e/{}", "/..%2f{}", "/assets/{}", "/assets/../{}", "/assets/%2e%2e/{}", "/static/{}",
        "/static/../{}", "/static/..%2f..%2f{}", "/app/static/{}", "/app/static/../{}", "/component/roam_chart/{}",
        "/component/roam_chart/../../{}", "/_stcore/bidi-components/roam_chart/{}", "/media/{}", "/media/..%2f{}",
        "/_stcore/{}", "//{}", "/simulation-lab/{}", "/./{}")  # fmt: skip


@pytest.mark.parametrize("file", FILES)
def test_the_server_hands_out_no_file_of_the_project(server, file):
    secret = (ROOT / file).read_bytes() if (ROOT / file).is_file() else b"[core]"
    line = max(secret.splitlines(), key=len)
    for way in WAYS:
        status, body, _ = ask(server, way.format(file))
        assert line not in body, (way, status)
        assert status >= 300 or b"<title>Streamlit</title>" in body, (way, status)


def test_the_plotting_script_is_the_only_file_added(server):
    status, body, headers = ask(server, ROUTE)
    assert status == 200
    assert body == SCRIPT.read_bytes()
    assert headers["content-type"].startswith("text/javascript")
    assert ask(server, ROUTE, "POST")[0] == 405


def test_another_site_can_neither_read_nor_connect(server):
    foreign = "https://elsewhere.example"
    for path in ("/", "/_stcore/health", "/_stcore/host-config", ROUTE):
        _, _, headers = ask(server, path, Origin=foreign)
        allowed = {name.lower(): value for name, value in headers.items()}.get("access-control-allow-origin")
        assert allowed not in ("*", foreign), path
    handshake = {
        "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }  # fmt: skip
    assert ask(server, "/_stcore/stream", **handshake, Origin=server)[0] == 101
    assert ask(server, "/_stcore/stream", **handshake, Origin=foreign)[0] == 403


def test_nothing_can_be_uploaded(server):
    assert ask(server, "/_stcore/upload_file/session/file", "PUT")[0] in (400, 403, 404, 405)
    assert re.match("4..", str(ask(server, "/_stcore/upload_file/session/file", "POST")[0]))
