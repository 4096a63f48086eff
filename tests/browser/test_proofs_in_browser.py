"""The proofs that need a browser, at the size of a test, each in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser


def proved(name: str, chromium: str, folder: Path) -> dict:
    """What a quick proof wrote; a process drives one Playwright at a time, so it runs in its own."""
    command = [sys.executable, "-m", "solverlab", "proof", "--only", name, "--quick", "--out", str(folder)]
    subprocess.run(command, env=os.environ | {"SOLVERLAB_CHROMIUM": chromium}, timeout=300)
    return json.loads((folder / f"{name}.json").read_text())


def test_the_page_runs_and_both_sides_are_weighed(chromium, tmp_path):
    """Fifteen seconds: frames are drawn, points arrive, memory is read on both sides.

    Whether memory grows is judged by the five minutes of `make proof`; so few seconds say nothing about it.
    """
    record = proved("soak", chromium, tmp_path)
    rows = record["samples"]
    assert len(record["claims"]) == 4
    assert rows[-1]["frames"] > 10 and rows[-1]["points"] > 20
    assert all(row["server_mb"] > 50 and row["page_mb"] > 1 for row in rows)


def test_a_visitor_sees_every_flop_hand_and_zooms(chromium, tmp_path):
    """How long that takes is judged by `make proof` on a quiet machine; here that it happens at all."""
    record = proved("scatter", chromium, tmp_path)
    assert record["holds"] and len(record["visits"]) == 1


def test_trees_grow_on_the_page_and_every_command_is_answered(chromium, tmp_path):
    """Fifteen seconds; how fast it is and what it weighs is judged by the five minutes of `make proof`."""
    record = proved("grow", chromium, tmp_path)
    last = record["samples"][-1]
    assert last["drawn"] > 10 * record["drawn at first"] and last["growths"] >= 2
    assert last["tree_paintings"] >= last["data_frames"] >= last["moments"] >= 4
    assert last["nodes"] > 1014 and last["own_mb"] > 50 and last["page_mb"] > 1
    answers = {name: told for name, told in record.items() if name.startswith("seconds to ")}
    assert len(answers) == 4 and max(answers.values()) < 60
