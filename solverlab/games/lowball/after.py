"""2-to-7 with bets after the draw: a hand is the cards dealt and, in order, the cards that will replace them.

All replacements are dealt at the start and looked at only when drawn, so nothing is random after the deal.
What a player cannot know is tied: before the draw all replacements of a hand are one bucket, after a draw of
two those that differ in the third. Which cards were thrown away is part of what a player remembers.
"""

from __future__ import annotations

from itertools import product
from math import comb, perm
from typing import NamedTuple

import numpy as np

from solverlab.core.errors import TooLarge
from solverlab.core.leaves import LeafTable, tabulated_cfv
from solverlab.core.rows import Setting
from solverlab.core.tree import leaf_nodes
from solverlab.core.tying import Tying, tie_nodes
from solverlab.games.lowball.betting import State
from solverlab.games.lowball.deck import Discards, RankDeck
from solverlab.games.lowball.game import MOST_EXACT_CARDS_WITH_BETS_AFTER, Lowball, title
from solverlab.games.lowball.rules import LowballRules
from solverlab.games.lowball.sums import Ends, Ground, ground_of, summed_cfv

MOST_TABLE_BYTES = 40_000_000  # beyond this summing is faster than reading


class FullHands(NamedTuple):
    """Every hand with its replacements. Shapes: H hands, n cards, C choices of discard."""

    dealt: np.ndarray  # int64[H], index of what was dealt
    replacements: list[tuple[int, ...]]  # ranks in the order they are drawn
    bucket: np.ndarray  # int32[n + 1, H], what is known after so many cards were drawn
    final: np.ndarray  # int32[C, H], the hand shown down, 0 the best


def full_hands(deck: RankDeck, dealt: list[tuple[int, ...]], choices: Discards) -> FullHands:
    """List the hands of a deck; each is a dealt hand and an order of replacements the deck can give."""
    cards = len(dealt[0])
    orders = list(product(range(len(deck.ranks)), repeat=cards))
    held = [(d, order) for d, hand in enumerate(dealt) for order in orders if deck.holds(hand + order)]
    place = {tuple(sorted(hand)): number for number, hand in enumerate(dealt)}
    bucket = np.zeros((cards + 1, len(held)), np.int32)
    for known in range(cards + 1):
        numbers: dict[tuple[int, tuple[int, ...]], int] = {}
        for h, (d, order) in enumerate(held):
            bucket[known, h] = numbers.setdefault((d, tuple(sorted(order[:known]))), len(numbers))
    final = [
        [place[tuple(sorted(choices.kept(c, d, dealt[d]) + order[:drawn]))] for d, order in held]
        for c, drawn in enumerate(choices.counts)
    ]
    numbers_dealt, replacements = zip(*held, strict=True)
    return FullHands(np.array(numbers_dealt), list(replacements), bucket, np.array(final, np.int32))


class LowballAfterDraw(Lowball):
    """Bets after the draw, whose deals do not fit a table: leaves are summed, nothing is sampled."""

    full: FullHands
    ground: Ground
    ends: Ends

    def __init__(self, *given: Setting, **settings: Setting):
        super().__init__(*given, **settings)
        outcomes = [self.outcome(self.states[n]) for n in leaf_nodes(self.tree)]
        theirs, mine, chips = zip(*outcomes, strict=True)
        self.ends = Ends(np.array([mine, theirs], np.int32), np.array(chips, np.float64))
        self.ground = self._ground()

    def leaf_cfv(self, me: int, reach: np.ndarray) -> np.ndarray:
        return summed_cfv(me, self.ground, self.ends, reach)

    def outcome(self, state: State) -> tuple[int, int, float]:
        """Big blind's and button's choice of discard (-1 where nobody shows), and what the button may win."""
        if state.folded >= 0:
            return -1, -1, -state.paid[0] if state.folded == 0 else state.paid[1]
        return state.drawn[0], state.drawn[1], state.paid[0]

    def _ground(self) -> Ground:
        dealt = self.rules.rank_deck.counts([self.dealt[d] for d in self.full.dealt])
        replaced = self.rules.rank_deck.counts(self.full.replacements)
        return ground_of(dealt, replaced, self.full.final, self.rules.per_rank, deals_of(self.rules))

    def _hand_names(self) -> tuple[str, ...]:
        self.full = full_hands(self.rules.rank_deck, self.dealt, self.discards)
        deck = self.rules.rank_deck
        return tuple(
            deck.text(self.dealt[d]) + "+" + "".join(deck.ranks[rank] for rank in order)
            for d, order in zip(self.full.dealt, self.full.replacements, strict=True)
        )

    def _information(self) -> Tying:
        """Tie hands that differ in cards not yet drawn, and nodes that differ in what the other threw."""
        known = np.array([self.betting.cards_drawn(state) for state in self.states], np.int32)
        texture = np.where(self.tree.parent >= 0, known[self.tree.parent], 0)
        return tie_nodes(self.tree, self._seen(), len(self.hands), texture, self.full.bucket)


