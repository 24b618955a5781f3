"""The script of a visitor's session: settings, and navigation made from the registry of pages."""

from pathlib import Path

import streamlit as st

from pages.registry import SECTIONS, in_navigation

HERE = Path(__file__).parent

st.set_page_config(page_title="ROAM: regret once, ask many", page_icon=str(HERE / "icon.svg"), layout="wide")
st.html(HERE / "page.css")
sections = {title: [in_navigation(folder) for folder in folders] for title, folders in SECTIONS.items()}
st.navigation(sections, position="top").run()
