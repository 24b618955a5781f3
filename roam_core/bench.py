"""How fast is the engine? Compared with the paper's recipe in the same run, because machines differ and are noisy."""

import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
from threadpoolctl import threadpool_limits

from roam_core import executors
from roam_core.scenario import Scenario
from roam_core.simulate import simulate, stream

try:
    import resource
except ImportError:  # Windows
    resource = None

CLASS = 30  # visitors at once
WORKERS = 2
CASES = {
    "ROAM d=5": Scenario(),
    "ROAM d=2": Scenario(d=2),
    "ROAM d=10": Scenario(d=10),
    "CoLSTIM d=5": Scenario(algorithm="colstim"),
}
GROWTH = {
    "k 1000 -> 2000": (Scenario(), Scenario(k=2000)),
    "T 1000 -> 2000": (Scenario(tau=50), Scenario(tau=50, horizon=2000)),
    "runs 100 -> 200": (Scenario(), Scenario(runs=200)),
}
ASKING = {f"informative d={d}": (Scenario(d=d), Scenario(d=d, ask="informative")) for d in (5, 2, 10)}
MEMORY = {
    "the defaults": Scenario(),
    "CoLSTIM": Scenario(algorithm="colstim"),
    "k = 20,000": Scenario(k=20_000, runs=40),
}


def recipe(scenario: Scenario, seed: int) -> float:
    """One run as the paper describes it: every item drawn, scikit-learn at every round. Returns the regret.

    Logistic link and items on the sphere only.
    """
    from sklearn.linear_model import LogisticRegression  # slow to import, and only needed here

    s = scenario.resolved()
    rng = np.random.default_rng(seed)

    def sphere(*shape: int) -> np.ndarray:
        points = rng.normal(size=shape)
        return points / np.linalg.norm(points, axis=-1, keepdims=True)

    theta, estimate, V, regret = sphere(s.d), np.zeros(s.d), s.ridge * np.eye(s.d), 0.0
    history, probes, outcomes = [], [], []
    for t in range(s.horizon):
        items = sphere(s.k, s.d)
        best = items[(items @ theta).argmax()]
        if len(set(outcomes)) == 2:  # scikit-learn needs an answer of either kind
            model = LogisticRegression(fit_intercept=False, C=1 / s.ridge, max_iter=1000)
            estimate = model.fit(np.array(probes), np.array(outcomes)).coef_[0]
        inverse = np.linalg.inv(V)
        if s.declared.asks_the_past:
            x = items[rng.integers(s.k)] if t < max(s.tau, 2) else items[(items @ estimate).argmax()]
            if t < s.tau:
                y = history[-1] if history else x
            else:
                y = history[_norms(x - np.array(history), inverse).argmax()] if history else x
            regret += (best - x) @ theta
            history.append(x)
        else:
            if t < s.tau:
                x, y = items[rng.choice(s.k, 2, replace=False)]
            else:
                noise = np.clip(rng.gumbel(size=s.k), -s.c2, s.c2)
                x = items[(items @ estimate + noise * _norms(items, inverse)).argmax()]
                y = items[(items @ estimate + s.c1 * _norms(items - x, inverse)).argmax()]
            regret += (best - (x + y) / 2) @ theta
        z = x - y
        if z.any():
            probes.append(z)
            outcomes.append(int(rng.random() < 1 / (1 + np.exp(-z @ theta))))
            V = V + np.outer(z, z)
    return float(regret)


def _norms(vectors: np.ndarray, inverse: np.ndarray) -> np.ndarray:
    return np.sqrt(((vectors @ inverse) * vectors).sum(1))


