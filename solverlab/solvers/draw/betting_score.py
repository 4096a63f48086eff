"""A strategy of the draw game with betting, scored in the exact game on fresh deals.

Both players' reaches of every leaf are multiplied out beforehand; a deal then picks one discard a player by
chance and counts all betting by its probabilities. Several profiles are scored on the same deals and the same
chance, so that differences between them are known far better than the values themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from solverlab.cards.evaluate_lowball import evaluate_lowball
from solverlab.cards.lowball_sets import HandSets
from solverlab.core.kernel import kernel
from solverlab.solvers.draw.betting import DrawBetting, joined, kind
from solverlab.solvers.draw.deals import deal, dealer_of, exchange_seats, fresh_table
from solverlab.solvers.draw.passes import BITS

BATCH = 1000
Strategy = Mapping[str, np.ndarray]


class Profile(NamedTuple):
    """Two strategies multiplied out. L leaves before the draw, D of them draws, K ends after each."""

    reach: np.ndarray  # float32[2, L, H]
    paid: np.ndarray  # float64[L], to the button, where nobody draws
    draw: np.ndarray  # int64[L], the number of the draw or -1
    first: np.ndarray  # float32[D, H, M]
    second: np.ndarray  # float32[D, n + 1, H, M]
    after: np.ndarray  # float32[2, D, K, groups, R]
    amount: np.ndarray  # float64[D, K]
    shown: np.ndarray  # bool[D, K], whether the amount goes to the better hand or to the button
    level: np.ndarray  # int64, showdown class by what the dealer calls it


@dataclass(frozen=True)
class TreeScore:
    """The button's value of a profile and what both answers gain, with standard errors, in big blinds."""

    deals: int
    value: float
    value_error: float
    nash_conv: float
    nash_conv_error: float


def profile_of(solver: DrawBetting, button: Strategy, big_blind: Strategy) -> Profile:
    """The button's strategy against the big blind's, multiplied out."""
    leaves: list[tuple[Any, str, np.ndarray, np.ndarray]] = []
    one = np.ones(len(solver.ground.weight), np.float32)
    _leaves(solver.game.root, "", (button, big_blind), (one, one), leaves)
    draws = [(node, path) for node, path, _, _ in leaves if kind(node) == "Draw"]
    ends = [_ends(solver, node.after, f"{path}|", (button, big_blind)) for node, path in draws]
    most = max(len(each) for each in ends)
    groups, classes = (solver.model.cards + 1) ** 2, int(solver.ground.strength.max()) + 1
    after = np.zeros((2, len(draws), most, groups, classes), np.float32)
    amount, shown = np.zeros((len(draws), most)), np.zeros((len(draws), most), np.bool_)
    for d, each in enumerate(ends):
        for k, (size, compared, mine, theirs) in enumerate(each):
            after[0, d, k], after[1, d, k], amount[d, k], shown[d, k] = mine, theirs, size, compared
    place = {path: d for d, (_, path) in enumerate(draws)}
    return Profile(
        np.stack([np.stack([leaf[2 + player] for leaf in leaves]) for player in (0, 1)]),
        np.array([getattr(node, "amount", 0.0) for node, *_ in leaves]),
        np.array([place.get(path, -1) for _, path, *_ in leaves]),
        np.stack([big_blind[f"{path}:first"] for _, path in draws]),
        np.stack([button[f"{path}:second"] for _, path in draws]),
        after,
        amount,
        shown,
        _levels(solver.game.sets, solver.game.suits),
    )


def _leaves(node: Any, path: str, play: tuple, reach: tuple, found: list) -> None:
    if kind(node) != "Act":
        found.append((node, path, *reach))
        return
    for a, (label, child) in enumerate(node.following.items()):
        part = play[node.player][path][:, a]
        further = tuple(each * part if seat == node.player else each for seat, each in enumerate(reach))
        _leaves(child, joined(path, label), play, further, found)


