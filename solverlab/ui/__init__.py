"""Touch a solver: the background runner, the notebook laboratory, and the pages of the dashboard.

May import everything below it; notebooks get ipywidgets only, pages get Panel only, so neither world loads
the other. A folder a page, one for notebooks and one for the tree both show; what they share lies here.
Start reading at `runner.py`, then `notebook/lab.py` for notebooks or `solve/page.py` for the dashboard.
"""

from importlib import import_module
from typing import Any

_LAZY = {
    "GrowLab": "solverlab.ui.grow.lab",
    "Lab": "solverlab.ui.notebook.lab",
    "Runner": "solverlab.ui.runner",
}

__all__ = ["GrowLab", "Lab", "Runner"]  # made by __getattr__, so that a notebook never loads Panel


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"solverlab.ui has no {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_LAZY])