def seconds(work: Callable[[], object]) -> float:
    """How long this takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def measure_case(scenario: Scenario, pool, repeats: int) -> dict:
    """Recipe, engine here and engine on the pool, in turns; milliseconds a run."""
    times: dict[str, list[float]] = {"recipe": [], "one process": [], "workers": []}
    for repeat in range(repeats):
        times["recipe"].append(1e3 * seconds(lambda seed=repeat: recipe(scenario, seed)))
        times["one process"].append(1e3 * seconds(lambda: simulate(scenario)) / scenario.runs)
        times["workers"].append(1e3 * seconds(lambda: simulate(scenario, pool)) / scenario.runs)
    row: dict = {f"{name} ms/run": float(np.median(values)) for name, values in times.items()}
    for name in ("one process", "workers"):
        ratios = [slow / fast for slow, fast in zip(times["recipe"], times[name], strict=True)]
        row[f"{name} ratio"] = {"median": float(np.median(ratios)), "worst": min(ratios), "best": max(ratios)}
    return row


def measure_growth(smaller: Scenario, larger: Scenario, pool, repeats: int) -> dict:
    """How many times longer the larger scenario takes, on the pool or, without one, here."""
    ratios = []
    for _ in range(repeats):
        base = seconds(lambda: simulate(smaller, pool))
        ratios.append(seconds(lambda: simulate(larger, pool)) / base)
    return {"median": float(np.median(ratios)), "worst": max(ratios), "best": min(ratios)}


def measure_first(scenario: Scenario, pool, repeats: int) -> dict:
    """When the first complete runs come out of the stream, as a share of the total time."""
    shares = []
    for _ in range(repeats):
        start, first = time.perf_counter(), None
        for result in stream(scenario, pool):
            if first is None and result.runs:
                first = time.perf_counter() - start
        shares.append(first / (time.perf_counter() - start))
    return {"median": float(np.median(shares)), "worst": max(shares), "best": min(shares)}


def measure_memory(scenario: Scenario) -> float | None:
    """Peak memory in MB of a fresh process and its workers together while they simulate; None where it is not known."""
    if resource is None:
        return None
    code = f"from roam_core.bench import report_memory; report_memory({scenario.to_strings()!r})"
    return float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)


def report_memory(strings: dict[str, str]) -> None:
    """Simulate on fresh workers and print the sum of everyone's peak memory in MB."""
    with executors.processes(WORKERS) as pool:
        simulate(Scenario.from_strings(strings), pool)
        peaks: dict[int, float] = {}
        while len(peaks) < WORKERS:
            answers = [pool.submit(_peak_memory) for _ in range(WORKERS)]
            peaks |= dict(answer.result() for answer in answers)
    print(sum(peaks.values()) + _peak_memory()[1])


def _peak_memory() -> tuple[int, float]:
    time.sleep(0.05)  # so that another worker gets the next question
    unit = 1e6 if sys.platform == "darwin" else 1e3
    return os.getpid(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def run(repeats: int, say: Callable[[str], None]) -> dict:
    """All measurements; `say` gets a line of the table at a time."""
    report: dict = {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "workers": WORKERS,
        "repeats": repeats,
    }
    with threadpool_limits(1), executors.processes(WORKERS) as pool:
        say(f"Milliseconds a run, and how many times faster than the recipe: median (worst to best) of {repeats}")
        say(f"{'':18}{'recipe':>10}{'alone':>10}{'workers':>10}{'ratio, alone':>28}{'ratio, 2 workers':>28}")
        report["cases"] = {}
        for name, scenario in CASES.items():
            row = report["cases"][name] = measure_case(scenario, pool, repeats)
            times = (row["recipe ms/run"], row["one process ms/run"], row["workers ms/run"])
            say(
                f"{name:18}{times[0]:10.0f}{times[1]:10.1f}{times[2]:10.1f}"
                f"{_spread(row['one process ratio']):>28}{_spread(row['workers ratio']):>28}"
            )
        say("\nHow many times longer a larger scenario takes")
        report["growth"] = {name: measure_growth(*pair, pool, repeats) for name, pair in GROWTH.items()}
        for name, ratio in report["growth"].items():
            say(f"{name:18}{_spread(ratio)}")
        report["asking"] = {name: measure_growth(*pair, None, repeats) for name, pair in ASKING.items()}
        say("\nHow many times longer it takes with another ask rule than with the paper's, in one process")
        for name, ratio in report["asking"].items():
            say(f"{name:18}{_spread(ratio)}")
        report["first runs"] = measure_first(Scenario(), pool, repeats)
        say(f"\nFirst complete runs, as a share of the total time: {_spread(report['first runs'])}")
    report["peak memory MB"] = {name: measure_memory(scenario) for name, scenario in MEMORY.items()}
    say("\nPeak memory in MB, all processes together")
    for name, megabytes in report["peak memory MB"].items():
        say(f"{name:18}{'not known on this system' if megabytes is None else f'{megabytes:.0f}'}")
    report["class"] = measure_class(say)
    return report


def measure_class(say: Callable[[str], None]) -> dict:
    """How long visitors of the dashboard wait for its pool; nothing where the core is installed without it."""
    try:
        from pages.board import bench as board
    except ImportError:
        return {}
    waits = board.report(CLASS, Scenario())
    say("\nSeconds from a request to the first runs and to all of them, without a browser: median (slowest)")
    for name, seconds in waits.items():
        say(f"{name:24}{board.words(seconds['first']):>16}{board.words(seconds['full']):>16}")
    return waits


def _spread(numbers: dict[str, float]) -> str:
    return f"{numbers['median']:.2f} ({numbers['worst']:.2f} to {numbers['best']:.2f})"
