"""Pages that sharpen while you watch: ask for results, draw what is there, wait for more, draw again.

A session holds on to what it wants, never to results: those are the board's, which may forget them and compute them
again.
"""

import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.board.board import board
from pages.board.ledger import Line
from pages.board.works import Errand, Work
from pages.parts import controls

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
    trouble: str = ""  # why the server has no workers

    @property
    def runs(self) -> list[int]:
        """Complete runs of each result."""
        return [result.runs for result in self.results]


NOTHING = Sight([], [], False)


def visitor() -> str:
    """A name for this session."""
    return st.session_state.setdefault("visitor", uuid.uuid4().hex)


def look(wanted: Sequence[Work]) -> Sight:
    """Ask for some work and see how far it is; whatever else this visitor asked for is dropped."""
    once = list(dict.fromkeys(wanted))
    stopped = st.session_state.get("stopped") == once
    st.session_state.wanted = [] if stopped else once
    found = board().look(visitor(), st.session_state.wanted)
    by_work = {snapshot.work: snapshot for snapshot in (board().peek(once) if stopped else found)}
    snapshots = [by_work[work] for work in wanted]
    return Sight(
        results=[snapshot.result for snapshot in snapshots],
        failures=list(dict.fromkeys(snapshot.failure for snapshot in snapshots if snapshot.failure)),
        running=not stopped and not all(snapshot.complete for snapshot in snapshots),
        seconds=snapshots[0].seconds,
        trouble=board().trouble,
    )


def recall(works: Sequence[Work]) -> list[Any]:
    """What the board still has of some work, without asking for more of it."""
    return [snapshot.result for snapshot in board().peek(list(works))]


def compute(words: str, function: Callable, *arguments: Any) -> Any:
    """The value of a function, computed by a worker in its turn; `words` say what is being done if it takes a while.

    What else this visitor wants goes on meanwhile. The value is the board's and shared with others: do not change it.
    """
    errand = Errand(function, arguments)
    wanted = [errand, *st.session_state.get("wanted", [])]
    around = st.container()  # also if it stays empty: what follows keeps its place
    if not (snapshot := board().look(visitor(), wanted)[0]).complete:
        place = around.empty()
        with place, st.spinner(words), _leaving(wanted):
            while not (snapshot := board().look(visitor(), wanted)[0]).complete and not board().trouble:
                _pause()
        if not snapshot.complete:
            with place.container(), _leaving(wanted):
                say_trouble(board().trouble, key=f"again {function.__name__}")
                while not (snapshot := board().look(visitor(), wanted)[0]).complete:
                    _pause()
        place.empty()
    if snapshot.failure:
        st.error(f"This could not be computed. {controls.literal(snapshot.failure)}")
        st.stop()
    return snapshot.result


def again(works: Iterable[Work]) -> None:
    """Compute some work once more, also if it was stopped."""
    st.session_state.pop("stopped", None)
    for work in works:
        board().forget(work)


def wait_for_first(wanted: Sequence[Work]) -> Sight:
    """Wait a moment if there is no run yet: the first curve is on its way, and one drawing is better than two."""
    sight = look(wanted)
    return _wait(wanted, sight, most=PATIENCE) if sight.running and not sight.runs[0] else sight


def draw_again(wanted: Sequence[Work], drawn: Sight) -> None:
    """At the end of a page: wait until there is more to draw than what was drawn, then draw the page again."""
    if drawn.running:
        _wait(wanted, drawn, least=REDRAW if drawn.runs[0] else 0)
        st.rerun()


def _wait(wanted: Sequence[Work], drawn: Sight, least: float = 0.0, most: float = float("inf")) -> Sight:
    """Wait until more runs are complete, between `least` and `most` seconds; nothing goes to the browser meanwhile."""
    began = time.monotonic()
    with _leaving(list(dict.fromkeys(wanted))):
        while True:
            now, waited = look(wanted), time.monotonic() - began
            news = now.runs != drawn.runs or now.trouble != drawn.trouble
            if not now.running or waited >= most or (news and waited >= least):
                return now
            _pause()


def _pause() -> None:
    """Wait for news. Reading the session lets Streamlit end this script if a control was moved or the visitor left."""
    board().wait(LOOK)
    _ = st.session_state.visitor


@contextmanager
def _leaving(wanted: list[Work]) -> Iterator[None]:
    """If this script is ended while it waits, its work is dropped at once."""
    name = visitor()
    try:
        yield
    except BaseException:
        board().leave(name, wanted)
        raise


def _waiting(line: Line) -> str:
    """How busy the server is, where that matters."""
    if line.full:
        return " The server's memory is full: yours is computed when others are done."
    if not line.others:
        return ""
    busy = "1 other is computing" if line.others == 1 else f"{line.others} others are computing"
    return f" {busy}: yours is number {line.before + 1} in line." if line.before else f" {busy} too."


def say_trouble(trouble: str, key: str = "again") -> None:
    """Say that the server computes without workers, and offer to try again."""
    with st.container(border=True):
        st.markdown(f"**Slower than usual.** {trouble} So it computes by itself. Its log may say why.")
        st.button("Start them again", key=key, on_click=board().try_again)


def progress_row(wanted: Sequence[Work], sight: Sight, main: int | None = None) -> None:
    """How many runs are there of the first `main` results, and a way to stop that keeps them."""

    def stop() -> None:
        st.session_state.stopped = list(dict.fromkeys(wanted))

    results = sight.results[:main]
    done, total = sum(result.runs for result in results), sum(result.scenario.runs for result in results)
    with st.container(key="progress_row"):
        left, right = st.columns([6, 1], vertical_alignment="center")
    waiting = _waiting(board().line(visitor())) if sight.running else ""
    stopped = "" if sight.running or done == total else "Stopped: "
    share = sum(result.progress for result in results) / len(results)
    left.progress(min(share, 1.0), text=f"{stopped}{done} of {total} runs.{waiting}")
    right.button("Stop", on_click=stop, disabled=not sight.running, width="stretch")
    with st.container():  # also if it is empty: what follows keeps its place
        if sight.trouble:
            say_trouble(sight.trouble)
        for failure in sight.failures:
            st.error(f"This simulation failed. {controls.literal(failure)}")
