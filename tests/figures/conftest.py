"""The figures, made once a session with the session's own strength tables."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from solverlab.figures import FIGURES, branching, crn, growth, tanh_phase, tanh_vs_cfr, two_to_seven
from solverlab.figures.kept import reproduce
from solverlab.studies.shared_hands import Hand
from solverlab.studies.two_to_seven import Effort

# Figures that take long, made small: few stacks and three cards for the whole deck, few sweeps, small games.
FEW = {
    two_to_seven: Effort(
        stacks=(2.0, 4.0, 6.0, 8.0), three_card_stacks=(6.0, 6.5), bet_stacks=(3.0,),
        real_cards=3, real_iterations=6, real_deals=20_000,
    ),
    tanh_phase: tanh_phase.Effort(sweeps=400),
    tanh_vs_cfr: tanh_vs_cfr.Effort(
        games=(("kuhn", 1000), ("push-fold", 100)), scales=(1.0, 16.0), squash_sweeps=200
    ),
    growth: growth.Effort(
        games=(("kuhn", (1, 2, 4), 20, (10, 100, 3000)),), cuts=((2, 4),), race_sweeps=500, race_scales=(8.0,)
    ),
    crn: crn.Effort(
        hands=(Hand(2, "JTs"),), epochs=2, levels=3, sizes=(25, 100), deals=100, samples=200, pairs=40
    ),
    branching: branching.Effort(players=(2, 3, 4, 5, 6)),
}  # fmt: skip


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
        for module, effort in FEW.items():
            patch.setattr(module, "EFFORT", effort)
        return {name: Made(name, folder, reproduce(name, folder)) for name in FIGURES}
