"""A strategy scored in the exact draw game, by fresh deals: its value, and what answers to it gain.

Every deal counts all discards of both players by their probabilities, so what is left to chance is the cards.
Answers are fixed before the deals are drawn, so what they gain is an unbiased estimate with an honest error:
a lower bound of the gain of a best response.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.core.kernel import inner_kernel, kernel
from solverlab.solvers.draw.deals import (
    FOLD_BIG_BLIND,
    FOLD_BUTTON,
    Dealer,
    compare_for_big_blind,
    compare_for_button,
    deal,
    exchange_seats,
    fresh_table,
)
from solverlab.solvers.draw.model import Answer
from solverlab.solvers.draw.passes import BITS
from solverlab.solvers.draw.policy import DrawPolicy


@dataclass(frozen=True)
class Score:
    """Means and standard errors over deals, in big blinds."""

    deals: int
    value: float  # of the policy, to the button
    value_error: float
    button_gain: float  # of the button's answer over the policy
    button_error: float
    big_blind_gain: float
    big_blind_error: float
    nash_conv: float  # both gains together: a lower bound of the distance from equilibrium
    nash_conv_error: float


class Worths(NamedTuple):
    """What every decision met, added up over deals; divide by the visits of the hand for its mean."""

    visits: np.ndarray  # float64[2, H], deals of the hand to the button, to the big blind
    met: np.ndarray  # float64[2, H], how often the other was in
    first: (
        np.ndarray
    )  # float64[H, M], the big blind's wins minus losses, the other's chance to be in included
    second: np.ndarray  # float64[n + 1, H, M], the button's


@inner_kernel
def _payoff(pushing, calling, shown):
    """The button's payoff if both are in with these chances and a showdown pays `shown`."""
    return pushing * (calling * shown - (1.0 - calling) * FOLD_BIG_BLIND) + (1.0 - pushing) * FOLD_BUTTON


@kernel
def score_deals(dealer, stack, policy, button, big_blind, rng, table, sums):
    """Add the moments of sums[0, 0] deals: sums[1 + i] are means of (value, button's answer, big blind's).

    sums is float64[5, 3]: row 0 the number of deals, row 1 sums, rows 2 to 4 products. Every deal is played
    twice with the seats exchanged, so that the luck of the cards mostly cancels.
    """
    n, M = dealer.cards, 1 << dealer.cards
    got = np.zeros(3)
    for _ in range(np.int64(sums[0, 0])):
        deal(dealer, rng, table)
        got[:] = 0.0
        for seating in range(2):
            if seating == 1:
                exchange_seats(table)
            mine, other = table.hand[0], table.hand[1]
            compare_for_button(policy.first[other], table)
            shown, best = 0.0, 0.0
            for count in range(n + 1):
                row, sigma = table.shown[count], policy.second[count, mine]
                for mask in range(M):
                    shown += sigma[mask] * row[mask]
                best += row[button.kept[count, mine]]
            kept = big_blind.kept[other]
            sigma, level, faced = policy.second[n - BITS[kept], mine], table.final[1, kept], 0.0
            for mask in range(M):
                strength = table.final[0, mask]
                faced += sigma[mask] * ((strength > level) - (strength < level))
            pushing, calling = np.float64(policy.push[mine]), np.float64(policy.call[other])
            got[0] += 0.5 * _payoff(pushing, calling, stack * shown)
            got[1] += 0.5 * _payoff(np.float64(button.go[mine]), calling, stack * best)
            got[2] += 0.5 * _payoff(pushing, np.float64(big_blind.go[other]), stack * faced)
        for i in range(3):
            sums[1, i] += got[i]
            for j in range(3):
                sums[2 + i, j] += got[i] * got[j]


