"""Every page renders without an exception."""

from streamlit.testing.v1 import AppTest


def test_the_start_page_says_what_this_is():
    app = AppTest.from_file("../app.py").run()
    assert not app.exception
    assert app.title[0].value == "Regret once, ask many"
