"""The catalogue of digits: 1,797 handwritten ones, 8 x 8 shades each."""

from functools import cache

from roam_core.tables import Table

SIDE, DARKEST = 8, 16


@cache
def _found():
    from sklearn.datasets import load_digits

    return load_digits()


def load() -> Table:
    """scikit-learn's digits (Alpaydin and Kaynak, 1998)."""
    found = _found()
    features = tuple(f"shade in row {i // SIDE + 1}, column {i % SIDE + 1}" for i in range(SIDE * SIDE))
    names = tuple(f"digit {number}" for number in range(1, len(found.data) + 1))
    return Table.of(features, names, found.data)


def describe(table: Table, row: int) -> str:
    """What was written."""
    return f"a handwritten {_found().target[row]}"


def picture(table: Table, row: int) -> str:
    """The shades, dark on paper."""
    cell = 84 / SIDE
    parts = ['<rect x="2" y="2" width="96" height="96" rx="8" fill="#fbfaf6" stroke="#b9b2a8" stroke-width=".8"/>',
             '<g fill="#1d2733">']  # fmt: skip
    for i, shade in enumerate(table.values[row]):
        if shade:
            x, y = 8 + cell * (i % SIDE), 8 + cell * (i // SIDE)
            place = f'x="{x:g}" y="{y:g}" width="{cell:g}" height="{cell:g}"'
            parts.append(f'<rect {place} fill-opacity="{shade / DARKEST:.2f}"/>')
    return "".join(parts) + "</g>"
