"""Equity histograms of Ganzfried & Sandholm (2014): hands that E[HS] cannot tell apart."""

from __future__ import annotations

import numpy as np

from solverlab.abstraction.emd import emd
from solverlab.abstraction.strength import hand_strength
from solverlab.core.frame import frame
from solverlab.figures.figure import Drawing, PublishedFigure, Report, canvas
from solverlab.views.theme import PRINT

BINS = 50
PREFLOP = ("KcQc", "6c6d")
FLOP = (("TcQd", "7h9hQh"), ("5c9d", "3d5d7d"))
COLOURS = (PRINT[0], PRINT[2])


def make(report: Report) -> Drawing:
    report(0.05, f"every board for {PREFLOP[0]}")
    hands = {PREFLOP[0]: hand_strength(PREFLOP[0])}
    report(0.4, f"every board for {PREFLOP[1]}")
    hands[PREFLOP[1]] = hand_strength(PREFLOP[1])
    report(0.8, "the two flop hands")
    hands |= {f"{hole} on {board}": hand_strength(hole, board) for hole, board in FLOP}
    shares = {name: np.asarray(hand.histogram(BINS), float) for name, hand in hands.items()}
    shares = {name: counts / counts.sum() for name, counts in shares.items()}
    sheet, plots = canvas(2)
    names = list(hands)
    for plot, pair in zip(plots, (names[:2], names[2:]), strict=True):
        for name, colour in zip(pair, COLOURS, strict=True):
            label = f"{name}: E[HS] {hands[name].ehs:.3f}"
            plot.stairs(
                shares[name], np.linspace(0, 1, BINS + 1), fill=True, alpha=0.45, color=colour, label=label
            )
        apart = emd(shares[pair[0]], shares[pair[1]])
        plot.set_title(f"earth mover's distance {apart:.3f} bins", fontsize=13)
        plot.set_xlabel("strength on the river", fontsize=13)
        plot.set_ylabel("share of boards", fontsize=13)
        plot.set_xlim(0, 1)
        plot.legend(frameon=False, fontsize=11, loc="upper left")
    facts = {f"E[HS] {name}": float(hand.ehs) for name, hand in hands.items()}
    facts["bins apart, preflop pair"] = emd(shares[names[0]], shares[names[1]])
    facts["bins apart, flop pair"] = emd(shares[names[2]], shares[names[3]])
    rows = {"bin": np.arange(BINS) / BINS} | shares
    return Drawing({"histograms": frame(rows)}, facts, sheet)


FIGURE = PublishedFigure(
    "ganzfried-2014",
    "Equity histograms: equal strength, different hands",
    "S. Ganzfried and T. Sandholm, Potential-Aware Imperfect-Recall Abstraction with Earth Mover's Distance "
    "in Imperfect-Information Games, AAAI 2014",
    "Exact strength on every possible river in 50 bins. Left: two preflop hands with nearly equal E[HS]. "
    "Right: two flop hands whose river histograms lie about half a bin apart.",
    make,
    {"bins": BINS},
)
