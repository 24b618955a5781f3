"""Visitors without a browser, and the server that they visit.

A visitor speaks Streamlit's protocol over a websocket, as a browser does: opens a link, holds the states of widgets,
moves sliders, presses buttons, clicks in charts, asks for fragments as often as the server wants it, and reads what the
server sends. It does not draw, as thirty browsers on the server's own two cores would measure the browsers.
"""

import asyncio
import contextlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

ROOT = Path(__file__).parents[1]
GIVE_UP = 60.0  # seconds
TRIGGER = "$$STREAMLIT_INTERNAL_KEY_{}__events"  # the widget that a component's events belong to


class Visitor:
    """Somebody on a page, with one websocket."""

    def __init__(self, address: str, page: str):
        self.address, self.page = address, page
        self.query = ""  # what the browser's address says
        self.ids: dict[str, str] = {}  # key of a widget -> its id
        self.states: dict[str, WidgetState] = {}  # id -> what was set
        self.page_hash, self.problem = "", ""
        self.again: dict[str, asyncio.Task] = {}  # fragment -> what asks for it

    async def open(self) -> None:
        """Connect."""
        self.socket = await websockets.connect(
            f"ws://{self.address}/_stcore/stream", subprotocols=["streamlit"], max_size=None, open_timeout=GIVE_UP
        )
        self.reading = asyncio.create_task(self._read())

    async def close(self) -> None:
        """Leave."""
        self.reading.cancel()
        self._call_no_more()
        with contextlib.suppress(Exception):
            await self.socket.close()

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait until something is so; TimeoutError if that takes too long, ConnectionError if the server has gone."""
        async with asyncio.timeout(GIVE_UP):
            while not true():
                if self.reading.done():
                    raise ConnectionError("the server has gone")
                await asyncio.sleep(0.02)

    def has(self, *keys: str) -> bool:
        """Whether the server has drawn these widgets."""
        return all(key in self.ids for key in keys)

    def set_number(self, key: str, value: float) -> None:
        """Move a slider, without telling the server yet."""
        self._state(key).double_array_value.data[:] = [value]

    def set_text(self, key: str, text: str) -> None:
        """Type into a field, without telling the server yet."""
        self._state(key).string_value = text

    def _state(self, key: str) -> WidgetState:
        return self.states.setdefault(self.ids[key], WidgetState(id=self.ids[key]))

    async def press(self, key: str) -> None:
        """Press a button."""
        await self.ask(WidgetState(id=self.ids[key], trigger_value=True))

    async def click(self, chart: str, about: int) -> None:
        """Click a point of a chart."""
        said = json.dumps([{"event": "clicked", "value": {"x": 0.0, "y": 0.0, "about": about}}])
        await self.ask(WidgetState(id=TRIGGER.format(self.ids[chart]), json_trigger_value=said))

    async def ask(self, *events: WidgetState) -> None:
        """Ask for the page, with what happened."""
        self._call_no_more()
        message = self._message()
        message.rerun_script.page_name = self.page
        message.rerun_script.widget_states.widgets.extend(events)
        await self.socket.send(message.SerializeToString())

    def _message(self) -> BackMsg:
        message = BackMsg()
        message.rerun_script.page_script_hash = self.page_hash
        message.rerun_script.query_string = self.query
        message.rerun_script.widget_states.widgets.extend(self.states.values())
        return message

    async def _call_again(self, fragment: str, interval: float) -> None:
        """Have a fragment drawn again and again."""
        with contextlib.suppress(websockets.ConnectionClosed):
            while True:
                await asyncio.sleep(interval)
                await self.socket.send(self.call(fragment))

    def call(self, fragment: str) -> bytes:
        """What a browser sends to have a fragment drawn again."""
        message = self._message()
        message.rerun_script.fragment_id = fragment
        message.rerun_script.is_auto_rerun = True
        return message.SerializeToString()

    def _call_no_more(self) -> None:
        """The page is drawn anew, or left."""
        for task in self.again.values():
            task.cancel()
        self.again.clear()

    async def _read(self) -> None:
        """Take in what the server sends."""
        with contextlib.suppress(asyncio.CancelledError):
            try:
                async for raw in self.socket:
                    self.take_in(ForwardMsg.FromString(raw))
            except websockets.ConnectionClosed as closed:
                self.gone(f"connection closed: {closed}")

    def take_in(self, message: ForwardMsg) -> None:
        """One message of the server."""
        kind = message.WhichOneof("type")
        if kind == "navigation":  # the whole page is drawn
            self.page_hash = message.navigation.page_script_hash
            self._call_no_more()
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "auto_rerun":
            wanted = message.auto_rerun
            if before := self.again.pop(wanted.fragment_id, None):
                before.cancel()
            call = self._call_again(wanted.fragment_id, wanted.interval)
            self.again[wanted.fragment_id] = asyncio.create_task(call)
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            element = message.delta.new_element
            what = element.WhichOneof("type")
            if identity := getattr(getattr(element, what), "id", ""):
                self.ids[identity.rpartition("-")[2]] = identity
            if what == "exception":
                self.problem = element.exception.message
            self.see(what, element)

    def see(self, what: str, element: Element) -> None:
        """The server has drawn something."""

    def gone(self, why: str) -> None:
        """The connection was lost."""


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens to."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def server(log: Path, port: int, **environment: str) -> Iterator[subprocess.Popen]:
    """The dashboard, started as the README says; what it prints is added to the log."""
    options = ["--server.headless=true", "--server.address=127.0.0.1", f"--server.port={port}"]
    with log.open("a", encoding="utf-8") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", "app.py", *options],
            cwd=ROOT, env=os.environ | environment, stdout=file, stderr=file,
        )  # fmt: skip
    try:
        for _ in range(600):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1)
                break
            time.sleep(0.1)
        yield process
    finally:
        process.terminate()
        process.wait(20)
