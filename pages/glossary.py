"""Every symbol that stands on a page, declared once: what it is called and what it means.

A page names those that it uses, and they are a click away beside its title.
"""

from typing import NamedTuple

import streamlit as st

from roam_core import KNOBS


class Symbol(NamedTuple):
    """A symbol with its name and a sentence."""

    sign: str
    name: str
    meaning: str


def _knob(name: str) -> Symbol:
    knob = KNOBS[name]
    return Symbol(knob.symbol, knob.label, knob.help)


_KNOBS = ("d", "tau", "k", "link", "horizon", "runs", "radius", "items", "flatness", "ridge", "window", "c1", "c2")

GLOSSARY: dict[str, Symbol] = {
    "theta": Symbol("θ*", "taste", "The user's hidden taste, a vector of length 1."),
    "estimate": Symbol("θ̂ₜ", "estimate", "The estimate of the taste that round t starts from."),
    "contexts": Symbol("Xₜ", "context set", "The k fresh items on offer in round t."),
    "x": Symbol("xₜ", "recommended item", "The item of the context set that the user is given in round t."),
    "best": Symbol("x*ₜ", "best item", "The item of the context set that would have been best for this user."),
    "history": Symbol("Hₜ", "history", "All items that the user consumed before round t."),
    "y": Symbol("yₜ", "compared item", "The past item that the question of round t is about."),
    "z": Symbol("zₜ", "probe", "xₜ − yₜ, the direction of taste that the question probes."),
    "V": Symbol("Vₜ", "probes so far", "The sum of zzᵀ over past questions: large where much was asked."),
    "norm": Symbol(
        "‖z‖ in V⁻¹", "uncertainty", "The length of z as V⁻¹ measures it: large if z points where little was asked."
    ),
    "lambda_min": Symbol("λmin", "smallest eigenvalue", "What a matrix does to the direction that it stretches least."),
    "ratio": Symbol(
        "ratio",
        "critical ratio",
        "How far xₜ is from x*ₜ, divided by how far it is from yₜ, both in V⁻¹. Small is good: the question reaches "
        "farther than the mistake.",
    ),
    "regret": Symbol("R(t)", "regret", "The utility lost up to round t, compared with the best items on offer."),
    "utility": Symbol("⟨x, θ*⟩", "utility", "What an item is worth to the user."),
    "Sigma": Symbol("Σ", "spread of the items", "The mean of (x − x′)(x − x′)ᵀ over two fresh items x and x′."),
    "beta": Symbol("β", "the paper's bound on richness", "8r/√λmin(Σ). After enough exploration ρ(H) is below it."),
    "richness": Symbol(
        "ρ(H)",
        "richness of a history",
        "The smallest number that fits the paper's definition. Low is rich.",
    ),
    "reach": Symbol(
        "1/ρ(H)",
        "reach of a history",
        "In the worst direction: how far the best question reaches, as a share of the farthest mistake. High is rich.",
    ),
    "v": Symbol("v", "direction", "A vector of length 1: along it one looks at the items of a history."),
    "other": Symbol("x′", "another item", "An item on offer that may have been better than the recommended one."),
    "shadow": Symbol(
        "m, w", "middle, half-width", "Of a history's shadow, the interval that its items fill along a direction."
    ),
    "kappa": Symbol("κ", "smallest slope", "The smallest slope of the link function that the proof must reckon with."),
    "alpha": Symbol("αₜ", "confidence radius", "How far the estimate may be from the taste, measured by V."),
    "delta": Symbol("δ", "chance of failure", "The theorem holds with a probability of at least 1 − 3δ."),
    "size": Symbol("c", "size of the ellipsoid", "The ellipsoid holds every θ within a distance c of θ̂, in V."),
    **{name: _knob(name) for name in _KNOBS},
    "skip_below": _knob("skip_below"),
    "cost": _knob("cost"),
}


def table(names: tuple[str, ...]) -> str:
    """Some symbols as a table in Markdown."""
    rows = [f"| {GLOSSARY[name].sign} | {GLOSSARY[name].name} | {GLOSSARY[name].meaning} |" for name in names]
    return "\n".join(["| symbol | name | meaning |", "|---|---|---|", *rows])


def symbols_button(names: tuple[str, ...]) -> None:
    """A button that shows what the symbols of a page mean."""
    with st.popover("Symbols", width="content"):
        st.markdown(table(names))
