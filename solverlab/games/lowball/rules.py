"""The numbers that make a 2-to-7 game, checked at the door."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from math import comb, isfinite
from numbers import Integral, Real

from solverlab.core.errors import BadValue
from solverlab.core.rows import Config
from solverlab.games.lowball.deck import RankDeck

BLINDS = (0.5, 1.0)
RANKS = "23456789TJQKA"
SEATS = ("button", "big blind")
RAISE_LETTERS = "xyz"
RULES_OF_DISCARD = ("original", "free")
DECKS = ("ranks", "real")
STRAIGHT = 5  # cards that straights and flushes take: with fewer, suits say nothing


@dataclass(frozen=True)
class LowballRules:
    """What was agreed before the deal."""

    stack: float
    cards: int
    per_rank: int
    ranks: str
    discard: str
    deck: str
    limp: bool
    raises: tuple[float, ...]  # totals to raise to before the draw
    after_draw: tuple[float, ...]  # bets after the draw, as parts of the pot

    @classmethod
    def checked(
        cls,
        stack: object,
        cards: object,
        per_rank: object,
        ranks: object,
        discard: object,
        deck: object,
        limp: object,
        raises: object,
        after_draw: object,
    ) -> LowballRules:
        """Rules from what a user typed, or one sentence saying what is wrong with it."""
        rules = cls(
            stack=_stack(stack),
            cards=_whole("cards", cards, 1, 5),
            per_rank=4 if deck == "real" else _whole("per_rank", per_rank, 1, 4),
            ranks=_ranks(ranks),
            discard=_one_of("discard", discard, RULES_OF_DISCARD),
            deck=_one_of("deck", deck, DECKS),
            limp=bool(limp),
            raises=_sizes("raises", raises),
            after_draw=_sizes("after_draw", after_draw),
        )
        for size in rules.raises:
            if not 2 * BLINDS[1] <= size < rules.stack:
                raise BadValue(
                    f"a raise to {size:g} does not lie between 2 big blinds and the stack of "
                    f"{rules.stack:g}; give totals in between, all-in is always there"
                )
        rules._check_deck()
        return rules

    @property
    def rank_deck(self) -> RankDeck:
        return RankDeck(self.ranks, self.per_rank)

    def _check_deck(self) -> None:
        if self.deck == "real" and self.ranks != RANKS:
            raise BadValue(
                f"the real deck has 13 ranks, not {self.ranks!r}; leave ranks out or take deck='ranks'"
            )
        if 4 * self.cards > self.rank_deck.size:
            raise BadValue(
                f"two hands of {self.cards} and two full draws need {4 * self.cards} cards but "
                f"{len(self.ranks)} ranks x {self.per_rank} are {self.rank_deck.size}; "
                "add ranks or cards per rank, or deal fewer cards"
            )

    def multisets(self) -> int:
        """How many different hands can be dealt when suits are ignored, without listing them.

        >>> LowballRules(3.0, 5, 4, RANKS, "free", "ranks", False, (), ()).multisets()
        6175
        """
        ways = [1] + [0] * self.cards
        for _ in self.ranks:
            ways = [sum(ways[max(0, n - self.per_rank) : n + 1]) for n in range(self.cards + 1)]
        return ways[self.cards]

    def hand_classes(self) -> int:
        """How many different hands can be dealt: with the real five cards up to the names of the suits.

        Burnside: the mean, over all ways to rename the suits, of the hands a renaming leaves as they are.
        Suits that change places with each other must hold the same ranks, so a cycle of c suits gives
        (1 + x^c)^13, and the hands of five cards are the coefficient of x^5.

        >>> LowballRules(3.0, 5, 4, RANKS, "free", "real", False, (), ()).hand_classes()
        134459
        """
        if self.deck != "real" or self.cards < STRAIGHT:
            return self.multisets()
        cycles = {(1, 1, 1, 1): 1, (2, 1, 1): 6, (2, 2): 3, (3, 1): 8, (4,): 6}  # of the 24 permutations
        kept = {kind: _coefficient(kind, len(self.ranks), self.cards) for kind in cycles}
        return sum(times * kept[kind] for kind, times in cycles.items()) // sum(cycles.values())

    def choices(self) -> int:
        """How many ways there are to draw."""
        return self.cards + 1 if self.discard == "original" else 2**self.cards

    def deals(self) -> int:
        """Equally likely pairs of hands, every card told apart."""
        return comb(self.rank_deck.size, self.cards) * comb(self.rank_deck.size - self.cards, self.cards)

    def config(self) -> Config:
        return {
            name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()
        }


def _coefficient(cycles: tuple[int, ...], ranks: int, cards: int) -> int:
    """Of x^cards in the product of (1 + x^c)^ranks over the cycles."""
    ways = [1] + [0] * cards
    for length in cycles:
        ways = [
            sum(comb(ranks, k) * ways[n - k * length] for k in range(n // length + 1))
            for n in range(cards + 1)
        ]
    return ways[cards]


# ---- checks ------------------------------------------------------------------------------------------------


def _stack(stack: object) -> float:
    if not isinstance(stack, Real) or isinstance(stack, bool) or not isfinite(stack) or stack <= BLINDS[1]:
        raise BadValue(
            f"a stack of {stack!r} big blinds leaves nothing to go all-in with; "
            "give a finite number above 1, the big blind"
        )
    return float(stack)


def _whole(label: str, value: object, least: int, most: int) -> int:
    if not isinstance(value, Integral) or isinstance(value, bool) or not least <= int(value) <= most:
        raise BadValue(f"{label} is {value!r}; give a whole number from {least} to {most}")
    return int(value)


def _ranks(ranks: object) -> str:
    """A number of ranks from the deuce up, or the ranks themselves."""
    if not isinstance(ranks, str):
        return RANKS[: _whole("ranks", ranks, 1, len(RANKS))]
    if not ranks or [RANKS.find(rank) for rank in ranks] != sorted(
        {RANKS.find(rank) for rank in ranks} - {-1}
    ):
        raise BadValue(
            f"ranks {ranks!r} are not different letters of {RANKS}, lowest first; write '23456789JQKA'"
        )
    return ranks


def _one_of(label: str, value: object, known: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in known:
        raise BadValue(f"{label} is {value!r}; give {' or '.join(map(repr, known))}")
    return value


def _sizes(label: str, sizes: object) -> tuple[float, ...]:
    """Up to three different amounts, smallest first."""
    if isinstance(sizes, str) or not isinstance(sizes, Iterable):
        raise BadValue(f"{label} is {sizes!r}; give a list of numbers, such as (2, 3)")
    several = tuple(sizes)
    for size in several:
        if not isinstance(size, Real) or isinstance(size, bool) or not isfinite(size) or size <= 0:
            raise BadValue(f"{label} has {size!r}, which is no amount; give finite numbers above 0")
    if len(set(several)) != len(several) or len(several) > len(RAISE_LETTERS):
        raise BadValue(f"{label} {several} are not up to {len(RAISE_LETTERS)} different amounts; give fewer")
    return tuple(float(size) for size in sorted(several))
