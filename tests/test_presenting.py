"""Presenting: what the link says, what the component is told, and the QR code of a view."""

import json
import re

import pytest
import zxingcpp
from PIL import Image, ImageDraw
from streamlit.testing.v1 import AppTest

from pages import presenting, qr, registry
from pages.figures import base_layout
from pages.lab.presets import PRESETS
from tests.test_components import text
from tests.test_pages import says, visit

FOLDERS = [folder for section in registry.SECTIONS.values() for folder in section]


def presented(app) -> list[dict]:
    """What the component that presents is told."""
    found = [e.proto for e in app.get("bidi_component") if e.proto.component_name == "roam_presenter"]
    return [json.loads(proto.json) for proto in found]


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_page_can_be_presented(folder, at_a_glance):
    app = visit(folder, present="1", picture="2")
    page = registry.page(folder)
    assert presented(app) == [
        {"title": page.headline or page.title, "page": page.path, "picture": 2, "code": {}},
    ]
    assert app.query_params["present"] == "1"
    assert app.query_params["picture"] == "2"


def test_the_button_begins_to_present(at_a_glance):
    app = visit("lab")
    assert presented(app) == []
    app.button(key="present").click().run()
    assert len(presented(app)) == 1
    assert app.query_params["present"] == "1"
    start = visit("start")
    assert "present" not in start.query_params
    start.button(key="present").click().run()
    assert start.query_params["present"] == "1"


def test_predict_first_is_in_the_link_and_hides_the_notice(at_a_glance):
    app = visit("lab", tau="0", horizon="1000", k="1000", runs="100")
    assert says(app, PRESETS[1].notice)
    app.session_state[presenting.POPOVER] = True  # somebody opens it
    app.run()
    app.toggle[0].set_value(True).run()
    assert app.query_params["predict"] == "1"
    assert not says(app, PRESETS[1].notice)
    app.session_state[presenting.POPOVER] = False
    app.run()
    assert app.query_params["predict"] == "1"


@pytest.mark.parametrize(
    ("link", "picture"),
    [
        ({"present": "yes"}, None),
        ({"present": "0"}, None),
        ({"present": "1", "picture": "0"}, 1),
        ({"present": "1", "picture": "99"}, presenting.MOST_PICTURES),
        ({"present": "1", "picture": "<b>2</b>"}, 1),
        ({"present": "1", "picture": "nan"}, 1),
    ],
)
def test_what_is_no_good_gives_a_complaint_and_a_page(link, picture, at_a_glance):
    app = visit("lab", **link)
    assert len(app.warning) == 1
    assert [told["picture"] for told in presented(app)] == ([] if picture is None else [picture])
    assert len(app.slider) > 0


def test_pages_follow_each_other_up_to_the_ends():
    paths = [registry.page(folder).path for folder in FOLDERS]
    assert [registry.beside(path, 1) for path in paths] == [*FOLDERS[1:], None]
    assert [registry.beside(path, -1) for path in paths] == [None, *FOLDERS[:-1]]
    assert [registry.at(path) for path in paths] == [registry.page(folder) for folder in FOLDERS]


def drawn(svg: str) -> Image.Image:
    """The drawing of a code as dots: lines of dark modules on a white square."""
    side = int(re.search(r'viewBox="0 0 (\d+) \1"', svg)[1])
    image = Image.new("L", (side, side), 255)
    draw, x, y = ImageDraw.Draw(image), 0.0, 0.0
    for command, numbers in re.findall(r"([Mmh])([-\d. ]+)", svg.rpartition(' d="')[2]):
        way = [float(n) for n in numbers.split()]
        if command == "h":
            draw.line([(x, y), (x + way[0] - 1, y)], fill=0)
            x += way[0]
        else:
            x, y = (way[0], way[1] - 0.5) if command == "M" else (x + way[0], y + way[1])
    return image.resize((8 * side, 8 * side), Image.Resampling.NEAREST)


@pytest.mark.parametrize("length", [0, 60, 700])
def test_a_code_says_its_link(length):
    link = "https://roam.example.org/simulation-lab?tau=0&pin=d%3D3" + "&x=1" * (length // 4)
    (found,) = zxingcpp.read_barcodes(drawn(qr.svg(link)))
    assert found.text == link
    assert qr.warning(link) == ""


def test_a_code_is_black_on_white_with_its_quiet_zone():
    svg = qr.svg("https://roam.example.org")
    assert 'stroke="#000"' in svg
    assert 'fill="#fff"' in svg
    modules = drawn(svg).resize((25 + 2 * qr.QUIET,) * 2, Image.Resampling.NEAREST)
    assert modules.getbbox() is not None
    inked = modules.point(lambda value: 255 - value).getbbox()
    assert inked == (qr.QUIET, qr.QUIET, 25 + qr.QUIET, 25 + qr.QUIET)


def test_a_link_that_is_too_long_for_a_code_says_so():
    link = "https://roam.example.org/?" + "x" * 4000
    assert qr.svg(link) == ""
    assert qr.warning(link) == qr.TOO_LONG


@pytest.mark.parametrize(
    ("host", "only_here"),
    [("127.0.0.1:8501", True), ("localhost", True), ("[::1]:8501", True), ("0.0.0.0:8501", True),
     ("192.168.1.20:8501", False), ("roam.example.org", False)],
)  # fmt: skip
def test_an_address_that_phones_cannot_open_says_so(host, only_here):
    assert (qr.warning(f"http://{host}/setting") == qr.ONLY_HERE) == only_here


def test_a_chart_enlarges_from_the_text_that_figures_have():
    plain = int(re.search(r"const PLAIN = (\d+);", text("chart.js"))[1])
    assert base_layout("", "", "", "")["font"]["size"] == plain


def test_a_page_may_say_the_same_twice():
    def twice():
        from pages.reveal import say_verdict

        say_verdict("It holds.")
        say_verdict("It holds.")

    app = AppTest.from_function(twice).run()
    assert not app.exception
    assert [said.value for said in app.markdown] == ["It holds.", "It holds."]
