"""What tests ask for by name, and which of them stay together when several processes share the work."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.provide_chromium import ADVICE, find


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the project."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of the browser, which the Makefile hands over in SOLVERLAB_CHROMIUM."""
    path = find()
    assert path is not None, ADVICE
    return path


# What takes longest is dealt out first, or one process would still be at it when the others have ended.
LONGEST = (
    "tests/figures/",
    "tests/browser/test_solve_page.py",
    "tests/browser/test_lab_in_jupyter.py",
    "tests/browser/test_abstraction_page.py",
    "tests/browser/test_lowball_page.py",
    "tests/browser/",
    "tests/store/test_grown_runs.py",
    "tests/store/test_proofs.py",
    "tests/test_bench.py",
    "tests/solvers/",
    "tests/abstraction/test_strength.py",
    "tests/ui/test_grow_page.py",
    "tests/ui/test_abstraction_page.py",
    "tests/cards/",
    "tests/games/",
    "tests/test_packaging.py",
    "tests/test_cli.py",
    "tests/",
)


def _turn(item: pytest.Item) -> int:
    """When an item's turn comes; what is not in the list comes last, in the order it was found."""
    return next((i for i, start in enumerate(LONGEST) if item.nodeid.startswith(start)), len(LONGEST))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long files first; inside a file nothing moves."""
    items.sort(key=_turn)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Deal out whole files, all about figures to one process (they are made once), notebooks one by one."""
    from xdist.scheduler import LoadFileScheduling

    class Together(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = super()._split_scope(nodeid)
            if file.startswith("tests/notebooks/"):
                return nodeid
            return "tests/figures" if file.startswith("tests/figures/") else file

    return Together(config, log)
