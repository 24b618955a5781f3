"""ROAM and its rivals: another algorithm, other questions, fewer questions, and a user who answers otherwise."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from pages import plots
from pages.components.chart import chart
from pages.figures import TITLES, Series
from pages.page import Page, progress_row, say_progress
from pages.parameters import Choice, Flag
from pages.ratios import left_out
from pages.reveal import say_notice
from pages.rivals import figures
from pages.rivals.presets import PRESETS
from pages.scenario_controls import current, main_row, show, widget
from pages.take_along import Drawn
from pages.views import actions, choose_view, curves_to_take_along, place_of
from pages.watching import Sight
from pages.words import counted, literal, regret_at_end, with_band
from roam_core import KNOBS, Result, Scenario
from roam_core.paper import C1, C2, MAP_RUNS, Map, load, regret_map
from roam_core.policies import ALGORITHMS, ASK_RULES
from roam_core.result import moments

STEPS = (0.0, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
WINDOWS = (1, 2, 5, 10, 20, 50, 100, 200)
THRESHOLDS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.5)
COSTS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
BOTH = ("roam", "colstim")


@dataclass(frozen=True)
class View:
    """One question about the rivals: what it sets itself, wants computed, and how it is drawn."""

    title: str
    own: tuple[str, ...]  # fields that it sets itself: they are not among the other controls
    wants: Callable[[], list[Scenario]]
    widgets: Callable[[], None]
    draw: Callable[[Sight], Drawn]


def ends(results: list[Result], names: list[str]) -> str:
    """Regret at T of some results in words."""
    parts = [f"{regret_at_end(result)} ({name})" for name, result in zip(names, results, strict=True) if result.runs]
    return "Regret at T: " + ", ".join(parts) + "." if parts else "No run is complete yet."


def three_plots(results: list[Result], names: list[str]) -> Drawn:
    """Regret, error and critical ratio of some results; returns each figure with its words."""
    series = [Series(result, name) for result, name in zip(results, names, strict=True)]
    said = ends(results, names)
    height = 370 + 28 * len(series)
    drawn = plots.three_plots(series, lambda curve: f"{TITLES[curve]}. {said}", key="chart_rivals", height=height)
    with st.container():  # also if it is empty: what follows keeps its place
        if infinite := left_out(dict(zip(names, results, strict=True))):
            st.caption(infinite)
    return drawn


# ROAM or CoLSTIM


def algorithms() -> list[Scenario]:
    """ROAM, CoLSTIM, and any other algorithm that asks about the past, on the same scenario."""
    others = [name for name, declared in ALGORITHMS.items() if name not in BOTH and declared.asks_the_past]
    return [replace(current(), algorithm=name) for name in (*BOTH, *others)]


def rival_widgets() -> None:
    """The rival's two parameters."""
    left, right, _ = st.columns([2, 2, 3])
    for column, name in ((left, "c1"), (right, "c2")):
        with column:
            widget(name, replace(current(), algorithm="colstim"), STEPS)


def rival(sight: Sight) -> Drawn:
    """ROAM and CoLSTIM on the same scenario."""
    names = [_with_settings(result.scenario) for result in sight.results]
    drawn = three_plots(sight.results, names)
    plain = [result.scenario.words("algorithm") for result in sight.results]
    st.markdown(ends(sight.results, plain) + " " + verdict(*sight.results[:2]))
    st.markdown(
        "**Whose regret counts what.** CoLSTIM is made for the concurrent model: the user is shown two fresh items "
        "and picks one. That model defines a round's regret as the mean over the two. ROAM's user consumes one fresh "
        "item and compares it with a past one, so only the fresh one has regret. The paper calls this fair: a unit of "
        "regret for every item recommended and every comparison made."
    )
    with st.expander("Both models as one"):
        st.markdown(ONE_MODEL)
    return drawn


