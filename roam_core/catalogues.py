"""Catalogues: items that exist, with features that have names and a picture of each.

A catalogue is finite (wines, digits, a table of one's own) or without end (flowers, colours: drawn from the features'
own ranges). Its features are standardised and become items of norm at most r: see `Embedding`. To add a catalogue,
declare it in `CATALOGUES`; `items.py` makes a law of it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from numbers import Integral
from typing import NamedTuple

import numpy as np

from roam_core import digits, flowers, swatches, wines
from roam_core.features import Range
from roam_core.tables import MOST_LETTERS, Table, plain, read_table

SAMPLE = 2000  # items of a catalogue without end that are listed
RANK = 1e-6  # of the widest principal component: one that is narrower counts as none


class Standard(NamedTuple):
    """Features as numbers without units: (values - middle) / unit."""

    middle: np.ndarray  # (p,)
    unit: np.ndarray  # (p,)

    def of(self, values: np.ndarray) -> np.ndarray:
        """Standardised features (..., p) of values (..., p)."""
        return (values - self.middle) / self.unit


@dataclass(frozen=True, eq=False)
class Embedding:
    """The items of a catalogue with d features: item = axes @ standardised features, of norm at most the radius.

    Of a table the axes are its principal components, and the longest item is as long as the radius. Without end they
    are the first d features, the others keep a middle value, and the most extreme item is as long as the radius.
    """

    catalogue: "Catalogue"
    values: np.ndarray  # (n, p) features of the items in their own units, as they are with d of them
    axes: np.ndarray  # (d, p)
    features_used: tuple[str, ...]  # that differ between the items
    sigma: np.ndarray  # (d, d) E[(x - x')(x - x')^T] of two independent draws

    @cached_property
    def items(self) -> np.ndarray:
        """(n, d)"""
        return _fixed(self.of(self.values))

    @property
    def lambda_min(self) -> float:
        """Smallest eigenvalue of Sigma."""
        return float(np.linalg.eigvalsh(self.sigma)[0])

    def of(self, values: np.ndarray) -> np.ndarray:
        """(..., d) items with features values (..., p) in their own units."""
        return self.catalogue.standard.of(values) @ self.axes.T

    def taste(self, theta: np.ndarray) -> np.ndarray:
        """(p,) what a taste (d,) says of each standardised feature: <item, theta> = <standardised, taste>."""
        return np.asarray(theta) @ self.axes

    def draw(self, row: int) -> str:
        """The picture of an item as it is with d features."""
        return self.catalogue.draw(self._row(row))

    def describe(self, row: int) -> str:
        """The words for an item as it is with d features."""
        return self.catalogue.describe(self._row(row))

    def _row(self, row: int) -> int | np.ndarray:
        return row if self.values is self.catalogue.values else self.values[row]


@dataclass(frozen=True, eq=False)
class Catalogue:
    """Things with features. Two catalogues are the same if their names and items are.

    A `row` is the number of an item in `values`; for catalogues without end it may also be the features themselves.
    """

    name: str  # in links and on the command line
    words: str  # its name on screen
    one: str  # what one of its items is called
    most_features: int  # largest d
    load: Callable[[], Table]
    words_of: Callable[[Table, int], str]
    picture: Callable[[Table, int], str]  # what is inside of <svg viewBox="0 0 100 100">

    @cached_property
    def table(self) -> Table:
        """Names and features; read when first asked for."""
        return self.load()

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the p features, the most visible first."""
        return self.table.features

    @property
    def ends(self) -> tuple[tuple[str, str], ...]:
        """For each feature what little and what much of it is called: ("few petals", "many petals")."""
        return self.table.ends

    @property
    def names(self) -> tuple[str, ...]:
        """A name of each of the n items."""
        return self.table.names

    @property
    def values(self) -> np.ndarray:
        """(n, p) the features in their own units."""
        return self.table.values

    @property
    def endless(self) -> bool:
        """Whether there are always fresh items."""
        return False

    def describe(self, row: int) -> str:
        """An item in words."""
        return self.words_of(self.table, row)

    def draw(self, row: int) -> str:
        """An item as a picture, <svg>, with its words as the title."""
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" role="img">'
            f"<title>{escape(self.describe(row))}</title>{self.picture(self.table, row)}</svg>"
        )

    @cached_property
    def standard(self) -> Standard:
        """Mean and standard deviation of each feature; a feature that is always the same stays zero."""
        low, width = self.values.min(0), np.ptp(self.values, axis=0)
        width = np.where(width > 0, width, 1)
        share = (self.values - low) / width  # in [0, 1], whatever the numbers' size
        deviation = share.std(0)
        return Standard(low + width * share.mean(0), width * np.where(deviation > 0, deviation, 1))

    @cached_property
    def _components(self) -> np.ndarray:
        """(most, p) principal components of the standardised features, the widest first."""
        from sklearn.decomposition import PCA

        found = PCA(svd_solver="full").fit(self.standard.of(self.values))
        wide = found.singular_values_ > RANK * found.singular_values_[0]
        return found.components_[wide]

    def embedding(self, d: int, radius: float = 1.0) -> Embedding:
        """The items with d features, of norm at most the radius."""
        self.check(d)
        axes = self._components[:d]
        items = self.standard.of(self.values) @ axes.T
        axes = axes * (radius / np.linalg.norm(items, axis=1).max())
        sigma = 2 * np.cov(self.standard.of(self.values) @ axes.T, rowvar=False, bias=True)
        return Embedding(self, self.values, _fixed(axes), self.features, _fixed(sigma))

    def check(self, d: int) -> None:
        """Refuse a d that there are not enough features for."""
        if not isinstance(d, Integral) or isinstance(d, bool) or not 2 <= d <= self.most_features:
            raise ValueError(
                f"d = {d!r} is not allowed: feature dimension must be a whole number from 2 to {self.most_features} "
                f"with {self.words}"
            )

    def draw_items(self, rng: np.random.Generator, runs: int, d: int, k: int) -> np.ndarray:
        """(runs, d, k) independent draws with replacement, of norm at most 1, in single precision."""
        columns = self._columns(d)
        index = rng.integers(len(self.values), size=(runs, k), dtype=np.int32)
        drawn = np.empty((runs, d, k), dtype=np.float32)
        for i, column in enumerate(columns):
            np.take(column, index, out=drawn[:, i], mode="clip")
        return drawn

    @cached_property
    def _kept(self) -> dict[int, np.ndarray]:
        return {}

    def _columns(self, d: int) -> np.ndarray:
        """(d, n) items of norm at most 1 in single precision."""
        if d not in self._kept:
            self._kept[d] = np.ascontiguousarray(self.embedding(d).items.T.astype(np.float32))
        return self._kept[d]

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        same = isinstance(other, Catalogue) and (self.name, self.most_features) == (other.name, other.most_features)
        return same and self.names == other.names and np.array_equal(self.values, other.values)

    def __hash__(self) -> int:
        return hash(self.name)


