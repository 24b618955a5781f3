"""A class of students on one server: `python -m tests.classroom`.

Starts the dashboard on 127.0.0.1 and lets many visitors (tests/visitors.py) open a link and move a slider. A first
curve is there when the data of the regret plot with at least one run of the new scenario has arrived.
"""

import argparse
import asyncio
import contextlib
import os
import random
import re
import statistics
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.visitors import GIVE_UP, ROOT, Visitor, free_port, server

MOST_STUDENTS, MOST_MINUTES = 300, 15
TAUS = range(301)  # values of the slider that students move


@dataclass
class Tally:
    """What was measured."""

    first: list[float] = field(default_factory=list)  # seconds to the first curve
    full: list[float] = field(default_factory=list)  # seconds to all runs, where the student waited for them
    patient: list[bool] = field(default_factory=list)  # looked at for so long as one moves on average: all runs seen?
    failures: list[str] = field(default_factory=list)


class Student(Visitor):
    """A visitor of the simulation lab."""

    def __init__(self, address: str):
        super().__init__(address, "simulation-lab")
        self.runs = (0, 1)  # complete and wanted, in the script that is running
        self.first = asyncio.Event()
        self.full = asyncio.Event()

    async def __aenter__(self) -> "Student":
        await self.open()
        return self

    async def __aexit__(self, *_) -> None:
        await self.close()

    async def look(self, query: str | None = None, tau: int | None = None) -> float:
        """Open the lab with a link, or move the slider; returns when that was."""
        if query is not None:
            self.query = query
        if tau is not None:
            self.set_number("w_tau", tau)
        self.first.clear()
        self.full.clear()
        self.runs = (0, 1)
        await self.ask()
        return time.monotonic()

    def take_in(self, message: ForwardMsg) -> None:
        if message.WhichOneof("type") == "new_session":
            self.runs = (0, 1)
        super().take_in(message)

    def see(self, what: str, element: Element) -> None:
        if what == "progress" and (found := re.search(r"(\d+) of (\d+) runs", element.progress.text)):
            self.runs = int(found[1]), int(found[2])
        elif what == "bidi_component" and element.bidi_component.id.endswith("chart_regret") and self.runs[0]:
            self.first.set()
            if self.runs[0] == self.runs[1]:
                self.full.set()
        elif what == "exception":
            self.first.set()

    def gone(self, why: str) -> None:
        self.problem = why
        self.first.set()

    async def wait(self, began: float, tally: Tally) -> None:
        """Wait for the first curve and write down how long it took."""
        try:
            await asyncio.wait_for(self.first.wait(), GIVE_UP)
        except TimeoutError:
            self.problem = f"no curve within {GIVE_UP:.0f} s"
        if self.problem:
            tally.failures.append(self.problem)
            self.problem = ""
        else:
            tally.first.append(time.monotonic() - began)


async def same_link(address: str, students: int, query: str) -> Tally:
    """Everybody opens the same link at the same moment and waits for the full curve."""
    tally = Tally()

    async def one() -> None:
        async with Student(address) as student:
            began = await student.look(query)
            await student.wait(began, tally)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(student.full.wait(), 2 * GIVE_UP)
                tally.full.append(time.monotonic() - began)

    await asyncio.gather(*(one() for _ in range(students)))
    return tally


async def own_scenarios(address: str, students: int, seconds: float, every: float, seed: int) -> Tally:
    """Everybody has a scenario of their own and moves the slider now and then, `every` seconds on average."""
    tally, end = Tally(), time.monotonic() + seconds

    async def one(number: int) -> None:
        own = random.Random(f"{seed} {number}")
        async with Student(address) as student:
            began = await student.look(f"seed={1000 + number}")
            await student.wait(began, Tally())  # opening the page is not what is measured here
            while time.monotonic() < end:
                patience = time.monotonic() + min(own.expovariate(1 / every), end - time.monotonic())
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(student.full.wait(), patience - time.monotonic())
                    tally.full.append(time.monotonic() - began)
                await asyncio.sleep(max(0.0, patience - time.monotonic()))
                if time.monotonic() - began >= every:
                    tally.patient.append(student.full.is_set())
                if time.monotonic() >= end:
                    return
                began = await student.look(tau=own.choice(TAUS))
                await student.wait(began, tally)

    await asyncio.gather(*(one(number) for number in range(students)))
    return tally


