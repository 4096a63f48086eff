"""The figures, made once a session with the session's own strength tables."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from solverlab.figures import FIGURES, two_to_seven
from solverlab.figures.kept import reproduce
from solverlab.run.two_to_seven import Effort

# The costly half of the 2-to-7 figure made small: few stacks, and three cards for the whole deck.
FEW = Effort(
    stacks=(2.0, 4.0, 6.0, 8.0), three_card_stacks=(6.0, 6.5), bet_stacks=(3.0,),
    real_cards=3, real_iterations=6, real_deals=20_000,
)  # fmt: skip


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
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(two_to_seven, "EFFORT", FEW)
        return {name: Made(name, folder, reproduce(name, folder)) for name in FIGURES}
