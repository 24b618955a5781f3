"""How a page asks the board for work, and says how far it is.

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
from pages.parameters import Kept
from pages.turns import TURNS
from pages.words import literal

LOOK = 0.05  # seconds between two looks at a running simulation, unless there is news
PATIENCE = 0.7  # seconds the old curves stay before the page says that there are no new ones yet

_stopped = Kept("stopped", of_scenario=True)  # the work that the visitor stopped
_wanted = Kept("wanted", ())  # what the page looks at, apart from what it computes itself


@dataclass(frozen=True)
class Sight:
    """What there is of the work a page asked for, in the order it asked."""

    wanted: list[Work]
    results: list[Any]
    failures: list[str]
    running: bool
    seconds: float = 0.0  # that the first one took, once it is complete
    trouble: str = ""  # why the server has no workers

    @property
    def runs(self) -> list[int]:
        """Complete runs of each result."""
        return [result.runs for result in self.results]

    @property
    def unsettled(self) -> bool:
        """Whether it will change by itself: more runs come in, or workers come back."""
        return self.running or bool(self.trouble)

    @property
    def stage(self) -> tuple:
        """How far it is: as long as this stays the same there is nothing new to draw."""
        return self.runs, self.running, self.trouble

    def of(self, work: Work) -> Any:
        """The result of some of the work."""
        return self.results[self.wanted.index(work)]


NOTHING = Sight([], [], [], False)


def visitor() -> str:
    """A name for this session."""
    return st.session_state.setdefault("visitor", uuid.uuid4().hex)


def look(wanted: Sequence[Work]) -> Sight:
    """Ask for some work and see how far it is; whatever else this visitor asked for is dropped."""
    if not wanted:
        board().look(visitor(), [])
        return NOTHING
    once = list(dict.fromkeys(wanted))
    stopped = _stopped.value == once
    _wanted.set([] if stopped else once)
    found = board().look(visitor(), _wanted.value)
    by_work = {snapshot.work: snapshot for snapshot in (board().peek(once) if stopped else found)}
    snapshots = [by_work[work] for work in wanted]
    return Sight(
        wanted=list(wanted),
        results=[snapshot.result for snapshot in snapshots],
        failures=list(dict.fromkeys(snapshot.failure for snapshot in snapshots if snapshot.failure)),
        running=not stopped and not all(snapshot.complete for snapshot in snapshots),
        seconds=snapshots[0].seconds,
        trouble=board().trouble,
    )


def crowd() -> int:
    """How many visitors wait for results, this one included."""
    return board().line(visitor()).others + 1


def recall(works: Sequence[Work]) -> list[Any]:
    """What the board still has of some work, without asking for more of it."""
    return [snapshot.result for snapshot in board().peek(list(works))]


def again(works: Iterable[Work]) -> None:
    """Compute some work once more, also if it was stopped."""
    _stopped.set(None)
    for work in works:
        board().forget(work)


def wait(wanted: Sequence[Work], since: tuple, least: float = 0.0, most: float = float("inf")) -> Sight:
    """Wait until it is farther than `since`, between `least` and `most` seconds; nothing goes to the browser."""
    began = time.monotonic()
    with leaving(wanted):
        while True:
            now, waited = look(wanted), time.monotonic() - began
            if not now.unsettled or waited >= most or (now.stage != since and waited >= least):
                return now
            _pause()


def compute(words: str, function: Callable, *arguments: Any) -> Any:
    """The value of a function, computed by a worker in its turn; `words` say what is being done if it takes a while.

    What else this visitor wants goes on meanwhile. The value is the board's and shared with others: do not change it.
    """
    errand = Errand(function, arguments)
    wanted = [errand, *_wanted.value]
    around = st.container()  # also if it stays empty: what follows keeps its place
    if not (snapshot := board().look(visitor(), wanted)[0]).complete:
        place = around.empty()
        with place, st.spinner(words), leaving(wanted):
            while not (snapshot := board().look(visitor(), wanted)[0]).complete and not board().trouble:
                _pause()
        if not snapshot.complete:
            with place.container(), leaving(wanted):
                say_trouble(board().trouble, key=f"again {function.__name__}")
                while not (snapshot := board().look(visitor(), wanted)[0]).complete:
                    _pause()
        place.empty()
    if snapshot.failure:
        st.error(f"This could not be computed. {literal(snapshot.failure)}")
        st.stop()
    return snapshot.result


def _pause() -> None:
    """Wait for news. Reading the session lets Streamlit end this script if a control was moved or the visitor left."""
    with TURNS.rest():
        board().wait(LOOK)
    _ = st.session_state.visitor


@contextmanager
def leaving(wanted: Sequence[Work]) -> Iterator[None]:
    """If this script is ended while it draws or waits, its work is dropped at once."""
    name = visitor()
    try:
        yield
    except BaseException:
        board().leave(name, list(dict.fromkeys(wanted)))
        raise


def stop_button(wanted: Sequence[Work], running: bool) -> None:
    """A way to stop that keeps what there is."""
    once = list(dict.fromkeys(wanted))
    st.button("Stop", on_click=_stopped.set, args=(once,), disabled=not running)


def progress(sight: Sight, main: int | None = None) -> None:
    """How many runs are there of the first `main` results."""
    results = sight.results[:main]
    done, total = sum(result.runs for result in results), sum(result.scenario.runs for result in results)
    waiting = _waiting(board().line(visitor())) if sight.running else ""
    stopped = "" if sight.running or done == total else "Stopped: "
    share = sum(result.progress for result in results) / len(results)
    st.progress(min(share, 1.0), text=f"{stopped}{done} of {total} runs.{waiting}")


def say_what_is_wrong(sight: Sight) -> None:
    """Say that the server has no workers, and which work failed."""
    with st.container():  # also if it is empty: what follows keeps its place
        if sight.trouble:
            say_trouble(sight.trouble)
        for failure in sight.failures:
            st.error(f"This simulation failed. {literal(failure)}")


def say_trouble(trouble: str, key: str = "again") -> None:
    """Say that the server computes without workers, and offer to try again."""
    with st.container(border=True):
        st.markdown(f"**Slower than usual.** {trouble} So it computes by itself. Its log may say why.")
        st.button("Start them again", key=key, on_click=board().try_again)


def _waiting(line: Line) -> str:
    """How busy the server is, where that matters."""
    if line.full:
        return " The server's memory is full: yours is computed when others are done."
    if not line.others:
        return ""
    busy = "1 other is computing" if line.others == 1 else f"{line.others} others are computing"
    return f" {busy}: yours is number {line.before + 1} in line." if line.before else f" {busy} too."
