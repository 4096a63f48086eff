"""Single-draw 2-to-7 push/fold with a deck too large to write out: the real 52 cards, or four and five ranks.

Blinds are 0.5 and 1. The button goes all in or folds; the big blind calls or folds; if both are in, the big
blind throws away any cards and draws, the button sees how many and does the same, and the lower hand wins the
stack. Discards are dead.
"""

from __future__ import annotations

from math import comb, isfinite
from typing import TYPE_CHECKING

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.core.rows import Config
from solverlab.games.lowball.rules import RANKS

if TYPE_CHECKING:
    from solverlab.cards.lowball_sets import HandSets

BIG_BLIND = 1.0


class RealLowball:
    """The draw game of a whole deck; the solvers in `solvers/draw` take it.

    `suits=False` judges by ranks alone (no straights, no flushes) and then allows 1 to 5 cards; `ranks` is a
    number or letters such as "23456789JQKA".

    >>> RealLowball(stack=3, cards=4, suits=False)
    2-to-7 push/fold, 3 big blinds, 4 cards of 52, ranks only: 1,820 hands
    """

    n_players = 2
    players = ("button", "big blind")

    def __init__(
        self,
        stack: float = 3.0,
        cards: int = 5,
        ranks: int | str = 13,
        per_rank: int = 4,
        suits: bool | None = None,
    ):
        number = isinstance(stack, int | float | np.integer | np.floating) and not isinstance(stack, bool)
        if not number or not isfinite(stack) or stack < BIG_BLIND:
            raise BadValue(
                f"a stack of {stack!r} big blinds does not cover the blind; give a finite number from 1"
            )
        self.stack, self.cards, self.ranks, self.per_rank = float(stack), cards, ranks, per_rank
        self.suits = cards == 5 if suits is None else bool(suits)
        self.sets: HandSets = _sets_of(cards, ranks, per_rank, self.suits)

    @property
    def name(self) -> str:
        judged = "true 2-to-7" if self.suits else "ranks only"
        deck = f"{self.cards} cards of {len(self.sets.deck)}"
        return f"2-to-7 push/fold, {self.stack:g} big blinds, {deck}, {judged}"

    def config(self) -> Config:
        """What `solverlab.games.from_config` needs to make this game again, as JSON values."""
        names = ("stack", "cards", "ranks", "per_rank", "suits")
        return {"game": type(self).__name__, **{name: getattr(self, name) for name in names}}

    def sizes(self) -> dict[str, int]:
        """How large the game is: hands dealt, classes, decisions and entries of its strategy tables."""
        hands, masks, counts = len(self.sets.hands), 1 << self.cards, self.cards + 1
        return {
            "deals of one hand": comb(len(self.sets.deck), self.cards),
            "hand classes": hands,
            "decisions": hands * (3 + counts),
            "table entries": hands * (4 + masks * (1 + counts)),
        }

    def __repr__(self) -> str:
        return f"{self.name}: {len(self.sets.hands):,} hands"


def _sets_of(cards: int, ranks: int | str, per_rank: int, suits: bool) -> HandSets:
    # The tables of the cards room take a moment to load: they are asked for when the first game is made.
    from solverlab.cards.lowball_sets import lowball_sets

    if isinstance(ranks, str) and ranks == RANKS[: len(ranks)]:
        ranks = len(ranks)  # one deck, however it is written, is kept once
    return lowball_sets(cards, ranks, per_rank, suits)
