"""A real server and a real Chromium."""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect, sync_playwright

ROOT = Path(__file__).parents[2]
SHOTS = ROOT / "screenshots"
PATIENCE = 120_000  # milliseconds: a busy machine may take its time, and only a failure waits this long
expect.set_options(timeout=PATIENCE)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
COMPLAINT = re.compile("traceback|warning|error|exception|not found|went wrong", re.IGNORECASE)
# The page's script has ended: while it runs, Streamlit shows what it has not drawn again yet paler than it is.
AT_REST = "document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'"
FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def needs(program: str) -> str:
    """The path of a program that some tests drive. Without it they are skipped, but not in CI."""
    path = shutil.which(program) or shutil.which(program, path="/usr/sbin")
    if path is None:
        message = f"no {program} found: install it (Debian: apt-get install {program}) to run this test"
        pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
    return path


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens to."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def running_server(*options: str, root: Path = ROOT, may_log: str = "nothing at all", **environment: str):
    """The dashboard, started as the README says; yields its address and its process.

    At the end its log must be free of warnings and tracebacks, but for lines in which `may_log` is found.
    """
    port = free_port()
    here = ["--server.headless=true", "--server.address=127.0.0.1", f"--server.port={port}"]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", *here, *options]
    address = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, cwd=root, env=os.environ | environment, stdout=log, stderr=log)
        try:
            for _ in range(1500):
                try:
                    urllib.request.urlopen(f"{address}/_stcore/health", timeout=1)
                    break
                except OSError:
                    assert process.poll() is None, "the server ended"
                    time.sleep(0.02)
            yield address, process
        finally:
            process.terminate()
            process.wait(20)
            log.seek(0)
            lines = log.read().decode(errors="replace").splitlines()
    complaints = [line for line in lines if COMPLAINT.search(line) and not re.search(may_log, line)]
    assert complaints == [], "\n".join(lines)


@pytest.fixture(scope="session")
def server_process(tmp_path_factory):
    """The dashboard that all tests share: its address and its process. Its rooms are nobody else's."""
    with running_server(ROAM_ROOMS=str(tmp_path_factory.mktemp("rooms"))) as running:
        yield running


@pytest.fixture(scope="session")
def server(server_process):
    """The address of the dashboard."""
    return server_process[0]


@pytest.fixture(scope="session")
def chromium():
    """The system's Chromium, driven by Playwright."""
    path = shutil.which("chromium-browser") or shutil.which("google-chrome") or needs("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def context(chromium):
    """What all tabs share, above all what the browser has fetched once."""
    context = chromium.new_context(accept_downloads=True)
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@dataclass
class Tab:
    """A tab of the browser, with what it asked for elsewhere and what it complained of."""

    page: Page
    foreign: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


@pytest.fixture(scope="session")
def tabs():
    """Tabs that are used again: what a tab has compiled once is there at once the next time."""
    return []


@pytest.fixture
def visit(server, context, tabs):
    """Open a page: for the server that is a new visitor.

    At the end no request may have left this machine and no error been logged.
    """
    used: list[Tab] = []

    def new_tab() -> Tab:
        tab = Tab(context.new_page())
        own = (server, "data:", "blob:")
        tab.page.on("request", lambda r: tab.foreign.append(r.url) if not r.url.startswith(own) else None)
        tab.page.on("pageerror", lambda error: tab.errors.append(str(error)))
        # Streamlit looks for its own files beside the page first; a 404 of those is not ours.
        tab.page.on(
            "console", lambda m: tab.errors.append(m.text) if m.type == "error" and "404" not in m.text else None
        )
        return tab

    def open_page(path: str, width: int = 1280, scheme: str = "light") -> Page:
        tab = tabs.pop() if tabs else new_tab()
        used.append(tab)
        tab.page.set_viewport_size({"width": width, "height": 900})
        tab.page.emulate_media(color_scheme=scheme, reduced_motion="no-preference")
        tab.page.goto(server + path)
        return tab.page

    yield open_page
    foreign, errors = ([text for tab in used for text in getattr(tab, kind)] for kind in ("foreign", "errors"))
    for tab in used:
        if not tab.page.is_closed():
            tab.page.goto(f"{server}/_stcore/health")  # the visitor leaves
            tabs.append(tab)
        tab.foreign.clear()
        tab.errors.clear()
    assert foreign == []
    assert errors == []


def drawn_anew(page) -> None:
    """Wait until the browser has drawn what was changed."""
    page.evaluate(FRAMES)


def on_the_first_screen(page) -> None:
    """The charts of the first row are complete before one scrolls, on a projector of 1920 x 1080 at 150% zoom."""
    page.set_viewport_size({"width": 1280, "height": 720})
    page.wait_for_function(
        "() => { const boxes = [...document.querySelectorAll('.roam-chart')].map(c => c.getBoundingClientRect());"
        " const first = boxes.filter(box => box.top < boxes[0].bottom);"
        " return first.every(box => box.height >= 320 && box.bottom <= 720); }"
    )


def fits_every_screen(page, name: str) -> None:
    """Look at a page that is drawn on a phone, a laptop and a projector.

    With the variable SCREENSHOTS set, keep pictures of all of it in light and dark.
    """
    main = page.get_by_test_id("stMain")
    for width in (390, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        drawn_anew(page)
        # It may take the plots a moment to follow. A page that scrolls sideways fails here by taking too long.
        page.wait_for_function(
            "() => { const main = document.querySelector('[data-testid=stMain]');"
            " return main.clientWidth > 0 && main.scrollWidth <= main.clientWidth + 1; }"
        )
        if not os.environ.get("SCREENSHOTS"):
            continue
        SHOTS.mkdir(exist_ok=True)
        page.set_viewport_size({"width": width, "height": min(main.evaluate("node => node.scrollHeight") + 20, 6000)})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.wait_for_timeout(400)
            page.screenshot(path=SHOTS / f"{name}-{width}-{scheme}.png")