@dataclass(frozen=True, eq=False)
class Endless(Catalogue):
    """A catalogue whose items are drawn from independent features, each uniform in its range.

    `values` are a sample of 2,000 that is always the same.
    """

    ranges: tuple[Range, ...] = ()

    @property
    def endless(self) -> bool:
        return True

    @cached_property
    def standard(self) -> Standard:
        """Mean and standard deviation of each feature's law."""
        return Standard(np.array([r.middle for r in self.ranges]), np.array([r.deviation for r in self.ranges]))

    def sample(self, rng: np.random.Generator, n: int) -> np.ndarray:
        """(n, p) features of fresh items."""
        return np.column_stack([r.draw(rng, n) for r in self.ranges])

    def describe(self, row: int | np.ndarray) -> str:
        return self.words_of(*self._of(row))

    def draw(self, row: int | np.ndarray) -> str:
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" role="img">'
            f"<title>{escape(self.describe(row))}</title>{self.picture(*self._of(row))}</svg>"
        )

    def _of(self, row: int | np.ndarray) -> tuple[Table, int]:
        if isinstance(row, Integral):
            return self.table, int(row)
        values = np.array(row, dtype=float).reshape(1, len(self.ranges))
        return self.table._replace(values=values, names=(self.one,)), 0

    def embedding(self, d: int, radius: float = 1.0) -> Embedding:
        self.check(d)
        axes = np.eye(d, len(self.ranges)) * radius / self._corner(d)
        values = self.values.copy()
        values[:, d:] = self.standard.middle[d:]
        sigma = 2 * axes @ axes.T  # standardised features are independent and have variance 1
        used = self.features[:d]
        return Embedding(self, self.values if d == len(self.ranges) else _fixed(values), _fixed(axes), used, sigma)

    def _corner(self, d: int) -> float:
        """Length of the most extreme item of d standardised features."""
        return float(np.sqrt(sum(r.extreme**2 for r in self.ranges[:d])))

    def draw_items(self, rng: np.random.Generator, runs: int, d: int, k: int) -> np.ndarray:
        drawn = rng.random((runs, d, k), dtype=np.float32)
        for i, r in enumerate(self.ranges[:d]):
            drawn[:, i] = r.standardised(drawn[:, i])
        drawn *= np.float32(1 / self._corner(d))
        return drawn


def _fixed(array: np.ndarray) -> np.ndarray:
    array = np.array(array, dtype=float)
    array.setflags(write=False)
    return array


def _endless(name: str, words: str, one: str, seed: int, drawn) -> Endless:
    def load() -> Table:
        rng = np.random.default_rng(seed)
        values = _fixed(np.column_stack([r.draw(rng, SAMPLE) for r in drawn.RANGES]))
        names = tuple(f"{one} {number}" for number in range(1, SAMPLE + 1))
        return Table(tuple(r.name for r in drawn.RANGES), tuple(r.ends for r in drawn.RANGES), names, values)

    return Endless(name, words, one, len(drawn.RANGES), load, drawn.describe, drawn.picture, drawn.RANGES)


CATALOGUES: dict[str, Catalogue] = {
    "flowers": _endless("flowers", "flowers", "flower", 1, flowers),
    "colours": _endless("colours", "colours", "colour", 2, swatches),
    "wines": Catalogue("wines", "wines", "wine", 13, wines.load, wines.describe, wines.picture),
    "digits": Catalogue("digits", "handwritten digits", "digit", 50, digits.load, digits.describe, digits.picture),
}


def read_csv(data: bytes, name: str) -> Catalogue:
    """The catalogue in a CSV file: a header, then a name and numbers in each row. A ValueError says what is wrong.

    >>> read_csv(b"name,sweet,sour\\nplum,1,2\\npear,3,1\\nlime,0,9", "fruit.csv").names
    ('plum', 'pear', 'lime')
    """
    table, name = read_table(data), plain(name)[:MOST_LETTERS] or "your items"
    found = Catalogue(name, name, "item", 0, lambda: table, wines.describe, wines.picture)
    most = len(found._components)
    if most < 2:
        raise ValueError(
            "the number columns all say the same: each follows from one of them by a factor and a shift. At least two "
            "must vary on their own"
        )
    return replace(found, most_features=most)
