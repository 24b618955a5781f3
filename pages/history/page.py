"""Rich history: a history is as poor as its worst shadow, and how exploration makes it rich."""

from dataclasses import dataclass

import numpy as np
import streamlit as st

from pages import export, watching
from pages.board.works import Work
from pages.components.chart import chart
from pages.components.shadow import shadow
from pages.history import figures
from pages.history.presets import PRESETS
from pages.history.words import (
    DEFINITION,
    FIRST,
    LEMMA,
    RUN,
    SLIP,
    STEPS,
    about_run,
    concentration_step,
    counted_on,
    never_lost,
    over_time,
    pairs_step,
    together,
    triangle_step,
)
from pages.lab import exploration
from pages.one_run.scene import explored, in_plane
from pages.page import Page, progress_row, say_progress
from pages.parameters import Choice, Flag, Kept, Points
from pages.presets import things_to_try
from pages.registry import turn_to
from pages.reveal import conceal, hidden, say_verdict
from pages.richness import MOST, affordable, is_exact
from pages.scenario_controls import FLATNESSES, RADII, current, new_seed, show, widget
from pages.take_along import take_along
from pages.theory.reading import about_sigma
from pages.watching import Sight
from roam_core import Scenario
from roam_core.enrichment import Enrichment, RichResult
from roam_core.richness import Pairs, richness
from roam_core.theory import Theory

MAKE_HISTORY = ("seed", "tau", "d", "radius", "items", "flatness")  # the fields that exploration depends on
AT_RUN = Kept("history.at_run")  # whether a run's history was on screen last


@dataclass(frozen=True)
class StepParameter(Choice):
    """The step on screen. A link that does not name it shows what it is about, or else the first step."""

    def read(self) -> None:
        """Take it from the link. Who changes the scenario of a run wants to see that of the other one."""
        super().read()
        if self.value is None and AT_RUN.value:
            self.set(RUN)


STEP = StepParameter("history.step", of_scenario=True, otherwise="the usual one", values=tuple(STEPS))
BY_HAND = Points("history.points", of_scenario=True, otherwise="those of the step")  # in units of the radius
SHOWS_LEMMA = Flag("history.lemma", otherwise="without Lemma 3")
TOKEN = Kept("history.token", 0)  # changes when the picture must take over another history
LOWER_BOUND = "For d above 2 a search finds ρ(H) from below, so 1/ρ(H) is at most what the curve shows. "


def shown() -> Scenario:
    """What this page plays of the scenario on screen."""
    return affordable(current())


def step() -> str:
    """The step on screen: the first one, unless somebody chose a step, a history, or what makes one."""
    usual = all(getattr(current(), name) == getattr(Scenario(), name) for name in MAKE_HISTORY)
    return STEP.value or (FIRST if usual and BY_HAND.value is None else RUN)


def plane() -> Scenario:
    """The items in the plane: those of the scenario on screen for a run, and round ones for the steps before."""
    return in_plane(shown() if step() == RUN else Scenario())


def wants() -> list[Work]:
    """How far questions reach along the runs, where a run is what the page is about."""
    if step() != RUN:
        return []
    s = shown()
    rounds = {*np.unique(np.geomspace(2, s.horizon + 1, 24).astype(int)).tolist(), s.tau + 1}
    return [Enrichment(s, tuple(sorted(rounds)))]


def put(name: str) -> None:
    """Put a step on screen, with its own history."""
    STEP.set(name)
    BY_HAND.set(None)
    TOKEN.set(TOKEN.value + 1)
    conceal()


def edited() -> None:
    """Remember the history on screen, for the link."""
    points, radius = st.session_state.shadow.points, plane().radius
    STEP.set(step())
    BY_HAND.set(None if points is None else [[n / radius for n in point] for point in points])


def try_it(scenario: Scenario) -> None:
    """Put a run of a scenario on screen."""
    show(scenario)
    put(RUN)


def controls() -> None:
    """Steps and the picture; for a run what changes it; then what is behind the picture."""
    AT_RUN.set(step() == RUN)
    with st.container(horizontal=True, gap="small", key="scroll_steps"):
        for name, each in STEPS.items():
            kind = "primary" if name == step() else "secondary"
            st.button(each.title, key=f"step {name}", type=kind, on_click=put, args=(name,))
    place = st.container()
    notice = run_controls() if step() == RUN else STEPS[step()].said
    with place:
        history = picture(notice)
    with st.expander("Definition 1 of the paper, our exact formula for ρ(H), and its proof"):
        st.markdown(DEFINITION)
    SHOWS_LEMMA.widget(st.toggle, "Why a short exploration is enough: Lemma 3 in three steps on this history")
    if SHOWS_LEMMA.value:
        lemma(history, plane(), own=step() == RUN and BY_HAND.value is None)


def run_controls() -> str:
    """What makes the history of a run; returns what to notice about it."""
    with st.container(horizontal=True, gap="small", key="scroll_presets"):
        by_hand = BY_HAND.value is not None
        notice = things_to_try(PRESETS, lambda scenario: affordable(scenario) == shown() and not by_hand, try_it)
        st.button("New seed", on_click=new_seed)
    steps = {
        "tau": range(min(100, shown().horizon) + 1), "flatness": FLATNESSES, "radius": RADII, "items": None,
        "d": range(2, MOST["d"] + 1),
    }  # fmt: skip
    with st.container(key="main_row"):
        for column, (name, values) in zip(st.columns(len(steps)), steps.items(), strict=True):
            with column:
                widget(name, shown(), values)
    if shown().d > 2:
        st.caption(f"The picture stays in the plane (d = 2). The curve below has d = {shown().d}.")
    return notice or about_run(plane().tau)


