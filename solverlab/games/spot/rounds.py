"""The betting of a spot, round by round: a row of `games/betting` as forests that every board of a round
shares."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from solverlab.core.boards.shape import FOLD, NEXT, SHOW, Round, both_players, laned
from solverlab.core.errors import TooLarge
from solverlab.games.betting.states import DUST, State, act, choices, first_state, open_street
from solverlab.games.betting.states import FOLD as FOLDED

if TYPE_CHECKING:
    from solverlab.games.betting.table import Betting

MOST_NODES = 100_000  # of one round
OUT_OF_POSITION, IN_POSITION = 0, 1


class Rake(NamedTuple):
    """What the house takes of a pot that is won: a part of it, up to a cap in chips."""

    rate: float = 0.0
    cap: float = 0.0

    def of(self, pot: float) -> float:
        """Chips taken from a pot.

        >>> Rake(0.05, 30).of(200), Rake(0.05, 30).of(2000)
        (10.0, 30)
        """
        return min(self.rate * pot, self.cap)


class Line(NamedTuple):
    """A node as people see it: its state, the label of the action into it, chips in before this round."""

    state: State
    label: str
    base: float


class Betted(NamedTuple):
    """A round's forest, and what its nodes are called."""

    betting: Round
    lines: list[Line]


def rounds_of(row: Betting, rake: Rake) -> list[Betted]:
    """Forests of all rounds, the first with one root, every other with a root for each leaf of the one
    before.

    An all-in that is called before the river is dealt on without a decision: a root that is a leaf
    itself.
    """
    found: list[Betted] = []
    start = first_state(row)
    roots = [Line(start, "", start.level)]
    for number in range(len(row.streets)):
        last = number == len(row.streets) - 1
        made = _round(row, roots, rake, last)
        found.append(made)
        leaves = [made.lines[node].state for node in made.betting.leaves.tolist()]
        roots = [_dealt(row, state) for state in leaves]
    return found


def _dealt(row: Betting, state: State) -> Line:
    """The root of the next round, after the cards."""
    after = open_street(row, state) if state.deals else state
    return Line(after, "", after.level)


def _round(row: Betting, roots: list[Line], rake: Rake, last: bool) -> Betted:
    lines, parent = list(roots), [-1] * len(roots)
    first, count, kind = list[int](), list[int](), list[int]()
    for node, line in enumerate(lines):  # the list grows while it is read: parents before children
        after = _following(row, line)
        first.append(len(lines))
        count.append(len(after))
        kind.append(line.state.actor if after else _end(line.state, last))
        lines += after
        parent += [node] * len(after)
        if len(lines) > MOST_NODES:
            raise TooLarge(f"one round of this betting has more than {MOST_NODES:,} nodes; use fewer sizes")
    kinds, parents = np.array(kind, np.int8), np.array(parent, np.int32)
    row_of, rows = _rows(kinds, parents, len(roots))
    edge, edges = _edges(kinds, parents)
    worth, pays = _worth(kinds, [line.state for line in lines], rake)
    betting = Round(
        kinds, parents, np.array(first, np.int32), np.array(count, np.int32), edge, row_of, rows, edges,
        roots=len(roots),
        leaves=np.flatnonzero(kinds == NEXT).astype(np.int32),
        worth=worth,
        pays=pays,
        lanes=both_players([laned(kinds, row_of[1 - me]) for me in range(2)]),
    )  # fmt: skip
    return Betted(betting, lines)


def _following(row: Betting, line: Line) -> list[Line]:
    """What the actor can do: fold, check or call, then bets from the smallest on."""
    if line.state.deals or line.state.over:
        return []
    totals = sorted(set(choices(row, line.state).values()))
    return [Line(act(row, line.state, total), _label(row, line, total), line.base) for total in totals]


def _label(row: Betting, line: Line, total: float) -> str:
    """Amounts are what the player has then bet on this round."""
    state = line.state
    if total == FOLDED:
        return "fold"
    if total <= state.level + DUST:
        return "call" if total > state.paid[state.actor] + DUST else "check"
    if total >= row.stacks[state.actor] - DUST:
        return "all-in"
    return f"{'raise' if state.level > line.base + DUST else 'bet'} {total - line.base:g}"


def _end(state: State, last: bool) -> int:
    if not all(state.live):
        return FOLD
    return SHOW if last else NEXT


def _rows(kinds: np.ndarray, parents: np.ndarray, roots: int) -> tuple[np.ndarray, np.ndarray]:
    """Reach rows: a player's own action makes a new one, everything else keeps the parent's."""
    row = np.zeros((2, len(kinds)), np.int32)
    rows = np.full(2, roots, np.int64)
    for node, parent in enumerate(parents.tolist()):
        for player in range(2):
            if parent < 0:
                row[player, node] = node
            elif kinds[parent] == player:
                row[player, node] = rows[player]
                rows[player] += 1
            else:
                row[player, node] = row[player, parent]
    return row, rows


def _edges(kinds: np.ndarray, parents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Actions of each player, numbered in the order of nodes."""
    edge, edges = np.full(len(kinds), -1, np.int32), np.zeros(2, np.int64)
    for node, parent in enumerate(parents.tolist()):
        if parent >= 0:
            edge[node] = edges[kinds[parent]]
            edges[kinds[parent]] += 1
    return edge, edges


def _worth(kinds: np.ndarray, states: list[State], rake: Rake) -> tuple[np.ndarray, np.ndarray]:
    """What folds and showdowns pay, beyond half of the first pot: see `core/boards/lanes.py`."""
    worth, pays = np.zeros((2, len(kinds)), np.float32), np.zeros((3, len(kinds)), np.float32)
    for node, state in enumerate(states):
        half = min(state.paid)
        taken = rake.of(2 * half)
        if kinds[node] == FOLD:
            winner = state.live.index(True)
            worth[winner, node], worth[1 - winner, node] = half - taken, -half
        elif kinds[node] == SHOW:
            pays[:, node] = half - taken / 2, half, taken / 2
    return worth, pays