ONE_MODEL = """The paper casts the concurrent model into the other one. Let the same items be on offer at two steps in a
row, $t$ and $t + 1/2$.

- **CoLSTIM** recommends $x_t$, then $y_t$, and pays the regret of both. It compares $y_t$ with the item just before,
  $x_t$.
- **ROAM** recommends $x_t$ at both steps and pays its regret twice. It compares $x_t$ with any past item.

So both recommend twice and ask once. Half of what each pays is what the curves show. What differs is the comparison:
ROAM may choose among all past items."""


def _with_settings(scenario: Scenario) -> str:
    """An algorithm with those of its numbers that this view sets."""
    own = [name for name in ("c1", "c2") if not scenario.no_effect(name)]
    return ", ".join([scenario.words("algorithm"), *(f"{name} = {getattr(scenario, name):g}" for name in own)])


def verdict(first: Result, second: Result) -> str:
    """Which of two has the lower regret, if that can be said."""
    if min(first.runs, second.runs) < 2:
        return ""
    gap = second.mean("regret")[-1] - first.mean("regret")[-1]
    band = float(np.hypot(first.band("regret")[-1], second.band("regret")[-1]))
    if abs(gap) <= band:
        return f"The difference is {with_band(gap, band)}: too close to call."
    return f"{'ROAM' if gap > 0 else 'CoLSTIM'} pays {with_band(abs(gap), band)} less."


# Is there a setting that wins?


def shipped_map() -> Map | None:
    """The map that comes with the project, if it is there."""
    try:
        return regret_map(load()["map"])
    except ValueError as missing:
        st.warning(f"The map that comes with the project cannot be shown. {literal(str(missing))}.")
        return None


def map_of(results: list[Result]) -> Map:
    """The map of the scenario on screen, as far as it is there."""
    first, *cells = results
    table = np.array([moments(r.regret[:, -1]) if r.runs > 1 else (np.nan, np.nan) for r in cells])
    regret, band = (table[:, i].reshape(len(C1), len(C2)) for i in (0, 1))
    return Map(C1, C2, regret, band, *(moments(first.regret[:, -1]) if first.runs > 1 else (np.nan, np.nan)))


def cells() -> list[Scenario]:
    """ROAM, then CoLSTIM with every pair of its parameters; nothing if the map comes with the project."""
    if not OWN_MAP.value:
        return []
    base = replace(current(), runs=min(current().runs, MAP_RUNS))
    pairs = [replace(base, algorithm="colstim", c1=c1, c2=c2) for c1 in C1 for c2 in C2]
    return [replace(base, algorithm="roam"), *pairs]


def map_widgets() -> None:
    """Whose map it is."""
    OWN_MAP.widget(st.toggle, "Compute it for the scenario on screen instead of the paper's defaults")


def the_map(sight: Sight) -> Drawn:
    """CoLSTIM's regret over c1 and c2, with ROAM's level."""
    table = map_of(sight.results) if OWN_MAP.value else shipped_map()
    if table is None:
        return {}
    figure, words = figures.regret_map(table), map_words(table)
    st.markdown(words)
    chart(figure, key="chart_rivals_map", alt=words, height=520)
    made = (
        f"Mean over up to {min(current().runs, MAP_RUNS)} users in each cell. " if OWN_MAP.value
        else f"Mean over {MAP_RUNS} users in each cell, with the paper's defaults whatever the controls say. "
        "Made by the command python -m roam_core paper. "
    )  # fmt: skip
    st.caption(made + "An orange line, where there is one, runs where CoLSTIM's regret equals ROAM's.")
    return {"Map": (figure, words)}


