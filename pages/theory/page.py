"""Theory, measured: the theorem with its numbers filled in, the proof along a run, and regret against the bound."""

import math
from dataclasses import replace

import numpy as np
import streamlit as st

from pages.board.works import Errand
from pages.components.chart import chart
from pages.components.downloads import take_along
from pages.parts import controls, watching
from pages.parts import figures_theory as figures
from pages.parts.chain import Proof, csv, findings, prove, spoken, typeset, verdict
from pages.parts.presets import THINGS_TO_TRY_WITH_THEORY
from roam_core import Result, Scenario
from roam_core.links import LINKS
from roam_core.theory import DELTA, Theory

READ = (
    "A theorem bounds ROAM's regret. Here are its numbers, the steps that make it loose, and the regret one measures."
)
DELTAS = (0.001, 0.5)
DIMENSIONS = (2, 4, 6, 8, 10)
# Controls stay in sight while one scrolls, where there is room for them.
STICKY = """<style>
@media (min-width: 641px) and (min-height: 760px) {
  [data-testid="stLayoutWrapper"]:has(> .st-key-main_row) {
    position: sticky; top: 3.6rem; z-index: 90; padding: 0.3rem 0; background: light-dark(#FFFFFF, #10151C);
  }
}
</style>"""


def delta_of_link() -> float:
    """The δ that the link asks for; a message if it is no good."""
    text = st.query_params.get("delta", str(DELTA))[: controls.LONGEST]
    low, high = DELTAS
    try:
        asked = float(text)
    except ValueError:
        asked = math.nan
    if low <= asked <= high:
        return asked
    used = DELTA if math.isnan(asked) else min(max(asked, low), high)
    controls.complain(f"delta = {controls.shortened(text)} is not a number from {low} to {high}", used)
    return used


def set_delta() -> None:
    """Take over the value of the widget."""
    st.session_state.delta = st.session_state.w_delta


def try_it(scenario: Scenario) -> None:
    """Set the controls for one of the things to try."""
    controls.show(scenario)
    st.session_state.delta = DELTA


def again(scenario: Scenario) -> None:
    """Play everything once more."""
    watching.again([scenario, *family_of(scenario), Errand(prove, (scenario, st.session_state.delta))])


def control_rows(shown: Scenario, delta: float) -> None:
    """The knobs of the theorem in two rows, the others in a popover."""
    widgets = {
        **{name: lambda name=name: controls.widget(name, shown) for name in controls.MAIN},
        "radius": lambda: controls.widget("radius", shown, (0.1, 0.2, 0.3, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0)),
        "flatness": lambda: controls.widget("flatness", shown, (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0)),
        "horizon": lambda: controls.widget("horizon", shown, (100, 200, 300, 500, 1000, 2000, 3000, 5000)),
        "delta": lambda: delta_slider(delta),
    }
    with st.container(key="main_row"):
        for row in (list(widgets)[:4], list(widgets)[4:]):
            for column, name in zip(st.columns(4), row, strict=True):
                with column:
                    widgets[name]()
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="scroll_actions"):
        with st.popover("More controls", width="content"):
            automatic = replace(controls.current(), tau=None)
            st.button("Set τ to 10 d", on_click=controls.show, args=(automatic,), disabled=automatic == shown)
            for row in (("items", "ask"), ("window", "runs"), ("ridge", "seed")):
                for column, name in zip(st.columns(2), row, strict=True):
                    with column:
                        controls.widget(name, shown)
        st.button("Same seed again", on_click=again, args=(shown,))
        st.button("New seed", on_click=controls.new_seed)
    if controls.current() != shown:
        st.caption("The theorem is about ROAM, so ROAM is played here.")


def delta_slider(delta: float) -> None:
    """The widget for δ, which only this page has."""
    st.session_state.w_delta = delta
    steps = sorted({0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, delta})
    about = "The proof may fail with a probability of up to 3 δ. The paper names no value."
    st.select_slider("Chance of failure (δ)", steps, key="w_delta", help=about, on_change=set_delta)


