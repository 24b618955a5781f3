"""What the lab's plots can show besides the mean: a checkbox and a parameter of the link each."""

from pages.parameters import Flag

SPREAD, LOG, GUIDE, BOUND = Flag("lab.spread"), Flag("lab.log"), Flag("lab.guide"), Flag("lab.bound")
OPTIONS = {
    SPREAD: ("Spread of users", "Where 10 to 90% of the users are, and the first few of them. The band is the mean's."),
    LOG: ("Log axes", None),
    GUIDE: ("√t guide", "Regret that grows like √t is sublinear: what a round costs falls towards 0."),
    BOUND: ("Bound β", "What the critical ratio stays below after enough exploration, by the paper's theory."),
}
