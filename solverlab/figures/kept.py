"""Figures kept on this computer: made anew whole or not at all, and read back only if nobody touched them."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock

from solverlab.cards.strength_tables import strength_tables
from solverlab.cards.table_cache import BuildCancelled
from solverlab.core.errors import BadValue
from solverlab.figures import figure_named
from solverlab.figures.figure import Facts, PublishedFigure, Report
from solverlab.store.home import home

# The drawing library is not made for threads: one server draws one figure at a time.
_one_at_a_time = Lock()


def figures_folder() -> Path:
    """Where the pages keep figures."""
    return home() / "figures"


@dataclass(frozen=True)
class KeptFigure:
    """A figure on disk: its provenance, and the files it names."""

    folder: Path
    provenance: Facts

    def bytes(self, ending: str) -> bytes:
        """The picture: `png` or `svg`."""
        return (self.folder / f"{self.provenance['figure']}.{ending}").read_bytes()

    def data(self) -> bytes:
        """Every table and the provenance as one zip file."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as target:
            for name in (*self.tables(), f"{self.provenance['figure']}.json"):
                target.write(self.folder / name, name)
        return packed.getvalue()

    def tables(self) -> dict[str, str]:
        """File names of the tables with their checksums."""
        return {name: sum for name, sum in self.provenance["sha256"].items() if name.endswith(".csv")}


def kept_figure(name: str, folder: str | Path | None = None) -> KeptFigure | None:
    """A figure made earlier, or None when it is not there or its files are not what its provenance says."""
    where = figures_folder() if folder is None else Path(folder)
    try:
        provenance = json.loads((where / f"{figure_named(name).name}.json").read_text())
        whole = provenance["figure"] == name and all(
            hashlib.sha256((where / Path(file).name).read_bytes()).hexdigest() == digest
            for file, digest in provenance["sha256"].items()
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return KeptFigure(where, provenance) if whole else None


def reproduce(
    name: str,
    folder: str | Path | None = None,
    report: Report = lambda share, what: None,
    cancel: Callable[[], bool] = lambda: False,
) -> list[Path]:
    """Make a figure anew and put its files into a folder, all of them or none; returns them.

    `report(share, words)` hears how far it is; it stops at the next step once `cancel()` is true.
    """
    figure, target = figure_named(name), figures_folder() if folder is None else Path(folder)
    report(0.0, "waiting for another figure")
    with _one_at_a_time:
        try:
            target.mkdir(parents=True, exist_ok=True)
            with TemporaryDirectory(prefix=".making-", dir=target) as made:
                return _made(figure, Path(made), target, report, cancel)
        except OSError as problem:
            why = problem.strerror or str(problem)
            raise BadValue(
                f"{name} could not be written into {target} ({why}); name another folder"
            ) from None


def _made(
    figure: PublishedFigure, made: Path, target: Path, report: Report, cancel: Callable[[], bool]
) -> list[Path]:
    """The tables first, where they are missing, then the figure; moved to its place when it is whole."""
    before = 0.0
    if figure.needs_strength and not strength_tables().ready():
        before = 0.6
        strength_tables().array("flop_sums", lambda share, words: report(before * share, words), cancel)

    def told(share: float, words: str) -> None:
        if cancel():
            raise BuildCancelled(
                f"{figure.name} was cancelled and nothing was kept; press Reproduce to make it"
            )
        report(before + (1 - before) * share, words)

    files = list(figure.write(made, told).values())  # the provenance is last: nothing it names is missing
    return [path.replace(target / path.name) for path in files]