def picture(notice: str) -> np.ndarray:
    """The history in the plane with its worst shadow, one number and one sentence; returns the history (n, 2)."""
    flat, now = plane(), STEPS[step()]
    if now.points is None:
        own = watching.compute("Playing the run", explored, flat)
    else:
        own = [[flat.radius * n for n in point] for point in now.points]
    points = own if BY_HAND.value is None else [[flat.radius * n for n in point] for point in BY_HAND.value]
    shadow(
        own,
        points,
        step=step(),
        shows=now.shows,
        space={
            "radius": flat.radius,
            "outline": flat.law.scale.tolist(),
            "bound": Theory(flat).beta,
            "least": flat.law.lambda_min,
        },
        about={
            "said": notice,
            "paper": counted_on(flat),
            "hidden": hidden(),
            "back": f"Back to the {'run' if now.points is None else 'step'}'s history",
        },
        token=f"{TOKEN.value} {shown()}",
        key="shadow",
        on_points_change=edited,
    )
    return in_ball(np.array(points).reshape(-1, 2), flat.radius)


def in_ball(points: np.ndarray, radius: float) -> np.ndarray:
    """The points (n, 2), those that rounding has made longer than the radius as long as it."""
    return points / np.maximum(np.linalg.norm(points, axis=1, keepdims=True) / radius, 1)


def lemma(history: np.ndarray, flat: Scenario, own: bool) -> None:
    """Lemma 3 of the paper, and the three steps of its proof on a history (n, 2)."""
    st.markdown(LEMMA)
    if len(history) < 2:
        st.info("There is no pair of items yet: put two on screen at least.")
        return
    found, of, law = richness(history, flat.radius), Pairs.of(history), flat.law
    steps = (
        ("pairs", "The items in pairs", figures.pairs(history, law.radius), pairs_step(of, own)),
        (
            "triangle",
            "The pairs along the worst direction",
            figures.along_worst(history, found, law.radius),
            triangle_step(of, found),
        ),
        (
            "concentration",
            "Squared length of the pairs in every direction",
            figures.by_direction(of, law.sigma),
            concentration_step(of, law.lambda_min),
        ),
    )
    for column, (name, alt, figure, step) in zip(st.columns(3), steps, strict=True):
        with column:
            chart(figure, key=f"lemma_{name}", alt=f"{alt}, explained below.", height=400)
            st.markdown(step)
    st.markdown(together(of, found, law.radius, Theory(flat).beta))
    st.markdown(never_lost(history, found, law.radius))
    st.caption(SLIP)


def layout(sight: Sight) -> tuple:
    """Places for the progress, the plot and what is said about it; none where nothing is computed."""
    if not sight.wanted:
        return ()
    st.subheader("How histories become rich", anchor=False)
    progress, drawing = progress_row(sight), st.container()
    if st.button("How long to explore? See the lab", on_click=exploration.OPEN.set, args=(True,)):
        turn_to("lab")
    return progress, drawing, st.container()


def figure_area(sight: Sight, places: list) -> None:
    """Everything that follows the runs."""
    if not sight.wanted:
        return
    progress, drawing, below = places
    (result,), s, theory = sight.results, shown(), Theory(shown())
    figure, said = figures.reach_over_time(result, theory.beta), over_time(result)
    with drawing:
        say_progress(progress, sight)
        chart(figure, key="chart_reach", alt=said, height=440)
        say_verdict(said)
        st.caption(
            f"{result.runs} runs with d = {s.d} and T = {s.horizon}; the band holds 80% of them. "
            + ("" if is_exact(s) else LOWER_BOUND)
            + about_sigma(theory)
        )
    with below:
        if not sight.running and result.runs:
            with st.expander("Take it along"):
                files = {"Richness over time (CSV)": ("richness.csv", table(result))}
                take_along(files, {"Reach over time": (figure, said)}, PAGE.address)


def table(result: RichResult) -> str:
    """Richness over time as CSV, which says first what its columns are."""
    exact = is_exact(result.scenario)
    names = "# beta_10, beta_50, beta_90: quantiles of rho(H_t), the smallest beta for which H_t is beta-rich"
    rows = export.richness_csv(result.rounds, figures.quantiles(result.beta), result.scenario)
    return f"{names}{'' if exact else '; lower bounds'}\n{rows}"


SYMBOLS = (
    "exploration", "greedy", "rich_history", "everywhere", "band",
    "history", "v", "x", "other", "shadow", "reach", "richness", "beta", "Sigma", "lambda_min", "V", "delta", "d",
    "tau", "radius", "items", "flatness", "horizon",
)  # fmt: skip
PAGE = Page(
    "Rich history",
    "rich-history",
    controls,
    parameters=(STEP, BY_HAND, SHOWS_LEMMA),
    wants=wants,
    layout=layout,
    figures=figure_area,
    opens="Open Rich history",
    symbols=SYMBOLS,
    teaser="Why it explores at all: drag the items of a history and see what it can tell.",
    fixed=("algorithm", "questions"),
    own=("horizon",),
)
