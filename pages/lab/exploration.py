"""How long to explore: a section of the lab that is computed only when it is opened."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from pages import watching
from pages.board.works import Work
from pages.components.chart import chart
from pages.lab.exploration_figures import how_long
from pages.parameters import Choice, Flag
from pages.reveal import say_verdict
from pages.richness import affordable, is_exact
from pages.scenario_controls import current
from pages.take_along import Drawn
from pages.watching import Sight
from pages.words import listed
from roam_core import KNOBS, Result, Scenario
from roam_core.enrichment import Exploration, Explored
from roam_core.theory import Theory

TITLE = "How long to explore"
LENGTHS = (0, 2, 4, 6, 10, 15, 20, 30, 40, 60, 80, 100)  # exploration rounds that are compared
FLATTER = 0.3  # the second item space is so much flatter than the first, or rounder if that is as flat as can be
ENOUGH = 0.95  # of runs
OPEN = Flag("lab.explore", otherwise=f'without "{TITLE}"')
# For the C of the prescribed τ, which the paper leaves open.
CONSTANT = Choice("lab.C", 1.0, values=(0.25, 0.5, 1.0, 2.0, 4.0, 8.0))
PARAMETERS = (OPEN, CONSTANT)
MEANING = (
    "A history is rich enough when its richness, ρ(H), is at most the paper's bound (β): then some question always "
    "reaches far enough. V adds up what was asked, and its smallest eigenvalue, λmin(V), says how much was asked in "
    "the direction that was asked about least. The theorem needs both. Regret says what the exploration costs."
)
LOWER_BOUND = (
    "For d above 2 a search finds ρ(H) from below. So the share of runs with ρ(H) ≤ β is an upper estimate: it is at "
    "most that. "
)


def shown() -> Scenario:
    """What this section plays of the scenario on screen."""
    return affordable(current())


def compared() -> Scenario:
    """The same with a flatter item space, or a rounder one if it is as flat as can be."""
    flatter = shown().flatness * FLATTER
    return replace(shown(), flatness=flatter if flatter > KNOBS["flatness"].low else shown().flatness / FLATTER)


def lengths() -> tuple[int, ...]:
    """The exploration rounds that are compared."""
    return tuple(n for n in LENGTHS if n <= shown().horizon)


def wants() -> list[Work]:
    """Exploration of many lengths in two item spaces, and the regret of each length; nothing while it is closed."""
    if not OPEN.value:
        return []
    family = [replace(shown(), tau=n, ridge=current().ridge) for n in lengths()]
    return [Exploration(shown(), lengths()), Exploration(compared(), lengths()), *family]


def layout() -> Sequence[Any]:
    """The switch that opens the section; places for its figure and, below the control of C, its caption."""
    OPEN.widget(st.toggle, f"{TITLE}: a dozen exploration lengths (τ), what they achieve and what they cost")
    if not OPEN.value:
        return ()
    st.subheader(TITLE, anchor=False)
    st.markdown(MEANING)
    area = st.container()
    CONSTANT.widget(st.select_slider, "Constant C of the prescribed τ", CONSTANT.values, width=260)
    return area, st.container()


def drawn(sight: Sight) -> Drawn:
    """The figure of the section with its words, by its title; nothing while it is closed."""
    if not OPEN.value:
        return {}
    near, far, *results = (sight.of(work) for work in wants())
    other = f", f = {compared().flatness:.2g}"
    phases = [("", near, Theory(shown()).beta), (other, far, Theory(compared()).beta)]
    figure = how_long(phases, results, prescribed(), max(lengths()))
    return {TITLE: (figure, trade_off(near, results, Theory(shown()).beta))}


def draw(sight: Sight, places: Sequence[Any]) -> None:
    """Everything of the section that follows the runs."""
    for title, (figure, said) in drawn(sight).items():
        area, below = places
        own = replace(sight, wanted=wants(), results=[sight.of(work) for work in wants()])
        with area:
            watching.progress(own)
            chart(figure, key="chart_exploration", alt=f"{title}. {said}", height=480)
            say_verdict(said)
        with below:
            st.caption(caption(own.results[0]))


def prescribed() -> int:
    """The paper's length, for the C on screen."""
    return Theory(shown()).prescribed_tau(CONSTANT.value)


def caption(phase: Explored) -> str:
    """What is drawn, and what the paper prescribes."""
    s, theory = shown(), Theory(shown())
    names = [name for name in ("horizon", "runs", "d", "k") if getattr(s, name) != getattr(current(), name)]
    smaller = f"This section is played with {listed(s, names)}, which is as much as it takes. " if names else ""
    return (
        f"{smaller}Shares of {phase.runs} exploration phases, solid for the item space on screen, dotted for one whose "
        f"flatness (f) is {compared().flatness:.2g}, and ROAM's regret over whole runs of T = {s.horizon} rounds. "
        + ("" if is_exact(s) else LOWER_BOUND)
        + f"The paper prescribes τ = C r² log(d/δ) / λmin(Σ) = {prescribed()} rounds, with C = {CONSTANT.value:g} and "
        f"a chance of failure δ = {theory.delta:g}. λmin(Σ) says how much two random items differ, squared, where they "
        "differ least. The paper leaves C open."
    )


def trade_off(phase: Explored, results: Sequence[Result], bound: float) -> str:
    """How long to explore, in words."""
    if not phase.runs:
        return "No run is complete yet."
    rich, probed = (first_enough(phase, values) for values in (phase.beta <= bound, phase.lambda_min >= 1))
    seen = "As far as the search can see, histories" if not is_exact(phase.scenario) else "Histories"
    say = [
        f"{seen} are rich enough (ρ(H) ≤ β) in at least {ENOUGH:.0%} of runs from τ = {rich} on."
        if rich is not None
        else f"Histories are rich enough (ρ(H) ≤ β) in fewer than {ENOUGH:.0%} of runs, with any length tried.",
        f"To have asked enough in every direction (λmin(V) ≥ 1) takes τ = {probed}."
        if probed is not None
        else f"Enough asked in every direction (λmin(V) ≥ 1) is not reached in {ENOUGH:.0%} of runs here.",
    ]
    if all(result.runs > 1 for result in results):
        best = min(results, key=lambda result: result.mean("regret")[-1])
        low, band = best.mean("regret")[-1], best.band("regret")[-1]
        say.append(f"Of the lengths tried, regret at T is lowest with τ = {best.scenario.tau}: {low:.3g} ± {band:.2g}.")
    return " ".join(say)


def first_enough(phase: Explored, reached: Any) -> int | None:
    """The first length after which enough runs have `reached` (runs, lengths) something; None if none has."""
    shares = zip(phase.lengths, reached.mean(0), strict=True)
    return next((length for length, share in shares if share >= ENOUGH), None)
