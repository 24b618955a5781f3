"""Theory, measured: the theorem with its numbers filled in, the proof along a run, and regret against the bound."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from pages import watching
from pages.board.works import Errand
from pages.components.chart import chart
from pages.page import Page, progress_row, say_progress
from pages.parameters import Flag, Kept, Number
from pages.presets import things_to_try
from pages.reveal import hidden, say_notice, say_verdict
from pages.scenario_controls import FLATNESSES, RADII, current, in_pairs, new_seed, show, widget
from pages.take_along import Drawn, take_along
from pages.theory import figures, fits, reading
from pages.theory.presets import PRESETS
from pages.theory.proof import Proof, csv, prove
from pages.theory.words import (
    both_bounds,
    findings,
    formula_says,
    gap,
    how_counted,
    learning,
    measured,
    promise,
    slack_words,
    verdict,
)
from pages.watching import Sight
from pages.words import spoken, typeset
from roam_core import Result, Scenario
from roam_core.links import LINKS
from roam_core.theory import DELTA, Theory

READ = (
    "The proof goes in four steps from a round's regret to its bound. The gap between two lines is what a step loses."
)
CHANCE = Number("theory.delta", DELTA, low=0.001, high=0.5)  # δ
CHANCES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5)
OWN = Flag("theory.own")  # the history's own ρ(H) in step (iv), not β
PROVED = Kept("theory.proved")  # the scenario whose proof was followed last
BESIDE = Kept("theory.beside")  # places among the controls for what follows the runs: regret, promise, lemma
DIMENSIONS = (2, 4, 6, 8, 10)
HORIZONS = (100, 200, 300, 500, 1000, 2000, 3000, 5000)
STEPS = {"radius": (*RADII, 1.5), "flatness": (0.01, *FLATNESSES), "horizon": HORIZONS}  # of the sliders
# Controls stay in sight while one scrolls, where a row of them is a tenth of the screen; what one turns to stops below.
STICKY = """<style>
.st-key-theory_picture { --picture: max(320px, 52vh); }
.st-key-main_row { margin-bottom: -0.5rem; }  /* the sliders' own space below */
@media (min-width: 1000px) and (min-height: 700px) {
  [data-testid="stLayoutWrapper"]:has(> .st-key-main_row) {
    position: sticky; top: 3.6rem; z-index: 90; background: light-dark(#FFFFFF, #10151C);
    padding-bottom: 0.4rem; border-bottom: 1px solid light-dark(#E3E7EC, #2A323D);
  }
  [data-testid="stMain"] { scroll-padding-top: 8.3rem; }
}
</style>"""


def shown() -> Scenario:
    """The scenario as this page plays it: the theorem is about ROAM."""
    return replace(current(), algorithm="roam")


def theory() -> Theory:
    """What the theorem says about it."""
    return Theory(shown(), CHANCE.value)


def family() -> list[Scenario]:
    """The scenario on screen with several d; without those that cannot be."""
    found = []
    for d in DIMENSIONS:
        try:
            found.append(replace(shown(), d=d))
        except ValueError:
            continue
    return found


def wants() -> list[Scenario]:
    """The scenario on screen, then those with another d."""
    # One worker begins on a new scenario. The rest waits, so that another worker is free for the chain.
    return list(dict.fromkeys([shown(), *family()])) if PROVED.value == shown() else [shown()]


def try_it(scenario: Scenario) -> None:
    """Set the controls for one of the things to try."""
    show(scenario)
    CHANCE.set(DELTA)
    OWN.set(False)


def on_screen(scenario: Scenario) -> bool:
    """Whether one of the things to try is what the controls show."""
    return scenario == current() and CHANCE.value == DELTA and not OWN.value


def errand() -> Errand:
    """To follow the proof along run 1."""
    return Errand(prove, (shown(), CHANCE.value, OWN.value))


def again() -> None:
    """Play everything once more."""
    watching.again([shown(), *family(), errand()])


def controls() -> None:
    """Things to try, the controls, the proof along a run, and the theorem."""
    st.html(STICKY)
    notice = actions()
    control_row()
    runs_say = at_a_glance(theory())
    said, picture = st.container(), st.container()
    beside_theorem = statement(theory())  # it is read while the proof is being followed
    with picture:
        proof = proof_of_run()
        chain_pictures(proof)
        chain_words(proof)
    PROVED.set(shown())
    with said:
        say_notice(notice.format(**numbers_of(proof)))
        if hidden() or not notice:
            st.markdown(READ)
    BESIDE.set((runs_say, *beside_theorem))


def proof_of_run() -> Proof:
    """The proof along run 1."""
    work = errand()
    return watching.compute("Following the proof along a run", work.function, *work.arguments)


def numbers_of(proof: Proof) -> dict[str, str]:
    """The numbers that the things to try speak of."""
    now = theory()
    steepest = float(LINKS[now.scenario.link].slope(np.float64(0)))
    return {
        **{name: spoken(slack) for name, slack in zip(("i", "ii", "iii", "iv"), proof.slack, strict=True)},
        "kappa": spoken(now.kappa),
        "steepest": spoken(steepest),
        "beta": spoken(now.beta),
        "failing": f"{1 - proof.chain.holds[3]:.1%}",
    }


def actions() -> str:
    """Things to try, the controls that are not in the row, and other runs of the same; returns what to notice."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="scroll_actions"):
        notice = things_to_try(PRESETS, on_screen, try_it)
        with st.popover("More controls", width="content"):
            automatic = replace(current(), tau=None)
            st.button("Set τ to 10 d", on_click=show, args=(automatic,), disabled=automatic == shown())
            in_pairs(
                ("k", "link", "items", "ask", "window", "skip_below", "user_link", "runs", "ridge", "seed"), shown()
            )
        st.button("Same seed again", on_click=again)
        st.button("New seed", on_click=new_seed)
    if current() != shown():
        st.caption("The theorem is about ROAM, so ROAM is played here.")
    return notice


def control_row() -> None:
    """The knobs that the theorem's numbers depend on most, in one row."""
    names = ("d", "tau", *STEPS, "delta")
    with st.container(key="main_row"):
        for column, name in zip(st.columns(len(names)), names, strict=True):
            with column:
                if name == "delta":
                    chance_slider()
                else:
                    widget(name, shown(), STEPS.get(name))


def chance_slider() -> None:
    """The widget for δ, which only this page has."""
    about = "The proof may fail with a probability of up to 3 δ. The paper names no value."
    CHANCE.widget(st.select_slider, "Chance of failure (δ)", sorted({*CHANCES, CHANCE.value}), help=about)


def at_a_glance(theory: Theory) -> Any:
    """What the theorem's formula gives; returns the place beside it for what the runs say."""
    with st.container(horizontal=True, gap="small", key="glance"):
        st.markdown(formula_says(theory), width="content")
        return st.container(width="content")


def statement(theory: Theory) -> tuple:
    """Theorem 1 with the numbers under the symbols; returns places for its promise and the lemma behind the root."""
    s = theory.scenario.resolved()
    T, tau, d = s.horizon, s.tau, s.d
    alpha, bound = float(theory.alpha(T)), float(theory.bound(T))
    explore = 2 * s.radius * tau
    root = math.sqrt(2 * d * T * _logarithm(4 * s.radius**2 * tau + T, d))
    st.subheader("The theorem, with these numbers", anchor=False)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(
            f"The theorem's bound on the regret of ${{T = {T}}}$ rounds, of which ${{\\tau = {tau}}}$ explore, is¹"
        )
        st.latex(
            rf"\begin{{aligned}} R_T &\le \underbrace{{2r\tau}}_{{{typeset(explore)}}}"
            rf" + \underbrace{{\alpha_T}}_{{{typeset(alpha)}}}\,\underbrace{{\beta}}_{{{typeset(theory.beta)}}}\,"
            rf"\underbrace{{\sqrt{{2dT\,\log\tfrac{{4r^2\tau+T}}{{d}}}}}}_{{{typeset(root)}}}"
            rf"\\ &= {typeset(bound)} \end{{aligned}}"
        )
        kept_promise = st.container()
    with right:
        root_of_logs = r"\tfrac{1}{\kappa}\sqrt{\tfrac d2\log(1+\tfrac{2T}{d})+\log\tfrac1\delta}"
        lines = (
            ("Paid while exploring", r"2r\tau", explore, "no round costs more than $2r$"),
            ("How far off the estimate may be", r"\alpha_T", alpha, f"${{{root_of_logs}}}$"),
            ("Smallest slope of the link", r"\kappa", theory.kappa, "$F'(4r)$"),
            ("How poor the history may be", r"\beta", theory.beta, r"${8r/\sqrt{\lambda_{\min}(\Sigma)}}$"),
            (
                "Spread of the items ($\\Sigma$) where it is least",
                r"\lambda_{\min}(\Sigma)",
                theory.lambda_min,
                "its smallest eigenvalue",
            ),
        )
        st.markdown("\n".join(f"- {name}: ${{{sign} = {typeset(value)}}}$, {how}" for name, sign, value, how in lines))
        say_verdict(verdict(theory))
    with st.expander("¹ ² Slips in the proof, and how to repair them"):
        st.markdown(reading.slips())
        lemma = st.container()
    for title, text in (
        ("The theorem as the paper states it, and earlier work", reading.as_stated(theory)),
        ("What κ, the smallest slope of the link, is, and why it hurts", reading.about_kappa(theory)),
        ("What the theorem takes for granted", reading.taken_for_granted(theory)),
    ):
        with st.expander(title):
            st.markdown(text)
    return kept_promise, lemma


def _logarithm(above: float, below: float) -> float:
    return math.log(max(above / below, math.e))


def chain_figures(proof: Proof) -> Drawn:
    """The chain on a run, and the slack of its steps."""
    said = [text.replace("**", "") for text in findings(proof)]
    return {
        "The five terms of the proof": (figures.terms(proof), "Five terms over the rounds. " + " ".join(said)),
        "What each step gives away": (figures.slacks(proof), slack_words(proof)),
    }


def chain_pictures(proof: Proof) -> None:
    """The proof along a run, drawn: its terms over the rounds, and what each step loses."""
    with st.container(key="theory_picture"):
        keys, columns = ("chart_chain", "chart_slack"), st.columns([3, 2], gap="medium")
        for column, key, (figure, alt) in zip(columns, keys, chain_figures(proof).values(), strict=True):
            with column:
                chart(figure, key=key, alt=alt, height=500)
    played = proof.scenario.horizon
    part = "" if played == shown().horizon else f" Only its first {played:,} rounds are played."
    st.caption(
        f"One run.{part} A dot is a round, a line the geometric mean of neighbouring rounds (the mean on a log axis). "
        "Each line is what the proof has after a step: where the step holds, it is not below the line before. A bar is "
        "the factor between two lines."
    )
    OWN.widget(
        st.checkbox,
        "In step (iv), how poor this run's history is, ρ(H), instead of how poor it may be, β",
        help="β is the paper's bound on how poor a history can be. ρ(H) is how poor the history of this run is.",
    )


def chain_words(proof: Proof) -> None:
    """The proof along a run, in words and as a formula."""
    st.subheader("The four steps of the proof", anchor=False)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(reading.steps())
    with right:
        st.latex(
            r"""\begin{aligned} r_t &\overset{(i)}{\le} \langle x^*_t - x_t,\ \theta^* - \hat\theta_t\rangle \\
            &\overset{(ii)}{\le} \lVert\theta^* - \hat\theta_t\rVert_{V_t}\, \lVert x^*_t - x_t\rVert_{V_t^{-1}} \\
            &\overset{(iii)}{\le} \alpha_t\, \lVert x^*_t - x_t\rVert_{V_t^{-1}} \\
            &\overset{(iv)}{\le} \alpha_t\,FACTOR\, \lVert x_t - y_t\rVert_{V_t^{-1}} \end{aligned}""".replace(
                "FACTOR", r"\rho(H_t)" if proof.own else r"\beta"
            )
        )
    for text in findings(proof):
        say_verdict(text)


def layout(sight: Sight) -> tuple:
    """Places beside the theorem and the proof, then those for the progress and the rest."""
    st.subheader("Regret, measured, against the bound", anchor=False)
    return *BESIDE.value, progress_row(sight), st.container()


def figure_area(sight: Sight, places: list) -> None:
    """Everything that follows the runs."""
    runs_say, kept_promise, lemma, progress, rest = places
    result, now = sight.of(shown()), theory()
    with runs_say:
        say_verdict(measured(result, now))
    with rest:
        proof = watching.recall([errand()])[0] or proof_of_run()
    with kept_promise:
        say_verdict(promise(now, result))
    with lemma:
        say_verdict(both_bounds(now, result, proof))
        st.caption(how_counted())
    with rest:
        say_progress(progress, sight)
        left, right = st.columns(2, gap="medium")
        with left:
            drawn = growth_in_t(result)
        with right:
            drawn |= growth_in_d([sight.of(scenario) for scenario in family()])
        drawn |= far_off(result)
        with st.expander("Take it along"):
            files = {"Chain (CSV)": ("chain.csv", lambda: "\n".join(csv(proof, CHANCE.value)) + "\n")}
            take_along(files, chain_figures(proof) | drawn, PAGE.address)


def far_off(result: Result) -> Drawn:
    """In how many runs κ is no bound, in words and over the rounds; returns the figure with its words."""
    figure, said = figures.share_far_off(result), gap(result)
    picture, words = st.columns([3, 2], gap="medium", vertical_alignment="center")
    with words:
        say_verdict(said)
    with picture:
        chart(figure, key="chart_far_off", alt=said.replace("**", ""), height=300)
    return {"Estimates farther than 1": (figure, said.replace("**", ""))}


def growth_in_t(result: Result) -> Drawn:
    """Regret against the bound over the rounds; returns the figure with its words."""
    now = theory()
    s = now.scenario.resolved()
    fit, since, ceiling = fits.fits_in_t(result, now)
    figure = figures.growth_in_t(result, now, fit)
    said = f"Slope of regret: {fit}. Slope of the bound: {ceiling}. "
    if s.tau:
        said += f"Without what exploration cost, R(t) − R(τ) over t − τ, the slope of regret is {since}. "
    said += learning(since)
    chart(figure, key="chart_in_t", alt=said, height=480)
    say_verdict(f"**Over the rounds.** {said}")
    st.caption(
        "A slope of p is growth like t to the power p. "
        f"Fitted to rounds {min(s.tau + 1, s.horizon):,} to {s.horizon:,}: for each run a least-squares line through "
        "log R(t) at rounds that are evenly spread in log t. The slope is the mean over the runs, ± two standard "
        "errors from the spread between runs."
    )
    return {"Regret and bound in T": (figure, said)}


def growth_in_d(results: list[Result]) -> Drawn:
    """Regret at T against the bound for several d; returns the figure with its words."""
    theories = [Theory(result.scenario, CHANCE.value) for result in results]
    fit, ceiling = fits.fits_in_d(results, theories)
    figure = figures.growth_in_d(results, theories, fit)
    tau = shown().tau
    said = f"Slope of regret at T: {fit}. Slope of the bound: {ceiling}. "
    said += "τ = 10 d grows along." if tau is None else f"τ = {tau} is the same for all."
    if left_out := [d for d in DIMENSIONS if d not in [result.scenario.d for result in results]]:
        fewer = [d for d in left_out if d > shown().most_features]
        why = f"Too much work, or more features than {shown().words('items')} have" if fewer else "Too much work"
        why = f"More features than {shown().words('items')} have" if fewer == left_out else why
        said += f" {why}, and left out: d = {', '.join(map(str, left_out))}."
    chart(figure, key="chart_in_d", alt=said, height=480)
    say_verdict(f"**Over the features.** {said}")
    st.caption(
        f"A least-squares line through log R(T), each d weighted by how well its mean is known, once it has "
        f"{fits.FEW} runs. ± two standard errors, which follow from those of the means. They do not count that the "
        "points may lie on a curve."
    )
    return {"Regret and bound in d": (figure, said)}


SYMBOLS = (
    "greedy", "bandit", "duelling", "ROAM", "exploration", "sublinear", "most_uncertain", "logistic", "everywhere",
    "regret", "theta", "estimate", "x", "best", "y", "z", "V", "norm", "alpha", "beta", "richness", "kappa", "Sigma",
    "lambda_min", "delta", "d", "tau", "k", "link", "horizon", "runs", "radius", "flatness", "ridge",
)  # fmt: skip
PAGE = Page(
    "Theory, measured",
    "theory",
    controls,
    parameters=(CHANCE, OWN),
    wants=wants,
    layout=layout,
    figures=figure_area,
    opens="Open Theory",
    symbols=SYMBOLS,
    teaser="The theorem with numbers in it, and which step of its proof gives most away.",
    fixed=("algorithm",),
)
