"""How long a visitor waits, taken apart: `python -m tests.timeline`.

Starts the dashboard on 127.0.0.1 and drives Chromium on the same machine. First visits come with an empty cache. A
slider is moved with the keyboard; what happens next is seen from inside the browser: the message to the server leaves,
the server's script begins to answer, the data of the new first curve arrives, the curve is drawn. At last a class
arrives: thirty visitors at once fetch all that Chromium fetched, each over six connections as a browser does.
"""

import argparse
import asyncio
import re
import shutil
import statistics
import time
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, sync_playwright

from roam_core import Scenario, stream
from tests.browser.conftest import AT_REST, FLAGS, running_server

# Writes down in window.seen when things happen, in milliseconds since the page was asked for.
WATCH = """
window.seen = {};
const note = (what) => { window.seen[what] ??= performance.now(); };
let plotly;
const run = (made) => { note("script has run"); plotly = made; };
Object.defineProperty(window, "Plotly", { get: () => plotly, set: run });
new MutationObserver(() => {
  if (document.querySelector("[data-testid=stHeading]")) note("heading");
  if (document.querySelector(".roam-chart")) note("chart's place");
  if (document.querySelector(".st-key-chart_regret .scatterlayer .js-line")) note("first curve");
}).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ["class"] });
const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (...data) {
  if (!this.watched) {
    this.watched = true;
    this.addEventListener("message", () => note("first answer"));
  }
  note("message leaves");
  return send.apply(this, data);
};
"""
FETCHED = "performance.getEntriesByType('resource').find((one) => one.name.endsWith('plotly.min.js'))?.responseEnd"
FILES = "[location.pathname, ...performance.getEntriesByType('resource').map((one) => one.name)]"
# From here on: a new stamp is new data, and Plotly says when it has drawn.
AFRESH = """
() => {
  window.seen = {};
  const chart = document.querySelector(".st-key-chart_regret .roam-chart");
  let stamp = chart.roamStamp;
  const arrived = (next) => { window.seen["new data"] ??= performance.now(); stamp = next; };
  Object.defineProperty(chart, "roamStamp", { get: () => stamp, set: arrived, configurable: true });
  const drawn = () => { if (window.seen["new data"]) window.seen["new curve"] ??= performance.now(); };
  chart.on("plotly_afterplot", drawn);
  window.addEventListener("keydown", () => { window.seen.key = performance.now(); }, { capture: true, once: true });
}
"""
VISIT = ("heading", "chart's place", "script fetched", "script has run", "first curve")
SLIDER = ("message leaves", "first answer", "new data", "new curve")
CLASS, CONNECTIONS = 30, 6


def first_visit(browser: Browser, address: str) -> dict[str, float]:
    """Seconds from asking for the lab to what a visitor with an empty cache sees."""
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(WATCH)
    page.goto(f"{address}/simulation-lab")
    page.wait_for_function("window.seen['first curve']", timeout=60_000)
    seen = page.evaluate("window.seen") | {"script fetched": page.evaluate(FETCHED)}
    context.close()
    return {what: seen[what] / 1000 for what in VISIT}


def files(browser: Browser, address: str) -> list[str]:
    """The files that a first visit to the lab fetches, the page first; not the questions about the server's health."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}/simulation-lab")
    page.locator(".st-key-chart_regret .js-line").first.wait_for(state="attached")
    names = page.evaluate(FILES)
    context.close()
    paths = dict.fromkeys(urlsplit(name).path for name in names if name.startswith(("/", address)))
    return [path for path in paths if "_stcore/" not in path]


async def fetch(address: str, paths: list[str]) -> None:
    """Ask for files one after another over one connection, as a browser does, until none is left."""
    place = urlsplit(address)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    while paths:
        path = paths.pop(0)
        wish = f"GET {path} HTTP/1.1\r\nHost: {place.netloc}\r\nAccept: text/html\r\nAccept-Encoding: gzip\r\n\r\n"
        writer.write(wish.encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        if not head.startswith("http/1.1 200"):
            raise RuntimeError(f"{path}: {head[:40]}")
        await reader.readexactly(int(re.search(r"content-length: (\d+)", head)[1]))
    writer.close()


async def arrival(address: str, paths: list[str]) -> dict[str, float]:
    """One visitor: seconds until the page itself, and all that it needs, are there."""
    began = time.perf_counter()
    await fetch(address, paths[:1])
    page, left = time.perf_counter() - began, paths[1:]
    await asyncio.gather(*(fetch(address, left) for _ in range(CONNECTIONS)))
    return {"page itself": page, "with its scripts": time.perf_counter() - began}


async def arrivals(address: str, paths: list[str], visitors: int) -> list[dict[str, float]]:
    """All come at once."""
    return await asyncio.gather(*(arrival(address, paths) for _ in range(visitors)))


def moved(page: Page, key: str) -> dict[str, float]:
    """Seconds from a key on the slider of the exploration rounds to each part of what follows."""
    page.get_by_text("100 of 100 runs").wait_for(timeout=60_000)
    page.wait_for_function(AT_REST)
    page.evaluate(AFRESH)
    page.get_by_role("slider").nth(1).press(key)  # the first one is d
    page.wait_for_function("window.seen['new curve']", timeout=60_000)
    seen = page.evaluate("window.seen")
    return {what: (seen[what] - seen["key"]) / 1000 for what in SLIDER}


def first_batch() -> float:
    """Seconds that the first runs take the engine alone."""
    began = time.perf_counter()
    next(iter(stream(Scenario())))
    return time.perf_counter() - began


def report(title: str, rows: list[dict[str, float]]) -> None:
    """Print the medians, with the fastest and the slowest."""
    print(f"\n{title} ({len(rows)} times), seconds: median (fastest to slowest)")
    for what in rows[0]:
        values = sorted(row[what] for row in rows)
        print(f"  {what:24} {statistics.median(values):5.2f} ({values[0]:.2f} to {values[-1]:.2f})")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=7)
    times = parser.parse_args().times
    with running_server() as (address, _):
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
            first_visit(browser, address)  # the server has compiled and the workers have started
            visits = [first_visit(browser, address) for _ in range(times)]
            report("First visit to the lab, from asking for the page", visits)
            behind = [{"first curve": row["first curve"] - row["heading"]} for row in visits]
            report("First visit, from the heading", behind)
            page = browser.new_page()
            page.add_init_script(WATCH)
            page.goto(f"{address}/simulation-lab?tau=100")
            page.wait_for_function("window.seen['first curve']")
            report("A slider is moved", [moved(page, "ArrowRight") for _ in range(times)])
            paths = files(browser, address)
            browser.close()
        title = f"A class arrives at once, {len(paths)} files each"
        report(title, asyncio.run(arrivals(address, paths, CLASS)))
    report("The first runs alone, in one process", [{"first runs": first_batch()} for _ in range(3)])


if __name__ == "__main__":
    main()
