"""The figures, made once a session with the session's own strength tables."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from solverlab.figures import FIGURES
from solverlab.figures.kept import reproduce


class Made:
    """What one figure wrote."""

    def __init__(self, name: str, folder: Path, files: list[Path]):
        self.name, self.folder, self.files = name, folder, files
        self.provenance = json.loads((folder / f"{name}.json").read_text())
        self.facts = self.provenance["facts"]

    def table(self, name: str) -> pd.DataFrame:
        return pd.read_csv(self.folder / f"{self.name}-{name}.csv")


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Made]:
    """Every figure of the list, by name; the tables are in SOLVERLAB_HOME, where all tests share them."""
    folder = tmp_path_factory.mktemp("figures")
    return {name: Made(name, folder, reproduce(name, folder)) for name in FIGURES}
