"""One run in two dimensions: watch the history, the ellipsoid and the probes, round by round."""

import math
from dataclasses import replace
from typing import Any

import streamlit as st

from pages.components.chart import chart
from pages.components.plane import LAYERS, LEVEL, LEVELS, STAGES, plane
from pages.parts import controls, export, figures, watching
from pages.parts.presets import THINGS_TO_TRY_IN_2D
from pages.parts.scene import LARGEST, LONGEST, endings, in_plane, scene
from roam_core import Result, Scenario
from roam_core.policies import ASK_RULES

USERS = 100  # whose mean shows what one run may hide
AFTER = 5  # the picture opens so many rounds after exploration
READ = (
    "Orange is the question, purple is uncertainty, blue is what the algorithm believes, green is the truth. "
    "Press Play, or step through one round."
)


def opening(shown: Scenario) -> dict[str, Any]:
    """What the picture shows when nobody has chosen anything yet."""
    return {"round": min(shown.tau + AFTER, shown.horizon), "stage": -1, "c": LEVEL, "hidden": []}


def view_of_link(shown: Scenario) -> dict[str, Any]:
    """The round, stage, size and layers that the link asks for; a message for whatever is no good."""
    view, link = opening(shown), st.query_params
    for name, key, low, high, kind in (("round", "round", 1, shown.horizon, int), ("c", "c", *LEVELS, float)):
        if name in link:
            try:
                asked = float(link[name][: controls.LONGEST])
            except ValueError:
                asked = math.nan
            view[key] = view[key] if math.isnan(asked) else kind(min(max(asked, low), high))
            if view[key] != asked:
                wrong = f"{name} = {controls.shortened(link[name])} is not a number from {low} to {high}"
                controls.complain(wrong, view[key])
    if "stage" in link:
        if link["stage"] in STAGES:
            view["stage"] = STAGES.index(link["stage"])
        else:
            wrong = f"stage = {controls.shortened(link['stage'])} is not one of {', '.join(STAGES)}"
            controls.complain(wrong, "the whole round")
    if "hide" in link:
        names = link["hide"][: controls.LONGEST].split(",")
        view["hidden"] = [name for name in LAYERS if name in names]
        if not set(names) <= set(LAYERS):
            wrong = f"hide = {controls.shortened(link['hide'])} is not a list of {', '.join(LAYERS)}"
            controls.complain(wrong, ", ".join(view["hidden"]) or "nothing")
    if link.get("compare", "1") != "1":
        controls.complain(f"compare = {controls.shortened(link['compare'])} is not 1", "no comparison")
    return view


def link_of_view(view: dict[str, Any], shown: Scenario) -> dict[str, str]:
    """What the link must say so that the picture opens as it is now."""
    if view == opening(shown):
        return {}
    parts = {"round": str(view["round"])}
    parts |= {"stage": STAGES[view["stage"]]} if view["stage"] >= 0 else {}
    parts |= {"c": f"{view['c']:g}"} if view["c"] != LEVEL else {}
    parts |= {"hide": ",".join(view["hidden"])} if view["hidden"] else {}
    return parts


def moved() -> None:
    """Remember what the visitor looks at, for the link."""
    st.session_state.view = {**st.session_state.view, **st.session_state.plane.view}


def compare() -> None:
    """Show or hide the four ask rules."""
    st.session_state.view_compare = st.session_state.w_compare


def try_it(scenario: Scenario) -> None:
    """Set the controls for one of the things to try and begin where it gets interesting."""
    controls.show(scenario)
    st.session_state.view = opening(in_plane(scenario))
    st.session_state.view_token = st.session_state.get("view_token", 0) + 1


def control_column(shown: Scenario) -> None:
    """The controls of this page, one below the other."""
    controls.widget("tau", shown, range(min(100, shown.horizon) + 1))
    controls.widget("ask", shown)
    if shown.ask == "recent":
        controls.widget("window", shown, (1, 2, 5, 10, 20, 50, 100))
    controls.widget("flatness", shown, (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0))
    controls.widget("radius", shown, (0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0))
    controls.widget("k", shown, [k for k in controls.SIZES if k <= LARGEST])
    controls.widget("horizon", shown, (20, 50, 100, 150, 200, 250, LONGEST))
    controls.widget("items", shown)
    controls.widget("link", shown)
    with st.container(horizontal=True, gap="small"):
        st.button("Same seed again", on_click=try_it, args=(controls.current(),))
        st.button("New seed", on_click=controls.new_seed)
    st.caption(f"Seed {shown.seed}. This page always has d = 2, ROAM, at most {LONGEST} rounds and {LARGEST:,} items.")


