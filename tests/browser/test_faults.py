"""What may go wrong in an hour of class: the page goes on, and nobody restarts anything."""

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import TimeoutError, expect

from roam_core.executors import cores
from tests.browser.conftest import PATIENCE, ROOT, running_server
from tests.classroom import family, processor_time

pytestmark = pytest.mark.fault
RUNS = 60
BUSY = f"/simulation-lab?runs={RUNS}&k=500&horizon=500&algorithm=colstim&seed="  # some seconds of work for both workers
SMALL = "horizon=200&k=100&runs=30"


def workers(process) -> list[int]:
    """The server's worker processes."""
    found = []
    for pid in family(process.pid)[1:]:
        with suppress(OSError):  # it has ended
            found += [pid] if b"pages.board.worker" in Path(f"/proc/{pid}/cmdline").read_bytes() else []
    return found


def kill(pids) -> None:
    """End processes at once; one may have ended by itself."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


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
    kill(before[:1])
    finished(page)
    until(lambda: len(workers(server_process[1])) == cores())
    assert before[0] not in workers(server_process[1])


def test_all_workers_killed_twice_cost_nothing_but_time(visit, server_process):
    page = started(visit(BUSY + "4"))
    before = workers(server_process[1])
    kill(before)
    until(lambda: set(workers(server_process[1])) - set(before))
    kill(set(workers(server_process[1])) - set(before))  # those that are starting in their place
    finished(page)
    expect(page.get_by_text("Slower than usual")).to_be_hidden()


def test_without_workers_the_page_says_so_computes_and_offers_to_try_again(context, tmp_path):
    """Every worker dies as it starts, until the file that makes it so is gone."""
    reason = tmp_path / "sitecustomize.py"
    reason.write_text(
        'import os, sys\nif "pages.board.worker" in sys.orig_argv: os._exit(1)\n',
        encoding="utf-8",
    )
    with running_server(PYTHONPATH=str(tmp_path)) as (address, process):
        page = context.new_page()
        began = time.monotonic()
        page.goto(f"{address}/simulation-lab?{SMALL}")
        expect(page.get_by_text("Slower than usual")).to_be_visible()
        said = time.monotonic() - began
        expect(page.get_by_text("30 of 30 runs")).to_be_visible()
        assert workers(process) == []
        again = page.get_by_role("button", name="Start them again")
        expect(again).to_be_visible()
        reason.unlink()
        with suppress(TimeoutError):  # they may come back by themselves first, and then there is nothing to click
            again.click(timeout=5000)
        until(lambda: len(workers(process)) == cores())
        page.get_by_role("button", name="New seed").click()
        expect(page.get_by_text("Slower than usual")).to_be_hidden()
        expect(page.get_by_text("30 of 30 runs")).to_be_visible()
        page.close()
    print(f"said so after {said:.1f} s")


def test_it_computes_without_what_windows_lacks(context):
    """The server and its workers run with os, signal and imports as they are on Windows, for our own modules.

    This server is new: that its first visitor may come with a link to any page is tested here too.
    """
    settings = {"PYTHONPATH": str(ROOT / "tests/like_windows")}
    look = "import os; print(hasattr(os, 'nice'))"
    inside, outside = f"exec({look!r}, {{'__file__': {str(ROOT / 'pages/x.py')!r}}})", look
    for code, seen in ((inside, "False"), (outside, "True")):
        command = [sys.executable, "-c", code]
        shown = subprocess.run(command, env=os.environ | settings, capture_output=True, check=True, encoding="utf-8")
        assert shown.stdout.strip() == seen
    with running_server(**settings) as (address, process):
        page = context.new_page()
        page.goto(f"{address}/simulation-lab?{SMALL}")
        expect(page.get_by_text("30 of 30 runs")).to_be_visible()
        expect(page.get_by_role("slider").first).to_be_enabled()
        expect(page.get_by_text("Slower than usual")).to_be_hidden()
        assert len(workers(process)) == cores()
        page.get_by_role("slider").first.press("ArrowRight")
        page.wait_for_url(re.compile("d=6"))
        page.close()


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
    while len(sockets) < 2:
        page.wait_for_timeout(20)  # lets Playwright see what the page does
    expect(page.get_by_role("slider").first).to_be_enabled()
    page.get_by_role("slider").first.press("ArrowRight")
    page.wait_for_url(re.compile("d=4"))
    expect(page.get_by_text("30 of 30 runs")).to_be_visible()
    context.close()


def test_work_is_dropped_when_the_browser_is_closed(visit, server_process):
    """Counted in the workers' own time, as a busy machine may give them little: much work is asked for, and
    after the browser has gone no more than half a second a core is spent on it. Forgetting a visitor who only stopped
    looking takes six times as long."""
    before = spent(server_process[1])
    page = started(visit("/simulation-lab?runs=1000&algorithm=colstim&seed=3"))
    page.wait_for_function("/[1-9][0-9]+ of 1000 runs/.test(document.body.textContent)")  # it was drawn again
    until(lambda: spent(server_process[1]) > before + 0.5)
    closing = spent(server_process[1])
    page.close()
    until(lambda: at_rest(server_process[1]))
    assert spent(server_process[1]) - closing < 0.5 * cores()


def spent(process) -> float:
    """Seconds of processor time that the workers have used."""
    return sum(processor_time(pid) for pid in workers(process))


def at_rest(process) -> bool:
    """Whether the workers do nothing for half a second."""
    before = spent(process)
    time.sleep(0.5)
    return spent(process) - before < 0.015


def until(condition, seconds: float = 60.0) -> None:
    """Wait for a condition, but not for ever."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come true"
        time.sleep(0.05)


def test_the_server_needs_no_place_to_write(context):
    """Home and temporary directory cannot be written to, as when the disk is full."""
    nowhere = "/proc/nowhere"
    settings = {"HOME": nowhere, "TMPDIR": nowhere, "PYTHONDONTWRITEBYTECODE": "1"}
    with running_server(**settings) as (address, _):
        page = context.new_page()
        page.goto(f"{address}/simulation-lab?{SMALL}")
        expect(page.get_by_text("30 of 30 runs")).to_be_visible()
        page.close()


@pytest.mark.parametrize("folder", ["pages", "roam_core"])
def test_no_code_reads_the_clock_on_the_wall(folder):
    """Durations come from a clock that nobody can set: the one on the wall may jump."""
    for path in (ROOT / folder).rglob("*.py"):
        assert not re.search(r"\btime\.time\(|datetime\.now\(", path.read_text(encoding="utf-8")), path
