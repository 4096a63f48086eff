"""Betting written out: a tree of lines, or a graph of states; counted first, and under a budget.

A node is a decision. Between streets nothing is a node: cards are no part of the betting.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from solverlab.core.errors import TooLarge
from solverlab.core.tree import Choice, Tree, grow
from solverlab.games.betting.keys import exact
from solverlab.games.betting.states import State, act, choices, first_state, open_street

if TYPE_CHECKING:
    from solverlab.games.betting.table import Betting

MOST_STATES = 1_000_000
PATIENCE = 3_000  # states that are looked at to tell the exact size of a tree that is too large
FOLD_END, SHOWDOWN = -1, -2
Key = Callable[["Betting", State], State]


class Count(NamedTuple):
    """Decisions and actions of every street, and how many actions end the hand."""

    nodes: tuple[int, ...]
    edges: tuple[int, ...]
    folds: int
    showdowns: int


class Graph(NamedTuple):
    """N decisions and M actions; the actions of node n are first[n] to first[n + 1].

    actor and street int8[N]; first int64[N + 1]; child int32[M], a node, FOLD_END or SHOWDOWN; paid
    float64[M], the actor's total afterwards (-1: folded); labels and states in plain Python.
    """

    actor: np.ndarray
    street: np.ndarray
    first: np.ndarray
    child: np.ndarray
    paid: np.ndarray
    labels: list[str]
    states: list[State]


class Expanded(NamedTuple):
    """One decision with its actions: labels, totals, and the node or end that follows each."""

    state: State
    labels: list[str]
    totals: list[float]
    child: list[int]


def after_cards(row: Betting, state: State) -> State:
    """The next decision or the end: streets open by themselves where only betting is looked at."""
    while state.deals:
        state = open_street(row, state)
    return state


def tree_of(row: Betting, most: int = MOST_STATES) -> tuple[Tree, list[State], list[str]]:
    """Every line of betting as a tree; ends are its leaves."""

    def children(state: State) -> Choice | None:
        if state.over:
            return None
        offered = choices(row, state).items()
        return Choice(
            state.actor, {label: after_cards(row, act(row, state, total)) for label, total in offered}
        )

    return grow(after_cards(row, first_state(row)), children, most)


def expanded(row: Betting, key: Key, from_street: int, most: int) -> Iterator[Expanded]:
    """Every node of the graph in the order in which it is met; more than `most` are refused."""
    states, place = [after_cards(row, first_state(row))], dict[State, int]()

    def number(state: State) -> int:
        if state.over:
            return FOLD_END if sum(state.live) == 1 else SHOWDOWN
        merged = state.street >= from_street
        if merged:
            state = key(row, state)
            if state in place:
                return place[state]
            place[state] = len(states)
        states.append(state)
        if len(states) > most:
            raise TooLarge(
                f"this betting has more than {most:,} states; use fewer seats, streets, sizes or raises"
            )
        return len(states) - 1

    if from_street == 0:
        states[0] = key(row, states[0])
        place[states[0]] = 0
    n = 0
    while n < len(states):
        state = states[n]
        offered = choices(row, state)
        child = [number(after_cards(row, act(row, state, total))) for total in offered.values()]
        yield Expanded(state, list(offered), list(offered.values()), child)
        n += 1


def count(row: Betting, key: Key = exact, from_street: int = 0, most: int = MOST_STATES) -> Count:
    """Nodes and edges by street, and ends, of the graph that `graph_of` would build."""
    nodes, edges, ends = [0] * len(row.streets), [0] * len(row.streets), {FOLD_END: 0, SHOWDOWN: 0}
    for state, labels, _, child in expanded(row, key, from_street, most):
        nodes[state.street] += 1
        edges[state.street] += len(labels)
        for end in ends:
            ends[end] += child.count(end)
    return Count(tuple(nodes), tuple(edges), ends[FOLD_END], ends[SHOWDOWN])


def graph_of(row: Betting, key: Key = exact, from_street: int = 0, most: int = MOST_STATES) -> Graph:
    """The graph as arrays for kernels, with labels and states beside them."""
    nodes = list(expanded(row, key, from_street, most))
    return Graph(
        actor=np.array([node.state.actor for node in nodes], np.int8),
        street=np.array([node.state.street for node in nodes], np.int16),
        first=np.concatenate([[0], np.cumsum([len(node.labels) for node in nodes])]),
        child=np.array([child for node in nodes for child in node.child], np.int32),
        paid=np.array([total for node in nodes for total in node.totals]),
        labels=[label for node in nodes for label in node.labels],
        states=[node.state for node in nodes],
    )


Known = TypeVar("Known", bound=Hashable)  # a state that equals others like it


def tree_size(
    root: Known,
    following: Callable[[Known], Iterable[tuple[int, Known]]],
    most: int,
    patience: int = PATIENCE,
) -> int:
    """Nodes of a tree whose equal states have equal trees below them, each state looked at once.

    `following` tells the states after a state and how often each occurs. Beyond `most` nodes the exact number
    is still told if few states make it; a larger search ends with TooLarge.

    >>> tree_size(3, lambda n: [(10, n - 1)] if n else [], most=1000)
    1111
    """
    size: dict[Known, int] = {}
    todo: list[tuple[Known, list[tuple[int, Known]]]] = [(root, list(following(root)))]
    while todo:  # deepest first, without recursion: betting can be deeper than Python's stack
        state, after = todo[-1]
        missing = next((child for _, child in after if child not in size), None)
        if missing is not None:
            todo.append((missing, list(following(missing))))
            continue
        size[state] = 1 + sum(times * size[child] for times, child in after)
        if len(size) > patience and size[state] > most:
            raise TooLarge(f"more than {most:,} nodes")
        todo.pop()
    return size[root]


def unfolded(graph: Graph) -> int:
    """Decisions of the tree that the graph stands for: how often its nodes are met over all lines.

    >>> from solverlab.games.betting.table import Betting, Street
    >>> row = Betting((9, 9, 9), (Street(bet="1c", cap=1),) * 3, antes=(1, 1, 1))
    >>> graph = row.graph()
    >>> len(graph.states), unfolded(graph)
    (120, 444)
    """

    def following(node: int) -> list[tuple[int, int]]:
        below = graph.child[graph.first[node] : graph.first[node + 1]].tolist()
        return [(1, child) for child in below if child >= 0]

    return tree_size(0, following, most=sys.maxsize)
