"""Sweeps over abstractions of games small enough to measure exactly: what each costs in the real game.

Leduc: percentiles of strength with and without history and recall, pot buckets that forget the betting.
Push/fold before the flop: percentiles of E[HS] and of E[HS^2], and k-means on both (document 004's method B).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from solverlab.abstraction.buckets import Percentile
from solverlab.abstraction.kmeans import KMeans
from solverlab.abstraction.labels import Label, tie_by
from solverlab.abstraction.pots import tie_by_pot
from solverlab.abstraction.strength import StreetStrength
from solverlab.cards.table_cache import Cancel, Progress, Step
from solverlab.core.frame import frame
from solverlab.core.game import TabulatedGame
from solverlab.core.policy import Policy
from solverlab.core.tying import Tying, tie_hands
from solverlab.games import Leduc, LimitPoker
from solverlab.games.pushfold.game import HeadsUpPushFold
from solverlab.studies.price import price_of_abstraction

if TYPE_CHECKING:
    import pandas as pd


LEDUC_BUCKETS = (1, 2, 3, 4)
POT_BUCKETS = (1, 2, 4, 8)
JAM_BUCKETS = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 40, 80)
ITERATIONS = 1000


@dataclass(frozen=True, eq=False)
class Priced:
    """One abstraction: how it was made, how large it is, and what it costs in the real game (in `unit`)."""

    series: str
    buckets: int
    infosets: int
    price: float
    distance: float | None  # what is left of convergence in the abstract game; None without perfect recall
    policy: Policy


@dataclass(frozen=True, eq=False)
class Sweep:
    """A game, its unabstracted solution and the abstractions of it."""

    name: str
    unit: str
    real: Priced
    rows: list[Priced]

    def frame(self) -> pd.DataFrame:
        """One row an abstraction."""
        rows = [*self.rows, self.real]
        names = ("series", "buckets", "infosets", "price", "distance")
        return frame({name: [getattr(row, name) for row in rows] for name in names})


def leduc_strength(hand: str, board: str) -> float:
    """Chance to beat a random other card on a board, ties half; cards named as on screen."""
    order = "JQK"
    worth = {card: order.index(card[0]) + 3 * (card[0] == board[0]) for card in LEDUC_CARDS}
    others = [card for card in LEDUC_CARDS if card not in (hand, board)]
    return sum((worth[hand] > worth[o]) + 0.5 * (worth[hand] == worth[o]) for o in others) / len(others)


LEDUC_CARDS = ("Js", "Jh", "Qs", "Qh", "Ks", "Kh")


def leduc_labels(buckets: int, history: bool, recall: bool) -> tuple[Label, Label]:
    """Label functions of both rounds: percentiles of E[HS], then of strength on the board.

    With history the second round has boundaries for each first bucket; with perfect recall it remembers it.
    (E[HS] and E[HS²] put Leduc's cards into one order, jack, queen, king: a choice of metric would change
    nothing.)
    """
    deals = [(hand, board) for hand in LEDUC_CARDS for board in LEDUC_CARDS if hand != board]
    strength = np.array([leduc_strength(*deal) for deal in deals])
    mean = [np.mean([leduc_strength(h, b) for h, b in deals if h == hand]) for hand in LEDUC_CARDS]
    first = dict(zip(LEDUC_CARDS, _percentiles(np.array(mean), buckets).tolist(), strict=True))
    groups = np.array([first[hand] if history else 0 for hand, _ in deals])
    label = np.zeros(len(deals), np.int64)
    for group in np.unique(groups):
        label[groups == group] = _percentiles(strength[groups == group], buckets)
    second = dict(zip(deals, label.tolist(), strict=True))

    def early(hand: str, board: tuple[str, ...]) -> int:
        return first[hand]

    def late(hand: str, board: tuple[str, ...]) -> tuple:
        last = second.get((hand, board[0]), 0)
        return (first[hand], last) if recall else (last,)

    return early, late


def _percentiles(values: np.ndarray, buckets: int) -> np.ndarray:
    return Percentile(min(buckets, len(values))).fit(np.round(values, 12)).labels_.astype(np.int64)


def leduc_ties(game: LimitPoker) -> Iterator[tuple[str, int, Tying]]:
    """Every abstraction of Leduc in the sweep, with the name of its curve."""
    for history, recall, buckets in product((True, False), (True, False), LEDUC_BUCKETS):
        words = f"{'history' if history else 'no history'}, {'perfect' if recall else 'imperfect'} recall"
        yield words, buckets, tie_by(game, *leduc_labels(buckets, history, recall))
    # The finer of these two refines the coarser, keeps perfect recall, and costs more.
    for buckets, early in ((2, lambda hand, board: hand[0] == "K"), (3, lambda hand, board: hand[0])):
        yield "pair or not, perfect recall", buckets, tie_by(game, early, _then_pair(early))
    for buckets in POT_BUCKETS:
        yield "all cards, pot buckets for betting", buckets, tie_by_pot(game, buckets)


def _then_pair(early: Callable) -> Callable:
    return lambda hand, board: (early(hand, board), hand[0] == board[0][0])


def jam_ties(game: HeadsUpPushFold) -> Iterator[tuple[str, int, Tying]]:
    """Every abstraction of push/fold: percentiles of the 169 hands by E[HS] or E[HS²], k-means on both."""
    strength = StreetStrength("preflop")
    for name, values in (("E[HS]", strength.ehs), ("E[HS²]", strength.ehs2)):
        for buckets in JAM_BUCKETS:
            labels = Percentile(buckets).fit(values, strength.weight).labels_
            yield f"percentiles of {name}", buckets, tie_hands(game.tree, labels)
    features = np.column_stack([strength.ehs, strength.ehs2])
    for buckets in JAM_BUCKETS:
        labels = KMeans(buckets).fit(features, strength.weight).labels_
        yield "k-means on E[HS], E[HS²]", buckets, tie_hands(game.tree, labels)


def _leduc() -> tuple[TabulatedGame, list[tuple[str, int, Tying]]]:
    game = Leduc()
    return game, list(leduc_ties(game))


def _push_fold(stack: float) -> tuple[TabulatedGame, list[tuple[str, int, Tying]]]:
    game = HeadsUpPushFold(stack)
    return game, list(jam_ties(game))


def sweep(what: str, stack: float, progress: Progress | None = None, cancel: Cancel | None = None) -> Sweep:
    """Price every abstraction of Leduc, or of push/fold at a stack."""
    step = Step(progress, cancel)
    step(0.0, "preparing the game")
    game, ties = _leduc() if what == "leduc" else _push_fold(stack)
    rows = []
    for number, (series, buckets, tie) in enumerate(
        [*ties, ("the real game", len(game.names.hands), game.tie)]
    ):
        step(number / (len(ties) + 1), f"solving {game.name}: {series}, {buckets} buckets")
        price = price_of_abstraction(game, {series: tie}, "DCFR", ITERATIONS)[0]
        rows.append(
            Priced(series, buckets, price.infosets, price.exploitability, price.distance, price.policy)
        )
    return Sweep(game.name, "chips" if what == "leduc" else "big blinds", rows[-1], rows[:-1])


def what_history_does(made: Sweep) -> str:
    """One sentence on buckets with a history of their own against one set of boundaries, from a Leduc sweep.

    With perfect recall both give the same partition here, so the comparison says nothing; with imperfect
    recall it goes against document 002.
    """
    price = {(row.series, row.buckets): row.price for row in made.rows}
    counts = {}
    for recall in ("perfect", "imperfect"):
        pairs = [
            (with_history, price[f"no history, {recall} recall", buckets])
            for (series, buckets), with_history in price.items()
            if series == f"history, {recall} recall"
        ]
        dearer = sum(one > other for one, other in pairs)
        counts[recall] = (len(pairs), dearer, sum(one < other for one, other in pairs))
    total, dearer, cheaper = counts["perfect"]
    with_recall = f"With perfect recall history changes {dearer + cheaper} of {total} prices"
    total, dearer, cheaper = counts["imperfect"]
    return f"{with_recall}; with imperfect recall it makes {dearer} of {total} dearer and {cheaper} cheaper."
