"""2-to-7 lowball with one draw, heads-up: from one card and push/fold up to bets before and after the draw.

The ladder towards the real game: cards per player, cards per rank, who chooses the discards, limps, raises,
bets after the draw. Suits are ignored, so hands are multisets of ranks and everything is exact: deals, both
draws, discards that are dead, cards that one player holds and the other therefore cannot.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from solverlab.core.errors import TooLarge
from solverlab.core.leaves import LeafTable, tabulated_cfv
from solverlab.core.names import Names
from solverlab.core.rows import Config, Row, Setting
from solverlab.core.tree import Choice, grow, leaf_nodes
from solverlab.core.tying import Tying, tie_nodes, untied
from solverlab.games.lowball.betting import DrawRounds, State
from solverlab.games.lowball.deck import deal_mass, discards
from solverlab.games.lowball.draws import draw_matrices
from solverlab.games.lowball.rules import SEATS, LowballRules
from solverlab.games.small import check_table_size

if TYPE_CHECKING:
    from solverlab.games.lowball.real import RealLowball

MOST_EXACT_CARDS = 3
MOST_EXACT_CARDS_WITH_BETS_AFTER = 2


class Lowball:
    """A 2-to-7 game: rules in, an exact game out.

    `stack` is in big blinds; `cards` a player; `per_rank` cards of each of `ranks` (a number of them from the
    deuce up, or their letters). With `discard="original"` a player says how many cards to draw and multiples,
    then the highest, go; with "free" any cards may go. The other sees the number only. `limp` lets the button
    call; `raises` are totals to raise to; `after_draw` are bets after the draw as parts of the pot.

    `deck="real"` is the deck of 52 with the true 2-to-7 ranking. Straights and flushes take five cards, so up
    to four it is 13 ranks x 4; with five, and with four cards of any deck, the game is a `RealLowball` or,
    with more bets than push/fold has, a `BettingLowball`: players throw any cards they like, and solvers
    follow hands instead of deals (`DrawCFR`, `DrawBetting`). `sl.solve` takes all of them.

    >>> import solverlab as sl
    >>> sl.Lowball(stack=3, cards=2, per_rank=4, discard="free", limp=True)
    2-to-7 with 2 cards, 13 ranks x 4, 3 big blinds, free discards, limps: 2 players, 70 nodes, 91 hands
    """

    n_players = 2
    stack: float
    hands: tuple[str, ...]

    def __new__(cls, *given: Setting, **settings: Setting) -> Any:  # a whole deck is another kind of game
        if cls is not Lowball:
            return super().__new__(cls)
        rules = rules_of(*given, **settings)
        if rules.cards > MOST_EXACT_CARDS:
            return _whole_deck(rules)
        if not rules.after_draw:
            return super().__new__(LowballShowdown)
        from solverlab.games.lowball.after import kind_of_game

        return super().__new__(kind_of_game(rules))

    def __init__(
        self,
        stack: float = 3.0,
        cards: int = 1,
        per_rank: int = 1,
        ranks: int | str = 13,
        discard: str = "original",
        deck: str = "ranks",
        limp: bool = False,
        raises: Iterable[float] = (),
        after_draw: Iterable[float] = (),
    ):
        self.rules = rules_of(stack, cards, per_rank, ranks, discard, deck, limp, raises, after_draw)
        self.stack, self.name = self.rules.stack, title(self.rules)
        self.dealt = self.rules.rank_deck.multisets(self.rules.cards)
        self.discards = discards(self.rules.discard, self.dealt)
        self.betting = DrawRounds(self.rules, self.discards)
        self.tree, self.states, labels = grow(self.root(), self.children)
        self.hands = self._hand_names()
        self.names = Names(self.tree, tuple(labels), self.hands, SEATS)
        self.tie = self._information()

    def root(self) -> State:
        return self.betting.start()

    def children(self, state: State) -> Choice | None:
        return self.betting.children(state)

    def sees(self, state: State) -> tuple[str, int]:
        """What the player to act knows besides the cards: what was said, and which cards went."""
        return self.betting.sees(state)

    def leaf_cfv(self, me: int, reach: np.ndarray) -> np.ndarray:
        """Counterfactual values [L, H] of player `me`; each kind of lowball sums them its own way."""
        raise NotImplementedError

    def config(self) -> Config:
        return {"game": "Lowball", **self.rules.config()}

    def __repr__(self) -> str:
        return f"{self.name}: 2 players, {len(self.tree.parent):,} nodes, {len(self.hands):,} hands"

    def _hand_names(self) -> tuple[str, ...]:
        return tuple(self.rules.rank_deck.text(hand) for hand in self.dealt)

    def _information(self) -> Tying:
        """Nothing is hidden unless a choice of discard shows less than it says: the number of cards."""
        if len(set(self.discards.counts)) == len(self.discards.counts):
            return untied(self.tree, len(self.hands))
        return tie_nodes(self.tree, self._seen(), len(self.hands))

    def _seen(self) -> list[tuple[str, int]]:
        return [self.sees(state) for state in self.states]


class LowballShowdown(Lowball):
    """A game that ends with the draw: hands are what was dealt, draws are summed out of the leaves."""

    leaves: LeafTable

    def __init__(self, *given: Setting, **settings: Setting):
        super().__init__(*given, **settings)
        kinds = 1 + len(self.discards.labels) ** 2
        check_table_size(self.name, 2, len(self.hands), kinds)
        matrix = draw_matrices(self.rules.rank_deck, self.rules.cards, self.rules.discard)
        ends = [self.outcome(self.states[n]) for n in leaf_nodes(self.tree)]
        kind, scale = zip(*ends, strict=True)
        self.leaves = LeafTable(matrix, np.array(kind, np.int32), np.array(scale, np.float64))

    def leaf_cfv(self, me: int, reach: np.ndarray) -> np.ndarray:
        return tabulated_cfv(me, self.leaves, reach)

    def outcome(self, state: State) -> tuple[int, float]:
        """Which matrix a finished state pays by, and how many chips."""
        if state.folded >= 0:
            return 0, -state.paid[0] if state.folded == 0 else state.paid[1]
        theirs, mine = state.drawn
        return 1 + len(self.discards.labels) * theirs + mine, state.paid[0]

    def deal_mass(self, node: int) -> np.ndarray:
        """Probability of each pair of hands, float64[H, H]; draws are in the payoffs."""
        return deal_mass(self.rules.rank_deck, self.dealt)

    def deals(self) -> dict[tuple[str, ...], float]:
        """Probability of each pair of hands that can be dealt."""
        mass = self.deal_mass(0)
        return {(self.hands[i], self.hands[j]): mass[i, j] for i, j in np.argwhere(mass > 0)}

    def payoff(self, state: State, *hands: str) -> tuple[float, float]:
        """What both win in a finished state, on average over the draws."""
        (kind, chips), (mine, theirs) = self.outcome(state), (self.names.hand(hand) for hand in hands)
        share = self.leaves.matrix[0, kind, theirs, mine] / self.leaves.matrix[0, 0, theirs, mine]
        return chips * share, -chips * share


def LowballPushFold(
    stack: float = 3.0,
    cards: int = 1,
    per_rank: int = 1,
    ranks: int | str = 13,
    discard: str = "original",
    deck: str = "ranks",
) -> Lowball:
    """2-to-7 push/fold: the button goes all-in or folds, the big blind calls all-in or folds, then both draw.

    >>> import solverlab as sl
    >>> game = sl.LowballPushFold(stack=3.0, cards=1)
    >>> snap = sl.solve(game, "CFR+", until=sl.below("exploitability", 1e-4))
    >>> round(snap.value, 3)
    0.09
    """
    return Lowball(stack, cards, per_rank, ranks, discard, deck)


def rules_of(
    stack: object = 3.0,
    cards: object = 1,
    per_rank: object = 1,
    ranks: object = 13,
    discard: object = "original",
    deck: object = "ranks",
    limp: object = False,
    raises: object = (),
    after_draw: object = (),
) -> LowballRules:
    """The rules a call of `Lowball` means, checked."""
    return LowballRules.checked(stack, cards, per_rank, ranks, discard, deck, limp, raises, after_draw)


def title(rules: LowballRules) -> str:
    """The game in words."""
    cards = "1 card" if rules.cards == 1 else f"{rules.cards} cards"
    deck = "the real deck" if rules.deck == "real" else f"{len(rules.ranks)} ranks x {rules.per_rank}"
    parts = [deck, f"{rules.stack:g} big blinds"]
    parts += ["free discards"] * (rules.discard == "free" and rules.cards > 1)
    parts += ["limps"] * rules.limp
    parts += [f"raises to {' or '.join(f'{size:g}' for size in rules.raises)}"] * bool(rules.raises)
    bets = " or ".join(f"{part:g}" for part in rules.after_draw)
    parts += [f"bets of {bets} x pot after the draw"] * bool(rules.after_draw)
    return f"2-to-7 with {cards}, {', '.join(parts)}"


def _whole_deck(rules: LowballRules) -> RealLowball:
    """Four and five cards, for the solvers that do not write every deal out."""
    from solverlab.games.lowball.real import RealLowball
    from solverlab.games.lowball.real_betting import BettingLowball

    if rules.deck == "ranks" and rules.discard == "original":
        raise TooLarge(
            f"{title(rules)} has {rules.multisets():,} hands a player, too many for tables of the original "
            f"rule; take discard='free', or deal at most {MOST_EXACT_CARDS} cards"
        )
    suits = rules.deck == "real" and rules.cards == 5
    deck: Row = {"cards": rules.cards, "ranks": rules.ranks, "per_rank": rules.per_rank}
    if not (rules.limp or rules.raises or rules.after_draw):
        return RealLowball(rules.stack, **deck, suits=suits)
    bets = rules.limp, rules.raises, rules.after_draw
    return BettingLowball(rules.stack, *bets, reraise=True, **deck, suits=suits)
