"""Rich history: a history as wide as its narrowest shadow, and how exploration makes it so."""

import math
from dataclasses import replace

import numpy as np
import streamlit as st

from pages.components.chart import chart
from pages.components.downloads import take_along
from pages.components.shadow import Points, shadow
from pages.parts import controls, export, figures_history, watching
from pages.parts.presets import THINGS_TO_TRY_WITH_HISTORY
from pages.parts.scene import explored, in_plane
from roam_core import KNOBS, Scenario
from roam_core.enrichment import Enrichment, Exploration, Explored, RichResult
from roam_core.theory import Theory

LONGEST, MOST_RUNS, LARGEST_D = 300, 100, 10
LENGTHS = (0, 2, 4, 6, 10, 15, 20, 30, 40, 60, 80, 100)  # exploration rounds that are compared
FLATTER = 0.3  # the second item space is so much flatter than the first, or rounder if that is as flat as can be
FLATTEST = KNOBS["flatness"].low
CONSTANTS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)  # on offer for the C of the prescribed tau, which the paper leaves open
NARROW = [[-0.92, -0.05], [-0.5, 0.06], [-0.12, -0.05], [0.3, 0.05], [0.62, -0.06], [0.94, 0.04]]
DIVERSE = [*NARROW, [0.1, 0.95]]
RICH = [*DIVERSE, *([math.cos(a), math.sin(a)] for a in np.linspace(0.35, 6.0, 11))]
STEPS = (
    (
        "1. A narrow history",
        "These items differ from left to right only. A question compares two of them, so it hardly tells anything "
        "about taste from bottom to top.",
        NARROW,
    ),
    (
        "2. One more diverse item",
        "One item lies apart. Every comparison with it probes the direction that was missing. It will be asked about "
        "again and again.",
        DIVERSE,
    ),
    (
        "3. A rich history",
        "Items lie all around. Whatever direction is unsure, some past item differs from the new one in it.",
        RICH,
    ),
)


def in_page(scenario: Scenario) -> Scenario:
    """The scenario as this page plays it: ROAM, not too large, automatic values filled in."""
    horizon = min(scenario.horizon, LONGEST)
    tau = None if scenario.tau is None else min(scenario.tau, horizon)
    limits = {"runs": min(scenario.runs, MOST_RUNS), "d": min(scenario.d, LARGEST_D), "k": min(scenario.k, 2000)}
    return replace(scenario, algorithm="roam", horizon=horizon, tau=tau, **limits).resolved()


def points_of_link() -> Points | None:
    """A history that the link describes as x,y pairs in thousandths of the radius; None if it has none."""
    text = st.query_params.get("points", "")
    if not text:
        return None
    try:
        if len(text) > 2000:
            raise ValueError
        numbers = [[int(part) / 1000 for part in pair.split(".")] for pair in text.split("_")]
        if len(numbers) > 100 or any(len(pair) != 2 or math.hypot(*pair) > 1.01 for pair in numbers):
            raise ValueError
    except (ValueError, OverflowError):
        controls.complain(f"points = {controls.shortened(text)} is not at most 100 points of the disc", "the run's own")
        return None
    return [[x / max(1.0, math.hypot(x, y)), y / max(1.0, math.hypot(x, y))] for x, y in numbers]


def constant_of_link() -> float:
    """The C of the prescribed tau that the link asks for; a message if it is not on offer."""
    text = st.query_params.get("C", "1")[: controls.LONGEST]
    asked = next((C for C in CONSTANTS if f"{C:g}" == text), None)
    if asked is None:
        choices = ", ".join(f"{C:g}" for C in CONSTANTS)
        controls.complain(f"C = {controls.shortened(text)} is not one of {choices}", "1")
    return asked or 1.0


def link_of_points(points: Points | None, radius: float) -> dict[str, str]:
    """What the link says about a history that was changed by hand."""
    if points is None:
        return {}
    return {"points": "_".join(".".join(f"{round(1000 * n / radius)}" for n in point) for point in points)}


def edited() -> None:
    """Remember the history on screen, for the link."""
    st.session_state.drawn = st.session_state.shadow.points


