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
    pages = [
        st.Page("pages/start.py", title="Start here", default=True),
        st.Page("pages/lab.py", title="Simulation lab", url_path="simulation-lab"),
    ]
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
    async def warm_pool(_):
        """Start the worker processes before the first visitor comes."""
        live.board()
        yield

    app = st.App("app.py", routes=[Route(chart.ROUTE, plotting_script)], lifespan=warm_pool)