class LowballAfterDrawTable(LowballAfterDraw):
    """The same with every deal in a table, for small decks: the linear programme and samplers can have it."""

    leaves: LeafTable

    def __init__(self, *given: Setting, **settings: Setting):
        super().__init__(*given, **settings)
        choices = len(self.discards.labels)
        mine, theirs = self.ends.choice
        kind = np.where(mine < 0, 0, 1 + choices * theirs + mine)
        self.leaves = LeafTable(
            after_matrices(self),
            kind.astype(np.int32),
            self.ends.chips,
        )

    def leaf_cfv(self, me: int, reach: np.ndarray) -> np.ndarray:
        return tabulated_cfv(me, self.leaves, reach)

    def deal_mass(self, node: int) -> np.ndarray:
        """Probability of each pair of hands with their replacements, float64[H, H]."""
        return self.leaves.matrix[0, 0]

    def deals(self) -> dict[tuple[str, ...], float]:
        """Probability of each pair of hands that can be dealt."""
        mass = self.deal_mass(0)
        return {(self.hands[i], self.hands[j]): mass[i, j] for i, j in np.argwhere(mass > 0)}

    def payoff(self, state: State, *hands: str) -> tuple[float, float]:
        """What both win in a finished state."""
        theirs, mine, chips = self.outcome(state)
        if mine >= 0:
            button, blind = (self.names.hand(hand) for hand in hands)
            chips *= float(np.sign(self.full.final[theirs, blind] - self.full.final[mine, button]))
        return chips, -chips


def after_matrices(game: LowballAfterDraw) -> np.ndarray:
    """The button's share of one chip for each pair of discards and hands, float64[2, 1 + C * C, H, H]."""
    mass, final = joint_mass(game), game.full.final
    out = np.empty((2, 1 + len(final) ** 2, len(mass), len(mass)))
    out[0, 0] = mass
    for theirs, shown in enumerate(final):
        for mine, own in enumerate(final):
            out[0, 1 + len(final) * theirs + mine] = mass * np.sign(shown[:, None] - own[None, :])
    np.negative(out[0].transpose(0, 2, 1), out=out[1])
    return out


def joint_mass(game: LowballAfterDraw) -> np.ndarray:
    """Probability that the players hold two hands with these replacements, rank by rank, float64[H, H]."""
    deck, held = game.rules.rank_deck, game.rules.per_rank
    dealt = deck.counts([game.dealt[d] for d in game.full.dealt])
    replaced = deck.counts(game.full.replacements)
    most = range(2 * game.rules.cards + 1)
    choose = np.array([[comb(n, k) for k in most] for n in range(held + 1)], float)
    order = np.array([[perm(n, k) for k in range(4 * game.rules.cards + 1)] for n in range(held + 1)], float)
    mass = np.ones((len(dealt), len(dealt)))
    for rank in range(len(deck.ranks)):
        mine, theirs = dealt[:, rank, None], dealt[None, :, rank]
        left = np.maximum(held - mine, 0)
        mass *= choose[held, mine] * choose[left, theirs]
        mass *= order[np.maximum(left - theirs, 0), replaced[:, rank, None] + replaced[None, :, rank]]
    return mass / deals_of(game.rules)


def deals_of(rules: LowballRules) -> float:
    """Ways to deal two hands and then all replacements in order."""
    left = rules.rank_deck.size - 2 * rules.cards
    return float(rules.deals() * perm(left, 2 * rules.cards))


def kind_of_game(rules: LowballRules) -> type[LowballAfterDraw]:
    """A table where it fits, sums where it does not, and a sentence where neither would do."""
    hands = rules.multisets() * len(rules.ranks) ** rules.cards
    if rules.cards > MOST_EXACT_CARDS_WITH_BETS_AFTER:
        raise TooLarge(
            f"{title(rules)} has about {hands:,} hands with their replacements; with bets after the draw "
            f"deal at most {MOST_EXACT_CARDS_WITH_BETS_AFTER} cards"
        )
    size = 2 * 8 * (1 + rules.choices() ** 2) * hands**2
    return LowballAfterDrawTable if size <= MOST_TABLE_BYTES else LowballAfterDraw
