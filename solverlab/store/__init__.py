"""Keeps runs on disk, and exchanges policies and games with other programs.

May import run, solvers, games and below; never views or ui. Start reading at `run_folders.py`, then
`autosave.py`; `interchange.py` and `efg.py` hold the formats of others.
"""

from solverlab.store.archive import export, import_run, to_zip
from solverlab.store.autosave import save_every
from solverlab.store.efg import write_efg
from solverlab.store.home import cache_folder, checked_name, home, runs_folder
from solverlab.store.interchange import read_game, read_policy, write_game, write_policy
from solverlab.store.lowball_results import LowballResult, read_lowball_results, write_lowball_results
from solverlab.store.run_folders import compare, delete, load, runs, save
from solverlab.store.saved import Comparison, RunList, RunSummary, SavedRun

__all__ = [
    "Comparison",
    "LowballResult",
    "RunList",
    "RunSummary",
    "SavedRun",
    "cache_folder",
    "checked_name",
    "compare",
    "delete",
    "export",
    "home",
    "import_run",
    "load",
    "read_game",
    "read_lowball_results",
    "read_policy",
    "runs",
    "runs_folder",
    "save",
    "save_every",
    "to_zip",
    "write_efg",
    "write_game",
    "write_lowball_results",
    "write_policy",
]
