"""Random play to the end of a hand: what follows a public state when everybody chooses blindly.

The same betting as `holdem_betting.following`, compiled: a hand is a few numbers that change from action to
action, seats are bits. Millions of playouts a second instead of thousands.
"""

from __future__ import annotations

from typing import NamedTuple
from zlib import crc32

import numpy as np

from solverlab.core.kernel import kernel
from solverlab.games.holdem_betting import DUST, NOBODY, RIVER, BettingState, state_text
from solverlab.games.holdem_rules import MOST_BETS, HoldemRules

STREET, ACTOR, LIVE, OWED, CLOSED, RAISES = range(6)
LEVEL, LEAST_RAISE = range(2)
FOLD = -1.0  # a total of chips that nobody pays


class Menu(NamedTuple):
    """The rules of a table for kernels; `fixed` is the bet of each street at a limit table, else empty."""

    stacks: np.ndarray
    bets: np.ndarray
    fixed: np.ndarray
    big_blind: float
    allin: bool
    max_raises: int


class Hand(NamedTuple):
    """A hand in play: chips float64[P]; level and least raise; street, actor, bits of seats, raises."""

    paid: np.ndarray
    chips: np.ndarray
    now: np.ndarray


class RandomEnds(NamedTuple):
    """How random play ends, R ways from each known state: paid float64[G, R, P] and live uint32[G, R].

    place int32[S] is the row G of a state, -1 where the hand is over already.
    """

    place: np.ndarray
    paid: np.ndarray
    live: np.ndarray


def menu_of(rules: HoldemRules) -> Menu:
    """Rules as numbers."""
    fixed = [rules.limit_bet(street) for street in range(4)] if rules.betting == "limit" else []
    return Menu(
        np.array(rules.stacks),
        np.array(rules.bets, np.float64),
        np.array(fixed, np.float64),
        float(rules.big_blind),
        rules.allin,
        rules.max_raises,
    )


def hand_of(state: BettingState) -> Hand:
    """A public state as numbers."""
    seats = (
        (p for p, alive in enumerate(state.live) if alive),
        state.owed,
        state.closed,
    )
    live, owed, closed = (sum(1 << p for p in who) for who in seats)
    now = np.array([state.street, state.actor, live, owed, closed, state.raises], np.int64)
    return Hand(np.array(state.paid), np.array([state.level, state.least_raise]), now)


def random_ends(
    menu: Menu, state: BettingState, ways: int, seed: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray]:
    """So many ways to play on at random: chips put in float64[R, P] and who is left uint32[R].

    Seeded by the state itself: it is played out alike whenever, and by whomever, it is asked for.
    """
    luck = np.random.default_rng([*seed, crc32(state_text(state).encode())])
    paid, live = np.empty((ways, len(state.paid))), np.empty(ways, np.uint32)
    play_out(menu, hand_of(state), luck, paid, live)
    return paid, live


@kernel
def play_out(menu, start, luck, paid, live):
    """Play on from a hand at random, paid[R, P] and live[R] at the end of each of R ways."""
    hand = Hand(start.paid.copy(), start.chips.copy(), start.now.copy())
    totals = np.empty(MOST_BETS + 3)
    for way in range(len(live)):
        hand.paid[:], hand.chips[:], hand.now[:] = start.paid, start.chips, start.now
        while True:
            if hand.now[ACTOR] != NOBODY:
                choices = list_totals(menu, hand, totals)
                pay(menu, hand, totals[int(luck.random() * choices)])
            elif hand.now[OWED]:
                open_street(menu, hand)
            else:
                break
        paid[way], live[way] = hand.paid, hand.now[LIVE]


@kernel
def list_totals(menu, hand, totals):
    """What the actor may put in altogether, in the order of the labels, into totals; how many there are."""
    p, level = hand.now[ACTOR], hand.chips[LEVEL]
    stack, count = menu.stacks[p], 0
    if level - hand.paid[p] > DUST:
        totals[0], count = FOLD, 1
    totals[count] = min(level, stack)
    count += 1
    others = _with_chips(menu, hand) & ~(1 << p)
    if hand.now[CLOSED] >> p & 1 or not others or stack <= level + DUST:
        return count
    if hand.now[RAISES] >= menu.max_raises:
        return count
    if len(menu.fixed):
        totals[count] = min(level + menu.fixed[hand.now[STREET]], stack)
        return count + 1
    first, pot = count, hand.paid.sum() + level - hand.paid[p]
    for fraction in menu.bets:
        total = level + max(fraction * pot, hand.chips[LEAST_RAISE])
        if total < stack - DUST and not _listed(totals, first, count, total):
            totals[count] = total
            count += 1
    if menu.allin or count == first:
        totals[count] = stack
        count += 1
    return count


@kernel
def _listed(totals, first, last, total):
    """Whether a size is on the menu already."""
    for k in range(first, last):
        if totals[k] == total:
            return True
    return False


@kernel
def pay(menu, hand, total):
    """The actor folds, checks, calls, bets or raises: its chips become `total`, and the turn passes on."""
    now, p = hand.now, hand.now[ACTOR]
    seat = 1 << p
    if total == FOLD:
        now[LIVE] &= ~seat
        now[OWED] &= ~seat
    elif total <= hand.chips[LEVEL] + DUST:
        hand.paid[p] = total
        now[OWED] &= ~seat
        now[CLOSED] |= seat
    else:
        raised = total - hand.chips[LEVEL]
        hand.paid[p], hand.chips[LEVEL] = total, total
        now[OWED] = _with_chips(menu, hand) & ~seat
        now[CLOSED] = seat if raised >= hand.chips[LEAST_RAISE] - DUST else now[CLOSED] | seat
        hand.chips[LEAST_RAISE] = max(hand.chips[LEAST_RAISE], raised)
        now[RAISES] += 1
    pass_on(menu, hand, p + 1)


@kernel
def open_street(menu, hand):
    """Cards come; the first live seat after the button opens."""
    hand.now[STREET] += 1
    hand.now[CLOSED], hand.now[RAISES] = 0, 0
    hand.chips[LEAST_RAISE] = menu.big_blind
    pass_on(menu, hand, 1 if len(menu.stacks) == 2 else 0)


@kernel
def pass_on(menu, hand, start):
    """Hand the turn on from a seat; without anybody to act the street waits for cards, or the hand ends."""
    now, players = hand.now, len(menu.stacks)
    now[ACTOR] = NOBODY
    if not now[LIVE] & (now[LIVE] - 1):  # one seat is left
        now[OWED] = 0
        return
    for k in range(players):
        seat = (start + k) % players
        if now[OWED] >> seat & 1:
            now[ACTOR] = seat
            return
    willing = _with_chips(menu, hand)
    now[OWED] = willing if now[STREET] < RIVER and willing & (willing - 1) else 0


@kernel
def _with_chips(menu, hand):
    """Live seats that could still bet, as bits."""
    found = 0
    for p in range(len(menu.stacks)):
        if hand.now[LIVE] >> p & 1 and hand.paid[p] < menu.stacks[p] - DUST:
            found |= 1 << p
    return found
