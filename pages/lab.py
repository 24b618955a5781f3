"""Simulation lab: change a control and watch regret, estimation error and critical ratio."""

import time
import uuid

import numpy as np
import streamlit as st

from pages.parts import controls, export, figures
from pages.parts.chart import chart
from pages.parts.live import board
from roam_core import KNOBS, Result
from roam_core.result import CURVES

REDRAW = 0.4  # seconds between two drawings at least, once there is a first curve
LOOK = 0.05  # seconds between two looks at a running simulation


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
    recycles = result.scenario.algorithm == "roam"
    cells = [
        ("Regret at T", f"{result.mean('regret')[-1]:.1f}", _band(result, "regret")),
        ("Error at T", f"{result.mean('error')[-1]:.3f}", _band(result, "error")),
        ("Mean critical ratio", f"{ratio.mean():.3f}" if ratio.size else "none", "after exploration"),
        ("λmin(V) ≥ 1", f"{np.mean(result.lambda_min >= 1):.0%}", "of runs, after exploring"),
        *([("Most-asked item", f"{result.times_asked.max(1).mean():.0f} times", "mean over runs")] if recycles else []),
        ("Runs", f"{result.runs}", f"in {seconds:.1f} s" if seconds else ""),
    ]
    with st.container(horizontal=True, gap="small"):
        for name, value, note in cells:
            st.metric(name, value, note or None, delta_color="off", delta_arrow="off", width=160)


def _band(result: Result, curve: str) -> str:
    band = result.band(curve)[-1]
    return "one run: no band" if np.isnan(band) else f"± {band:.2g} (95% band)"


def progress_row(result: Result, running: bool) -> None:
    """How many runs are there, and a way to stop."""
    left, right = st.columns([6, 1], vertical_alignment="center")
    with left:
        others = board().ahead(visitor) if running else 0
        wait = f" {others} others are computing too." if others else ""
        done = "Stopped: " if st.session_state.get("frozen") else ""
        st.progress(min(result.progress, 1.0), text=f"{done}{result.runs} of {result.scenario.runs} runs.{wait}")
    with right:
        st.button("Stop", on_click=stop, disabled=not running, width="stretch")


def wait_for_more(shown: list[Result]) -> None:
    """Wait until there are more complete runs to draw; nothing goes to the browser meanwhile."""
    earliest = time.monotonic() + (REDRAW if shown[0].runs else 0)
    while True:
        now, _, still_running, _ = results()
        new = [r.runs for r in now] != [r.runs for r in shown]
        if not still_running or (new and time.monotonic() >= earliest):
            return
        time.sleep(LOOK)
        # Reading the session lets Streamlit end this script here when a control has been moved or the visitor has gone.
        _ = st.session_state.visitor


def questions(result: Result) -> None:
    """Which past items were asked about."""
    text = (
        "Each dot is a question of run 1. Dots in the low rows are items from the exploration phase, asked about "
        "again and again."
    )
    chart(figures.asked(result), key="chart_asked", alt=text, height=420)
    st.caption(text)


def three_plots(shown: list[Result]) -> dict[str, dict]:
    """Regret, error and ratio of the current scenario and the pinned ones; returns the figures."""
    result = shown[0]
    pinned = [r for r in shown[1:] if r.scenario in controls.pins()]
    compared = [r.scenario for r in (result, *pinned)]
    series = [figures.Series(r, controls.label(r.scenario, compared)) for r in (result, *pinned)]
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
    return drawn


def swept(shown: list[Result]) -> None:
    """The family of curves of a sweep, and final regret against the field."""
    name, scenarios = controls.sweep()
    by_scenario = {r.scenario: r for r in shown}
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
        st.caption("Each plot's own toolbar saves it as SVG or PNG. This link shows exactly this view, seed included:")
        st.code(f"{st.context.url}?{controls.link()}", language=None)
        st.caption("This script computes the same curves:")
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
shown, failures, running, seconds = results()
progress_row(shown[0], running)
for failure in failures:
    st.error(f"This simulation failed. {controls.literal(failure)}")
# Until the first runs are there, the last curves stay: an empty plot would flicker.
if shown[0].runs:
    st.session_state.shown = shown
drawn = st.session_state.get("shown", shown)
plots = three_plots(drawn)
if controls.notice():
    st.info(f"**Notice.** {controls.notice()}")
if drawn[0].runs:
    line_of_figures(drawn[0], seconds)
if drawn[0].scenario.algorithm == "roam":
    questions(drawn[0])
if not running and drawn[0].runs:
    downloads(drawn[0], plots)
controls.sweep_row()
if controls.sweep()[0]:
    swept(shown)
controls.write_link()
if running:
    wait_for_more(shown)
    st.rerun()