def put(points: Points | None, words: str = "") -> None:
    """Put a history on screen that was not made by a run."""
    st.session_state.drawn = points
    st.session_state.history_words = words
    st.session_state.history_token = st.session_state.get("history_token", 0) + 1


def try_it(scenario: Scenario) -> None:
    """Set the controls."""
    controls.show(scenario)
    put(None)


def buttons(shown: Scenario) -> str:
    """Three steps that explain, and things to try; returns what to notice about what is on screen."""
    with st.container(horizontal=True, gap="small", key="scroll_steps"):
        for name, words, points in STEPS:
            scaled = [[shown.radius * x, shown.radius * y] for x, y in points]
            st.button(name, key=f"step {name}", on_click=put, args=(scaled, words))
        by_hand = st.session_state.drawn is not None
        tried = controls.things_to_try(
            THINGS_TO_TRY_WITH_HISTORY, lambda scenario: in_page(scenario) == shown and not by_hand, try_it
        )
    return st.session_state.history_words or tried


def control_row(shown: Scenario) -> None:
    """The controls of this page."""
    with st.container(key="main_row"):
        tau, flatness, radius, items, d, seed = st.columns([4, 4, 4, 4, 4, 5], vertical_alignment="center")
    with tau:
        controls.widget("tau", shown, range(min(100, shown.horizon) + 1))
    with flatness:
        controls.widget("flatness", shown, (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0))
    with radius:
        controls.widget("radius", shown, (0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0))
    with items:
        controls.widget("items", shown)
    with d:
        controls.widget("d", shown, range(2, LARGEST_D + 1))
    with seed.container(horizontal=True, gap="small"):
        st.button("Same seed", on_click=try_it, args=(controls.current(),))
        st.button("New seed", on_click=controls.new_seed)


def picture(shown: Scenario) -> None:
    """The history in the plane with its narrowest shadow."""
    flat = in_plane(shown)
    run = watching.compute("Playing the run", explored, flat)
    points = st.session_state.drawn if st.session_state.drawn is not None else run["own"]
    law = flat.law
    shadow(
        run["own"], points, run["ratios"], radius=flat.radius, outline=law.scale.tolist(), bound=Theory(flat).beta,
        token=st.session_state.get("history_token", 0), key="shadow", on_points_change=edited,
    )  # fmt: skip


def over_time(result: RichResult) -> str:
    """What richness does along the runs, in words."""
    if not result.runs:
        return "No run is complete yet."
    s = result.scenario
    median = figures_history.quantiles(result.beta)[1]
    at_tau, at_end = median[result.rounds.index(min(s.tau, s.horizon) + 1)], median[-1]
    if math.isinf(at_tau):
        start = f"When exploration ends, most histories are still flat: β(H) is infinite with τ = {s.tau}. "
        return start + f"At the end the median is {_number(at_end)}."
    gain = 1 - at_end / at_tau
    late = (
        f"The greedy rounds after that lower it by {gain:.0%}" if gain > 0.005 else "The greedy rounds do not lower it"
    )
    return f"When exploration ends the median β(H) is {at_tau:.3g}. {late}: at the end it is {_number(at_end)}."


def _number(beta: float) -> str:
    return "infinite" if math.isinf(beta) else f"{beta:.3g}"


def trade_off(phase: Explored, results: list, bound: float) -> str:
    """How long to explore, in words."""
    if not phase.runs:
        return "No run is complete yet."
    enough = [n for n, share in zip(phase.lengths, (phase.beta <= bound).mean(0), strict=True) if share >= 0.95]
    probed = [n for n, share in zip(phase.lengths, (phase.lambda_min >= 1).mean(0), strict=True) if share >= 0.95]
    say = [
        f"β(H) is below the bound in 95% of runs from τ = {enough[0]} on." if enough
        else "β(H) is below the bound in fewer than 95% of runs, however long they explore here.",
        f"λmin(V) ≥ 1 takes τ = {probed[0]}." if probed else "λmin(V) ≥ 1 is not reached in 95% of runs here.",
    ]  # fmt: skip
    if all(result.runs > 1 for result in results):
        best = min(results, key=lambda result: result.mean("regret")[-1])
        low, band = best.mean("regret")[-1], best.band("regret")[-1]
        say.append(f"Of the lengths tried, regret at T is lowest with τ = {best.scenario.tau}: {low:.3g} ± {band:.2g}.")
    return " ".join(say)


