"""Grow a truncated tree and measure it as it grows: distance inside the tree, and in the whole game.

Document 000 asks how many nodes to expand an epoch, and hopes for an accurate strategy by ignoring improbable
subtrees. Here is the data: exact distances against the number of nodes kept, for any rule and number.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from solverlab.analysis import deviation_gains, solve_lp
from solverlab.analysis.truncated import ROLLOUT, truncated_gains
from solverlab.core.errors import BadValue
from solverlab.core.game import TabulatedGame
from solverlab.core.policy import Policy
from solverlab.core.rows import Setting
from solverlab.naive import PlainUCT, Rules, policy_of
from solverlab.run.trace import Trace
from solverlab.solvers import FrontierRule, Rebalance
from solverlab.solvers.growing.exact.ground import ExactGround
from solverlab.solvers.growing.settings import LeafKind


def growing(
    game: TabulatedGame, frontier: FrontierRule, leaf: LeafKind = "showdown", **settings: Setting
) -> Rebalance:
    """A rebalance that grows; leaf="solved" values leaves by an exact equilibrium of the whole game.

    >>> import solverlab as sl
    >>> solver = growing(sl.Kuhn(), sl.MostReached(k=1), leaf="solved")
    >>> solver.step(1).events[0].hand  # the best hand grows first
    'K'
    """
    if isinstance(leaf, str) and leaf == "solved":
        leaf = solve_lp(game).policy
    return Rebalance(game, frontier=frontier, leaf=leaf, **settings)


def distance_inside(solver: Rebalance, policy: Policy) -> tuple[float, ...]:
    """Each seat's gain from deviating inside the solver's truncated game, with the leaf values it uses."""
    ground = exact_ground(solver)
    if ground.cut is None:
        return deviation_gains(ground.game, policy)
    ends = ROLLOUT if ground.cut.table is None else ground.cut.table
    return truncated_gains(ground.game, ground.cut.inside, policy, ends)


def exact_ground(solver: Rebalance) -> ExactGround:
    """The ground of a solver whose EVs are exact, or one sentence."""
    if not isinstance(solver.ground, ExactGround):
        raise BadValue(f"{solver.game.name} is sampled, nothing exact is known of it; use sl.gains_bracket")
    return solver.ground


def growth(solver: Rebalance, epochs: int, name: str = "") -> Trace:
    """Let a tree grow so many epochs and record, at the end of each, its size and its distances.

    The columns: `nodes`, `action_nodes`, `miss_rate`; `inside` and `current_inside`, mean gain a seat of the
    average and of the current strategy in the truncated game; `lifted` and `current_lifted`, the same in the
    whole game. It ends early when the tree is whole.

    >>> import solverlab as sl
    >>> trace = growth(growing(sl.Kuhn(), sl.MostReached(k=2), scale=2.0), epochs=4)
    >>> trace.column("nodes")
    [6, 14, 22, 30]
    """
    if not isinstance(epochs, int) or epochs < 1:
        raise BadValue(f"cannot grow {epochs!r} epochs; give a whole number of at least 1")
    game = exact_ground(solver).game
    if not solver.ground.grows:
        raise BadValue("this tree is whole and cannot grow; give frontier=sl.MostReached(k)")
    trace = Trace(name=name)
    for _ in range(epochs):
        _settle(solver)
        snap = solver.snapshot()
        numbers = {"inside": snap.policy, "current_inside": snap.current}
        distances = {label: _mean(distance_inside(solver, policy)) for label, policy in numbers.items()}
        lifted = {"lifted": snap.policy, "current_lifted": snap.current}
        distances |= {label: _mean(deviation_gains(game, p)) for label, p in lifted.items()}
        trace.add(snap.measured(distances))
        if not solver.expand():
            break
    return trace


def growth_curves(
    game: TabulatedGame, rules: Iterable[FrontierRule], epochs: int, **settings: Setting
) -> dict[str, Trace]:
    """One growth a rule, by the rule's name: the data of distance against nodes kept."""
    curves = {}
    for rule in rules:
        label = f"{type(rule).__name__}(k={rule.k})"
        curves[label] = growth(growing(game, rule, **settings), epochs, label)
    return curves


def uct_growth(
    game: TabulatedGame, playouts: Iterable[int], explore: float = 2.0, rng: int = 0, name: str = "UCT"
) -> Trace:
    """The same columns for a plain UCT tree: `action_nodes` and the `lifted` distance after so many playouts.

    Compare the two by `action_nodes`: a UCT tree has no passive nodes, so its `nodes` are decisions and what
    follows them.

    >>> import solverlab as sl
    >>> trace = uct_growth(sl.Kuhn(), [10, 100, 1000])
    >>> trace.column("action_nodes")[-1], trace.column("iteration")
    (12, [10, 100, 1000])
    """
    search, trace, played = PlainUCT(cast(Rules, game), explore, rng), Trace(name=name), 0
    for target in sorted(playouts):
        strategy, played = search.step(target - played), target
        lifted = _mean(deviation_gains(game, policy_of(cast(Rules, game), strategy)))
        kept = len(strategy) + sum(len(mix) for mix in strategy.values())
        sizes = {"iteration": played, "nodes": kept, "action_nodes": len(strategy)}
        trace.rows.append({**sizes, "lifted": lifted})
    return trace


def _settle(solver: Rebalance) -> None:
    """Rebalance the tree as it is until the epoch is over."""
    solver.rebalance()
    while not solver.settled():
        solver.rebalance()


def _mean(gains: tuple[float, ...]) -> float:
    return sum(gains) / len(gains)
