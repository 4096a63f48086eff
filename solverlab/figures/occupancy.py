"""How full buckets are: fixed ranges against percentiles, on every flop hand."""

from __future__ import annotations

import numpy as np

from solverlab.abstraction.buckets import FixedRanges, Percentile
from solverlab.abstraction.strength import hand_strength
from solverlab.core.frame import frame
from solverlab.figures.figure import Drawing, PublishedFigure, Report, canvas
from solverlab.views.theme import PRINT

BUCKETS = 10


def make(report: Report) -> Drawing:
    report(0.1, "exact hand strength of every flop hand")
    flop = hand_strength("flop")
    report(0.6, "bucketing")
    schemes = {
        "fixed ranges": FixedRanges(BUCKETS).fit(flop.ehs, weights=flop.weight),
        "percentiles": Percentile(BUCKETS).fit(flop.ehs, weights=flop.weight),
    }
    sheet, plots = canvas(2)
    places = np.arange(1, BUCKETS + 1)
    for plot, (name, fitted), colour in zip(plots, schemes.items(), (PRINT[2], PRINT[0]), strict=True):
        bars = plot.bar(places, 100 * fitted.occupancy_, color=colour)
        plot.bar_label(bars, fmt="%.1f", fontsize=10, padding=2)
        plot.set_title(f"{BUCKETS} {name} of E[HS]", fontsize=13)
        plot.set_xlabel("bucket", fontsize=13)
        plot.set_ylabel("share of flop deals, %", fontsize=13)
        plot.set_xticks(places)
        plot.set_ylim(0, 1.15 * max(100 * scheme.occupancy_.max() for scheme in schemes.values()))
    facts = {}
    for name, fitted in schemes.items():
        facts[f"share {name}"] = [float(share) for share in fitted.occupancy_]
        facts[f"edges {name}"] = [float(edge) for edge in fitted.edges_]
        facts[f"empty {name}"] = len(fitted.empty_)
    shares = {name: fitted.occupancy_ for name, fitted in schemes.items()}
    return Drawing({"shares": frame({"bucket": places} | shares)}, facts, sheet)


FIGURE = PublishedFigure(
    "occupancy",
    "Fixed ranges leave buckets nearly empty, percentiles fill them",
    "after M. Johanson, Robust Strategies and Counter-Strategies, MSc thesis, University of Alberta 2007",
    "Share of all flop deals in each of ten buckets of E[HS]: equal ranges of value left, percentiles right.",
    make,
    {"buckets": BUCKETS},
)
