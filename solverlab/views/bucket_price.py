"""What abstractions cost in the real game against how many buckets they have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from solverlab.views.buckets import FONTS
from solverlab.views.inline import holoviews
from solverlab.views.theme import run_colour

if TYPE_CHECKING:
    import holoviews as hv
    import pandas as pd

DASHES = ("solid", "dashed", "dotted", "dotdash", "dashdot")
MARKS = ("circle", "square", "triangle", "diamond", "inverted_triangle")


def price_curves(table: pd.DataFrame, unit: str = "chips", log: bool = False) -> hv.Overlay:
    """One curve a series of abstractions; columns series, buckets, infosets, price (real exploitability).

    `log` makes both axes logarithmic, for prices of many sizes.
    """
    hv = holoviews()
    parts: list = []
    for place, (name, rows) in enumerate(table.groupby("series", sort=False)):
        colour, points = run_colour(place), rows.sort_values("buckets")
        curve = hv.Curve(points, "buckets", "price", label=str(name))
        style = {
            "color": colour,
            "line_width": 2.5,
            "line_dash": DASHES[place % len(DASHES)],
            "backend": "bokeh",
        }
        dots = hv.Scatter(points, "buckets", ["price", "infosets"], label=str(name))
        mark = {"marker": MARKS[place % len(MARKS)], "size": 9, "tools": ["hover"], "color": colour}
        parts += [curve.opts(**style), dots.opts(backend="bokeh", **mark)]
    top = float(np.nanmax(table["price"], initial=1e-9))
    low = float(table["price"][table["price"] > 0].min()) / 1.3 if log else 0.0
    look: dict[str, object] = {
        "xticks": sorted({int(count) for count in table["buckets"]}),
        "ylim": (low, top * (1.3 if log else 1.08)),
    }
    look |= {"xlabel": "buckets a round", "ylabel": f"exploitability in the real game ({unit})"}
    look |= {"logx": log, "logy": log}
    look |= {"legend_position": "top_right", "fontsize": FONTS, "show_grid": True, "padding": (0.05, 0)}
    return hv.Overlay(parts).opts(backend="bokeh", **look)
