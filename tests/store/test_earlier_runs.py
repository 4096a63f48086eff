"""Runs, policies and games that an earlier version wrote open today, and the runs go on bit for bit."""

from __future__ import annotations

import json
import os
import zipfile

import numpy as np
import pytest
from recorded import assert_recorded
from store.earlier import BEGUN, FOLDER, GRID, MORE, RUNS, digest, file_name, numbers_of

import solverlab as sl
from solverlab import store
from solverlab.store.home import runs_folder

TOLD = json.loads((FOLDER / "digests.json").read_text())


@pytest.fixture(autouse=True)
def tables(home):
    """The big tables all tests share: a home of one's own need not build them again."""
    home.mkdir()
    (home / "tables").symlink_to(os.environ["SOLVERLAB_TEST_TABLES"], target_is_directory=True)


@pytest.mark.parametrize("name", RUNS)
def test_a_run_of_before_opens_and_goes_on(name):
    saved = store.import_run(FOLDER / file_name(name), "archive")
    with zipfile.ZipFile(FOLDER / file_name(name)) as archive:  # the same files make a run's folder
        archive.extractall(runs_folder() / name.replace(" ", "-"))
    folder = sl.load(name.replace(" ", "-"))
    for run in (saved, folder):
        solver = run.solver()
        assert digest(solver) == TOLD["opened"][name]
        assert [row["made up"] for row in run.trace.rows] == [0.5] and solver.iteration == BEGUN
        solver.step(MORE)
        assert_recorded(f"run {name}", digest(solver), TOLD["after"][name], numbers_of(solver))
    sl.save(solver, folder.name)  # a later state of the same run, not another run
    assert sl.load(folder.name).solver().iteration == BEGUN + MORE


@pytest.mark.parametrize("name", GRID)
def test_states_are_those_of_before(name):
    solver = GRID[name]()
    solver.step(BEGUN + MORE)
    assert digest(solver) == TOLD["grid"][name]


@pytest.mark.parametrize("suffix", ["csv", "json", "parquet"])
def test_a_policy_of_before_is_read(suffix):
    game = sl.Kuhn()
    policy = store.read_policy(FOLDER / f"kuhn-policy.{suffix}", game)
    again = sl.CFR(game, "DCFR").step(BEGUN).policy
    assert np.array_equal(policy.sigma, again.sigma)


@pytest.mark.parametrize("suffix", ["json", "game"])
def test_a_game_of_before_is_read(suffix):
    game, leduc = store.read_game(FOLDER / f"leduc.{suffix}"), sl.Leduc()
    assert len(game.tree.parent) == len(leduc.tree.parent)
    assert sl.value(game, sl.uniform_policy(game)) == sl.value(leduc, sl.uniform_policy(leduc))
