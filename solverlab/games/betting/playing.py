"""Random play to the end of a hand: what follows a public state when everybody chooses blindly.

The same betting as `states.following`, compiled: a hand is a few numbers that change from action to action,
seats are bits. Millions of playouts a second instead of thousands.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from solverlab.core.kernel import inner_kernel, kernel
from solverlab.games.betting.numbers import (
    ACTOR,
    BASE,
    BEYOND_ALL_IN,
    BEYOND_ONLY,
    CLIP,
    CLOSED,
    DROP,
    LAST,
    LEADER,
    LEAST_RAISE,
    LEVEL,
    LIVE,
    NO_CAP,
    OWED,
    RAISES,
    STREET,
    TOTAL,
    Hand,
    Menu,
    hand_of,
)  # fmt: skip
from solverlab.games.betting.raising import DONK, DUST, NOBODY, OPEN, RAISE
from solverlab.games.betting.sizes import ALL_IN, BET, CHIPS, MOST_SIZES, POT, PREVIOUS, TO
from solverlab.games.betting.states import FOLD, State, state_text

if TYPE_CHECKING:
    pass


def random_ends(menu: Menu, state: State, ways: int, seed: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
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
    totals = np.empty(MOST_SIZES + 3)
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


@inner_kernel
def list_totals(menu, hand, totals):
    """What the actor may put in altogether, in the order of the labels, into totals; how many there are."""
    now, p, level = hand.now, hand.now[ACTOR], hand.chips[LEVEL]
    count = 0
    if level - hand.paid[p] > DUST:
        totals[0], count = FOLD, 1
        if menu.limp[now[STREET]] or now[STREET] > 0 or now[RAISES] > menu.forced:
            totals[1], count = min(level, menu.stacks[p]), 2
    else:
        totals[0], count = hand.paid[p], 1
    if not _may_raise(menu, hand):
        return count
    return _list_raises(menu, hand, totals, count)


@inner_kernel
def _may_raise(menu, hand):
    """Whether more than a call can be put in: chips, somebody to call it, and a betting that is open."""
    p, level = hand.now[ACTOR], hand.chips[LEVEL]
    if menu.stacks[p] <= level + DUST:
        return False
    if hand.now[CLOSED] >> p & 1 and level - hand.paid[p] < hand.chips[LAST] - DUST:
        return False
    for q in range(len(menu.stacks)):
        if q != p and hand.now[LIVE] >> q & 1 and menu.stacks[q] > level + DUST:
            return True
    return False


@inner_kernel
def _capped(menu, now):
    """Whether a cap of the street or the hand leaves no listed size."""
    raises = now[RAISES]
    if not menu.opening_counts:
        if raises == 0:
            return False
        made = raises - 1
    else:
        made = raises - (menu.forced if now[STREET] == 0 else 0)
    return made >= menu.cap[now[STREET]] or now[TOTAL] >= menu.total


@inner_kernel
def _list_raises(menu, hand, totals, count):
    """Bets and raises behind the `count` totals that are listed already; how many there are then."""
    now, p, level = hand.now, hand.now[ACTOR], hand.chips[LEVEL]
    stack, pot = menu.stacks[p], menu.dead + hand.paid.sum() + level - hand.paid[p]
    most = min(stack, level + max(pot, hand.chips[LEAST_RAISE])) if menu.pot_limit else stack
    everything = most >= stack - DUST
    if _capped(menu, now):
        totals[count] = stack
        return count + (1 if menu.allin_at_cap and everything else 0)
    which, first, listed, reached = _menu_asked(now), count, False, False
    kinds, untils = menu.kind[now[STREET], p, which], menu.until[now[STREET], p, which]
    for k in range(len(kinds)):
        if kinds[k] < 0:
            break
        if kinds[k] == ALL_IN:
            listed = True
            continue
        if now[RAISES] > untils[k]:
            continue
        total = min(_sized(menu, hand, which, k, pot), most)
        if total >= stack - DUST:
            reached = True
        elif total > level + DUST and not _among(totals, first, count, total):
            totals[count] = total
            count += 1
    offered = kinds[0] >= 0
    nothing_else = offered and count == first and menu.beyond == BEYOND_ONLY
    if everything and (listed or nothing_else or (reached and menu.beyond == BEYOND_ALL_IN)):
        totals[count] = stack
        count += 1
    elif nothing_else and not listed:
        totals[count] = most
        count += 1
    if menu.switches.max() > 0:
        return _switch(menu, hand, totals, first, count, everything)
    return count


@inner_kernel
def _menu_asked(now):
    """Which of the three menus counts."""
    if now[RAISES]:
        return RAISE
    leader = now[LEADER]
    return DONK if leader >= 0 and leader != now[ACTOR] and now[OWED] >> leader & 1 else OPEN


@inner_kernel
def _switch(menu, hand, totals, first, count, everything):
    """All-in added or forced, and near sizes merged, among totals[first:count]; how many there are then."""
    p, level = hand.now[ACTOR], hand.chips[LEVEL]
    pot, stack, most = menu.dead + hand.paid.sum() + level - hand.paid[p], menu.stacks[p], 0.0
    for q in range(len(menu.stacks)):
        if q != p and hand.now[LIVE] >> q & 1:
            most = max(most, min(stack, menu.stacks[q]))
    add, force, merge = menu.switches
    if everything and most <= level + _rounded(menu, pot * add) + DUST:
        totals[count] = stack
        count += 1
    for k in range(first, count):
        part = (pot + 2 * (totals[k] - level)) * force
        if everything and most <= totals[k] + _rounded(menu, part) + DUST:
            totals[k] = stack
    totals[first:count].sort()
    above, kept = math.inf, count
    for k in range(count - 1, first - 1, -1):
        share = (min(totals[k], most) - level) / pot
        if share < above - DUST:
            kept -= 1
            totals[kept] = totals[k]
            above = (share - merge) / (1 + merge)
    for k in range(count - kept):
        totals[first + k] = totals[kept + k]
    return first + count - kept


@inner_kernel
def _rounded(menu, amount):
    """To whole units, halves up."""
    return menu.unit * math.floor(amount / menu.unit + 0.5) if menu.unit > 0 else amount


@inner_kernel
def _sized(menu, hand, which, k, pot):
    """The total that the k-th size of a menu stands for; the level itself where it is left out."""
    street, p = hand.now[STREET], hand.now[ACTOR]
    kind, value = menu.kind[street, p, which, k], menu.value[street, p, which, k]
    level, least, small = hand.chips[LEVEL], hand.chips[LEAST_RAISE], menu.small[hand.now[STREET]]
    if kind == TO:
        if value >= level + least or (value > level + DUST and small > DROP):
            return value
        return level + least if value > level + DUST and small == CLIP else level
    if kind == POT:
        by = value * pot
    elif kind == CHIPS:
        by = value
    elif kind == PREVIOUS:
        by = value * least
    elif kind == BET:
        by = (value - 1) * (level - hand.chips[BASE])
    else:
        by = min(_geometric(menu, hand, value, pot), menu.share[street, p, which, k] * pot)
    by = _rounded(menu, by)
    if by < least and small == DROP:
        return level
    return level + (max(by, least) if small == CLIP else by)


@inner_kernel
def _geometric(menu, hand, value, pot):
    """`sizes.grown_geometrically` for the two largest live stacks."""
    largest, second = 0.0, 0.0
    for q in range(len(menu.stacks)):
        if hand.now[LIVE] >> q & 1:
            if menu.stacks[q] > largest:
                largest, second = menu.stacks[q], largest
            elif menu.stacks[q] > second:
                second = menu.stacks[q]
    behind = min(menu.stacks[hand.now[ACTOR]], second) - hand.chips[LEVEL]
    if behind <= 0 or pot <= 0:
        return 0.0
    streets = value if value > 0 else float(len(menu.cap) - hand.now[STREET])
    streets = max(streets - max(hand.now[RAISES] - 1, 0), 1.0)
    return pot * ((2 * behind / pot + 1) ** (1 / streets) - 1) / 2


@inner_kernel
def _among(totals, first, last, total):
    """Whether a size is on the menu already."""
    for k in range(first, last):
        if totals[k] == total:
            return True
    return False


@inner_kernel
def pay(menu, hand, total):
    """The actor folds, checks, calls, bets or raises: its chips become `total`, and the turn passes on."""
    now, chips, p = hand.now, hand.chips, hand.now[ACTOR]
    seat = 1 << p
    if total == FOLD:
        now[LIVE] &= ~seat
        now[OWED] &= ~seat
    elif total <= chips[LEVEL] + DUST:
        hand.paid[p] = total
        now[OWED] &= ~seat
        now[CLOSED] |= seat
    else:
        by = total - chips[LEVEL]
        hand.paid[p], chips[LEVEL] = total, total
        now[OWED] = _with_chips(menu, hand) & ~seat
        now[CLOSED] = seat if by >= chips[LAST] - DUST else now[CLOSED] | seat
        chips[LEAST_RAISE] = max(chips[LEAST_RAISE], by)
        chips[LAST] = max(chips[LAST], by)
        if menu.total < NO_CAP and (menu.opening_counts or now[RAISES] > 0):
            now[TOTAL] += 1
        now[RAISES] += 1
        now[LEADER] = p if menu.remembers_leader else NOBODY
    pass_on(menu, hand, p + 1)


@inner_kernel
def open_street(menu, hand):
    """Cards come; the first live seat of the next street begins."""
    hand.now[STREET] += 1
    if hand.now[RAISES] == 0:
        hand.now[LEADER] = NOBODY
    hand.now[CLOSED], hand.now[RAISES] = 0, 0
    hand.chips[LEAST_RAISE], hand.chips[LAST] = menu.least, 0.0
    if menu.remembers_base:
        hand.chips[BASE] = hand.chips[LEVEL]
    pass_on(menu, hand, menu.first[hand.now[STREET]])


@inner_kernel
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
    more = now[STREET] + 1 < len(menu.cap) and willing & (willing - 1)
    now[OWED] = willing if more else 0


@inner_kernel
def _with_chips(menu, hand):
    """Live seats that could still bet, as bits."""
    found = 0
    for p in range(len(menu.stacks)):
        if hand.now[LIVE] >> p & 1 and hand.paid[p] < menu.stacks[p] - DUST:
            found |= 1 << p
    return found
