"""What came of a sitting: which features matter, which answers taught most, how another rule would have done."""

from dataclasses import dataclass, replace

import numpy as np
from scipy.stats import mannwhitneyu, norm

from pages.you.coin import LUCK
from pages.you.sitting import LEFT, NEITHER, ON_OFFER, Answered, Sitting
from roam_core import Scenario
from roam_core.estimator import Estimator
from roam_core.links import LINKS
from roam_core.persons import angles, ask_persons

MOST_BARS = 6  # features that are drawn
TOO_MANY = 20  # features: of more, patterns are shown instead
PERSONS = 120  # that a sitting is replayed with
DRAWS = 1000  # of tastes, for the angle
REACH = float(norm.ppf(0.975))


@dataclass(frozen=True)
class Weight:
    """What is believed about one feature: how much is gained in utility when it grows by a standard deviation."""

    name: str
    ends: tuple[str, str]  # what little and what much of it is called
    mean: float
    deviation: float
    before: float  # the deviation before the first answer

    @property
    def low(self) -> float:
        """The lower end of the interval of 95%."""
        return self.mean - REACH * self.deviation

    @property
    def high(self) -> float:
        """Its upper end."""
        return self.mean + REACH * self.deviation

    @property
    def sure(self) -> float:
        """The probability that the feature pulls the way it seems to."""
        return float(norm.cdf(abs(self.mean) / self.deviation)) if self.deviation else 1.0

    @property
    def matters(self) -> bool:
        """Whether the interval leaves zero out."""
        return self.low > 0 or self.high < 0

    @property
    def liked(self) -> str:
        """The end of the feature that seems to be liked."""
        return self.ends[self.mean > 0]


def weights(sitting: Sitting) -> list[Weight]:
    """The features that differ most between the items, in their own order; of too many features, their patterns."""
    axes, used = sitting.embedding.axes, sitting.embedding.features_used
    catalogue, covariance = sitting.catalogue, sitting.roam.covariance
    if len(used) > TOO_MANY:
        named = [(f"pattern {i + 1}", (f"against pattern {i + 1}", f"along pattern {i + 1}")) for i in range(len(axes))]
        columns = np.diag(sitting.embedding.items.std(0))
    else:
        place = [catalogue.features.index(name) for name in used]
        widest = sorted(sorted(place, key=lambda i: -np.linalg.norm(axes[:, i]))[:MOST_BARS])
        named = [(catalogue.features[i], catalogue.ends[i]) for i in widest]
        columns = axes[:, widest]
    mean = sitting.estimate @ columns
    deviation = np.sqrt(np.einsum("ij,ik,kj->j", columns, covariance, columns))
    before = np.linalg.norm(columns, axis=0) / np.sqrt(sitting.settings.ridge)
    rows = zip(named, mean, deviation, before, strict=True)
    return [Weight(name, ends, float(m), float(s), float(b)) for (name, ends), m, s, b in rows]


def spread(sitting: Sitting, share: float = 0.9) -> float:
    """Degrees from the estimate within which such a share of the tastes lies that are still believed possible."""
    draws = np.random.default_rng(0).multivariate_normal(sitting.estimate, sitting.roam.covariance, DRAWS)
    return float(np.quantile(angles(draws, np.broadcast_to(sitting.estimate, draws.shape)), share))


def teachers(sitting: Sitting, most: int = 3) -> list[tuple[Answered, float]]:
    """The answers without which the estimate would point elsewhere, and by how many degrees; the farthest first."""
    told = [one for one in sitting.asked if one.side != NEITHER]
    if len(told) < 2:
        return []
    s, items = sitting.settings, sitting.embedding.items
    z = np.array([items[one.question.left] - items[one.question.right] for one in told])
    estimator = Estimator(LINKS["logistic"], s.ridge, len(told), s.d, len(told), reach=2 * s.radius)
    for i, one in enumerate(told):  # run j does without answer j: a zero z changes nothing
        left_out = np.arange(len(told))[:, None] == i
        estimator.add(np.where(left_out, 0.0, z[i]), np.full(len(told), one.side == LEFT))
    moved = angles(estimator.estimate, np.broadcast_to(sitting.estimate, estimator.estimate.shape))
    return [(told[i], float(moved[i])) for i in np.argsort(-moved, kind="stable")[:most]]


@dataclass(frozen=True)
class Replay:
    """How far estimates point from the taste in many sittings of persons who have the taste that was estimated."""

    questions: int
    angles: dict[str, np.ndarray]  # rule -> (persons,) degrees at the end

    def median(self, rule: str) -> float:
        """The angle of the person in the middle."""
        return float(np.median(self.angles[rule]))

    @property
    def differ(self) -> bool:
        """Whether the rules differ by more than luck: rank-sum test at 5%."""
        one, other = self.angles.values()
        return mannwhitneyu(one, other).pvalue <= LUCK


def replay(sitting: Sitting) -> Replay | None:
    """The same number of questions with the rule of the sitting and about the previous item only.

    If that is the sitting's own rule, the paper's rule stands beside it. None as long as nothing was learnt.
    """
    s, asked = sitting.settings, len(sitting.asked)
    if not sitting.learnt or asked < 2:
        return None
    theta = np.tile(sitting.estimate, (PERSONS, 1))
    other = "most_uncertain" if s.ask == "previous" else "previous"
    base = Scenario(
        d=s.d,
        tau=min(s.tau, asked),
        k=ON_OFFER,
        horizon=asked + 1,
        runs=PERSONS,
        radius=s.radius,
        ridge=s.ridge,
        seed=s.seed,
    )
    items = sitting.embedding.items
    found = {rule: ask_persons(theta, items, replace(base, ask=rule)).angles[:, -1] for rule in (s.ask, other)}
    return Replay(asked, found)
