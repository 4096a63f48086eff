"""The JavaScript and the style sheet of the game tree, as the texts that JupyterLab and Panel both take."""

from __future__ import annotations

from pathlib import Path

from solverlab.ui.parts.tree_stage import tree_module, tree_style

_HERE = Path(__file__).parent
ESM = tree_module(_HERE / "tree_marks.js", _HERE / "tree_widget.js")
CSS = tree_style(_HERE / "tree_widget.css")
