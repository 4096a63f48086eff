"""Suites on cards: ranking hands, and the strength of every flop hand, exact against simulated."""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Sequence

import numpy as np

from solverlab.bench.clock import Timing, Work, race, sample
from solverlab.bench.contestants import Contestant, present
from solverlab.bench.plan import Plan
from solverlab.bench.rows import OUR_NAME, Row
from solverlab.cards.cards import cards_text, parse_cards
from solverlab.cards.deals import canonical_count
from solverlab.cards.evaluate_high import evaluate
from solverlab.cards.street_strength import flop_rows, river_rows, turn_rows

HANDS = 200_000
TRIALS = 10_000
HOLE, FLOP = "AhKh", "Td9d6h"
Score = Callable[[Sequence[object]], float]
"""Ranks seven cards of a library's own kind; more is better."""


def eval7_cards() -> tuple[list[object], Score]:
    """The deck as eval7 wants it, and its only way to rank a hand."""
    eval7 = importlib.import_module("eval7")
    return [eval7.Card(cards_text([card])) for card in range(52)], eval7.evaluate


def phevaluator_cards() -> tuple[list[object], Score]:
    """The deck as phevaluator's guide writes it, and its way to rank a hand; its best rank is the lowest."""
    rank = importlib.import_module("phevaluator").evaluate_cards
    return [cards_text([card]) for card in range(52)], lambda cards: -rank(*cards)


def phevaluator_numbers() -> tuple[list[object], Score]:
    """The same with cards as whole numbers, which spares it the reading."""
    return list(range(52)), phevaluator_cards()[1]


EVALUATORS = {
    "eval7": eval7_cards,
    "phevaluator": phevaluator_cards,
    "phevaluator, cards as numbers": phevaluator_numbers,
}


def installed() -> list[str]:
    """The evaluators found on this machine."""
    return [name for name in EVALUATORS if present(name.split(",")[0])]


def random_hands(count: int, size: int = 7) -> np.ndarray:
    """Hands from a fixed seed, uint8[count, size]."""
    keys = np.random.default_rng(7).random((count, 52))
    return np.argpartition(keys, size, axis=1)[:, :size].astype(np.uint8)


def evaluation(plan: Plan, contestants: Sequence[Contestant]) -> list[Row]:
    """Seconds to rank seven cards: ours in a batch and one by one, peers one by one, as they only can."""
    hands = random_hands(HANDS)
    few = [[int(card) for card in hand] for hand in hands[:1000]]
    peers = {name: _one_by_one(*EVALUATORS[name](), few) for name in installed()}
    rows = []
    for measure, ours in (
        ("one hand, ours in a batch", _in_batches(hands)),
        ("one hand, a call each", _calls(evaluate, [np.array(hand, np.uint8) for hand in few])),
    ):
        timings = race({OUR_NAME: ours, **peers}, plan.sample_seconds, plan.repeats)
        rows += [Row("evaluation", "7 cards", measure, name, each, "rate") for name, each in timings.items()]
    return rows


def flop_strength(plan: Plan, contestants: Sequence[Contestant]) -> list[Row]:
    """Seconds for E[HS] of one flop hand: all classes exactly and at once, or 10,000 simulated deals."""
    exact = [sample(_every_flop_hand, 1) for _ in range(max(plan.long_repeats - 1, 1))]
    count = canonical_count("flop")
    ours = Timing(*(tuple(used / count for used in clock) for clock in zip(*exact, strict=True)))
    works = {name: _simulation(*EVALUATORS[name]()) for name in installed()}
    timings = {OUR_NAME: ours, **race(works, plan.sample_seconds, plan.repeats)}
    notes = {OUR_NAME: f"exact, seconds for all {count:,} classes divided by their number"}
    simulated = f"{TRIALS:,} random opponents and boards, in Python"
    return [
        Row("flop strength", "E[HS]", "one hand", name, each, note=notes.get(name, simulated))
        for name, each in timings.items()
    ]


def simulate(deck: list[object], score: Score, trials: int, seed: int = 0) -> float:
    """E[HS] of the sample hand by dealing an opponent and the rest of the board again and again."""
    hole, flop = list(parse_cards(HOLE)), list(parse_cards(FLOP))
    rest = [deck[card] for card in range(52) if card not in hole + flop]
    mine, shared = [deck[card] for card in hole], [deck[card] for card in flop]
    dealer, points = random.Random(seed), 0.0
    for _ in range(trials):
        drawn = dealer.sample(rest, 4)
        board = shared + drawn[:2]
        own, other = score(mine + board), score(drawn[2:] + board)
        points += 1.0 if own > other else 0.5 if own == other else 0.0
    return points / trials


def _simulation(deck: list[object], score: Score) -> Work:
    def work(count: int) -> None:
        for seed in range(count):
            simulate(deck, score, TRIALS, seed)

    return work


def _every_flop_hand(count: int) -> None:
    for _ in range(count):
        flop_rows(turn_rows(river_rows(_silent), _silent))


def _silent(share: float) -> None:
    """Nobody watches a stopwatch run."""


def _in_batches(hands: np.ndarray) -> Work:
    def work(count: int) -> None:
        for begin in range(0, count, len(hands)):
            evaluate(hands[: min(len(hands), count - begin)])

    return work


def _one_by_one(deck: list[object], score: Score, hands: list[list[int]]) -> Work:
    return _calls(score, [[deck[card] for card in hand] for hand in hands])


def _calls(call: Callable[[object], object], arguments: Sequence[object]) -> Work:
    def work(count: int) -> None:
        for i in range(count):
            call(arguments[i % len(arguments)])

    return work
