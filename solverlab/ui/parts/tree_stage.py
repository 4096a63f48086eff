"""What both drawn trees are made of: the house's colours, the stage, and their own files, as one module.

A module that is given as text cannot import its neighbours without a server, so files are joined here.
"""

from __future__ import annotations

import json
from pathlib import Path

from solverlab.views.theme import DARK, LIGHT, Palette
from solverlab.views.tree_svg import tree_look

STAGE, STYLE = (Path(__file__).with_suffix(ending) for ending in (".js", ".css"))


def tree_module(*files: Path) -> str:
    """The text of one module for JupyterLab and Panel: colours as THEME and NIGHT, tree_stage.js, `files`."""
    texts = (path.read_text("utf-8") for path in (STAGE, *files))
    both = (
        f"const {name} = {json.dumps(drawn_colours(palette))};"
        for name, palette in (("THEME", LIGHT), ("NIGHT", DARK))
    )
    return "\n".join((*both, *texts))


def tree_style(file: Path) -> str:
    """The style sheet of a drawn tree: what both share, then its own."""
    return "\n".join(path.read_text("utf-8") for path in (STYLE, file))


def drawn_colours(palette: Palette) -> dict[str, str | list[str]]:
    """The colours that a script draws in, by name.

    >>> drawn_colours(LIGHT)["paper"]
    '#ffffff'
    """
    more = ("edge", "line", "loses", "gains", "good", "accent")
    kinds = [palette.bet.fill, palette.players[0], palette.players[1], palette.check.line, palette.muted]
    return tree_look(palette) | {name: getattr(palette, name) for name in more} | {"kinds": kinds}