def map_words(table: Map) -> str:
    """Whether any setting of CoLSTIM wins, in words."""
    if np.isnan(table.regret).all() or np.isnan(table.roam):
        return "No cell is complete yet."
    i, j = np.unravel_index(np.nanargmin(table.regret), table.regret.shape)
    gap, band = table.regret[i, j] - table.roam, float(np.hypot(table.band[i, j], table.roam_band))
    best = (
        f"CoLSTIM does best with c1 = {table.c1[i]:g}, c2 = {table.c2[j]:g}: "
        f"{with_band(table.regret[i, j], table.band[i, j])}. "
        f"ROAM has {with_band(table.roam, table.roam_band)}. "
    )
    if abs(gap) <= band:
        return best + "That is too close to call."
    return best + ("No setting here beats ROAM." if gap > 0 else f"So CoLSTIM can win here, by {-gap:.3g}.")


# What to ask


def rules() -> list[Scenario]:
    """Every ask rule."""
    return [replace(current(), algorithm="roam", ask=rule) for rule in ASK_RULES]


def windows() -> list[Scenario]:
    """The rule that looks back a little only, with several windows."""
    recent = replace(current(), algorithm="roam", ask="recent")
    return [replace(recent, window=w) for w in WINDOWS if w <= recent.horizon]


def ask_widgets() -> None:
    """How far back the rule looks that looks back a little only."""
    st.markdown(
        f"All {counted(len(ASK_RULES))} recommend the item that looks best. They differ in the question only: "
        "is choosing it well worth the trouble?"
    )
    left, _ = st.columns([2, 5])
    with left:
        widget("window", replace(current(), algorithm="roam", ask="recent"), WINDOWS)


def what_to_ask(sight: Sight) -> Drawn:
    """The ask rules with the same recommend rule, and how long a memory must be."""
    results = [sight.of(scenario) for scenario in rules()]
    by_window = [sight.of(scenario) for scenario in windows()]
    names = [scenario.words("ask") for scenario in rules()]
    drawn = three_plots(results, names)
    st.markdown(ends(results, names))
    figure = figures.by_window(by_window, results[0])
    words = "How regret at T depends on how many recent items may be asked about. " + ends(
        by_window, [f"w = {result.scenario.window}" for result in by_window]
    )
    chart(figure, key="chart_rivals_window", alt=words, height=440)
    st.caption("The paper asks how far back comparisons must reach. The dashed line is the whole history.")
    return drawn | {"Window": (figure, words)}


# Asking less


def thresholds() -> list[Scenario]:
    """ROAM with several thresholds below which it asks nothing."""
    return [replace(current(), algorithm="roam", skip_below=s, cost=0.0) for s in THRESHOLDS]


def less_widgets() -> None:
    """What a question costs."""
    st.markdown(
        "A question is skipped when its probe is less uncertain than a threshold (s). "
        "A question may have a cost (γ). How many questions can go before regret rises?"
    )
    left, _ = st.columns([2, 5])
    with left:
        widget("cost", current(), COSTS)


def asking_less(sight: Sight) -> Drawn:
    """Questions only where the probe is uncertain, and what a question may cost."""
    words = best_threshold([result for result in sight.results if result.runs], current().cost)
    drawn = {
        "Asking less": (figures.asking_less(sight.results, current().cost), words),
        "Questions": (figures.questions(sight.results), words),
    }
    plots.side_by_side(drawn, key="chart_rivals", height=440)
    st.markdown(words)
    return drawn


def best_threshold(known: list[Result], cost: float) -> str:
    """Which threshold pays, in words."""
    if not known:
        return "No run is complete yet."
    if not cost:
        return "Questions cost nothing now (γ = 0). Give them a cost to see which threshold pays."
    asked = [result.questions[:, -1].mean() for result in known]
    totals = [result.mean("regret")[-1] + cost * n for result, n in zip(known, asked, strict=True)]
    best = int(np.argmin(totals))
    s = known[best].scenario
    return (
        f"At {cost:g} a question, regret plus cost is lowest with s = {s.skip_below:g}: {totals[best]:.3g}, "
        f"with {asked[best]:.0f} questions in {s.horizon} rounds."
    )


# A wrong link


def links() -> list[Scenario]:
    """One user, and algorithms that assume each of the links."""
    user = current().link
    return [replace(current(), algorithm="roam", link=link, user_link=user) for link in KNOBS["link"].choices]