def side_by_side(shown: Scenario, users: list[Scenario]) -> watching.Sight:
    """The four ask rules on the same contexts, taste and luck, and over many users; returns what there is of those."""
    st.subheader("The four ask rules, side by side", anchor=False)
    watching.look(users)  # the workers begin while the one run is drawn
    ends = watching.compute("Playing the four runs", endings, replace(shown, ask="most_uncertain"))
    names = controls.WORDS | {"recent": f"most uncertain of last {shown.window}"}
    names = {name: names[name] for name in ends}
    for column, (name, end) in zip(st.columns(len(ends)), ends.items(), strict=True):
        with column:
            st.markdown(f"**{names[name].capitalize()}**")
            alt = f"{names[name]}: after {shown.horizon} rounds regret {end.regret[-1]:.1f}, error {end.error:.2f}."
            chart(figures.ending(end, shown, LEVEL), key=f"chart_end_{name}", alt=alt, height=560)
            st.caption(f"Regret {end.regret[-1]:.1f}, error {end.error:.2f} after {shown.horizon} rounds.")
    sight = watching.wait_for_first(users)
    worst = max(ends, key=lambda name: ends[name].regret[-1])
    alt = f"Regret of the four ask rules; {names[worst]} ends highest at {ends[worst].regret[-1]:.1f}."
    series = [figures.Series(result, names[result.scenario.ask]) for result in sight.results]
    left, right = st.columns(2)
    with left:
        chart(figures.rival_regrets(ends, names, shown.tau), key="chart_end_regret", alt=alt, height=430)
        st.caption(
            "This run: same items on offer, same taste, same luck in the answers. Only the question differs. One run "
            "can be lucky."
        )
    with right:
        words = over_users(sight.results, names)
        figure = figures.curves(series, "regret", title=f"Mean over {min(sight.runs)} users")
        chart(figure, key="chart_end_mean", alt=words, height=430)
        st.caption(f"{words} The band holds the true mean with 95% confidence.")
    return sight


def over_users(results: list[Result], names: dict[str, str]) -> str:
    """What each ask rule costs on average, in words."""
    if not all(result.runs for result in results):
        return "Many users with these controls: the first runs are on their way."
    parts = [
        f"{export.with_band(r.mean('regret')[-1], r.band('regret')[-1])} ({names[r.scenario.ask]})" for r in results
    ]
    return f"Mean regret at T of {min(r.runs for r in results)} users: {', '.join(parts)}."


def draw() -> None:
    """The page."""
    shown = in_plane(controls.current())
    if "view" not in st.session_state:
        st.session_state.view = view_of_link(shown)
        st.session_state.view_compare = st.query_params.get("compare") == "1"
    st.header("One run in 2-D", anchor=False)
    controls.problems()
    with st.container(horizontal=True, gap="small", key="scroll_try"):
        notice = controls.things_to_try(THINGS_TO_TRY_IN_2D, lambda scenario: in_plane(scenario) == shown, try_it)
    st.markdown(f"**Notice.** {notice}" if notice else READ)
    left, right = st.columns([15, 4], gap="medium")
    with right:
        control_column(shown)
    with left:
        view = {**st.session_state.view, "round": min(st.session_state.view["round"], shown.horizon)}
        token = f"{st.session_state.get('view_token', 0)}"
        run = watching.compute("Playing the run", scene, shown)
        plane(run, view, token, key="plane", on_view_change=moved)
    st.session_state.w_compare = st.session_state.view_compare
    st.toggle("Compare the four ask rules on this run", key="w_compare", on_change=compare)
    users = [replace(shown, ask=rule, runs=USERS) for rule in ASK_RULES]
    sight = side_by_side(shown, users) if st.session_state.view_compare else None
    controls.write_link(link_of_view(view, shown) | ({"compare": "1"} if st.session_state.view_compare else {}))
    if sight:
        watching.draw_again(users, sight)


if __name__ == "__main__":
    draw()
