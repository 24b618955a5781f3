"""The page "The setting", and the glossary that every page shares."""

import re

import pytest

from pages import registry
from pages.glossary import GLOSSARY, SYMBOLS, explained, in_order
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
    signs = [symbol.sign for symbol in SYMBOLS.values()]
    assert all(signs)
    assert len(signs) == len(set(signs))
    assert {KNOBS[name].symbol for name in KNOBS if name in GLOSSARY} <= set(signs)


@pytest.mark.parametrize("name", GLOSSARY)
def test_every_word_is_explained_in_a_sentence(name):
    entry = GLOSSARY[name]
    assert entry.name
    assert entry.meaning[0].isupper() or not entry.meaning[0].isalpha() or entry.meaning[0] == "x"
    assert entry.meaning.endswith(".")
    assert len(entry.meaning) <= 200
    assert [other for other in GLOSSARY if GLOSSARY[other].name == entry.name] == [name]


@pytest.mark.parametrize("page", PAGES)
def test_the_words_of_every_page_are_in_the_glossary(page):
    names = registry.page(page).symbols
    assert names
    assert set(names) <= set(GLOSSARY)
    assert len(names) == len(set(names))
    assert explained(names).count("\n- **") == len(names) - 1


def test_the_glossary_lists_everything_by_name():
    assert set(in_order()) == set(GLOSSARY)
    taste, greedy = explained(("theta", "greedy")).splitlines()
    assert taste.startswith(r"- **taste** (θ\*): The user's")
    assert greedy.startswith("- **greedy**: To recommend")


# How a word or symbol is found in the texts of a page, where its sign alone would be found in other words too.
FOUND = {
    "theta": "θ\\*", "estimate": "θ̂", "V": r"\bV\b|V[ₜ⁻]", "Sigma": "Σ", "beta": "β", "richness": "ρ",
    "kappa": "κ|kappa", "alpha": "α|alpha", "delta": "δ", "lambda_min": "λmin|lambda_", "tau": "τ",
    "ratio": "[Cc]ritical ratio", "regret": "[Rr]egret", "bandit": "[Bb]andit", "duelling": "[Dd]uelling bandit",
    "concurrent": "[Cc]oncurrent", "history_constrained": "[Hh]istory-constrained", "CoLSTIM": "CoLSTIM",
    "exploration": "[Ee]xplor", "greedy": "[Gg]reed", "most_uncertain": "most uncertain", "sublinear": "[Ss]ublinear",
    "band": r"\b[Bb]ands?\b", "ellipsoid": "[Ee]llipsoid", "logistic": "[Ll]ogistic", "probit": "[Pp]robit",
    "cauchit": "[Cc]auchit", "ridge": "[Rr]idge", "everywhere": r"λmin\(V\)",
}  # fmt: skip


@pytest.mark.catalogue
@pytest.mark.parametrize("page", PAGES)
def test_the_words_and_symbols_of_a_page_are_explained_beside_its_title(page, at_first_sight):
    app = open_page(page, {"horizon": "40", "k": "20", "runs": "2", "d": "2"})
    names = registry.page(page).symbols
    lists = {explained(names), explained(in_order())}
    said = [e.value for kind in ("markdown", "caption", "latex") for e in app.get(kind)]
    assert lists <= set(said)
    texts = " ".join(text for text in said if text not in lists)
    labels = " ".join(
        getattr(e, "label", "") for kind in ("slider", "select_slider", "selectbox") for e in app.get(kind)
    )
    used = {name for name, sign in FOUND.items() if re.search(sign, f"{texts} {labels}")}
    assert used <= set(names)
