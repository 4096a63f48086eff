"""What tests ask for by name: the project's root and a Chromium."""

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
