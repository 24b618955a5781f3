"""The catalogue of wines, 178 real ones with 13 measurements; and how a row of any table is drawn: a bar a feature."""

from html import escape

from roam_core.tables import Table, unusual

_WORDS = {"od280/od315_of_diluted_wines": "OD280/OD315", "color_intensity": "colour intensity"}
LABELLED = 16  # bars that have room for a label
LETTERS = 20  # of a label


def load() -> Table:
    """scikit-learn's wines (Forina, 1991), grown in one region by three growers."""
    from sklearn.datasets import load_wine

    found = load_wine()
    features = tuple(_WORDS.get(name, name.replace("_", " ")) for name in found.feature_names)
    names = tuple(f"wine {number}" for number in range(1, len(found.data) + 1))
    return Table.of(features, names, found.data)


def describe(table: Table, row: int) -> str:
    """An item in words: its name and the features in which it is least like the others."""
    parts = []
    for i in unusual(table, row)[:3]:
        low, high = table.ends[i]
        much = table.shares[row, i] > 0.5
        parts.append(f"{high if much else low} ({table.values[row, i]:.4g})")
    return f"{table.names[row]}: {', '.join(parts)}"


def picture(table: Table, row: int) -> str:
    """A bar a feature, from the least to the most that the catalogue has of it."""
    p = len(table.features)
    top, step = 16.0, 80.0 / p
    labelled = p <= LABELLED
    left, most = (50.0, 43.0) if labelled else (8.0, 84.0)
    size = min(4.7, 0.82 * step)
    parts = ['<rect x="1" y="1" width="98" height="98" rx="6" fill="#fbf8f3" stroke="#b9b2a8" stroke-width=".8"/>']
    parts.append(f'<g font-family="sans-serif" fill="#2b2522"><text x="50" y="11" font-size="7.5" text-anchor="middle">'
                 f"{_cut(table.names[row], 22)}</text>")  # fmt: skip
    for i, (feature, share) in enumerate(zip(table.features, table.shares[row], strict=True)):
        y = top + i * step
        if labelled:
            text = f'<text x="48" y="{y + 0.72 * step:.1f}" font-size="{size:.1f}" text-anchor="end">'
            parts.append(f"{text}{_cut(feature, LETTERS)}</text>")
        bar = f'y="{y + 0.14 * step:.1f}" height="{0.72 * step:.1f}" rx=".8"'
        parts.append(f'<rect x="{left:g}" width="{most:g}" {bar} fill="#e9e2d8"/>')
        parts.append(f'<rect x="{left:g}" width="{max(0.8, most * share):.1f}" {bar} fill="#8e2f4f"/>')
    return "".join(parts) + "</g>"


def _cut(text: str, most: int) -> str:
    return escape(text if len(text) <= most else text[: most - 1] + "…")
