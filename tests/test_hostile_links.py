"""Links that nobody would write by hand: every page shows something sensible, says what it refused, and stays small."""

import importlib
import json
import math
import re
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from pages.components.plane import LAYERS, LEVELS, STAGES
from pages.parts import controls
from pages.parts.scene import in_plane
from roam_core import KNOBS, Scenario
from roam_core.claims import claims
from roam_core.paper import load
from tests.test_pages import Session

ROOT = Path(__file__).parents[1]
PAGES = ("start", "one_run", "history", "lab", "theory", "paper", "rivals")
OWN = {  # what only one page reads from its link
    "one_run": ("round", "stage", "c", "hide", "compare"),
    "history": ("points", "C"),
    "theory": ("delta",),
    "paper": ("experiment", "claim"),
    "rivals": ("view", "own"),
    "lab": ("log", "guide", "bound"),
}
CLAIMS = claims(load())
EVERY = (*KNOBS, "pin", "sweep", *(name for names in OWN.values() for name in names))
MARKUP = ("<img src=x onerror=alert(1)>", "**bold**", "[x](javascript:alert(1))", "$x^2$", ":material/home:", ":red[x]")
NASTY = (
    "", " ", ",", "=", "nan", "-nan", "inf", "-Infinity", "-1", "-0", "0", "1e999", "1e-400", "9" * 5000, "1.5", "auto",
    "None", "True", "0x10", "1_000", "１２", "٣", "½", "∞", "\x00", "\u202eabc", "a\nb\r\n# c", "../../etc/passwd",
    "{0.__class__}", "%s%n", "'; drop table", "🙂" * 300, "defaults", "d=nan,tau=-1,zzz=1", "tau=0,nan,5", "tau=1,2",
    "cost=0,1", "d=" + ",".join(map(str, range(2, 40))), "9" * 1900 + ".1", "1.1_2", "_".join(["1.1"] * 400), *MARKUP,
)  # fmt: skip

characters = st.characters(exclude_categories=["Cs"])  # a link is decoded to text without lone surrogates
number = st.one_of(st.floats(), st.integers(), st.integers(-10, 60)).map(str)
text = st.one_of(st.sampled_from(NASTY), number, st.text(characters, max_size=50), st.text(characters).map("x".join))
assigned = st.lists(st.tuples(st.sampled_from(EVERY), text).map("=".join), max_size=4).map(",".join)
pin = st.one_of(text, assigned)
sweep = st.one_of(text, st.tuples(st.sampled_from(EVERY), st.lists(text, max_size=10).map(",".join)).map("=".join))

