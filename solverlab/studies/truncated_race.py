"""The tanh update and CFR on one truncated tree that grows no more, by exact distances.

There are two ways to count inside a truncated tree. As the solver counts, each position's play with a hand
ends where its own tree ends (`own`); as an onlooker counts, it ends where nobody's tree goes on (`inside`).
With roll-outs at the leaves the two are one, and the positions' winnings sum to 0; with other leaf values
they differ, and what the positions believe to win need not sum to 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from solverlab.analysis import deviation_gains
from solverlab.analysis.truncated import truncated_up
from solverlab.core.errors import BadValue
from solverlab.core.policy import Policy
from solverlab.core.rows import Row, Setting
from solverlab.core.tree import Tree
from solverlab.run.drive import geometric_next
from solverlab.run.growing.growth import distance_inside, exact_ground
from solverlab.run.trace import Trace
from solverlab.solvers import Rebalance, RegretRebalance
from solverlab.solvers.growing.exact.values import Values, fresh_values, play_down


def truncated_race(
    grown: Rebalance,
    sweeps: int,
    scales: Iterable[float] = (8.0, 64.0),
    schedules: Iterable[str] = ("CFR", "CFR+"),
) -> dict[str, Trace]:
    """Everybody from uniform play on the tree a rebalance has grown, which stays as it is.

    The columns: `own`, `inside` and `lifted`, mean gain a seat of the average strategy as the solver counts,
    in the union of all trees, and in the whole game; the same of the strategy now played with `current_`.

    >>> import solverlab as sl
    >>> grown = sl.Rebalance(sl.Kuhn(), frontier=sl.MostReached(k=2))
    >>> grown.step(41).metrics["epoch"]
    3
    >>> told = truncated_race(grown, sweeps=200, scales=[8.0])
    >>> [name for name, trace in told.items() if trace.rows[-1]["own"] < 0.001]
    ['CFR+']
    """
    if not grown.ground.grows:
        raise BadValue(
            "this tree is whole; grow one with frontier=sl.MostReached(k), or race on the whole game"
        )
    if not isinstance(sweeps, int) or sweeps < 1:
        raise BadValue(f"cannot race {sweeps!r} sweeps; give a whole number of at least 1")
    told = {
        name: _followed(_on_that_tree(grown, RegretRebalance, schedule=name), sweeps) for name in schedules
    }
    for scale in scales:
        solver = _on_that_tree(grown, Rebalance, scale=scale, ev=grown.ev, baseline=grown.baseline)
        told[f"tanh, scale {scale:g}"] = _followed(solver, sweeps)
    return told


def own_gains(solver: Rebalance, policy: Policy) -> tuple[float, ...]:
    """Each seat's gain from deviating in its own trees, counted as the solver counts.

    A hand's play ends for its player where the own tree ends, whoever else goes on, at the value the solver
    gives that leaf. On a whole tree this is `sl.deviation_gains`.
    """
    ground = exact_ground(solver)
    game, cut, tie = ground.game, ground.cut, ground.tie
    if cut is None:
        return deviation_gains(game, policy)
    values = fresh_values(game, tie)
    play_down(game.tree, tie, policy.sigma, game.n_players, values)
    gains = []
    for me in range(game.n_players):
        cut.leaves(me, values)
        inside = cut.inside[me] & (game.tree.count[:, None] > 0)
        best, played = (
            _root_value(game.tree, me, values, inside, free) for free in (inside, np.zeros_like(inside))
        )
        gains.append(best - played)
    return tuple(gains)


def _root_value(tree: Tree, me: int, values: Values, inside: np.ndarray, free: np.ndarray) -> float:
    """What a seat wins with all hands together; each hand has a tree of its own, so one hand at a time."""
    total, cfv = 0.0, np.empty_like(values.sigma)
    for hand in range(cfv.shape[1]):
        truncated_up(tree, me, values.sigma, inside[:, hand].copy(), free, values.worth[me], cfv)
        total += float(cfv[tree.parent < 0, hand].sum())
    return total


def _on_that_tree(grown: Rebalance, maker: type[Rebalance], **settings: Setting) -> Rebalance:
    """A solver at its start, on the tree that another has grown."""
    shared: Row = {"frontier": grown.frontier, "leaf": grown.leaf, "returned": grown.returned}
    start = maker(grown.game, **shared, **settings).state()
    return maker.from_state(grown.game, start | {"inside": grown.state()["inside"]}, **shared, **settings)


def _followed(solver: Rebalance, sweeps: int) -> Trace:
    trace = Trace()
    for due in _moments(sweeps):
        while solver.iteration < due:
            solver.rebalance()
        snap = solver.snapshot()
        numbers = {}
        for before, policy in (("", snap.policy), ("current_", snap.current)):
            numbers[f"{before}own"] = _mean(own_gains(solver, policy))
            numbers[f"{before}inside"] = _mean(distance_inside(solver, policy))
            numbers[f"{before}lifted"] = _mean(deviation_gains(solver.game, policy))
        trace.add(snap.measured(numbers))
    return trace


def _moments(sweeps: int) -> Iterator[int]:
    due = 0
    while due < sweeps:
        due = min(geometric_next(due), sweeps)
        yield due


def _mean(gains: tuple[float, ...]) -> float:
    return sum(gains) / len(gains)
