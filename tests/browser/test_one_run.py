"""The moving picture in a real browser: it plays, pauses, scrubs, steps, and answers a click."""

import re
from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import expect

from pages.one_run.scene import in_plane, play
from pages.one_run.telling import item_name
from roam_core import Scenario, trajectory
from roam_core.links import LINKS
from tests.browser.conftest import AT_REST, drawn_anew, fits_every_screen

ROUNDS = 200
SHOWN = in_plane(Scenario(horizon=ROUNDS))
TIME_OF_40_EMPTY_FRAMES = """() => new Promise((done) => {
  let begun = null, count = 0;
  const frame = (now) => {
    begun ??= now;
    if (count++ === 40) done(now - begun);
    else requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})"""
PLANE = "document.querySelector('.roam-plane').plane"


@pytest.fixture
def open_run(visit):
    """The page with a link's query, when its picture is drawn."""

    def open_page(query: str = "", width: int = 1280, scheme: str = "light"):
        page = visit(f"/one-run?horizon={ROUNDS}{query}", width, scheme)
        expect(page.locator(".roam-plane .now")).to_contain_text("Round")
        return page

    return open_page


def now(page) -> int:
    return int(re.search(r"Round (\d+)", page.locator(".roam-plane .now").inner_text())[1])


def test_it_plays_smoothly_and_pauses(open_run, record_property):
    page = open_run("&round=1")
    page.wait_for_function("document.querySelector('.roam-chart')?.data?.[1]?.y.length === 100")  # the strip of users
    page.wait_for_function(AT_REST)
    page.get_by_label("Rounds a second").select_option("20")
    page.get_by_role("button", name="Play or pause").click()
    page.wait_for_function(f"{PLANE}.state.t > 60")
    page.get_by_role("button", name="Play or pause").click()
    stopped = now(page)
    frames = np.array(page.evaluate(f"{PLANE}.player.frames"))
    rate = 1000 * (len(frames) - 1) / (frames[-1] - frames[0])
    idle = 1000 * 40 / page.evaluate(TIME_OF_40_EMPTY_FRAMES)
    record_property("frames a second", float(rate))
    print(f"{rate:.0f} frames a second over {stopped} rounds, {idle:.0f} with nothing to draw")
    assert rate >= idle / 3  # 20 where an idle browser makes 60
    frames = page.evaluate(f"{PLANE}.player.frames.length")
    page.evaluate(TIME_OF_40_EMPTY_FRAMES)  # a while: at 20 rounds a second it would have moved on
    assert page.evaluate(f"{PLANE}.player.frames.length") == frames
    assert now(page) == stopped
    expect(page.locator(".roam-plane .words")).to_contain_text(f"Round {stopped}.")


def test_every_panel_shows_the_round_of_the_trajectory(open_run):
    page, run = open_run("&round=41"), play(SHOWN)
    t = 40
    numbers = page.evaluate(
        f"""() => {{
          const {{ items, taste, curves }} = {PLANE}, {{ plots }} = curves;
          const place = (node) => node.getAttribute("transform").match(/-?[\\d.]+/g).map(Number);
          const back = ({{ panel }}, [x, y]) => [(x - 250) / 250 * panel.range, (250 - y) / 250 * panel.range];
          return {{
            x: back(items, place(items.x)), best: back(items, place(items.best)), y: back(items, place(items.y)),
            estimate: back(taste, place(taste.estimate)), theta: back(taste, place(taste.truth)),
            history: items.dots.filter((d) => d.dot.style.display !== "none" && (d.shown ?? -1) >= 0).length,
            asked: items.dots.slice(0, {t}).map((d) => Number(d.dot.getAttribute("data-count"))),
            cursors: plots.map((plot) => Number(plot.cursor.getAttribute("x1"))),
            titles: plots.map((plot) => plot.title.textContent),
          }};
        }}"""
    )
    for name in ("x", "best", "y"):
        np.testing.assert_allclose(numbers[name], getattr(run, name)[t], atol=1e-3)
    np.testing.assert_allclose(numbers["estimate"], run.estimate[t], atol=2e-3)
    np.testing.assert_allclose(numbers["theta"], run.theta, atol=2e-3)
    assert numbers["history"] == t
    # A dot's size counts the questions up to and including the one on screen.
    expected = np.bincount(run.asked[1 : t + 1], minlength=t)
    assert numbers["asked"] == expected.tolist()
    assert len(set(numbers["cursors"])) == 1
    assert numbers["titles"][0] == f"Regret R(t)  {float(f'{run.regret[t]:.3g}'):g}"


