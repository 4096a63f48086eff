"""One sweep through a (position, holding) tree: the EV of every node over its shared sample of deals.

The sample is sorted by the own buckets of the streets, so that the deals which come to a node are a range
`low[n] .. high[n]`, whatever was bet. Nodes are visited parents first, each with all its deals at once; deals
go in blocks, so that a block of a tree stays in the cache.

With w the probability that all others play to a node in a deal (own choices left out) and v what the hand is
then worth, the conditional EV is sum(w v) / sum(w). It is a ratio, and its standard error that of a ratio.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solverlab.core.bisection import count_up_to
from solverlab.core.kernel import inner_kernel, kernel
from solverlab.solvers.growing.sampled.rollout import Playing, roll_out

BLOCK = 256
MASS, MASS_SQUARED, WORTH, WORTH_SQUARED, BOTH = range(5)
LOOKUPS, MISSES, TOUCHED = range(3)
SHOWN, PLAYED_ON = -1, -2  # what a leaf is worth, where nobody has given that


class Sample(NamedTuple):
    """Deals of one tree, sorted by own buckets: info uint16[P, 4, D], rank uint16[P, D]; its seat; H.

    given float64[...]: what leaves are worth deal by deal, one after the other, where somebody's own function
    says so; playing: luck and random ends, where leaves are rolled out; weight float64[D]: how much a deal
    counts where flops are dealt more evenly than they fall, else empty.
    """

    info: np.ndarray
    rank: np.ndarray
    seat: int
    hands: int
    given: np.ndarray
    playing: Playing
    weight: np.ndarray


class Ranges(NamedTuple):
    """Where a node's deals are: low, high int32[N]; row int32[N], its place among the nodes of its tree.

    given int32[N] is where its worth begins in what the sample has given; else SHOWN or PLAYED_ON.
    """

    low: np.ndarray
    high: np.ndarray
    row: np.ndarray
    given: np.ndarray


class Scratch(NamedTuple):
    """Room for one tree of M nodes and a block of B deals.

    reach, worth: float64[M, B]; at int32[M, P, B], where each opponent stands in its own tree; best
    uint16[B], the best hand among opponents.
    """

    reach: np.ndarray
    worth: np.ndarray
    at: np.ndarray
    best: np.ndarray


def fresh_scratch(nodes: int, players: int) -> Scratch:
    reach, worth = np.empty((nodes, BLOCK)), np.empty((nodes, BLOCK))
    at = np.empty((nodes, players, BLOCK), np.int32)
    return Scratch(reach, worth, at, np.empty(BLOCK, np.uint16))


@kernel
def find_ranges(nodes, rows, sample, members, ranges):
    """Which deals come to each node of the tree with these members, into ranges."""
    for m in range(len(members)):
        n = members[m]
        parent = nodes.parent[n]
        ranges.row[n], ranges.given[n] = m, SHOWN
        low, high = 0, sample.info.shape[2]
        if parent >= 0:
            low, high = ranges.low[parent], ranges.high[parent]
            if rows.deals[nodes.state[parent]]:
                column = sample.info[sample.seat, rows.street[nodes.state[n]], low:high]
                bucket = n - nodes.first[parent]
                high = low + count_up_to(column, bucket)
                low = low + count_up_to(column, bucket - 1)
        ranges.low[n], ranges.high[n] = low, high


@kernel
def sweep_tree(nodes, rows, sample, members, ranges, scratch, sums, counts):
    """Add up sums[n, 5] over all deals of a tree and count lookups, misses and node-deals in counts[3]."""
    deals = sample.info.shape[2]
    for m in range(len(members)):
        sums[members[m]] = 0.0
    for begin in range(0, deals, BLOCK):
        end = min(begin + BLOCK, deals)
        _sit_down(sample, begin, end, scratch)
        for m in range(len(members)):
            n = members[m]
            low, high = max(ranges.low[n], begin), min(ranges.high[n], end)
            if low < high:
                counts[TOUCHED] += high - low
                _visit(nodes, rows, sample, (n, m, low, high, begin), ranges, scratch, counts)
        for m in range(len(members) - 1, -1, -1):
            n = members[m]
            low, high = max(ranges.low[n], begin), min(ranges.high[n], end)
            if low < high:
                _collect(nodes, rows, sample.seat, (n, m, low - begin, high - begin), ranges, scratch, sums)


@inner_kernel
def _sit_down(sample, begin, end, scratch):
    """Everybody at the root of the tree of the hand they were dealt."""
    for d in range(begin, end):  # written out: a row into a slice has strings compiled, for a sentence
        scratch.reach[0, d - begin] = sample.weight[d] if len(sample.weight) > 0 else 1.0
    for q in range(sample.info.shape[0]):
        root = 1 + q * sample.hands
        for d in range(begin, end):
            scratch.at[0, q, d - begin] = root + sample.info[q, 0, d]


@inner_kernel
def _visit(nodes, rows, sample, here, ranges, scratch, counts):
    """A node with its deals: show the cards where the tree ends, else move everybody to its children."""
    n, m, low, high, begin = here
    state = nodes.state[n]
    if nodes.first[n] == 0:
        if ranges.given[n] == SHOWN:
            _show_down(rows, state, sample, here, scratch)
        elif ranges.given[n] == PLAYED_ON:
            roll_out(nodes, rows, sample, here, scratch)
        else:
            _take_given(sample, here, ranges, scratch)
        return
    scratch.worth[m, low - begin : high - begin] = 0.0
    child = ranges.row[nodes.first[n]]
    if rows.deals[state]:
        _deal(nodes, rows, sample, here, child, ranges, scratch)
        return
    if rows.actor[state] == sample.seat:
        for j in range(nodes.count[n]):
            for d in range(low - begin, high - begin):
                scratch.reach[child + j, d] = scratch.reach[m, d]
    else:
        _look_up(nodes, rows.actor[state], here, child, scratch, counts)
    live = rows.live[state]
    for q in range(scratch.at.shape[1]):
        if q != sample.seat and live >> q & 1:
            for j in range(nodes.count[n]):
                # Where others stand at a leaf is asked only by roll-outs.
                if nodes.first[nodes.first[n] + j] > 0 or len(sample.playing.luck) > 0:
                    before, after = scratch.at[m, q], scratch.at[child + j, q]
                    for d in range(low - begin, high - begin):
                        first = nodes.first[before[d]]
                        after[d] = first + j if first > 0 else 0


@inner_kernel
def _look_up(nodes, actor, here, child, scratch, counts):
    """Reach times the opponent's choice; beyond its own frontier it plays uniformly, and that is counted."""
    n, m, low, high, begin = here
    actions = nodes.count[n]
    misses = 0
    for d in range(low - begin, high - begin):
        first = nodes.first[scratch.at[m, actor, d]]
        misses += first == 0
        for j in range(actions):
            share = nodes.sigma[first + j] if first > 0 else 1.0 / actions
            scratch.reach[child + j, d] = scratch.reach[m, d] * share
    counts[LOOKUPS] += high - low
    counts[MISSES] += misses


