"""The third part of the load test: a room with many phones, `python -m tests.classroom_room`.

Phones are websocket clients that speak Streamlit's protocol, as in `tests.classroom`: each opens the link of a person,
asks for news as often as the server tells it to, moves the slider and presses Commit. The lecturer's clicks are written
to the store by this process, as a second server on the same folder would: what is measured begins when a click is
committed and ends when a phone has been sent the new page. In "Beat ROAM" a phone's question is written the same way,
and the phone then asks for its page. In the middle of the first vote the server is killed and started again.
"""

import argparse
import asyncio
import contextlib
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.bank.questions import BANK
from pages.classroom import beat
from pages.classroom.rooms import Rooms
from pages.classroom.stage import BEAT, CLOSED, OPEN, PREDICT, REVEALED, Stage
from tests.classroom import ROOT, memory

MOST_PEOPLE, MOST_SECONDS = 300, 600
GIVE_UP = 60.0
QUESTION = "film"


class Phone:
    """A person in a room with one websocket."""

    def __init__(self, address: str, code: str, token: str, number: int):
        self.address, self.query, self.token, self.number = address, f"room={code}&me={token}", token, number
        self.ids: dict[str, str] = {}  # what ends a widget's id -> the id
        self.page_hash, self.problem = "", ""
        self.waiting: dict[str, asyncio.Event] = {}  # text that is waited for
        self.again: list[asyncio.Task] = []

    async def open(self) -> None:
        """Connect, and ask for the page."""
        self.socket = await websockets.connect(
            f"ws://{self.address}/_stcore/stream", subprotocols=["streamlit"], max_size=None, open_timeout=GIVE_UP
        )
        self.reading = asyncio.create_task(self.read())
        await self.ask()

    async def close(self) -> None:
        """Leave."""
        self.call_no_more()
        self.reading.cancel()
        with contextlib.suppress(Exception):
            await self.socket.close()

    async def ask(self, press: str = "", **slider: float) -> None:
        """Ask for the page, with a button pressed or a slider moved."""
        message = BackMsg()
        message.rerun_script.page_name = "class"
        message.rerun_script.page_script_hash = self.page_hash
        message.rerun_script.query_string = self.query
        for name, value in slider.items():
            state = message.rerun_script.widget_states.widgets.add()
            state.id = self.ids[name]
            state.double_array_value.data.append(value)
        if press:
            state = message.rerun_script.widget_states.widgets.add()
            state.id = self.ids[press]
            state.trigger_value = True
        await self.socket.send(message.SerializeToString())

    def expect(self, text: str) -> asyncio.Event:
        """An event for when the server sends this text."""
        return self.waiting.setdefault(text, asyncio.Event())

    async def read(self) -> None:
        """Take in what the server sends."""
        with contextlib.suppress(asyncio.CancelledError, websockets.ConnectionClosed):
            async for raw in self.socket:
                self.take_in(ForwardMsg.FromString(raw))

    def take_in(self, message: ForwardMsg) -> None:
        """One message of the server."""
        kind = message.WhichOneof("type")
        if kind == "navigation":
            self.page_hash = message.navigation.page_script_hash
            self.call_no_more()
        elif kind == "auto_rerun":
            wanted = message.auto_rerun
            self.again.append(asyncio.create_task(self.call_again(wanted.fragment_id, wanted.interval)))
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            element = message.delta.new_element
            what = element.WhichOneof("type")
            if what in ("slider", "button"):
                found = getattr(element, what).id
                self.ids[found.rpartition("-")[2]] = found
            elif what == "exception":
                self.problem = element.exception.message
            text = getattr(element, what).body if what in ("markdown", "heading") else ""
            for wanted, event in list(self.waiting.items()):
                if wanted in text:
                    event.set()

    async def call_again(self, fragment: str, interval: float) -> None:
        """Ask for news again and again, as a browser does."""
        message = BackMsg()
        message.rerun_script.page_script_hash = self.page_hash
        message.rerun_script.query_string = self.query
        message.rerun_script.fragment_id = fragment
        message.rerun_script.is_auto_rerun = True
        with contextlib.suppress(websockets.ConnectionClosed):
            while True:
                await asyncio.sleep(interval)
                await self.socket.send(message.SerializeToString())

    def call_no_more(self) -> None:
        """The page is drawn anew, or left."""
        for task in self.again:
            task.cancel()
        self.again.clear()

    async def vote(self, ballot: str, value: float) -> bool:
        """Move the slider, press Commit; whether the answer was acknowledged."""
        slider = f"class_number_{QUESTION}"
        kept = self.waiting[f"Your answer is kept: **{value:g}"] = asyncio.Event()
        try:
            async with asyncio.timeout(GIVE_UP):
                while slider not in self.ids or f"class commit {ballot}" not in self.ids:
                    await asyncio.sleep(0.05)
                moved = self.waiting[f"**Your prediction:** {value:g}"] = asyncio.Event()
                await self.ask(**{slider: value})
                await moved.wait()
                await self.ask(press=f"class commit {ballot}", **{slider: value})
                await kept.wait()
        except (TimeoutError, websockets.ConnectionClosed):
            return False
        return True


