"""How often one hand, or all of them together, goes in at every stack of the chart: a line a grid."""

from __future__ import annotations

from collections.abc import Sequence

from bokeh.models import Range1d

from solverlab.ui.parts.chart import LiveChart
from solverlab.views.theme import LIGHT


class HandCurve(LiveChart):
    """Two lines in per cent, the left grid's and the right grid's."""

    def __init__(self) -> None:
        super().__init__(
            "curve-plot", x_range=Range1d(1, 25.4), y_range=Range1d(-4, 104), min_height=110,
            min_border_right=12, hint_at=(20, 30),
        )  # fmt: skip
        for side, shade, dots in zip(
            ("left", "right"), (LIGHT.all_in, LIGHT.call), ("circle", "square"), strict=True
        ):
            self.add_line(f"curve-{side}", ("stack", "share"), shade.line, dots=dots)
        self.sources = [line.source for line in self.lines]
        self.explain([[line] for line in self.lines], "above", outside=True)
        self.tell([("stack", "@stack big blinds"), ("goes in", "@share{0.0} %")])
        self.figure.yaxis.ticker = [0, 50, 100]
        self.entitle(along="stack in big blinds", up="goes in, %")
        self.mark(10)
        self.dress()

    def show(
        self, title: str, stacks: Sequence[float], shares: Sequence[Sequence[float]], names: Sequence[str]
    ) -> None:
        """Draw lines in per cent, one a grid; none with a title alone."""
        for number, (share, name) in enumerate(zip(shares, names, strict=True)):
            self.lines[number].send({"stack": list(stacks), "share": [100 * float(p) for p in share]})
            self.name_line(number, name, bool(stacks))
        self.entitle(title)

    def at(self, stack: float) -> None:
        """Mark the stack that the grids show."""
        if self.marker.location != stack:
            self.mark(stack)
            self.figure.x_range.end = max(25.4, stack * 1.02)
