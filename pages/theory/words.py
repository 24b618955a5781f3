"""What the page "Theory, measured" says: about the proof along a run, the bound, and the slopes."""

import math

import numpy as np

from pages.theory.fits import Fit
from pages.theory.proof import STEP_NAMES, Proof
from pages.words import another_scale, spoken, ten
from roam_core import Result
from roam_core.theory import MOST_EXPLORED, PHASES, REACHED, Theory, failing, far_off, papers_question, probed

NEVER = 300  # a power of ten: no horizon beyond it is looked at


def formula_says(theory: Theory) -> str:
    """The number that the theorem gives, and whether it is a promise, as far as the controls show."""
    bound = float(theory.bound(theory.scenario.horizon))
    number = f"is **{spoken(bound)}**" if math.isfinite(bound) else "has no finite value"
    though = ", though the theorem promises nothing here" if failing(theory) else ""
    return f"**The theorem's bound** on regret {number}{though}."


def findings(proof: Proof) -> list[str]:
    """What the chain shows, a paragraph each."""
    counted, found = int(proof.chain.counted.sum()), proof.chain
    if not counted:
        return [f"The chain is empty: {_why_empty(proof)}"]
    if proof.loosest is None:
        return [f"In all {counted:,} rounds after exploration the best item was recommended: no regret, so no slack."]
    said = [
        f"**Step {STEP_NAMES[proof.loosest]} loses most.** On average its right side is "
        f"{spoken(proof.slack[proof.loosest])} times its left side. "
        f"From regret to the last term the factor is {spoken(proof.together)}."
    ]
    failing = np.flatnonzero(found.holds < 1)
    for step in failing:
        rounds = round((1 - found.holds[step]) * counted)
        said.append(
            f"**Step {STEP_NAMES[step]} fails** in {rounds:,} of {counted:,} rounds ({rounds / counted:.1%}). "
            + _reason(int(step), proof)
        )
    if not failing.size:
        said.append(f"All four inequalities hold in each of the {counted:,} rounds.")
    if idle := counted - len(proof.lossy):
        said.append(
            f"In {idle:,} rounds ({idle / counted:.1%}) the best item was recommended. They have no regret, so they "
            "have no place on a log axis and no slack."
        )
    if proof.own:
        said.append(own_words(proof))
    return said


def _why_empty(proof: Proof) -> str:
    """Why no round counts."""
    s = proof.scenario
    if s.tau == s.horizon:
        return f"it begins after exploration, and all {s.horizon:,} rounds of this run explore."
    if proof.own and np.isinf(proof.richness).all():
        return "the history is flat to the end, and its own ρ(H) is infinite."
    return "it is about rounds with a question, and after exploration nothing is asked."


def own_words(proof: Proof) -> str:
    """How the history's own value was found, and what it is."""
    s, rho = proof.scenario, proof.richness
    known = rho[np.isfinite(rho)]
    said = (
        f"**ρ(H) instead of β.** Here the history's own value stands in step (iv): {spoken(known[0])} at first, "
        f"{spoken(known[-1])} at the end, where the paper has β = {spoken(Theory(s).beta)}. It is measured in "
        f"{len(proof.measured)} of the rounds; in between the last value stands, because a longer history is never "
        "poorer. "
    )
    if flat := int((~np.isfinite(rho[s.tau :])).sum()):
        said += f"While the history is flat, ρ(H) is infinite: {flat} of the rounds after exploration are left out. "
    if s.d == 2:
        return said + "In the plane ρ(H) is exact."
    return (
        said
        + f"**With d = {s.d} it is the best value that a search found, a lower bound:** the true one may be larger."
    )


def _reason(step: int, proof: Proof) -> str:
    """Why an inequality of the proof can fail on this run."""
    s = proof.scenario
    if step == 2 and s.resolved().user_link != s.link:
        return "Its lemma is about a user who answers by the link that is assumed. This one does not."
    if step == 2 and proof.lambda_min < 1:
        return (
            f"Its lemma needs the smallest eigenvalue of V to be at least 1 after exploration. "
            f"Here it is {spoken(proof.lambda_min)}."
        )
    if step == 2:
        return f"Its lemma may fail with probability δ, and it knows nothing of the ridge, λ = {s.ridge:g}, in our V."
    if step == 3 and not papers_question(s):
        return "Its lemma is about the most uncertain past item. Another one is asked about here."
    if step == 3 and proof.own:
        return "The search found a value that is below the true ρ(H)."
    if step == 3:
        return f"Its lemma needs a history that spreads in all directions, and {s.tau} rounds of exploration gave less."
    return "That is rounding: the two sides are nearly equal."


def promise(theory: Theory, result: Result) -> str:
    """With what probability the bound holds; or why the theorem promises nothing."""
    if against := failing(theory, result):
        return "\n".join(["**The theorem promises nothing here.**", "", *(f"- {sentence}" for sentence in against)])
    if not result.runs:
        return "Whether V has the eigenvalues that the theorem needs, the runs will show."
    runs = "the run" if result.runs == 1 else f"all {result.runs:,} runs"
    return (
        f"**With probability at least ${{1 - 3\\delta = {1 - 3 * theory.delta:.3g}}}$,** says the theorem, if "
        f"exploration is long enough. What can be checked of its hypotheses holds, also that the questions reach every "
        f"direction (the smallest eigenvalue of V, λmin(V), is at least 1) in {runs}."
    )


