"""The paper's algorithms once more: one run, plain loops, library estimators. The engine is judged against this.

Nothing here comes from roam_core.
"""

import numpy as np
from scipy import optimize, special, stats
from sklearn import config_context
from sklearn.linear_model import LogisticRegression

CDF = {"logistic": stats.logistic, "probit": stats.norm, "cauchit": stats.cauchy}
# The same functions and their slopes, without the checks that SciPy's distributions make at every call.
F = {"logistic": special.expit, "probit": special.ndtr, "cauchit": lambda u: 0.5 + np.arctan(u) / np.pi}
SLOPE = {
    "logistic": lambda u: special.expit(u) * special.expit(-u),
    "probit": lambda u: np.exp(-u * u / 2) / np.sqrt(2 * np.pi),
    "cauchit": lambda u: 1 / (np.pi * (1 + u * u)),
}


def fit(z, outcomes, link, ridge):
    """The estimate from probes z (t, d) and outcomes (t,): scikit-learn for the logistic link, SciPy for the others."""
    z, outcomes = np.asarray(z), np.asarray(outcomes)
    if link == "logistic":
        # scikit-learn wants both classes: (z, o) with weight 1 is (z, o) and (-z, 1 - o) with weight 1/2 each.
        model = LogisticRegression(fit_intercept=False, C=1 / ridge, tol=1e-12, max_iter=1000, solver="newton-cholesky")
        with config_context(assume_finite=True, skip_parameter_validation=True):
            model.fit(np.vstack([z, -z]), np.r_[outcomes, 1 - outcomes], sample_weight=np.full(2 * len(z), 0.5))
        return model.coef_[0]
    law = CDF[link]

    def equation(theta):
        return (law.cdf(z @ theta) - outcomes) @ z + ridge * theta

    def jacobian(theta):
        return (z.T * law.pdf(z @ theta)) @ z + ridge * np.eye(z.shape[1])

    start = np.zeros(z.shape[1])
    solution = optimize.least_squares(equation, start, jacobian, method="trf", xtol=1e-15, ftol=1e-15, gtol=1e-15)
    return solution.x


def root(z, outcomes, link, ridge, start):
    """The same estimate, ten times faster: SciPy's root finder, from the estimate of the round before.

    The slope of the equation is at least the ridge everywhere, so the root is at most |equation| / ridge away. Where
    that is not enough, `fit` takes over.
    """
    z, outcomes = np.asarray(z), np.asarray(outcomes)

    def equation(theta):
        return (F[link](z @ theta) - outcomes) @ z + ridge * theta

    def jacobian(theta):
        return (z.T * SLOPE[link](z @ theta)) @ z + ridge * np.eye(z.shape[1])

    found = optimize.root(equation, start, jac=jacobian, options={"xtol": 1e-13}).x
    if np.linalg.norm(equation(found)) / ridge < 1e-6 * (1 + np.linalg.norm(found)):
        return found
    return fit(z, outcomes, link, ridge)


def hessian(z, link, ridge, estimate):
    """ridge * I + sum F'(<z, estimate>) z z^T over probes z, a list."""
    return ridge * np.eye(len(estimate)) + sum(SLOPE[link](v @ estimate) * np.outer(v, v) for v in z)


def gains(z, H, link, estimate):
    """By how much the logarithm of the determinant of H grows with each of the questions z (n, d)."""
    grown = [H + SLOPE[link](v @ estimate) * np.outer(v, v) for v in z]
    return np.linalg.slogdet(np.array(grown)).logabsdet - np.linalg.slogdet(H).logabsdet


def norm(v, V):
    """|v| in V^-1, for one v (d,) or for every row of v (n, d)."""
    return np.sqrt((v * np.linalg.solve(V, v.T).T).sum(-1))


