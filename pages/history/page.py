"""Rich history: a history is as poor as its worst shadow, and how exploration makes it rich."""

from dataclasses import replace

import numpy as np
import streamlit as st

from pages import export, plots, watching
from pages.board.works import Work
from pages.components.chart import chart
from pages.components.shadow import shadow
from pages.history import figures
from pages.history.presets import PRESETS
from pages.history.words import (
    DEFINITION,
    LEMMA,
    SLIP,
    STEPS,
    concentration_step,
    never_lost,
    over_time,
    pairs_step,
    together,
    trade_off,
    triangle_step,
)
from pages.one_run.scene import explored, in_plane
from pages.page import Page, progress_row, say_progress
from pages.parameters import Choice, Flag, Kept, Points
from pages.presets import things_to_try
from pages.scenario_controls import FLATNESSES, RADII, current, new_seed, show, widget
from pages.take_along import take_along
from pages.theory.reading import about_sigma
from pages.watching import Sight
from roam_core import KNOBS, Scenario
from roam_core.enrichment import Enrichment, Exploration, RichResult
from roam_core.richness import Pairs, richness
from roam_core.theory import Theory

MOST_ROUNDS, MOST_RUNS, LARGEST_D, LARGEST_K = 300, 100, 10, 2000
LENGTHS = (0, 2, 4, 6, 10, 15, 20, 30, 40, 60, 80, 100)  # exploration rounds that are compared
FLATTER = 0.3  # the second item space is so much flatter than the first, or rounder if that is as flat as can be
BY_HAND = Points("history.points", of_scenario=True, otherwise="the run's own")  # in units of the radius
# For the C of the prescribed τ, which the paper leaves open.
CONSTANT = Choice("history.C", 1.0, values=(0.25, 0.5, 1.0, 2.0, 4.0, 8.0))
SHOWS_LEMMA = Flag("history.lemma", otherwise="without Lemma 3")
SAID = Kept("history.said", of_scenario=True)  # about the step on screen
LOWER_BOUND = (
    "For d above 2 a search finds ρ(H) from below. So the curve on the left is a lower estimate, and the share of runs "
    "with ρ(H) ≤ β on the right an upper one: it is at most that. "
)
TOKEN = Kept("history.token", 0)  # changes when the picture must take over another history


def in_page(scenario: Scenario) -> Scenario:
    """The scenario as this page plays it: ROAM, not too large, automatic values filled in."""
    horizon = min(scenario.horizon, MOST_ROUNDS)
    tau = None if scenario.tau is None else min(scenario.tau, horizon)
    limits = {"runs": MOST_RUNS, "d": LARGEST_D, "k": LARGEST_K}
    smaller = {name: min(getattr(scenario, name), most) for name, most in limits.items()}
    return replace(scenario, algorithm="roam", horizon=horizon, tau=tau, questions=1, **smaller).resolved()


def shown() -> Scenario:
    """What this page plays of the scenario on screen."""
    return in_page(current())


def compared() -> Scenario:
    """The same with a flatter item space, or a rounder one if it is as flat as can be."""
    flatter = shown().flatness * FLATTER
    return replace(shown(), flatness=flatter if flatter > KNOBS["flatness"].low else shown().flatness / FLATTER)


def lengths() -> tuple[int, ...]:
    """The exploration rounds that are compared."""
    return tuple(n for n in LENGTHS if n <= shown().horizon)


def wants() -> list[Work]:
    """Richness along the runs, exploration of many lengths in two item spaces, and the regret of each length."""
    s = shown()
    rounds = tuple(sorted({*np.unique(np.geomspace(2, s.horizon + 1, 24).astype(int)).tolist(), s.tau + 1}))
    family = [replace(s, tau=n, ridge=current().ridge) for n in lengths()]
    return [Enrichment(s, rounds), Exploration(s, lengths()), Exploration(compared(), lengths()), *family]


def put(points: list[list[float]] | None, said: str = "") -> None:
    """Put a history on screen that was not made by a run."""
    BY_HAND.set(points)
    SAID.set(said)
    TOKEN.set(TOKEN.value + 1)


def edited() -> None:
    """Remember the history on screen, for the link; what was said about another one is no longer true."""
    points, radius = st.session_state.shadow.points, shown().radius
    BY_HAND.set(None if points is None else [[n / radius for n in point] for point in points])
    SAID.set("")


def try_it(scenario: Scenario) -> None:
    """Set the controls."""
    show(scenario)
    put(None)


def controls() -> None:
    """Steps, things to try, the controls and the picture."""
    notice = buttons()
    control_row()
    poor = "A history is as poor as its worst shadow: the one that is narrow or off-centre."
    hint = "Drag an item: the shadow and **ρ(H)** follow."
    st.markdown(f"{poor} **Notice.** {notice}" if notice else f"{poor} {hint}")
    with st.container():  # also if it is empty: the picture keeps its place
        if shown().d > 2:
            st.caption(
                f"The picture and its numbers stay in the plane (d = 2). The plots below it have d = {shown().d}."
            )
    picture()