def statement(theory: Theory) -> None:
    """Theorem 1 with the numbers under the symbols."""
    s = theory.scenario.resolved()
    T, tau, d, delta = s.horizon, s.tau, s.d, theory.delta
    alpha, bound = float(theory.alpha(T)), float(theory.bound(T))
    explore = 2 * s.radius * tau
    root = math.sqrt(2 * d * T * _logarithm(4 * s.radius**2 * tau + T, d))
    st.subheader("The theorem, with these numbers", anchor=False)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(
            f"Explore for ${{\\tau = {tau}}}$ rounds. Then, with probability at least "
            f"${{1 - 3\\delta = {1 - 3 * delta:.3g}}}$, regret after ${{T = {T}}}$ rounds is at most¹"
        )
        st.latex(
            rf"\begin{{aligned}} R_T &\le \underbrace{{2r\tau}}_{{{typeset(explore)}}}"
            rf" + \underbrace{{\alpha_T}}_{{{typeset(alpha)}}}\,\underbrace{{\beta}}_{{{typeset(theory.beta)}}}\,"
            rf"\underbrace{{\sqrt{{2dT\,\log\tfrac{{4r^2\tau+T}}{{d}}}}}}_{{{typeset(root)}}}"
            rf"\\ &= {typeset(bound)} \end{{aligned}}"
        )
        st.markdown(verdict(theory))
    with right:
        C = tau * theory.lambda_min / (s.radius**2 * math.log(d / delta))
        root_of_logs = r"\tfrac{1}{\kappa}\sqrt{\tfrac d2\log(1+\tfrac{2T}{d})+\log\tfrac1\delta}"
        lines = (
            (r"\kappa", theory.kappa, r"smallest slope of the link, $F'(4r)$"),
            (r"\lambda_{\min}(\Sigma)", theory.lambda_min, "spread of the items, in the direction where it is least"),
            (r"\alpha_T", alpha, f"how far off the estimate may be, ${{{root_of_logs}}}$"),
            (r"\beta", theory.beta, r"how poor the history may be, ${8r/\sqrt{\lambda_{\min}(\Sigma)}}$"),
            ("C", C, r"how long it explores, ${\tau\,\lambda_{\min}(\Sigma) / (r^2 \log\tfrac d\delta)}$"),
        )
        st.markdown("\n".join(f"- ${{{symbol} = {typeset(value)}}}$: {text}" for symbol, value, text in lines))
        st.caption(
            "The theorem wants C to be large enough, but gives no number. "
            f"C = 1 would mean τ = {theory.prescribed_tau(1.0):,}."
        )
    ratio = _logarithm(4 * s.radius**2 * (tau + T), d) / _logarithm(4 * s.radius**2 * tau + T, d)
    st.caption(
        "¹ The paper states its lemma behind the square root for |x* − x|. It is used, and true, for |x − y|. "
        "We think its 4r²τ + T should be 4r²(τ + T), because later probes have length up to 2r too. "
        f"That would multiply the root by {math.sqrt(ratio):.2f}."
    )


def _logarithm(above: float, below: float) -> float:
    return math.log(max(above / below, math.e))


