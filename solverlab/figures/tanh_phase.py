"""Phase portraits of the tanh rebalance: where it spirals to, where it rests, and how bad that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from solverlab.core.frame import frame
from solverlab.figures.figure import COLOURS, INK, Drawing, Facts, PublishedFigure, Report, canvas, label
from solverlab.studies.tanh import PORTRAITS, REST, Row, first_rest, way
from solverlab.studies.two_to_seven import columns

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Effort:
    """How much to compute: scales in chips, sweeps of each, sweeps drawn in the portraits."""

    scales: tuple[float, ...] = (1.0, 4.0, 16.0)
    sweeps: int = 2000
    drawn: int = 400


EFFORT = Effort()
SPIRAL, JUMPS = 4.0, 1.0  # the scales of the portraits: a line, and dots
TALL = 3**0.5 / 2  # height of a triangle of width 1
TRIANGLE = "rock-paper-scissors"
# The equilibria in the plane of each portrait: two ends of a segment, or a point twice.
RESTS = {
    "matching pennies": ((0.5, 0.5), (0.5, 0.5)),
    TRIANGLE: ((1 / 3, 1 / 3), (1 / 3, 1 / 3)),
    "Kuhn poker": ((0.0, 1 / 3), (1 / 3, 1 / 3)),
}
AXES = {
    "matching pennies": ("first player shows heads", "second player shows heads"),
    "Kuhn poker": ("first player raises with J", "second player calls a raise with Q"),
}
CAPTION = (
    "The update of document 000, p *= 1 + tanh(EV / scale), with exact EVs. Above: the strategy now played "
    "at scale 4 (line, from the ring to the dot) and at scale 1 (crosses), its average at scale 4 (black), "
    "the equilibria (star or bar). Below: exact exploitability, lines of the strategy now played, dashes of "
    "the average; a cross marks where no probability changes by more than a millionth, the document's test "
    "of convergence. The strategy now played never converges: it spirals outwards, rests near a corner, "
    "calls that converged (on the two games of hidden moves at the worst exploitability there is) and "
    "leaves again. The average is better, the more so the larger the scale, and then slower. On matching "
    "pennies the average falls in the end, as slowly as one over the root of the sweeps: there the update "
    "is exactly Hedge, as log(1 + tanh x) - log(1 - tanh x) = 2x."
)


def make(report: Report) -> Drawing:
    effort, ways = EFFORT, {}
    for number, (name, portrait) in enumerate(PORTRAITS.items()):
        for scale in effort.scales:
            report(0.8 * number / len(PORTRAITS), f"{name}, scale {scale:g}")
            ways[name, scale] = way(portrait, scale, effort.sweeps)
    tables = {
        name.lower().replace(" ", "-"): frame(
            columns([row for scale in effort.scales for row in ways[name, scale]])
        )
        for name in PORTRAITS
    }
    sheet, plots = canvas(len(PORTRAITS), width=6.0, height=5.0, rows=2)
    for plot, below, name, table in zip(plots[:3], plots[3:], PORTRAITS, tables.values(), strict=True):
        _draw_portrait(plot, name, table[table["sweep"] <= effort.drawn])
        _draw_distances(below, name, table, {scale: ways[name, scale] for scale in effort.scales})
    return Drawing(tables, _facts(ways, effort), sheet)


def _facts(ways: dict[tuple[str, float], list[Row]], effort: Effort) -> Facts:
    """When each one calls itself converged and how bad it is then; how bad its worst and its average are."""
    facts: Facts = {}
    for (name, scale), rows in ways.items():
        about, rest = f"{name}, scale {scale:g}", first_rest(rows)
        facts[f"{about}: first at rest after so many sweeps"] = None if rest is None else rest["sweep"]
        if rest is not None:
            facts[f"{about}: exploitability at that rest"] = rest["exploitability"]
        late = rows[len(rows) // 2 :]
        facts[f"{about}: largest exploitability in the later half"] = max(r["exploitability"] for r in late)
        facts[f"{about}: exploitability of the average, {effort.sweeps:,} sweeps"] = rows[-1][
            "average_exploitability"
        ]
    return facts


# ---- drawing -----------------------------------------------------------------------------------------------


def _draw_portrait(plot: Axes, name: str, table: pd.DataFrame) -> None:
    spiral, jumps = (table[table["scale"] == scale] for scale in (SPIRAL, JUMPS))
    x, y = _placed(name, spiral["x"], spiral["y"])
    plot.plot(x, y, color=COLOURS[0], linewidth=1.1, label=f"now played, scale {SPIRAL:g}", zorder=2)
    plot.plot(x.iloc[:1], y.iloc[:1], "o", color=COLOURS[0], markerfacecolor="white", markersize=8, zorder=5)
    plot.plot(x.iloc[-1:], y.iloc[-1:], "o", color=COLOURS[0], markersize=8, zorder=5)
    x, y = _placed(name, jumps["x"], jumps["y"])
    plot.plot(x, y, "x", color=COLOURS[2], markersize=6, label=f"now played, scale {JUMPS:g}", zorder=3)
    x, y = _placed(name, spiral["average_x"], spiral["average_y"])
    plot.plot(x, y, color=INK, linewidth=2.2, label=f"average, scale {SPIRAL:g}", zorder=4)
    ends = [_placed(name, *point) for point in RESTS[name]]
    plot.plot(*zip(*ends, strict=True), "*-", color=COLOURS[1], linewidth=5, markersize=13, zorder=6,
              label="equilibrium")  # fmt: skip
    if name == TRIANGLE:
        _draw_triangle(plot)
    else:
        plot.set(xlim=(-0.04, 1.04), ylim=(-0.04, 1.04))
        label(plot, "", *AXES[name], legend=None)
    plot.set_title(name, fontsize=15)
    plot.set_aspect("equal")


def _placed(name: str, x: pd.Series, y: pd.Series) -> tuple[pd.Series, pd.Series]:
    """Where a point is drawn: in a square, or in the triangle whose corners are rock, paper and scissors."""
    return (y + (1 - x - y) / 2, TALL * (1 - x - y)) if name == TRIANGLE else (x, y)


def _draw_triangle(plot: Axes) -> None:
    plot.plot([0, 1, 0.5, 0], [0, 0, TALL, 0], color=INK, linewidth=0.8)
    for words, x, y, side in (
        ("all rock", 0, -0.02, "left"),
        ("all paper", 1, -0.02, "right"),
        ("all scissors", 0.54, TALL, "left"),
    ):
        plot.text(x, y, words, ha=side, va="top", fontsize=12)
    plot.set(xlim=(-0.04, 1.04), ylim=(-0.12, 0.96), xticks=[], yticks=[])
    plot.spines[:].set_visible(False)
    plot.legend(fontsize=10, frameon=False, loc="upper left", alignment="left")


def _draw_distances(plot: Axes, name: str, table: pd.DataFrame, ways: dict[float, list[Row]]) -> None:
    paints = {scale: COLOURS[place] for scale, place in zip(ways, (2, 0, 3), strict=False)}
    for scale, rows in table[table["sweep"] > 0].groupby("scale"):
        paint = paints[scale]
        plot.loglog(rows["sweep"], rows["exploitability"], color=paint, linewidth=1.0, alpha=0.8)
        plot.loglog(rows["sweep"], rows["average_exploitability"], "--", color=paint, linewidth=2.2)
        rest = first_rest(ways[scale])
        if rest is not None:
            plot.plot(rest["sweep"], rest["exploitability"], "X", color=paint, markersize=13, zorder=6,
                      markeredgecolor="white")  # fmt: skip
        plot.plot([], [], color=paint, linewidth=2.2, label=f"scale {scale:g}")
    plot.plot([], [], color=INK, linewidth=1.0, label="now played")
    plot.plot([], [], "--", color=INK, linewidth=2.2, label="average")
    plot.plot([], [], "X", color=INK, markersize=10, label=f"change below {REST:g}")
    plot.grid(alpha=0.25)
    plot.set_ylim(bottom=table["average_exploitability"].min() / 5)  # room for the legend
    plot.tick_params(axis="y", which="minor", labelleft=False)
    label(plot, "", "sweeps", "exploitability (chips)", "lower left")


FIGURE = PublishedFigure(
    "tanh-phase",
    "Does the tanh rebalance converge? Spirals, and rest at the worst strategy",
    "after document 000, truncated strategy trees rebalanced by tanh",
    CAPTION,
    make,
    {"scales": list(EFFORT.scales), "sweeps": EFFORT.sweeps, "sweeps drawn above": EFFORT.drawn},
    needs_strength=False,
)
