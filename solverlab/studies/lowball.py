"""2-to-7 at many stacks and under many rules: curves, where the button starts to lose, what bets add."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from solverlab.analysis import exploitability, solve_lp
from solverlab.core.errors import BadValue
from solverlab.core.game import RangeGame, TabulatedGame
from solverlab.core.rows import Config, Row, Setting
from solverlab.games import Lowball
from solverlab.run.drive import solve
from solverlab.run.stopping import below, iterations
from solverlab.solvers import CFR

STACKS = tuple(np.arange(1.5, 10.5, 0.5).tolist())
MOST_ROWS_FOR_THE_REFEREE = 3_000
VARIANTS: dict[str, Row] = {
    "push/fold": {},
    "limp": {"limp": True},
    "limp and raise": {"limp": True, "raises": (2.0,)},
    "limp, bet after the draw": {"limp": True, "after_draw": (1.0,)},
    "limp and raise, bet after the draw": {"limp": True, "raises": (2.0,), "after_draw": (1.0,)},
}


class Solved(NamedTuple):
    """The button's value in big blinds, how exactly it is known, and who found it."""

    value: float
    exploitability: float
    method: str

    def beside(self, plain: Solved) -> Row:
        """These numbers, and how much more this is than a plainer game with the most that may be off by.

        The value of a game lies no further from that of a policy than its NashConv, twice the exploitability.

        >>> Solved(0.5, 1e-4, "").beside(Solved(0.25, 0.0, ""))
        {'value': 0.5, 'exploitability': 0.0001, 'method': '', 'adds': 0.25, 'adds_error': 0.0002}
        """
        error = 2 * (self.exploitability + plain.exploitability)
        return {**self._asdict(), "adds": self.value - plain.value, "adds_error": error}


def solve_lowball(game: RangeGame, target: float = 1e-6, most: int = 20_000) -> Solved:
    """The value of a 2-to-7 game: by linear programming where it is small, else by CFR to a target.

    The exploitability is exact either way: both best responses to the policy that was found.

    >>> import solverlab as sl
    >>> round(solve_lowball(sl.LowballPushFold(3)).value, 6)
    0.090485
    """
    if isinstance(game, TabulatedGame) and np.prod(game.tie.shape) <= MOST_ROWS_FOR_THE_REFEREE:
        found = solve_lp(game)
        return Solved(found.value, exploitability(game, found.policy), "linear programme")
    snap = solve(game, "PCFR+", below("exploitability", target) | iterations(most))
    return Solved(snap.value, snap.exploitability, "PCFR+")


def lowball_curve(stacks: Iterable[float] = STACKS, **options: Setting) -> list[Row]:
    """One row a stack: the button's value and the exploitability it is known to; options are `Lowball`'s.

    >>> [round(row["value"], 4) for row in lowball_curve([3, 4])]
    [0.0905, -0.0093]
    """
    games = [Lowball(stack, **options) for stack in stacks]
    if not games:
        raise BadValue("a curve of no stacks is empty; give at least one stack in big blinds")
    return [{"stack": game.stack, **solve_lowball(game)._asdict()} for game in games]


def lowball_root(low: float = 2.0, high: float = 10.0, tolerance: float = 1e-4, **options: Setting) -> float:
    """The stack at which the button's value crosses zero, in big blinds.

    >>> round(lowball_root(), 2), round(lowball_root(ranks="23456789JQKA"), 2)
    (3.94, 3.89)
    """
    from scipy.optimize import brentq  # a third of a second, only for those who ask

    def value(stack: float) -> float:
        return solve_lowball(Lowball(stack, **options)).value

    ends = value(low), value(high)
    if ends[0] * ends[1] > 0:
        raise BadValue(
            f"the button's value is {ends[0]:.4f} with {low:g} and {ends[1]:.4f} with {high:g} big blinds "
            "and does not cross zero in between; give a wider range of stacks"
        )
    return float(brentq(value, low, high, xtol=tolerance))


def lowball_variants(
    stack: float, variants: dict[str, Config] | None = None, **options: Setting
) -> list[Row]:
    """What limps, raises and bets after the draw are worth to the button: value, and what push/fold lacks.

    `adds` is off by `adds_error` at most: what is smaller than that is not known to be more than nothing.
    """
    named = {"push/fold": {}, **(VARIANTS if variants is None else variants)}
    solved = {name: solve_lowball(Lowball(stack, **options, **rules)) for name, rules in named.items()}
    plain = solved["push/fold"]
    return [{"stack": stack, "variant": name, **each.beside(plain)} for name, each in solved.items()]


def regret_proxy(solver: CFR) -> float:
    """Twice the mean positive regret of the button's first decision: what one project calls Nash distance.

    The mean is over the deal; the regret is the table's, divided by the iterations. It looks at one decision
    of one player, so it bounds nobody's exploitability: show it beside `sl.nash_conv`, never instead. Here it
    is first too small and later too large.

    >>> import solverlab as sl
    >>> solver = sl.CFR(sl.LowballPushFold(3), "CFR")
    >>> for steps in (10, 990):
    ...     snap = solver.step(steps)
    ...     print(f"{regret_proxy(solver):.4f} beside {sl.nash_conv(solver.game, snap.policy):.4f}")
    0.1078 beside 0.1825
    0.0032 beside 0.0023
    """
    if solver.iteration == 0:
        raise BadValue("a solver that has not stepped has no regret; step it first")
    tree, tie = solver.game.tree, solver.tie
    slots = tie.slot[tree.first[0] : tree.first[0] + tree.count[0]]
    positive = np.maximum(solver.tables.regret[slots], 0.0).max(axis=0)
    return 2.0 * float(positive.sum()) / solver.iteration
