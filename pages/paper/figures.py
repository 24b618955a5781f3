"""The figure that shows what "slightly" means in claim 4."""

from collections.abc import Sequence

import numpy as np

from pages.figures import base_layout, with_bands
from pages.palette import DASHES, PALETTE
from roam_core.claims import Fall

TITLE = "Critical ratio, early and late"


def early_and_late(falls: Sequence[Fall]) -> dict:
    """The early and the late critical ratio of every curve, with 95% bands."""
    x = [fall.label for fall in falls]
    series = (("early", PALETTE[1], DASHES[1], "diamond"), ("late", PALETTE[0], DASHES[0], "circle"))
    data = [
        with_bands(name, x, *np.array([getattr(fall, name)[:2] for fall in falls]).T, colour, dash, symbol)
        for name, colour, dash, symbol in series
    ]
    layout = base_layout(TITLE, "dimension", "ratio", "early and late")
    layout["xaxis"]["type"] = "category"
    layout["yaxis"]["rangemode"] = "tozero"
    layout["showlegend"] = True
    return {"data": data, "layout": layout}
