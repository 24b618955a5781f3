"""The third part of the load test: a room with many phones, `python -m tests.classroom_room`.

The lecturer and the phones are visitors (tests/visitors.py): the lecturer opens a room and presses its buttons, the
phones join with its link, move the slider, press Commit, click a dot of "Beat ROAM" and ask about it. What is measured
begins when a click is sent and ends when a phone has been sent the new page. In the middle of the first vote the server
is killed and started again.
"""

import argparse
import asyncio
import random
import re
import statistics
import sys
import tempfile
import time
from pathlib import Path

import websockets
from streamlit.proto.Element_pb2 import Element

from pages.bank.questions import BANK
from pages.classroom import beat
from pages.classroom.beating import DONE
from pages.classroom.rooms import Rooms
from pages.classroom.stage import BEAT, PREDICT, Stage
from tests.classroom import memory
from tests.visitors import GIVE_UP, ROOT, Visitor, free_port, server

MOST_PEOPLE, MOST_SECONDS = 300, 600
SAMPLE = 30.0  # seconds between two looks at the memory
QUESTION = next(iter(BANK))  # the one that is offered first
LOST = (TimeoutError, ConnectionError, websockets.ConnectionClosed)


class Attendant(Visitor):
    """Somebody on the page "Class" who waits for words."""

    def __init__(self, address: str):
        super().__init__(address, "class")
        self._waiting: dict[str, asyncio.Event] = {}

    def expect(self, text: str) -> asyncio.Event:
        """An event for when the server sends this text, from now on."""
        event = self._waiting[text] = asyncio.Event()
        return event

    def see(self, what: str, element: Element) -> None:
        said = getattr(element, what)
        text = {"markdown": "body", "heading": "body", "button": "label"}.get(what)
        for wanted, event in list(self._waiting.items()):
            if text and wanted in getattr(said, text) and not getattr(said, "disabled", False):
                event.set()

    async def come_back(self) -> None:
        """The server was started again: the browser connects again and asks for its page."""
        self.ids.clear()
        self.states.clear()
        await self.open()
        await self.ask()

    def linked(self, name: str) -> str:
        """What the browser's address says of a parameter."""
        found = re.search(rf"(?:^|&){name}=([^&]+)", self.query)
        return found[1] if found else ""


class Lecturer(Attendant):
    """Opens a room and has its buttons."""

    async def open_room(self) -> None:
        """Open a room; afterwards the address is its secret link."""
        await self.open()
        await self.ask()
        await self.until(lambda: self.has("open room"))
        await self.press("open room")
        await self.until(lambda: self.has("put question") and self.linked("key"))


class Phone(Attendant):
    """A student with one phone."""

    def __init__(self, address: str, number: int):
        super().__init__(address)
        self.number = number
        self.asked: tuple[int, ...] = ()  # in Beat ROAM, and acknowledged

    async def join(self, code: str) -> None:
        """Come with the link of a room and type a nickname."""
        await self.open()
        self.query = f"room={code}"
        await self.ask()
        await self.until(lambda: self.has("class_name", "class_enter"))
        inside = self.expect(f"You are in room {code}")
        self.set_text("class_name", f"n{self.number}")
        await self.press("class_enter")
        await self.until(lambda: inside.is_set() and self.linked("me"))

    async def vote(self, ballot: str, value: float) -> bool:
        """Move the slider, press Commit; whether the answer was acknowledged."""
        slider, commit = f"class_number_{ballot}", f"class commit {ballot}"
        try:
            await self.until(lambda: self.has(slider, commit))
            moved = self.expect(f"**Your prediction:** {value:g}")
            kept = self.expect(f"Your answer is kept: **{value:g}")
            self.set_number(slider, value)
            await self.ask()
            await self.until(moved.is_set)
            await self.press(commit)
            await self.until(kept.is_set)
        except LOST:
            return False
        return True

    async def question(self, item: int) -> bool:
        """Click a dot of Beat ROAM and ask about it; whether that was acknowledged."""
        asked = (*self.asked, item)
        after = f"Round {len(asked) + 1} of" if len(asked) < beat.ROUNDS else DONE
        try:
            chosen, kept = self.expect(f"Ask about item {item}"), self.expect(after)
            await self.until(lambda: self.has("class_items"))
            await self.click("class_items", item)
            await self.until(chosen.is_set)
            await self.press("class ask")
            await self.until(kept.is_set)
        except LOST:
            return False
        self.asked = asked
        return True


