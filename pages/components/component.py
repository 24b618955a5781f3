"""How a component is declared: its scripts and styles are files beside this one, and some of them are shared.

The scripts of a component are joined, in their order, into one module. So none imports another, no two of them may give
the same name to something at the top, and only the last one has the `export default` that Streamlit calls.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

import streamlit as st

HERE = Path(__file__).parent


def declare(name: str, *, scripts: Iterable[str], styles: Iterable[str]) -> Callable:
    """The component of that name, made of the files named."""
    return st.components.v2.component(name, css=joined(styles), js=joined(scripts), isolate_styles=False)


def joined(files: Iterable[str]) -> str:
    """The text of some files of this folder, one after the other."""
    return "\n".join((HERE / file).read_text(encoding="utf-8") for file in files)