def chain_pictures(proof: Proof, horizon: int) -> dict[str, tuple[str, dict, str]]:
    """The chain on a run and the slack of its steps; returns the figures by file name, with title and text."""
    said = [text.replace("**", "") for text in findings(proof)]
    st.subheader("The proof, followed along one run", anchor=False)
    part = "" if proof.scenario.horizon == horizon else f" Only its first {proof.scenario.horizon:,} rounds are played."
    st.markdown(
        "The proof bounds the regret of a round in four steps. Each term is at most the next one: where the "
        f"proof holds, the lines do not cross. The gap between two lines is what a step gives away.{part}"
    )
    drawn = {
        "chain": ("The five terms of the proof", figures.terms(proof), "Five terms over the rounds. " + " ".join(said)),
        "slack": ("What each step gives away", figures.slacks(proof), slack_words(proof)),
    }
    left, right = st.columns([3, 2], gap="medium")
    for column, (name, (_, figure, alt)) in zip((left, right), drawn.items(), strict=True):
        with column:
            chart(figure, key=f"chart_{name}", alt=alt, height=500)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        for text in findings(proof):
            st.markdown(text)
    with right:
        st.latex(
            r"""\begin{aligned} r_t &\overset{(i)}{\le} \langle x^*_t - x_t,\ \theta^* - \hat\theta_t\rangle \\
            &\overset{(ii)}{\le} \lVert\theta^* - \hat\theta_t\rVert_{V_t}\, \lVert x^*_t - x_t\rVert_{V_t^{-1}} \\
            &\overset{(iii)}{\le} \alpha_t\, \lVert x^*_t - x_t\rVert_{V_t^{-1}} \\
            &\overset{(iv)}{\le} \alpha_t\,\beta\, \lVert x_t - y_t\rVert_{V_t^{-1}} \end{aligned}"""
        )
        st.markdown(
            "(i) $x_t$ is the best item along the estimate. (ii) The Cauchy–Schwarz inequality. (iii) The estimate is "
            "close to the taste. (iv) The history is rich: it holds an item that differs from $x_t$ where it matters.²"
        )
    st.caption(
        "A dot is a round, a line the geometric mean of neighbouring rounds; a bar is the geometric mean of "
        "right side / left side. Our $V_t$ has the ridge in it, the paper's has none. "
        "² Two slips in the paper's proof of (iv): the difference $z$ of two items has length up to $2r$, not $r$, "
        r"and $w = \Sigma^{-1/2}z$ up to ${2r/\sqrt{\lambda_{\min}(\Sigma)}}$. Both change a constant only."
    )
    return drawn


def slack_words(proof: Proof) -> str:
    """The bars for those who cannot see them."""
    if proof.loosest is None:
        return "No step has a slack."
    steps = zip(figures.STEP_NAMES, proof.slack, strict=True)
    return "Mean factor that each step gives away: " + ", ".join(f"{name} {spoken(f)}" for name, f in steps) + "."


def measured(result: Result, theory: Theory) -> str:
    """How far the measured regret is below the bound."""
    if not result.runs:
        return "No run is complete yet."
    mean, band = result.mean("regret")[-1], result.band("regret")[-1]
    about = "" if np.isnan(band) else f" ± {spoken(band, 2)}"
    factor = float(theory.bound(theory.scenario.horizon)) / mean if mean > 0 else math.inf
    said = f"Regret at T is {spoken(mean)}{about}, the mean of {result.runs} runs; "
    said += f"the bound is {spoken(factor)} times as large. " if np.isfinite(factor) else "the bound is infinite. "
    steady = np.mean(result.lambda_min >= 1)
    return (
        said + f"After exploration V has all eigenvalues at least 1, as the proof needs, in {steady:.0%} of the runs."
    )


def family_of(shown: Scenario) -> list[Scenario]:
    """The scenario on screen with several d; without those that would be too much work."""
    found = []
    for d in DIMENSIONS:
        try:
            found.append(replace(shown, d=d))
        except ValueError:
            continue
    return found


def growth_in_t(result: Result, theory: Theory) -> tuple[str, dict, str]:
    """Regret against the bound over the rounds; returns title, figure and text."""
    s = theory.scenario.resolved()
    fit, since, ceiling = figures.fits_in_t(result, theory)
    figure = figures.growth_in_t(result, theory, fit)
    said = f"Slope of regret: {fit}. Slope of the bound: {ceiling}. "
    if s.tau:
        said += f"Without what exploration cost, R(t) − R(τ) over t − τ, the slope of regret is {since}. "
    said += figures.learning(since)
    chart(figure, key="chart_in_t", alt=said, height=480)
    st.markdown(f"**In T.** {said}")
    st.caption(
        f"Fitted to rounds {min(s.tau + 1, s.horizon):,} to {s.horizon:,}: for each run a least-squares line through "
        "log R(t) at rounds that are evenly spread in log t. The slope is the mean over the runs, ± two standard "
        "errors from the spread between runs."
    )
    return "Regret and bound in T", figure, said