def test_scrubbing_stepping_and_keys_move_everything(open_run):
    page = open_run("&round=30")
    page.get_by_label("Round", exact=True).evaluate(
        "node => { node.value = 120; node.dispatchEvent(new Event('input')); }"
    )
    assert now(page) == 120
    page.get_by_role("button", name="One step forward").click()
    assert now(page) == 121
    page.get_by_role("button", name="One step back").click()
    page.keyboard.press("ArrowLeft")
    assert now(page) == 119
    page.keyboard.press("End")
    assert now(page) == ROUNDS
    page.keyboard.press("Home")
    assert now(page) == 1
    page.get_by_role("button", name="Jump to the end of exploration").click()
    assert now(page) == 21
    page.locator(".roam-plane .curves svg").first.click(position={"x": 120, "y": 60})
    assert 40 < now(page) < 180
    page.locator(".roam-plane .words").click()
    page.keyboard.press(" ")
    page.wait_for_function(f"{PLANE}.state.playing")
    page.keyboard.press(" ")
    page.wait_for_function(f"!{PLANE}.state.playing")


def test_a_round_can_be_stepped_through_in_four_stages(open_run):
    page = open_run("&round=50")
    seen = []
    page.get_by_role("button", name="1. Recommend").click()
    for stage in ("recommend", "ask", "answer", "learn"):
        expect(page.locator(".roam-plane .words")).to_contain_text(f"Round 50, {stage}.")
        arrow, winner, old = (
            page.evaluate(f"{PLANE}.{node}.style.display !== 'none'")
            for node in ("items.probe", "items.winner", "taste.before")
        )
        seen.append((arrow, winner, old))
        page.keyboard.press("ArrowRight")
    assert seen == [(False, False, False), (True, False, False), (True, True, False), (True, True, True)]
    expect(page.locator(".roam-plane .words")).to_contain_text("Round 51, recommend.")
    page.get_by_role("button", name="Whole round").click()
    expect(page.locator(".roam-plane .words")).to_contain_text("Round 51. Recommended")


def lonely(run, t: int) -> list[int]:
    """Past items of round t + 1 that have nothing else within a finger, but for the one the rule asks about."""
    apart = np.linalg.norm(run.x[:t, None] - run.x[None, :t], axis=2) + 9 * np.eye(t)
    return [i for i in range(20) if i != run.asked[t] and apart[i].min() > 0.1]


def click_on(page, item) -> None:
    """Point at an item of the history."""
    panel = page.locator(".roam-plane .items .stage-svg")
    panel.scroll_into_view_if_needed()
    box = panel.bounding_box()
    x, y = item / 1.2 * min(box["width"], box["height"]) / 2
    page.mouse.click(box["x"] + box["width"] / 2 + x, box["y"] + box["height"] / 2 - y)


def test_a_click_on_a_past_item_asks_about_that_one_instead(open_run):
    page, run, t = open_run("&round=90"), play(SHOWN), 89
    pick = lonely(run, t)[0]
    click_on(page, run.x[pick])
    verdict = page.locator(".roam-plane .words")
    expect(verdict).to_contain_text(f"You ask about item {item_name(pick)} of round {pick + 1}.")
    V, yours, rule = run.V[t], run.x[t] - run.x[pick], run.z[t]
    lengths = re.search(r"length ([\d.e-]+) in V⁻¹, the rule's ([\d.e-]+)\.", verdict.inner_text())
    shares = re.findall(r"([\d.]+)%", verdict.inner_text())
    for z, length, share in zip((yours, rule), lengths.groups(), shares, strict=True):
        assert float(length) == pytest.approx(np.sqrt(z @ np.linalg.inv(V) @ z), rel=0.06)  # two digits on screen
        left = np.sqrt(np.linalg.det(V) / np.linalg.det(V + np.outer(z, z)))
        assert float(share) == pytest.approx(100 * (1 - left), abs=0.06)
    semi = [float(page.evaluate(f"{PLANE}.taste.afterYours.getAttribute('{r}')")) / 250 * 2.4 / 4 for r in ("rx", "ry")]
    np.testing.assert_allclose(np.array(semi) ** -2.0, np.linalg.eigvalsh(V + np.outer(yours, yours)), rtol=5e-3)
    page.get_by_role("button", name="Back to the rule's choice").click()
    expect(verdict).to_contain_text("Round 90. Recommended")


