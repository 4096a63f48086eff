"""The right-hand panel of the growth figure: tanh and CFR+ on one truncated tree that grows no more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solverlab.core.frame import frame
from solverlab.figures.figure import COLOURS, Facts, label
from solverlab.studies.growth import Row
from solverlab.studies.two_to_seven import columns

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PLUS, TANH = "CFR+", "tanh"
LEAST = 1e-9  # shown: below, a strategy is at rest


def draw_cut_race(plot: Axes, rows: list[Row]) -> Facts:
    """Draw CFR+ and tanh at its best scale, as each position counts and as an onlooker does; the facts."""
    last = {row["who"]: row for row in rows}
    best = min((who for who in last if who.startswith(TANH)), key=lambda who: last[who]["own"])
    table = frame(columns(rows))
    for who, paint in ((PLUS, COLOURS[0]), (best, COLOURS[2])):
        one = table[table["who"] == who]
        plot.loglog(one["sweep"], one["own"], color=paint, linewidth=2.2, label=f"{who}, average")
        plot.loglog(one["sweep"], one["inside"], ":", color=paint, linewidth=2.2, label=f"{who}, onlooker")
    now = {"color": COLOURS[2], "linewidth": 0.9, "alpha": 0.7, "label": f"{best}, now played"}
    plot.loglog(one["sweep"], one["current_own"], **now)
    plot.grid(alpha=0.25)
    plot.set_ylim(max(LEAST, 0.2 * table[table["who"] == PLUS]["own"].min()), 3 * table["inside"].max())
    title = f"{rows[0]['game']}, cut at {rows[0]['action_nodes']} decisions"
    label(plot, title, "sweeps", "exploitability (chips)", "lower left")
    return _facts(rows[0], last, best)


def _facts(about: Row, last: dict[str, Row], best: str) -> Facts:
    facts = {}
    for who, row in last.items():
        name = f"{about['game']}, cut at {about['action_nodes']} decisions, {who}, {row['sweep']:,} sweeps"
        facts[f"{name}: as each position counts, average and now played"] = [row["own"], row["current_own"]]
        facts[f"{name}: for an onlooker, and in the whole game"] = [row["inside"], row["lifted"]]
    ratio = last[best]["own"] / last[PLUS]["own"]
    facts[f"{about['game']}, cut: best tanh average over that of CFR+"] = ratio
    return facts