class Lecture:
    """A lecture with many phones, and what is measured of it."""

    def __init__(self, rooms: Rooms, people: int, port: int, seed: int):
        self.rooms, self.random = rooms, random.Random(seed)
        self.lecturer = Lecturer(f"127.0.0.1:{port}")
        self.phones = [Phone(f"127.0.0.1:{port}", number) for number in range(1, people + 1)]
        self.seconds: list[float] = []  # from a click to each phone
        self.failures: list[str] = []

    @property
    def code(self) -> str:
        """The room's."""
        return self.lecturer.linked("room")

    async def begin(self) -> None:
        """The lecturer opens a room, and all phones join it."""
        await self.lecturer.open_room()
        await asyncio.gather(*(phone.join(self.code) for phone in self.phones))
        here = len(self.rooms.people(self.code))
        if here != len(self.phones):
            self.failures.append(f"{here} people are in the room instead of {len(self.phones)}")

    async def click(self, button: str, text: str, then: str = "") -> None:
        """The lecturer presses a button; how long until each phone has a page with this text?

        The lecturer goes on when the button that comes next is there.
        """
        events, ready = [phone.expect(text) for phone in self.phones], self.lecturer.expect(then)
        began = time.monotonic()
        await self.lecturer.press(button)

        async def wait(phone: Phone, event: asyncio.Event) -> None:
            try:
                await phone.until(event.is_set)
                self.seconds.append(time.monotonic() - began)
            except TimeoutError:
                self.failures.append(f"no news of {button} within {GIVE_UP:.0f} s")

        await asyncio.gather(*(wait(phone, event) for phone, event in zip(self.phones, events, strict=True)))
        if then:
            await self.lecturer.until(ready.is_set)

    async def vote(self, phones: list[Phone], ballot: str) -> dict[str, str]:
        """These phones answer; what was acknowledged, by nickname."""
        scale = BANK[QUESTION].commitment
        steps = round((scale.high - scale.low) / scale.step)
        values = [round(scale.low + scale.step * self.random.randint(1, steps), 6) for _ in phones]  # it is moved
        done = await asyncio.gather(*(phone.vote(ballot, value) for phone, value in zip(phones, values, strict=True)))
        return {
            f"n{phone.number}": f"{value:g}" for phone, value, kept in zip(phones, values, done, strict=True) if kept
        }

    def check(self, vote: str, acknowledged: dict[str, str]) -> None:
        """Every answer that was acknowledged is there, once."""
        kept = [(one.name, one.text) for one in self.rooms.answers(self.code, vote)]
        if len(kept) != len(dict(kept)):
            self.failures.append("an answer is there twice")
        lost = [name for name, text in acknowledged.items() if dict(kept).get(name) != text]
        if lost:
            self.failures.append(f"{len(lost)} acknowledged answers are lost")

    async def beat(self, seconds: float) -> None:
        """Everybody asks questions of Beat ROAM for so long, or to the end."""
        end = time.monotonic() + seconds

        async def play(phone: Phone) -> None:
            while len(phone.asked) < beat.ROUNDS and time.monotonic() < end:
                await asyncio.sleep(self.random.uniform(0.5, 1.2) * seconds / beat.ROUNDS)
                item = self.random.randint(1, beat.FIRST + len(phone.asked))
                if not await phone.question(item):
                    self.failures.append("a question of Beat ROAM was not acknowledged")
                    return

        await asyncio.gather(*map(play, self.phones))


async def lecture(rooms: Rooms, port: int, options: argparse.Namespace, environment: dict[str, str]) -> int:
    """The whole test; returns the number of failures."""
    told = Lecture(rooms, options.people, port, options.seed)
    first = Stage().begin(PREDICT, question=QUESTION)
    second, game = first.go(first.state, 2), first.begin(BEAT)
    with server(options.log, port, **environment) as process:
        await told.begin()
        await told.click("put question", BANK[QUESTION].title)
        half = told.phones[: len(told.phones) // 2]
        acknowledged = await told.vote(half, first.vote)
        late = asyncio.create_task(told.vote(told.phones[len(half) :], first.vote))
        await asyncio.sleep(0.3)  # in the middle of the others' votes
        process.kill()
        process.wait(20)
        await late
        await asyncio.gather(*(one.close() for one in (told.lecturer, *told.phones)))
    told.check(first.vote, acknowledged)
    print(f"killed in mid-vote: {len(acknowledged)} of {len(half)} had been acknowledged")
    with server(options.log, port, **environment) as process:
        back = told.lecturer.expect("Close the vote")
        await asyncio.gather(*(one.come_back() for one in (told.lecturer, *told.phones)))
        await told.lecturer.until(back.is_set)
        start = memory(process.pid)
        for vote in (first, second):
            acknowledged = await told.vote(told.phones, vote.vote)
            if len(acknowledged) != len(told.phones):
                told.failures.append(f"{len(told.phones) - len(acknowledged)} votes were not acknowledged")
            told.check(vote.vote, acknowledged)
            await told.click("close vote", "The vote is closed.", then="Reveal")
            if vote is first:
                await told.click("vote again", "Vote again.", then="Close the vote")
        await told.click("reveal vote", "You predicted:")
        await told.click("to beat", "Beat ROAM", then="End the game")
        begun = memory(process.pid)
        playing, later = asyncio.create_task(told.beat(options.seconds)), []
        while not (await asyncio.wait([playing], timeout=SAMPLE))[0]:
            later.append(memory(process.pid))
        await playing
        asked = {f"n{phone.number}": beat.format(phone.asked) for phone in told.phones if phone.asked}
        told.check(game.vote, asked)
        print(f"Beat ROAM: {sum(len(phone.asked) for phone in told.phones)} questions were acknowledged")
        await told.click("end game", "ROAM", then="Show the board")
        await told.click("show board", "ROAM")
        print(f"memory of server and workers: {start:.0f} MB after the restart, {begun:.0f} MB when Beat ROAM begins,")
        print(f"then every {SAMPLE:.0f} s {', '.join(f'{size:.0f}' for size in later)} MB, ", end="")
        print(f"{memory(process.pid):.0f} MB at the end")
        for one in (told.lecturer, *told.phones):
            told.failures += [one.problem] if one.problem else []
            await one.close()
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
    with tempfile.TemporaryDirectory() as folder:
        rooms = Rooms(Path(folder))
        try:
            failures = asyncio.run(lecture(rooms, free_port(), options, {"ROAM_ROOMS": folder}))
        finally:
            rooms.close()
    exceptions = options.log.read_text(encoding="utf-8", errors="replace").count("Traceback")
    print(f"exceptions in the server's log: {exceptions}")
    return int(bool(failures or exceptions))


if __name__ == "__main__":
    sys.exit(main())
