"""The sweep of a forest one deal at a time, as the document words it; slow on purpose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Protocol

import numpy as np

from solverlab.core.rows import State
from solverlab.naive.pots import winnings

WORD = (1 << 64) - 1


class Nodes(Protocol):
    """The nodes of all trees; node 0 is nowhere."""

    parent: np.ndarray
    tree: np.ndarray
    first: np.ndarray
    count: np.ndarray
    state: np.ndarray
    sigma: np.ndarray


class Playing(Protocol):
    """Luck of each deal, and random ends of the public states."""

    luck: np.ndarray
    way: np.ndarray
    place: np.ndarray
    paid: np.ndarray
    live: np.ndarray


class Sample(Protocol):
    """The deals of one tree: info [P, 4, D], rank [P, D]."""

    seat: int
    info: np.ndarray
    rank: np.ndarray
    playing: Playing


class Trees(Protocol):
    """All trees, and a sample of each."""

    nodes: Nodes
    samples: Sequence[Sample]


class Kinds(Protocol):
    """Where trees begin, and what their nodes are."""

    def root(self, seat: int, holding: int) -> int: ...
    def kind(self, node: int) -> str: ...
    def can_grow(self, node: int) -> bool: ...


class Ground(Protocol):
    """What a solver over sampled deals stands on."""

    trees: Trees
    forest: Kinds


class Stacks(Protocol):
    """What everybody sat down with."""

    stacks: tuple[float, ...]


class Table(Protocol):
    """The game: public states by number."""

    n_players: int
    match: bool
    rules: Stacks

    def state(self, state: int) -> State: ...
    def open(self, state: int) -> range: ...


class Forest(Protocol):
    """A solver that grows trees over sampled deals."""

    game: Table
    ground: Ground
    leaf: str | Callable[[SimpleNamespace], np.ndarray]


def naive_values(forest: Forest, tree: int) -> tuple[np.ndarray, np.ndarray, int]:
    """Reach (own choices left out) and worth (times that reach) of every node and deal, [N, D]; misses."""
    nodes, sample = forest.ground.trees.nodes, forest.ground.trees.samples[tree]
    deals = sample.info.shape[2]
    reach, worth = np.zeros((len(nodes.parent), deals)), np.zeros((len(nodes.parent), deals))
    root = int(np.flatnonzero(nodes.tree == tree)[0])
    misses = 0
    for d in range(deals):
        at = {
            q: forest.ground.forest.root(q, int(sample.info[q, 0, d])) for q in range(forest.game.n_players)
        }
        misses += _walk(forest, sample, d, root, 1.0, at, reach, worth)
    return reach, worth, misses


def naive_best(forest: Forest, tree: int) -> tuple[float, float]:
    """What a tree is worth on average with the best own choice at every node, and as it is played now."""
    _, worth, _ = naive_values(forest, tree)
    root = int(np.flatnonzero(forest.ground.trees.nodes.tree == tree)[0])
    return _best(forest, root, worth) / worth.shape[1], worth[root].sum() / worth.shape[1]


def _best(forest: Forest, n: int, worth: np.ndarray) -> float:
    nodes = forest.ground.trees.nodes
    if not nodes.first[n]:
        return float(worth[n].sum())
    below = [_best(forest, int(nodes.first[n]) + j, worth) for j in range(nodes.count[n])]
    return max(below) if forest.ground.forest.kind(n) == "action" else sum(below)


def _walk(
    forest: Forest, sample: Sample, d: int, n: int, w: float, at: dict[int, int], reach: np.ndarray,
    worth: np.ndarray,
) -> int:  # fmt: skip
    nodes, game = forest.ground.trees.nodes, forest.game
    state, seat = game.state(int(nodes.state[n])), sample.seat
    reach[n, d] = w
    if nodes.first[n] == 0:
        worth[n, d] = w * _leaf(forest, sample, d, n, at)
        return 0
    misses = 0
    for j in range(nodes.count[n]):
        child, share, own = int(nodes.first[n]) + j, 1.0, 1.0
        if state.deals:
            if j != sample.info[seat, state.street + 1, d]:
                continue
        elif state.actor == seat:
            own = nodes.sigma[child]
        else:
            there = at[state.actor]
            if nodes.first[there]:
                share = nodes.sigma[nodes.first[there] + j]
            else:
                share = 1.0 / nodes.count[n]
                misses += j == 0
        moved = {
            q: _step(nodes, u, int(sample.info[q, state.street + 1, d]) if state.deals else j)
            for q, u in at.items()
        }
        misses += _walk(forest, sample, d, child, w * share, moved, reach, worth)
        worth[n, d] += own * worth[child, d]
    return misses


def _leaf(forest: Forest, sample: Sample, d: int, n: int, at: dict[int, int]) -> float:
    """What a leaf is worth in one deal: what a function says of it, a roll-out, or a showdown."""
    game, number = forest.game, int(forest.ground.trees.nodes.state[n])
    state, seat, goes_on = game.state(number), sample.seat, forest.ground.forest.can_grow(n)
    if goes_on and callable(forest.leaf):
        info, rank = sample.info[..., d : d + 1], sample.rank[:, d : d + 1]
        asked = SimpleNamespace(game=game, state=state, seat=seat, info=info, rank=rank)
        return float(forest.leaf(asked)[0])
    if goes_on and forest.leaf == "rollout":
        return _rolled_out(forest, sample, d, number, {**at, seat: 0})
    return _shown(game, state, sample.rank[:, d].tolist(), game.match)[seat]


def _rolled_out(forest: Forest, sample: Sample, d: int, number: int, at: dict[int, int]) -> float:
    """Play on by everybody's own strategy, blindly beyond it; where no tree goes on, to a random end."""
    nodes, game, step = forest.ground.trees.nodes, forest.game, 0
    while True:
        state, after = game.state(number), game.open(number)
        inside = [q for q, u in at.items() if state.live[q] and nodes.first[u]]
        if not inside or not after:
            break
        if state.deals:
            (number,) = after
            street = state.street + 1
            at = {q: _step(nodes, u, int(sample.info[q, street, d])) for q, u in at.items()}
            continue
        first, luck = int(nodes.first[at[state.actor]]), chance(int(sample.playing.luck[d]), step)
        p = nodes.sigma[first : first + len(after)] if first else np.full(len(after), 1 / len(after))
        j = min(int((luck >= np.cumsum(p)).sum()), len(after) - 1)
        number, step = after[j], step + 1
        at = {q: _step(nodes, u, j) for q, u in at.items()}
    playing = sample.playing
    if after:
        place, way = playing.place[number], playing.way[d]
        chips, who = tuple(playing.paid[place, way].tolist()), int(playing.live[place, way])
        live = tuple(bool(who >> q & 1) for q in range(game.n_players))
        level = max(paid for paid, alive in zip(chips, live, strict=True) if alive)
        state = state._replace(paid=chips, live=live, level=level)
    return _shown(game, state, sample.rank[:, d].tolist())[sample.seat]


def _shown(game: Table, state: State, ranks: list[int], match: bool = True) -> list[float]:
    return winnings(game.rules.stacks, state.paid, state.live, state.level, ranks, match)


def chance(seed: int, step: int) -> float:
    """A number from 0 to below 1: the `step`th of this seed (splitmix64, Steele et al. 2014).

    >>> [round(chance(0, step), 6) for step in range(2)]
    [0.883311, 0.431528]
    """
    bits = seed + 0x9E3779B97F4A7C15 * (step + 1) & WORD
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 & WORD
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB & WORD
    return ((bits ^ bits >> 31) >> 11) / 2**53


def _step(nodes: Nodes, node: int, child: int) -> int:
    """Where an actor stands after this action or bucket; 0 is beyond its tree."""
    return int(nodes.first[node]) + child if nodes.first[node] else 0