@contextlib.contextmanager
def server(port: int, folder: Path, log: Path) -> Iterator[subprocess.Popen]:
    """The dashboard with its rooms in a folder; it is killed at the end."""
    options = ["--server.headless=true", "--server.address=127.0.0.1", f"--server.port={port}"]
    with log.open("a", encoding="utf-8") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", "app.py", *options],
            cwd=ROOT, env=os.environ | {"ROAM_ROOMS": str(folder)}, stdout=file, stderr=file,
        )  # fmt: skip
    try:
        for _ in range(600):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1)
                break
            time.sleep(0.1)
        yield process
    finally:
        process.kill()
        process.wait(20)


class Lecture:
    """A lecture with many phones, and what is measured of it."""

    def __init__(self, rooms: Rooms, people: int, port: int, seed: int):
        self.rooms, self.opened, self.random = rooms, rooms.open(), random.Random(seed)
        self.stage = Stage()
        code = self.opened.code
        self.phones = [
            Phone(f"127.0.0.1:{port}", code, rooms.join(code, f"n{number}"), number) for number in range(1, people + 1)
        ]
        self.seconds: list[float] = []  # from a click to each phone
        self.failures: list[str] = []

    async def click(self, now: Stage, text: str) -> None:
        """The lecturer clicks; how long until each phone has a page with this text?"""
        events = [phone.expect(text) for phone in self.phones]
        for event in events:
            event.clear()
        self.stage, began = now, time.monotonic()
        await asyncio.to_thread(self.rooms.put, self.opened.code, self.opened.key, now.text(), now.may_answer)

        async def wait(event: asyncio.Event) -> None:
            try:
                await asyncio.wait_for(event.wait(), GIVE_UP)
                self.seconds.append(time.monotonic() - began)
            except TimeoutError:
                self.failures.append(f"no news of {now.kind} {now.state} within {GIVE_UP:.0f} s")

        await asyncio.gather(*(wait(event) for event in events))

    async def vote(self, phones: list[Phone]) -> dict[int, str]:
        """These phones answer; what was acknowledged, by person."""
        scale = BANK[QUESTION].commitment
        steps = round((scale.high - scale.low) / scale.step)
        values = [round(scale.low + scale.step * self.random.randrange(steps), 6) for _ in phones]
        done = await asyncio.gather(
            *(phone.vote(self.stage.vote, value) for phone, value in zip(phones, values, strict=True))
        )
        return {phone.number: f"{value:g}" for phone, value, kept in zip(phones, values, done, strict=True) if kept}

    def check(self, acknowledged: dict[int, str]) -> None:
        """Every answer that was acknowledged is there, once."""
        kept = [(one.number, one.text) for one in self.rooms.answers(self.opened.code, self.stage.vote)]
        if len(kept) != len(dict(kept)):
            self.failures.append("an answer is there twice")
        lost = [number for number, text in acknowledged.items() if dict(kept).get(number) != text]
        if lost:
            self.failures.append(f"{len(lost)} acknowledged answers are lost")

    async def beat(self, seconds: float) -> None:
        """Everybody asks questions of Beat ROAM for so long, or to the end."""
        seed, end = beat.seed_of(self.opened.code, self.stage.turn), time.monotonic() + seconds

        async def play(phone: Phone) -> None:
            asked: tuple[int, ...] = ()
            while len(asked) < beat.ROUNDS and time.monotonic() < end:
                await asyncio.sleep(self.random.uniform(0.5, 1.5) * seconds / beat.ROUNDS)
                items = len(beat.turn(seed, asked).past)
                before, asked = asked, (*asked, self.random.randint(1, items))
                text, after = beat.format(asked), beat.format(before)
                await asyncio.to_thread(
                    self.rooms.answer, self.opened.code, phone.token, self.stage.vote, text, after=after
                )
                await phone.ask()

        await asyncio.gather(*map(play, self.phones))


