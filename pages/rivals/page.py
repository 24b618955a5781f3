"""ROAM and its rivals: another algorithm, other questions, fewer questions, and a user who answers otherwise."""

from dataclasses import replace

import numpy as np
import streamlit as st

from pages.components.chart import chart
from pages.components.downloads import Drawn, take_along
from pages.parts import controls, export, figures, figures_rivals, watching
from pages.parts.controls import WORDS
from pages.parts.presets import THINGS_TO_TRY_WITH_RIVALS
from roam_core import KNOBS, Result, Scenario
from roam_core.paper import C1, C2, MAP_RUNS, Map, load, moments, regret_map
from roam_core.policies import ASK_RULES
from roam_core.result import CURVES

VIEWS = {
    "rival": "ROAM or CoLSTIM",
    "map": "Is there a setting that wins?",
    "ask": "What to ask",
    "less": "Asking less",
    "link": "A wrong link",
}
# Fields that a view sets itself: they are not among the other controls.
OWN = {
    "rival": ("algorithm", "c1", "c2"), "map": ("algorithm", "c1", "c2"), "ask": ("algorithm", "ask", "window"),
    "less": ("algorithm", "skip_below", "cost"), "link": ("algorithm", "user_link"),
}  # fmt: skip
STEPS = (0.0, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
WINDOWS = (1, 2, 5, 10, 20, 50, 100, 200)
THRESHOLDS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.5)
View = tuple[Drawn, watching.Sight]  # what a view drew, and what it is waiting for
COSTS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)


def show_view(name: str) -> None:
    """Turn to another question."""
    st.session_state.rivals_view = name


def turned() -> None:
    """The visitor chose another question."""
    show_view(st.session_state.w_rivals_view or st.session_state.rivals_view)


def view_of_link() -> None:
    """The view that the link asks for, and which map; a message if there is no such one."""
    view, own = st.query_params.get("view", "rival"), st.query_params.get("own")
    show_view(view if view in VIEWS else "rival")
    st.session_state.own_map = own == "1"
    if view not in VIEWS:
        controls.complain(f"view = {controls.shortened(view)} is not one of {', '.join(VIEWS)}", "rival")
    if own not in (None, "1"):
        controls.complain(f"own = {controls.shortened(own)} is not 1", "the map that comes with the project")


def turned_map() -> None:
    """The visitor wants the other map."""
    st.session_state.own_map = st.session_state.w_own_map


def needs_own_map(scenario: Scenario) -> bool:
    """Whether the map that comes with the project is not that of the scenario."""
    return scenario != Scenario(seed=scenario.seed)


def try_it(scenario: Scenario) -> None:
    """Set the controls for one of the things to try."""
    controls.show(scenario)
    st.session_state.own_map = needs_own_map(scenario)


def on_screen(scenario: Scenario) -> bool:
    """Whether a thing to try is what is shown."""
    same_map = st.session_state.rivals_view != "map" or needs_own_map(scenario) == st.session_state.own_map
    return scenario == controls.current() and same_map


def again() -> None:
    """Compute what is on screen once more."""
    controls.show(controls.current())
    watching.again(st.session_state.get("wanted_by_rivals", []))


def ends(results: list[Result], names: list[str]) -> str:
    """Regret at T of some results in words."""
    parts = [
        f"{export.with_band(result.mean('regret')[-1], result.band('regret')[-1])} ({name})"
        for name, result in zip(names, results, strict=True)
        if result.runs
    ]
    return "Regret at T: " + ", ".join(parts) + "." if parts else "No run is complete yet."


def three_plots(results: list[Result], names: list[str]) -> dict[str, tuple[dict, str]]:
    """Regret, error and critical ratio of some results; returns each figure with its words."""
    series = [figures.Series(result, name) for result, name in zip(results, names, strict=True)]
    drawn = {}
    for column, curve in zip(st.columns(3), CURVES, strict=True):
        figure, words = figures.curves(series, curve), f"{figures.TITLES[curve]}. {ends(results, names)}"
        with column:
            chart(figure, key=f"chart_rivals_{curve}", alt=words, height=370 + 28 * len(series))
        drawn[figures.TITLES[curve]] = (figure, words)
    return drawn


def begin(wanted: list[Scenario]) -> watching.Sight:
    """Ask for results and say how far they are."""
    st.session_state.wanted_by_rivals = wanted
    sight = watching.wait_for_first(wanted)
    watching.progress_row(wanted, sight)
    return sight


