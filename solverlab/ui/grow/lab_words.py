"""What one types and reads in the growing laboratory: settings of a branch, hands, and two curves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from solverlab.core.errors import BadValue, UnknownName
from solverlab.core.rows import Config, Row
from solverlab.ui.grow.change_words import looked_at
from solverlab.ui.grow.colours import RunColours
from solverlab.ui.grow.settings import ORDERS, RULE, GrowSettings

if TYPE_CHECKING:
    from solverlab.solvers import FrontierRule


MOST_POINTS = 200  # of one curve: more cannot be told apart
Branches = Sequence[tuple[str, Sequence[Row]]]


def read_changes(text: str, frontier: FrontierRule | None) -> Config:
    """Settings for a branch, typed as ``scale=2, k=1``; `frontier` is the rule so far.

    >>> from solverlab.solvers import MostReached
    >>> read_changes("scale=2, k=1", MostReached(4))
    {'scale': 2.0, 'frontier': MostReached(k=1)}
    """
    typed: Config = {}
    readers = GrowSettings.declared()
    for part in filter(str.strip, text.replace(";", ",").split(",")):
        name, _, word = part.replace("=", " ").strip().partition(" ")
        if name not in RULE:
            raise UnknownName("setting of a branch", name, RULE)
        typed[name] = readers[name].read(word.strip())
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


def sweep_lines(
    branches: Branches, colours: Mapping[str, str] | None = None, test: str = "absolute"
) -> list[Row]:
    """The live branch's change and gain, and the gain of the others, as lines on two logarithmic axes.

    A run has one of `colours`, its change dashed; the change is the one that its `test` looks at.

    Zeros cannot stand on a logarithmic axis and are left out, as are points too near to be told apart.

    >>> rows = [{"sweep": n, "change": 1 / n, "gain": 0.5} for n in (1, 2)]
    >>> [(line["name"], line["x"], line["y"]) for line in sweep_lines([("run 1", rows)])]
    [('gain of a seat', [1, 2], [0.5, 0.5]), ('change', [1, 2], [1.0, 0.5])]
    """
    if not branches:
        return []
    known = colours or RunColours().of(name for name, _ in branches)
    *others, (name, live) = branches
    gain, change = (lambda row: row.get("gain", 0.0)), (lambda row: looked_at(row, test))
    return [
        _line("gain of a seat", known[name], False, live, gain),
        _line("change", known[name], True, live, change),
        *[_line(f"gain, {other}", known[other], False, rows, gain) for other, rows in others],
    ]


def _line(name: str, colour: str, dashed: bool, rows: Sequence[Row], measure: Callable[[Row], float]) -> Row:
    points = [(row["sweep"], measure(row)) for row in _thinned(rows)]
    kept = [(x, y) for x, y in points if 0 < y < np.inf]
    x, y = zip(*kept, strict=True) if kept else ((), ())
    return {"name": name, "colour": colour, "dashed": dashed, "x": list(x), "y": list(y)}


def _thinned(rows: Sequence[Row]) -> list[Row]:
    if len(rows) <= MOST_POINTS:
        return list(rows)
    places = np.unique(np.geomspace(1, len(rows), MOST_POINTS).astype(int)) - 1
    return [rows[place] for place in places]