def _ends(solver: DrawBetting, node: Any, name: str, play: tuple) -> list[tuple]:
    """(amount, compared, the button's reach, the big blind's) of every end of the betting after the draw."""
    shape = (solver.model.cards + 1) ** 2, int(solver.ground.strength.max()) + 1
    found: list[tuple] = []

    def walk(node: Any, name: str, reach: tuple) -> None:
        if kind(node) != "Act":
            compared = kind(node) == "Show"
            found.append((node.stake if compared else node.amount, compared, *reach))
            return
        for a, (label, child) in enumerate(node.following.items()):
            part = play[node.player][name][:, :, a]
            further = tuple(each * part if seat == node.player else each for seat, each in enumerate(reach))
            walk(child, joined(name, label), further)

    one = np.ones(shape, np.float32)
    walk(node, name, (one, one))
    return found


def _levels(sets: HandSets, suited: bool) -> np.ndarray:
    if not suited:
        return np.arange(int(sets.strength.max()) + 1)
    names = np.asarray(evaluate_lowball(sets.hands), np.int64)
    table = np.zeros(int(names.max()) + 1, np.int64)
    table[names] = sets.strength
    return table


@kernel
def _pick(row, chance):
    """The mask at which the sum of row first exceeds chance."""
    total = 0.0
    for mask in range(len(row)):
        total += row[mask]
        if total > chance:
            return mask
    return len(row) - 1


@kernel
def _play(profile, table, chances):
    """The button's payoff of one deal."""
    n, total = profile.second.shape[1] - 1, 0.0
    mine, other = table.hand[0], table.hand[1]
    for leaf in range(len(profile.paid)):
        share = profile.reach[0, leaf, mine] * profile.reach[1, leaf, other]
        d = profile.draw[leaf]
        if d < 0:
            total += share * profile.paid[leaf]
        elif share > 0.0:
            theirs = _pick(profile.first[d, other], chances[0])
            count = n - BITS[theirs]
            own = _pick(profile.second[d, count, mine], chances[1])
            group = count * (n + 1) + n - BITS[own]
            high = profile.level[np.int64(table.final[0, own])]
            low = profile.level[np.int64(table.final[1, theirs])]
            won = (high > low) - (high < low)
            for k in range(profile.amount.shape[1]):
                arrive = profile.after[0, d, k, group, high] * profile.after[1, d, k, group, low]
                total += share * arrive * profile.amount[d, k] * (won if profile.shown[d, k] else 1)
    return total


@kernel
def score_profile(dealer, profile, rng, table, means):
    """The button's mean payoff over BATCH deals at a time, each in both seatings, into means[batches]."""
    for b in range(len(means)):
        total = 0.0
        for _ in range(BATCH):
            deal(dealer, rng, table)
            chances = rng.random(), rng.random()
            total += _play(profile, table, chances)
            exchange_seats(table)
            total += _play(profile, table, chances)
        means[b] = total / (2 * BATCH)


def score_betting(
    solver: DrawBetting, policy: Strategy, answers: Sequence[Strategy], deals: int, rng: int = 0
) -> TreeScore:
    """Score a policy and both players' answers to it on the same deals."""
    dealer = dealer_of(solver.game.sets, solver.game.suits)
    button, big_blind = ({**policy, **answer} for answer in answers)
    means = np.empty((3, max(deals // BATCH, 2)))

    def one(case: int) -> None:
        sides = [(policy, policy), (button, policy), (policy, big_blind)][case]
        profile = profile_of(solver, *sides)
        score_profile(dealer, profile, np.random.default_rng(rng), fresh_table(dealer), means[case])

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(one, range(3)))
    gap, size = means[1] - means[2], sqrt(means.shape[1])
    return TreeScore(
        means.shape[1] * BATCH,
        float(means[0].mean()),
        float(means[0].std(ddof=1)) / size,
        float(gap.mean()),
        float(gap.std(ddof=1)) / size,
    )
