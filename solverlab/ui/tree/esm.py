"""The JavaScript and the style sheet of the game tree, as the texts that JupyterLab and Panel both take."""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).parent
# Two files to read, one module to run: a module given as text cannot import its neighbour without a server.
ESM = "\n".join((_HERE / name).read_text("utf-8") for name in ("tree_marks.js", "tree_widget.js"))
CSS = (_HERE / "tree_widget.css").read_text("utf-8")
