"""The page "The setting", and the glossary that every page shares."""

import re

import pytest

from pages import registry
from pages.glossary import GLOSSARY
from pages.setting.page import ASSUMPTIONS, DISCUSSION
from roam_core import KNOBS, Scenario
from tests.test_pages import open_page

PAGES = [folder for folders in registry.SECTIONS.values() for folder in folders]


@pytest.mark.catalogue
@pytest.mark.parametrize(
    ("key", "trial"), [*(("assume", t) for t in ASSUMPTIONS), *(("discuss", t) for t in DISCUSSION)]
)
def test_everything_that_is_said_can_be_tried(key, trial, at_a_glance):
    app = open_page("setting", {})
    next(button for button in app.button if button.key == f"{key} {trial.name}").click().run()
    assert not app.exception
    assert [heading.value for heading in app.header] == [registry.page(trial.folder).title]
    scenario = app.session_state.scenario
    assert scenario == Scenario(**trial.changes)
    assert not trial.view or app.session_state["rivals.view"] == trial.view


def test_every_symbol_has_one_meaning():
    signs = [symbol.sign for symbol in GLOSSARY.values()]
    assert len(signs) == len(set(signs))
    assert {KNOBS[name].symbol for name in KNOBS if name in GLOSSARY} <= set(signs)


# How a symbol is found in the texts of a page, where its sign alone would be found in other words too.
FOUND = {
    "theta": "θ\\*", "estimate": "θ̂", "V": r"\bV\b|V[ₜ⁻]", "Sigma": "Σ", "beta": "β", "richness": "ρ",
    "kappa": "κ|kappa", "alpha": "α|alpha", "delta": "δ", "lambda_min": "λmin|lambda_", "tau": "τ",
    "ratio": "[Cc]ritical ratio",
    "regret": "[Rr]egret",
}  # fmt: skip


@pytest.mark.catalogue
@pytest.mark.parametrize("page", PAGES)
def test_the_symbols_of_a_page_are_explained_beside_its_title(page, at_first_sight):
    app = open_page(page, {"horizon": "40", "k": "20", "runs": "2", "d": "2"})
    texts = " ".join(e.value for kind in ("markdown", "caption", "latex") for e in app.get(kind))
    labels = " ".join(
        getattr(e, "label", "") for kind in ("slider", "select_slider", "selectbox") for e in app.get(kind)
    )
    used = {name for name, sign in FOUND.items() if re.search(sign, f"{texts} {labels}")}
    explained = set(registry.page(page).symbols) if page not in ("start", "setting") else set(GLOSSARY)
    assert used <= explained
