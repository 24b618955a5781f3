"""The paper's algorithms once more: one run, plain loops, library estimators. The engine is judged against this.

Nothing here comes from roam_core.
"""

import numpy as np
from scipy import optimize, stats
from sklearn import config_context
from sklearn.linear_model import LogisticRegression

CDF = {"logistic": stats.logistic, "probit": stats.norm, "cauchit": stats.cauchy}


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


def norm(v, V):
    """|v| in V^-1."""
    return np.sqrt(v @ np.linalg.solve(V, v))


def roam(contexts, tau, link, ridge, ask, window, first_picks, answer, pick_random, skip_below=0.0):
    """Algorithm 1. Yields (x, y index, z, estimate) round by round; y is None where nothing is asked.

    contexts: T arrays (k, d). first_picks: index of the item to recommend while the algorithm picks at random.
    answer(t, z): the user's answer. pick_random(t): index of the past item for the ask rule "random".
    skip_below: after exploration and the first question, a probe z with a smaller norm is not asked.
    """
    d = contexts[0].shape[1]
    history, probes, outcomes = [], [], []
    V = ridge * np.eye(d)
    for t, items in enumerate(contexts):
        estimate = fit(probes, outcomes, link, ridge) if probes else np.zeros(d)
        at_random = t < tau or not probes
        x = items[first_picks[t]] if at_random else max(items, key=lambda item: item @ estimate)
        if not history:
            yield x, None, np.zeros(d), estimate
            history.append(x)
            continue
        newest = len(history) - 1
        if t < tau or ask == "previous":
            y = newest
        elif ask == "random":
            y = pick_random(t)
        else:
            first = max(0, len(history) - window) if ask == "recent" else 0
            y = max(range(first, len(history)), key=lambda i: norm(x - history[i], V))
        z = x - history[y]
        if t >= tau and probes and norm(z, V) < skip_below:
            yield x, None, z, estimate
        else:
            yield x, y, z, estimate
            probes.append(z)
            outcomes.append(answer(t, z))
            V = V + np.outer(z, z)
        history.append(x)


def colstim(contexts, tau, link, ridge, c1, first_pairs, perturbation, answer):
    """CoLSTIM. Yields (x, y, z, estimate). perturbation(t): (k,) clipped noise. first_pairs: (t) -> two indices."""
    d = contexts[0].shape[1]
    probes, outcomes = [], []
    V = ridge * np.eye(d)
    for t, items in enumerate(contexts):
        estimate = fit(probes, outcomes, link, ridge) if probes else np.zeros(d)
        if t < tau:
            i, j = first_pairs(t)
        else:
            noise = perturbation(t)
            i = max(range(len(items)), key=lambda n: items[n] @ estimate + noise[n] * norm(items[n], V))
            j = max(range(len(items)), key=lambda n: items[n] @ estimate + c1 * norm(items[n] - items[i], V))
        x, y = items[i], items[j]
        z = x - y
        yield x, y, z, estimate
        probes.append(z)
        outcomes.append(answer(t, z))
        V = V + np.outer(z, z)


def free_run(
    rng, d, k, horizon, tau, link, ridge, algorithm,
    ask="most_uncertain", window=50, c1=1.0, c2=0.1, skip_below=0.0, user_link=None,
):  # fmt: skip
    """One free-running simulation on the unit sphere: (final regret, final error, mean critical ratio, questions)."""

    def sphere(shape):
        points = rng.normal(size=shape)
        return points / np.linalg.norm(points, axis=-1, keepdims=True)

    theta = sphere(d)
    contexts = list(sphere((horizon, k, d)))
    user = CDF[user_link or link]

    def answer(t, z):
        return int(rng.random() < user.cdf(z @ theta))

    if algorithm == "roam":
        picks = rng.integers(k, size=horizon)
        rounds = roam(
            contexts, tau, link, ridge, ask, window, picks, answer, lambda t: rng.integers(t), skip_below
        )  # fmt: skip
    else:
        noise = {"logistic": stats.gumbel_r, "probit": stats.norm}[link]
        rounds = colstim(
            contexts,
            tau,
            link,
            ridge,
            c1,
            lambda t: rng.choice(k, 2, replace=False),
            lambda t: np.clip(noise.rvs(size=k, random_state=rng), -c2, c2),
            answer,
        )
    V = ridge * np.eye(d)
    regret, error, ratios, questions = 0.0, 0.0, [], 0
    for t, (x, y, z, estimate) in enumerate(rounds):
        best = max(contexts[t], key=lambda item: item @ theta)
        paid = x if algorithm == "roam" else (x + y) / 2
        regret += (best - paid) @ theta
        if t >= tau and z.any():
            ratios.append(norm(x - best, V) / norm(z, V))
        error = np.linalg.norm(theta - estimate)
        if y is not None:
            V = V + np.outer(z, z)
            questions += 1
    return regret, error, np.mean(ratios), questions
