"""Simulation lab: change a control and watch regret, estimation error and critical ratio."""

import numpy as np
import streamlit as st

from pages.components.chart import chart
from pages.components.downloads import take_along
from pages.parts import controls, export, figures, watching
from pages.parts.presets import PRESETS
from roam_core import KNOBS, Result, Scenario
from roam_core.result import CURVES
from roam_core.theory import Theory

OPTIONS = {"log": "Log axes", "guide": "√t guide", "bound": "Bound β"}  # of the plots, by their name in the link


def options_of_link() -> None:
    """The options of the plots that the link asks for; a message for whatever is no good."""
    controls.current()
    for name in OPTIONS:
        said = st.query_params.get(name)
        st.session_state[f"o_{name}"] = said == "1"
        if said not in (None, "1"):
            controls.complain(f"{name} = {controls.shortened(said)} is not 1", "without it")


def options() -> dict[str, str]:
    """What the link must say so that the plots have the options they have now."""
    return {name: "1" for name in OPTIONS if st.session_state[f"o_{name}"]}


def wanted() -> list[Scenario]:
    """What the page shows: the current scenario first, then the pinned and the swept ones."""
    return list(dict.fromkeys([controls.current(), *controls.pins(), *controls.sweep()[1]]))


def again() -> None:
    """Compute the same scenario once more."""
    controls.show(controls.current())
    watching.again([controls.current()])


def words(result: Result, curve: str) -> str:
    """One sentence for those who cannot see the plot."""
    if not result.runs:
        return f"{figures.TITLES[curve]}: no run is complete yet."
    _, mean, band = result.sampled(curve)
    if np.isnan(mean[-1]):
        return f"{figures.TITLES[curve]}: every round is exploration, so there is no value."
    name, horizon = figures.TITLES[curve], result.scenario.horizon
    about = f" ± {band[-1]:.2g}" if result.runs > 1 else ""
    return f"{name} over {horizon} rounds, mean of {result.runs} runs: {mean[-1]:.3g}{about} at the end."


def line_of_figures(result: Result, seconds: float) -> None:
    """The numbers under the plots."""
    ratio = result.ratio[np.isfinite(result.ratio)]
    recycles = result.scenario.algorithm == "roam"
    cells = [
        ("Regret at T", f"{result.mean('regret')[-1]:.1f}", _band(result, "regret")),
        ("Error at T", f"{result.mean('error')[-1]:.3f}", _band(result, "error")),
        ("Mean critical ratio", f"{ratio.mean():.3f}" if ratio.size else "none", "after exploration"),
        ("λmin(V) ≥ 1", f"{np.mean(result.lambda_min >= 1):.0%}", "of runs, after τ rounds"),
        *([("Most-asked item", f"{result.times_asked.max(1).mean():.0f} times", "mean over runs")] if recycles else []),
        *_questions(result),
        ("Runs", f"{result.runs}", f"in {seconds:.1f} s" if seconds else ""),
    ]
    with st.container(horizontal=True, gap="small"):
        for name, value, note in cells:
            st.metric(name, value, note or None, delta_color="off", delta_arrow="off", width=160)


def _questions(result: Result) -> list[tuple[str, str, str]]:
    """How many questions there were and what they cost, where that is not the same for all."""
    s, cells = result.scenario, []
    if s.skip_below:
        cells.append(("Questions", f"{result.questions[:, -1].mean():.0f}", f"of {s.horizon - 1} possible"))
    if s.cost:
        total = result.mean("regret_plus_cost")[-1]
        cells.append(("Regret plus cost", f"{total:.1f}", _band(result, "regret_plus_cost")))
    return cells


def _band(result: Result, curve: str) -> str:
    band = result.band(curve)[-1]
    return "one run: no band" if np.isnan(band) else f"± {band:.2g} (95% band)"


def questions(result: Result) -> None:
    """Which past items were asked about."""
    text = "Each dot is a question of run 1. Dots in the same row are questions about the same item."
    if result.scenario.resolved().tau:
        text += " The low rows are items from the exploration phase, asked about again and again."
    chart(figures.asked(result), key="chart_asked", alt=text, height=420)
    st.caption(text)