def test_your_turn_goes_on_and_its_link_repeats_it(open_run, visit):
    page, run = open_run("&round=90"), play(SHOWN)
    first, second = lonely(run, 89)[:2]
    words, beside = page.locator(".roam-plane .words"), page.locator(".roam-plane .beside")
    click_on(page, run.x[first])
    page.get_by_role("button", name="Ask this").click()
    page.wait_for_url(re.compile(f"round=91&yours=90.{first + 1}$"))
    expect(page.locator(".roam-plane .now")).to_contain_text("Round 91")  # after the user's answer
    expect(words).to_contain_text(f"You asked about item {item_name(first)} of round {first + 1}: the user preferred")
    assert page.evaluate(f"{PLANE}.items.y.style.display") == "none"  # the rule's choice is not shown
    click_on(page, run.x[second])
    expect(words).to_contain_text(f"You ask about item {item_name(second)} of round {second + 1}. Its probe has length")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(f"round=92&yours=90.{first + 1}_91.{second + 1}$"))
    expect(page.locator(".roam-plane .now")).to_contain_text("Round 92")
    chosen = trajectory(replace(SHOWN, horizon=93), every_item=True, by_hand={90: first + 1, 91: second + 1})
    for name, index in (("estimate", 91), ("x", 91)):
        np.testing.assert_allclose(
            page.evaluate(f"{PLANE}.scene.{name}[{index}]"), getattr(chosen, name)[index], rtol=1e-4
        )
    paid, roams = (f"{one.regret[91] - one.regret[89]:.2f}" for one in (chosen, run))
    expect(beside).to_contain_text(f"Rounds 91 to 92, same luck. Regret: yours {paid}, ROAM's {roams}.")
    assert page.evaluate(f"{PLANE}.yourTurn.ghost.dot.style.display") == ""

    other = visit("/" + page.url.split("/", 3)[3])
    for what in (".words", ".beside", ".now"):
        expect(other.locator(f".roam-plane {what}")).to_have_text(page.locator(f".roam-plane {what}").inner_text())
    other.get_by_role("button", name="Take back").click()
    other.wait_for_url(re.compile(f"round=91&yours=90.{first + 1}$"))
    other.get_by_role("button", name="Let the rule ask the rest").click()
    expect(other.locator(".roam-plane .now")).to_contain_text(f"Round {ROUNDS} of")
    expect(other.locator(".roam-plane .yours")).to_contain_text("every round has its question")
    other.get_by_role("button", name="End my turn").click()
    other.wait_for_url(lambda url: "yours" not in url)
    expect(other.locator(".roam-plane .words")).to_have_text(re.compile(f"^Round {ROUNDS}. Recommended"))


def test_your_turn_can_be_had_with_the_keyboard_alone(open_run):
    page = open_run("&round=30", width=390)
    page.get_by_role("button", name="Start my turn in round 30").press("Enter")
    page.wait_for_url(re.compile("yours=29.0"))
    expect(page.locator(".roam-plane .words")).to_have_text("Round 30: which past item would you ask about?")
    field = page.get_by_role("spinbutton", name="Ask about the item of round")
    field.fill("4")
    field.press("Enter")  # what it would do
    expect(page.locator(".roam-plane .words")).to_contain_text("You ask about item D of round 4.")
    field.press("Enter")
    page.wait_for_url(re.compile("round=31&yours=29.0_30.4"))
    expect(page.locator(".roam-plane .now")).to_contain_text("Round 31")
    page.get_by_role("button", name="Let the rule ask", exact=True).press("Enter")
    page.wait_for_url(re.compile("round=32&yours=29.0_30.4_31.0"))
    expect(page.locator(".roam-plane .now")).to_contain_text("Round 32")