def growth_in_d(family: list[Result], theory: Theory) -> tuple[str, dict, str]:
    """Regret at T against the bound for several d; returns title, figure and text."""
    theories = [replace(theory, scenario=result.scenario) for result in family]
    fit, ceiling = figures.fits_in_d(family, theories)
    figure = figures.growth_in_d(family, theories, fit)
    said = f"Slope of regret at T: {fit}. Slope of the bound: {ceiling}. "
    said += (
        "τ = 10 d grows along." if theory.scenario.tau is None else f"τ = {theory.scenario.tau} is the same for all."
    )
    if left_out := [d for d in DIMENSIONS if d not in [result.scenario.d for result in family]]:
        said += f" Too much work, and left out: d = {', '.join(map(str, left_out))}."
    chart(figure, key="chart_in_d", alt=said, height=480)
    st.markdown(f"**In d.** {said}")
    st.caption(
        f"A least-squares line through log R(T), each d weighted by how well its mean is known, once it has "
        f"{figures.FEW} runs. ± two standard errors, which follow from those of the means. They do not count that the "
        "points may lie on a curve."
    )
    return "Regret and bound in d", figure, said


def draw() -> None:
    """The page."""
    shown = replace(controls.current(), algorithm="roam")
    if "delta" not in st.session_state:
        st.session_state.delta = delta_of_link()
    delta = st.session_state.delta
    theory, family = Theory(shown, delta), family_of(shown)
    wanted = list(dict.fromkeys([shown, *family]))
    # One worker begins on a new scenario. The rest waits, so that another worker is free for the chain.
    watching.look(wanted if st.session_state.get("proved") == shown else [shown])
    extra = {"delta": f"{delta:g}"} if delta != DELTA else {}
    controls.write_link(extra)

    st.html(STICKY)
    st.header("Theory, measured", anchor=False)
    controls.problems()
    with st.container(horizontal=True, gap="small", key="scroll_try"):
        notice = controls.things_to_try(
            THINGS_TO_TRY_WITH_THEORY, lambda scenario: scenario == controls.current() and delta == DELTA, try_it
        )
    top = st.container()
    control_rows(shown, delta)
    statement(theory)
    proof = watching.compute("Following the proof along a run", prove, shown, delta)
    st.session_state.proved = shown
    numbers = {name: spoken(slack) for name, slack in zip(("i", "ii", "iii", "iv"), proof.slack, strict=True)}
    numbers |= {"kappa": spoken(theory.kappa), "steepest": spoken(float(LINKS[shown.link].slope(np.float64(0))))}
    numbers |= {"beta": spoken(theory.beta), "failing": f"{1 - proof.chain.holds[3]:.1%}"}
    top.markdown(f"**Notice.** {notice.format(**numbers)}" if notice else READ)
    drawn = chain_pictures(proof, shown.horizon)
    sight = watching.wait_for_first(wanted)
    found = {result.scenario: result for result in sight.results}
    st.subheader("Regret, measured, against the bound", anchor=False)
    st.markdown(measured(found[shown], theory))
    watching.progress_row(wanted, sight)
    left, right = st.columns(2, gap="medium")
    with left:
        drawn["regret-in-t"] = growth_in_t(found[shown], theory)
    with right:
        drawn["regret-in-d"] = growth_in_d([found[s] for s in family], theory)
    with st.expander("Take it along"):
        files = {"Chain (CSV)": ("chain.csv", lambda: "\n".join(csv(proof, delta)) + "\n")}
        take_along(files, {title: (figure, said) for title, figure, said in drawn.values()}, extra)
    watching.draw_again(wanted, sight)


if __name__ == "__main__":
    draw()
