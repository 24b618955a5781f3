"""Links that nobody would write by hand: every page shows something sensible, says what it refused, and stays small."""

import json
import math
import re
import tomllib
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from pages import parameters, pins, registry, scenario_controls, sweeps
from pages.components.plane import LAYERS
from pages.parameters import MOST_COMPLAINTS, Parameter
from pages.pins import MOST_PINS
from pages.scenario_controls import MOST_VALUES
from pages.sweeps import MOST_SWEPT
from pages.words import literal, shortened
from roam_core import KNOBS, Scenario
from tests.test_pages import Session, open_page

ROOT = Path(__file__).parents[1]
PAGES = [folder for folders in registry.SECTIONS.values() for folder in folders]
OWN = {page: registry.page(page).parameters for page in PAGES}  # what only one page reads from its link
PARAMETERS = {parameter.key: parameter for own in OWN.values() for parameter in own}
EVERY = (*KNOBS, "pin", "sweep", *(parameter.name for parameter in PARAMETERS.values()))
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

own_link = [HealthCheck.function_scoped_fixture]  # every example makes its own visitor
many = settings(max_examples=150, deadline=None, derandomize=True, database=None, suppress_health_check=own_link)
few = settings(
    max_examples=6,
    phases=[Phase.generate],
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=own_link,
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


@pytest.fixture
def visitor(monkeypatch):
    """A visitor's session and link, without a page around them; a function gives it another link."""
    visit = SimpleNamespace(session_state=Session(), query_params=Link())
    for room in (parameters, scenario_controls, pins, sweeps):
        monkeypatch.setattr(room, "st", visit)

    def come_with(link: dict[str, list[str]]) -> None:
        visit.session_state = Session(scenario=Scenario(horizon=50), sweep="", pins={})
        visit.query_params = Link(link)

    return come_with


def complaints() -> tuple[str, ...]:
    """What was wrong with the link."""
    found = parameters._complaints.value
    assert all(len(complaint) < 500 for complaint in found)
    return found


def as_number(said: str) -> float:
    try:
        return float(said)
    except ValueError:
        return math.nan


@many
@given(st.dictionaries(st.sampled_from(tuple(KNOBS)), text))
@example({"runs": "10000", "horizon": "700", "k": "2", "d": "2"})
@example({"runs": "10000", "horizon": "10000", "k": "100000", "d": "50", "tau": "10000"})
def test_any_link_becomes_a_scenario_that_can_be_kept(link):
    scenario, problems = scenario_controls.nearest_keepable(link)
    assert scenario.runs * scenario.horizon <= MOST_VALUES
    for problem in problems:
        assert len(problem) < 500
    for name, said in link.items():
        shown = getattr(scenario, name)
        same = shown is None if said.strip().lower() in ("", "auto") else shown in (said.strip(), as_number(said))
        assert same or problems


@many
@given(texts=st.lists(pin, max_size=9))
@example(texts=["d=3"] * 5000)
@example(texts=[f"seed={n}" for n in range(5000)])
@example(texts=["runs=10000,horizon=700,k=2,d=2"])
@example(texts=["tau"])
def test_any_pins_become_a_few_scenarios(visitor, texts):
    visitor({})
    found = pins.parsed(texts)
    assert len(found) <= MOST_PINS
    assert len(found) == len(set(found))
    assert all(p.runs * p.horizon <= MOST_VALUES for p in found)
    understood = all(re.fullmatch(r"defaults|(\w+=[^,=]+)(,\w+=[^,=]+)*", one) for one in texts)
    assert (understood and len(texts) <= MOST_PINS) or complaints()


@pytest.mark.parametrize("scenario", [Scenario(), Scenario(d=3, tau=None, ask="recent"), Scenario(ridge=0.5, seed=7)])
def test_a_good_pin_comes_back_without_a_word(visitor, scenario):
    visitor({})
    assert pins.parsed([pins.short(scenario)]) == {scenario: 0}
    assert pins.parsed([f"3:{pins.short(scenario)}"]) == {scenario: 3}
    assert complaints() == ()


def test_pinned_curves_keep_their_colours(visitor):
    visitor({"pin": ["tau=0", "tau=9", "0:d=3", "5:d=4"]})
    del pins.st.session_state["pins"]
    pins.PinsParameter().read()
    colours = [(Scenario(tau=0), 0), (Scenario(tau=9), 1), (Scenario(d=3), 2), (Scenario(d=4), 5)]
    assert list(pins.st.session_state.pins.items()) == colours
    assert pins.slot(Scenario(d=3)) == 2
    assert pins.slot(Scenario(d=9)) == 3  # the first that is free
    pins.unpin(Scenario(tau=0))
    assert pins.slot(Scenario(d=3)) == 2
    assert pins.slot(Scenario(d=9)) == 3  # also now that another one is free
    assert pins.PinsParameter().written() == {"pin": ["1:tau=9", "2:d=3", "5:d=4"]}


def test_what_is_on_screen_keeps_its_colour_whatever_is_pinned_and_unpinned(visitor):
    visitor({})
    show = scenario_controls.show
    first, second, third = (Scenario(horizon=50, d=d) for d in (5, 6, 7))
    pins.pin()
    show(second)
    assert pins.slots([second, first]) == [1, 0]
    pins.pin()
    show(third)
    assert pins.slots([first, second, third]) == [0, 1, 2]
    pins.unpin(first)
    assert pins.slots([first, second, third]) == [0, 1, 2]
    pins.unpin(second)
    assert pins.slot(third) == 2
    # A sweep: what is on screen has its colour there too, and no other curve has one of the colours above.
    pins.pin()
    show(first)
    swept = [replace(first, tau=tau) for tau in (1, 2, 3)]
    assert pins.slots([swept[0], first, third, *swept[1:]]) == [1, 0, 2, 3, 4]


def test_the_papers_setting_can_be_pinned_beside_a_preset_and_keeps_its_colour(visitor):
    visitor({})
    scenario_controls.show(Scenario(seed=4))
    colour = pins.slot(Scenario(seed=4))
    pins.pin_the_papers()
    scenario_controls.show(Scenario(seed=4, tau=0))
    assert pins.slots([Scenario(seed=4), Scenario(seed=4, tau=0)]) == [colour, colour + 1]
    pins.pin_the_papers()
    assert pins.pins() == [Scenario(seed=4)]
    pins.put_pins([Scenario(d=d) for d in range(2, 5)] + [Scenario(d=d) for d in (6, 7)])
    pins.pin_the_papers()
    assert pins.papers_pinned()
    assert len(pins.pins()) == len(set(pins.st.session_state.pins.values())) == MOST_PINS


@many
@given(said=sweep)
@example(said="cost=0,1")  # once an exception in the lab: a field that the list of sweeps did not have
@example(said="tau=" + "1," * 5000)
@example(said="ridge=auto,auto")
def test_any_sweep_is_small_or_refused(visitor, said):
    visitor({"sweep": [said]})
    del sweeps.st.session_state["sweep"]
    sweeps.SweepParameter().read()
    kept = sweeps.st.session_state.sweep
    assert bool(kept) != bool(complaints())
    name, _, values = kept.partition("=")
    if name:
        assert name in sweeps.offered()
        assert 2 <= len(values.split(",")) <= MOST_SWEPT
        assert len(kept) < 250


pairs = st.lists(st.tuples(st.integers(-1100, 1100), st.integers(-1100, 1100)).map("{0[0]}.{0[1]}".format), min_size=1)
listed = st.lists(st.sampled_from([*LAYERS, "x"]), max_size=5).map(",".join)


GOOD = ("1", "0.25", "8", "0.1", "7", "ask", "rival", "33")  # for one parameter or another


def read_alone(parameter: Parameter) -> tuple[Any, str]:
    """What a page makes of its parameter, and what it complains of."""
    parameter.read()
    said = complaints()
    assert len(said) <= 1
    return parameter.value, "".join(said)


@pytest.mark.catalogue
@pytest.mark.parametrize("key", PARAMETERS)
@many
@given(
    said=st.one_of(text, pairs.map("_".join), listed, st.sampled_from(["1", "0.25", "8", "0.1", "7", "ask", "rival"]))
)
@example(said="nan")  # once a NaN in the picture
@example(said="inf")
@example(said="9" * 1900 + ".1")  # once an OverflowError
@example(said="0.0" + "0" * 5000)
@example(said="_".join(["1.1"] * 100))
@example(said=",".join(LAYERS))
def test_whatever_a_link_says_a_parameter_has_a_value_that_a_link_can_repeat(visitor, key, said):
    parameter = PARAMETERS[key]
    visitor({parameter.name: [said]})
    value, complaint = read_alone(parameter)
    json.dumps(value, allow_nan=False)
    if complaint:
        assert complaint.startswith(f"{parameter.name} = {shortened(said)} is not {parameter.allowed}. Used instead: ")
    repeated = parameter.written()
    assert bool(repeated) == (value != parameter.default)
    if repeated:
        visitor({name: [again] for name, again in repeated.items()})
        again, complaint = read_alone(parameter)
        assert (parameter.format(again), complaint) == (parameter.format(value), "")


@pytest.mark.parametrize("key", PARAMETERS)
def test_a_parameter_that_the_link_does_not_name_has_its_default(visitor, key):
    visitor({"d": ["3"]})
    assert read_alone(PARAMETERS[key]) == (PARAMETERS[key].default, "")
    assert PARAMETERS[key].written() == {}


@many
@given(said=st.one_of(text, pairs.map("_".join)))
def test_any_points_lie_in_the_disc(visitor, said):
    visitor({"points": [said]})
    points, complaint = read_alone(PARAMETERS["history.points"])
    assert (points is None) == bool(complaint)
    assert len(points or []) <= 100
    assert all(len(point) == 2 and math.hypot(*point) <= 1 + 1e-9 for point in points or [])


@st.composite
def turns(draw) -> list[tuple[int, int]]:
    """Questions of a visitor's own in a run of 50 rounds."""
    rounds = draw(st.lists(st.integers(1, 50), min_size=1, unique=True).map(sorted))
    return [(t, draw(st.integers(0, t - 1))) for t in rounds]


@many
@given(turn=turns())
@example(turn=[(t, t - 1) for t in range(1, 51)])
def test_a_turn_comes_back_without_a_word(visitor, turn):
    visitor({"yours": ["_".join(f"{t}.{item}" for t, item in turn)]})
    assert read_alone(PARAMETERS["one_run.yours"]) == (tuple(turn), "")


@many
@given(said=st.one_of(text, pairs.map("_".join), turns().map(lambda turn: "_".join(f"{t}.{i}" for t, i in turn[::-1]))))
@example(said="51.3")  # beyond the last round
@example(said="25.25")  # about itself
@example(said="25.30")  # about an item to come
@example(said="26.3_25.4")  # out of order
@example(said="25.3_25.4")  # twice
@example(said="25.3_")
@example(said="25.3.1")
@example(said="0.0")
@example(said="25.-3")
@example(said="25.+3")
@example(said=" 25.3")
@example(said="25.３")
@example(said="_".join(f"{t}.1" for t in range(2, 9999)))
def test_any_turn_is_about_past_items_in_the_order_of_rounds(visitor, said):
    visitor({"yours": [said]})
    turn, complaint = read_alone(PARAMETERS["one_run.yours"])
    assert (turn is None) == bool(complaint)
    rounds = [t for t, _ in turn or ()]
    assert rounds == sorted(set(rounds))
    assert all(0 <= item < t <= 50 for t, item in turn or ())


@many
@given(said=st.one_of(text, number))
def test_any_number_is_within_its_limits_and_the_nearest(visitor, said):
    for key in ("theory.delta", "one_run.c"):
        parameter = PARAMETERS[key]
        visitor({parameter.name: [said]})
        value, complaint = read_alone(parameter)
        low, high = parameter.limits
        asked = as_number(said)
        assert value == (parameter.default if math.isnan(asked) else min(max(asked, low), high))
        assert bool(complaint) == (value != asked)


def test_what_belongs_to_a_scenario_is_forgotten_with_it(visitor):
    visitor({"points": ["100.200"], "round": ["7"]})
    points, round_shown = PARAMETERS["history.points"], PARAMETERS["one_run.round"]
    points.read()
    round_shown.read()
    assert (points.value, round_shown.value) == ([[0.1, 0.2]], 7)
    scenario_controls.show(Scenario(d=3))
    points.read()  # the address has not changed yet
    assert (points.value, round_shown.value) == (None, 7)


@many
@given(text)
def test_text_of_a_link_is_never_markup(said):
    plain = literal(said)
    assert re.sub(r"\\(.)", r"\1", plain).replace("\u2060", "") == " ".join(said.split())
    unescaped = re.sub(r"\\.", "", plain)
    assert not set(unescaped) & set("`*_{}[]()#+-.!|~:$<>&\\\n\r")
    seen = re.sub(r"\\(.)", r"\1", plain)  # Streamlit looks for links, icons and emoji in this
    assert not re.search(r":\w|https?://|www\.|\w@\w", seen)


def visit(page: str, link: dict[str, list[str]]) -> AppTest:
    """A page as a new visitor with this link sees it."""
    app = open_page(page, link)
    assert len(app.warning) <= MOST_COMPLAINTS + 1
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
    own = {parameter.name: st.lists(text, max_size=2) for parameter in OWN[page]} | {"pin": st.lists(pin, max_size=8)}
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
    names = [parameter.name for parameter in OWN[page]]
    own = dict(zip(names, MARKUP, strict=False)) or {"d": MARKUP[0], "pin": MARKUP[1], "sweep": MARKUP[2]}
    small = {"horizon": ["20"], "k": ["5"], "runs": ["2"]}
    app = visit(page, small | {name: [said] for name, said in own.items()})
    assert len(app.warning) == len(own)
    for said in own.values():
        assert literal(shortened(said)) in warned(app)
        assert said not in warned(app)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.usefixtures("at_a_glance")
def test_everything_at_once_is_too_much_for_no_page(page):
    nonsense = {name: ["<b>" * 150] * 3 for name in EVERY} | {"pin": ["x" * 50] * 800}
    app = visit(page, nonsense | {"horizon": ["20"], "k": ["5"], "runs": ["2"]})
    assert len(app.warning) == MOST_COMPLAINTS + 1
    assert "more mistakes like these" in app.warning[-1].value
    assert len(app.session_state.pins) <= MOST_PINS


@pytest.mark.usefixtures("at_a_glance")
def test_a_repeated_parameter_is_named_and_its_last_value_counts():
    app = visit("lab", {"d": ["3", "7"], "horizon": ["20"], "k": ["5"], "runs": ["2"]})
    assert app.session_state.scenario.d == 7
    assert "more than once" in warned(app)


@pytest.mark.catalogue
@pytest.mark.parametrize("name", sweeps.offered())
@pytest.mark.usefixtures("at_a_glance")
def test_every_field_that_is_offered_can_be_swept(name):
    app = visit("lab", {"horizon": ["20"], "k": ["5"], "runs": ["2"], "sweep": [f"{name}={sweeps.offered()[name]}"]})
    assert not app.warning
    # With 20 rounds there is no tau of 25 and more, and colours have not five features.
    assert any("Left out" in caption.value for caption in app.caption) == (name in ("tau", "items"))


def test_a_scenario_too_large_to_keep_is_refused_where_it_is_made():
    app = open_page("start", {"runs": "10000", "horizon": "700", "k": "2", "d": "2"})
    assert app.session_state.scenario.runs == MOST_VALUES // 700
    assert "too much for a page" in warned(app)


def test_the_project_switches_none_of_streamlits_protections_off():
    """Its settings leave them as they are; that the defaults protect is tested with a server, in tests/browser."""
    settings_here = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))
    assert settings_here["client"]["showErrorDetails"] == "none"
    for name, default in (("enableXsrfProtection", True), ("enableCORS", True), ("enableStaticServing", False)):
        assert settings_here["server"].get(name, default) is default
