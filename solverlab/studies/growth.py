"""A tree grown by every rule and number of leaves, beside UCT and the whole tree, in one table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import cast

import numpy as np

from solverlab.analysis import deviation_gains
from solverlab.core.game import TabulatedGame
from solverlab.core.rows import Row, Setting
from solverlab.games import game_named
from solverlab.run.growing.growth import growing, growth, uct_growth
from solverlab.solvers import HighestEV, MostAtStake, MostReached, Oldest, Rebalance
from solverlab.studies.truncated_race import truncated_race

UCT, WHOLE = "UCT", "whole tree"
ORDERS = (MostReached, HighestEV, MostAtStake, Oldest)
RACE = ("own", "current_own", "inside", "current_inside", "lifted", "current_lifted")
NUMBERS = ("nodes", "action_nodes", "inside", "current_inside", "lifted", "current_lifted")

Tell = Callable[[float, str], None]


def growth_study(
    name: str,
    ks: Iterable[int],
    epochs: int,
    playouts: Iterable[int],
    tell: Tell = lambda share, words: None,
    **settings: Setting,
) -> list[Row]:
    """Exact distances of every tree as it grows, in rows: order, k, iteration and the columns of `growth`.

    The last rows are UCT trees (`lifted` only), and one rebalance of the whole tree from the start, which
    makes as many sweeps as the longest growth did.

    >>> rows = growth_study("kuhn", [4], epochs=9, playouts=[100], scale=8.0)
    >>> [row["action_nodes"] for row in rows if row["order"] == "HighestEV"]
    [0, 3, 7, 11, 12]
    >>> [(row["order"], row["iteration"]) for row in rows[-2:]]  # four epochs of 20 sweeps, and an empty one
    [('UCT', 100), ('whole tree', 81)]
    """
    game, rows = cast(TabulatedGame, game_named(name)), []
    rules = [rule(k) for rule in ORDERS for k in ks]
    for number, rule in enumerate(rules):
        order = type(rule).__name__
        tell(number / (len(rules) + 1), f"{game.name}: {order}, {rule.k} leaves an epoch")
        trace = growth(growing(game, rule, **settings), epochs)
        rows += [_row(game.name, order, rule.k, found) for found in trace.rows]
    tell(len(rules) / (len(rules) + 1), f"{game.name}: {UCT}")
    decisions, sweeps = (max(row[key] for row in rows) for key in ("action_nodes", "iteration"))
    rows += [_row(game.name, UCT, None, found) for found in uct_growth(game, playouts).rows]
    plain = {key: value for key, value in settings.items() if key != "sweeps"}
    snap = Rebalance(game, **plain).step(sweeps)
    gains = {
        "lifted": deviation_gains(game, snap.policy),
        "current_lifted": deviation_gains(game, snap.current),
    }
    means = {key: sum(seats) / len(seats) for key, seats in gains.items()}
    found = {"iteration": sweeps, "action_nodes": decisions, **means}
    return [*rows, _row(game.name, WHOLE, None, found)]


def mean_on_the_way(rows: Iterable[Row], column: str = "lifted") -> float:
    """A growth in one number: the mean distance over the decisions kept, from none to the last.

    Every number of decisions weighs alike, however many a growth adds at once, so orders compare fairly.

    >>> mean_on_the_way([{"action_nodes": n, "lifted": y} for n, y in ((0, 2.0), (1, 1.0), (4, 1.0))])
    1.125
    """
    kept, far = np.array([(row["action_nodes"], row[column]) for row in rows]).T
    return float(np.trapezoid(far, kept) / kept[-1])


def cut_race(
    name: str, k: int, epochs: int, sweeps: int, scales: Iterable[float], **settings: Setting
) -> list[Row]:
    """A tree grown by its most reached leaves and then left alone; tanh, CFR and CFR+ race on it.

    The rows: game, k, epoch, decisions kept, who, sweep, and the columns of `truncated_race`.

    >>> rows = cut_race("kuhn", 2, epochs=4, sweeps=100, scales=[8.0])
    >>> {row["who"]: row["own"] < 0.001 for row in rows if row["sweep"] == 100}
    {'CFR': False, 'CFR+': True, 'tanh, scale 8': False}
    """
    game = cast(TabulatedGame, game_named(name))
    grown = growing(game, MostReached(k), **settings)
    while grown.epoch < epochs:
        grown.step(1)
    kept = grown.snapshot().metrics["action_nodes"]
    about = {"game": game.name, "k": k, "epoch": grown.epoch, "action_nodes": kept}
    told = truncated_race(grown, sweeps, scales)
    return [
        {**about, "who": who, "sweep": row["iteration"], **{column: row[column] for column in RACE}}
        for who, trace in told.items()
        for row in trace.rows
    ]


def _row(game: str, order: str, k: int | None, found: Row) -> Row:
    about = {"game": game, "order": order, "k": k, "iteration": found["iteration"]}
    return about | {name: found.get(name) for name in NUMBERS}
