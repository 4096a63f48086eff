"""A store of its own for every test."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty SOLVERLAB_HOME; nothing exists in it until something is saved."""
    folder = tmp_path / "home"
    monkeypatch.setenv("SOLVERLAB_HOME", str(folder))
    return folder
