"""ROAM and its rivals: another algorithm, other questions, fewer questions, and a user who answers otherwise."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from pages import plots
from pages.components.chart import chart
from pages.figures import TITLES, Series
from pages.page import Page, progress_row, say_progress
from pages.parameters import Choice, Kept
from pages.presets import things_to_try
from pages.ratios import left_out
from pages.registry import turn_to
from pages.reveal import say_notice, say_verdict
from pages.rivals import figures
from pages.rivals.map import OWN_MAP, cells, the_map
from pages.rivals.presets import PRESETS
from pages.scenario_controls import current, show, widget
from pages.take_along import Drawn
from pages.views import choose_view, curves_to_take_along, other_runs, place_of
from pages.watching import Sight
from pages.words import counted, regret_at_end, with_band
from roam_core import KNOBS, Result, Scenario
from roam_core.policies import ALGORITHMS, compared_rules

STEPS = (0.0, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
WINDOWS = (1, 2, 5, 10, 20, 50, 100, 200)
THRESHOLDS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.5)
COSTS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
BOTH = ("roam", "colstim")


@dataclass(frozen=True)
class View:
    """One question about the rivals: what it sets itself, wants computed, and how it is drawn."""

    title: str
    sets: tuple[str, ...]  # fields that it sets itself: nobody else does
    controls: dict[str, tuple | None]  # the fields that matter most here, with the values on offer
    wants: Callable[[], list[Scenario]]
    draw: Callable[[Sight], Drawn]


def ends(results: list[Result], names: list[str]) -> str:
    """Regret at T of some results in words."""
    parts = [f"{regret_at_end(result)} ({name})" for name, result in zip(names, results, strict=True) if result.runs]
    return "Regret at T: " + ", ".join(parts) + "." if parts else "No run is complete yet."


def three_plots(results: list[Result], names: list[str]) -> Drawn:
    """Regret, error and critical ratio of some results, and what to notice; returns each figure with its words."""
    series = [Series(result, name) for result, name in zip(results, names, strict=True)]
    said = ends(results, names)
    drawn = plots.three_plots(series, lambda curve: f"{TITLES[curve]}. {said}", key="chart_rivals", height=560)
    with st.container():  # also if it is empty: what follows keeps its place
        if infinite := left_out(dict(zip(names, results, strict=True))):
            st.caption(infinite)
    say_notice(NOTICE.value)
    return drawn


# ROAM or CoLSTIM


def algorithms() -> list[Scenario]:
    """ROAM, CoLSTIM, and any other algorithm that asks about the past, on the same scenario."""
    others = [name for name, declared in ALGORITHMS.items() if name not in BOTH and declared.asks_the_past]
    return [replace(current(), algorithm=name) for name in (*BOTH, *others)]


def rival(sight: Sight) -> Drawn:
    """ROAM and CoLSTIM on the same scenario, and where in the map of CoLSTIM's settings that is."""
    results = [sight.of(scenario) for scenario in algorithms()]
    drawn = three_plots(results, [_with_settings(result.scenario) for result in results])
    st.caption("CoLSTIM, a rival from the literature, asks about two fresh items where ROAM asks about a past one.")
    plain = [result.scenario.words("algorithm") for result in results]
    say_verdict(ends(results, plain) + " " + verdict(*results[:2]))
    drawn = {**drawn, **the_map(sight)}
    OWN_MAP.widget(st.toggle, "Compute the map for the scenario on screen instead of the paper's setting")
    st.markdown(
        "**Whose regret counts what.** CoLSTIM (Bengs and others, 2022) is made for the concurrent model: the user is "
        "shown two fresh items and picks one. That model defines a round's regret as the mean over the two. ROAM's "
        "user consumes one fresh item and compares it with a past one, so only the fresh one has regret. The paper "
        "calls this fair: a unit of regret for every item recommended and every comparison made."
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
    gap, band = difference(first, second)
    if abs(gap) <= band:
        return f"The difference is {with_band(gap, band)}: too close to call."
    return f"{'ROAM' if gap > 0 else 'CoLSTIM'} pays {with_band(abs(gap), band)} less."


def difference(first: Result, second: Result) -> tuple[float, float]:
    """How much more regret the second has at T, and the half-width of that number's band."""
    gap = second.mean("regret")[-1] - first.mean("regret")[-1]
    return gap, float(np.hypot(first.band("regret")[-1], second.band("regret")[-1]))


# What to ask


def rules() -> list[Scenario]:
    """Every ask rule."""
    return [replace(current(), algorithm="roam", ask=rule) for rule in compared_rules(current())]


def windows() -> list[Scenario]:
    """The rule that looks back a little only, with several windows."""
    recent = replace(current(), algorithm="roam", ask="recent")
    return [replace(recent, window=w) for w in WINDOWS if w <= recent.horizon]


def what_to_ask(sight: Sight) -> Drawn:
    """The ask rules with the same recommend rule, and how long a memory must be."""
    results = [sight.of(scenario) for scenario in rules()]
    by_window = [sight.of(scenario) for scenario in windows()]
    names = [scenario.words("ask") for scenario in rules()]
    drawn = three_plots(results, names)
    st.caption(
        f"All {counted(len(names))} rules recommend greedily: the item that looks best now. They differ in the "
        "question only. The most uncertain item is the past one whose comparison with the new one points where least "
        "was asked."
    )
    say_verdict(f"{ends(results, names)} {extremes(results, names)}")
    figure = figures.by_window(by_window, results[0])
    words = "How regret at T depends on how many recent items may be asked about. " + ends(
        by_window, [f"w = {result.scenario.window}" for result in by_window]
    )
    chart(figure, key="chart_rivals_window", alt=words, height=440)
    st.caption("The paper asks how far back comparisons must reach. The dashed line is the whole history.")
    return drawn | {"Window": (figure, words)}


def extremes(results: list[Result], names: list[str]) -> str:
    """Which of some has the lowest and which the highest regret, if that can be said."""
    known = [(result, name) for result, name in zip(results, names, strict=True) if result.runs > 1]
    if len(known) < 2:
        return ""
    (least, best), *_, (most, worst) = sorted(known, key=lambda pair: pair[0].mean("regret")[-1])
    gap, band = difference(least, most)
    if gap <= band:
        return f"The largest difference is {with_band(gap, band)}: too close to call."
    return f"“{best}” pays least and “{worst}” most, a difference of {with_band(gap, band)}."


# Asking less


def thresholds() -> list[Scenario]:
    """ROAM with several thresholds below which it asks nothing."""
    return [replace(current(), algorithm="roam", skip_below=s, cost=0.0) for s in THRESHOLDS]


def asking_less(sight: Sight) -> Drawn:
    """Questions only where the probe is uncertain, and what a question may cost."""
    words = best_threshold([result for result in sight.results if result.runs], current().cost)
    drawn = {
        "Asking less": (figures.asking_less(sight.results, current().cost), words),
        "Questions": (figures.questions(sight.results), words),
    }
    plots.side_by_side(drawn, key="chart_rivals", height=440)
    st.caption(
        "A question is skipped when its probe is less uncertain than a threshold (s). A question may have a cost (γ). "
        "How many questions can go before regret rises?"
    )
    say_notice(NOTICE.value)
    say_verdict(words)
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


def wrong_link(sight: Sight) -> Drawn:
    """The user answers with one link, the algorithm assumes the same or another."""
    scenarios = [result.scenario for result in sight.results]
    names = [f"assumes {s.words('link')}" + (" (right)" if s.link == s.user_link else "") for s in scenarios]
    drawn = three_plots(sight.results, names)
    st.caption(
        "A link turns a difference in utility into the chance of an answer. The user answers with the "
        f"**{current().words('link')}** link, and each curve is an algorithm that assumes one of the "
        f"{counted(len(names))}. {SHAPES} Everything else is the same."
    )
    say_verdict(f"{ends(sight.results, names)} {extremes(sight.results, names)}")
    return drawn


SHAPES = (
    "Logistic and probit are much alike, probit is surer of large differences. Cauchit never is: even then some "
    "answers go the other way."
)


VIEWS = {
    "ask": View(
        "What to ask",
        ("algorithm", "ask"),
        {"window": WINDOWS},
        lambda: list(dict.fromkeys([*rules(), *windows()])),
        what_to_ask,
    ),
    "rival": View(
        "ROAM or CoLSTIM",
        ("algorithm",),
        {"c1": STEPS, "c2": STEPS},
        lambda: list(dict.fromkeys([*algorithms(), *cells()])),
        rival,
    ),
    "less": View("Asking less", ("algorithm", "skip_below"), {"cost": COSTS}, thresholds, asking_less),
    "link": View("A wrong link", ("algorithm", "user_link"), {"link": None}, links, wrong_link),
}
VIEW = Choice("rivals.view", "rival", values=VIEWS, first="ask", formerly={"map": "rival"})
NOTICE = Kept("rivals.notice", "")


def view() -> View:
    """The question on screen."""
    return VIEWS[VIEW.value]


def try_it(scenario: Scenario) -> None:
    """Set the controls for one of the things to try."""
    show(scenario)
    OWN_MAP.set(False)


def controls() -> None:
    """The questions, and for the one on screen the things to try and what matters most in it."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="questions"):
        choose_view(VIEW, "Question", VIEWS)
        other_runs((*view().sets, *view().controls), view().wants, main=())
    with st.container(key="main_row_rivals"):
        left, *columns = st.columns([6, 3, 3], vertical_alignment="center")
        with left.container(horizontal=True, gap="small", key="scroll_presets"):
            NOTICE.set(things_to_try(PRESETS[VIEW.value], put=try_it, key=f"try {VIEW.value}"))
            if VIEW.value == "ask" and st.button("Which question tells most? Ask better", type="tertiary"):
                turn_to("ask_better")
        for column, (name, steps) in zip(columns, view().controls.items(), strict=False):
            with column:
                widget(name, steps=steps)


def layout(sight: Sight) -> tuple:
    """Places for progress and figures."""
    with place_of(VIEW.value, VIEWS):
        return progress_row(sight), st.container()


def figure_area(sight: Sight, places: list) -> None:
    """Everything that follows the runs."""
    progress, figure_place = places
    with figure_place:
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
