"""Numbers of many hands as colours and words: sizes of trees and mixes of actions, ready to be drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.ui.grow.colours import colours_of
from solverlab.ui.look import INK, MUTED
from solverlab.ui.pushfold.grid import HANDS
from solverlab.views.pushfold_cells import PALETTE, Cells, ink_on

BLANK = "#eaeef2"
COMBOS = 1326
ENDS = "its tree ends before this node"


class Group(NamedTuple):
    """Hands as they are drawn: names, the numbers of the hands each stands for, and whether as a grid."""

    names: tuple[str, ...]
    members: tuple[tuple[int, ...], ...]
    grid: bool
    note: str


class Mix(NamedTuple):
    """What every drawn hand does: shares float64[H, actions], NaN rows where a tree ends before."""

    cells: Cells
    shares: np.ndarray
    colours: list[str]
    actions: tuple[str, ...]


def class_of(combo: str) -> str:
    """The starting hand of two cards.

    >>> class_of("KhAs"), class_of("AsKs"), class_of("7c7d")
    ('AKo', 'AKs', '77')
    """
    ranks = sorted((combo[0], combo[2]), key="AKQJT98765432".index)
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


def size_cells(group: Group, sizes: Sequence[int] | np.ndarray) -> tuple[Cells, np.ndarray, np.ndarray]:
    """How large each hand's tree is: cells, shades from 0 to 1, nodes; a class adds up its combos."""
    each = np.asarray(sizes)
    total = np.array([int(each[list(m)].sum()) for m in group.members])
    shares = log_shares(total)
    colours = [PALETTE[round(255 * share)] for share in shares.tolist()]
    combos = [f" in {len(m)} trees" if len(m) > 1 else "" for m in group.members]
    told = [f"{nodes_words(int(n))}{more}" for n, more in zip(total, combos, strict=True)]
    words = [brief(n) for n in total]
    return Cells(" ", list(group.names), colours, [ink_on(c) for c in colours], words, told), shares, total


def action_mix(group: Group, actions: Sequence[str], table: np.ndarray) -> Mix:
    """What each hand does at a node; a class is the mean of those of its combos that come so far."""
    each = np.asarray(table, np.float64)
    if each.ndim != 2 or each.shape[1] != len(actions):
        raise BadValue(f"a table of shape {each.shape} has not one column for each of {len(actions)} actions")
    shares, grown = _means(group, each)
    colours = colours_of(actions)
    told, words, inks = [], [], []
    for row, many, members in zip(shares, grown, group.members, strict=True):
        some = f" ({many} of {len(members)} combos)" if 0 < many < len(members) else ""
        told.append(_told(row, actions) + some)
        words.append("" if not many else f"{100 * row.max():.0f}")
        inks.append(INK if many else MUTED)
    blank = [BLANK] * len(group.names)
    return Mix(Cells(" ", list(group.names), blank, inks, words, told), shares, colours, tuple(actions))


def one_action(mix: Mix, action: str) -> Cells:
    """How often one action is taken with each hand: a shade and a per cent each."""
    if action not in mix.actions:
        raise BadValue(f"there is no action {action!r} here; choose one of {', '.join(mix.actions)}")
    chances = mix.shares[:, mix.actions.index(action)]
    known = np.isfinite(chances)
    colours = [
        PALETTE[round(255 * min(p, 1.0))] if ok else BLANK for p, ok in zip(chances, known, strict=True)
    ]
    inks = [ink_on(colour) if ok else MUTED for colour, ok in zip(colours, known, strict=True)]
    words = [f"{100 * p:.0f}" if ok else "" for p, ok in zip(chances, known, strict=True)]
    return mix.cells._replace(colour=colours, ink=inks, words=words)


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
        f"background: {colour}'></span>{words}</span>"
        for words, colour in chips
    )
    small = f"<small>{note}</small>" if note else ""
    return (
        f"<div style='display: flex; flex-wrap: wrap; gap: 0 14px; padding: 3px 8px; color: {INK}'>"
        f"<b>{title}</b>{marks}{small}</div>"
    )
