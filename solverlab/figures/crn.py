"""What shared hands are worth: EV differences within one tree, on the same deals and on separate ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from solverlab.core.frame import frame
from solverlab.figures.figure import COLOURS, INK, Drawing, Facts, PublishedFigure, Report, canvas, label
from solverlab.studies.shared_hands import Hand, Row, at_first_decision, deepened, leaf_pairs, six_handed
from solverlab.studies.two_to_seven import columns

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Effort:
    """How much to compute: the hands, levels below their first decision, deals a sample, samples, pairs."""

    hands: tuple[Hand, ...] = (Hand(2, "JTs"), Hand(2, "AA"), Hand(5, "88"))
    epochs: int = 8
    levels: int = 4
    deals: int = 200
    sizes: tuple[int, ...] = (25, 50, 100, 200, 400)
    samples: int = 400
    pairs: int = 200


EFFORT = Effort()
CAPTION = (
    "Six-handed hold'em with the real deck: one hand's tree is valued on many samples of deals. Document "
    "000 deals the same hands for all leaves below the same hole cards; then luck is common to two EVs and "
    "cancels in their difference, which is what an update compares. Left: how many times as many deals "
    "separate hands would need to know EV(raise) - EV(call) at the first own decision as well (bars: two "
    "standard errors, bootstrap). Bare leaves differ in their stakes alone, 1 against 3.5, so the ratio is "
    "exactly (1 + 3.5^2) / 2.5^2 = 2.12; it rises as the trees below grow. Middle: the standard deviation "
    "falls with the root of the deals on either line, the ratio between them stays. Right: any two leaves "
    "of one tree, of which many have little to do with each other: there sharing often helps little; what "
    "lies below 1 is hardly more than sampling error. Against an own fold it cannot help: its EV is known."
)


def make(report: Report) -> Drawing:
    effort = EFFORT
    report(0.0, "growing a forest of six-handed hold'em")
    forest, by_level, by_size, leaves = six_handed(effort.epochs), [], [], []
    for number, hand in enumerate(effort.hands):
        for level in range(effort.levels + 1):
            report(
                0.1 + 0.8 * number / len(effort.hands), f"{hand.holding}: {level} levels below its decision"
            )
            node = deepened(forest, hand, level)
            rows = at_first_decision(forest, hand, node, (effort.deals,), effort.samples)
            by_level += [{"level": level, **row} for row in rows]
        by_size += at_first_decision(forest, hand, node, effort.sizes, effort.samples)
        leaves += leaf_pairs(forest, hand, node, effort.deals, effort.samples, effort.pairs)
    named = {"levels": by_level, "samples": by_size, "leaves": leaves}
    tables = {name: frame(columns(rows)) for name, rows in named.items()}
    sheet, plots = canvas(3, width=6.0, height=5.6)
    _draw_levels(plots[0], tables["levels"])
    _draw_sizes(plots[1], tables["samples"], effort.hands[0])
    _draw_leaves(plots[2], tables["leaves"])
    return Drawing(tables, _facts(by_level, by_size, tables["leaves"], effort), sheet)


def _facts(by_level: list[Row], by_size: list[Row], leaves: pd.DataFrame, effort: Effort) -> Facts:
    """The ratio with its standard error, and what sampling apart would cost."""
    facts: Facts = {}
    for row in by_level:
        if row["level"] in (0, effort.levels):
            about = f"{row['hand']} {row['seat']}, call or raise, {row['level']} levels below"
            facts[f"{about}: ratio of variances, and its error"] = [row["ratio"], row["error"]]
    for row in by_size:
        if row["hand"] == effort.hands[0].holding:
            about = f"{row['hand']}, {row['samples']} samples of {row['deals']} deals"
            facts[f"{about}: ratio of variances, and its error"] = [row["ratio"], row["error"]]
    for hand, rows in leaves.groupby("hand", sort=False):
        facts[f"{hand}, pairs of leaves: middle ratio"] = float(rows["ratio"].median())
        facts[f"share of pairs of leaves with {hand} at a ratio above 1"] = float((rows["ratio"] > 1).mean())
    below = leaves["ratio"] < 1 - 3 * leaves["error"]
    facts["pairs of leaves where sharing hurts by three standard errors"] = int(below.sum())
    return facts


# ---- drawing -----------------------------------------------------------------------------------------------


def _draw_levels(plot: Axes, table: pd.DataFrame) -> None:
    for paint, (hand, rows) in zip(COLOURS, table.groupby("hand", sort=False), strict=False):
        told = f"{hand}, {rows['seat'].iloc[0]}"
        plot.errorbar(rows["level"], rows["ratio"], 2 * rows["error"], color=paint, label=told, marker="o")
    plot.axhline(1, color=INK, linewidth=0.8)
    plot.set_yscale("log")
    plot.set_yticks([1, 2, 5, 10, 20], labels=["1", "2", "5", "10", "20"])
    plot.minorticks_off()
    plot.set_xticks(sorted(table["level"].unique()))
    plot.grid(alpha=0.25)
    label(plot, "call or raise: deals saved by sharing", "levels grown below the decision",
          "variance apart over variance shared", "upper left")  # fmt: skip


def _draw_sizes(plot: Axes, table: pd.DataFrame, hand: Hand) -> None:
    rows = table[table["hand"] == hand.holding]
    lines = {"apart": ("each action on its own hands", COLOURS[2], "s-"),
             "shared": ("both actions on the same hands", COLOURS[0], "o-")}  # fmt: skip
    for column, (words, paint, style) in lines.items():
        plot.loglog(rows["deals"], rows[column] ** 0.5, style, color=paint, label=words, markersize=7)
    for row in rows.itertuples():
        middle = (row.shared * row.apart) ** 0.25
        plot.text(row.deals, middle, f"{row.ratio:.1f}", ha="center", va="center", fontsize=11, color=INK)
    plot.set_xticks(rows["deals"], labels=[str(deals) for deals in rows["deals"]])
    plot.set_yticks([0.5, 1, 2, 5, 10, 20], labels=["0.5", "1", "2", "5", "10", "20"])
    plot.minorticks_off()
    plot.grid(alpha=0.25)
    plot.set_ylim(0.8 * rows["shared"].min() ** 0.5, 2.2 * rows["apart"].max() ** 0.5)
    title = f"EV(raise) - EV(call), {hand.holding}; between: the ratio of variances"
    label(plot, title, "deals in the sample", "standard deviation (big blinds)", "upper right")
    plot.set_title(title, fontsize=12)


def _draw_leaves(plot: Axes, table: pd.DataFrame) -> None:
    for paint, (hand, rows) in zip(COLOURS, table.groupby("hand", sort=False), strict=False):
        ordered, count = rows["ratio"].sort_values(), len(rows)
        told = f"{hand}, {rows['seat'].iloc[0]}: middle {ordered.median():.2f}"
        plot.plot(
            ordered, [(place + 0.5) / count for place in range(count)], color=paint, label=told, linewidth=2
        )
    plot.axvline(1, color=INK, linewidth=0.8)
    plot.set_xscale("log")
    plot.set_xlim(0.8, 12)
    plot.set_xticks([1, 2, 5, 10], labels=["1", "2", "5", "10"])
    plot.minorticks_off()
    plot.grid(alpha=0.25)
    label(plot, "any two leaves of one tree", "variance apart over variance shared",
          "share of pairs below", "lower right")  # fmt: skip


FIGURE = PublishedFigure(
    "crn",
    "What are shared hands worth? EV differences on the same deals and on separate ones",
    "after document 000, which deals one set of hands for all leaves with the same fixed cards",
    CAPTION,
    make,
    {
        "table": "six-handed no-limit hold'em, 100 big blinds, pot-sized raises",
        "epochs grown": EFFORT.epochs,
        "levels below": EFFORT.levels,
        "samples": EFFORT.samples,
        "deals": list(EFFORT.sizes),
        "pairs of leaves": EFFORT.pairs,
    },
    needs_strength=False,
)