async def lecture(rooms: Rooms, folder: Path, port: int, options: argparse.Namespace) -> int:
    """The whole test; returns the number of failures."""
    told = Lecture(rooms, options.people, port, options.seed)
    with server(port, folder, options.log) as process:
        await asyncio.gather(*(phone.open() for phone in told.phones))
        await told.click(told.stage.begin(PREDICT, question=QUESTION), BANK[QUESTION].title)
        half = told.phones[: len(told.phones) // 2]
        acknowledged = await told.vote(half)
        late = asyncio.create_task(told.vote(told.phones[len(half) :]))
        await asyncio.sleep(0.3)  # in the middle of the others' votes
        process.kill()
        process.wait(20)
        for phone in told.phones:
            await phone.close()
        late.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await late
    told.check(acknowledged)
    print(f"killed in mid-vote: {len(acknowledged)} of {len(half)} had been acknowledged")
    with server(port, folder, options.log) as process:
        for phone in told.phones:
            phone.ids.clear()
        await asyncio.gather(*(phone.open() for phone in told.phones))
        start = memory(process.pid)
        acknowledged = await told.vote(told.phones)
        if len(acknowledged) != len(told.phones):
            told.failures.append(f"{len(told.phones) - len(acknowledged)} votes were not acknowledged")
        told.check(acknowledged)
        await told.click(told.stage.go(CLOSED), "The vote is closed.")
        await told.click(told.stage.go(OPEN, 2), "Vote again.")
        told.check(await told.vote(told.phones))
        await told.click(told.stage.go(REVEALED), "You predicted:")
        await told.click(told.stage.begin(BEAT), "Beat ROAM")
        await told.beat(options.seconds)
        await told.click(told.stage.go(REVEALED), "ROAM")
        print(
            f"memory of server and workers: {start:.0f} MB after the restart, {memory(process.pid):.0f} MB at the end"
        )
        for phone in told.phones:
            told.failures += [phone.problem] if phone.problem else []
            await phone.close()
    ordered = sorted(told.seconds)
    middle, late = statistics.median(ordered), ordered[int(0.95 * (len(ordered) - 1))]
    print(f"{options.people} phones, from a click to a phone: median {middle:.2f} s, 95% {late:.2f} s, ", end="")
    print(f"worst {ordered[-1]:.2f} s ({len(ordered)} times)")
    print(f"failures: {len(told.failures)} {sorted(set(told.failures))}")
    return len(told.failures)


def main() -> int:
    """Run the test and print what it found; the exit code is 1 if something failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--people", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=180.0, help="of Beat ROAM")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--log", type=Path, default=ROOT / "classroom.log", help="what the server prints")
    options = parser.parse_args()
    if not (1 <= options.people <= MOST_PEOPLE and 0 < options.seconds <= MOST_SECONDS):
        parser.error(f"at most {MOST_PEOPLE} people and {MOST_SECONDS} seconds")
    options.log.unlink(missing_ok=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        rooms = Rooms(Path(folder))
        try:
            failures = asyncio.run(lecture(rooms, Path(folder), port, options))
        finally:
            rooms.close()
    exceptions = options.log.read_text(encoding="utf-8", errors="replace").count("Traceback")
    print(f"exceptions in the server's log: {exceptions}")
    return int(bool(failures or exceptions))


if __name__ == "__main__":
    sys.exit(main())
