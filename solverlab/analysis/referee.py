"""An independent referee: the exact value of a small two-player zero-sum game by linear programming.

The sequence form (Koller, Megiddo & von Stengel 1996): a player's plan is a flow of probability over own
sequences, payoffs are bilinear in the two plans, so the best worst case is a linear programme. Solved by
HiGHS; shares no code with the solvers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from solverlab.core.errors import BadValue, TooLarge
from solverlab.core.game import TabulatedGame
from solverlab.core.policy import Policy, read_only
from solverlab.core.tree import chance_reach, leaf_nodes

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

# scipy takes a third of a second to import: every function that needs it asks for it when it is called.
MOST_SEQUENCES = 20_000  # of a player: a minute or two; ten times as many are hours, and cannot be stopped


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """An exact equilibrium: the first player's value and an optimal policy for both."""

    value: float
    policy: Policy


def solve_lp(game: TabulatedGame, most_sequences: int = MOST_SEQUENCES) -> Equilibrium:
    """The value and an equilibrium of a small two-player zero-sum game; the patient allow more sequences.

    >>> import solverlab as sl
    >>> round(sl.solve_lp(sl.Kuhn()).value, 9)
    -0.055555556
    """
    if game.n_players != 2:
        raise BadValue(
            f"the linear programme needs two players, {game.name} has {game.n_players}; use deviation_gains"
        )
    if most_sequences < (size := sequences(game)):
        raise TooLarge(
            f"{game.name} has {size:,} sequences, more than the referee's {most_sequences:,}; use CFR instead"
        )
    plans = [_Plan(game, player) for player in range(2)]
    payoff = _payoffs(game, plans)
    if abs(payoff + _payoffs(game, plans, player=1)).max() > 1e-12:
        raise BadValue(f"{game.name} is not zero-sum; the linear programme is exact for zero-sum games only")
    sigma = np.ones((len(game.tree.parent), len(game.names.hands)))
    value, flow = _best_worst_case(payoff, *plans)
    plans[0].write(flow, sigma)
    plans[1].write(_best_worst_case(-payoff.T.tocsr(), plans[1], plans[0])[1], sigma)
    return Equilibrium(value, Policy(game.tree, game.names, read_only(sigma)))


def sequences(game: TabulatedGame) -> int:
    """How many sequences the player with more of them has: what the programme's time grows with.

    >>> import solverlab as sl
    >>> sequences(sl.Leduc())
    1303
    """
    tie = game.tie
    return 1 + tie.shape[1] * max(int(tie.count[tie.player == player].sum()) for player in range(2))


class _Plan:
    """One player's sequences: 0 is 'nothing yet', then one an action row (slot, bucket) of the player."""

    def __init__(self, game: TabulatedGame, player: int):
        self.game, self.player = game, player
        tie, tree = game.tie, game.tree
        self.number: dict[int, int] = {}  # row of the table -> sequence
        for group in np.flatnonzero(tie.player == player):
            for slot in range(tie.first[group], tie.first[group] + tie.count[group]):
                for bucket in range(tie.shape[1]):
                    self.number[slot * tie.shape[1] + bucket] = len(self.number) + 1
        self.size = len(self.number) + 1
        self.last = np.zeros(
            (len(tree.parent), len(game.names.hands)), int
        )  # last own sequence at each node and hand
        for n in range(1, len(tree.parent)):
            parent = tree.parent[n]
            self.last[n] = self.last[parent] if tree.player[parent] != player else self._sequences(n)

    def _sequences(self, n: int) -> list[int]:
        tie = self.game.tie
        first = int(tie.slot[n]) * tie.shape[1]
        return [self.number[first + int(bucket)] for bucket in tie.bucket[tie.texture[n]]]

    def flow(self) -> tuple[csr_matrix, np.ndarray]:
        """E x = e: the empty sequence has weight 1 and every infoset passes on what enters it."""
        from scipy.sparse import csr_matrix

        tree = self.game.tree
        entries: dict[tuple[int, int], float] = {(0, 0): 1.0}
        infosets: dict[int, int] = {}
        for n in np.flatnonzero(tree.player == self.player):
            children = range(tree.first[n], tree.first[n] + tree.count[n])
            for h in range(len(self.game.names.hands)):
                row = infosets.setdefault(int(self.last[tree.first[n], h]), len(infosets) + 1)
                for child in children:
                    entries[row, int(self.last[child, h])] = 1.0
                entries[row, int(self.last[n, h])] = -1.0
        rows, columns = zip(*entries, strict=True)
        shape = (len(infosets) + 1, self.size)
        return csr_matrix((list(entries.values()), (rows, columns)), shape), np.r_[
            1.0, np.zeros(len(infosets))
        ]

    def write(self, flow: np.ndarray, sigma: np.ndarray) -> None:
        """Turn a flow into probabilities; infosets it never enters play uniformly."""
        tree = self.game.tree
        for n in np.flatnonzero(tree.player == self.player):
            children = slice(tree.first[n], tree.first[n] + tree.count[n])
            shares = np.maximum(flow[self.last[children]], 0.0)
            total = shares.sum(0)
            sigma[children] = np.where(total > 1e-12, shares / np.maximum(total, 1e-300), 1.0 / tree.count[n])


def _payoffs(game: TabulatedGame, plans: list[_Plan], player: int = 0) -> csr_matrix:
    """A player's expected payoff for each pair of sequences, [S0, S1]."""
    from scipy.sparse import csr_matrix

    hands, chance = len(game.names.hands), chance_reach(game.tree)
    rows, columns, values = [], [], []
    for leaf, n in enumerate(leaf_nodes(game.tree)):
        matrix = game.leaves.matrix[player, game.leaves.kind[leaf]] * game.leaves.scale[leaf] * chance[n]
        rows.append(np.repeat(plans[0].last[n], hands))
        columns.append(np.tile(plans[1].last[n], hands))
        values.append((matrix.T if player == 0 else matrix).ravel())
    shape = (plans[0].size, plans[1].size)
    return csr_matrix((np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), shape)


def _best_worst_case(payoff: csr_matrix, mine: _Plan, theirs: _Plan) -> tuple[float, np.ndarray]:
    """max over my flow x of the worst case: maximise f.q subject to F'q <= A'x, E x = e."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_matrix, hstack

    own, own_total = mine.flow()
    other, other_total = theirs.flow()
    goal = np.r_[np.zeros(mine.size), -other_total]
    worst = hstack([-payoff.T, other.T]).tocsr()
    equal = hstack([own, csr_matrix((own.shape[0], other.shape[0]))]).tocsr()
    bounds = [(0, None)] * mine.size + [(None, None)] * other.shape[0]
    found = linprog(goal, worst, np.zeros(theirs.size), equal, own_total, bounds, method="highs")
    if not found.success:
        raise BadValue(f"the linear programme of {mine.game.name} did not solve: {found.message}")
    return -float(found.fun), found.x[: mine.size]
