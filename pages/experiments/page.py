"""What the theory suggests: four experiments in which the theorem says one thing and one can measure another."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import streamlit as st

from pages import plots
from pages.components.chart import chart
from pages.experiments import figures, words
from pages.experiments.presets import PRESETS
from pages.figures import TITLES, Series, curves
from pages.page import Page, progress_row, say_progress
from pages.parameters import Choice, Flag
from pages.reveal import say_notice, say_verdict
from pages.scenario_controls import MAIN, RADII, current, widget
from pages.take_along import Drawn
from pages.views import actions, choose_view, curves_to_take_along, place_of
from pages.watching import Sight
from pages.words import another_scale, spoken
from roam_core import KNOBS, Result, Scenario
from roam_core.theory import Theory

SIZES = (10, 30, 100, 300, 1000, 3000)
FLATNESSES = (1.0, 0.5, 0.3, 0.2, 0.1, 0.05)
QUESTIONS = (1, 2, 3, 5)
COSTS = (0.0, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
MOST_RUNS = 100
# Below its controls the picture must fit a projector; the sliders have some space of their own below them.
STYLE = """<style>
.st-key-experiments_picture { --picture: max(320px, 46vh); }
.st-key-main_row { margin-bottom: -0.5rem; }
.st-key-progress_row [role="progressbar"] { min-width: 2rem; }
</style>"""
ASKING = ("ask", "window", "skip_below", "questions")  # what a fresh y has none of


@dataclass(frozen=True)
class View:
    """One experiment: what the theory says, what one may expect, what it wants computed, and how it is drawn."""

    title: str
    own: tuple[str, ...]  # fields that it sets itself: they are not among the other controls
    row: tuple[str, ...]  # fields whose widgets stand above the figure
    theory: Callable[[], str]
    why: str  # the theory says that, for those who ask
    question: str
    guesses: tuple[str, ...]
    wants: Callable[[], list[Scenario]]
    draw: Callable[[Sight], tuple[Drawn, str]]  # figures with their words, and what to notice
    widgets: Callable[[], None] = lambda: None


def base(**changes: Any) -> Scenario:
    """The scenario on screen as ROAM plays it, with no more runs than this page has time for."""
    return replace(current(), algorithm="roam", runs=min(current().runs, MOST_RUNS), **changes)


def varied(field: str, values: tuple, **changes: Any) -> list[Scenario]:
    """The scenario with several values of a field, without those that would be too much work; at least as it is."""
    found = []
    for value in values:
        try:
            found.append(base(**changes, **{field: value}))
        except ValueError:  # beyond the budget
            continue
    return found or [base(**changes)]


def say_left_out(field: str, values: tuple, scenarios: list[Scenario]) -> None:
    """Which values would be too much work."""
    there = [getattr(scenario, field) for scenario in scenarios]
    if missing := [f"{value:g}" for value in values if value not in there]:
        st.caption(f"Left out, because it is too much work: {KNOBS[field].symbol} = {', '.join(missing)}.")


def known(results: list[Result]) -> list[Result]:
    """The results with complete runs."""
    return [result for result in results if result.runs]


# Does the number of items matter?


def sizes() -> list[Scenario]:
    """Several numbers of items on offer."""
    return varied("k", SIZES)


def items_theory() -> str:
    """The bound has no k in it."""
    bound = spoken(float(Theory(base()).bound(base().horizon)))
    return (
        f"The paper's bound on regret does not depend on the number of items on offer (k): it is {bound} for every k."
    )


def items(sight: Sight) -> tuple[Drawn, str]:
    """Regret against the number of items."""
    figure, said = figures.by_items(sight.results), words.of_items(sight.results)
    chart(figure, key="chart_experiments_items", alt=said, height=460)
    say_left_out("k", SIZES, sight.wanted)
    return {"Regret by k": (figure, said)}, said


# A flat item space


def flat() -> list[Scenario]:
    """Item spaces from f = 1 to flat."""
    return varied("flatness", FLATNESSES)


def flat_theory() -> str:
    """The bound grows as the space is squeezed."""
    plain, squeezed = (Theory(base(flatness=f)).beta for f in (FLATNESSES[0], FLATNESSES[-1]))
    return (
        f"The bound grows with how poor a history may be (β): {spoken(plain)} in the item space as it is (f = 1), "
        f"{spoken(squeezed)} in one that is squeezed to f = {FLATNESSES[-1]:g}."
    )


def flatness(sight: Sight) -> tuple[Drawn, str]:
    """Bound, error and regret, each as a multiple of what it is at f = 1."""
    there = known(sight.results)
    there = there if there and there[0].scenario.flatness == 1 else []
    squeezed = [result.scenario.flatness for result in there]
    times = (
        {"bound": bounds(there), **{curve: words.relative(there, curve) for curve in ("error", "regret")}}
        if there
        else {}
    )
    figure, said = figures.by_flatness(squeezed, times), words.of_flatness(squeezed, times)
    chart(figure, key="chart_experiments_flat", alt=said.replace("**", ""), height=460)
    return {"By flatness": (figure, said.replace("**", ""))}, said


def bounds(results: list[Result]) -> tuple[np.ndarray, np.ndarray]:
    """(results,) the theorem's bound as a multiple of the first one; NaN where there is none."""
    bound = np.array([float(Theory(result.scenario).bound(result.scenario.horizon)) for result in results])
    finite = np.isfinite(bound) & np.isfinite(bound[0])
    return np.divide(bound, bound[0], out=np.full(len(bound), np.nan), where=finite), np.zeros(len(bound))


