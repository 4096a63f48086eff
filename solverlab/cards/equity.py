"""Exact equity: hand or range against hand or range, on any board, every runout counted.

Before the flop the boards are thinned by the renamings of suits that change neither range; then each board is
either compared hand by hand (few hands) or swept in order of strength (many hands), whichever is cheaper.
"""

from __future__ import annotations

import numpy as np

from solverlab.cards.cards import COMBOS, Cards, combo, parse_board, parse_hole
from solverlab.cards.evaluate_high import BIT, KEY, START, rank_of
from solverlab.cards.isomorphism import HOLE_PERM, PERMS, suit_masks
from solverlab.cards.ranges import Range
from solverlab.cards.showdown import new_order, order_hands
from solverlab.core.errors import BadValue
from solverlab.core.kernel import inner_kernel, kernel

Hands = str | Range | np.ndarray | Cards


class Equity(float):
    """The first side's share of the pot: wins plus half the ties. A float that also knows win, tie and lose.

    >>> result = equity("AhAs", "KdKc")
    >>> round(result, 6), round(result.win + result.tie + result.lose, 12)
    (0.812555, 1.0)
    """

    win: float
    tie: float
    lose: float
    weight: float

    def __new__(cls, win: float, tie: float, lose: float) -> Equity:
        """Shares from the masses of showdowns won, tied and lost."""
        win, tie, lose = float(win), float(tie), float(lose)
        weight = win + tie + lose
        made = super().__new__(cls, (win + tie / 2) / weight)
        made.win, made.tie, made.lose, made.weight = win / weight, tie / weight, lose / weight, weight
        return made

    def __repr__(self) -> str:
        return f"Equity({float(self):.6f}: win {self.win:.6f}, tie {self.tie:.6f}, lose {self.lose:.6f})"


@inner_kernel
def _next_runout(places, limit):
    """Advance ascending places below limit to the next set in colex order; False after the last one."""
    last = len(places) - 1
    for k in range(last + 1):
        if places[k] + 1 < (places[k + 1] if k < last else limit):
            places[k] += 1
            for j in range(k):
                places[j] = j
            return True
    return False


@inner_kernel
def _board_weight(board, renamings):
    """How many boards this one stands for under the renamings; 0 if another of them is chosen instead."""
    masks = np.zeros(4, np.int64)
    suit_masks(board, masks)
    key = ((masks[0] * 8192 + masks[1]) * 8192 + masks[2]) * 8192 + masks[3]
    same = 0
    for p in range(len(renamings)):
        a, b, c, d = renamings[p, 0], renamings[p, 1], renamings[p, 2], renamings[p, 3]
        other = ((masks[a] * 8192 + masks[b]) * 8192 + masks[c]) * 8192 + masks[d]
        if other > key:
            return 0
        same += other == key
    return len(renamings) // same


@inner_kernel
def _compare_all(board, hands, split, weight, rank, result):
    """Compare hands[:split] of one side with hands[split:] of the other on one complete board."""
    key, bits, taken = START, np.uint64(0), np.int64(0)
    for card in board:
        key, bits, taken = key + KEY[card], bits | BIT[card], taken | np.int64(1) << card
    for h in range(len(hands)):
        a, b = hands[h, 0], hands[h, 1]
        free = not (taken >> a | taken >> b) & 1
        rank[h] = rank_of(key + KEY[a] + KEY[b], bits | BIT[a] | BIT[b]) if free else 0
    for i in range(split):
        if rank[i] > 0:
            a, b = hands[i, 0], hands[i, 1]
            for j in range(split, len(hands)):
                c, d = hands[j, 0], hands[j, 1]
                if rank[j] > 0 and a != c and a != d and b != c and b != d:
                    result[1 + (rank[i] > rank[j]) - (rank[i] < rank[j])] += weight[i] * weight[j]


