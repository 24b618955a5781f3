"""What may go wrong in an hour of class: the page goes on, and nobody restarts anything."""

import os
import re
import signal
import time
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PATIENCE, ROOT, running_server
from tests.classroom import family, processor_time

RUNS = 70
BUSY = f"/simulation-lab?runs={RUNS}&k=500&algorithm=colstim&seed="  # some seconds of work for both workers


def workers(process) -> list[int]:
    """The server's worker processes: those that have a thread of the engine's, not the resource tracker."""
    lines = {pid: Path(f"/proc/{pid}/cmdline").read_bytes() for pid in family(process.pid)[1:]}
    return [pid for pid, line in lines.items() if b"spawn_main" in line]


def started(page):
    """Wait until some runs are there, but not all."""
    page.wait_for_function("document.querySelectorAll('.roam-chart')[0]?.data?.length > 0")
    return page


def finished(page):
    expect(page.get_by_text(f"{RUNS} of {RUNS} runs")).to_be_visible()
    assert page.get_by_test_id("stException").count() == 0


def test_a_killed_worker_costs_nothing_but_time(visit, server_process):
    page = started(visit(BUSY + "1"))
    before = workers(server_process[1])
    assert before
    os.kill(before[0], signal.SIGKILL)
    finished(page)
    now = workers(server_process[1])
    assert len(now) == os.cpu_count()
    assert before[0] not in now


def test_a_page_reloaded_while_it_computes_goes_on(visit):
    page = started(visit(BUSY + "2"))
    page.reload()
    finished(page)


def test_a_dropped_connection_comes_back_with_the_same_view(visit, server, chromium):
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    sockets = []

    def through(route):
        route.connect_to_server()
        sockets.append(route)

    page.route_web_socket(re.compile("_stcore/stream"), through)
    page.goto(server + "/simulation-lab?horizon=200&k=100&runs=30&d=3")
    expect(page.get_by_text("30 of 30 runs")).to_be_visible()
    sockets[-1].close()
    page.wait_for_timeout(500)
    expect(page.get_by_role("slider").first).to_be_enabled()
    page.get_by_role("slider").first.press("ArrowRight")
    page.wait_for_url(re.compile("d=4"))
    expect(page.get_by_text("30 of 30 runs")).to_be_visible()
    assert len(sockets) > 1
    context.close()


def test_work_is_dropped_when_the_browser_is_closed(visit, server_process):
    """Counted in the workers' own time, as a busy machine may give them little: minutes of work are asked for, and
    after the browser has gone no more than half a second a core is spent on it. Forgetting a visitor who only stopped
    looking takes six times as long."""
    before = spent(server_process[1])
    page = started(visit("/simulation-lab?runs=2000&k=500&algorithm=colstim&seed=3"))
    until(lambda: spent(server_process[1]) > before + 0.5)
    closing = spent(server_process[1])
    page.context.close()
    until(lambda: at_rest(server_process[1]))
    assert spent(server_process[1]) - closing < 0.5 * os.cpu_count()


def spent(process) -> float:
    """Seconds of processor time that the workers have used."""
    return sum(processor_time(pid) for pid in workers(process))


def at_rest(process) -> bool:
    """Whether the workers do nothing for a second."""
    before = spent(process)
    time.sleep(1.0)
    return spent(process) - before < 0.03


def until(condition, seconds: float = 60.0) -> None:
    """Wait for a condition, but not for ever."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come true"
        time.sleep(0.05)


def test_the_server_needs_no_place_to_write(chromium):
    """Home and temporary directory cannot be written to, as when the disk is full."""
    nowhere = "/proc/nowhere"
    settings = {"HOME": nowhere, "TMPDIR": nowhere, "PYTHONDONTWRITEBYTECODE": "1"}
    with running_server(**settings) as (address, _):
        page = chromium.new_context().new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(address + "/simulation-lab?horizon=200&k=100&runs=30")
        expect(page.get_by_text("30 of 30 runs")).to_be_visible()
        page.context.close()


@pytest.mark.parametrize("folder", ["pages", "roam_core"])
def test_no_code_reads_the_clock_on_the_wall(folder):
    """Durations come from a clock that nobody can set: the one on the wall may jump."""
    for path in (ROOT / folder).rglob("*.py"):
        assert not re.search(r"\btime\.time\(|datetime\.now\(", path.read_text(encoding="utf-8")), path
