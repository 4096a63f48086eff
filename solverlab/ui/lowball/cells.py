"""A decision as rectangles: bars for one card, a triangle of cells for two, a strip by strength for more."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solverlab.ui.lowball.table import RANKS, Table
from solverlab.views.theme import LIGHT, Shade, action_fills, action_shades

BINS = 160  # pieces of a strip
MOST_BARS = 26
FADED = 0.3  # hands that never come here


class Pieces(NamedTuple):
    """Rectangles and words, ready for a plot; `kind` is bars, cells or strip."""

    kind: str
    title: str
    quads: dict[str, list]
    words: dict[str, list]
    ticks: dict[float, str]
    legend: list[tuple[str, str]]  # action, colour


def pieces_of(table: Table) -> Pieces:
    """The rectangles of a decision in the form that suits its hands."""
    lengths = {len(table.hands[place]) for place in range(min(len(table.hands), 200))}
    if len(table.hands) <= MOST_BARS:
        made = _bars(table)
    elif lengths == {2} and len(table.hands) <= 91:
        made = _cells(table)
    else:
        made = _strip(table)
    return made


def title_of(table: Table) -> str:
    """Who acts, and how often each action is taken over all hands; fits above a narrow chart.

    >>> one, half = np.ones(1), np.full((1, 2), 0.5)
    >>> title_of(Table("button draws, after all-in", "A", one, one, ("stand pat", "draw 1"), half))
    'button draws 1: 50 %, 0: 50 %'
    """
    who = table.title.split(",")[0]  # what came before stands in the menu above the chart
    if table.actions[0] == "stand pat":
        counts = [f"{n}: {100 * share:.0f} %" for n, share in enumerate(table.overall().values())]
        return f"{who} {', '.join(counts[::-1])}"
    told = [f"{name} {100 * share:.1f} %" for name, share in table.overall().items() if share >= 5e-4]
    return f"{who}: {', '.join(told[::-1])}"


def _made(kind: str, table: Table, quads: list[tuple], words: list[tuple], ticks: dict[float, str]) -> Pieces:
    names = ("left", "right", "bottom", "top", "colour", "alpha", "hand", "action", "percent")
    columns = {name: [row[k] for row in quads] for k, name in enumerate(names)}
    texts = {name: [row[k] for row in words] for k, name in enumerate(("x", "y", "words", "ink"))}
    legend = list(zip(table.actions, action_fills(table.actions), strict=True))
    return Pieces(kind, title_of(table), columns, texts, ticks, legend)


def _alpha(reach: float) -> float:
    return 1.0 if reach > 1e-3 else FADED


def _ink(shade: Shade, alpha: float) -> str:
    return shade.on if alpha == 1 else LIGHT.ink


def _bars(table: Table) -> Pieces:
    quads, words, ticks = [], [], {}
    shades = action_shades(table.actions)
    for place in range(len(table.hands)):
        base, ticks[float(place)] = 0.0, table.hands[place]
        alpha = _alpha(table.reach[place])
        for action, shade, share in zip(table.actions, shades, table.share[place], strict=True):
            share = round(float(share), 4)
            row = (base, base + share, shade.fill, alpha, table.hands[place], action, f"{100 * share:.1f}")
            quads.append((place - 0.44, place + 0.44, *row))
            if share >= 0.12:
                words.append((place, base + share / 2, f"{100 * share:.0f}", _ink(shade, alpha)))
            base += share
    return _made("bars", table, quads, words, ticks)


def _cells(table: Table) -> Pieces:
    """The high card along, the low card up; each cell is split by how often each action is taken."""
    used = [rank for rank in RANKS if any(rank in table.hands[k] for k in range(len(table.hands)))]
    quads, words = [], []
    shades = action_shades(table.actions)
    for place in range(len(table.hands)):
        hand = table.hands[place]
        x, y = (used.index(card) for card in sorted(hand, key=RANKS.index, reverse=True))
        left, alpha, ink = x - 0.48, _alpha(table.reach[place]), ""
        for action, shade, share in zip(table.actions, shades, table.share[place], strict=True):
            share = round(float(share), 4)
            right = left + 0.96 * share
            row = (shade.fill, alpha, hand, action, f"{100 * share:.1f}")
            quads.append((left, right, y - 0.47, y + 0.47, *row))
            ink = ink or (_ink(shade, alpha) if right >= x else "")  # the piece that the letters stand on
            left = right
        words.append((x, y, hand, ink or LIGHT.ink))
    return _made("cells", table, quads, words, dict(enumerate(map(str, used))))


def _strip(table: Table) -> Pieces:
    """All hands side by side, the best left, as wide as they are likely, in at most `BINS` pieces."""
    total = table.weight / table.weight.sum()
    end = np.cumsum(total)
    place = np.minimum((BINS * (end - total / 2)).astype(int), BINS - 1)
    starts = np.flatnonzero(np.diff(place, prepend=-1))
    quads, colours = [], action_fills(table.actions)
    for k, start in enumerate(starts):
        stop = starts[k + 1] if k + 1 < len(starts) else len(place)
        weight = total[start:stop] * np.maximum(table.reach[start:stop], 1e-9)
        share = weight @ table.share[start:stop] / weight.sum()
        alpha = _alpha(float(table.reach[start:stop].max()))
        hand = table.hands[int(start)]
        hand = hand if stop - start == 1 else f"{hand} to {table.hands[int(stop) - 1]}"
        left, base = 100 * (end[start] - total[start]), 0.0
        right = min(100 * end[stop - 1] + 0.12, 100.0)  # a hair under the next one: no gaps
        for action, colour, part in zip(table.actions, colours, share, strict=True):
            top = base + round(float(part), 4)
            quads.append((left, right, base, top, colour, alpha, hand, action, f"{100 * part:.1f}"))
            base = top
    ticks = {float(mark): f"{mark} %" for mark in (0, 20, 40, 60, 80, 100)}
    return _made("strip", table, quads, [], ticks)
