"""Presenting in a browser: a picture on the whole screen, a clicker's keys, the drawer, the QR code; and printing."""

import io
import re

import zxingcpp
from PIL import Image
from playwright.sync_api import expect

from tests.browser.conftest import AT_REST

SMALL = "horizon=60&k=20&runs=4"
LAB = f"/simulation-lab?{SMALL}"
# The share of the screen that the picture fills, and its smallest text in pixels.
ON_SCREEN = """() => {
  const picture = document.querySelector(".presented"), { width, height } = picture.getBoundingClientRect();
  const text = [...picture.querySelectorAll("text"), ...document.querySelectorAll(".roam-presenter .said p")];
  const sizes = text.map((node) => parseFloat(getComputedStyle(node).fontSize));
  return [width * height / innerWidth / innerHeight, Math.min(...sizes)];
}"""
COMPLETE = "document.body.textContent.includes('100 of 100 runs')"  # a key can get lost while results stream in
DRAWN = "document.querySelectorAll('.presented.js-plotly-plot .main-svg').length > 0"


def bar(page):
    return page.get_by_role("toolbar", name="Presenting")


def test_one_picture_fills_the_screen_and_a_clicker_goes_on(visit):
    page = visit(LAB)
    page.get_by_role("button", name="Present").click()
    page.get_by_role("button", name="Present this page").click()
    expect(bar(page)).to_contain_text("Simulation lab")
    expect(page.get_by_role("button", name="Present this page")).to_be_hidden()
    expect(bar(page)).to_contain_text("Picture 1 of 4")
    page.wait_for_function(DRAWN)
    expect(page.get_by_role("slider", name="Feature dimension (d)")).to_be_hidden()
    page.keyboard.press("PageDown")
    expect(bar(page)).to_contain_text("Paper's defaults")
    page.keyboard.press("PageDown")
    expect(bar(page)).to_contain_text("No exploration")
    page.wait_for_url(re.compile("tau=0"))
    expect(page.locator(".roam-presenter .said")).to_contain_text("Notice.")
    share, text = page.evaluate(ON_SCREEN)
    assert share > 0.6
    assert text >= 28
    page.keyboard.press("ArrowLeft")
    expect(bar(page)).to_contain_text("Paper's defaults")
    page.keyboard.press("ArrowDown")
    expect(bar(page)).to_contain_text("Picture 2 of 4")
    page.wait_for_url(re.compile("picture=2"))
    page.wait_for_function(COMPLETE)
    page.wait_for_function(AT_REST)
    page.keyboard.press("PageUp")  # before the first step: the page before
    expect(bar(page)).to_contain_text("Rich history")
    expect(bar(page)).to_contain_text("Picture 1 of")
    page.wait_for_url(re.compile("rich-history.*present=1"))


def test_the_drawer_holds_the_controls_and_leaving_restores_the_page(visit):
    page = visit(f"{LAB}&present=1&predict=1&tau=0")
    page.wait_for_function(DRAWN)
    page.keyboard.press("d")
    slider = page.get_by_role("slider", name="Feature dimension (d)")
    slider.press("ArrowRight")
    page.wait_for_url(re.compile("d=6"))
    slider.press("PageDown")  # a slider keeps its keys
    page.wait_for_function("!location.search.includes('d=6')")
    expect(bar(page)).to_contain_text("Step")
    page.keyboard.press("Escape")
    expect(slider).to_be_hidden()
    page.keyboard.press("PageDown")
    expect(bar(page)).to_contain_text("Paper's defaults")
    page.wait_for_function("!location.search.includes('tau')")
    page.wait_for_function(COMPLETE)
    page.wait_for_function(AT_REST)
    expect(page.locator(".roam-presenter .said")).to_be_empty()
    page.keyboard.press("r")
    expect(page.locator(".roam-presenter .said")).to_contain_text("Notice.")
    page.keyboard.press("Escape")
    expect(slider).to_be_visible()
    expect(page.get_by_test_id("stHeader")).to_be_visible()
    page.wait_for_function("!location.search.includes('present')")
    # three in a row again
    page.wait_for_function("document.querySelector('.roam-chart .main-svg').getBoundingClientRect().width < 500")
    assert page.locator(".presented").count() == 0


def test_arrows_move_the_run_and_a_clicker_the_page(visit):
    page = visit("/one-run?horizon=60&k=20&present=1&round=30")
    words = page.locator(".roam-plane .words")
    expect(words).to_contain_text("Round 30")
    page.keyboard.press("ArrowRight")
    expect(words).to_contain_text("Round 31")
    page.keyboard.press("PageDown")
    expect(bar(page)).to_contain_text("The paper's rule")


def read(node) -> str:
    """What a phone's camera would read."""
    (found,) = zxingcpp.read_barcodes(Image.open(io.BytesIO(node.screenshot())))
    return found.text


def test_the_qr_code_leads_to_the_view(visit, server):
    page = visit(f"{LAB}&present=1&picture=2&tau=0", scheme="dark")
    page.wait_for_function(DRAWN)
    page.keyboard.press("q")
    code = page.get_by_role("img", name="QR code of this view")
    expect(code.locator("svg")).to_be_visible()
    link = read(code)
    assert link.startswith(f"{server}/simulation-lab?")
    assert set(link.partition("?")[2].split("&")) == {"tau=0", "horizon=60", "k=20", "runs=4"}
    expect(page.get_by_role("dialog")).to_contain_text("phones cannot open it")
    page.keyboard.press("Escape")
    expect(code).to_be_hidden()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Present").click()
    expect(code).to_be_visible()
    page.wait_for_function("document.querySelector('[data-testid=stPopoverBody] img').complete")
    assert read(code) == link


def test_a_printed_page_is_a_handout(visit):
    page = visit(f"{LAB}&tau=0", scheme="dark")
    page.wait_for_function("document.querySelectorAll('.roam-chart .main-svg').length >= 8")
    expect(page.get_by_text("4 of 4 runs")).to_be_visible()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    for gone in ("stHeader", "stSlider", "stButton", "stPopover", "stProgress", "stPageLink"):
        expect(page.get_by_test_id(gone).first).to_be_hidden()
    for there in (page.locator(".roam-chart"), page.get_by_test_id("stMetric"), page.get_by_text("Mean over 4")):
        expect(there.first).to_be_visible()
    expect(page.locator(".st-key-address")).to_contain_text("/simulation-lab?tau=0")
    assert page.locator("h2").first.evaluate("node => getComputedStyle(node).color") == "rgb(0, 0, 0)"
    inside = "node => node.scrollWidth <= node.clientWidth + 1"
    page.set_viewport_size({"width": 690, "height": 1000})  # the width of the paper
    assert page.get_by_test_id("stMain").evaluate(inside)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
