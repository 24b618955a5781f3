"""Simulation lab: change a control and watch regret, estimation error and critical ratio."""

import os
import uuid

import numpy as np
import streamlit as st

from pages.parts import controls, export, figures
from pages.parts.chart import chart
from pages.parts.live import Board
from roam_core import KNOBS, Result
from roam_core.result import CURVES

LOOK = 0.25  # seconds between two looks at a running simulation


@st.cache_resource(show_spinner=False)
def board() -> Board:
    """The one pool of the server."""
    return Board(os.cpu_count() or 1)


def results() -> tuple[list[Result], list[str], bool, float]:
    """The Results on screen (the current one first), failures, whether more is to come, and the seconds it took."""
    wanted = list(dict.fromkeys([controls.current(), *controls.pins(), *controls.sweep()[1]]))
    frozen = st.session_state.get("frozen")
    if frozen:
        board().look(visitor, [])
        return frozen, [], False, 0.0
    jobs = board().look(visitor, wanted)
    return (
        [j.result for j in jobs],
        [j.failure for j in jobs if j.failure],
        not all(j.complete for j in jobs),
        jobs[0].seconds,
    )


def stop() -> None:
    """Keep what is there."""
    st.session_state.frozen = results()[0]


def again() -> None:
    """Compute the same scenario once more."""
    controls.show(controls.current())
    board().forget(controls.current())


def words(result: Result, curve: str) -> str:
    """One sentence for those who cannot see the plot."""
    if not result.runs:
        return f"{figures.TITLES[curve]}: no run is complete yet."
    _, mean, band = figures.sampled(result, curve)
    if np.isnan(mean[-1]):
        return f"{figures.TITLES[curve]}: every round is exploration, so there is no value."
    name, horizon = figures.TITLES[curve], result.scenario.horizon
    return f"{name} over {horizon} rounds, mean of {result.runs} runs: {mean[-1]:.3g} ± {band[-1]:.2g} at the end."


def line_of_figures(result: Result, seconds: float) -> None:
    """The numbers under the plots."""
    ratio = result.ratio[np.isfinite(result.ratio)]
    cells = [
        ("Regret at T", f"{result.mean('regret')[-1]:.1f}", _band(result, "regret")),
        ("Error at T", f"{result.mean('error')[-1]:.3f}", _band(result, "error")),
        ("Mean critical ratio", f"{ratio.mean():.3f}" if ratio.size else "none", "after exploration"),
        ("Runs with λmin(V) ≥ 1", f"{np.mean(result.lambda_min >= 1):.0%}", "after exploration"),
        ("Questions about one item", f"{result.times_asked.max(1).mean():.0f}", "most asked, mean over runs"),
        ("Runs", f"{result.runs}", f"in {seconds:.1f} s" if seconds else ""),
    ]
    with st.container(horizontal=True, gap="medium"):
        for name, value, note in cells:
            st.metric(name, value, note or None, delta_color="off", delta_arrow="off", width=165)


def _band(result: Result, curve: str) -> str:
    band = result.band(curve)[-1]
    return "one run: no band" if np.isnan(band) else f"± {band:.2g} (95% band)"


