"""The soak of the Solve page at the size of a test."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.browser


def test_the_page_runs_and_both_sides_are_weighed(chromium, tmp_path):
    """Fifteen seconds: frames are drawn, points arrive, memory is read on both sides.

    Whether memory grows is judged by the five minutes of `make proof`; so few seconds say nothing about it.
    The soak runs in a process of its own because a process drives one Playwright at a time.
    """
    command = [
        sys.executable,
        "-m",
        "solverlab",
        "proof",
        "--only",
        "soak",
        "--quick",
        "--out",
        str(tmp_path),
    ]
    subprocess.run(command, env=os.environ | {"SOLVERLAB_CHROMIUM": chromium}, timeout=300)
    record = json.loads((tmp_path / "soak.json").read_text())
    rows = record["samples"]
    assert len(record["claims"]) == 4
    assert rows[-1]["frames"] > 10 and rows[-1]["points"] > 20
    assert all(row["server_mb"] > 50 and row["page_mb"] > 1 for row in rows)