# If y could be fresh


def fresh() -> list[Scenario]:
    """ROAM with the paper's rule, and the same with y from the offer; if asked for, charged for y too."""
    plain = {name: KNOBS[name].default for name in ASKING}
    names = ("roam", "roam_offer", *(["roam_offer_paid"] if PAID.value else []))
    return [replace(base(**plain), algorithm=name) for name in names]


def fresh_theory() -> str:
    """With y from the offer the ratio is at most 1."""
    return (
        "If the item compared with (y) could be a fresh one, the critical ratio would never be above 1. The bound "
        f"could have 1 where it has β\u00a0=\u00a0{spoken(Theory(base()).beta)}."
    )


def fresh_widgets() -> None:
    """Whether y is paid for."""
    about = (
        "A fresh y is free here: regret counts x alone, which is what the proof bounds. With the switch on, the curve "
        "“paid y” counts the mean over x and y, as the model of concurrent comparisons does."
    )
    PAID.widget(st.toggle, "Pay for y as well", help=about)


def fresh_y(sight: Sight) -> tuple[Drawn, str]:
    """Regret, error and ratio with a past y and with a fresh one."""
    names = ["past y", "fresh y", "paid y"]  # short: legends of one line keep the axes level
    series = [Series(result, name) for result, name in zip(sight.results, names, strict=False)]
    said = words.of_fresh(*sight.results[:2])
    drawn = {
        TITLES["regret"]: (curves(series, "regret"), said),
        TITLES["error"]: (curves(series[:2], "error"), said),
        TITLES["ratio"]: (figures.with_line_at_one(series[:2]), said),
    }
    plots.side_by_side(drawn, key="chart_experiments", height=460)
    if PAID.value and min(sight.runs) > 0:
        said += f" Charged for y as well, the fresh y has a regret of {words.regret_at_end(sight.results[2])}."
    return drawn, said


# More questions per item


def questions() -> list[Scenario]:
    """Several questions after each item. What they cost changes no run, so it is left out."""
    return varied("questions", QUESTIONS, cost=0.0)


def questions_theory() -> str:
    """Comparisons are free in the paper."""
    return (
        "In the paper only items cost regret; questions are free. Taken at its word, one would ask again and again "
        "about every new item."
    )


def more_questions(sight: Sight) -> tuple[Drawn, str]:
    """Error and regret against the questions per item."""
    said = words.of_questions(sight.results, current().cost)
    drawn = {
        "Error by m": (figures.error_by_questions(sight.results), said),
        "Regret by m": (figures.regret_by_questions(sight.results, current().cost), said),
    }
    plots.side_by_side(drawn, key="chart_experiments", height=440)
    say_left_out("questions", QUESTIONS, sight.wanted)
    return drawn, said


