"""A strategy of the draw game with betting, scored in the exact game on fresh deals.

Both players' reaches of every leaf are multiplied out beforehand; a deal then picks one discard a player by
chance and counts all betting by its probabilities. Several profiles are scored on the same deals and the same
chance, so that differences between them are known far better than the values themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import numpy as np

from solverlab.cards.evaluate_lowball import evaluate_lowball
from solverlab.cards.lowball_sets import HandSets
from solverlab.core.draw_game import Act, BettingDrawGame, Draw, DrawNode, Paid, Show
from solverlab.core.draw_paths import joined
from solverlab.core.errors import BadValue
from solverlab.core.kernel import inner_kernel, kernel
from solverlab.solvers.draw.deals import Dealer, deal, exchange_seats, fresh_table
from solverlab.solvers.draw.passes import BITS

BATCH = 1000
Strategy = Mapping[str, np.ndarray]
Play = tuple[Strategy, Strategy]
Reach = tuple[np.ndarray, np.ndarray]


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


class _Leaf(NamedTuple):
    """An end of the betting before the draw: how both players' hands come there, float32[H] each."""

    node: Paid | Draw | Show
    name: str
    reach: tuple[np.ndarray, np.ndarray]


def profile_of(game: BettingDrawGame, button: Strategy, big_blind: Strategy) -> Profile:
    """The button's strategy against the big blind's, multiplied out."""
    one, play = np.ones(len(game.sets.hands), np.float32), (button, big_blind)
    leaves = list(_leaves(game.root, "", play, (one, one)))
    lines = [leaf for leaf in leaves if isinstance(leaf.node, Draw)]
    after, amount, shown = _after_draws(game, lines, play)
    place = {leaf.name: d for d, leaf in enumerate(lines)}
    return Profile(
        np.stack([np.stack([leaf.reach[seat] for leaf in leaves]) for seat in (0, 1)]),
        np.array([leaf.node.amount if isinstance(leaf.node, Paid) else 0.0 for leaf in leaves]),
        np.array([place.get(leaf.name, -1) for leaf in leaves]),
        np.stack([big_blind[f"{leaf.name}:first"] for leaf in lines]),
        np.stack([button[f"{leaf.name}:second"] for leaf in lines]),
        after,
        amount,
        shown,
        _levels(game.sets, game.suits),
    )


def _leaves(node: DrawNode, name: str, play: Play, reach: Reach) -> Iterator[_Leaf]:
    """Where the betting from a node may end, in the order of its actions; draws are not gone beyond."""
    if not isinstance(node, Act):
        yield _Leaf(node, name, reach)
        return
    for a, (action, child) in enumerate(node.following.items()):
        part = play[node.player][name][..., a]
        further = (reach[0] * part, reach[1]) if node.player == 0 else (reach[0], reach[1] * part)
        yield from _leaves(child, joined(name, action), play, further)


def _after_draws(
    game: BettingDrawGame, lines: list[_Leaf], play: Play
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """`after`, `amount` and `shown` of a profile: every end of the betting after each draw."""
    groups, classes = (game.cards + 1) ** 2, int(game.sets.strength.max()) + 1
    one = np.ones((groups, classes), np.float32)
    ends = [
        list(_leaves(line.node.after, f"{line.name}|", play, (one, one)))
        for line in lines
        if isinstance(line.node, Draw)
    ]
    most = max(map(len, ends))
    after = np.zeros((2, len(lines), most, groups, classes), np.float32)
    amount, shown = np.zeros((len(lines), most)), np.zeros((len(lines), most), np.bool_)
    for d, found in enumerate(ends):
        for k, end in enumerate(found):
            after[0, d, k], after[1, d, k] = end.reach
            if isinstance(end.node, Show):
                amount[d, k], shown[d, k] = end.node.stake, True
            elif isinstance(end.node, Paid):
                amount[d, k] = end.node.amount
    return after, amount, shown


def _levels(sets: HandSets, suited: bool) -> np.ndarray:
    if not suited:
        return np.arange(int(sets.strength.max()) + 1)
    names = np.asarray(evaluate_lowball(sets.hands), np.int64)
    table = np.zeros(int(names.max()) + 1, np.int64)
    table[names] = sets.strength
    return table


@inner_kernel
def _pick(row, chance):
    """The mask at which the sum of row first exceeds chance."""
    total = 0.0
    for mask in range(len(row)):
        total += row[mask]
        if total > chance:
            return mask
    return len(row) - 1


@inner_kernel
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
    game: BettingDrawGame,
    dealer: Dealer,
    policy: Strategy,
    answers: Sequence[Strategy],
    deals: int,
    rng: int = 0,
    threads: int = 2,
) -> TreeScore:
    """Score a policy and both players' answers to it on the same deals, rounded down to whole batches."""
    if isinstance(deals, bool) or not isinstance(deals, int) or deals < 2:
        raise BadValue(f"cannot score on {deals!r} deals; give a whole number of at least 2")
    button, big_blind = ({**policy, **answer} for answer in answers)
    means = np.empty((3, max(deals // BATCH, 2)))

    def one(case: int) -> None:
        sides = [(policy, policy), (button, policy), (policy, big_blind)][case]
        profile = profile_of(game, *sides)
        score_profile(dealer, profile, np.random.default_rng(rng), fresh_table(dealer), means[case])

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(one, range(3)))
    gap, size = means[1] - means[2], sqrt(means.shape[1])
    return TreeScore(
        means.shape[1] * BATCH,
        float(means[0].mean()),
        float(means[0].std(ddof=1)) / size,
        float(gap.mean()),
        float(gap.std(ddof=1)) / size,
    )