def view() -> None:
    """Everything that changes while a simulation runs."""
    shown, failures, running, seconds = results()
    if not running and was_running:
        st.rerun()
    result = shown[0]
    left, right = st.columns([6, 1], vertical_alignment="center")
    with left:
        others = board().ahead(visitor) if running else 0
        wait = f" {others} others are computing too." if others else ""
        done = "Stopped: " if st.session_state.get("frozen") else ""
        st.progress(min(result.progress, 1.0), text=f"{done}{result.runs} of {result.scenario.runs} runs.{wait}")
    with right:
        st.button("Stop", on_click=stop, disabled=not running, width="stretch")
    for failure in failures:
        st.error(f"This simulation failed. {controls._literal(failure)}")

    compared = [controls.current(), *(pin for pin in controls.pins() if pin != controls.current())]
    by_scenario = {r.scenario: r for r in shown}
    series = [figures.Series(by_scenario[s], controls.label(s, compared)) for s in compared if s in by_scenario]
    beta = (
        8 * result.scenario.radius / np.sqrt(result.scenario.law.lambda_min) if st.session_state.get("o_beta") else None
    )
    options = {
        "log": st.session_state.get("o_log", False),
        "guide": st.session_state.get("o_guide", False),
        "beta": beta,
    }
    drawn = {curve: figures.curves(series, curve, **options) for curve in CURVES}
    for column, curve in zip(st.columns(3), CURVES, strict=True):
        with column:
            chart(drawn[curve], key=f"chart_{curve}", alt=words(result, curve), height=400)
    st.caption(
        f"Mean over {result.runs} simulated users; the band holds the true mean with 95% confidence. "
        "Shaded: the exploration phase, which recommends at random."
    )
    if controls.notice():
        st.info(f"**Notice.** {controls.notice()}")
    if result.runs:
        line_of_figures(result, seconds)
    if result.scenario.algorithm == "roam":
        text = (
            "Each dot is a question of run 1. Dots in the low rows are items from the exploration phase, asked about "
            "again and again."
        )
        chart(figures.asked(result), key="chart_asked", alt=text, height=420)
        st.caption(text)
    if not running and result.runs:
        downloads(result, drawn)


def swept() -> None:
    """The family of curves of a sweep, and final regret against the field."""
    name, scenarios = controls.sweep()
    by_scenario = {r.scenario: r for r in results()[0]}
    family = [by_scenario[s] for s in scenarios if s in by_scenario and by_scenario[s].runs]
    if not family:
        return
    series = [figures.Series(r, controls.label(r.scenario, scenarios)) for r in family]
    knob = KNOBS[name]
    left, right = st.columns(2)
    with left:
        alt = f"Cumulative regret for {len(family)} values of the {knob.label}."
        chart(figures.curves(series, "regret"), key="chart_family", alt=alt, height=440)
    with right:
        ends = ", ".join(f"{r.mean('regret')[-1]:.3g}" for r in family)
        chart(figures.finals(family, knob), key="chart_finals", alt=f"Regret at T by {knob.label}: {ends}.", height=440)


def downloads(result: Result, drawn: dict) -> None:
    """Files to take along."""
    with st.expander("Take it along"):
        with st.container(horizontal=True):
            st.download_button("Curves (CSV)", export.csv(result), "roam.csv", "text/csv")
            st.download_button("Script (Python)", export.script(result.scenario), "roam.py", "text/x-python")
            for curve, figure in drawn.items():
                name = figures.TITLES[curve]
                st.download_button(
                    f"{name} (HTML)",
                    lambda figure=figure, name=name, curve=curve: export.page(figure, name, words(result, curve)),
                    f"{curve}.html",
                    "text/html",
                )
        st.caption("Each plot's own toolbar saves it as SVG. The address of this page is a link to exactly this view.")
        st.code(export.script(result.scenario), language="python")


visitor = st.session_state.setdefault("visitor", uuid.uuid4().hex)
st.header("Simulation lab", anchor=False)
controls.problems()
controls.preset_buttons()
controls.main_row()
with st.container(horizontal=True, gap="small", vertical_alignment="center"):
    controls.more()
    st.button("Same seed again", on_click=again)
    st.button("New seed", on_click=controls.new_seed)
    st.button("Pin this curve", on_click=controls.pin, disabled=controls.current() in controls.pins())
    st.checkbox("Log axes", key="o_log")
    st.checkbox("√t guide", key="o_guide")
    st.checkbox("Bound β", key="o_beta")
if controls.pins():
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        for pinned in controls.pins():
            what = controls.label(pinned, [controls.current(), *controls.pins()])
            st.button(f"Unpin {what}", key=f"unpin {controls.short(pinned)}", on_click=controls.unpin, args=(pinned,))
        st.button("Unpin all", on_click=controls.unpin_all)
was_running = results()[2]
look = LOOK if was_running else None
st.fragment(view, run_every=look)()
controls.sweep_row()
if controls.sweep()[0]:
    st.fragment(swept, run_every=look)()
controls.write_link()
