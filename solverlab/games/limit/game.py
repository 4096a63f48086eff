"""Limit poker with any small deck: ranks, suits, rounds, cards, raise sizes, caps, antes or blinds.

Kuhn and Leduc are two settings of it. The public tree holds betting and board cards; each player's hand is a
column.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cached_property
from itertools import combinations, permutations
from math import comb, prod
from pathlib import Path
from typing import NamedTuple

import numpy as np

from solverlab.core.errors import TooLarge
from solverlab.core.leaves import LeafTable
from solverlab.core.rows import Config
from solverlab.core.tree import CHANCE, MOST_NODES, Choice, leaf_nodes
from solverlab.games.betting.graph import PATIENCE, tree_size
from solverlab.games.betting.keys import structural
from solverlab.games.betting.states import State as BettingState
from solverlab.games.betting.states import first_state, following, open_street
from solverlab.games.limit.acpc import read_acpc, write_acpc
from solverlab.games.limit.rules import LimitRules
from solverlab.games.limit.showdown import End, ShowdownAnywhere
from solverlab.games.showdown import strength
from solverlab.games.small import MOST_TABLE_BYTES, check_table_size, pack_leaves


class State(NamedTuple):
    """A public moment: the betting, and the board cards of the rounds that were dealt."""

    betting: BettingState
    board: tuple[int, ...] = ()
    dealt: int = 0  # rounds whose board cards lie on the table

    @property
    def round(self) -> int:
        """The last round whose board cards lie on the table."""
        return max(self.dealt - 1, 0)

    @property
    def paid(self) -> tuple[float, ...]:
        return self.betting.paid

    @property
    def folded(self) -> frozenset[int]:
        return self.betting.folded


FIRST, SECOND = frozenset({0}), frozenset({1})


class LimitPoker(ShowdownAnywhere):
    """A limit poker game from a handful of numbers; a raise size can be a menu, such as "1c, 2c".

    >>> game = LimitPoker(ranks="JQK", suits=2, board_cards=(0, 1), raise_sizes=(2, 4), max_raises=(2, 2))
    >>> game
    limit poker: 2 players, 465 nodes, 6 hands
    """

    def __init__(
        self,
        players: int = 2,
        ranks: str | int = "JQK",
        suits: int = 1,
        hole_cards: int = 1,
        board_cards: Sequence[int] = (0,),
        raise_sizes: Sequence[float | str] = (1,),
        max_raises: Sequence[int] = (1,),
        blinds: Sequence[float] | None = None,
        first_to_act: Sequence[int] | None = None,
        stack: float | None = None,
        name: str = "limit poker",
    ):
        self.rules = LimitRules.checked(
            players,
            ranks,
            suits,
            hole_cards,
            board_cards,
            raise_sizes,
            max_raises,
            blinds,
            first_to_act,
            stack,
        )
        self.name, self.n_players = name, players
        self.deck = [rank + suit for rank in self.rules.ranks for suit in self.rules.suit_names]
        self.holdings = list(combinations(range(len(self.deck)), hole_cards))
        self._check_size()
        self.hands = tuple("".join(self.deck[card] for card in holding) for holding in self.holdings)
        self._known_masses: dict[tuple[int, ...], np.ndarray] = {}
        super().__init__()

    @classmethod
    def from_acpc(cls, text: str | Path, name: str = "limit poker") -> LimitPoker:
        """A game from an ACPC `.game` text (or the file at a Path)."""
        return cls(**read_acpc(text), name=name)

    def to_acpc(self) -> str:
        """The rules as an ACPC `.game` text.

        >>> LimitPoker.from_acpc(Leduc().to_acpc()).rules == Leduc().rules
        True
        """
        return write_acpc(self.rules)

    # ---- rules ---------------------------------------------------------------------------------------------

    def root(self) -> State:
        return self._settle(State(first_state(self.rules.row)))

    def children(self, state: State) -> Choice | None:
        if self.dealing(state):
            return Choice(CHANCE, dict(self._deals(state)))
        if state.betting.over:
            return None
        return Choice(state.betting.actor, self._actions(state))

    def dealing(self, state: State) -> bool:
        """Whether board cards come next: those of this round, of the next one, or all once nobody bets."""
        betting, rounds = state.betting, len(self.rules.board_cards)
        if sum(betting.live) == 1:
            return False
        wanted = rounds if betting.over else betting.street + (2 if betting.deals else 1)
        return state.dealt < wanted

    def _actions(self, state: State) -> dict[str, State]:
        after = following(self.rules.row, state.betting)
        return {label: self._settle(state._replace(betting=betting)) for label, betting in after.items()}

    def _settle(self, state: State) -> State:
        """Go on to the next moment that asks for something: rounds without cards open by themselves."""
        while self.dealing(state) and not self.rules.board_cards[state.dealt]:
            state = state._replace(dealt=state.dealt + 1)
        if state.betting.deals and not self.dealing(state):
            return self._settle(state._replace(betting=open_street(self.rules.row, state.betting)))
        return state

    def _deals(self, state: State) -> Iterator[tuple[str, State]]:
        left = [card for card in range(len(self.deck)) if card not in state.board]
        for cards in combinations(left, self.rules.board_cards[state.dealt]):
            label = "".join(self.deck[card] for card in cards)
            yield label, self._settle(State(state.betting, state.board + cards, state.dealt + 1))

    # ---- chance and payoffs --------------------------------------------------------------------------------

    def deals(self) -> dict[tuple[str, ...], float]:
        """Everybody's hand, no card twice, all equally likely."""
        held = self._held
        every = [
            deal
            for deal in permutations(self.hands, self.n_players)
            if all(held[one].isdisjoint(held[other]) for one, other in combinations(deal, 2))
        ]
        return dict.fromkeys(every, 1.0 / len(every))

    def odds(self, state: State, *hands: str) -> dict[str, float]:
        """Board cards come from what nobody holds, all equally likely."""
        held: frozenset[int] = frozenset().union(*(self._held[hand] for hand in hands))
        free = [label for label, following in self._deals(state) if held.isdisjoint(following.board)]
        return {label: 1.0 / len(free) for label in free}

    def payoff(self, state: State | End, *hands: str) -> tuple[float, ...]:
        """The best hand still in takes the pot; equal hands share it."""
        live = [seat for seat in range(self.n_players) if seat not in state.folded]
        if len(live) > 1:
            shown = {seat: self._strength((*self._held[hands[seat]], *state.board)) for seat in live}
            live = [seat for seat in live if shown[seat] == max(shown.values())]
        pot = sum(state.paid)
        return tuple(pot / len(live) * (seat in live) - paid for seat, paid in enumerate(state.paid))

    def deal_mass(self, node: int) -> np.ndarray:
        return self._mass(self.states[node].board)

    @cached_property
    def _held(self) -> dict[str, frozenset[int]]:
        return {hand: frozenset(cards) for hand, cards in zip(self.hands, self.holdings, strict=True)}

    def _mass(self, board: tuple[int, ...]) -> np.ndarray:
        if board not in self._known_masses:
            self._known_masses[board] = self._fresh_mass(board)
        return self._known_masses[board]

    def _fresh_mass(self, board: tuple[int, ...]) -> np.ndarray:
        """Probability of every joint deal together with this board, float64[H] * P."""
        held = [set(holding) for holding in self.holdings]
        free = np.array([not hand & set(board) for hand in held])
        apart = np.array([[not one & other for other in held] for one in held])
        possible = np.ones((len(held),) * self.n_players, bool)
        for p in range(self.n_players):
            possible &= free.reshape([-1 if axis == p else 1 for axis in range(self.n_players)])
            for q in range(p):
                shape = [len(held) if axis in (p, q) else 1 for axis in range(self.n_players)]
                possible &= apart.reshape(shape)
        return possible / self.rules.ways_to_deal(len(self.deck), len(board))

    def _leaf_table(self) -> LeafTable:
        return pack_leaves([self._leaf(self.states[n]) for n in leaf_nodes(self.tree)])

    def _leaf(self, state: State) -> tuple[Hashable, float, Callable[[], np.ndarray]]:
        """Key, scale and maker of a leaf's payoff tensor."""
        unit, scale = self.unit_of(End(state.board, state.folded, state.paid))
        return unit, scale, lambda: self.tensor(unit)

    def unit_of(self, end: End) -> tuple[End, float]:
        """Two players need one table whatever the pot, which scales it; more players one for each pot.

        Whoever of two folds, the chips are the same with the other sign: a negative scale spares a table.
        """
        if self.n_players != 2:
            return end, 1.0
        unit, stake = end._replace(paid=(1.0, 1.0)), min(end.paid)
        return (unit._replace(folded=SECOND), -stake) if end.folded == FIRST else (unit, stake)

    def tensor(self, state: End) -> np.ndarray:
        """Payoff times probability of the deal, float64[P, H, ..., H]."""
        live = [p for p in range(self.n_players) if p not in state.folded]
        rank = self._ranks(state.board) if len(live) > 1 else np.zeros(len(self.holdings))
        held = [
            rank.reshape([-1 if axis == p else 1 for axis in range(self.n_players)])
            for p in range(self.n_players)
        ]
        best = held[live[0]]
        for p in live[1:]:
            best = np.maximum(best, held[p])
        wins = [
            (held[p] == best) * 1.0 if p in live else np.zeros_like(best * 1.0) for p in range(self.n_players)
        ]
        share = [win / np.maximum(sum(wins), 1.0) for win in wins]
        mass = self._mass(state.board)
        return np.stack([(sum(state.paid) * share[p] - state.paid[p]) * mass for p in range(self.n_players)])

    def _ranks(self, board: tuple[int, ...]) -> np.ndarray:
        """Strength of every holding on a board as small integers, float64[H]; blocked holdings are lowest."""
        tuples = [
            () if set(holding) & set(board) else self._strength(holding + board) for holding in self.holdings
        ]
        order = {value: i for i, value in enumerate(sorted(set(tuples)))}
        return np.array([float(order[value]) for value in tuples])

    def _strength(self, cards: Sequence[int]) -> tuple[int, ...]:
        return strength(
            [divmod(card, self.rules.suits) for card in cards], ace_low=len(self.rules.ranks) == 13
        )

    # ---- size, configuration -------------------------------------------------------------------------------

    def _check_size(self) -> None:
        """Count nodes and table bytes from the rules alone, before anything is built."""
        advice = f"use fewer ranks, suits, rounds, board cards or raises to stay below {MOST_NODES:,}"
        try:
            nodes = count_nodes(self)
        except TooLarge as found:
            raise TooLarge(f"{self.name} would have {found}; {advice}") from None
        if nodes > MOST_NODES:
            raise TooLarge(f"{self.name} would have {nodes:,} nodes; {advice}")
        check_table_size(self.name, self.n_players, len(self.holdings), count_leaf_tables(self))

    def config(self) -> Config:
        return {"game": "LimitPoker", "name": self.name, **self.rules.config()}


