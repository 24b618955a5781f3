"""What only a browser can show: it streams, plots change in place, the link restores the view."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

from playwright.sync_api import expect
from streamlit.proto.Element_pb2 import Element

from pages import export
from pages.one_run.scene import in_plane, scene
from roam_core import Scenario, simulate
from tests.browser.conftest import AT_REST, drawn_anew, fits_every_screen
from tests.visitors import Visitor

SMALL = "horizon=200&k=100&runs=30"


def lab(query: str = SMALL) -> str:
    return f"/simulation-lab?{query}"


def settled(page, runs: int = 30):
    """Wait until the simulation is complete and its plots are drawn."""
    expect(page.get_by_text(f"{runs} of {runs} runs")).to_be_visible()
    page.wait_for_function("document.querySelectorAll('.roam-chart')[0]?.data?.length > 0")
    return page


def take_along(page) -> None:
    """Open the drawer with the files, which is closed when a page has been drawn anew."""
    expect(page.get_by_role("button", name="Stop")).to_be_disabled()
    drawer = page.locator("details", has_text="Take it along")
    if drawer.get_attribute("open") is None:
        drawer.locator("summary").click()
    expect(page.get_by_role("button", name="Curves (CSV)")).to_be_visible()


def regret(page) -> list[float]:
    return page.evaluate("document.querySelectorAll('.roam-chart')[0].data.at(-1).y")


def test_from_the_start_page_to_the_lab(visit):
    page = visit("/")
    expect(page.get_by_role("heading", name="Regret once, ask many")).to_be_visible()
    page.get_by_role("button", name="What if it never explores?").click()
    expect(page.get_by_role("heading", name="Simulation lab")).to_be_visible()
    page.wait_for_url(re.compile(r"simulation-lab\?.*tau=0"))


def test_from_the_start_page_to_one_run(visit):
    page = visit("/")
    page.get_by_role("button", name="Open in 2-D").click()
    expect(page.get_by_role("heading", name="One run in 2-D")).to_be_visible()
    page.wait_for_url(re.compile(r"one-run\?.*horizon=200"))
    opening = scene(in_plane(Scenario(horizon=200)))["opening"]
    expect(page.locator(".roam-plane .now")).to_have_text(f"Round {opening} of 200")


def test_moving_a_slider_changes_the_curve_in_place(visit):
    page = settled(visit(lab()))
    before = regret(page)
    page.evaluate("document.querySelectorAll('.roam-chart')[0].mark = 'the same node'")
    page.get_by_role("slider").first.press("ArrowRight")
    page.wait_for_url(re.compile("d=6"))
    settled(page)
    page.wait_for_function(
        "old => document.querySelectorAll('.roam-chart')[0].data.at(-1).y.at(-1) !== old", arg=before[-1]
    )
    assert page.evaluate("document.querySelectorAll('.roam-chart')[0].mark") == "the same node"


def test_a_zoomed_plot_stays_zoomed_while_the_scenario_changes(visit):
    page = settled(visit(lab()))
    box = page.locator(".roam-chart .nsewdrag").first.bounding_box()
    page.mouse.move(box["x"] + 0.2 * box["width"], box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 150, steps=8)
    page.mouse.up()
    zoomed = page.evaluate("document.querySelectorAll('.roam-chart')[0].layout.xaxis.range")
    assert zoomed[0] > 10
    ticks = page.locator(".roam-chart").first.locator(".xtick")
    expect(ticks.nth(2)).to_be_visible()  # those of the whole axis are farther apart
    page.get_by_role("button", name="New seed").click()
    page.wait_for_url(re.compile("seed="))
    settled(page)
    assert page.evaluate("document.querySelectorAll('.roam-chart')[0].layout.xaxis.range") == zoomed


def test_it_streams_and_can_be_stopped(visit):
    page = visit(lab("runs=400&k=2000&algorithm=colstim"))
    page.wait_for_function("document.querySelectorAll('.roam-chart')[0]?.data?.length > 0")
    page.get_by_role("button", name="Stop").click()
    stopped = page.get_by_text(re.compile(r"Stopped: \d+ of 400 runs"))
    expect(stopped).to_be_visible()
    assert int(re.search(r"(\d+) of", stopped.inner_text())[1]) < 400
    assert regret(page)


def test_a_copied_link_shows_the_same_curves_and_pins(visit):
    page = settled(visit(lab()))
    page.get_by_role("button", name="Pin this curve").click()
    page.wait_for_url(re.compile("pin="))
    page.get_by_role("button", name="New seed").click()
    page.wait_for_url(re.compile("pin=.*seed=|seed=.*pin="))
    settled(page)
    page.wait_for_function("document.querySelectorAll('.roam-chart')[0].data.length === 6")
    other = settled(visit("/" + page.url.split("/", 3)[3]))
    other.wait_for_function("document.querySelectorAll('.roam-chart')[0].data.length === 6")
    assert regret(other) == regret(page)


COLOURS = """Object.fromEntries((document.querySelectorAll('.roam-chart')[0]?.data ?? [])
    .filter(trace => trace.mode === 'lines' && trace.line.width === 3).map(trace => [trace.name, trace.line.color]))"""


def test_curves_keep_their_colours_when_they_are_pinned_and_unpinned(visit):
    page = settled(visit(lab()))
    seen = {}

    def press(button: str, *names: str) -> None:
        before = page.url
        page.get_by_role("button", name=button, exact=True).click()
        page.wait_for_url(lambda url: url != before)  # the pins are in it: what is pinned now is what is on screen
        page.wait_for_function(f"names => Object.keys({COLOURS}).sort().join() === names", arg=",".join(sorted(names)))
        now = page.evaluate(COLOURS)
        assert len(set(now.values())) == len(now)
        assert {name: seen.setdefault(name, colour) for name, colour in now.items()} == now

    def to_the_right(url: str) -> None:
        page.get_by_role("slider").first.press("ArrowRight")
        page.wait_for_url(re.compile(url))
        page.wait_for_function(AT_REST)

    press("Pin this curve", "this scenario")
    seen["d = 5"] = seen["this scenario"]
    to_the_right("d=6")
    press("Pin this curve", "d = 5", "d = 6")
    to_the_right("d=7")
    page.wait_for_function(f"Object.keys({COLOURS}).length === 3")
    press("Unpin d = 5", "d = 6", "d = 7")
    press("Pin this curve", "d = 6", "d = 7")
    to_the_right("d=8")
    press("Unpin d = 6", "d = 7", "d = 8")


def test_the_plots_are_complete_on_the_first_screen_of_a_projector(visit):
    page = visit(lab(SMALL + "&tau=0&spread=1&pin=horizon%3D200,k%3D100,runs%3D30"))
    page.set_viewport_size({"width": 1280, "height": 720})
    settled(page)
    drawn_anew(page)
    for place in range(3):
        box = page.locator(".roam-chart").nth(place).bounding_box()
        assert box["y"] > 0
        assert box["y"] + box["height"] <= 720
    last = page.evaluate(
        "document.querySelectorAll('.roam-chart')[0].querySelector('.xtick:last-of-type text').textContent"
    )
    assert last == "200"


def test_a_link_with_a_sweep_draws_the_family_and_the_questions(visit):
    page = settled(visit(lab(SMALL + "&sweep=tau%3D0,25,50")))
    traces = "[...document.querySelectorAll('.roam-chart')].map(chart => chart.data?.length)"
    # Three curves of three traces each, the dots of two kinds, and with three values a family and its end points.
    page.wait_for_function(f"JSON.stringify({traces}) === '[3,3,3,2,9,1]'")
    dots = page.evaluate("document.querySelectorAll('.roam-chart')[3].data.map(trace => trace.x.length)")
    assert sum(dots) == 199


def test_files_can_be_taken_along_again_and_again(visit):
    """The page is drawn again by every click, and by a control in between: no click goes without its file."""
    page = settled(visit(lab()))
    for d in (5, 6):
        scenario = Scenario(d=d, horizon=200, k=100, runs=30)
        take_along(page)
        expected = {
            "Curves (CSV)": ("roam.csv", export.csv(simulate(scenario)).splitlines()[-1]),
            "Script (Python)": ("roam.py", export.script(scenario)),
            "Estimation error (HTML)": ("estimation-error.html", 'Plotly.newPlot("chart"'),
        }
        for label, (name, content) in expected.items():
            with page.expect_download() as download:
                page.get_by_role("button", name=label).click()
            assert download.value.suggested_filename == name
            assert content in download.value.path().read_text(encoding="utf-8")
        page.get_by_role("slider").first.press("ArrowRight")
        page.wait_for_url(re.compile(f"d={d + 1}"))
        page.wait_for_function(AT_REST)  # the address changes first: what is on screen may still be the old scenario's
        settled(page)


def test_a_figure_taken_along_is_drawn_without_a_server(visit, context, tmp_path):
    page = settled(visit(lab()))
    take_along(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Cumulative regret (HTML)").click()
    download.value.save_as(tmp_path / "figure.html")
    alone = context.new_page()
    alone.goto((tmp_path / "figure.html").as_uri())
    alone.wait_for_function("document.querySelector('#chart .main-svg') !== null")
    assert alone.evaluate("document.querySelector('#chart').data.at(-1).y") == regret(page)
    alone.close()


def test_options_of_the_plots_survive_a_turn_to_another_page(visit):
    page = settled(visit(lab(SMALL + "&log=1")))
    page.get_by_text("√t guide").click()
    page.wait_for_url(re.compile("guide=1"))
    page.get_by_role("link", name="Start here").first.click()
    expect(page.get_by_role("heading", name="Regret once, ask many")).to_be_visible()
    page.go_back()
    settled(page)
    page.wait_for_url(re.compile("log=1.*guide=1|guide=1.*log=1"))
    expect(page.get_by_role("checkbox", name="√t guide")).to_be_checked()


def test_a_bad_link_gives_a_message(visit):
    page = settled(visit(lab(SMALL + "&d=1000&link=%3Cimg%20src=x%3E")))
    expect(page.get_by_text("d = '1000' is not allowed")).to_be_visible()
    expect(page.get_by_text("Used instead: logistic")).to_be_visible()


def test_the_lab_fits_every_screen(visit):
    fits_every_screen(settled(visit(lab())), "lab")


class Watcher(Visitor):
    """Somebody who sees how far the runs are."""

    progress = ""

    def see(self, what: str, element: Element) -> None:
        if what == "progress":
            self.progress = element.progress.text


async def press_while_a_call_is_on_its_way(address: str) -> str:
    """Press a thing to try; what the browser knew before comes after it. How far the runs are at the end."""
    watcher = Watcher(address, "simulation-lab")
    await watcher.open()
    watcher.query = "tau=0&runs=1000&algorithm=colstim"
    await watcher.ask()
    await watcher.until(lambda: "1000 runs" in watcher.progress and watcher.has("w_tau", "try Paper's defaults"))
    await watcher.until(lambda: watcher.again)
    watcher.set_number("w_tau", 0)
    late = watcher.call(*watcher.again)
    watcher.states.clear()
    await watcher.press("try Paper's defaults")
    await watcher.socket.send(late)
    try:
        await watcher.until(lambda: watcher.progress.startswith("100 of 100 runs"))
        return watcher.query
    finally:
        await watcher.close()


def test_a_call_that_was_on_its_way_moves_no_control(server):
    with ThreadPoolExecutor(1) as pool:  # this thread's loop is the browser's
        shown = pool.submit(asyncio.run, press_while_a_call_is_on_its_way(urlsplit(server).netloc)).result()
    assert shown == ""


def test_the_browsers_back_brings_back_the_view(visit):
    page = visit("/simulation-lab?horizon=60&k=20&runs=4&tau=5")
    expect(page.get_by_text("4 of 4 runs")).to_be_visible()
    slider = page.get_by_role("slider", name="Feature dimension (d)")
    before = slider.input_value()
    slider.press("ArrowRight")
    page.wait_for_url(re.compile("d=6"))
    page.wait_for_function(AT_REST)
    page.go_back()
    page.wait_for_function("!location.search.includes('d=6')")
    expect(slider).to_have_value(before)
    expect(page.get_by_text("4 of 4 runs")).to_be_visible()
    page.wait_for_function(AT_REST)
    page.go_forward()
    page.wait_for_url(re.compile("d=6"))
    expect(slider).not_to_have_value(before)
    assert "tau=5" in page.url
