"""Betting street by street: lines begin where the street before ends, and cards come between.

A card is no part of the betting, so boards need not be written out: the lines of a street serve all of its
boards. Actions of a seat, times boards, times hands is the size of a solver's tables, known before they are
built. Lines that lead to equal states go on alike, so each state is looked at once, with the number of lines
that lead there: betting of millions of lines is counted in a moment.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from solverlab.core.errors import TooLarge
from solverlab.games.betting.raising import NOBODY
from solverlab.games.betting.states import State, act, choices, first_state, open_street

if TYPE_CHECKING:
    from solverlab.games.betting.table import Betting

MOST_LOOKED_AT = 200_000  # states: a few seconds


class StreetCount(NamedTuple):
    """One street: nodes, roots, and of each seat actions and decisions; how many nodes are folds, showdowns,
    or ends that await a card; the most actions of a decision.

    A call for all the chips before the last street awaits cards too: on every later street it is a root on
    which nothing is decided.
    """

    nodes: int
    roots: int
    actions: tuple[int, ...]
    decisions: tuple[int, ...]
    folds: int
    showdowns: int
    awaiting: int
    widest: int


def street_counts(row: Betting, most: int = MOST_LOOKED_AT) -> list[StreetCount]:
    """What every street has; more than `most` different states are refused.

    >>> from solverlab.games.betting.table import Betting, Street
    >>> street = Street("60%, e, a", "2.5x")
    >>> flop = Betting(
    ...     stacks=(1000, 1000), antes=(100, 100), streets=(street, street, street), least_bet=1, unit=1,
    ...     beyond="all-in", add_allin=1.5, force_allin=0.15, merge=0.1,
    ... )
    >>> for count in street_counts(flop):
    ...     print(count.nodes, count.roots, count.actions, count.decisions, count.awaiting)
    27 1 (13, 13) (5, 5) 9
    139 9 (65, 65) (25, 25) 49
    307 49 (129, 129) (57, 57) 0
    """
    start = first_state(row)
    found: list[StreetCount] = []
    # An all-in that is called is a line that only cards follow: no state to look at, but a root all the same.
    lines, called, looked = Counter([start] * (start.actor != NOBODY)), int(start.actor == NOBODY), 0
    for number in range(len(row.streets)):
        street = _Street(row, number, called)
        looked += street.walk(lines, most - looked)
        found.append(street.count())
        lines, called = street.dealt, street.called
    return found


@dataclass
class _Street:
    """Lines of one street while they are counted; `called` are those for all the chips."""

    row: Betting
    number: int
    called: int
    roots: int = 0
    folds: int = 0
    closed: int = 0  # lines after which cards come and betting goes on
    widest: int = 1
    actions: list[int] = field(default_factory=list)
    decisions: list[int] = field(default_factory=list)
    dealt: Counter[State] = field(default_factory=Counter)

    def walk(self, roots: Counter[State], most: int) -> int:
        """Follow all lines, those of equal length together; how many states were looked at."""
        self.roots = roots.total() + self.called
        self.actions, self.decisions = [0] * self.row.seats, [0] * self.row.seats
        lines, looked = roots, 0
        while lines:
            looked += len(lines)
            if looked > most:
                raise TooLarge(
                    f"this betting has more than {MOST_LOOKED_AT:,} different states; use fewer sizes, a cap "
                    "on raises, or sizes of whole blinds"
                )
            after = Counter[State]()
            for state, times in lines.items():
                self._decide(state, times, after)
            lines = after
        return looked

    def _decide(self, state: State, times: int, after: Counter[State]) -> None:
        totals = set(choices(self.row, state).values())
        self.decisions[state.actor] += times
        self.actions[state.actor] += times * len(totals)
        self.widest = max(self.widest, len(totals))
        for total in totals:
            child = act(self.row, state, total)
            if child.actor != NOBODY:
                after[child] += times
            elif child.deals:
                self.closed += times
                self.dealt[open_street(self.row, child)] += times
            elif sum(child.live) > 1:
                self.called += times
            else:
                self.folds += times

    def count(self) -> StreetCount:
        last = self.number == len(self.row.streets) - 1
        return StreetCount(
            nodes=self.roots + sum(self.actions),
            roots=self.roots,
            actions=tuple(self.actions),
            decisions=tuple(self.decisions),
            folds=self.folds,
            showdowns=self.called if last else 0,
            awaiting=0 if last else self.called + self.closed,
            widest=self.widest,
        )