def buttons() -> str:
    """Steps that explain, and things to try; returns what to notice about what is on screen."""
    with st.container(horizontal=True, gap="small", key="scroll_steps"):
        for name, said, points in STEPS:
            st.button(name, key=f"step {name}", on_click=put, args=(points, said))
        by_hand = BY_HAND.value is not None
        tried = things_to_try(PRESETS, lambda scenario: in_page(scenario) == shown() and not by_hand, try_it)
    return SAID.value or tried


def control_row() -> None:
    """The controls of this page."""
    steps = {
        "tau": range(min(100, shown().horizon) + 1), "flatness": FLATNESSES, "radius": RADII, "items": None,
        "d": range(2, LARGEST_D + 1),
    }  # fmt: skip
    with st.container(key="main_row"):
        *columns, seed = st.columns([4, 4, 4, 4, 4, 5], vertical_alignment="center")
    for column, (name, values) in zip(columns, steps.items(), strict=True):
        with column:
            widget(name, shown(), values)
    with seed.container(horizontal=True, gap="small"):
        st.button("Same seed", on_click=try_it, args=(current(),))
        st.button("New seed", on_click=new_seed)


def picture() -> None:
    """The history in the plane with its worst shadow, what is behind it, and Lemma 3 on it."""
    flat = in_plane(shown())
    run = watching.compute("Playing the run", explored, flat)
    by_hand = BY_HAND.value
    points = run["own"] if by_hand is None else [[flat.radius * n for n in point] for point in by_hand]
    shadow(
        run["own"],
        points,
        run["ratios"],
        radius=flat.radius,
        outline=flat.law.scale.tolist(),
        bound=Theory(flat).beta,
        token=f"{TOKEN.value} {shown()}",
        key="shadow",
        on_points_change=edited,
    )
    with st.expander("Definition 1 of the paper, our exact formula for ρ(H), and its proof"):
        st.markdown(DEFINITION)
    SHOWS_LEMMA.widget(st.toggle, "Why a short exploration is enough: Lemma 3 in three steps on this history")
    if SHOWS_LEMMA.value:
        lemma(in_ball(np.array(points).reshape(-1, 2), flat.radius), flat, own=by_hand is None)


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
    """Places for the progress, the plots, and what stands below the control of C."""
    st.subheader("How histories become rich", anchor=False)
    progress, drawings = progress_row(sight), st.container()
    _, right = st.columns(2)
    with right:
        CONSTANT.widget(st.select_slider, "Constant C of the prescribed τ", CONSTANT.values, width=260)
    return progress, drawings, st.container()


def figure_area(sight: Sight, places: list) -> None:
    """Everything that follows the runs."""
    progress, drawings, below = places
    s, theory, C = shown(), Theory(shown()), CONSTANT.value
    result, near, far, *results = sight.results
    prescribed, other = theory.prescribed_tau(C), compared().flatness
    phases = [("", near, theory.beta), (f", f = {other:.2g}", far, Theory(compared()).beta)]
    drawn = {
        "Richness over time": (figures.richness_over_time(result, theory.beta), over_time(result)),
        "How long to explore": (
            figures.how_long(phases, results, prescribed, max(lengths())),
            trade_off(near, results, theory.beta),
        ),
    }
    with drawings:
        say_progress(progress, sight)
        plots.side_by_side(drawn, key="chart", height=480, captions=st.markdown)
    with below:
        st.caption(
            f"Left: {result.runs} runs with d = {s.d} and T = {s.horizon}; the band holds 80% of them. "
            + ("" if figures.is_exact(s) else LOWER_BOUND)
            + f"Right: shares of {near.runs} exploration phases, solid for the item space on screen, dotted for one "
            f"with f = {other:.2g}, and the regret of whole runs. The paper prescribes "
            f"τ = C r² log(d/δ) / λmin(Σ) = {prescribed} with C = {C:g} and δ = {theory.delta:g}. It leaves C open."
        )
        st.caption(about_sigma(theory))
        if not sight.running and result.runs:
            with st.expander("Take it along"):
                take_along({"Richness over time (CSV)": ("richness.csv", table(result))}, drawn, PAGE.address)


def table(result: RichResult) -> str:
    """Richness over time as CSV, which says first what its columns are."""
    exact = figures.is_exact(result.scenario)
    names = "# beta_10, beta_50, beta_90: quantiles of rho(H_t), the smallest beta for which H_t is beta-rich"
    rows = export.richness_csv(result.rounds, figures.quantiles(result.beta), result.scenario)
    return f"{names}{'' if exact else '; lower bounds'}\n{rows}"


SYMBOLS = (
    "exploration", "greedy", "rich_history", "everywhere", "band",
    "history", "x", "richness", "beta", "Sigma", "lambda_min", "V", "ratio", "regret", "delta", "d", "tau", "radius",
    "items", "flatness", "horizon",
)  # fmt: skip
PAGE = Page(
    "Rich history",
    "rich-history",
    controls,
    parameters=(BY_HAND, CONSTANT, SHOWS_LEMMA),
    wants=wants,
    layout=layout,
    figures=figure_area,
    opens="Open Rich history",
    symbols=SYMBOLS,
    teaser="Why it explores at all: drag the items of a history and see what it can tell.",
    fixed=("algorithm", "questions"),
)
