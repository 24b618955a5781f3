"""Entry point of the dashboard: the server, with its pool and the files that every visitor fetches.

What a visitor sees begins in pages/navigation.py. That script is not this file because Streamlit takes a folder `pages`
beside a visitor's script for an old kind of menu, and then refuses the first visitor's link.
"""

from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Route

from pages.board.board import board
from pages.components.chart import ROUTE
from pages.kept_files import KeptFiles
from pages.plotting_script import HeadStart, compressed, plotting_script


@asynccontextmanager
async def pool(_):
    """Start the worker processes before the first visitor comes, and end them with the server."""
    board()
    compressed()
    yield
    board().close()


app = st.App(
    Path(__file__).parent / "pages/navigation.py",
    routes=[Route(ROUTE, plotting_script)],
    middleware=[Middleware(KeptFiles), Middleware(HeadStart)],
    lifespan=pool,
)