@inner_kernel
def _sweep_board(board, order, first, second, scratch, result):
    """The same for ranges first[1326], second[1326] in one sweep; scratch float64[3, 52]."""
    low, high, combo_of, start = order.low, order.high, order.combo, order.start
    groups = order_hands(board, order)
    below_card, all_card, tied_card = scratch[0], scratch[1], scratch[2]
    scratch[:] = 0.0
    below = total = 0.0
    for i in range(start[groups]):
        amount = second[combo_of[i]]
        total += amount
        all_card[low[i]] += amount
        all_card[high[i]] += amount
    for g in range(groups):
        tied = 0.0
        for i in range(start[g], start[g + 1]):
            amount = second[combo_of[i]]
            tied += amount
            tied_card[low[i]] += amount
            tied_card[high[i]] += amount
        for i in range(start[g], start[g + 1]):
            own, a, b, amount = first[combo_of[i]], low[i], high[i], second[combo_of[i]]
            won = own * (below - below_card[a] - below_card[b])
            drawn = own * (tied - tied_card[a] - tied_card[b] + amount)
            result[2] += won
            result[1] += drawn
            result[0] += own * (total - all_card[a] - all_card[b] + amount) - won - drawn
        below += tied
        for i in range(start[g], start[g + 1]):
            for card in (low[i], high[i]):
                below_card[card] += tied_card[card]
                tied_card[card] = 0.0


@kernel
def _all_runouts(board, renamings, hands, split, weight, sides, order):
    """Lost, tied and won mass over all completions of the board; `sides` [2, 1326] when hands is empty."""
    taken, size = np.int64(0), 0
    free, full = np.zeros(52, np.int64), np.zeros(5, np.int64)
    for k in range(len(board)):
        full[k] = board[k]
        taken |= np.int64(1) << board[k]
    for card in range(52):
        if not taken >> card & 1:
            free[size] = card
            size += 1
    places, result, part = np.arange(5 - len(board)), np.zeros(3), np.zeros(3)
    rank, scratch = np.zeros(len(hands), np.int64), np.zeros((3, 52))
    more = True
    while more:
        for k in range(len(places)):
            full[len(board) + k] = free[places[k]]
        times = _board_weight(full, renamings) if len(renamings) > 1 else 1
        if times > 0:
            part[:] = 0.0
            if len(hands) > 0:
                _compare_all(full, hands, split, weight, rank, part)
            else:
                _sweep_board(full, order, sides[0], sides[1], scratch, part)
            for k in range(3):
                result[k] += times * part[k]
        more = _next_runout(places, size)
    return result


def _weights(hands: Hands, board: tuple[int, ...]) -> np.ndarray:
    """Weights float64[1326] of a hand or range, without what the board blocks."""
    if isinstance(hands, Range):
        weight = hands.weight
    elif isinstance(hands, str):
        weight = Range(hands).weight
    elif np.shape(hands) == (1326,):
        weight = Range(np.asarray(hands)).weight
    else:
        weight = np.zeros(1326)
        weight[combo(*parse_hole(hands))] = 1.0
    free = np.where(np.isin(COMBOS, board).any(axis=1), 0.0, weight)
    if not free.any():
        raise BadValue(f"no hand of {hands!r} is possible on the board")
    return free


def _same_renamings(sides: np.ndarray, board: tuple[int, ...]) -> np.ndarray:
    """Renamings of suits uint8[n, 4] that change neither side; after the flop none, as boards are few."""
    if board:
        return PERMS[:1]
    return np.array(
        [perm for perm, moved in zip(PERMS, HOLE_PERM, strict=True) if (sides[:, moved] == sides).all()]
    )


def equity(a: Hands, b: Hands, board: Cards = "") -> Equity:
    """The exact equity of a hand or range `a` against `b`, over every deal and runout.

    >>> equity("AhKh", "66+, AJs+", "Td9d6h2c")
    Equity(0.209517: win 0.180398, tie 0.058239, lose 0.761364)
    """
    public = parse_board(board)
    sides = np.stack([_weights(a, public), _weights(b, public)])
    counts = np.count_nonzero(sides, axis=1)
    hands, weight, split = np.zeros((0, 2), np.int64), np.zeros(0), 0
    if 4 * counts.sum() + counts[0] * counts[1] < 8000:  # nanoseconds of comparing against those of a sweep
        chosen = np.concatenate([np.flatnonzero(side) for side in sides])
        split = int(counts[0])
        hands = COMBOS[chosen].astype(np.int64)
        weight = np.concatenate([side[side > 0] for side in sides])
    board_cards = np.array(public, np.int64)
    lost, tied, won = _all_runouts(
        board_cards, _same_renamings(sides, public), hands, split, weight, sides, new_order()
    )
    if lost + tied + won <= 0:
        raise BadValue(f"{a!r} and {b!r} always share a card, so they cannot meet")
    return Equity(won, tied, lost)