def rival(now: Scenario) -> View:
    """ROAM and CoLSTIM on the same scenario."""
    left, right, _ = st.columns([2, 2, 3])
    with left:
        controls.widget("c1", replace(now, algorithm="colstim"), STEPS)
    with right:
        controls.widget("c2", replace(now, algorithm="colstim"), STEPS)
    wanted = [replace(now, algorithm=name) for name in ("roam", "colstim")]
    sight = begin(wanted)
    results = sight.results
    drawn = three_plots(results, ["ROAM", f"CoLSTIM, c1 = {now.c1:g}, c2 = {now.c2:g}"])
    st.markdown(ends(results, ["ROAM", "CoLSTIM"]) + " " + verdict(*results))
    st.markdown(
        "**Whose regret counts what.** ROAM's user consumes one new item a round, so its regret is that of one item. "
        "CoLSTIM's user consumes both items of the comparison, so its regret is the mean over the two. Per item "
        "consumed the two are on a par."
    )
    return drawn, sight


def verdict(first: Result, second: Result) -> str:
    """Which of two has the lower regret, if that can be said."""
    if min(first.runs, second.runs) < 2:
        return ""
    gap = second.mean("regret")[-1] - first.mean("regret")[-1]
    band = float(np.hypot(first.band("regret")[-1], second.band("regret")[-1]))
    if abs(gap) <= band:
        return f"The difference is {export.with_band(gap, band)}: too close to call."
    return f"{'ROAM' if gap > 0 else 'CoLSTIM'} pays {export.with_band(abs(gap), band)} less."


def shipped_map() -> Map | None:
    """The map that comes with the project, if it is there."""
    try:
        return regret_map(load()["map"])
    except ValueError as missing:
        st.warning(f"The map that comes with the project cannot be shown. {controls.literal(str(missing))}.")
        return None


def map_of(results: list[Result]) -> Map:
    """The map of the scenario on screen, as far as it is there."""
    first, *cells = results
    table = np.array([moments(r.regret[:, -1]) if r.runs > 1 else (np.nan, np.nan) for r in cells])
    regret, band = (table[:, i].reshape(len(C1), len(C2)) for i in (0, 1))
    return Map(C1, C2, regret, band, *(moments(first.regret[:, -1]) if first.runs > 1 else (np.nan, np.nan)))


def the_map(now: Scenario) -> View:
    """CoLSTIM's regret over c1 and c2, with ROAM's level."""
    st.session_state.w_own_map = own = st.session_state.own_map
    text = "Compute it for the scenario on screen instead of the paper's defaults"
    st.toggle(text, key="w_own_map", on_change=turned_map)
    if own:
        base = replace(now, runs=min(now.runs, MAP_RUNS))
        cells = [replace(base, algorithm="colstim", c1=c1, c2=c2) for c1 in C1 for c2 in C2]
        wanted = [replace(base, algorithm="roam"), *cells]
        sight = begin(wanted)
        table = map_of(sight.results)
    else:
        sight, table = watching.NOTHING, shipped_map()
    if table is None:
        return {}, sight
    figure, words = figures_rivals.regret_map(table), map_words(table)
    st.markdown(words)
    chart(figure, key="chart_rivals_map", alt=words, height=520)
    made = (
        f"Mean over up to {min(now.runs, MAP_RUNS)} users in each cell. " if own
        else f"Mean over {MAP_RUNS} users in each cell, with the paper's defaults whatever the controls say. "
        "Made by the command python -m roam_core paper. "
    )  # fmt: skip
    st.caption(made + "An orange line, where there is one, runs where CoLSTIM's regret equals ROAM's.")
    return {"Map": (figure, words)}, sight


def map_words(table: Map) -> str:
    """Whether any setting of CoLSTIM wins, in words."""
    if np.isnan(table.regret).all() or np.isnan(table.roam):
        return "No cell is complete yet."
    i, j = np.unravel_index(np.nanargmin(table.regret), table.regret.shape)
    gap, band = table.regret[i, j] - table.roam, float(np.hypot(table.band[i, j], table.roam_band))
    best = (
        f"CoLSTIM does best with c1 = {table.c1[i]:g}, c2 = {table.c2[j]:g}: "
        f"{export.with_band(table.regret[i, j], table.band[i, j])}. "
        f"ROAM has {export.with_band(table.roam, table.roam_band)}. "
    )
    if abs(gap) <= band:
        return best + "That is too close to call."
    return best + ("No setting here beats ROAM." if gap > 0 else f"So CoLSTIM can win here, by {-gap:.3g}.")


def what_to_ask(now: Scenario) -> View:
    """The ask rules with the same recommend rule, and how long a memory must be."""
    st.markdown(
        "All four recommend the item that looks best. They differ in the question only: is choosing it well worth "
        "the trouble?"
    )
    left, _ = st.columns([2, 5])
    with left:
        controls.widget("window", replace(now, ask="recent"), WINDOWS)
    roam = replace(now, algorithm="roam")
    rules = [replace(roam, ask=rule) for rule in ASK_RULES]
    windows = [replace(roam, ask="recent", window=w) for w in WINDOWS if w <= now.horizon]
    wanted = list(dict.fromkeys([*rules, *windows]))
    sight = begin(wanted)
    by_scenario = dict(zip(wanted, sight.results, strict=True))
    results = [by_scenario[s] for s in rules]
    names = [WORDS[rule] if rule != "recent" else f"most uncertain of last {now.window}" for rule in ASK_RULES]
    drawn = three_plots(results, names)
    st.markdown(ends(results, names))
    figure = figures_rivals.by_window([by_scenario[s] for s in windows], by_scenario[rules[0]])
    words = "How regret at T depends on how many recent items may be asked about. " + ends(
        [by_scenario[s] for s in windows], [f"w = {s.window}" for s in windows]
    )
    chart(figure, key="chart_rivals_window", alt=words, height=440)
    st.caption("The paper asks how far back comparisons must reach. The dashed line is the whole history.")
    return drawn | {"Window": (figure, words)}, sight