def three_plots(shown: list[Result]) -> dict[str, dict]:
    """Regret, error and ratio of the current scenario and the pinned ones; returns the figures."""
    result = shown[0]
    pinned = [r for r in shown[1:] if r.scenario in controls.pins()]
    compared = [r.scenario for r in (result, *pinned)]
    series = [figures.Series(r, controls.label(r.scenario, compared)) for r in (result, *pinned)]
    beta = Theory(result.scenario).beta if st.session_state.o_bound else None
    chosen = {"log": st.session_state.o_log, "guide": st.session_state.o_guide, "beta": beta}
    drawn = {curve: figures.curves(series, curve, **chosen) for curve in CURVES}
    for column, curve in zip(st.columns(3), CURVES, strict=True):
        with column:
            chart(drawn[curve], key=f"chart_{curve}", alt=words(result, curve), height=370 + 30 * len(series))
    of = "One simulated user. " if result.runs == 1 else f"Mean over {result.runs} simulated users. "
    band = "The band holds the true mean with 95% confidence. " if result.runs > 1 else ""
    shade = "Shaded: the exploration phase, which recommends at random." if result.scenario.resolved().tau else ""
    st.caption(of + band + shade)
    return drawn


def swept(shown: list[Result]) -> None:
    """The family of curves of a sweep, and final regret against the field."""
    name, scenarios = controls.sweep()
    by_scenario = {r.scenario: r for r in shown}
    family = [by_scenario[s] for s in scenarios if s in by_scenario and by_scenario[s].runs]
    if without := controls.unswept():
        st.caption(f"Left out, because they do not go with the other controls: {KNOBS[name].symbol} = {without}.")
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
        figure = figures.finals(family, knob, controls.WORDS)
        chart(figure, key="chart_finals", alt=f"Regret at T by {knob.label}: {ends}.", height=440)


def downloads(result: Result, drawn: dict[str, dict]) -> None:
    """Files to take along."""
    script = export.script(result.scenario)
    files = {"Curves (CSV)": ("roam.csv", lambda: export.csv(result)), "Script (Python)": ("roam.py", script)}
    with st.expander("Take it along"):
        plots = {figures.TITLES[curve]: (figure, words(result, curve)) for curve, figure in drawn.items()}
        take_along(files, plots, options())
        st.caption("This script computes the same curves:")
        st.code(script, language="python")


def draw() -> None:
    """The page."""
    if "o_log" not in st.session_state:
        options_of_link()
    watching.look(wanted())  # the workers begin while the controls are being drawn
    st.header("Simulation lab", anchor=False)
    controls.problems()
    with st.container(horizontal=True, gap="small", key="scroll_presets"):
        notice = controls.things_to_try(PRESETS, lambda scenario: scenario == controls.current(), controls.show)
    controls.main_row()
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="scroll_actions"):
        controls.more()
        st.button("Same seed again", on_click=again)
        st.button("New seed", on_click=controls.new_seed)
        st.button("Pin this curve", on_click=controls.pin, disabled=controls.current() in controls.pins())
        for name, label in OPTIONS.items():
            st.checkbox(label, key=f"o_{name}", persist_state="session")
        controls.also_set()
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="scroll_pins"):
        if controls.pins():
            for pinned in controls.pins():
                what = controls.label(pinned, [controls.current(), *controls.pins()])
                key = f"unpin {controls.short(pinned)}"
                st.button(f"Unpin {what}", key=key, on_click=controls.unpin, args=(pinned,))
            st.button("Unpin all", on_click=controls.unpin_all)
    controls.write_link(options())
    sight = watching.wait_for_first(wanted())
    watching.progress_row(wanted(), sight, main=1)
    # Until the first runs are there, the last curves stay: an empty plot would flicker.
    if sight.results[0].runs:
        st.session_state.shown, drawn = wanted(), sight.results
    else:
        drawn = watching.recall(st.session_state.get("shown", wanted()))
    plots = three_plots(drawn)
    if notice:
        st.info(f"**Notice.** {notice}")
    if drawn[0].runs:
        line_of_figures(drawn[0], sight.seconds)
    if drawn[0].scenario.algorithm == "roam":
        questions(drawn[0])
    if not sight.running and drawn[0].runs:
        downloads(drawn[0], plots)
    controls.sweep_row()
    if controls.sweep()[0]:
        swept(sight.results)
    watching.draw_again(wanted(), sight)


if __name__ == "__main__":
    draw()
