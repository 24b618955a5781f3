"""The visit of a person: the settings that the link has, the sittings so far, and the one on screen."""

from dataclasses import replace

import streamlit as st

from pages.components.duel import KEY
from pages.parameters import Choice, Flag, Kept, Number
from pages.you.keeping import OWN
from pages.you.sitting import CHOICES, LAST_SEED, Settings, Sitting
from roam_core.catalogues import CATALOGUES, Catalogue

MOST_SITTINGS = 6  # that a visit remembers
PARAMETERS = {  # the field of the settings that each says
    "catalogue": Choice("you.catalogue", "flowers", values=(*CATALOGUES, OWN)),
    "d": Choice("you.features", 3, values=CHOICES["d"]),
    "questions": Choice("you.asks", 20, values=CHOICES["questions"]),
    "tau": Choice("you.first", 5, values=CHOICES["tau"]),
    "ask": Choice("you.rule", "most_uncertain", values=CHOICES["ask"]),
    "every": Choice("you.tests", 2, values=CHOICES["every"]),
    "radius": Choice("you.decided", 6.0, values=CHOICES["radius"]),
    "guess": Flag("you.guess"),
    "seed": Number("you.luck", 0, low=0, high=LAST_SEED, whole=True),
}
BROUGHT = Kept("you.brought")  # the visitor's own catalogue
SITTINGS = Kept("you.sittings", ())  # the sittings of this visit, the latest last
PROBLEM = Kept("you.problem", "")  # what was wrong with a file


def catalogue_of(name: str) -> Catalogue | None:
    """The catalogue of that name; None if it is the visitor's own and was not brought."""
    return BROUGHT.value if name == OWN else CATALOGUES.get(name)


def chosen() -> Settings:
    """The settings on screen; a table may have fewer features than are asked for."""
    settings = Settings(**{name: parameter.value for name, parameter in PARAMETERS.items()})
    found = catalogue_of(settings.catalogue)
    return replace(settings, d=min(settings.d, found.most_features)) if found else settings


def put(settings: Settings) -> None:
    """Put other settings on screen."""
    for name, parameter in PARAMETERS.items():
        parameter.set(getattr(settings, name))
    PROBLEM.set("")


def known(settings: Settings, catalogue: Catalogue) -> Sitting | None:
    """The sitting with these settings, if this visit has one."""
    same = (one for one in SITTINGS.value if one.settings == settings and one.catalogue == catalogue)
    return next(same, None)


def sitting() -> Sitting | None:
    """The sitting on screen; None if its catalogue is not there."""
    settings = chosen()
    catalogue = catalogue_of(settings.catalogue)
    if catalogue is None:
        return None
    found = known(settings, catalogue)
    if found is None:
        found = Sitting(settings, catalogue)
        remember(found)
    return found


def remember(new: Sitting) -> None:
    """Keep a sitting in place of the one with the same settings; those without an answer are forgotten first."""
    others = [one for one in SITTINGS.value if one.settings != new.settings or one.catalogue != new.catalogue]
    begun = [one for one in others if one.learnt]
    SITTINGS.set((*begun[-(MOST_SITTINGS - 1) :], new))


def other_luck() -> None:
    """Begin anew with other items."""
    settings = chosen()
    put(replace(settings, seed=(settings.seed + 1) % (LAST_SEED + 1)))


def other_rule(settings: Settings) -> Settings:
    """The same with another way to ask."""
    return replace(settings, ask="informative" if settings.ask == "most_uncertain" else "most_uncertain")


def other_catalogue(settings: Settings) -> Settings:
    """The same with the catalogue that comes next."""
    names = list(CATALOGUES)
    place = names.index(settings.catalogue) + 1 if settings.catalogue in names else 0
    return replace(settings, catalogue=names[place % len(names)])


def stop() -> None:
    """End the sitting on screen."""
    now = sitting()
    if now is not None:
        now.stopped = True


def go_on() -> None:
    """Go on with a sitting that was stopped."""
    now = sitting()
    if now is not None:
        now.stopped = False


def stamp(now: Sitting) -> str:
    """What tells the question on screen from all others."""
    return f"{now.name}.{now.now.number}{'.friend' * now.asks_friend}"


def answered() -> None:
    """Take over an answer, if it is one to what is on screen."""
    said, now = st.session_state[KEY].answer, sitting()
    if now is None or now.now is None or not isinstance(said, dict) or said.get("stamp") != stamp(now):
        return
    now.take(now.now.number, str(said.get("side")))
