"""Things to try on the page "What the theory suggests"."""

from pages.presets import Preset

# By view of the page.
PRESETS = {
    "items": (
        Preset(
            "The paper's setting",
            "Regret does grow with k, but far more slowly than k. A large part of it is exploration, where a random "
            "pick is held against the best of k.",
        ),
        Preset(
            "Two features",
            "In the plane ten items already hold one that is nearly the best there can be. More of them add little.",
            {"d": 2},
        ),
        Preset(
            "Twenty features",
            "With many features ten items leave much to be found. So a larger offer makes more of a difference.",
            {"d": 20},
        ),
    ),
    "flat": (
        Preset("The paper's setting", "The bound multiplies, the error grows, and regret hardly moves."),
        Preset(
            "Larger utilities",
            "The error grows, and regret does not. In a flat space the utilities of the items differ less, so a random "
            "pick loses less.",
            {"radius": 3.0},
        ),
    ),
    "fresh": (
        Preset(
            "The paper's setting",
            "The promise is worth little here: after exploration the ratio is hardly ever above 1 with a past y, "
            "either.",
        ),
        Preset(
            "Ten items on offer",
            "Even among ten fresh items one is worth comparing with: the errors are about the same.",
            {"k": 10},
        ),
        Preset(
            "No exploration",
            "A young history has little to compare with, so with a past y the ratio is above 1 in some rounds. A fresh "
            "y needs no history.",
            {"tau": 0, "k": 100},
        ),
    ),
    "questions": (
        Preset(
            "Free questions",
            "The error falls roughly as 1/√m, as if the further questions were nearly as good as the first.",
        ),
        Preset("Cheap questions", "Five questions save regret, and cost more than they save.", {"cost": 0.02}),
        Preset(
            "Poor questions",
            "Items consumed lately resemble the new one. Five questions about them teach less than one good one.",
            {"ask": "previous"},
        ),
    ),
}
