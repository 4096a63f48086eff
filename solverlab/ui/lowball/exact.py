"""The strategy of an exact 2-to-7 game as the page reads it: by history, by hand, discards in words."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.core.policy import Policy
from solverlab.games.lowball.after import LowballAfterDraw
from solverlab.games.lowball.keys import infoset_text
from solverlab.ui.lowball.table import (
    RANKS,
    Mix,
    Table,
    draw_action,
    draw_words,
    mixed,
    numbered,
    rank_counts,
)

if TYPE_CHECKING:
    from solverlab.games.lowball.game import Lowball


class Rows(NamedTuple):
    """The information sets of one history: a node and a hand in each, its cards, and its weight."""

    node: np.ndarray
    hand: np.ndarray
    cards: list[str]
    weight: np.ndarray


class ExactShape:
    """What does not change while a game is solved: its decisions, their hands, and what discards keep."""

    def __init__(self, game: Lowball):
        self.game = game
        self.nodes: dict[str, list[int]] = {}
        for node in map(int, np.flatnonzero(game.tree.player >= 0)):
            self.nodes.setdefault(game.states[node].history, []).append(node)
        self.decisions = {history: self._words(nodes[0]) for history, nodes in self.nodes.items()}
        self.lines = {
            history: self._path(nodes[0]) for history, nodes in self.nodes.items() if self._opens_draw(nodes)
        }
        self.counts = self._rank_table()
        self.dealt_of = game.full.dealt if isinstance(game, LowballAfterDraw) else np.arange(len(game.hands))
        self.first_of = np.searchsorted(self.dealt_of, np.arange(len(game.dealt)))
        self.weight = self._weights()
        self._rows: dict[str, Rows] = {}

    def drawing(self, node: int) -> bool:
        return self.game.betting.drawing(self.game.states[node])

    def rows(self, history: str) -> Rows:
        """The information sets of a history, found once."""
        if history not in self._rows:
            self._rows[history] = self._find(history)
        return self._rows[history]

    def _find(self, history: str) -> Rows:
        game, found = self.game, {}
        for node in self.nodes[history]:
            for hand in range(len(game.hands)):
                cards = infoset_text(game, node, hand).rsplit("_", 1)[0]
                place = found.setdefault(cards, [node, hand, 0.0])
                if place[0] == node:
                    place[2] += self.weight[hand]
        node, hand, weight = (np.array(column) for column in zip(*found.values(), strict=True))
        return Rows(node, hand, list(found), weight)

    def _weights(self) -> np.ndarray:
        """The chance of each hand, replacements in order included, float64[H]."""
        game, deck = self.game, self.game.rules.rank_deck
        dealt = np.array([_ways(deck.per_rank, row) for row in deck.counts(game.dealt)], float)
        dealt /= comb(deck.size, game.rules.cards)
        if not isinstance(game, LowballAfterDraw):
            return dealt
        weight = dealt[self.dealt_of]
        for h, order in enumerate(game.full.replacements):
            held = list(game.dealt[self.dealt_of[h]])
            for rank in order:
                weight[h] *= (deck.per_rank - held.count(rank)) / (deck.size - len(held))
                held.append(rank)
        return weight

    def _rank_table(self) -> np.ndarray:
        deck = self.game.rules.rank_deck
        table = np.zeros((len(self.game.dealt), 13), np.int64)
        table[:, [RANKS.index(rank) for rank in deck.ranks]] = deck.counts(self.game.dealt)
        return table

    def _opens_draw(self, nodes: list[int]) -> bool:
        return self.drawing(nodes[0]) and not self.game.states[nodes[0]].drawn

    def _path(self, node: int) -> str:
        parts = self.game.names.path(node).split("/")
        return ", ".join(" ".join(part.split(" ")[:2]) for part in parts if part)

    def _words(self, node: int) -> str:
        seat = self.game.names.player(int(self.game.tree.player[node]))
        path = self._path(node)
        return f"{seat}{' draws' * self.drawing(node)}, {'after ' + path if path else 'first to act'}"


class ExactStrategy:
    """A policy of an exact game; see `LowballStrategy`."""

    exact, suited = True, False

    def __init__(self, shape: ExactShape, policy: Policy):
        self.shape, self.policy, self.game = shape, policy, shape.game
        self.cards, self.size = self.game.rules.cards, len(self.game.dealt)
        self.decisions, self.lines = shape.decisions, shape.lines

    def table(self, key: str) -> Table:
        rows = self.shape.rows(key)
        node = int(rows.node[0])
        share = self._shares(rows.node, rows.hand)
        actions = self._labels(node)
        if self.shape.drawing(node):
            share, actions = self._by_count(share)
        reach = self._reach(rows)
        return Table(self.decisions[key], rows.cards, rows.weight, reach, actions, share)

    def hand(self, number: int) -> str:
        return self.game.rules.rank_deck.text(self.game.dealt[number])

    def find(self, text: str) -> int:
        wanted = rank_counts(text)
        found = np.flatnonzero((self.shape.counts == wanted).all(axis=1))
        if wanted.sum() != self.cards:
            raise BadValue(f"hands here have {numbered(self.cards)}, but {text[:20]!r} has {wanted.sum()}")
        if not len(found):
            raise BadValue(f"{text[:20]!r} cannot be dealt from this deck; take ranks and multiples it has")
        return int(found[0])

    def matching(self, only: str) -> np.ndarray:
        return np.flatnonzero((self.shape.counts >= rank_counts(only)).all(axis=1))

    def going_in(self) -> tuple[np.ndarray, np.ndarray]:
        return self._all_in(""), self._all_in("a")

    def bets(self, number: int) -> list[tuple[str, Mix]]:
        found = []
        for history, nodes in self.shape.nodes.items():
            if not any(letter.isdigit() for letter in history) and not self.shape.drawing(nodes[0]):
                found.append((self.decisions[history], self._mix(nodes[0], number)))
        return found

    def draws(self, number: int, line: str) -> list[tuple[str, Mix]]:
        found = [("as big blind", self._discards(line, number))]
        for count in sorted(set(self.game.discards.counts)):
            words = f"as button, big blind {'stood pat' if not count else f'drew {count}'}"
            found.append((words, self._discards(f"{line}{count}", number)))
        return found

    def plan(self, text: str, line: str) -> tuple[str, list[tuple[str, Mix]], list[tuple[str, Mix]]]:
        number = self.find(text)
        return self.hand(number), self.bets(number), self.draws(number, line)

    # ---- reading the policy ------------------------------------------------------------------------

    def _children(self, node: int) -> range:
        tree = self.game.tree
        return range(tree.first[node], tree.first[node] + tree.count[node])

    def _labels(self, node: int) -> tuple[str, ...]:
        """What the actions are called: all-in against an all-in is a call."""
        facing = max(self.game.states[node].paid) >= self.game.stack
        names = (self.game.names.actions[child] for child in self._children(node))
        return tuple("call all-in" if facing and name == "all-in" else name for name in names)

    def _shares(self, nodes: np.ndarray, hands: np.ndarray) -> np.ndarray:
        tree = self.game.tree
        first, count = tree.first[nodes], int(tree.count[nodes[0]])
        return np.stack([self.policy.sigma[first + a, hands] for a in range(count)], axis=1)

    def _by_count(self, share: np.ndarray) -> tuple[np.ndarray, tuple[str, ...]]:
        counts = np.array(self.game.discards.counts)
        every = sorted(set(counts.tolist()))
        together = np.stack([share[:, counts == count].sum(axis=1) for count in every], axis=1)
        return together, tuple(draw_action(count) for count in every)

    def _reach(self, rows: Rows) -> np.ndarray:
        """The own probability of coming to each information set."""
        tree, sigma = self.game.tree, self.policy.sigma
        me, reach, node = int(tree.player[rows.node[0]]), np.ones(len(rows.node)), rows.node.copy()
        while (tree.parent[node] >= 0).all():
            parent = tree.parent[node]
            reach *= np.where(tree.player[parent] == me, sigma[node, rows.hand], 1.0)
            node = parent
        return reach

    def _all_in(self, key: str) -> np.ndarray:
        child = self._children(self.shape.nodes[key][0])[-1]  # all-in is the last action there is
        return self.policy.sigma[child, self.shape.first_of]

    def _mix(self, node: int, number: int) -> Mix:
        hand = int(self.shape.first_of[number])
        return mixed(self._labels(node), [self.policy.sigma[child, hand] for child in self._children(node)])

    def _discards(self, history: str, number: int) -> Mix:
        node, hand = self.shape.nodes[history][0], int(self.shape.first_of[number])
        dealt, discards, deck = self.game.dealt[number], self.game.discards, self.game.rules.rank_deck
        words = [
            draw_words([deck.ranks[r] for r in discards.kept(choice, number, dealt)], self.cards)
            for choice in range(len(discards.labels))
        ]
        return mixed(words, [self.policy.sigma[child, hand] for child in self._children(node)])


def _ways(per_rank: int, counts: np.ndarray) -> int:
    ways = 1
    for held in counts:
        ways *= comb(per_rank, int(held))
    return ways
