"""How large a strategy tree is before the flop, with and without passive nodes, counted from the rules.

Document 000: in a tree whose nodes are one's own decisions, a ten-handed table puts 3^9 branches between two
of them; with a node for each opponent's choice no node has more than three. Both trees are counted here, for
one hand of one position, as far as the flop or the own fold. Nothing is built: what looks alike is counted
once, and numbers may be large.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import NamedTuple, TypeVar

from solverlab.core.errors import BadValue
from solverlab.core.rows import Row
from solverlab.games.betting.raising import DUST, NOBODY
from solverlab.games.betting.states import State, first_state, following
from solverlab.games.holdem.rules import MOST_PLAYERS, HoldemRules

MOST_ACTIONS = 20  # of the calculator
FIRST = {2: 0}  # who acts first before the flop: the button heads-up, else the seat left of the blinds


def branching_between(players: int, actions: int) -> int:
    """Branches between two own decisions of a tree without passive nodes: actions^(players - 1).

    As document 000 counts them: each opponent acts once in between and always has every action. What the
    rules of a table leave of that `OneTree` counts.

    >>> branching_between(players=10, actions=3)
    19683
    >>> branching_between(players=1, actions=3)
    Traceback (most recent call last):
    ...
    solverlab.core.errors.BadValue: the number of players is 1; give a whole number from 2 to 10
    """
    opponents = _whole("the number of players", players, MOST_PLAYERS) - 1
    return _whole("the number of actions", actions, MOST_ACTIONS) ** opponents


def _whole(label: str, value: object, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 2 <= value <= most:
        raise BadValue(f"{label} is {value!r}; give a whole number from 2 to {most}")
    return value


Known = TypeVar("Known")


class Counts(NamedTuple):
    """Nodes below a state: own decisions, passive nodes (others decide), and ends."""

    decisions: int
    passive: int
    ends: int


def table_rules(players: int, betting: str = "limit", bets: int = 4, stack: float = 100.0) -> HoldemRules:
    """A table whose raises are capped at so many bets; no-limit offers the pot and all-in."""
    return HoldemRules.checked(players, stack, betting, (1.0,), True, (0.5, 1.0), bets)


class OneTree:
    """The tree of one position before the flop, counted.

    >>> heads_up = OneTree(table_rules(2), seat=0)
    >>> heads_up.counts()  # 22 nodes
    Counts(decisions=4, passive=4, ends=14)
    >>> heads_up.between()
    {'fold': 1, 'call': 2, 'raise': 3}
    """

    def __init__(self, rules: HoldemRules, seat: int | None = None):
        self.rules = rules
        self.seat = FIRST.get(rules.players, 2) if seat is None else seat
        self.root = first_state(rules.row)
        self._following: dict[Hashable, list[State]] = {}
        self._counts: dict[Hashable, Counts] = {}
        self._ways: dict[Hashable, int] = {}
        self._steps: dict[Hashable, float] = {}

    def counts(self) -> Counts:
        """Every node as far as the flop."""
        return self._count(self.root)

    def standard_nodes(self) -> int:
        """The same tree without passive nodes: its root, own decisions, and ends."""
        counts = self.counts()
        return counts.decisions + counts.ends + (self.root.actor != self.seat)

    def passive_nodes(self) -> int:
        """The tree with a node for each choice of an opponent: all of that, and more nodes."""
        return sum(self.counts())

    def between(self) -> dict[str, int]:
        """Ways from each first own action to the next own decision, or to the end."""
        start = self._first_decision(self.root)
        return {action: self._count_ways(after) for action, after in following(self.rules.row, start).items()}

    def second_decision(self) -> tuple[int, int]:
        """Nodes to keep, at least, for one own second decision: without passive nodes, and with them."""
        start = self._first_decision(self.root)
        after = following(self.rules.row, start).values()
        standard = 1 + sum(self._count_ways(state) for state in after)
        return standard, int(1 + len(after) + min(self._shortest(state) for state in after))

    # ---- counting ------------------------------------------------------------------------------------------

    def _first_decision(self, state: State) -> State:
        """The own first decision after folds."""
        while state.actor != self.seat:
            state = following(self.rules.row, state)["fold"]
        return state

    def _over(self, state: State) -> bool:
        return state.actor == NOBODY or not state.live[self.seat]

    def _count(self, state: State) -> Counts:
        def fresh() -> Counts:
            if self._over(state):
                return Counts(0, 0, 1)
            below = [self._count(child) for child in self._children(state)]
            own = state.actor == self.seat
            decisions, passive, ends = (sum(column) for column in zip(*below, strict=True))
            return Counts(decisions + own, passive + (not own), ends)

        return self._known(self._counts, state, fresh)

    def _count_ways(self, state: State) -> int:
        def fresh() -> int:
            if self._over(state) or state.actor == self.seat:
                return 1
            return sum(self._count_ways(child) for child in self._children(state))

        return self._known(self._ways, state, fresh)

    def _shortest(self, state: State) -> float:
        """Nodes that expansions add on the shortest way to an own decision; infinite if none comes."""

        def fresh() -> float:
            if self._over(state):
                return float("inf")
            if state.actor == self.seat:
                return 0
            children = self._children(state)
            return len(children) + min(self._shortest(child) for child in children)

        return self._known(self._steps, state, fresh)

    def _children(self, state: State) -> list[State]:
        return self._known(self._following, state, lambda: list(following(self.rules.row, state).values()))

    def _known(self, table: dict[Hashable, Known], state: State, fresh: Callable[[], Known]) -> Known:
        key = self._look(state)
        if key not in table:
            table[key] = fresh()
        return table[key]

    def _look(self, state: State) -> Hashable:
        """What the rest of the tree depends on: with limit betting and deep stacks not on the amounts."""
        if self.rules.betting != "limit" or max(self.rules.stacks) <= 1 + max(self.rules.caps):
            return state
        facing = tuple(
            paid < state.level - DUST if live else None
            for paid, live in zip(state.paid, state.live, strict=True)
        )
        return (state.actor, facing, state.owed, state.closed, state.raises)


def tree_sizes(players: int, bets: int = 4) -> Row:
    """Everything about the tree of the first seat to act at a limit table of so many players.

    >>> row = tree_sizes(4)
    >>> row["power"], row["between, after a call"], row["between, after a raise"]
    (27, 23, 26)
    """
    tree, free = OneTree(table_rules(players, bets=bets)), OneTree(table_rules(players, bets=20))
    between, counts, kept = tree.between(), tree.counts(), tree.second_decision()
    return {
        "players": players,
        "power": branching_between(players, 3),
        "between, after a call": between["call"],
        "between, after a raise": between["raise"],
        "between, after a raise without a cap": free.between()["raise"],
        "own decisions": counts.decisions,
        "passive nodes": counts.passive,
        "ends": counts.ends,
        "nodes without passive nodes": tree.standard_nodes(),
        "nodes with passive nodes": tree.passive_nodes(),
        "kept for a second decision, without passive nodes": kept[0],
        "kept for a second decision, with passive nodes": kept[1],
    }


def no_limit_ways(players: int, stack: float = 100.0) -> Row:
    """The same branches at a no-limit table that offers fold, call, the pot and all-in."""
    between = OneTree(table_rules(players, "no-limit", stack=stack)).between()
    ways = {f"after {action}": count for action, count in between.items()}
    return {"players": players, "power": branching_between(players, 4), **ways}