def verdict(theory: Theory) -> str:
    """Whether the bound says more than that no round can cost more than 2 r."""
    s = theory.scenario
    bound, trivial = float(theory.bound(s.horizon)), 2 * s.radius * s.horizon
    obvious = f"No round can cost more than 2r, so regret is at most 2rT = {spoken(trivial)} without any proof. "
    if bound <= trivial:
        return f"**This is less than the obvious bound.** {obvious}The bound is {spoken(bound / trivial)} of that."
    first = informative_from(theory)
    when = f"from about {spoken(first, 1)} rounds on" if first else f"only beyond {ten(NEVER)} rounds"
    return (
        f"**So large a number says nothing.** {obvious}"
        f"The bound is {spoken(bound / trivial)} times as large. It would say something {when}."
    )


def informative_from(theory: Theory) -> float | None:
    """About how many rounds it takes until the bound is below 2 r T for good; None if more than can be looked at."""
    T = np.geomspace(1, 10.0**NEVER, 10 * NEVER + 1)
    above = np.flatnonzero(theory.bound(T) > 2 * theory.scenario.radius * T)
    last = above[-1] if above.size else -1
    return float(T[last + 1]) if last + 1 < len(T) else None


def both_bounds(theory: Theory, result: Result, proof: Proof) -> str:
    """A table: the lemma behind the square root as printed and as repaired, and what it takes."""
    r, T, enough = theory.scenario.radius, theory.scenario.horizon, theory.enough
    needs = f"≥ {spoken(enough)} (4r²)" if 4 * r**2 >= 1 else f"≥ 1 (4r² is only {spoken(4 * r**2)})"
    smallest = probed(result)
    reached = [f"{np.sum(smallest >= least):,} of {result.runs:,}" for least in (1, enough)]
    takes = [f"more than {MOST_EXPLORED:,}" if tau is None else f"{tau:,}" for tau in proof.needed]
    rows = (
        ("The lemma behind the root¹", "as printed", "as repaired"),
        ("---", "---", "---"),
        ("The bound is", spoken(float(theory.bound(T))), spoken(float(theory.repaired_bound(T)))),
        ("Smallest eigenvalue of V, λmin(V), that it needs", "≥ 1", needs),
        ("Runs that reach that", *(reached if result.runs else ("none yet", "none yet"))),
        ("Rounds of exploration (τ) it takes", *takes),
    )
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def how_counted() -> str:
    """How the last row of that table was found."""
    return (
        f"Last row: the shortest exploration after which {REACHED:.0%} of {PHASES} simulated phases reach it. Lengths "
        f"are tried one by one up to 50, then in steps of 4%, up to {MOST_EXPLORED:,}. "
        "V is the paper's: one question per item, no ridge."
    )


def gap(result: Result) -> str:
    """How many runs have an estimate for which kappa is no bound."""
    s = result.scenario.resolved()
    why = (
        "**A gap at (iii).** κ is the smallest slope for estimates within 1 of the taste. "
        "Nothing that the lemma asks for makes the estimate that close. "
    )
    if not result.runs:
        return why + "No run is complete yet."
    if s.tau == s.horizon:
        return why + "Here all rounds explore, so no estimate is used."
    far, n = far_off(result), f"{result.runs:,} {'run' if result.runs == 1 else 'runs'}"
    first = int(far[:, 0].sum())
    when = f"In round {s.tau + 1:,}, the first after exploration," if s.tau else "In round 1"
    said = f"{when} it is farther off in **{first:,} of {n}** "
    said += f"({first / result.runs:.0%}). "
    if s.tau <= 1:
        said += "But there nothing has been asked yet: the estimate is zero, at distance 1. "
    if s.tau + 1 < s.horizon:
        said += f"In the last round it is so in {int(far[:, -1].sum()):,} of {n}."
    return why + said.rstrip()


def slack_words(proof: Proof) -> str:
    """The bars for those who cannot see them."""
    if proof.loosest is None:
        return "No step has a slack."
    steps = zip(STEP_NAMES, proof.slack, strict=True)
    return "Mean factor that each step gives away: " + ", ".join(f"{name} {spoken(f)}" for name, f in steps) + "."


def learning(since: Fit) -> str:
    """What a slope says about learning; the slope is that of the regret after exploration."""
    if math.isnan(since.slope):
        return "There are too few rounds with regret after exploration to fit a slope."
    if math.isnan(since.error):
        return "With so few runs there is no telling how sure that is."
    if since.slope + since.error < 1:
        return "Regret's slope is clearly below 1, that of a straight line: the algorithm gets better as it goes."
    return "Regret's slope is not clearly below 1, that of a straight line: these rounds show no learning."


def measured(result: Result, theory: Theory) -> str:
    """The regret of the runs, and how far it is below the bound."""
    if not result.runs:
        return "No run is complete yet."
    mean, band = result.mean("regret")[-1], result.band("regret")[-1]
    about = "" if np.isnan(band) else f" ± {spoken(band, 2)}"
    bound = float(theory.bound(theory.scenario.horizon))
    runs = "run" if result.runs == 1 else f"{result.runs:,} runs"
    times = f": the bound is {spoken(bound / mean)} times as large" if mean > 0 and math.isfinite(bound) else ""
    return f"**The {runs} say {spoken(mean)}**{about}{times}. {another_scale(theory.scenario)}".rstrip()
