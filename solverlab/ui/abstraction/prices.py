"""Sweeps over abstractions of games small enough to measure exactly: what each costs in the real game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from solverlab.abstraction.buckets import Percentile
from solverlab.abstraction.labels import tie_by
from solverlab.abstraction.strength import hand_strength
from solverlab.cards.kept_tables import Cancel, Progress, Step
from solverlab.core.frame import frame
from solverlab.core.policy import Policy
from solverlab.core.tying import Tying, tie_hands
from solverlab.games import Leduc
from solverlab.run.price import price_of_abstraction

LEDUC_BUCKETS = (1, 2, 3, 4)
JAM_BUCKETS = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 40, 80)
ITERATIONS = 1000


@dataclass(frozen=True, eq=False)
class Priced:
    """One abstraction: how it was made, how large it is, and what it costs in the real game (in `unit`)."""

    series: str
    buckets: int
    infosets: int
    price: float
    policy: Policy


@dataclass(frozen=True, eq=False)
class Sweep:
    """A game, its unabstracted solution and the abstractions of it."""

    name: str
    unit: str
    real: Priced
    rows: list[Priced]

    def frame(self) -> Any:
        """One row an abstraction."""
        rows = [*self.rows, self.real]
        names = ("series", "buckets", "infosets", "price")
        return frame({name: [getattr(row, name) for row in rows] for name in names})


def leduc_strength(hand: str, board: str) -> float:
    """Chance to beat a random other card on a board, ties half; cards named as on screen."""
    order = "JQK"
    worth = {card: order.index(card[0]) + 3 * (card[0] == board[0]) for card in LEDUC_CARDS}
    others = [card for card in LEDUC_CARDS if card not in (hand, board)]
    return sum((worth[hand] > worth[o]) + 0.5 * (worth[hand] == worth[o]) for o in others) / len(others)


LEDUC_CARDS = ("Js", "Jh", "Qs", "Qh", "Ks", "Kh")


def leduc_labels(buckets: int, metric: str, history: bool, recall: bool) -> tuple[Callable, Callable]:
    """Label functions of both rounds: percentiles of E[HS] or E[HS²], then of strength on the board.

    With history the second round has boundaries for each first bucket; with perfect recall it remembers it.
    """
    deals = [(hand, board) for hand in LEDUC_CARDS for board in LEDUC_CARDS if hand != board]
    strength = np.array([leduc_strength(*deal) for deal in deals])
    power = 2 if metric == "ehs2" else 1
    mean = [np.mean([leduc_strength(h, b) ** power for h, b in deals if h == hand]) for hand in LEDUC_CARDS]
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


def leduc_ties(game: Any, metric: str) -> Iterator[tuple[str, int, Tying]]:
    """Every abstraction of Leduc in the sweep, with the name of its curve."""
    for history, recall, buckets in product((True, False), (True, False), LEDUC_BUCKETS):
        words = f"{'history' if history else 'no history'}, {'perfect' if recall else 'imperfect'} recall"
        yield words, buckets, tie_by(game, *leduc_labels(buckets, metric, history, recall))
    # The finer of these two refines the coarser, keeps perfect recall, and costs more.
    for buckets, early in ((2, lambda hand, board: hand[0] == "K"), (3, lambda hand, board: hand[0])):
        yield "pair or not, perfect recall", buckets, tie_by(game, early, _then_pair(early))


def _then_pair(early: Callable) -> Callable:
    return lambda hand, board: (early(hand, board), hand[0] == board[0][0])


def jam_ties(game: Any, metric: str) -> Iterator[tuple[str, int, Tying]]:
    """Every abstraction of push/fold in the sweep: percentiles of the 169 hands by E[HS] and by E[HS²]."""
    strength = hand_strength("preflop")
    for name, values in (("E[HS]", strength.ehs), ("E[HS²]", strength.ehs2)):
        for buckets in JAM_BUCKETS:
            labels = Percentile(buckets).fit(values, strength.weight).labels_
            yield f"percentiles of {name}", buckets, tie_hands(game.tree, labels)


def sweep(
    what: str, metric: str, stack: float, progress: Progress | None = None, cancel: Cancel | None = None
) -> Sweep:
    """Price every abstraction of Leduc, or of push/fold at a stack."""
    from solverlab.games import PushFold

    step = Step(progress, cancel)
    step(0.0, "preparing the game")
    leduc = what == "leduc"
    game = Leduc() if leduc else PushFold(stack=stack)
    ties = list((leduc_ties if leduc else jam_ties)(game, metric))
    rows = []
    for number, (series, buckets, tie) in enumerate(
        [*ties, ("the real game", len(game.names.hands), game.tie)]
    ):
        step(number / (len(ties) + 1), f"solving {game.name}: {series}, {buckets} buckets")
        price = price_of_abstraction(game, {series: tie}, "DCFR", ITERATIONS)[0]
        rows.append(Priced(series, buckets, price.infosets, price.exploitability, price.policy))
    return Sweep(game.name, "chips" if leduc else "big blinds", rows[-1], rows[:-1])