def draw() -> None:
    """The page."""
    shown = in_page(controls.current())
    rounds = tuple(sorted({*np.unique(np.geomspace(2, shown.horizon + 1, 24).astype(int)).tolist(), shown.tau + 1}))
    lengths = tuple(n for n in LENGTHS if n <= shown.horizon)
    other = replace(shown, flatness=shown.flatness * (FLATTER if shown.flatness * FLATTER > FLATTEST else 1 / FLATTER))
    family = [replace(shown, tau=n, ridge=controls.current().ridge) for n in lengths]
    wanted = [Enrichment(shown, rounds), Exploration(shown, lengths), Exploration(other, lengths), *family]
    watching.look(wanted)  # the workers begin while the controls are being drawn
    if st.session_state.get("history_of") != shown:  # another run has another history
        linked = points_of_link() if "history_of" not in st.session_state else None
        st.session_state.history_of = shown
        put([[shown.radius * n for n in point] for point in linked] if linked else None)
    if "w_C" not in st.session_state:
        st.session_state.w_C = constant_of_link()
    extra = link_of_points(st.session_state.drawn, shown.radius)
    if st.session_state.w_C != 1:
        extra["C"] = f"{st.session_state.w_C:g}"

    st.header("Rich history", anchor=False)
    controls.problems()
    notice = buttons(shown)
    control_row(shown)
    st.markdown(
        f"A history is as rich as its narrowest shadow is wide. **Notice.** {notice}"
        if notice
        else "A history is as rich as its narrowest shadow is wide. Drag an item: the shadow and **β** follow."
    )
    with st.container():  # also if it is empty: the picture keeps its place
        if shown.d > 2:
            st.caption(f"The picture and its numbers stay in the plane (d = 2). The plots below it have d = {shown.d}.")
    picture(shown)
    controls.write_link(extra)
    sight = watching.wait_for_first(wanted)
    result, near, far, *results = sight.results
    st.subheader("How histories become rich", anchor=False)
    watching.progress_row(wanted, sight)
    theory = Theory(shown)
    C = st.session_state.w_C
    prescribed = theory.prescribed_tau(C)
    phases = [("", near, theory.beta), (f", f = {other.flatness:.2g}", far, Theory(other).beta)]
    drawn = {
        "Richness over time": (figures_history.richness_over_time(result, theory.beta), over_time(result)),
        "How long to explore": (
            figures_history.how_long(phases, results, prescribed, max(lengths)),
            trade_off(near, results, theory.beta),
        ),
    }
    for column, (name, (figure, words)) in zip(st.columns(2), drawn.items(), strict=True):
        with column:
            chart(figure, key=f"chart_{name}", alt=words, height=480)
            st.markdown(words)
    with column:
        st.select_slider("Constant C of the prescribed τ", CONSTANTS, key="w_C", persist_state="session", width=260)
    st.caption(
        f"Left: {result.runs} runs with d = {shown.d} and T = {shown.horizon}; the band holds 80% of them. "
        + ("For d above 2, β(H) is the best value a search found, so a lower bound. " if shown.d > 2 else "")
        + f"Right: shares of {near.runs} exploration phases, solid for the item space on screen, dotted for one with "
        f"f = {other.flatness:.2g}, and the regret of whole runs. The paper prescribes "
        f"τ = C r² log(d/δ) / λmin(Σ) = {prescribed} with C = {C:g} and "
        f"δ = {theory.delta:g}. It leaves C open."
    )
    if not sight.running and result.runs:
        with st.expander("Take it along"):
            table = export.richness_csv(result.rounds, figures_history.quantiles(result.beta), shown)
            take_along({"Richness over time (CSV)": ("richness.csv", table)}, drawn, extra)
    watching.draw_again(wanted, sight)


if __name__ == "__main__":
    draw()
