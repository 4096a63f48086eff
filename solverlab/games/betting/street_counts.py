"""Betting street by street: lines begin where the street before ends, and cards come between.

A card is no part of the betting, so boards need not be written out: the lines of a street serve all of its
boards. Actions of a seat, times boards, times hands is the size of a solver's tables, known before they are
built.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from solverlab.games.betting.graph import MOST_STATES

if TYPE_CHECKING:
    from solverlab.games.betting.table import Betting


class StreetCount(NamedTuple):
    """One street: nodes (folds, showdowns, ends that await a card among them), roots, actions of each seat.

    A call for all the chips before the last street awaits cards too: on every later street it is a root on
    which nothing is decided.
    """

    nodes: int
    roots: int
    actions: tuple[int, ...]


def street_counts(row: Betting, most: int = MOST_STATES) -> list[StreetCount]:
    """What every street has.

    >>> from solverlab.games.betting.table import Betting, Street
    >>> street = Street("60%, e, a", "2.5x")
    >>> flop = Betting(
    ...     stacks=(1000, 1000), antes=(100, 100), streets=(street, street, street), least_bet=1, unit=1,
    ...     beyond="all-in", add_allin=1.5, force_allin=0.15, merge=0.1,
    ... )
    >>> for count in street_counts(flop):
    ...     print(count)
    StreetCount(nodes=27, roots=1, actions=(13, 13))
    StreetCount(nodes=139, roots=9, actions=(65, 65))
    StreetCount(nodes=307, roots=49, actions=(129, 129))
    """
    tree, states, _ = row.tree(most)
    last = len(row.streets) - 1
    roots, actions = [0] * len(row.streets), [[0] * row.seats for _ in row.streets]
    roots[0] = 1
    for state, parent in zip(states[1:], tree.parent[1:], strict=True):
        before = states[parent]
        actions[before.street][before.actor] += 1
        reached = state.street if not state.over else last if sum(state.live) > 1 else before.street
        for street in range(before.street + 1, reached + 1):
            roots[street] += 1
    return [StreetCount(n + sum(each), n, tuple(each)) for n, each in zip(roots, actions, strict=True)]
