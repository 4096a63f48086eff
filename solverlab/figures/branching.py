"""Branches between two of one's own decisions, and what passive nodes change: counted from the rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from solverlab.core.frame import frame
from solverlab.figures.figure import COLOURS, INK, Drawing, Facts, PublishedFigure, Report, canvas, label
from solverlab.studies.branching import no_limit_ways, tree_sizes
from solverlab.studies.two_to_seven import columns

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Effort:
    """Tables of which sizes are counted, at how many bets raising ends."""

    players: tuple[int, ...] = tuple(range(2, 11))
    bets: int = 4


EFFORT = Effort()
LIMIT_COLUMNS = {
    "between, after a call": ("after its call, raises capped", COLOURS[0], "o-"),
    "between, after a raise": ("after its raise, raises capped", COLOURS[1], "s-"),
}
TREES = {
    "nodes with passive nodes": ("all nodes, with passive nodes", COLOURS[2], "s-"),
    "nodes without passive nodes": ("all nodes, without", COLOURS[0], "o-"),
    "own decisions": ("own decisions, in either tree", INK, "--"),
}
KEPT = {
    "kept for a second decision, without passive nodes": ("without passive nodes", COLOURS[0], "o-"),
    "kept for a second decision, with passive nodes": ("with passive nodes", COLOURS[2], "s-"),
}
CAPTION = (
    "The tree of one hand of the first seat to act, before the flop, counted from the rules of limit "
    "hold'em (four bets at most). Left: ways from an own action to the next own decision. Document 000 says "
    "3^9 = 19,683 for ten players: so many there are after a raise if nothing caps raising; with the cap "
    "there are 12,544 after a call (to which the big blind does not fold) and 7,424 after a raise; and N^9 "
    "for no-limit is far too many, for an all-in ends the raising. Middle: passive nodes do not make the "
    "whole tree smaller but larger, and decisions with a strategy stay as many. Right: what they do change "
    "is the price of one step: to keep one own second decision takes some twenty nodes instead of some "
    "twenty thousand. That is what lets a tree grow down popular paths only."
)


def make(report: Report) -> Drawing:
    effort, limit, no_limit = EFFORT, [], []
    for number, players in enumerate(effort.players):
        report(0.8 * number / len(effort.players), f"counting the trees of {players} players")
        limit.append(tree_sizes(players, effort.bets))
        no_limit.append(no_limit_ways(players))
    tables = {"limit": frame(columns(limit)), "no-limit": frame(columns(no_limit))}
    sheet, plots = canvas(3, width=6.0, height=5.6)
    _draw_ways(plots[0], tables["limit"], tables["no-limit"])
    _draw(plots[1], tables["limit"], TREES, "the whole tree before the flop", "nodes")
    _draw(plots[2], tables["limit"], KEPT, "the price of one own second decision", "nodes to keep at least")
    return Drawing(tables, _facts(limit[-1], no_limit[-1]), sheet)


def _facts(limit: Facts, no_limit: Facts) -> Facts:
    """The largest table in words."""
    about = f"{limit['players']} players"
    facts = {
        f"{about}: 3 to the power of the opponents": limit["power"],
        **{f"{about}: {name}": limit[name] for name in limit if name not in ("players", "power")},
        f"{about}, no-limit: 4 to the power of the opponents": no_limit["power"],
        f"{about}, no-limit: most ways between": max(
            ways for name, ways in no_limit.items() if name.startswith("after")
        ),
    }
    facts["times as many nodes with passive nodes"] = (
        limit["nodes with passive nodes"] / limit["nodes without passive nodes"]
    )
    return facts


def _draw_ways(plot: Axes, limit: pd.DataFrame, no_limit: pd.DataFrame) -> None:
    power, ways = limit["power"].iloc[-1], no_limit["power"].iloc[-1]
    plot.semilogy(limit["players"], limit["power"], "--", color=INK, label=f"3 an opponent: {power:,}")
    for name, (words, paint, style) in LIMIT_COLUMNS.items():
        told = f"{words}: {limit[name].iloc[-1]:,}"
        plot.semilogy(limit["players"], limit[name], style, color=paint, label=told, markersize=6)
    paint, seats = COLOURS[3], no_limit["players"]
    plot.semilogy(seats, no_limit["power"], ":", color=paint, label=f"no-limit, 4 an opponent: {ways:,}")
    most = no_limit.drop(columns=["players", "power"]).max(axis=1)
    told = f"no-limit, counted: {most.iloc[-1]:,}"
    plot.semilogy(seats, most, "^-", color=paint, label=told, markersize=6)
    plot.semilogy(limit["players"], [3] * len(limit), "s-", color=COLOURS[2], label="with passive nodes: 3")
    _frame(plot, "branches between two own decisions", "ways", limit)


def _draw(plot: Axes, table: pd.DataFrame, lines: dict[str, tuple], title: str, y: str) -> None:
    for name, (words, paint, style) in lines.items():
        told = f"{words}: {table[name].iloc[-1]:,}"
        plot.semilogy(table["players"], table[name], style, color=paint, label=told, markersize=6)
    _frame(plot, title, y, table)


def _frame(plot: Axes, title: str, y: str, table: pd.DataFrame) -> None:
    plot.grid(alpha=0.25)
    plot.set_xticks(table["players"])
    plot.set_ylim(top=30 * plot.get_ylim()[1])  # room for the legend
    label(plot, title, "players at the table", y, "upper left")
    plot.get_legend().set_title(f"with {table['players'].iloc[-1]} players")


FIGURE = PublishedFigure(
    "branching",
    "3^9 branches between two decisions? What passive nodes change, and what they do not",
    "after document 000, truncated strategy trees with passive nodes",
    CAPTION,
    make,
    {
        "players": list(EFFORT.players),
        "bets at most": EFFORT.bets,
        "no-limit menu": "fold, call, pot, all-in",
    },
    needs_strength=False,
)
