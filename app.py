"""Entry point of the dashboard: page settings and navigation, nothing else."""

import streamlit as st

st.set_page_config(page_title="ROAM", layout="wide")
st.navigation([st.Page("pages/start.py", title="Start here")]).run()
