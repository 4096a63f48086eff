"""Limit poker with any small deck: ranks, suits, rounds, cards, raise sizes, caps, antes or blinds.

Kuhn and Leduc are two settings of it. The public tree holds betting and board cards; each player's hand is a
column.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cache, cached_property
from itertools import combinations, permutations
from math import comb, prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from solverlab.core.errors import TooLarge
from solverlab.core.leaves import LeafTable
from solverlab.core.tree import CHANCE, MOST_NODES, Choice, leaf_nodes
from solverlab.games.acpc import read_acpc, write_acpc
from solverlab.games.limit_showdown import ShowdownAnywhere
from solverlab.games.rules import LimitRules
from solverlab.games.showdown import strength
from solverlab.games.small import check_table_size, pack_leaves


class State(NamedTuple):
    """A public moment: nothing in it depends on anybody's hand."""

    round: int
    board: tuple[int, ...]
    paid: tuple[float, ...]
    folded: frozenset[int]
    pending: tuple[int, ...]  # seats still to act this round, in order
    raises: int  # made this round
    dealing: bool  # the round's board cards come next


class LimitPoker(ShowdownAnywhere):
    """A limit poker game from a handful of numbers.

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
        raise_sizes: Sequence[float] = (1,),
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
        blinds = self.rules.blinds
        start = State(0, (), blinds, frozenset(), (), 0, self.rules.board_cards[0] > 0)
        return start if start.dealing else self._open(start)

    def children(self, state: State) -> Choice | None:
        if state.dealing:
            return Choice(CHANCE, dict(self._deals(state)))
        if not state.pending:
            return None
        return Choice(state.pending[0], dict(self._actions(state)))

    def _actions(self, state: State) -> Iterator[tuple[str, State]]:
        actor, to_match = state.pending[0], max(state.paid)
        rest = state.pending[1:]
        if state.paid[actor] < to_match:
            folded = state.folded | {actor}
            yield "fold", self._settle(state._replace(folded=folded, pending=rest))
        called = state._replace(paid=_with(state.paid, actor, to_match), pending=rest)
        yield ("call" if state.paid[actor] < to_match else "check"), self._settle(called)
        size = self.rules.raise_to(state.round, to_match)
        if state.raises < self.rules.max_raises[state.round] and size > to_match:
            others = tuple(seat for seat in self._order(actor + 1, state.folded) if seat != actor)
            paid = _with(state.paid, actor, size)
            yield "raise", state._replace(paid=paid, pending=others, raises=state.raises + 1)

    def _settle(self, state: State) -> State:
        """After a fold or call: end the hand, wait for the next player, or go on to the next round."""
        if len(state.folded) == self.n_players - 1:
            return state._replace(pending=())
        if state.pending or state.round + 1 == len(self.rules.board_cards):
            return state
        following = state._replace(round=state.round + 1, raises=0)
        if self.rules.board_cards[following.round]:
            return following._replace(dealing=True)
        return self._open(following)

    def _deals(self, state: State) -> Iterator[tuple[str, State]]:
        left = [card for card in range(len(self.deck)) if card not in state.board]
        for cards in combinations(left, self.rules.board_cards[state.round]):
            label = "".join(self.deck[card] for card in cards)
            yield label, self._open(state._replace(board=state.board + cards, dealing=False))

    def _open(self, state: State) -> State:
        """Seat everybody who can still act; with all chips in, the round is over before it begins."""
        order = self._order(self.rules.first_to_act[state.round], state.folded)
        if self.rules.stack is not None and max(state.paid) >= self.rules.stack:
            order = [seat for seat in order if state.paid[seat] < max(state.paid)]
        opened = state._replace(pending=tuple(order))
        return opened if order else self._settle(opened)

    def _order(self, start: int, folded: frozenset[int]) -> list[int]:
        seats = [(start + i) % self.n_players for i in range(self.n_players)]
        return [seat for seat in seats if seat not in folded]

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

    def payoff(self, state: State, *hands: str) -> tuple[float, ...]:
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
        unit, scale = self._unit(state)
        return (unit.board, unit.folded, unit.paid), scale, lambda: self._tensor(unit)

    def _unit(self, state: State) -> tuple[State, float]:
        """Two players need one table whatever the pot, which scales it; more players one for each pot."""
        if self.n_players == 2:
            return state._replace(paid=(1.0, 1.0)), min(state.paid)
        return state, 1.0

    def _tensor(self, state: State) -> np.ndarray:
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
        nodes = count_nodes(self)
        if nodes > MOST_NODES:
            raise TooLarge(
                f"{self.name} would have {nodes:,} nodes; use fewer ranks, suits, rounds, board cards or "
                f"raises to stay below {MOST_NODES:,}"
            )
        check_table_size(self.name, self.n_players, len(self.holdings), count_leaf_tables(self))

    def config(self) -> dict[str, Any]:
        return {"game": "LimitPoker", "name": self.name, **self.rules.config()}


def count_nodes(game: LimitPoker) -> int:
    """Nodes of the public tree without building it: betting is the same whatever the cards.

    >>> count_nodes(LimitPoker(suits=2, board_cards=(0, 1), raise_sizes=(2, 4), max_raises=(2, 2)))
    465
    """

    @cache
    def below(state: State) -> int:
        if state.dealing:
            left = len(game.deck) - sum(game.rules.board_cards[: state.round])
            boards = comb(left, game.rules.board_cards[state.round])
            return 1 + boards * below(game._open(state._replace(dealing=False)))
        return 1 + sum(below(following) for _, following in game._actions(state)) if state.pending else 1

    return below(game.root())


def count_leaf_tables(game: LimitPoker) -> int:
    """Payoff tables the leaves need without building them: boards times the ways a hand can end."""
    rules, deck = game.rules, len(game.deck)
    boards = [comb(deck - sum(rules.board_cards[:r]), cards) for r, cards in enumerate(rules.board_cards)]
    ends, seen, todo = set(), set(), [game.root()]
    while todo:
        state = todo.pop()
        if state in seen:
            continue
        seen.add(state)
        if state.dealing:
            todo.append(game._open(state._replace(dealing=False)))
        elif state.pending:
            todo += [following for _, following in game._actions(state)]
        else:
            unit, _ = game._unit(state)
            ends.add((unit.round, unit.folded, unit.paid))
    return sum(prod(boards[: round + 1]) for round, _, _ in ends)


def _with(paid: tuple[float, ...], seat: int, amount: float) -> tuple[float, ...]:
    return tuple(amount if p == seat else chips for p, chips in enumerate(paid))


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
