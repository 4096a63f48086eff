"""A leaf of a forest played on: everybody goes by the strategy now played, and at random beyond its tree.

Opponents may have trees that reach further than the one that ends here, so a roll-out follows them: whoever
has a strategy for the state draws from it, whoever has none chooses uniformly. Once nobody's tree goes on,
the rest is random play, drawn beforehand by the game. Every deal has luck of its own, the same at all leaves.
The random ends of a state are shared by all trees of an epoch: the error of one EV is honest, but errors of
several trees are not independent of each other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solverlab.core.dealt_game import DealtGame, RandomEnds
from solverlab.core.errors import TooLarge
from solverlab.core.generator_words import fill_words
from solverlab.core.kernel import inner_kernel

MOST_BYTES = 2**30
LUCK = np.uint64(0x9E3779B97F4A7C15)  # steps of a counter that is scrambled into random bits
MIX, REMIX = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
HALF, WORD, SHARP, FINE = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)


class Playing(NamedTuple):
    """What a roll-out needs of a sample of D deals; all empty where leaves are not rolled out.

    luck uint64[D], a seed for every deal; way int64[D], which random end is its own; place int32[S], paid
    float64[G, R, P] and live uint32[G, R], the random ends of all public states (see `game.random_ends`).
    """

    luck: np.ndarray
    way: np.ndarray
    place: np.ndarray
    paid: np.ndarray
    live: np.ndarray


NOT_PLAYING = Playing(
    np.empty(0, np.uint64), np.empty(0, np.int64), np.empty(0, np.int32), np.empty((0, 0, 0)),
    np.empty((0, 0), np.uint32),
)  # fmt: skip


def check_ends(game: DealtGame, deals: int) -> None:
    """Refuse random ends that would not fit into memory."""
    rows = game.rows()
    size = int(((rows.actor >= 0) | rows.deals).sum()) * deals * (8 * game.n_players + 4)
    if size > MOST_BYTES:
        raise TooLarge(
            f"roll-outs of {deals:,} deals take {size / 1e9:.1f} GB; use fewer samples, or leaf='showdown'"
        )


def ready_to_play(words: np.ndarray, ends: RandomEnds, deals: int) -> Playing:
    """Luck for every deal of a sample, drawn after its cards from the generator words[4] of its tree."""
    luck = np.empty(deals, np.uint64)
    fill_words(words, luck)
    return Playing(luck, np.arange(deals), *ends)


@inner_kernel
def chance(seed, step):
    """A number from 0 to below 1: the `step`th of this seed (splitmix64, Steele et al. 2014)."""
    bits = seed + LUCK * np.uint64(step + 1)
    bits = (bits ^ bits >> HALF) * MIX
    bits = (bits ^ bits >> WORD) * REMIX
    bits ^= bits >> SHARP
    return (bits >> FINE) * (1.0 / 9007199254740992.0)


@inner_kernel
def roll_out(nodes, rows, sample, here, scratch):
    """Reach times what the hand wins when it is played on from a leaf, deal by deal."""
    n, m, low, high, begin = here
    at, live = np.empty(sample.info.shape[0], np.int32), rows.live[nodes.state[n]]
    for d in range(low, high):
        for q in range(len(at)):  # the own tree ends here, and where folded seats stood is not kept
            at[q] = scratch.at[m, q, d - begin] if live >> q & 1 and q != sample.seat else 0
        won = _play_on(nodes, rows, sample, nodes.state[n], d, at)
        scratch.worth[m, d - begin] = scratch.reach[m, d - begin] * won


@inner_kernel
def _play_on(nodes, rows, sample, state, d, at):
    """What the sample's seat wins in deal d from a public state on; at[P] is where everybody stands."""
    playing, step = sample.playing, 0
    while True:
        guide = _guide(nodes, rows.live[state], at)
        if guide == 0:
            break
        first = nodes.first[guide]
        if rows.deals[state]:
            state = nodes.state[first]
            for q in range(len(at)):
                at[q] = _below(nodes, at[q], sample.info[q, rows.street[state], d])
            continue
        mine = nodes.first[at[rows.actor[state]]]
        j = _drawn(nodes.sigma, mine, nodes.count[guide], chance(playing.luck[d], step))
        step += 1
        state = nodes.state[first + j]
        for q in range(len(at)):
            at[q] = _below(nodes, at[q], j)
    place = playing.place[state]
    if place < 0:  # the hand is over: what was put in is what the rules say
        return settled(rows.spent[state], rows.live[state], sample.rank, d, sample.seat)
    way = playing.way[d]
    return settled(playing.paid[place, way], playing.live[place, way], sample.rank, d, sample.seat)


@inner_kernel
def _guide(nodes, live, at):
    """A node of somebody still in the hand whose tree goes on here, 0 if there is none."""
    for q in range(len(at)):
        if live >> q & 1 and nodes.first[at[q]] > 0:
            return at[q]
    return 0


@inner_kernel
def _below(nodes, node, child):
    first = nodes.first[node]
    return first + child if first > 0 else 0


@inner_kernel
def _drawn(sigma, first, count, luck):
    """Which of `count` actions is taken: by the strategy at `first`, or blindly where that is 0."""
    if first == 0:
        return min(int(luck * count), count - 1)
    for j in range(count - 1):
        luck -= sigma[first + j]
        if luck < 0.0:
            return j
    return count - 1


@inner_kernel
def settled(paid, live, rank, d, seat):
    """What a seat wins in deal d of rank[P, D] when paid[P] was put in and the seats in `live` show cards.

    The pot is paid out in layers, one for each size of a live seat's chips; ties split a layer. What a last
    raiser put in beyond everybody else comes back, since nobody else can win that layer.
    """
    worth, below, own = -paid[seat], 0.0, live >> seat & 1
    while own:
        level = np.inf
        for q in range(len(paid)):
            if live >> q & 1 and paid[q] > below:
                level = min(level, paid[q])
        if level > paid[seat]:
            break
        amount, best, winners = 0.0, rank[seat, d], 1
        top = True
        for q in range(len(paid)):
            if live >> q & 1 and paid[q] > level:
                top = False
        for q in range(len(paid)):
            amount += (paid[q] if top else min(paid[q], level)) - min(paid[q], below)
            if q != seat and live >> q & 1 and paid[q] >= level:
                if rank[q, d] > best:
                    winners = 0
                    best = rank[q, d]
                elif rank[q, d] == best and winners > 0:
                    winners += 1
        if winners > 0:
            worth += amount / winners
        below = level
    return worth
