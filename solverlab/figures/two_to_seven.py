"""The button's value in 2-to-7 against the stack: more cards, more bets, and the real deck."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solverlab.core.frame import frame
from solverlab.figures.figure import (
    COLOURS,
    INK,
    Drawing,
    Facts,
    PublishedFigure,
    Report,
    canvas,
    label,
    part,
)
from solverlab.run.lowball_real import crossing
from solverlab.studies.two_to_seven import RUNGS, Effort, columns, counted, ladder, more_bets, real_deck

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

EFFORT = Effort()
LADDER, BETS, REAL = (0.0, 0.25), (0.25, 0.5), (0.5, 0.9)  # shares of the time
CAPTION = (
    "Heads-up single-draw 2-to-7: what the button (0.5 posted, the big blind 1) wins on average, against the "
    "stack, both in big blinds. Left: push/fold with one to three cards of decks without suits, with the ten "
    "(solid, full circles) and without it (dashed, open circles), and five cards of the real deck with an "
    "interval that holds the value; circles mark where the edge ends. Middle and right: what limps, raises "
    "to 2 and pot-sized bets after the draw add, with one and two cards, one of a rank; where lines lie on "
    "each other they add nothing."
)


def make(report: Report) -> Drawing:
    effort = EFFORT
    values, roots = ladder(effort, part(report, LADDER))
    bets = more_bets(effort, part(report, BETS))
    real = real_deck(effort, part(report, REAL))
    named = {"ladder": values, "roots": roots, "bets": bets, "real": real}
    tables = {name: frame(columns(rows)) for name, rows in named.items()}
    sheet, plots = canvas(3, width=6.0, height=5.6)
    _draw_ladder(plots[0], tables["ladder"], tables["roots"], tables["real"], crossing(real))
    for plot, cards in zip(plots[1:], (1, 2), strict=True):
        _draw_bets(plot, tables["bets"], cards)
    return Drawing(tables, _facts(tables, crossing(real)), sheet)


def _facts(tables: dict[str, pd.DataFrame], real: tuple[float, float, float] | None) -> Facts:
    """Every root, what every bet adds at the deepest stack, and how exactly all of it is known."""
    facts: Facts = {f"edge ends, {row.rung}": row.root for row in tables["roots"].itertuples()}
    facts["edge ends, real deck: from, best guess, to"] = None if real is None else list(real)
    bets = tables["bets"]
    deepest = bets[(bets["stack"] == bets["stack"].max()) & (bets["variant"] != "push/fold")]
    for row in deepest.itertuples():
        facts[f"{row.variant} adds, {counted(row.cards)}, {row.stack:g} big blinds"] = row.adds
    facts["exploitability of the worst rung"] = tables["ladder"]["exploitability"].max()
    facts["exploitability of the worst game with more bets"] = bets["exploitability"].max()
    facts["what more bets add is off by, at most"] = bets["adds_error"].max()
    facts["NashConv of the worst real-deck solution, at most"] = tables["real"]["upper"].max()
    return facts


# ---- drawing -----------------------------------------------------------------------------------------------


def _draw_ladder(
    plot: Axes,
    values: pd.DataFrame,
    roots: pd.DataFrame,
    real: pd.DataFrame,
    cross: tuple[float, float, float] | None,
) -> None:
    colour = {(rung.cards, rung.per_rank): COLOURS[number // 2] for number, rung in enumerate(RUNGS)}
    for rung in RUNGS:
        rows, paint = values[values["rung"] == rung.name], colour[rung.cards, rung.per_rank]
        whole = len(rung.ranks) == 13
        root = roots.set_index("rung")["root"][rung.name]
        named = f"{counted(rung.cards)}, {rung.per_rank} of a rank: {root:.2f}" if whole else None
        plot.plot(rows["stack"], rows["value"], "-" if whole else "--", color=paint, label=named)
        inside, size, level = (paint, 6, 4) if whole else ("white", 9, 3)
        plot.plot([root], [0], "o", color=paint, markerfacecolor=inside, markersize=size, zorder=level)
    below, above = real["value"] - real["low"], real["high"] - real["value"]
    named = f"{counted(EFFORT.real_cards)}, real deck" + ("" if cross is None else f": {cross[1]:.1f}")
    style = {"fmt": "s", "color": INK, "capsize": 4, "markersize": 5}
    plot.errorbar(real["stack"], real["value"], [below, above], label=named, zorder=3, **style)
    if cross is not None:
        ends = [[cross[1] - cross[0]], [cross[2] - cross[1]]]
        plot.errorbar([cross[1]], [0], xerr=ends, zorder=5, **(style | {"fmt": "D"}))
    _frame(plot, "push/fold, and where the button's edge ends")
    plot.get_legend().set_title("edge ends at\n(dashed, open: without the ten)")


def _draw_bets(plot: Axes, bets: pd.DataFrame, cards: int) -> None:
    chosen = bets[bets["cards"] == cards]
    for paint, (name, rows) in zip(COLOURS, chosen.groupby("variant", sort=False), strict=True):
        width = 3.5 if name == "push/fold" else 1.6
        plot.plot(rows["stack"], rows["value"], "o-", color=paint, label=name, markersize=4, linewidth=width)
    _frame(plot, f"more bets, {counted(cards)} of {chosen['ranks'].iloc[0]} ranks")


def _frame(plot: Axes, title: str) -> None:
    plot.axhline(0, color=INK, linewidth=0.8)
    label(plot, title, "stack in big blinds", "button's value in big blinds", "lower left")


FIGURE = PublishedFigure(
    "two-to-seven-ev",
    "When does the button's edge end in 2-to-7, and what brings it back?",
    "after an open question of document 001, a push/fold solver for heads-up no-limit 2-to-7",
    CAPTION,
    make,
    {
        "stacks": "1.5 to 10 by 0.5; fewer for three cards, for more bets and for the real deck",
        "target": EFFORT.target,
        "targets with bets after the draw, 1 and 2 cards": EFFORT.after_targets,
        "real deck: iterations a stack": EFFORT.real_iterations,
        "real deck: deals": EFFORT.real_deals,
    },
    needs_strength=False,
)
