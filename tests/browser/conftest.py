"""A real server and a real Chromium."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

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
def running_server(*options: str, **environment: str):
    """The dashboard, started as the README says; yields its address and its process."""
    port = free_port()
    here = ["--server.headless=true", "--server.address=127.0.0.1", f"--server.port={port}"]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", *here, *options]
    process = subprocess.Popen(command, cwd=ROOT, env=os.environ | environment)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(150):
            try:
                urllib.request.urlopen(f"{address}/_stcore/health", timeout=1)
                break
            except OSError:
                assert process.poll() is None, "the server ended"
                time.sleep(0.2)
        yield address, process
    finally:
        process.terminate()
        process.wait(20)


@pytest.fixture(scope="session")
def server_process():
    """The dashboard that all tests share: its address and its process."""
    with running_server() as running:
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


@pytest.fixture
def visit(server, chromium):
    """Open a page in a fresh context; at the end no request may have left this machine and no error been logged."""
    contexts, foreign, errors = [], [], []

    def open_page(path: str, width: int = 1280, scheme: str = "light"):
        context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on(
            "request", lambda r: foreign.append(r.url) if not r.url.startswith((server, "data:", "blob:")) else None
        )
        page.on("pageerror", lambda error: errors.append(str(error)))
        # Streamlit looks for its own files beside the page first; a 404 of those is not ours.
        page.on("console", lambda m: errors.append(m.text) if m.type == "error" and "404" not in m.text else None)
        page.goto(server + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert foreign == []
    assert errors == []


def fits_every_screen(page, name: str) -> None:
    """Look at a page that is drawn on a phone, a laptop and a projector.

    With the variable SCREENSHOTS set, keep pictures of all of it in light and dark.
    """
    main = page.get_by_test_id("stMain")
    for width in (390, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(400)
        assert main.evaluate("node => node.scrollWidth <= node.clientWidth + 1"), f"{width} px: it scrolls sideways"
        if not os.environ.get("SCREENSHOTS"):
            continue
        SHOTS.mkdir(exist_ok=True)
        page.set_viewport_size({"width": width, "height": min(main.evaluate("node => node.scrollHeight") + 20, 6000)})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.wait_for_timeout(400)
            page.screenshot(path=SHOTS / f"{name}-{width}-{scheme}.png")
