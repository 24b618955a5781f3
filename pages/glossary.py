"""Every word of the trade and every symbol that stands on a page, declared once: what it is called, what it means.

A page names those that it uses. They come first behind the button beside its title, and all others after them.
"""

from typing import NamedTuple

import streamlit as st

from roam_core import KNOBS


class Entry(NamedTuple):
    """A word with a sentence, and its symbol if it has one."""

    name: str
    sign: str
    meaning: str


def _knob(name: str) -> Entry:
    knob = KNOBS[name]
    return Entry(knob.label, knob.symbol, knob.help)


def _word(name: str, meaning: str) -> Entry:
    return Entry(name, "", meaning)


_KNOBS = ("d", "tau", "k", "link", "horizon", "runs", "radius", "items", "flatness", "window", "c1", "c2")

WORDS: dict[str, Entry] = {
    "bandit": _word(
        "bandit", "An algorithm that learns by trying and pays for every try, like a player at a slot machine."
    ),
    "duelling": _word("duelling bandit", "A bandit that learns from comparisons of two items instead of ratings."),
    "concurrent": _word("concurrent", "The older model: two fresh items are shown together, compared and paid for."),
    "history_constrained": _word(
        "history-constrained", "The paper's model: one fresh item is consumed and compared with a past one, for free."
    ),
    "ROAM": _word("ROAM", "Regret Once, Ask Many: the paper's algorithm, which asks about the past."),
    "CoLSTIM": _word(
        "CoLSTIM", "The rival, an algorithm of 2022 for the concurrent model: it compares two fresh items."
    ),
    "exploration": _word(
        "exploration", "Rounds that recommend at random, to learn and to fill the history, whatever they cost."
    ),
    "greedy": _word("greedy", "To recommend what looks best by the present estimate, with no thought of learning."),
    "most_uncertain": _word(
        "most uncertain", "The past item whose comparison with the new one goes where least was asked so far."
    ),
    "informative": _word(
        "most informative",
        "The past item whose answer should tell most: it is open, and goes where little is known. H grows most by it.",
    ),
    "rich_history": _word(
        "rich history", "A history so varied that in every direction there is a good question to ask about it."
    ),
    "sublinear": _word("sublinear", "It grows more and more slowly, so that the average per round goes to zero."),
    "band": _word(
        "band", "The shade around a mean: where the mean itself lies with about 95%, not how far single users spread."
    ),
    "run": _word("run", "One simulated user from the first round to the last, with a taste and luck of their own."),
    "ellipsoid": _word(
        "ellipsoid", "All tastes that are near the estimate as V measures it: long where little was asked."
    ),
    "logistic": _word("logistic link", "The S-shaped F of logistic regression, 1 / (1 + e⁻ᵘ)."),
    "probit": _word("probit link", "The F of a normal error: it reaches 0 and 1 sooner than the logistic one."),
    "cauchit": _word(
        "cauchit link", "The F of a Cauchy error: even a clear preference is now and then answered wrongly."
    ),
    "logistic_regression": _word(
        "logistic regression",
        "The usual way to learn a chance from features; with the logistic link it is our estimate.",
    ),
    "round": _word("round", "One recommendation, one question, one answer: the t of all plots."),
}

