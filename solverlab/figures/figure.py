"""What a published figure is made of: its data, its drawing, and where both came from."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from solverlab.core.rows import Row
from solverlab.views.theme import PRINT, PRINT_INK

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

PACKAGES = ("solverlab", "numpy", "numba", "pandas", "matplotlib")
COLOURS, INK = PRINT, PRINT_INK  # told apart by most eyes
Report = Callable[[float, str], None]
Facts = Row  # numbers worth asserting, by name; as mixed as what a figure tells


@dataclass(frozen=True)
class Drawing:
    """A figure just made: tables behind it, numbers worth asserting, and the canvas."""

    tables: Mapping[str, pd.DataFrame]
    facts: Facts
    canvas: Canvas


@dataclass(frozen=True)
class PublishedFigure:
    """A figure somebody published and we make again from first principles."""

    name: str
    title: str
    source: str  # citation
    caption: str
    make: Callable[[Report], Drawing]
    parameters: Facts = field(default_factory=dict)
    needs_strength: bool = True  # whether the exact strength tables of every street come first

    def write(self, folder: str | Path, report: Report = lambda share, what: None) -> dict[str, Path]:
        """Make the figure; write NAME.png, NAME.svg, a CSV a table, and NAME.json with where it came from."""
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        drawing = self.make(report)
        report(0.9, "drawing")
        files = {"png": target / f"{self.name}.png", "svg": target / f"{self.name}.svg"}
        drawing.canvas.savefig(files["png"], dpi=150, metadata={"Title": self.title, "Source": self.source})
        drawing.canvas.savefig(files["svg"], dpi=150, metadata={"Title": self.title, "Date": None})
        for table, rows in drawing.tables.items():
            files[f"{table}.csv"] = target / f"{self.name}-{table}.csv"
            rows.to_csv(files[f"{table}.csv"], index=False)
        files["json"] = target / f"{self.name}.json"
        files["json"].write_text(json.dumps(self._provenance(drawing, files), indent=2) + "\n")
        report(1.0, "done")
        return files

    def _provenance(self, drawing: Drawing, files: Mapping[str, Path]) -> Facts:
        """Everything one needs to make the figure again and to see that it is the same."""
        sums = {
            path.name: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in files.values()
            if path.exists()
        }
        return {
            "figure": self.name,
            "title": self.title,
            "source": self.source,
            "caption": self.caption,
            "command": f"solverlab figure {self.name}",
            "parameters": dict(self.parameters),
            "facts": dict(drawing.facts),
            "versions": {package: version(package) for package in PACKAGES}
            | {"python": platform.python_version()},
            "made": datetime.now(UTC).isoformat(timespec="seconds"),
            "sha256": {name: digest for name, digest in sums.items() if not name.endswith(".json")},
        }


def part(report: Report, span: tuple[float, float]) -> Report:
    """The same report for a part of the work.

    >>> part(lambda share, words: print(share, words), (0.5, 0.9))(0.5, "half of it")
    0.7 half of it
    """
    return lambda share, words: report(span[0] + share * (span[1] - span[0]), words)


def canvas(columns: int, width: float = 6.4, height: float = 5.0, rows: int = 1) -> tuple[Canvas, list]:
    """An empty sheet with so many plots side by side, row after row, drawn without a screen."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    sheet = Figure(figsize=(width * columns, height * rows), layout="constrained")
    FigureCanvasAgg(sheet)
    axes = sheet.subplots(rows, columns, squeeze=False).ravel()
    for plot in axes:
        plot.spines[["top", "right"]].set_visible(False)
        plot.tick_params(labelsize=11)
    return sheet, list(axes)


def label(plot: Axes, title: str, x: str, y: str, legend: str | None = "best") -> None:
    """Title, axes and legend in letters that a projector shows; no legend where its place is None."""
    plot.set_title(title, fontsize=14)
    plot.set_xlabel(x, fontsize=12)
    plot.set_ylabel(y, fontsize=12)
    if legend is not None:
        plot.legend(fontsize=10, frameon=False, loc=legend, alignment="left")
