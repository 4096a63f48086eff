"""Document 004's own estimates of postflop trees: its factors, their product, and what it prints for it.

It counts histories, every deal of both hands apart; what a solver stores are numbers of information sets
(`size.py`), which are far fewer.
"""

from __future__ import annotations

from math import comb, prod
from typing import TYPE_CHECKING, NamedTuple

from solverlab.core.errors import BadValue, told
from solverlab.core.frame import frame

if TYPE_CHECKING:
    import pandas as pd

DECK, HAND = 52, 2
SIZES = "33%, 50%, 75%, 100%, 150%, a"  # the document's menu
Factors = tuple[tuple[str, int], ...]


class Estimate(NamedTuple):
    """A product of the document: its factors by name, and the number that is printed beside them."""

    title: str
    factors: Factors
    printed: float

    @property
    def product(self) -> int:
        """What the factors come to."""
        return prod(number for _, number in self.factors)

    @property
    def slip(self) -> float:
        """How many times the printed number is the product (below 1: it is too small).

        >>> [f"{one.slip:.3g}" for one in ESTIMATES]
        ['8.98', '56.1', '89.8', '0.00162']
        """
        return self.printed / self.product

    def __str__(self) -> str:
        factors = " x ".join(f"{number:,} {name}" for name, number in self.factors)
        much = (
            f"{self.slip:.3g} times too much" if self.slip >= 1 else f"{1 / self.slip:.3g} times too little"
        )
        return f"{self.title}: {factors} = {self.product:.4g}; printed {self.printed:g}, {much}"


def _played(deals: int) -> Factors:
    streets = (("flop lines", 15), ("turn cards", 45), ("turn lines", 15), ("river cards", 44))
    return (("deals", deals), *streets, ("river lines", 10))


ESTIMATES = (
    Estimate("small ranges, 50 combos each", _played(50 * 50), 100e9),
    Estimate("medium ranges, 200 combos each", _played(200 * 200), 10e12),
    Estimate("large ranges, 500 combos each", _played(500 * 500), 100e12),
    Estimate(
        "the hybrid of four abstractions",
        (("flops", 500), ("buckets", 50), ("buckets of the other", 50), ("turn lines", 5), ("turn cards", 45),
         ("river lines", 5), ("river cards", 44)),
        100e6,
    ),
)  # fmt: skip


def estimates() -> pd.DataFrame:
    """A row an estimate: factors, product, what is printed, and how far that is off.

    >>> estimates()["product"].tolist()
    [11137500000, 178200000000, 1113750000000, 61875000000]
    """
    rows = [
        {
            "estimate": one.title,
            "factors": " x ".join(f"{number:,}" for _, number in one.factors),
            "product": one.product,
            "printed": one.printed,
            "printed / product": one.slip,
        }
        for one in ESTIMATES
    ]
    return frame({name: [row[name] for row in rows] for name in rows[0]})


def street_classes() -> pd.DataFrame:
    """A row a street: boards, and own cards with a board, as they are dealt and up to the names of suits.

    `in order` tells the flop, the turn and the river apart, as players see them come.

    >>> street_classes()["board classes"].tolist()
    [1, 1755, 16432, 134459]
    """
    from solverlab.cards.deals import canonical_count

    streets = {"preflop": (), "flop": (3,), "turn": (3, 1), "river": (3, 1, 1)}
    columns: dict[str, list[object]] = {"street": list(streets)}
    for name, own in (("board", 0), ("hand and board", HAND)):
        dealt = [tuple(filter(None, (own, *cards))) for cards in streets.values()]
        together = [tuple(filter(None, (own, sum(cards)))) for cards in streets.values()]
        columns |= {f"{name} deals": [_deals(groups) for groups in together]}
        columns |= {f"{name} classes": [canonical_count(groups) if groups else 1 for groups in together]}
        columns |= {f"{name} deals, in order": [_deals(groups) for groups in dealt]}
        columns |= {
            f"{name} classes, in order": [canonical_count(groups) if groups else 1 for groups in dealt]
        }
    return frame(columns)


def _deals(groups: tuple[int, ...]) -> int:
    """Ways to deal groups of cards one after another, each without order."""
    left, ways = DECK, 1
    for cards in groups:
        ways *= comb(left, cards)
        left -= cards
    return ways


def power_sizes(ratio: float, number: int) -> str:
    """The document's "geometric" menu: pot x r, r^2, r^3 ... (players mean another thing by the word: the
    one fraction that is all-in by the river, which menus write `e`).

    >>> power_sizes(1.5, 3)
    '150%, 225%, 337.5%'
    """
    if not 1 < ratio <= 10 or not 1 <= number <= 20:
        raise BadValue(
            f"{told(ratio)} to the powers up to {told(number)} is no menu; give 1.5 and 3, or such"
        )
    return ", ".join(f"{100 * ratio**power:g}%" for power in range(1, number + 1))
