"""Items that somebody hands in, looked at before anything is done with them."""

from typing import Any

import numpy as np

ROUNDING = 1e-6  # by how much, relative to the radius, an item may be longer than it


def items(given: Any, name: str, d: int, radius: float, axes: int = 2) -> np.ndarray:
    """A copy of some items (k, d), or of one item (d,) with one of the `axes`; ValueError if they cannot be items.

    >>> items([[0.6, 0.8, 0.0]], "items", d=2, radius=1.0)
    Traceback (most recent call last):
    ...
    ValueError: items has the shape (1, 3), and (k, 2) is wanted
    """
    try:
        array = np.asarray(given)
    except ValueError:
        raise ValueError(f"{name} has rows of different lengths, and each item must have d = {d} numbers") from None
    if array.dtype.kind not in "iuf":
        raise ValueError(f"{name} must be an array of real numbers, d = {d} for each item")
    if array.ndim != axes or array.shape[-1] != d or not array.size:
        raise ValueError(f"{name} has the shape {array.shape}, and {f'(k, {d})' if axes == 2 else (d,)} is wanted")
    with np.errstate(over="ignore"):
        array = array.astype(float)
        norms = np.atleast_1d(np.sqrt(np.vecdot(array, array)))
    if not np.isfinite(array).all():
        raise ValueError(f"{name} has a number in it that is not finite")
    if norms.max() > radius * (1 + ROUNDING):
        which = f"item {norms.argmax()} of {name}" if axes == 2 else name
        raise ValueError(
            f"{which} has the norm {norms.max():.6g}, and the largest allowed is the radius, {radius:g}: divide all "
            "items by a number, or give a larger radius"
        )
    return array