many = settings(max_examples=150, deadline=None, derandomize=True, database=None)
few = settings(
    max_examples=6,
    phases=[Phase.generate],
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


class Link(dict):
    """A link as Streamlit hands it over: of a repeated parameter the last one counts."""

    def __getitem__(self, name: str) -> str:
        return super().__getitem__(name)[-1]

    def get(self, name: str, default: Any = None) -> Any:
        return ([default] if name not in self else self.get_all(name))[-1]

    def items(self):
        return [(name, self[name]) for name in self]

    def get_all(self, name: str) -> list[str]:
        return super().get(name, [])


@pytest.fixture(scope="module")
def reading():
    """Functions that read a link, without a page around them."""
    found = {"controls": controls} | {page: importlib.import_module(f"pages.{page}.page") for page in OWN}

    def read(link: dict[str, list[str]], where: str, function: str, *arguments: Any) -> tuple[Any, Session]:
        """What a function makes of a link, and the session after that."""
        visit = SimpleNamespace(session_state=Session(problems=[], sweep="", pins=[]), query_params=Link(link))
        with pytest.MonkeyPatch.context() as patch:
            for place in {"controls", where}:
                patch.setattr(found[place], "st", visit)
            value = getattr(found[where], function)(*arguments)
        for problem in visit.session_state.problems:
            assert len(problem) < 500
        return value, visit.session_state

    return read


def as_number(said: str) -> float:
    try:
        return float(said)
    except ValueError:
        return math.nan


@many
@given(st.dictionaries(st.sampled_from(tuple(KNOBS)), text))
@example({"runs": "10000", "horizon": "700", "k": "2", "d": "2"})
@example({"runs": "10000", "horizon": "10000", "k": "100000", "d": "50", "tau": "10000"})
def test_any_link_becomes_a_scenario_that_can_be_kept(reading, link):
    (scenario, problems), _ = reading({}, "controls", "_nearest", link)
    assert scenario.runs * scenario.horizon <= controls.MOST_VALUES
    for problem in problems:
        assert len(problem) < 500
    for name, said in link.items():
        shown = getattr(scenario, name)
        same = shown is None if said.strip().lower() in ("", "auto") else shown in (said.strip(), as_number(said))
        assert same or problems


@many
@given(st.lists(pin, max_size=9))
@example(["d=3"] * 5000)
@example([f"seed={n}" for n in range(5000)])
@example(["runs=10000,horizon=700,k=2,d=2"])
def test_any_pins_become_a_few_scenarios(reading, texts):
    pins, session = reading({}, "controls", "_pins_of", texts)
    assert len(pins) <= controls.MOST_PINS
    assert len(pins) == len(set(pins))
    assert all(p.runs * p.horizon <= controls.MOST_VALUES for p in pins)
    understood = all(re.fullmatch(r"defaults|(\w+=[^,=]+)(,\w+=[^,=]+)*", one) for one in texts)
    assert (understood and len(texts) <= controls.MOST_PINS) or session.problems


@pytest.mark.parametrize("scenario", [Scenario(), Scenario(d=3, tau=None, ask="recent"), Scenario(ridge=0.5, seed=7)])
def test_a_good_pin_comes_back_without_a_word(reading, scenario):
    pins, session = reading({}, "controls", "_pins_of", [controls.short(scenario)])
    assert (pins, session.problems) == ([scenario], [])


@many
@given(sweep)
@example("cost=0,1")  # once an exception in the lab: a field that the list of sweeps did not have
@example("tau=" + "1," * 5000)
@example("ridge=auto,auto")
def test_any_sweep_is_small_or_refused(reading, said):
    _, session = reading({}, "controls", "set_sweep", said)
    assert bool(session.sweep) != bool(session.problems)
    name, _, values = session.sweep.partition("=")
    if name:
        assert name in controls.SWEEPS
        assert 2 <= len(values.split(",")) <= controls.MOST_SWEPT
        assert len(session.sweep) < 250


@many
@given(st.dictionaries(st.sampled_from(OWN["one_run"]), st.lists(text, min_size=1, max_size=3)))
@example({"c": ["nan"]})  # once a NaN in the picture
@example({"round": ["inf"], "hide": [",".join(LAYERS)]})
def test_any_link_becomes_a_view_of_the_run(reading, link):
    shown = in_plane(Scenario(horizon=50))
    view, session = reading(link, "one_run", "view_of_link", shown)
    json.dumps(view, allow_nan=False)
    assert type(view["round"]) is int
    assert 1 <= view["round"] <= 50
    assert LEVELS[0] <= view["c"] <= LEVELS[1]
    assert view["stage"] in range(-1, 4)
    assert set(view["hidden"]) <= set(LAYERS)
    good = {
        "round": lambda said: as_number(said) in range(1, 51),
        "c": lambda said: LEVELS[0] <= as_number(said) <= LEVELS[1],
        "stage": STAGES.__contains__, "hide": lambda said: set(said.split(",")) <= set(LAYERS), "compare": "1".__eq__,
    }  # fmt: skip
    refused = [name for name in good if name in link and not good[name](link[name][-1])]
    assert len(session.problems) == len(refused)
    assert all(problem.startswith(f"{name} = ") for problem, name in zip(session.problems, refused, strict=True))


pairs = st.lists(st.tuples(st.integers(-1100, 1100), st.integers(-1100, 1100)).map("{0[0]}.{0[1]}".format), min_size=1)


@many
@given(st.one_of(text, pairs.map("_".join)))
@example("9" * 1900 + ".1")  # once an OverflowError
@example("0.0" + "0" * 5000)
@example("_".join(["1.1"] * 100))
def test_any_points_become_a_history_in_the_disc(reading, said):
    points, session = reading({"points": [said]}, "history", "points_of_link")
    assert (points is None) == bool(session.problems or not said)
    for point in points or []:
        assert len(point) == 2
        assert math.hypot(*point) <= 1 + 1e-9
    assert len(points or []) <= 100


@many
@given(st.one_of(text, st.sampled_from(["0.25", "1", "8", "1.0", "3"])))
def test_any_constant_becomes_one_that_is_on_offer(reading, said):
    C, session = reading({"C": [said]}, "history", "constant_of_link")
    assert C in (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
    assert (f"{C:g}" == said) != bool(session.problems)


@many
@given(text)
def test_any_delta_becomes_a_probability(reading, said):
    delta, session = reading({"delta": [said]}, "theory", "delta_of_link")
    assert 0.001 <= delta <= 0.5
    assert (delta == as_number(said)) != bool(session.problems)


@many
@given(st.dictionaries(st.sampled_from(OWN["paper"]), st.lists(text, min_size=1, max_size=3)))
def test_any_link_becomes_a_view_of_the_paper(reading, link):
    _, session = reading(link, "paper", "view_of_link", CLAIMS)
    assert session.experiment in ("dimension", "exploration", "rival")
    assert session.claim is None or session.claim in range(1, len(CLAIMS) + 1)
    assert len(session.problems) == len(link) - (session.claim is not None)


@many
@given(st.dictionaries(st.sampled_from(OWN["rivals"]), st.lists(text, min_size=1, max_size=3)))
def test_any_link_becomes_a_view_of_the_rivals(reading, link):
    _, session = reading(link, "rivals", "view_of_link")
    assert session.rivals_view in ("rival", "map", "ask", "less", "link")
    good = (session.rivals_view == link.get("view", [""])[-1]) + session.own_map
    assert len(session.problems) == len(link) - good


@many
@given(text)
def test_text_of_a_link_is_never_markup(said):
    plain = controls.literal(said)
    assert re.sub(r"\\(.)", r"\1", plain).replace("\u2060", "") == " ".join(said.split())
    unescaped = re.sub(r"\\.", "", plain)
    assert not set(unescaped) & set("`*_{}[]()#+-.!|~:$<>&\\\n\r")
    seen = re.sub(r"\\(.)", r"\1", plain)  # Streamlit looks for links, icons and emoji in this
    assert not re.search(r":\w|https?://|www\.|\w@\w", seen)


def visit(page: str, link: dict[str, list[str]]) -> AppTest:
    """A page as a new visitor with this link sees it."""
    app = AppTest.from_file(str(ROOT / f"pages/{page}/page.py"), default_timeout=90)
    app.query_params.update(link)
    app.run()
    assert not app.exception, (link, app.exception)
    assert len(app.warning) <= controls.MOST_PROBLEMS + 1
    assert all(len(warning.value) < 1000 for warning in app.warning)
    return app


def warned(app: AppTest) -> str:
    return " ".join(warning.value for warning in app.warning)


def links(page: str) -> st.SearchStrategy[dict[str, list[str]]]:
    """Any link of a page. Sizes are small, so that it is quick; other tests are about large ones."""
    sizes = {"horizon": ["1", "20"], "k": ["2", "5"], "runs": ["1", "2"], "d": ["2", "3"]}
    small = st.fixed_dictionaries({name: st.lists(st.sampled_from(s), min_size=1) for name, s in sizes.items()})
    names = [name for name in EVERY if name not in sizes]
    rest = st.dictionaries(st.sampled_from(names), st.lists(text, min_size=1, max_size=3), max_size=8)
    own = {name: st.lists(text, max_size=2) for name in OWN.get(page, ())} | {"pin": st.lists(pin, max_size=8)}
    own["sweep"] = st.lists(sweep, max_size=2)
    strange = st.dictionaries(st.text(characters, min_size=1, max_size=9), st.lists(text, min_size=1), max_size=2)
    parts = st.tuples(strange, rest, st.fixed_dictionaries(own), small)
    return parts.map(lambda all_of: {name: values for part in all_of for name, values in part.items()})


@pytest.mark.catalogue
@pytest.mark.parametrize("page", PAGES)
@pytest.mark.usefixtures("at_a_glance")
@few
@given(data=st.data())
def test_every_page_is_drawn_whatever_the_link_says(page, data):
    visit(page, data.draw(links(page)))


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.usefixtures("at_a_glance")
def test_a_page_says_what_it_refused(page):
    """Each parameter of the page, with text that would be markup, is named in a message, and quoted without markup."""
    own = dict(zip(OWN.get(page, ()), MARKUP, strict=False)) or {"d": MARKUP[0], "pin": MARKUP[1], "sweep": MARKUP[2]}
    small = {"horizon": ["20"], "k": ["5"], "runs": ["2"]}
    app = visit(page, small | {name: [said] for name, said in own.items()})
    assert len(app.warning) == len(own)
    for said in own.values():
        assert controls.literal(controls.shortened(said)) in warned(app)
        assert said not in warned(app)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.usefixtures("at_a_glance")
def test_everything_at_once_is_too_much_for_no_page(page):
    nonsense = {name: ["<b>" * 150] * 3 for name in EVERY} | {"pin": ["x" * 50] * 900}
    app = visit(page, nonsense | {"horizon": ["20"], "k": ["5"], "runs": ["2"]})
    assert len(app.warning) == controls.MOST_PROBLEMS + 1
    assert "more mistakes like these" in app.warning[-1].value
    assert len(app.session_state.pins) <= controls.MOST_PINS


@pytest.mark.usefixtures("at_a_glance")
def test_a_repeated_parameter_is_named_and_its_last_value_counts():
    app = visit("lab", {"d": ["3", "7"], "horizon": ["20"], "k": ["5"], "runs": ["2"]})
    assert app.session_state.scenario.d == 7
    assert "more than once" in warned(app)


@pytest.mark.catalogue
@pytest.mark.parametrize("name", controls.SWEEPS)
@pytest.mark.usefixtures("at_a_glance")
def test_every_field_that_is_offered_can_be_swept(name):
    app = visit("lab", {"horizon": ["20"], "k": ["5"], "runs": ["2"], "sweep": [f"{name}={controls.SWEEPS[name]}"]})
    assert not app.warning
    # With 20 rounds there is no tau of 25 and more.
    assert any("Left out" in caption.value for caption in app.caption) == (name == "tau")


def test_a_scenario_too_large_to_keep_is_refused_where_it_is_made():
    app = AppTest.from_file(str(ROOT / "pages/start/page.py"), default_timeout=90)
    app.query_params.update({"runs": "10000", "horizon": "700", "k": "2", "d": "2"})
    app.run()
    assert app.session_state.scenario.runs == controls.MOST_VALUES // 700
    assert "too much for a page" in warned(app)


def test_the_project_switches_none_of_streamlits_protections_off():
    """Its settings leave them as they are; that the defaults protect is tested with a server, in tests/browser."""
    settings_here = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))
    assert settings_here["client"]["showErrorDetails"] == "none"
    for name, default in (("enableXsrfProtection", True), ("enableCORS", True), ("enableStaticServing", False)):
        assert settings_here["server"].get(name, default) is default