@kernel
def learn_deals(dealer, policy, deals, rng, table, worths):
    """Add up what every decision met in `deals` deals, into worths."""
    n, M = dealer.cards, 1 << dealer.cards
    sigma_second = np.zeros((n + 1, M))
    for _ in range(deals):
        deal(dealer, rng, table)
        mine, other = table.hand[0], table.hand[1]
        for count in range(n + 1):
            sigma_second[count] = policy.second[count, mine]
        compare_for_button(policy.first[other], table)
        compare_for_big_blind(sigma_second, table)
        pushing, calling = policy.push[mine], policy.call[other]
        worths.visits[0, mine] += 1.0
        worths.visits[1, other] += 1.0
        worths.met[0, mine] += calling
        worths.met[1, other] += pushing
        for mask in range(M):
            worths.first[other, mask] += pushing * table.faced[mask]
            for count in range(n + 1):
                worths.second[count, mine, mask] += calling * table.shown[count, mask]


def learn(dealer: Dealer, policy: DrawPolicy, deals: int, rng: int = 0) -> Worths:
    """Mean showdown worth of every discard against a policy, estimated from deals of the exact game."""
    hands, masks, counts = len(policy.push), policy.first.shape[1], len(policy.second)
    worths = Worths(
        np.zeros((2, hands)),
        np.zeros((2, hands)),
        np.zeros((hands, masks)),
        np.zeros((counts, hands, masks)),
    )
    learn_deals(dealer, policy, deals, np.random.default_rng(rng), fresh_table(dealer), worths)
    often = np.maximum(worths.visits, 1.0)
    return Worths(
        worths.visits,
        worths.met / often,
        worths.first / often[1, :, None],
        worths.second / often[0, :, None],
    )


def best_of(worths: Worths, stack: float) -> tuple[Answer, Answer]:
    """The answers that would have been best on the deals learned from; they flatter themselves there."""
    kept, top = worths.second.argmax(axis=2).astype(np.uint8), worths.second.max(axis=2)
    pushed = 1.0 - worths.met[0] + stack * top.sum(axis=0)
    share = worths.visits / worths.visits.sum(axis=1, keepdims=True)
    unknown = float("nan")
    button = Answer(pushed > FOLD_BUTTON, kept, float(share[0] @ np.maximum(pushed, FOLD_BUTTON)), unknown)
    called, folded = stack * worths.first.max(axis=1), FOLD_BIG_BLIND * worths.met[1]
    value = float(share[1] @ (np.maximum(called, folded) + 0.5 * (1.0 - worths.met[1])))
    big_blind = Answer(called > folded, worths.first.argmax(axis=1).astype(np.uint8), value, unknown)
    return button, big_blind


def score(
    dealer: Dealer,
    stack: float,
    policy: DrawPolicy,
    answers: tuple[Answer, Answer],
    deals: int,
    rng: int = 0,
    threads: int = 2,
) -> Score:
    """Play a policy and two answers to it (the button's, the big blind's) on the same fresh deals."""
    if isinstance(deals, bool) or not isinstance(deals, int) or deals < 2:
        raise BadValue(f"cannot score on {deals!r} deals; give a whole number of at least 2")
    streams = np.random.default_rng(rng).spawn(threads)
    sums = np.zeros((threads, 5, 3))
    sums[:, 0, 0] = [deals // threads + (part < deals % threads) for part in range(threads)]

    def one(part: int) -> None:
        table = fresh_table(dealer)
        score_deals(dealer, stack, policy, answers[0], answers[1], streams[part], table, sums[part])

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(one, range(threads)))
    return _score(deals, sums.sum(axis=0))


def _score(deals: int, sums: np.ndarray) -> Score:
    mean = sums[1] / deals
    spread = (sums[2:] / deals - np.outer(mean, mean)) * deals / (deals - 1)

    def error(*combination: float) -> float:
        along = np.array(combination)
        return sqrt(max(float(along @ spread @ along), 0.0) / deals)

    value, button, big_blind = (float(number) for number in mean)
    return Score(
        deals=deals,
        value=value,
        value_error=error(1, 0, 0),
        button_gain=button - value,
        button_error=error(-1, 1, 0),
        big_blind_gain=value - big_blind,
        big_blind_error=error(1, 0, -1),
        nash_conv=button - big_blind,
        nash_conv_error=error(0, 1, -1),
    )