def family(pid: int) -> list[int]:
    """A process and all that came from it."""
    found = [pid]
    for task in Path(f"/proc/{pid}/task").glob("*"):
        with contextlib.suppress(OSError):
            found += [
                one for child in (task / "children").read_text(encoding="utf-8").split() for one in family(int(child))
            ]
    return found


def memory(pid: int) -> float:
    """MB that a process and its children use, pages they share counted once."""
    total = 0
    for one in family(pid):
        with contextlib.suppress(OSError):
            text = Path(f"/proc/{one}/smaps_rollup").read_text(encoding="utf-8")
            total += int(re.search(r"^Pss:\s+(\d+)", text, re.MULTILINE)[1])
    return total / 1024


def processor_time(pid: int) -> float:
    """Seconds of processor time that a process and its children have used."""
    total = 0
    for one in family(pid):
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{one}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
            total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


async def watch(pid: int, seconds: list[tuple[float, float, float]]) -> None:
    """Every ten seconds write down the time, the memory and the processor time."""
    began = time.monotonic()
    while True:
        seconds.append((time.monotonic() - began, memory(pid), processor_time(pid)))
        await asyncio.sleep(10)


def report(name: str, tally: Tally) -> None:
    """Print what was measured."""
    print(f"\n{name}")
    for what, values in (("first curve", tally.first), ("full curve", tally.full)):
        if values:
            ordered = sorted(values)
            late = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
            middle = statistics.median(ordered)
            print(
                f"  {what}: median {middle:.2f} s, 95% {late:.2f} s, worst {ordered[-1]:.2f} s ({len(ordered)} times)"
            )
    if tally.patient:
        print(
            f"  of {len(tally.patient)} scenarios that were looked at for long, all runs came of {sum(tally.patient)}"
        )
    print(f"  failures: {len(tally.failures)} {sorted(set(tally.failures))}")


async def lesson(address: str, pid: int, options: argparse.Namespace) -> int:
    """The whole test; returns the number of failures."""
    seen: list[tuple[float, float, float]] = []
    watching = asyncio.create_task(watch(pid, seen))
    failures = 0
    together = await same_link(address, options.students, f"seed={options.seed + 77}")
    report(f"{options.students} students open the same link", together)
    alone = await own_scenarios(address, options.students, 60 * options.minutes, options.every, options.seed)
    report(f"{options.students} students, each a new scenario every {options.every:g} s on average", alone)
    watching.cancel()
    failures += len(together.failures) + len(alone.failures)
    print("\nServer and workers")
    for when, megabytes, _ in seen[:: max(1, len(seen) // 12)]:
        print(f"  after {when:4.0f} s: {megabytes:.0f} MB")
    (start, _, before), (end, _, after) = seen[0], seen[-1]
    print(f"  processor: {(after - before) / max(end - start, 1):.2f} cores on average")
    return failures


def main() -> int:
    """Run the test and print what it found; the exit code is 1 if something failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--students", type=int, default=30)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--every", type=float, default=15.0, help="seconds between two moves of a student, on average")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--log", type=Path, default=ROOT / "classroom.log", help="what the server prints")
    options = parser.parse_args()
    if not (1 <= options.students <= MOST_STUDENTS and 0 < options.minutes <= MOST_MINUTES and options.every > 0):
        parser.error(f"at most {MOST_STUDENTS} students and {MOST_MINUTES} minutes")
    options.log.unlink(missing_ok=True)
    port = free_port()
    with server(options.log, port) as process:
        time.sleep(3)  # the workers start
        failures = asyncio.run(lesson(f"127.0.0.1:{port}", process.pid, options))
    printed = options.log.read_text(encoding="utf-8", errors="replace")
    exceptions = printed.count("Traceback")
    print(f"  exceptions in the server's log: {exceptions}")
    return int(bool(failures or exceptions))


if __name__ == "__main__":
    sys.exit(main())
