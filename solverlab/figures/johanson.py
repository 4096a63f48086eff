"""Figure 2.2 of Johanson (2007): flop hands that began in one preflop bucket, coloured by flop bucket."""

from __future__ import annotations

import numpy as np

from solverlab.abstraction.buckets import Percentile
from solverlab.abstraction.strength import StreetStrength, hand_strength
from solverlab.core.frame import frame
from solverlab.figures.figure import Drawing, PublishedFigure, Report, canvas
from solverlab.views.bucket_colours import bucket_colours
from solverlab.views.theme import PRINT_GREY

BUCKETS, PREFLOP_BUCKET = 5, 2
CAPTION = (
    "Every flop hand whose hole cards fall in preflop bucket 2 of 5 (percentiles of E[HS^2], by combos). "
    "Left: flop buckets by percentiles of E[HS]; right: the same hands by percentiles of E[HS^2]. Dashed: "
    "y = x (sure to win or lose) and y = x^2 (no potential); every hand lies between them."
)


def flop_hands(preflop_bucket: int = PREFLOP_BUCKET, n: int = BUCKETS) -> tuple[StreetStrength, np.ndarray]:
    """The flop, and the numbers of its hands whose hole cards are in a preflop bucket (counted from 1)."""
    preflop, flop = hand_strength("preflop"), hand_strength("flop")
    first = Percentile(n).fit(preflop.ehs2, weights=preflop.weight)
    return flop, np.flatnonzero(first.labels_[flop.hole_class] == preflop_bucket - 1)


def make(report: Report) -> Drawing:
    report(0.1, "exact hand strength of every flop hand")
    flop, chosen = flop_hands()
    report(0.6, "bucketing")
    values = {"E[HS]": flop.ehs[chosen], "E[HS^2]": flop.ehs2[chosen]}
    weight = flop.weight[chosen]
    buckets = {metric: Percentile(BUCKETS).fit(numbers, weights=weight) for metric, numbers in values.items()}
    sheet, plots = canvas(2)
    for plot, panel, (metric, fitted) in zip(plots, "ab", buckets.items(), strict=True):
        _draw(plot, values, fitted, f"({panel}) coloured by {metric} bucket")
    facts = {"points": len(chosen), "weight": int(weight.sum())}
    for metric, fitted in buckets.items():
        facts[f"edges {metric}"] = [float(edge) for edge in fitted.edges_]
        facts[f"hands {metric}"] = [int(count) for count in fitted.counts_]
        facts[f"share {metric}"] = [float(share) for share in fitted.occupancy_]
    rows = {"hand": chosen, "weight": weight, "ehs": values["E[HS]"], "ehs2": values["E[HS^2]"]}
    rows |= {"bucket_by_ehs": buckets["E[HS]"].labels_ + 1, "bucket_by_ehs2": buckets["E[HS^2]"].labels_ + 1}
    return Drawing({"hands": frame(rows)}, facts, sheet)


def _draw(plot, values: dict[str, np.ndarray], fitted: Percentile, title: str) -> None:
    curve = np.linspace(0, 1, 101)
    plot.plot(curve, curve, "--", color=PRINT_GREY, linewidth=1)
    plot.plot(curve, curve**2, "--", color=PRINT_GREY, linewidth=1)
    for bucket, colour in enumerate(bucket_colours(BUCKETS)):
        inside = fitted.labels_ == bucket
        x, y = values["E[HS]"][inside], values["E[HS^2]"][inside]
        plot.scatter(x, y, s=0.25, color=colour, linewidths=0, rasterized=True)
        plot.scatter([], [], s=40, color=colour, label=f"{PREFLOP_BUCKET}:{bucket + 1}")
    plot.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    plot.set_xlabel("E[HS]", fontsize=13)
    plot.set_ylabel("E[HS²]", fontsize=13)
    plot.set_title(title.replace("^2", "²"), fontsize=13)
    plot.legend(title="bucket", loc="upper left", frameon=False, fontsize=11, title_fontsize=11)


FIGURE = PublishedFigure(
    "johanson-2.2",
    "Flop hands of preflop bucket 2 of 5 by E[HS] and E[HS²]",
    "M. Johanson, Robust Strategies and Counter-Strategies, MSc thesis, U. of Alberta 2007, Figure 2.2",
    CAPTION,
    make,
    {"buckets": BUCKETS, "preflop bucket": PREFLOP_BUCKET, "preflop metric": "E[HS^2]"},
)