def link_widgets() -> None:
    """What is compared."""
    st.markdown(
        f"The user answers with the **{current().words('link')}** link. Each curve is an algorithm that assumes one "
        f"of the {counted(len(KNOBS['link'].choices))} links. Everything else is the same."
    )


def wrong_link(sight: Sight) -> Drawn:
    """The user answers with one link, the algorithm assumes the same or another."""
    scenarios = [result.scenario for result in sight.results]
    names = [f"assumes {s.words('link')}" + (" (right)" if s.link == s.user_link else "") for s in scenarios]
    drawn = three_plots(sight.results, names)
    st.markdown(ends(sight.results, names))
    return drawn


VIEWS = {
    "rival": View("ROAM or CoLSTIM", ("algorithm", "c1", "c2"), algorithms, rival_widgets, rival),
    "map": View("Is there a setting that wins?", ("algorithm", "c1", "c2"), cells, map_widgets, the_map),
    "ask": View(
        "What to ask",
        ("algorithm", "ask", "window"),
        lambda: list(dict.fromkeys([*rules(), *windows()])),
        ask_widgets,
        what_to_ask,
    ),
    "less": View("Asking less", ("algorithm", "skip_below", "cost"), thresholds, less_widgets, asking_less),
    "link": View("A wrong link", ("algorithm", "user_link"), links, link_widgets, wrong_link),
}
VIEW = Choice("rivals.view", "rival", values=VIEWS)
OWN_MAP = Flag("rivals.own", otherwise="the map that comes with the project")


def view() -> View:
    """The question on screen."""
    return VIEWS[VIEW.value]


def needs_own_map(scenario: Scenario) -> bool:
    """Whether the map that comes with the project is not that of the scenario."""
    return VIEW.value == "map" and scenario != Scenario(seed=scenario.seed)


def try_it(scenario: Scenario) -> None:
    """Set the controls for one of the things to try."""
    show(scenario)
    OWN_MAP.set(needs_own_map(scenario))


def on_screen(scenario: Scenario) -> bool:
    """Whether a thing to try is what is shown."""
    return scenario == current() and (VIEW.value != "map" or needs_own_map(scenario) == OWN_MAP.value)


def controls() -> None:
    """The questions, the controls and the things to try."""
    choose_view(VIEW, "Question", VIEWS)
    main_row()
    wants = view().wants
    say_notice(actions(PRESETS[VIEW.value], view().own, wants, VIEW.value, on_screen=on_screen, put=try_it))


def layout(sight: Sight) -> tuple:
    """The widgets of the view, and places for progress and figures."""
    with place_of(VIEW.value, VIEWS):
        view().widgets()
        return progress_row(sight) if sight.wanted else st.container(), st.container()


def figure_area(sight: Sight, places: list) -> None:
    """Everything that follows the runs."""
    progress, figure_place = places
    with figure_place:
        if sight.wanted:
            say_progress(progress, sight)
        drawn = view().draw(sight)
        if drawn and not sight.running:
            curves_to_take_along(sight.results, drawn, PAGE.address)


SYMBOLS = (
    "ROAM", "CoLSTIM", "concurrent", "history_constrained", "exploration", "most_uncertain", "band",
    "logistic", "probit", "cauchit",
    "regret", "estimate", "theta", "ratio", "x", "y", "V", "norm", "d", "tau", "k", "link", "horizon", "runs",
    "radius", "window", "c1", "c2", "skip_below", "cost",
)  # fmt: skip
PAGE = Page(
    "ROAM and its rivals",
    "rivals",
    controls,
    parameters=(VIEW, OWN_MAP),
    wants=lambda: view().wants(),
    layout=layout,
    figures=figure_area,
    opens="Open the rivals",
    symbols=SYMBOLS,
    teaser="Another algorithm, other questions, fewer questions.",
    fixed=("algorithm",),
)