def asking_less(now: Scenario) -> View:
    """Questions only where the probe is uncertain, and what a question may cost."""
    st.markdown(
        "A question is skipped when its probe is less uncertain than a threshold (s). "
        "How many questions can go before regret rises?"
    )
    left, _ = st.columns([2, 5])
    with left:
        controls.widget("cost", now, COSTS)
    family = [replace(now, algorithm="roam", skip_below=s, cost=0.0) for s in THRESHOLDS]
    sight = begin(family)
    results = sight.results
    known = [result for result in results if result.runs]
    words = "No run is complete yet."
    if known and not now.cost:
        words = "Questions cost nothing now. Give them a cost to see which threshold pays."
    elif known:
        totals = {r.scenario.skip_below: r.mean("regret")[-1] + now.cost * r.questions[:, -1].mean() for r in known}
        best = min(totals, key=totals.get)
        asked = next(r for r in known if r.scenario.skip_below == best).questions[:, -1].mean()
        words = (
            f"At {now.cost:g} a question, regret plus cost is lowest with s = {best:g}: {totals[best]:.3g}, "
            f"with {asked:.0f} questions in {now.horizon} rounds."
        )
    drawn = {
        "Asking less": (figures_rivals.asking_less(results, now.cost), words),
        "Questions": (figures_rivals.questions(results), words),
    }
    for column, (name, (figure, alt)) in zip(st.columns(2), drawn.items(), strict=True):
        with column:
            chart(figure, key=f"chart_rivals_{name}", alt=alt, height=440)
    st.markdown(words)
    return drawn, sight


def wrong_link(now: Scenario) -> View:
    """The user answers with one link, the algorithm assumes the same or another."""
    st.markdown(
        f"The user answers with the **{now.link}** link. Each curve is an algorithm that assumes one of the three "
        "links. Everything else is the same."
    )
    links = KNOBS["link"].choices
    wanted = [replace(now, algorithm="roam", link=link, user_link=now.link) for link in links]
    sight = begin(wanted)
    results = sight.results
    names = [f"assumes {link}" + (" (right)" if link == now.link else "") for link in links]
    drawn = three_plots(results, names)
    st.markdown(ends(results, names))
    return drawn, sight


def draw() -> None:
    """The page."""
    now = controls.current()
    if "rivals_view" not in st.session_state:
        view_of_link()
    view = st.session_state.rivals_view
    extra = {"view": view} | ({"own": "1"} if view == "map" and st.session_state.own_map else {})
    st.header("ROAM and its rivals", anchor=False)
    controls.problems()
    with st.container(key="scroll_views"):
        st.session_state.w_rivals_view = view
        st.segmented_control(
            "Question",
            list(VIEWS),
            format_func=VIEWS.get,
            key="w_rivals_view",
            on_change=turned,
            label_visibility="collapsed",
        )
    controls.main_row()
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="scroll_actions"):
        notice = controls.things_to_try(THINGS_TO_TRY_WITH_RIVALS[view], on_screen, try_it, f"try {view}")
        controls.more(OWN[view])
        st.button("Same seed again", on_click=again)
        st.button("New seed", on_click=controls.new_seed)
        controls.also_set(OWN[view])
    with st.container():  # also if it is empty: what follows keeps its place
        if notice:
            st.markdown(f"**Notice.** {notice}")
    controls.write_link(extra)
    st.session_state.wanted_by_rivals = []
    draw_view = {"rival": rival, "map": the_map, "ask": what_to_ask, "less": asking_less, "link": wrong_link}[view]
    # Each view has its own place and empties the others: nothing of the last view stays while this one computes.
    places = {name: st.container() if name == view else st.empty() for name in VIEWS}
    with places[view]:
        drawn, sight = draw_view(now)
    if drawn and not sight.running:
        known = [result for result in sight.results if result.runs][:6]
        files = {
            f"Curve {n} (CSV)": (f"curve-{n}.csv", lambda r=r: export.csv(r)) for n, r in enumerate(known, start=1)
        }
        with st.expander("Take it along"):
            take_along(files, drawn, extra)
    watching.draw_again(st.session_state.wanted_by_rivals, sight)


if __name__ == "__main__":
    draw()
