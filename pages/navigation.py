"""The script of a visitor's session: page settings and navigation."""

from pathlib import Path

import streamlit as st

PARTS = Path(__file__).parent / "parts"
PAGES = {
    "": [st.Page("start/page.py", title="Start here", default=True)],
    "See it": [
        st.Page("one_run/page.py", title="One run in 2-D", url_path="one-run"),
        st.Page("history/page.py", title="Rich history", url_path="rich-history"),
    ],
    "Measure it": [
        st.Page("lab/page.py", title="Simulation lab", url_path="simulation-lab"),
        st.Page("paper/page.py", title="The paper's figures", url_path="paper-figures"),
        st.Page("rivals/page.py", title="ROAM and its rivals", url_path="rivals"),
        st.Page("theory/page.py", title="Theory, measured", url_path="theory"),
    ],
}

st.set_page_config(page_title="ROAM: regret once, ask many", page_icon=str(PARTS / "icon.svg"), layout="wide")
st.html(PARTS / "page.css")
st.navigation(PAGES, position="top").run()
