"""What a growing tree costs and what it gains: exact distances against the decisions kept, beside UCT."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

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
from solverlab.figures.growth_race import draw_cut_race
from solverlab.studies.growth import UCT, WHOLE, Row, cut_race, growth_study, mean_on_the_way
from solverlab.studies.two_to_seven import columns
from solverlab.views.theme import PRINT_PALE

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Effort:
    """How much to compute: for each game of the catalogue leaves an epoch, epochs, playouts of UCT."""

    games: tuple[tuple[str, tuple[int, ...], int, tuple[int, ...]], ...] = (
        ("kuhn", (1, 2, 4), 20, (3, 6, 10, 30, 100, 1000, 3000)),
        ("leduc", (8, 32, 128), 150, (10, 30, 100, 300, 1000, 3000, 10_000, 30_000)),
    )
    scale: float = 8.0
    sweeps: int = 20
    cuts: tuple[tuple[int, int], ...] = ((2, 4), (32, 20))  # leaves an epoch and epochs of the trees raced on
    race_sweeps: int = 2000
    race_scales: tuple[float, ...] = (8.0, 64.0)


class Pen(NamedTuple):
    """How an order is drawn: in one colour a k, or, with a paint of its own, for the middle k alone."""

    words: str
    line: str
    width: float = 1.8
    paint: str = ""

    def shown(self, ks: Iterable[int]) -> list[tuple[int, str]]:
        every = sorted(ks)
        if self.paint:
            return [(every[len(every) // 2], self.paint)]
        return list(zip(every, COLOURS, strict=False))


EFFORT = Effort()
PENS = {
    "MostReached": Pen("most reached", "-"),
    "HighestEV": Pen("highest EV", "--"),
    "MostAtStake": Pen("most at stake", "-.", 2.4, COLOURS[3]),
    "Oldest": Pen("oldest (control)", "-", 4.0, PRINT_PALE),
}
PANELS = {"inside": "inside the truncated game", "lifted": "in the whole game"}
CAPTION = (
    "Trees of document 000 grow from nothing, k leaves a position and epoch: the most reached first, those "
    "of the highest EV, those with most at stake (reach times |EV|), or the oldest, a control that looks at "
    "nothing (of the last two the middle k is drawn, the tables have all); some sweeps of the tanh update "
    "between two growths; exact exploitability of the average strategy against the decisions it has "
    "a strategy for. Inside the truncated game, which goes on while anybody's tree does, it is not "
    "arbitrarily accurate, as the document hopes: the distance grows with the tree. In the whole game, with "
    "uniform play beyond the tree, growing helps, but late. Do popular paths beat breadth first? The facts "
    "compare the distance averaged over the decisions kept on the way, order by order, and count the "
    "growths in which the most reached come nearer than the oldest. The whole tree, rebalanced "
    "from the start with as many sweeps, ends nearer than every grown one: growing saves memory, not "
    "distance. UCT, which promises nothing with hidden cards, is worse than random at first and as good as "
    "that on Kuhn in the end. Right: is it the update or the cut? One truncated tree of each game "
    "grows no more, and tanh races with CFR+ on it. As each "
    "position counts, its play ending with its own tree (lines), the average of CFR+ falls much faster than "
    "that of tanh: on Kuhn, where this cut leaves pure play, tanh comes to rest there, too; on Leduc the "
    "strategy now played goes round, and its average stays far behind (the facts tell how far). For an "
    "onlooker, who plays on while anybody's tree does (dots), neither comes near, for both learn from EVs "
    "that end with the own tree: there the cut costs more than the update, and better play inside is not "
    "better play in the whole game."
)


def make(report: Report) -> Drawing:
    effort, told = EFFORT, []
    for number, (name, ks, epochs, playouts) in enumerate(effort.games):
        span = (0.8 * number / len(effort.games), 0.8 * (number + 1) / len(effort.games))
        settings = {"scale": effort.scale, "sweeps": effort.sweeps}
        told.append(growth_study(name, ks, epochs, playouts, part(report, span), **settings))
    tables = {name: frame(columns(rows)) for (name, *_), rows in zip(effort.games, told, strict=True)}
    report(0.8, "races on truncated trees")
    races = [
        cut_race(name, k, epochs, effort.race_sweeps, effort.race_scales, scale=effort.scale)
        for (name, *_), (k, epochs) in zip(effort.games, effort.cuts, strict=True)
    ]
    tables["race"] = frame(columns([row for race in races for row in race]))
    sheet, plots = canvas(3, width=5.6, height=5.0, rows=len(told))
    facts: Facts = {}
    for number, (rows, race) in enumerate(zip(told, races, strict=True)):
        for place, column in enumerate(PANELS):
            _draw(plots[3 * number + place], frame(columns(rows)), column)
        facts |= _facts(rows) | draw_cut_race(plots[3 * number + 2], race)
    _legend(sheet, plots[0], effort)
    return Drawing(tables, facts, sheet)


def _facts(rows: list[Row]) -> Facts:
    """Where every growth began and ended, the best it ever was, and UCT and the whole tree beside it."""
    game, facts = rows[0]["game"], {}
    facts[f"{game}: before anything has grown, whole game"] = rows[0]["lifted"]
    for order, (words, *_) in PENS.items():
        for k in sorted({row["k"] for row in rows if row["order"] == order}):
            one = [row for row in rows if (row["order"], row["k"]) == (order, k)]
            best, last = min(one, key=lambda row: row["lifted"]), one[-1]
            facts[f"{game}, {words}, k = {k}: whole game at {last['action_nodes']} decisions"] = last[
                "lifted"
            ]
            facts[f"{game}, {words}, k = {k}: best, and at how many decisions"] = [
                best["lifted"],
                best["action_nodes"],
            ]
            facts[f"{game}, {words}, k = {k}: mean on the way"] = mean_on_the_way(one)
            facts[f"{game}, {words}, k = {k}: largest inside the truncated game"] = max(
                row["inside"] for row in one
            )
    facts |= _compared(game, facts)
    for order in (UCT, WHOLE):
        last = [row for row in rows if row["order"] == order][-1]
        facts[f"{game}, {order}: whole game after {last['iteration']:,}"] = last["lifted"]
    return facts


def _compared(game: str, facts: Facts) -> Facts:
    """Every order from its nearest to its farthest growth, and how often popular paths beat breadth first."""
    way = {
        words: [
            value for name, value in facts.items() if name.startswith(f"{game}, {words}") and "mean" in name
        ]
        for words, *_ in PENS.values()
    }
    reached, oldest = way[PENS["MostReached"].words], way[PENS["Oldest"].words]
    nearer = sum(one < other for one, other in zip(reached, oldest, strict=True))
    return {
        f"{game}: mean on the way, order by order": ", ".join(
            f"{words} {min(each):.2f} to {max(each):.2f}" for words, each in way.items() if each
        ),
        f"{game}: growths in which the most reached beat the oldest": f"{nearer} of {len(oldest)}",
    }


# ---- drawing -----------------------------------------------------------------------------------------------


def _draw(plot: Axes, table: pd.DataFrame, column: str) -> None:
    for order, pen in reversed(PENS.items()):  # the control lies below the others
        grown = dict(iter(table[table["order"] == order].groupby("k")))
        for k, paint in pen.shown(grown):
            kept, far = grown[k]["action_nodes"], grown[k][column]
            plot.plot(kept, far, pen.line, color=paint, linewidth=pen.width)
    if column == "lifted":
        uct, whole = (table[table["order"] == order] for order in (UCT, WHOLE))
        plot.plot(uct["action_nodes"], uct[column], "o-", color=INK, markersize=5, linewidth=1.2)
        plot.plot(whole["action_nodes"], whole[column], "*", color=COLOURS[4], markersize=17, zorder=5)
    plot.grid(alpha=0.25)
    plot.set_ylim(0, 1.05 * table[["inside", "lifted"]].max().max())
    title = f"{table['game'].iloc[0]}, {PANELS[column]}"
    label(plot, title, "own decisions kept", "exploitability (chips)", None)


def _legend(sheet: Figure, plot: Axes, effort: Effort) -> None:
    """One legend for all plots: the numbers of leaves are those of the games in order."""
    lines = []
    games = list(zip(*(ks for _, ks, *_ in effort.games), strict=True))
    for pen in PENS.values():
        for several, paint in pen.shown(games):
            told = f"{pen.words}, k = {' / '.join(str(k) for k in several)}"
            lines += plot.plot([], [], pen.line, color=paint, label=told, linewidth=pen.width)
    lines += plot.plot([], [], "o-", color=INK, label=f"{UCT}, by playouts", markersize=5)
    told = "whole tree from the start, as many sweeps"
    lines += plot.plot([], [], "*", color=COLOURS[4], label=told, markersize=15)
    sheet.legend(handles=lines, loc="outside lower center", ncols=5, fontsize=11, frameon=False)


FIGURE = PublishedFigure(
    "growth",
    "Does a tree that grows down popular paths find a good strategy?",
    "after document 000, truncated strategy trees; UCT after L. Kocsis and C. Szepesvari 2006",
    CAPTION,
    make,
    {
        "games, leaves an epoch, epochs, playouts": str(EFFORT.games),
        "scale": EFFORT.scale,
        "sweeps an epoch": EFFORT.sweeps,
        "trees raced on, leaves an epoch and epochs": str(EFFORT.cuts),
        "sweeps and scales of the races": [EFFORT.race_sweeps, list(EFFORT.race_scales)],
    },
    needs_strength=False,
)
