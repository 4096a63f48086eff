"""Rules for every test and doctest: runs go to a folder of their own, and a skip can be made a failure."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples on every machine, and no deadline: the first call of a kernel compiles it. To look for new
# examples: HYPOTHESIS_PROFILE=explore.
settings.register_profile("repeatable", deadline=None, derandomize=True, max_examples=50)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer `--no-skips`, which `make test` uses."""
    parser.addoption("--no-skips", action="store_true", help="fail if a test was skipped or expected to fail")


def pytest_configure(config: pytest.Config) -> None:
    """Keep runs, caches and notebook settings of this process away from the user's own."""
    home = Path(tempfile.mkdtemp(prefix="solverlab-tests-"))
    config.add_cleanup(lambda: shutil.rmtree(home, ignore_errors=True))
    os.environ["SOLVERLAB_HOME"] = str(home / "solverlab")
    _share_tables(home)
    os.environ["IPYTHONDIR"] = str(home / "ipython")
    os.environ["JUPYTER_CONFIG_DIR"] = str(home / "jupyter")


def _share_tables(home: Path) -> None:
    """Every process has a home of its own, but the big tables are built once for all workers of a run."""
    shared = Path(os.environ.setdefault("SOLVERLAB_TEST_TABLES", str(home / "tables")))
    shared.mkdir(parents=True, exist_ok=True)
    (home / "solverlab").mkdir()
    (home / "solverlab" / "tables").symlink_to(shared, target_is_directory=True)


def pytest_collection_finish() -> None:
    """What importing has made stays to the end: the garbage collector need not look through it every time.

    With numba, Panel and all tests loaded, looking is a sixth of the processor time of tests about pages.
    """
    gc.collect()
    gc.freeze()


def _unproven(config: pytest.Config) -> list[str]:
    """The tests that proved nothing, by name; a worker of many leaves counting to its controller."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or hasattr(config, "workerinput") or not config.getoption("--no-skips"):
        return []
    return [
        report.nodeid for kind in ("skipped", "xfailed", "xpassed") for report in reporter.stats.get(kind, [])
    ]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a session in which a test was skipped, when asked to."""
    if session.exitstatus == pytest.ExitCode.OK and _unproven(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say which tests those were."""
    for name in _unproven(config):
        terminalreporter.write_line(f"NOT PROVEN (skipped or expected to fail): {name}", red=True)
