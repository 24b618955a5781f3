"""Things to try on the page "You are the user", each a sitting to begin."""

from typing import NamedTuple

from pages.you.sitting import Settings


class Start(NamedTuple):
    """A sitting with a name, and what to notice in it."""

    name: str
    notice: str
    settings: Settings


PRESETS = (
    Start(
        "Flowers",
        "Answer as you feel. The intervals shrink with every answer, and after the random rounds its picks look more "
        "like what you like.",
        Settings(),
    ),
    Start(
        "Two features, drawn",
        "With two features everything can be drawn: each item is a point, the blue dot is the estimated taste, and "
        "the ellipse is where your taste may still lie.",
        Settings(catalogue="colours", d=2),
    ),
    Start(
        "Wines, as labels tell",
        "You see bars for what was measured. Thirteen measurements became three features, so a word about one of them "
        "is a word about those that go with it.",
        Settings(catalogue="wines"),
    ),
    Start(
        "Handwriting",
        "Which digit is written more to your liking? Its features are patterns of ink that have no names; the best and "
        "the worst five show what it learnt.",
        Settings(catalogue="digits"),
    ),
    Start(
        "The most informative questions",
        "The other ask rule: it also looks for answers that are open. Simulated persons are learnt a little faster "
        "with it.",
        Settings(ask="informative"),
    ),
    Start(
        "I play, you guess",
        "Two people, one screen. After the random rounds every other pair is a test, and a friend predicts it "
        "before you answer. Who knows you better, your friend or ROAM?",
        Settings(every=1, guess=True),
    ),
)