def test_the_ellipsoid_can_have_the_slope_in_it(open_run, visit):
    page, run, t = open_run("&round=90&c=3"), play(SHOWN), 89
    size = page.get_by_label("Size c of the ellipsoid")
    expect(size).to_be_visible()
    page.get_by_role("button", name="H: with the slope").click()
    expect(size).to_be_hidden()
    expect(page.locator(".roam-plane .taste")).to_contain_text("nominal 95%")
    expect(page.locator(".roam-plane .taste")).to_contain_text("It reaches 2.45 from the estimate, measured in H")
    page.wait_for_url(re.compile("ellipsoid=H"))
    semi = [float(page.evaluate(f"{PLANE}.taste.belief.getAttribute('{r}')")) / 250 * 2.4 for r in ("rx", "ry")]
    weight = LINKS["logistic"].slope(run.z[1:t] @ run.estimate[t])
    H = SHOWN.ridge * np.eye(2) + (weight[:, None] * run.z[1:t]).T @ run.z[1:t]
    np.testing.assert_allclose(5.991 / np.array(semi) ** 2.0, np.linalg.eigvalsh(H), rtol=2e-2)
    page.keyboard.press("ArrowRight")  # the keys still move the run
    assert now(page) == 91
    page.get_by_label("Ask about the item of round").fill("3")
    page.get_by_label("Ask about the item of round").press("Enter")
    expect(page.locator(".roam-plane .words")).to_contain_text("the area of V's ellipsoid")
    assert page.evaluate(f"{PLANE}.taste.afterYours.style.display") == "none"
    page.get_by_role("button", name="V: probes so far").click()
    assert page.evaluate(f"{PLANE}.taste.afterYours.style.display") == ""
    other = visit(f"/one-run?horizon={ROUNDS}&ellipsoid=H")
    expect(other.locator(".roam-plane .taste")).to_contain_text("It reaches 2.45 from the estimate, measured in H")


def test_the_coverage_follows_the_size_on_screen(open_run):
    page = open_run()
    page.get_by_text("What V and H are").click()
    said = page.get_by_test_id("stMarkdown").filter(has_text="Is the taste inside?")
    expect(said).to_contain_text("100 runs")
    page.get_by_label("Size c of the ellipsoid").press("ArrowRight")
    expect(said).to_contain_text("V, c = 4.5")


def test_layers_can_be_switched_off(open_run):
    page = open_run()
    page.get_by_role("button", name="equal uncertainty").click()
    assert page.evaluate(f"{PLANE}.items.reach.style.visibility") == "hidden"
    page.wait_for_url(re.compile("hide=reach"))
    page.get_by_role("button", name="equal uncertainty").click()
    assert page.evaluate(f"{PLANE}.items.reach.style.visibility") == ""
    bars = page.locator(".roam-plane .ratio")
    expect(bars).to_be_visible()
    page.get_by_role("button", name="mistake: from").click()
    expect(bars).to_be_hidden()
    expect(page.locator(".roam-plane .ratio-words")).to_be_hidden()


def test_the_link_restores_the_round(open_run, visit):
    page = open_run("&round=30")
    page.get_by_role("button", name="One step forward").click()
    page.get_by_role("button", name="2. Ask").click()
    page.wait_for_url(re.compile("round=31.*stage=ask"))
    other = visit("/" + page.url.split("/", 3)[3])
    expect(other.locator(".roam-plane .words")).to_contain_text("Round 31, ask.")
    assert other.locator(".roam-plane .words").inner_text() == page.locator(".roam-plane .words").inner_text()


def test_another_control_keeps_the_round_and_changes_the_run(open_run):
    page = open_run("&round=77")
    before = page.locator(".roam-plane .words").inner_text()
    page.get_by_role("slider", name="Exploration rounds").press("ArrowRight")
    page.wait_for_url(re.compile("tau=21"))
    expect(page.locator(".roam-plane .words")).not_to_have_text(before)
    assert now(page) == 77


def test_it_goes_on_playing_while_the_mean_over_many_users_comes_in(open_run):
    page = open_run("&round=1&compare=1&k=2000&seed=5")
    page.get_by_label("Rounds a second").select_option("1")  # so that it is not over before a busy machine is done
    page.get_by_role("button", name="Play or pause").click()
    page.wait_for_function(
        "[...document.querySelectorAll('.roam-chart')].some(c => c.layout?.title?.text === 'Mean over 100 users')"
    )
    page.wait_for_function(f"{PLANE}.state.playing && {PLANE}.state.t > 3")