@inner_kernel
def _deal(nodes, rows, sample, here, child, ranges, scratch):
    """Each deal goes to the child of the own bucket, and opponents to the child of theirs."""
    n, m, low, high, begin = here
    first_child = nodes.first[n]
    street = rows.street[nodes.state[first_child]]
    live = rows.live[nodes.state[n]]
    for d in range(low, high):
        c = child + sample.info[sample.seat, street, d]
        scratch.reach[c, d - begin] = scratch.reach[m, d - begin]
        for q in range(scratch.at.shape[1]):
            if q != sample.seat and live >> q & 1:
                first = nodes.first[scratch.at[m, q, d - begin]]
                scratch.at[c, q, d - begin] = first + sample.info[q, street, d] if first > 0 else 0


@inner_kernel
def _take_given(sample, here, ranges, scratch):
    """Reach times what somebody's own function says a leaf is worth."""
    n, m, low, high, begin = here
    worth, reach = scratch.worth[m, low - begin : high - begin], scratch.reach[m, low - begin : high - begin]
    first = ranges.given[n] + low - ranges.low[n]
    for d in range(high - low):
        worth[d] = reach[d] * sample.given[first + d]


@inner_kernel
def _show_down(rows, state, sample, here, scratch):
    """Reach times what the hand wins where it stops: each layer of the pot to the best, ties split."""
    n, m, low, high, begin = here
    seat, paid = sample.seat, rows.paid[state, sample.seat]
    worth, reach = scratch.worth[m, low - begin : high - begin], scratch.reach[m, low - begin : high - begin]
    mine, best = sample.rank[seat, low:high], scratch.best[: high - low]
    worth[:] = -paid
    for k in range(rows.amount.shape[1]):
        amount, seats = rows.amount[state, k], rows.seats[state, k]
        if amount == 0.0 or not seats >> seat & 1:
            continue
        best[:] = 0
        for q in range(sample.rank.shape[0]):
            if q != seat and seats >> q & 1:
                other = sample.rank[q, low:high]
                for d in range(len(best)):
                    best[d] = max(best[d], other[d])
        for d in range(len(best)):
            worth[d] += amount if mine[d] > best[d] else 0.0
        for d in range(len(best)):
            if mine[d] == best[d]:
                worth[d] += amount / _winners(sample.rank, low + d, seats, mine[d])
    for d in range(len(best)):
        worth[d] *= reach[d]


@inner_kernel
def _winners(rank, deal, seats, best):
    """How many of these seats hold the best hand."""
    winners = 0
    for q in range(rank.shape[0]):
        winners += seats >> q & 1 and rank[q, deal] == best
    return winners


@inner_kernel
def _collect(nodes, rows, seat, here, ranges, scratch, sums):
    """Add a node's deals up, and hand what they are worth to its parent."""
    n, m, low, high = here
    reach, worth = scratch.reach[m], scratch.worth[m]
    mass = mass_squared = total = total_squared = both = 0.0
    for d in range(low, high):
        w, x = reach[d], worth[d]
        mass += w
        mass_squared += w * w
        total += x
        total_squared += x * x
        both += x * w
    sums[n, MASS] += mass
    sums[n, MASS_SQUARED] += mass_squared
    sums[n, WORTH] += total
    sums[n, WORTH_SQUARED] += total_squared
    sums[n, BOTH] += both
    parent = nodes.parent[n]
    if parent >= 0:
        share = nodes.sigma[n] if rows.actor[nodes.state[parent]] == seat else 1.0
        above = scratch.worth[ranges.row[parent]]
        for d in range(low, high):
            above[d] += share * worth[d]
