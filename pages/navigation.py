"""The script of a visitor's session: settings, and navigation made from the registry of pages."""

from pathlib import Path

import streamlit as st

from pages.classroom.who import all_is_drawn
from pages.components.menu import menu
from pages.following import attend, bar, is_led
from pages.presenting import present
from pages.registry import SECTIONS, after, at, beside, in_navigation, page, turn_to
from pages.scenario_controls import as_in_the_paper
from pages.turns import TURNS

HERE = Path(__file__).parent

with TURNS.turn():
    st.set_page_config(page_title="ROAM: regret once, ask many", page_icon=str(HERE / "icon.svg"), layout="wide")
    st.html(HERE / "page.css")
    st.html(HERE / "print.css")
    sections = {title: [in_navigation(folder) for folder in folders] for title, folders in SECTIONS.items()}
    on_screen = st.navigation(sections, position="top")
    shown = at(on_screen.url_path)
    menu(shown.path)
    shown.read_link()
    attend(shown)
    way = present(shown.slide)
    if way and (turned := beside(shown.path, way)):
        turn_to(turned)
    bar(shown)
    on_screen.run()
    following = after(on_screen.url_path)
    with st.container(horizontal=True, vertical_alignment="center", key="next"):
        if not is_led(shown):
            label = f"Next: {page(following).title}"
            if st.button(label, key="turn", icon=":material/arrow_forward:", on_click=as_in_the_paper, args=shown.own):
                turn_to(following)
            st.caption(page(following).teaser)
    with st.container(key="address"):  # on paper only, see print.css
        st.text(shown.address)
    all_is_drawn()
