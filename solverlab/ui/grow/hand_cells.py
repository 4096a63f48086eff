"""Numbers of many hands as colours and words: sizes of trees and mixes of actions, ready to be drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.ui.grow.colours import colours_of
from solverlab.ui.look import INK, MUTED
from solverlab.ui.tokens import css
from solverlab.views.hand_grid import BLANK, HANDS, Cells, shaded
from solverlab.views.pushfold_chart import RANKS

COMBOS = 1326
ENDS = "its tree ends before this node"


class Group(NamedTuple):
    """Hands as they are drawn: names, the numbers of the hands each stands for, and whether as a grid."""

    names: tuple[str, ...]
    members: tuple[tuple[int, ...], ...]
    grid: bool
    note: str


def class_of(combo: str) -> str:
    """The starting hand of two cards.

    >>> class_of("KhAs"), class_of("AsKs"), class_of("7c7d")
    ('AKo', 'AKs', '77')
    """
    ranks = sorted((combo[0], combo[2]), key=RANKS.index)
    suited = "s" if combo[1] == combo[3] else "o"
    return "".join(ranks) + (suited if ranks[0] != ranks[1] else "")


def group_of(hands: Sequence[str]) -> Group:
    """How hands are drawn: 169 starting hands as a grid, 1,326 combos as their 169 classes, a few in a row.

    >>> group_of(["J", "Q", "K"]).members
    ((0,), (1,), (2,))
    """
    names = tuple(hands)
    if not names:
        raise BadValue("there are no hands to draw; give at least one name")
    if len(names) == COMBOS:
        members: dict[str, list[int]] = {name: [] for name in HANDS}
        for number, combo in enumerate(names):
            members[class_of(combo)].append(number)
        note = "1,326 combos, drawn as 169 classes"
        return Group(tuple(HANDS), tuple(tuple(members[name]) for name in HANDS), True, note)
    if set(names) == set(HANDS):
        place = {name: number for number, name in enumerate(names)}
        return Group(tuple(HANDS), tuple((place[name],) for name in HANDS), True, "")
    return Group(names, tuple((number,) for number in range(len(names))), False, "")


def brief(count: float) -> str:
    """A count in at most four letters.

    >>> brief(7), brief(1234), brief(45678), brief(2.5e6)
    ('7', '1.2k', '46k', '2.5M')
    """
    for unit, name in ((1e6, "M"), (1e3, "k")):
        if count >= unit:
            return f"{count / unit:.1f}{name}" if count < 9.95 * unit else f"{count / unit:.0f}{name}"
    return f"{count:.0f}"


def nodes_words(count: int) -> str:
    return f"{count:,} node{'s' * (count != 1)}"


def log_shares(sizes: np.ndarray) -> np.ndarray:
    """From 0 for the smallest tree to 1 for the largest, by the logarithm; all 0 where all are alike.

    >>> log_shares(np.array([1, 10, 100])).tolist()
    [0.0, 0.5, 1.0]
    """
    logs = np.log10(np.maximum(sizes, 1))
    span = np.ptp(logs)
    return (logs - logs.min()) / span if span > 0 else np.zeros(len(logs))


def size_cells(group: Group, sizes: Sequence[int] | np.ndarray) -> tuple[Cells, np.ndarray]:
    """How large each hand's tree is: cells and nodes; a class adds up its combos."""
    each = np.asarray(sizes)
    total = np.array([int(each[list(m)].sum()) for m in group.members])
    combos = [f" in {len(m)} trees" if len(m) > 1 else "" for m in group.members]
    told = [f"{nodes_words(int(n))}{more}" for n, more in zip(total, combos, strict=True)]
    words = [brief(n) for n in total]
    return shaded(" ", list(group.names), log_shares(total).tolist(), words, told), total


def action_cells(group: Group, actions: Sequence[str], table: np.ndarray) -> Cells:
    """What each hand does at a node, split; a class is the mean of those of its combos that come so far."""
    each = np.asarray(table, np.float64)
    if each.ndim != 2 or each.shape[1] != len(actions):
        raise BadValue(f"a table of shape {each.shape} has not one column for each of {len(actions)} actions")
    shares, grown = _means(group, each)
    told, words, inks = [], [], []
    for row, many, members in zip(shares, grown, group.members, strict=True):
        some = f" ({many} of {len(members)} combos)" if 0 < many < len(members) else ""
        told.append(_told(row, actions) + some)
        words.append("" if not many else f"{100 * row.max():.0f}")
        inks.append(INK if many else MUTED)
    blank = [BLANK] * len(group.names)
    return Cells(" ", list(group.names), blank, inks, words, told, shares, colours_of(actions))


def one_action(cells: Cells, actions: Sequence[str], action: str) -> tuple[Cells, np.ndarray]:
    """How often one action is taken with each hand: a shade and a per cent each, and the chances."""
    if cells.shares is None or action not in actions:
        raise BadValue(f"there is no action {action!r} here; choose one of {', '.join(actions)}")
    chances = cells.shares[:, list(actions).index(action)]
    words = [f"{100 * p:.0f}" if np.isfinite(p) else "" for p in chances]
    made = shaded(" ", cells.hand, chances.tolist(), words, cells.told)
    inks = [ink if np.isfinite(p) else MUTED for p, ink in zip(chances, made.ink, strict=True)]
    return made._replace(ink=inks), chances


def _means(group: Group, each: np.ndarray) -> tuple[np.ndarray, list[int]]:
    """The mean of each drawn hand over those it stands for that are known, and how many these are."""
    owner = np.zeros(len(each), np.int64)
    for number, members in enumerate(group.members):
        owner[list(members)] = number
    known = np.isfinite(each).all(axis=1) & (each.shape[1] > 0)
    count = np.bincount(owner[known], minlength=len(group.names))
    sums = [np.bincount(owner[known], column[known], len(group.names)) for column in each.T]
    total = np.array(sums).reshape(each.shape[1], len(group.names)).T
    nothing = np.full(total.shape, np.nan)
    return np.divide(total, count[:, None], out=nothing, where=count[:, None] > 0), count.tolist()


def _told(row: np.ndarray, actions: Sequence[str]) -> str:
    if not len(row) or not math.isfinite(row[0]):
        return ENDS
    return ", ".join(f"{name} {100 * p:.1f} %" for name, p in zip(actions, row, strict=True))


def legend_html(title: str, chips: Sequence[tuple[str, str]], note: str = "") -> str:
    """A line above the hands: what is drawn, and what its colours mean."""
    marks = "".join(
        f"<span style='white-space: nowrap'><span style='display: inline-block; width: 0.85em; "
        f"height: 0.85em; border-radius: 2px; vertical-align: -1px; margin-right: 4px; "
        f"background: {css(colour)}'></span>{words}</span>"
        for words, colour in chips
    )
    small = f"<small>{note}</small>" if note else ""
    return (
        f"<div style='display: flex; flex-wrap: wrap; gap: 0 14px; padding: 3px 8px; color: {css(INK)}'>"
        f"<b>{title}</b>{marks}{small}</div>"
    )
