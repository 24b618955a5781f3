"""Pages that sharpen while you watch: ask for results, draw what is there, wait for more, draw again."""

import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.parts import controls
from pages.parts.live import Work, board

REDRAW = 0.4  # seconds between two drawings at least, once there is a first curve
LOOK = 0.05  # seconds between two looks at a running simulation, unless there is news
PATIENCE = 0.7  # seconds the old curves stay before the page says that there are no new ones yet


@dataclass(frozen=True)
class Sight:
    """What there is of the work a page asked for, in the order it asked."""

    results: list[Any]
    failures: list[str]
    running: bool
    seconds: float = 0.0  # that the first one took, once it is complete

    @property
    def runs(self) -> list[int]:
        """Complete runs of each result."""
        return [result.runs for result in self.results]


def visitor() -> str:
    """A name for this session."""
    return st.session_state.setdefault("visitor", uuid.uuid4().hex)


def look(wanted: Sequence[Work]) -> Sight:
    """Ask for some work and see how far it is; whatever else this visitor asked for is dropped."""
    stopped, results = st.session_state.get("frozen") or (None, [])
    if stopped == list(wanted):
        board().look(visitor(), [])
        return Sight(results, [], False)
    once = list(dict.fromkeys(wanted))
    found = dict(zip(once, board().look(visitor(), once), strict=True))
    jobs, failures = [found[work] for work in wanted], [job.failure for job in found.values() if job.failure]
    return Sight([job.result for job in jobs], failures, not all(job.complete for job in jobs), jobs[0].seconds)


def wait_for_first(wanted: Sequence[Work]) -> Sight:
    """Wait a moment if there is no run yet: the first curve is on its way, and one drawing is better than two."""
    sight = look(wanted)
    if sight.running and not sight.runs[0]:
        _wait(wanted, sight, most=PATIENCE)
    return look(wanted)


def draw_again(wanted: Sequence[Work], drawn: Sight) -> None:
    """At the end of a page: wait until there is more to draw than what was drawn, then draw the page again."""
    if drawn.running:
        _wait(wanted, drawn, least=REDRAW if drawn.runs[0] else 0)
        st.rerun()


def _wait(wanted: Sequence[Work], drawn: Sight, least: float = 0.0, most: float = float("inf")) -> None:
    """Wait until more runs are complete, between `least` and `most` seconds; nothing goes to the browser meanwhile."""
    began, name = time.monotonic(), visitor()
    while True:
        now, waited = look(wanted), time.monotonic() - began
        if not now.running or waited >= most or (now.runs != drawn.runs and waited >= least):
            return
        board().wait(LOOK)
        try:
            # Reading the session lets Streamlit end this script when a control has been moved or the visitor has gone.
            _ = st.session_state.visitor
        except BaseException:
            board().leave(name, list(dict.fromkeys(wanted)))
            raise


def _waiting(others: int, before: int) -> str:
    """How busy the server is, where that matters."""
    if not others:
        return ""
    busy = "1 other is computing" if others == 1 else f"{others} others are computing"
    return f" {busy}: yours is number {before + 1} in line." if before else f" {busy} too."


def progress_row(wanted: Sequence[Work], sight: Sight, main: int | None = None) -> None:
    """How many runs are there of the first `main` results, and a way to stop that keeps them."""

    def stop() -> None:
        st.session_state.frozen = (list(wanted), look(wanted).results)

    results = sight.results[:main]
    done, total = sum(result.runs for result in results), sum(result.scenario.runs for result in results)
    with st.container(key="progress_row"):
        left, right = st.columns([6, 1], vertical_alignment="center")
    waiting = _waiting(*board().line(visitor())) if sight.running else ""
    stopped = "" if sight.running or done == total else "Stopped: "
    share = sum(result.progress for result in results) / len(results)
    left.progress(min(share, 1.0), text=f"{stopped}{done} of {total} runs.{waiting}")
    right.button("Stop", on_click=stop, disabled=not sight.running, width="stretch")
    for failure in sight.failures:
        st.error(f"This simulation failed. {controls.literal(failure)}")