def roam(
    contexts, tau, link, ridge, ask, window, first_picks, answer, pick_random, skip_below=0.0, questions=1, by_hand=None
):  # fmt: skip
    """Algorithm 1. Yields (x, y index, z, estimate) round by round; y is None where nothing is asked.

    With several `questions` per item, y is a list, one entry a question, and z that of the first. They are about
    different items, and each is chosen with the V that the answer to the one before has left.

    contexts: T arrays (k, d). first_picks: index of the item to recommend while the algorithm picks at random.
    answer(t, z): the user's answer, or None for "can't say". pick_random(t): index of the past item for the ask rule
    "random".
    skip_below: after exploration and the first question, a probe z with a smaller norm is not asked.
    by_hand: {round: round of the item}, counted from 1, for questions that somebody chose in place of the first.
    """
    d = contexts[0].shape[1]
    history, probes, outcomes = [], [], []
    V, estimate = ridge * np.eye(d), np.zeros(d)
    for t, items in enumerate(contexts):
        estimate = root(probes, outcomes, link, ridge, estimate) if probes else estimate
        at_random = t < tau or not probes
        x = items[first_picks[t]] if at_random else items[(items @ estimate).argmax()]
        if not history:
            yield x, None, np.zeros(d), estimate
            history.append(x)
            continue
        first = max(0, len(history) - window) if ask == "recent" and t >= tau else 0
        left, told, probe = list(range(first, len(history))), [], None
        for _ in range(questions if t >= tau else 1):
            if not left:
                break
            if by_hand and not told and t + 1 in by_hand:
                y = by_hand[t + 1] - 1
            elif t < tau or ask == "previous":
                y = left[-1]
            elif ask == "random":
                y = pick_random(t, len(told)) if questions > 1 else pick_random(t)
            elif ask == "informative":
                now = root(probes, outcomes, link, ridge, estimate) if told else estimate
                candidates = x - np.array([history[i] for i in left])
                y = left[gains(candidates, hessian(probes, link, ridge, now), link, now).argmax()]
            else:  # also the ask rule "formula", whose default is this rule
                y = left[norm(x - np.array([history[i] for i in left]), V).argmax()]
            left = [i for i in left if i != y]
            z = x - history[y]
            probe = z if probe is None else probe
            if t >= tau and (probes or told) and norm(z, V) < skip_below:
                told.append(None)
                continue
            told.append(y)
            said = answer(t, z, len(told) - 1) if questions > 1 else answer(t, z)
            if said is None:
                continue
            probes.append(z)
            outcomes.append(said)
            V = V + np.outer(z, z)
        yield x, told if questions > 1 else told[0], probe, estimate
        history.append(x)


def colstim(contexts, tau, link, ridge, c1, first_pairs, perturbation, answer):
    """CoLSTIM. Yields (x, y, z, estimate). perturbation(t): (k,) clipped noise. first_pairs: (t) -> two indices."""
    d = contexts[0].shape[1]
    probes, outcomes = [], []
    V, estimate = ridge * np.eye(d), np.zeros(d)
    for t, items in enumerate(contexts):
        estimate = root(probes, outcomes, link, ridge, estimate) if probes else estimate
        if t < tau:
            i, j = first_pairs(t)
        else:
            i = (items @ estimate + perturbation(t) * norm(items, V)).argmax()
            j = (items @ estimate + c1 * norm(items - items[i], V)).argmax()
        x, y = items[i], items[j]
        z = x - y
        yield x, y, z, estimate
        probes.append(z)
        outcomes.append(answer(t, z))
        V = V + np.outer(z, z)


def free_run(
    rng, d, k, horizon, tau, link, ridge, algorithm,
    ask="most_uncertain", window=50, c1=1.0, c2=0.1, skip_below=0.0, user_link=None, questions=1,
):  # fmt: skip
    """One free-running simulation on the unit sphere, told in eight numbers. tau is at least 1."""

    def sphere(shape):
        points = rng.normal(size=shape)
        return points / np.linalg.norm(points, axis=-1, keepdims=True)

    theta = sphere(d)
    contexts = list(sphere((horizon, k, d)))

    def answer(t, z, _=0):
        return int(rng.random() < F[user_link or link](z @ theta))

    if algorithm == "roam":
        picks = rng.integers(k, size=horizon)
        rounds = roam(
            contexts, tau, link, ridge, ask, window, picks, answer, lambda t: rng.integers(t), skip_below, questions
        )  # fmt: skip
    else:
        noise = {"logistic": rng.gumbel, "probit": rng.normal}[link]
        rounds = colstim(
            contexts,
            tau,
            link,
            ridge,
            c1,
            lambda t: rng.choice(k, 2, replace=False),
            lambda t: np.clip(noise(size=k), -c2, c2),
            answer,
        )
    V = ridge * np.eye(d)
    regret, error, ratios, ages, history, asked = [], [], [], [], [], 0
    for t, (x, y, z, estimate) in enumerate(rounds):
        if t == tau:
            lambda_min = np.linalg.eigvalsh(V)[0]
        best = contexts[t][(contexts[t] @ theta).argmax()]
        paid = x if algorithm == "roam" else (x + y) / 2
        regret.append((best - paid) @ theta)
        error.append(np.linalg.norm(theta - estimate))
        if t >= tau and (z.any() or (x == best).all()):
            ratios.append(norm(x - best, V) / norm(z, V) if z.any() else 0.0)
        if algorithm == "colstim":
            V = V + np.outer(z, z)
            asked += 1
        else:
            told = [i for i in (y if isinstance(y, list) else [y]) if i is not None]
            V = V + sum(np.outer(x - history[i], x - history[i]) for i in told)
            asked += len(told)
            ages += [t - i for i in told[:1]]  # of the first question
        history.append(x)
    return {
        "regret while exploring": sum(regret[:tau]),
        "regret after": sum(regret[tau:]),
        "error after exploring": np.mean(error[tau:]),
        "last error": error[-1],
        "ratio": np.mean(ratios),
        "lambda_min": lambda_min,
        "age of y": np.mean(ages) if ages else 0.0,
        "questions": asked,
    }