def count_nodes(game: LimitPoker, most: int = MOST_NODES) -> int:
    """Nodes of the public tree without building it: betting is the same whatever the cards.

    A game far beyond `most` is not counted to the end: TooLarge.

    >>> count_nodes(LimitPoker(suits=2, board_cards=(0, 1), raise_sizes=(2, 4), max_raises=(2, 2)))
    465
    """
    known: dict[Hashable, State] = {}

    def shape(state: State) -> Hashable:
        key = (structural(game.rules.row, state.betting), state.dealt)
        known.setdefault(key, state)
        return key

    def after(key: Hashable) -> list[tuple[int, Hashable]]:
        return [(times, shape(state)) for times, state in whatever_the_cards(game, known[key])]

    return tree_size(shape(game.root()), after, most)


def whatever_the_cards(game: LimitPoker, state: State) -> list[tuple[int, State]]:
    """What can follow a state, one board standing for all: how often, and the state."""
    if not game.dealing(state):
        return [(1, after) for after in game._actions(state).values()] if not state.betting.over else []
    cards = game.rules.board_cards
    boards = comb(len(game.deck) - sum(cards[: state.dealt]), cards[state.dealt])
    return [(boards, game._settle(state._replace(dealt=state.dealt + 1)))]


def count_leaf_tables(game: LimitPoker) -> int:
    """Payoff tables the leaves need without building them: boards times the ways a hand can end.

    Counting stops where the tables do not fit however many more there are.
    """
    rules, deck = game.rules, len(game.deck)
    boards = [comb(deck - sum(rules.board_cards[:r]), cards) for r, cards in enumerate(rules.board_cards)]
    fits = MOST_TABLE_BYTES // (8 * game.n_players * len(game.holdings) ** game.n_players)
    ends: set[tuple] = set()
    seen: set[State] = set()
    todo, tables = [game.root()], 0
    while todo and (tables <= fits or len(seen) < PATIENCE):
        state = todo.pop()
        if state in seen:
            continue
        seen.add(state)
        after = whatever_the_cards(game, state)
        todo += [one for _, one in after]
        if not after:
            unit, _ = game.unit_of(End((), state.folded, state.paid))
            end = state.dealt, unit.folded, unit.paid
            tables += prod(boards[: state.dealt]) if end not in ends else 0
            ends.add(end)
    return tables


def Kuhn(players: int = 2) -> LimitPoker:
    """Kuhn poker: a deck of one card more than players, one card and one chip each, one raise of one chip."""
    names = {2: "JQK", 3: "JQKA"}.get(players, players + 1)
    title = "Kuhn poker" if players == 2 else f"{players}-player Kuhn poker"
    return LimitPoker(players=players, ranks=names, name=title)


def Leduc() -> LimitPoker:
    """Leduc hold'em: six cards, one private card, one public card, raises of 2 then 4, two raises a round."""
    return LimitPoker(
        ranks="JQK", suits=2, board_cards=(0, 1), raise_sizes=(2, 4), max_raises=(2, 2), name="Leduc hold'em"
    )
