"""The push/fold chart: up to which stack each starting hand is jammed, and up to which one it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solverlab.core.frame import frame
from solverlab.core.snapshot import Snapshot
from solverlab.figures.figure import Drawing, PublishedFigure, Report, canvas
from solverlab.studies.pushfold import STACKS, pushfold_charts
from solverlab.views.pushfold_chart import RANKS, pushfold_frame, share_frame, stack_words

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

TARGET = 1e-6  # exact exploitability of every chart, in big blinds
TOLD = 10.0  # the stack whose shares are among the facts
NODES = {"jams": ("", "small blind jams up to"), "calls": ("jam", "big blind calls up to")}
CAPTION = (
    "Heads-up no-limit hold'em in which the small blind (0.5) jams or folds and the big blind (1) calls or "
    "folds, solved with exact card removal and equities. A number is the largest stack in big blinds, blind "
    "included, at which the hand goes in at least half of the time; + is the largest stack solved. Suited "
    "hands are above the diagonal. A few hands fold at some smaller stacks: see gaps in the data."
)


def solved(report: Report) -> dict[float, Snapshot]:
    """The solution at every stack, telling how far it is."""
    charts: dict[float, Snapshot] = {}
    for number, stack in enumerate(STACKS):
        report(0.8 * number / len(STACKS), f"solving {stack:g} big blinds")
        charts |= pushfold_charts([stack], target=TARGET)
    return charts


def make(report: Report) -> Drawing:
    charts = solved(report)
    tables = {name: pushfold_frame(charts, node) for name, (node, _) in NODES.items()}
    exact = frame({name: [getattr(charts[s], name) for s in charts] for name in ("value", "exploitability")})
    shares = share_frame(charts).join(exact)
    sheet, plots = canvas(2, height=6.9)
    for plot, (name, (_, title)) in zip(plots, NODES.items(), strict=True):
        _draw(plot, tables[name], max(charts), f"{title} (big blinds)")
    told = shares.set_index("stack").loc[TOLD]
    worst = shares["exploitability"].idxmax()
    facts = {
        f"share jammed at {TOLD:g} big blinds": float(told["jammed"]),
        f"share called at {TOLD:g} big blinds": float(told["called"]),
        f"value of the small blind at {TOLD:g} big blinds": float(told["value"]),
        "exploitability of the worst chart, big blinds": float(shares["exploitability"][worst]),
        "stack of the worst chart": float(shares["stack"][worst]),
        "hands with gaps": int(sum((table["gaps"] > 0).sum() for table in tables.values())),
    }
    return Drawing(tables | {"shares": shares}, facts, sheet)


def _draw(plot: Axes, table: pd.DataFrame, most: float, title: str) -> None:
    """One 13 x 13 grid: the hand and its stack on every cell, dark on light and light on dark."""
    places = {rank: number for number, rank in enumerate(RANKS)}
    rows, columns = table["row"].map(places), table["column"].map(places)
    numbers = table["stack"].to_numpy()[(13 * rows + columns).argsort()].reshape(13, 13)
    plot.imshow(numbers, cmap="cividis_r", vmin=0, vmax=most)
    words = zip(table["hand"], stack_words(table["stack"], most), rows, columns, table["stack"], strict=True)
    for hand, shown, row, column, stack in words:
        colour = "white" if stack > 0.52 * most else "black"
        plot.text(column, row - 0.16, hand, ha="center", va="center", fontsize=9, color=colour)
        plot.text(column, row + 0.2, shown, ha="center", va="center", fontsize=9, color=colour, weight="bold")
    plot.set_xticks([x - 0.5 for x in range(14)], labels=[])
    plot.set_yticks([y - 0.5 for y in range(14)], labels=[])
    plot.grid(color="white", linewidth=0.8)
    plot.tick_params(length=0)
    plot.spines[:].set_visible(False)
    plot.set_title(title, fontsize=14)


FIGURE = PublishedFigure(
    "push-fold-chart",
    "The push/fold Nash chart of heads-up hold'em",
    "after the jam-or-fold tables of B. Chen and J. Ankenman, The Mathematics of Poker, ConJelCo 2006",
    CAPTION,
    make,
    {"stacks": f"{STACKS[0]:g} to {STACKS[-1]:g} by {STACKS[1] - STACKS[0]:g}", "target": TARGET},
    needs_strength=False,
)
