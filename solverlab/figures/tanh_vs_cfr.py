"""The tanh rebalance beside CFR and CFR+ on the same games, by exact exploitability."""

from __future__ import annotations

from dataclasses import dataclass
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
from solverlab.studies.tanh import Row, best_scales, race, squash_table
from solverlab.studies.two_to_seven import columns

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Effort:
    """How much to compute: the games of the catalogue with their sweeps, the scales, the squashes' sweeps."""

    games: tuple[tuple[str, int], ...] = (("kuhn", 3000), ("leduc", 3000), ("push-fold", 1000))
    scales: tuple[float, ...] = (1.0, 4.0, 16.0, 64.0)
    squash_scale: float = 4.0
    squash_sweeps: int = 1000


EFFORT = Effort()
NAMES = {"kuhn": "Kuhn poker", "leduc": "Leduc hold'em", "push-fold": "push/fold, 10 big blinds"}
UNITS = {"push-fold": "big blinds"}
PLAIN = 1.0  # the document names no scale
PAINTS = {
    "CFR": COLOURS[0],
    "CFR+": COLOURS[1],
    "as written": COLOURS[2],
    "centred": COLOURS[3],
    "reach-weighted": COLOURS[4],
}
CAPTION = (
    "Exact exploitability against sweeps of the whole tree: CFR and CFR+ (average strategies), and document "
    "000's update p *= 1 + tanh(EV / scale) with the EV as written, less the node's own, or times the reach "
    "of the node, each at the one scale of several whose average (lines) ends best; dots are the strategy "
    "now played, as written, at that scale; dashes the average at scale 1, as the document has it. Does it "
    "converge? Where an equilibrium mixes (Kuhn, Leduc), no: the strategy now played goes round for ever, "
    "and the averages level off or fall slowly, two or three orders of magnitude above CFR+. Where an "
    "equilibrium is all but pure (push/fold), yes: the strategy now played comes within millionths of a big "
    "blind. Other functions in the place of tanh change little: the table of squashes says how little."
)


def make(report: Report) -> Drawing:
    effort, rows = EFFORT, []
    for number, (name, sweeps) in enumerate(effort.games):
        span = (0.8 * number / len(effort.games), 0.8 * (number + 1) / len(effort.games))
        told = race(name, effort.scales, sweeps, part(report, span))
        rows.append(told)
    report(0.8, "other squashes")
    squashes = squash_table("kuhn", effort.squash_scale, effort.squash_sweeps)
    tables = {
        "race": frame(columns([row for told in rows for row in told])),
        "squashes": frame(columns(squashes)),
    }
    sheet, plots = canvas(len(effort.games), width=6.2, height=5.8)
    for plot, (name, _), told in zip(plots, effort.games, rows, strict=True):
        _draw(plot, frame(columns(told)), best_scales(told))
        label(plot, NAMES[name], "sweeps", f"exploitability ({UNITS.get(name, 'chips')})", "lower left")
    facts = {fact: number for (name, _), told in zip(effort.games, rows, strict=True)
             for fact, number in _facts(NAMES[name], told).items()}  # fmt: skip
    for kind in dict.fromkeys(row["kind"] for row in squashes):
        ends = [row["average_exploitability"] for row in squashes if row["kind"] == kind]
        facts[f"Kuhn poker, {kind}: averages of six squashes, best and worst"] = [min(ends), max(ends)]
    return Drawing(tables, facts, sheet)


def _facts(name: str, told: list[Row]) -> Facts:
    """Where everybody ended, tanh at its best scale."""
    best, facts = best_scales(told), {}
    for kind, row in best.items():
        who = kind if row["scale"] is None else f"tanh {row['who']}"
        facts[f"{name}, {who}: average after {row['sweep']:,} sweeps"] = row["average_exploitability"]
    written = best["as written"]
    facts[f"{name}, tanh {written['who']}: strategy now played"] = written["exploitability"]
    tanh = min(row["average_exploitability"] for kind, row in best.items() if row["scale"] is not None)
    facts[f"{name}: best tanh average over the average of CFR"] = tanh / best["CFR"]["average_exploitability"]
    return facts


def _draw(plot: Axes, table: pd.DataFrame, best: dict[str, Row]) -> None:
    for kind, row in best.items():
        one = table[table["who"] == row["who"]]
        named = kind if row["scale"] is None else f"tanh {row['who']}"
        width = 2.6 if row["scale"] is None else 1.8
        plot.loglog(
            one["sweep"], one["average_exploitability"], color=PAINTS[kind], linewidth=width, label=named
        )
    now = table[table["who"] == best["as written"]["who"]]
    plot.loglog(
        now["sweep"], now["exploitability"], "o", color=PAINTS["as written"], markersize=3.5,
        label="tanh as written, now played",
    )  # fmt: skip
    if best["as written"]["scale"] != PLAIN:
        plain = table[(table["kind"] == "as written") & (table["scale"] == PLAIN)]
        plot.loglog(
            plain["sweep"], plain["average_exploitability"], "--", color=PAINTS["as written"], linewidth=1.8,
            label=f"tanh as written, scale {PLAIN:g}",
        )  # fmt: skip
    start = table["average_exploitability"].max()
    reach = table["sweep"].max()
    plot.loglog([1, reach], [start, start / reach], ":", color=INK, linewidth=1, label="one over sweeps")
    plot.grid(alpha=0.25)
    plot.set_ylim(bottom=table["average_exploitability"].min() / 200)


FIGURE = PublishedFigure(
    "tanh-vs-cfr",
    "Does the tanh rebalance find an equilibrium? Beside CFR on the same games",
    "after document 000, truncated strategy trees rebalanced by tanh",
    CAPTION,
    make,
    {"sweeps": dict(EFFORT.games), "scales": list(EFFORT.scales), "reach-weighted scales": "over hands"},
    needs_strength=False,
)
