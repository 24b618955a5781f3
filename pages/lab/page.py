"""Simulation lab: change a control and watch regret, estimation error and critical ratio."""

import numpy as np
import streamlit as st

from pages import export, figures, plots, watching
from pages.board.works import Work
from pages.components.chart import chart
from pages.lab import exploration
from pages.lab.options import BOUND, GUIDE, LOG, OPTIONS, SPREAD
from pages.lab.presets import PRESETS
from pages.page import Page, progress_row, say_progress
from pages.parameters import Kept
from pages.pins import pin, pins, pins_row, slots
from pages.presets import things_to_try
from pages.ratios import infinite_share, left_out, rounded_share
from pages.reveal import say_notice, say_verdict
from pages.scenario_controls import current, main_row, more, new_seed, show
from pages.sweeps import sweep, sweep_row, unswept
from pages.take_along import Drawn, take_along
from pages.watching import Sight
from pages.words import across_radii, label
from roam_core import KNOBS, Result, Scenario
from roam_core.theory import Theory

DRAWN = Kept("lab.drawn")  # the scenarios whose curves are on screen
NOTICE = Kept("lab.notice", "")


def with_curves() -> list[Scenario]:
    """Whose curves the page draws: the current scenario first, then the pinned and the swept ones."""
    return list(dict.fromkeys([current(), *pins(), *sweep()[1]]))


def wants() -> list[Work]:
    """What the page shows: its curves, and how long to explore if that is opened."""
    return [*with_curves(), *exploration.wants()]


def again() -> None:
    """Compute the same scenario once more."""
    show(current())
    watching.again([current()])


def controls() -> None:
    """Presets, the main controls, and what to do with the curve."""
    with st.container(horizontal=True, gap="small", key="scroll_presets"):
        NOTICE.set(things_to_try(PRESETS))
    main_row()
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="scroll_actions"):
        more()
        st.button("Same seed again", on_click=again)
        st.button("New seed", on_click=new_seed)
        st.button("Pin this curve", on_click=pin, disabled=current() in pins())
        for option, (words, about) in OPTIONS.items():
            option.widget(st.checkbox, words, help=about)


