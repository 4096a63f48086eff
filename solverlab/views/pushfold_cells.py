"""The 169 cells of a push/fold grid as colours and words: the half that a page and a picture file share."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from html import escape
from typing import NamedTuple

import numpy as np
from bokeh.palettes import Cividis256

from solverlab.core.names import Names
from solverlab.core.policy import Policy
from solverlab.core.snapshot import Snapshot
from solverlab.views.pushfold_chart import Solved, combos_of, jam_frame, pushfold_frame, share_in, stack_words

PALETTE = Cividis256[::-1]  # light folds, dark goes in: read alike by colour-blind eyes and in print
BLACK, WHITE = "#000000", "#ffffff"
CELL, LEFT, TOP, GAP = 46, 16, 46, 24
FONT = "'Helvetica Neue', Helvetica, Arial, sans-serif"


class Cells(NamedTuple):
    """A grid ready to be drawn, row by row from AA to 22: colour, ink, words, and a sentence."""

    title: str
    hand: list[str]
    colour: list[str]
    ink: list[str]
    words: list[str]
    told: list[str]


def probability_cells(snap: Snapshot | Policy, node: str | int = "") -> Cells:
    """How often each hand goes in at a node, in per cent."""
    policy = snap if isinstance(snap, Policy) else snap.policy
    table = jam_frame(policy, node)
    does, hands, chances = goes_in(policy.names, node), table["hand"].tolist(), table["probability"].tolist()
    told = [f"{does} {100 * p:.1f} % of the time, {_combos(h)}" for h, p in zip(hands, chances, strict=True)]
    title = f"{node_title(policy.names, node)}: {100 * share_in(policy, node):.1f} % of hands"
    return _cells(title, hands, chances, [f"{100 * p:.0f}" for p in chances], told)


def chart_cells(charts: Solved, node: str | int = "") -> Cells:
    """Up to which stack each hand goes in at a node."""
    first = next(iter(charts.values()))
    names, most = first.names, max(charts)
    table, does = pushfold_frame(charts, node), goes_in(names, node)
    stacks, hands = table["stack"].tolist(), table["hand"].tolist()
    told = [
        _up_to(does, stack, most, gaps) + f", {_combos(hand)}"
        for hand, stack, gaps in zip(hands, stacks, table["gaps"], strict=True)
    ]
    title = f"{node_title(names, node)} up to (big blinds)"
    return _cells(title, hands, [stack / most for stack in stacks], stack_words(stacks, most), told)


def goes_in(names: Names, node: str | int) -> str:
    """What going in is called at a node: jams, or calls where somebody jammed before."""
    return "calls" if "jam" in names.path(names.node(node)).split("/") else "jams"


def node_title(names: Names, node: str | int) -> str:
    """Who decides what, and against whom.

    >>> import solverlab as sl
    >>> node_title(sl.PushFold(10).names, ""), node_title(sl.PushFold(10).names, "jam")
    ('small blind jams', 'big blind calls')
    """
    n = names.node(node)
    words = f"{names.player(int(names.tree.player[n]))} {goes_in(names, n)}"
    if len(names.players) == 2 or not names.path(n):
        return words
    before = zip(names.players, names.path(n).split("/"), strict=False)
    inside = [seat for seat, action in before if action != "fold"]
    if not inside:
        return f"{words} after a fold"
    return f"{words} {inside[0] if len(inside) == 1 else 'both'}"


def grids_svg(grids: Sequence[Cells]) -> str:
    """Grids side by side as a picture for slides and papers."""
    side = 13 * CELL
    width, height = LEFT * 2 + len(grids) * side + (len(grids) - 1) * GAP, TOP + side + LEFT
    parts = [_grid(cells, LEFT + number * (side + GAP)) for number, cells in enumerate(grids)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="{FONT}" text-anchor="middle">'
        f'<rect width="100%" height="100%" fill="white"/>{"".join(parts)}</svg>'
    )


def _grid(cells: Cells, left: float) -> str:
    parts = [f'<text x="{left + 6.5 * CELL}" y="{TOP - 15}" font-size="19">{escape(cells.title)}</text>']
    for number, (hand, colour, ink, words) in enumerate(
        zip(cells.hand, cells.colour, cells.ink, cells.words, strict=True)
    ):
        x, y = left + number % 13 * CELL, TOP + number // 13 * CELL
        parts.append(
            f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{colour}" stroke="white"/>'
            f'<g fill="{ink}"><text x="{x + CELL / 2}" y="{y + 20}" font-size="15">{hand}</text>'
            f'<text x="{x + CELL / 2}" y="{y + 37}" font-size="13" font-weight="bold">{words}</text></g>'
        )
    return "".join(parts)


def _cells(title: str, hands: list[str], shares: Sequence[float], words: list[str], told: list[str]) -> Cells:
    colours = [PALETTE[min(255, max(0, round(255 * share)))] for share in shares]
    return Cells(title, hands, colours, [ink_on(colour) for colour in colours], words, told)


@cache
def ink_on(colour: str) -> str:
    """Black or white, whichever stands out more on a colour.

    >>> ink_on("#00224e"), ink_on("#fee838")
    ('#ffffff', '#000000')
    """
    parts = np.array([int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    bright = float(linear @ [0.2126, 0.7152, 0.0722]) + 0.05
    return BLACK if bright / 0.05 > 1.05 / bright else WHITE


def _combos(hand: str) -> str:
    return f"{combos_of(hand)} combos"


def _up_to(does: str, stack: float, most: float, gaps: int) -> str:
    if not stack:
        return f"never {does}"
    end = f"{stack:g} big blinds{' and perhaps beyond' * (stack == most)}"
    skips = f", but not at {gaps} smaller stack{'s' * (gaps > 1)}" if gaps else ""
    return f"{does} up to {end}{skips}"