SYMBOLS: dict[str, Entry] = {
    "theta": Entry("taste", "θ*", "The user's hidden taste, a vector of length 1."),
    "estimate": Entry("estimate", "θ̂ₜ", "The estimate of the taste that round t starts from."),
    "contexts": Entry("context set", "Xₜ", "The k fresh items on offer in round t."),
    "x": Entry("recommended item", "xₜ", "The item of the context set that the user is given in round t."),
    "best": Entry("best item", "x*ₜ", "The item of the context set that would have been best for this user."),
    "history": Entry("history", "Hₜ", "All items that the user consumed before round t."),
    "y": Entry("compared item", "yₜ", "The past item that the question of round t is about."),
    "z": Entry("probe", "zₜ", "xₜ − yₜ, the direction of taste that the question probes."),
    "V": Entry("probes so far", "Vₜ", "The sum of zzᵀ over past questions: large where much was asked."),
    "information": Entry(
        "information so far",
        "Hₜ, as a matrix",
        "The sum of F′ zzᵀ over past questions: V, with every question counted as much as its answer was open.",
    ),
    "slope": Entry(
        "slope of the link",
        "F′",
        "How steep F is at the gap: largest where both answers are as likely, near zero where the answer is known.",
    ),
    "gap": Entry("gap", "⟨x − y, θ̂⟩", "By how much x looks better than y: the estimated difference in utility."),
    "norm": Entry(
        "uncertainty", "‖z‖ in V⁻¹", "The length of z as V⁻¹ measures it: large if z points where little was asked."
    ),
    "everywhere": Entry(
        "something asked in every direction",
        "λmin(V) ≥ 1",
        "No direction of taste is without questions: what the theorem wants of V when exploration ends.",
    ),
    "lambda_min": Entry("smallest eigenvalue", "λmin", "What a matrix does to the direction that it stretches least."),
    "ratio": Entry(
        "critical ratio",
        "ratio",
        "How far xₜ is from x*ₜ, divided by how far it is from yₜ, both in V⁻¹. Small is good: the question reaches "
        "farther than the mistake.",
    ),
    "regret": Entry("regret", "R(t)", "The utility lost up to round t, compared with the best items on offer."),
    "utility": Entry("utility", "⟨x, θ*⟩", "What an item is worth to the user."),
    "Sigma": Entry(
        "spread of the items",
        "Σ",
        "How two fresh items x and x′ differ in each direction: the mean of (x − x′)(x − x′)ᵀ.",
    ),
    "beta": Entry("the paper's bound on richness", "β", "8r/√λmin(Σ). After enough exploration ρ(H) is below it."),
    "richness": Entry(
        "richness of a history", "ρ(H)", "The smallest number that fits the paper's definition. Low is rich."
    ),
    "reach": Entry(
        "reach of a history",
        "1/ρ(H)",
        "In the worst direction: how far the best question reaches, as a share of the farthest mistake. High is rich.",
    ),
    "v": Entry("direction", "v", "A vector of length 1: along it one looks at the items of a history."),
    "other": Entry("another item", "x′", "An item on offer that may have been better than the recommended one."),
    "shadow": Entry(
        "middle, half-width", "m, w", "Of a history's shadow, the interval that its items fill along a direction."
    ),
    "kappa": Entry("smallest slope", "κ", "The smallest slope of the link function that the proof must reckon with."),
    "alpha": Entry("confidence radius", "αₜ", "How far the estimate may be from the taste, measured by V."),
    "delta": Entry("chance of failure", "δ", "The theorem holds with a probability of at least 1 − 3δ."),
    "ridge": Entry(
        KNOBS["ridge"].label,
        KNOBS["ridge"].symbol,
        "A pull of the estimate towards zero, so that it is finite however few the answers; V starts from it too.",
    ),
    "size": Entry("size of the ellipsoid", "c", "The ellipsoid holds every θ within a distance c of θ̂, in V."),
    **{name: _knob(name) for name in _KNOBS},
    "skip_below": _knob("skip_below"),
    "formula": _knob("formula"),
    "cost": _knob("cost"),
}
GLOSSARY: dict[str, Entry] = WORDS | SYMBOLS


def in_order() -> tuple[str, ...]:
    """All names, as a dictionary has them."""
    return tuple(sorted(GLOSSARY, key=lambda name: GLOSSARY[name].name.lower()))


def explained(names: tuple[str, ...]) -> str:
    """Some entries as a list in Markdown: the name before its symbol."""
    entries = [[text.replace("*", r"\*") for text in GLOSSARY[name]] for name in names]
    return "\n".join(f"- **{name}**{f' ({sign})' if sign else ''}: {meaning}" for name, sign, meaning in entries)


def glossary_button(names: tuple[str, ...]) -> None:
    """A button that shows what the words and symbols of a page mean, and those of all pages."""
    with st.popover("Words and symbols", width="content"):
        lists = {"On this page": names, "All": in_order()}
        shown = {title: listed for title, listed in lists.items() if listed}
        for tab, listed in zip(st.tabs(list(shown)), shown.values(), strict=True):
            tab.markdown(explained(listed))