def ends(page, *names: str) -> list[float]:
    """How far down some parts of the picture reach."""
    boxes = [page.locator(f".roam-plane {name}").bounding_box() for name in names]
    return [box["y"] + box["height"] for box in boxes]


def test_on_a_projector_both_panels_the_buttons_and_the_sentence_are_on_the_first_screen(open_run):
    page = open_run()
    page.set_viewport_size({"width": 1280, "height": 720})
    drawn_anew(page)
    assert max(ends(page, ".items .stage-svg", ".taste .stage-svg", ".transport", ".stages", ".words")) <= 720


def test_on_a_phone_one_panel_at_a_time_stands_with_the_buttons_and_the_sentence(open_run):
    page = open_run(width=390)
    page.set_viewport_size({"width": 390, "height": 844})
    items, taste = (page.locator(f".roam-plane .{name} .stage-svg") for name in ("items", "taste"))
    expect(taste).to_be_hidden()
    top = page.locator(".roam-plane .switch").bounding_box()["y"]
    words = page.locator(".roam-plane .words").evaluate("node => { const range = document.createRange(); "
        "range.selectNodeContents(node); return range.getBoundingClientRect().bottom; }")  # fmt: skip
    assert (
        max(*ends(page, ".items .stage-svg", ".transport", ".stages"), words) - top <= 844 - 60
    )  # below the menu's row
    page.get_by_role("button", name="4. Learn").click()  # which is seen in the other panel
    expect(items).to_be_hidden()
    expect(taste).to_be_visible()
    page.get_by_role("button", name="Item space", exact=True).click()
    expect(items).to_be_visible()


def test_the_two_lengths_of_the_critical_ratio_are_drawn(open_run):
    page, run, t = open_run("&round=41"), play(SHOWN), 40
    inverse = np.linalg.inv(run.V[t])
    mistake, question = (np.sqrt(v @ inverse @ v) for v in (run.x[t] - run.best[t], run.z[t]))
    bars = page.locator(".roam-plane .ratio")
    expect(bars).to_contain_text(f"Critical ratio {float(f'{mistake / question:.2g}'):g}")
    expect(bars).to_contain_text(f"mistake {float(f'{mistake:.2g}'):g}")
    wide = [
        page.evaluate(f"{PLANE}.ratio.{name}.bar.getBoundingClientRect().width") for name in ("mistake", "question")
    ]
    assert wide[0] / wide[1] == pytest.approx(mistake / question, abs=0.03)
    segment = [float(page.evaluate(f"{PLANE}.items.mistake.getAttribute('{end}')")) for end in ("x1", "y1", "x2", "y2")]
    drawn = np.array(segment).reshape(2, 2) / 250 - 1
    np.testing.assert_allclose(drawn * 1.2 * [1, -1], [run.x[t], run.best[t]], atol=2e-3)
    page.get_by_role("button", name="1. Recommend").click()  # nothing is asked yet
    expect(bars).to_contain_text("Critical ratio –")


def test_names_lie_beside_the_marks(open_run):
    page = open_run("&round=60")
    boxes = page.evaluate(
        """() => [...document.querySelectorAll(".roam-plane .items .stage-svg text")]
          .filter((node) => node.style.display !== "none" && node.textContent)
          .map((node) => { const { x, y, width, height } = node.getBoundingClientRect();
            return [node.textContent, x, y + height / 4, x + width, y + 3 * height / 4]; })"""
    )
    names = [box[0] for box in boxes]
    assert "xₜ" in names
    assert sum(name.isupper() for name in names) >= 8  # letters of past items
    for i, (_, *one) in enumerate(boxes):
        for _, *other in boxes[:i]:
            assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
    inside = page.locator(".roam-plane .items .stage-svg").bounding_box()
    assert all(box[1] >= inside["x"] and box[3] <= inside["x"] + inside["width"] for box in boxes)


def test_the_page_fits_every_screen(open_run):
    page = open_run("&yours=59.0_60.3&compare=1")
    page.wait_for_selector(".roam-chart .main-svg")
    fits_every_screen(page, "one-run")
