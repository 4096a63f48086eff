"""The grid of 169 starting hands as plain rows: what a page draws and what a picture file holds.

A cell has one colour, or is split from left to right by how often each action is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import numpy as np

from solverlab.views.colours import ink_on
from solverlab.views.pushfold_chart import RANKS
from solverlab.views.theme import LIGHT, Shade, shares_palette

PALETTE = shares_palette()  # pale folds, dark goes in: read alike by colour-blind eyes and in print
BLANK = LIGHT.sunken
SURE = 0.95  # from this share on a hand takes one action, and its cell needs no number
HALF = 0.48  # of a cell, so that a white line stays between two
CELL, LEFT, TOP, GAP = 46, 16, 46, 24
FONT = "'Helvetica Neue', Helvetica, Arial, sans-serif"
PIECE = ("left", "right", "top", "bottom", "colour")


def hand_at(row: int, column: int) -> str:
    """The hand of a cell: pairs on the diagonal, suited above it, offsuit below.

    >>> hand_at(0, 0), hand_at(0, 1), hand_at(1, 0)
    ('AA', 'AKs', 'AKo')
    """
    if row == column:
        return RANKS[row] * 2
    high, low = sorted((row, column))
    return RANKS[high] + RANKS[low] + ("s" if row < column else "o")


def neighbour(hand: str, down: int, right: int) -> str:
    """The hand so many cells away, at most at the edge; from no hand the first one.

    >>> neighbour("AA", 0, 1), neighbour("AA", -1, 0), neighbour("", 1, 0)
    ('AKs', 'AA', 'AA')
    """
    if not hand:
        return HANDS[0]
    row, column = divmod(HANDS.index(hand), 13)
    return hand_at(min(max(row + down, 0), 12), min(max(column + right, 0), 12))


HANDS = [hand_at(row, column) for row in range(13) for column in range(13)]


class Cells(NamedTuple):
    """Hands ready to be drawn, one item each: colour, ink, words on the cell, and a sentence.

    Where cells are split, `shares` is float64[hands, actions], NaN where a hand has nothing to do, and
    `colours` names the colour of each action.
    """

    title: str
    hand: list[str]
    colour: list[str]
    ink: list[str]
    words: list[str]
    told: list[str]
    shares: np.ndarray | None = None
    colours: Sequence[str] = ()
    plates: Sequence[bool] = ()  # whose letters stand on a plate of paper, since two colours meet below them


def shaded(title: str, hands: list[str], shares: Sequence[float], words: list[str], told: list[str]) -> Cells:
    """Cells of one colour each, the darker the larger the share from 0 to 1; NaN stays blank.

    >>> shaded("", ["AA", "22"], [1.0, 0.0], ["", ""], ["", ""]).ink
    ['#ffffff', '#000000']
    """
    colours = [PALETTE[min(255, max(0, round(255 * p)))] if p == p else BLANK for p in shares]
    return Cells(title, hands, colours, [ink_on(colour) for colour in colours], words, told)


def split(
    title: str, hands: list[str], shares: np.ndarray, shades: Sequence[Shade], told: list[str]
) -> Cells:
    """Cells split by float64[hands, actions], the aggressive action first; a number where a hand mixes.

    >>> made = split("", ["AA", "22"], np.array([[1.0, 0.0], [0.4, 0.6]]), [LIGHT.call, LIGHT.fold], ["", ""])
    >>> made.words, made.plates
    (['', '40'], [False, True])
    """
    most = shares.argmax(axis=1)
    mixes = (shares.max(axis=1) < SURE).tolist()
    words = [f"{100 * share:.0f}" if mixed else "" for share, mixed in zip(shares[:, 0], mixes, strict=True)]
    ink = [LIGHT.ink if mixed else shades[k].on for k, mixed in zip(most, mixes, strict=True)]
    fills = [shade.fill for shade in shades]
    return Cells(title, hands, [fills[-1]] * len(hands), ink, words, told, shares, fills, mixes)


def pieces(cells: Cells) -> dict[str, list]:
    """Rectangles from left to right in every cell of the grid, as wide as each action is likely."""
    if cells.shares is None or not len(cells.colours):
        return {name: [] for name in PIECE}
    shares = np.nan_to_num(cells.shares)
    ends = np.cumsum(shares, axis=1).clip(0, 1)
    place = np.arange(len(shares))
    x, y = (place % 13)[:, None], np.repeat(place // 13, len(cells.colours))
    return {
        "left": (x - HALF + 2 * HALF * (ends - shares)).round(4).ravel().tolist(),
        "right": (x - HALF + 2 * HALF * ends).round(4).ravel().tolist(),
        "top": (y - HALF).tolist(),
        "bottom": (y + HALF).tolist(),
        "colour": list(cells.colours) * len(shares),
    }


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
    split = list(zip(*pieces(cells).values(), strict=True))
    each = len(cells.colours) if split else 0
    for number, (hand, colour, ink, words) in enumerate(
        zip(cells.hand, cells.colour, cells.ink, cells.words, strict=True)
    ):
        x, y = left + number % 13 * CELL, TOP + number // 13 * CELL
        parts.append(f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{colour}" stroke="white"/>')
        parts += [_piece(piece, left) for piece in split[each * number : each * (number + 1)]]
        if cells.plates and cells.plates[number]:
            parts.append(_plate(x, y))
        base = y + (20 if words else 28)
        parts.append(
            f'<g fill="{ink}"><text x="{x + CELL / 2}" y="{base}" font-size="15">{hand}</text>'
            f'<text x="{x + CELL / 2}" y="{y + 37}" font-size="13" font-weight="bold">{words}</text></g>'
        )
    return "".join(parts)


def _plate(x: float, y: float) -> str:
    """Paper below the letters of a cell in two colours."""
    return f'<rect x="{x + 6}" y="{y + 5}" width="{CELL - 12}" height="{CELL - 10}" rx="4" fill="white"/>'


def _piece(piece: tuple[float, float, float, float, str], left: float) -> str:
    start, end, top, bottom, colour = piece
    x, y = left + (start + 0.5) * CELL, TOP + (top + 0.5) * CELL
    size = f'width="{(end - start) * CELL:.2f}" height="{(bottom - top) * CELL:.2f}"'
    return f'<rect x="{x:.2f}" y="{y:.2f}" {size} fill="{colour}"/>'
