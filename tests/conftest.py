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


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Deal out whole files, and all about figures to one process: the figures are made once for them."""
    from xdist.scheduler import LoadFileScheduling

    class Together(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = super()._split_scope(nodeid)
            return "tests/figures" if file.startswith("tests/figures/") else file

    return Together(config, log)
