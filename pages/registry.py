"""The pages in order, each the name of its folder. A page is a folder here, and one word below."""

from importlib import import_module

import streamlit as st

from pages.page import Page

SECTIONS = {
    "": ("start",),
    "See it": ("one_run", "history"),
    "Measure it": ("lab", "paper", "rivals", "ask_better", "experiments", "theory"),
    "Take part": ("you", "lesson", "classroom"),
    "Look it up": ("setting",),
}


def page(folder: str) -> Page:
    """The page that lives in a folder."""
    return import_module(f"pages.{folder}.page").PAGE


def in_navigation(folder: str) -> st.Page:
    """The page as Streamlit knows it."""
    shown = page(folder)
    return st.Page(shown.show, title=shown.title, url_path=shown.path, default=not shown.path)


def _in_order() -> dict[str, str]:
    """The folder of every page by its address, in their order."""
    return {page(folder).path: folder for section in SECTIONS.values() for folder in section}


def at(path: str) -> Page:
    """The page with this address."""
    return page(_in_order()[path])


def folder_at(path: str) -> str | None:
    """The folder of the page with this address; None if there is none."""
    return _in_order().get(path)


def beside(path: str, by: int) -> str | None:
    """The folder of the page that comes so many after the one with this address, or before; None beyond the ends."""
    paths, folders = zip(*_in_order().items(), strict=True)
    place = paths.index(path) + by
    return folders[place] if 0 <= place < len(folders) else None


def after(path: str) -> str:
    """The folder of the page that comes after the one with this address; that of the first after the last."""
    return beside(path, 1) or SECTIONS[""][0]


def turn_to(folder: str) -> None:
    """Go to another page."""
    st.switch_page(in_navigation(folder))
