"""Entry point of the dashboard: page settings, navigation and the one file the charts need."""

from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st

HERE = Path(__file__).parent

if __name__ == "__main__":  # the script of a visitor's session
    st.set_page_config(
        page_title="ROAM: regret once, ask many", page_icon=str(HERE / "pages/parts/icon.svg"), layout="wide"
    )
    st.html(HERE / "pages/parts/page.css")
    pages = {
        "": [st.Page("pages/start.py", title="Start here", default=True)],
        "See it": [
            st.Page("pages/one_run.py", title="One run in 2-D", url_path="one-run"),
            st.Page("pages/history.py", title="Rich history", url_path="rich-history"),
        ],
        "Measure it": [
            st.Page("pages/lab.py", title="Simulation lab", url_path="simulation-lab"),
            st.Page("pages/paper.py", title="The paper's figures", url_path="paper-figures"),
            st.Page("pages/rivals.py", title="ROAM and its rivals", url_path="rivals"),
            st.Page("pages/theory.py", title="Theory, measured", url_path="theory"),
        ],
    }
    st.navigation(pages, position="top").run()
else:  # the server, which `streamlit run` finds here
    from starlette.responses import FileResponse
    from starlette.routing import Route
    from streamlit.runtime.pages_manager import PagesManager

    from pages.parts import chart, live

    # st.navigation says so too, but only once a first visitor has come: their link must work as well.
    PagesManager.uses_pages_directory = False

    async def plotting_script(request):
        """plotly.py's own copy of its script, so that nothing comes from another host."""
        return FileResponse(chart.SCRIPT, media_type="text/javascript", headers={"Cache-Control": "max-age=86400"})

    @asynccontextmanager
    async def pool(_):
        """Start the worker processes before the first visitor comes, and end them with the server."""
        live.board()
        yield
        live.board().close()

    app = st.App("app.py", routes=[Route(chart.ROUTE, plotting_script)], lifespan=pool)