VIEWS = {
    "items": View(
        "Does the number of items matter?",
        ("algorithm", "k"),
        ("d", "tau", "radius", "link"),
        items_theory,
        "The proof never counts the items on offer. It only needs that the recommended one is the best along the "
        "estimate.",
        "From 10 items to 3,000: what does regret at T do?",
        ("It stays", "It grows a little", "It grows as k does"),
        sizes,
        items,
    ),
    "flat": View(
        "A flat item space",
        ("algorithm", "flatness"),
        MAIN,
        flat_theory,
        r"The bound has $\beta = 8r/\sqrt{\lambda_{\min}(\Sigma)}$ in it. $\Sigma$ is the spread of the items, and its "
        r"smallest eigenvalue $\lambda_{\min}$ the spread where it is least: small in a flat space.",
        "One axis is squeezed to a twentieth: what grows with the bound?",
        ("Error and regret", "Only the error", "Neither"),
        flat,
        flatness,
    ),
    "fresh": View(
        "If y could be fresh",
        ("algorithm", *ASKING),
        MAIN,
        fresh_theory,
        r"The proof needs $\beta$ because $y_t$ comes from the history. Say $y_t$ were the item on offer that is "
        r"farthest from $x_t$, where uncertainty ($V_t^{-1}$) measures distance. The best item $x^*_t$ is on offer "
        "too, so it is no farther. The critical ratio is the one distance over the other.",
        "Which y teaches more, and so costs less regret?",
        ("The fresh one", "About the same", "The past one"),
        fresh,
        fresh_y,
        fresh_widgets,
    ),
    "questions": View(
        "More questions per item",
        ("algorithm", "questions"),
        (*MAIN, "cost"),
        questions_theory,
        "Each further question is about another past item, and is chosen with the answer to the one before in hand.",
        "Twice as many answers: how much of the error is left?",
        ("Half of it", "About 70%, as 1/√2", "Nearly all"),
        questions,
        more_questions,
    ),
}
VIEW = Choice("experiments.view", "items", values=VIEWS)
PAID = Flag("experiments.paid")


def view() -> View:
    """The experiment on screen."""
    return VIEWS[VIEW.value]


def guess_key() -> str:
    """Where the session keeps what the visitor expects of this view."""
    return f"experiments guess {VIEW.value}"


def row() -> None:
    """The main controls of the view, side by side where there is room."""
    with st.container(key="main_row"):
        for column, name in zip(st.columns(len(view().row)), view().row, strict=True):
            with column:
                widget(name, base(), {"radius": RADII, "cost": COSTS}.get(name))


def controls() -> None:
    """The experiments, what the theory says, and the controls."""
    st.html(STYLE)
    choose_view(VIEW, "Experiment", VIEWS)
    st.markdown(f"**The theory.** {view().theory()}", help=view().why)
    row()


def layout(sight: Sight) -> tuple:
    """The things to try, what the visitor expects, the view's own widgets; places for progress, figures and words."""
    with place_of(VIEW.value, VIEWS):
        left, right = st.columns([7, 2], vertical_alignment="center")
        with left:
            notice = actions(PRESETS[VIEW.value], (*view().own, *view().row), view().wants, VIEW.value)
        with right:
            progress = progress_row(sight)
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            question = f"**What do you expect?** {view().question}"
            st.markdown(question, width="content")
            st.pills(question, view().guesses, key=guess_key(), persist_state="session", label_visibility="collapsed")
            view().widgets()
        figure_place = st.container(key="experiments_picture")
        said = st.container()
        say_notice(notice)
        return progress, figure_place, said, st.container()


def figure_area(sight: Sight, places: list) -> None:
    """Everything that follows the runs."""
    progress, figure_place, words_place, rest = places
    with figure_place:
        say_progress(progress, sight)
        drawn, said = view().draw(sight)
    with words_place:
        guess = st.session_state.get(guess_key())
        expected = f"You expected: *{guess}*. " if guess else ""
        say_verdict(f"{expected}**Measured.** {said} {another_scale(base())}".rstrip())
    with rest:
        mean = f"Mean over up to {base().runs} simulated users; bars and bands hold the true mean with 95% confidence."
        st.caption(mean if base().runs > 1 else "One simulated user.")
        if not sight.running:
            curves_to_take_along(sight.results, drawn, PAGE.address)


SYMBOLS = (
    "ROAM", "CoLSTIM", "exploration", "most_uncertain", "band",
    "regret", "estimate", "theta", "ratio", "x", "best", "y", "V", "Sigma", "lambda_min", "beta", "richness", "d",
    "tau", "k", "link", "horizon", "runs", "radius", "flatness", "cost",
)  # fmt: skip
PAGE = Page(
    "What the theory suggests",
    "experiments",
    controls,
    parameters=(VIEW, PAID),
    wants=lambda: view().wants(),
    layout=layout,
    figures=figure_area,
    opens="Open the experiments",
    symbols=SYMBOLS,
    teaser="Four experiments in which the theorem says one thing and one can measure another.",
    fixed=("algorithm",),
)
