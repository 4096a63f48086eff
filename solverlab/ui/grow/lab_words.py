"""What one types and reads in the growing laboratory: settings of a branch, hands, and two curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from solverlab.core.errors import BadValue, UnknownName
from solverlab.ui.grow.choice import ORDERS, READERS, RULE
from solverlab.views.theme import run_colour

MOST_POINTS = 200  # of one curve: more cannot be told apart
Branches = Sequence[tuple[str, Sequence[Mapping[str, Any]]]]


def read_changes(text: str, frontier: Any) -> dict[str, Any]:
    """Settings for a branch, typed as ``scale=2, k=1``; `frontier` is the rule so far.

    >>> from solverlab.solvers import MostReached
    >>> read_changes("scale=2, k=1", MostReached(4))
    {'scale': 2.0, 'frontier': MostReached(k=1)}
    """
    typed: dict[str, Any] = {}
    for part in filter(str.strip, text.replace(";", ",").split(",")):
        name, _, word = part.replace("=", " ").strip().partition(" ")
        if name not in RULE:
            raise UnknownName("setting of a branch", name, RULE)
        typed[name] = READERS[name](word.strip())
    order, k = typed.pop("order", None), typed.pop("k", None)
    if order is None and k is None:
        return typed
    if frontier is None:
        raise BadValue("this tree does not grow, so it has no k and no order; change the scale instead")
    rule = frontier if order is None else ORDERS[order](frontier.k)
    return typed | {"frontier": rule if k is None else replace(rule, k=k)}


def read_hands(text: str, hands: Sequence[str]) -> tuple[int, ...] | None:
    """Hands by name with commas between them; nothing typed means all of them.

    >>> read_hands("K, J", ["J", "Q", "K"]), read_hands("", ["J", "Q", "K"])
    ((2, 0), None)
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    unknown = next((name for name in names if name not in hands), None)
    if unknown is not None:
        raise UnknownName("hand", unknown, hands)
    return tuple(hands.index(name) for name in names) or None


def sweep_lines(branches: Branches) -> list[dict[str, Any]]:
    """The live branch's change and gain, and the gain of the others, as lines on two logarithmic axes.

    Zeros cannot stand on a logarithmic axis and are left out, as are points too near to be told apart.

    >>> rows = [{"sweep": n, "change": 1 / n, "gain": 0.5} for n in (1, 2)]
    >>> [(line["name"], line["x"], line["y"]) for line in sweep_lines([("run 1", rows)])]
    [('gain of a seat', [1, 2], [0.5, 0.5]), ('change', [1, 2], [1.0, 0.5])]
    """
    if not branches:
        return []
    live = branches[-1][1]
    lines = [_line("gain of a seat", 0, False, live, "gain"), _line("change", 1, True, live, "change")]
    others = [_line(f"gain, {name}", 2 + i, False, rows, "gain") for i, (name, rows) in enumerate(branches)]
    return lines + others[:-1]


def _line(
    name: str, colour: int, dashed: bool, rows: Sequence[Mapping[str, Any]], column: str
) -> dict[str, Any]:
    points = [(row["sweep"], row[column]) for row in _thinned(rows) if 0 < row.get(column, 0) < np.inf]
    x, y = zip(*points, strict=True) if points else ((), ())
    return {"name": name, "colour": run_colour(colour), "dashed": dashed, "x": list(x), "y": list(y)}


def _thinned(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    if len(rows) <= MOST_POINTS:
        return list(rows)
    places = np.unique(np.geomspace(1, len(rows), MOST_POINTS).astype(int)) - 1
    return [rows[place] for place in places]