def layout(sight: Sight) -> tuple:
    """Places for the progress, beside what is pinned, the curves and, below the sweep's own controls, its family."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="line"):
        progress = progress_row(sight)
        pins_row()
    curves = st.container(key="lab_curves")
    sweep_row()
    return progress, curves, st.container(), *exploration.layout()


def figure_area(sight: Sight, places: list) -> None:
    """Everything that follows the runs."""
    progress, curves, family, *exploring = places
    with curves:
        say_progress(progress, sight, main=1)
        # Until the first runs are there, the last curves stay: an empty plot would flicker.
        if sight.results[0].runs:
            DRAWN.set(with_curves())
            shown = [sight.of(scenario) for scenario in with_curves()]
        else:
            shown = watching.recall(DRAWN.value or with_curves())
        drawn = three_plots(shown)
        say_notice(NOTICE.value)
        if shown[0].runs:
            line_of_figures(shown[0], sight.seconds)
        if shown[0].scenario.declared.asks_the_past:
            questions(shown[0])
        if not sight.running and shown[0].runs:
            downloads(shown[0], {**drawn, **exploration.drawn(sight)})
    if sweep()[0]:
        with family:
            swept(sight)
    exploration.draw(sight, exploring)


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


ABOUT = {
    "Well explored": "V adds up the probes of the questions. λmin(V), its smallest eigenvalue, is how well the least "
    "probed direction of taste is known. The theorem wants it to be at least 1 after exploration.",
    "Mean critical ratio": "How far the recommended item is from the best one, divided by how far it is from the one "
    "asked about, both measured by what is not known yet. Small is good.",
}


def line_of_figures(result: Result, seconds: float) -> None:
    """The numbers under the plots."""
    ratio, infinite = result.ratio[np.isfinite(result.ratio)], infinite_share(result)
    of_ratio = f"without {rounded_share(infinite)} infinite" if infinite else "after exploration"
    asked = f"{result.times_asked.max(1).mean():.0f} times" if result.scenario.declared.asks_the_past else ""
    cells = [
        ("Regret at T", f"{result.mean('regret')[-1]:.1f}", _band(result, "regret")),
        ("Error at T", f"{result.mean('error')[-1]:.3f}", _band(result, "error")),
        ("Mean critical ratio", f"{ratio.mean():.3f}" if ratio.size else "none", of_ratio),
        ("Well explored", f"{np.mean(result.lambda_min >= 1):.0%}", "of users: λmin(V) ≥ 1"),
        *([("Most-asked item", asked, "mean over runs")] if asked else []),
        *_questions(result),
        ("Runs", f"{result.runs}", f"in {seconds:.1f} s" if seconds else ""),
    ]
    with st.container(horizontal=True, gap="small"):
        for name, value, note in cells:
            about = ABOUT.get(name)
            st.metric(name, value, note or None, delta_color="off", delta_arrow="off", width=168, help=about)


def _questions(result: Result) -> list[tuple[str, str, str]]:
    """How many questions there were and what they cost, where that is not the same for all."""
    s, cells = result.scenario, []
    if s.skip_below or s.most_questions > 1:
        possible = f"of {s.horizon - 1} possible" if s.most_questions == 1 else "mean over runs"
        cells.append(("Questions", f"{result.questions[:, -1].mean():.0f}", possible))
    if s.cost:
        total = result.mean("regret_plus_cost")[-1]
        cells.append(("Regret plus cost", f"{total:.1f}", _band(result, "regret_plus_cost")))
    return cells


def _band(result: Result, curve: str) -> str:
    band = result.band(curve)[-1]
    return "one run: no band" if np.isnan(band) else f"± {band:.2g} (95% band)"


def questions(result: Result) -> None:
    """Which past items were asked about."""
    text = asked_words(result)
    chart(figures.asked(result), key="chart_asked", alt=text, height=420)
    st.caption(text)


def asked_words(result: Result) -> str:
    """Which past items run 1 asked about, in words."""
    if not result.runs:
        return "No run is complete yet."
    asked, tau = result.asked[0], result.scenario.resolved().tau
    if not (asked >= 0).any():
        return "Run 1 has no question about a past item."
    several = result.scenario.most_questions > 1
    dot = "the first question of a round" if several else "a question"
    text = f"Each dot is {dot} of run 1. Dots in the same row are questions about the same item. "
    times = result.times_asked[0]
    most, item = int(times.max()), int(times.argmax())
    if most == 1:
        text += "No item was asked about twice."
    elif (alike := int((times == most).sum())) > 1:
        text += f"No item was asked about more than {most:,} times, and {alike} items were so often."
    else:
        phase = ", from exploration" if item < tau else ""
        text += f"The most-asked item is that of round {item + 1}{phase}. It was asked about {most:,} times."
    later = asked[tau:][asked[tau:] >= 0]
    if tau and later.size:
        early = int((later < tau).sum())
        about = "1 was about an item" if early == 1 else f"{early:,} were about items"
        first = "first questions" if several else "questions"
        text += f" Of the {later.size:,} {first} after exploration {about} from it."
    return text


def three_plots(shown: list[Result]) -> Drawn:
    """Regret, error and ratio of the current scenario and the pinned ones; returns the figures with their words."""
    result = shown[0]
    compared = [result, *(other for other in shown[1:] if other.scenario in pins())]
    series = in_colour(compared)
    beta = Theory(result.scenario).beta if BOUND.value else None
    chosen = {"log": LOG.value, "guide": GUIDE.value, "beta": beta, "spread": SPREAD.value}
    drawn = plots.three_plots(
        series,
        lambda curve: words(result, curve),
        key="chart",
        height=560,
        options=lambda curve: chosen,
    )
    infinite = left_out({one.label: one.result for one in series})
    st.caption(" ".join(part for part in (bands_in_words(result, SPREAD.value), infinite) if part))
    say_verdict(across_radii({one.label: one.result for one in series}))
    return drawn


def in_colour(results: list[Result]) -> list[figures.Series]:
    """Results to draw, each with what sets it apart from the others and the colour that it has on this page."""
    scenarios = [result.scenario for result in results]
    numbers = slots(scenarios)
    return [
        figures.Series(result, label(result.scenario, scenarios), number)
        for result, number in zip(results, numbers, strict=True)
    ]


def bands_in_words(result: Result, spread: bool) -> str:
    """What the lines, the bands and the shade of the plots are."""
    shade = "Shaded: the exploration phase, which recommends at random." if result.scenario.resolved().tau else ""
    if result.runs == 1:
        return f"One simulated user. {shade}"
    mean = f"Thick line: the mean over {result.runs} simulated users."
    if not spread:
        return f"{mean} Its band is the mean's, with 95% confidence: single users differ more. {shade}"
    singles = min(result.runs, figures.SINGLE_USERS)
    return (
        f"{mean} Narrow band: where the true mean is, with 95% confidence. Wide pale band: 10 to 90% of the users. "
        f"Thin lines: the first {singles} of them. {shade}"
    )


def swept(sight: Sight) -> None:
    """The family of curves of a sweep, and final regret against the field."""
    name, scenarios = sweep()
    knob = KNOBS[name]
    if without := unswept():
        st.caption(f"Left out, because they do not go with the other controls: {knob.symbol} = {without}.")
    series = in_colour([sight.of(scenario) for scenario in scenarios])
    family = [one.result for one in series if one.result.runs]
    if not family:
        return
    left, right = st.columns(2)
    with left:
        alt = f"Cumulative regret for {len(family)} values of the {knob.label}."
        chart(figures.curves(series, "regret"), key="chart_family", alt=alt, height=440)
    with right:
        ends = ", ".join(f"{result.mean('regret')[-1]:.3g}" for result in family)
        chart(figures.finals(family, knob), key="chart_finals", alt=f"Regret at T by {knob.label}: {ends}.", height=440)
    say_verdict(across_radii({one.label: one.result for one in series}))


def downloads(result: Result, drawn: Drawn) -> None:
    """Files to take along."""
    script = export.script(result.scenario)
    files = {"Curves (CSV)": ("roam.csv", lambda: export.csv(result)), "Script (Python)": ("roam.py", script)}
    with st.expander("Take it along"):
        take_along(files, drawn, PAGE.address)
        st.caption("This script computes the same curves:")
        st.code(script, language="python")


SYMBOLS = (
    "ROAM", "CoLSTIM", "exploration", "most_uncertain", "sublinear", "band", "run", "logistic", "probit", "cauchit",
    "regret", "estimate", "theta", "ratio", "V", "lambda_min", "beta", "richness", "Sigma", "d", "tau", "k", "link",
    "horizon", "runs", "radius", "items", "flatness", "ridge", "window", "c1", "c2", "skip_below", "cost", "delta",
)  # fmt: skip
PAGE = Page(
    "Simulation lab",
    "simulation-lab",
    controls,
    parameters=(*OPTIONS, *exploration.PARAMETERS),
    wants=wants,
    layout=layout,
    figures=figure_area,
    opens="Open in the lab",
    symbols=SYMBOLS,
    teaser="Turn every knob, and see what a hundred users pay.",
)
