"""Critical ratios that are infinite, and so in no mean: how many there are, in words."""

from collections.abc import Mapping

import numpy as np

from roam_core import Result


def infinite_share(result: Result) -> float:
    """The share of infinite ones among the critical ratios of a result; 0 if it has none at all."""
    known = ~np.isnan(result.ratio)
    return float(np.isinf(result.ratio).sum() / known.sum()) if known.any() else 0.0


def rounded_share(share: float) -> str:
    """A share above 0 as text that is not 0."""
    return f"{share:.1%}" if share >= 0.001 else "less than 0.1%"


def left_out(results: Mapping[str, Result]) -> str:
    """What the means of the ratio leave out, by name of the result; nothing if they leave out nothing."""
    shares = {name: share for name, result in results.items() if (share := infinite_share(result))}
    if not shares:
        return ""
    alone = len(results) == 1
    said = ", ".join(rounded_share(share) + ("" if alone else f" ({name})") for name, share in shares.items())
    return (
        "The mean critical ratio leaves out the rounds in which an item that is not the best is compared with itself: "
        f"the ratio is infinite there. Of the rounds after exploration these are {said}."
    )
