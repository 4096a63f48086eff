"""The sweep of a forest one deal at a time, as the document words it; a test oracle, slow on purpose."""

from __future__ import annotations

import numpy as np

from solverlab.games.holdem_pots import payoffs, pots
from solverlab.solvers.forest_leaves import LeafDeals
from solverlab.solvers.forest_rollout import chance


def naive_values(forest, tree: int) -> tuple[np.ndarray, np.ndarray, int]:
    """Reach (own choices left out) and worth (times that reach) of every node and deal, [N, D]; misses."""
    nodes, sample = forest.ground.nodes, forest.ground.samples[tree]
    deals = sample.info.shape[2]
    reach, worth = np.zeros((len(nodes.parent), deals)), np.zeros((len(nodes.parent), deals))
    root = int(np.flatnonzero(nodes.tree == tree)[0])
    misses = 0
    for d in range(deals):
        at = {q: forest.nodes.root(q, int(sample.info[q, 0, d])) for q in range(forest.game.n_players)}
        misses += _walk(forest, sample, d, root, 1.0, at, reach, worth)
    return reach, worth, misses


def naive_best(forest, tree: int) -> tuple[float, float]:
    """What a tree is worth on average with the best own choice at every node, and as it is played now."""
    _, worth, _ = naive_values(forest, tree)
    root = int(np.flatnonzero(forest.ground.nodes.tree == tree)[0])
    return _best(forest, root, worth) / worth.shape[1], worth[root].sum() / worth.shape[1]


def _best(forest, n: int, worth: np.ndarray) -> float:
    nodes = forest.ground.nodes
    if not nodes.first[n]:
        return float(worth[n].sum())
    below = [_best(forest, int(nodes.first[n]) + j, worth) for j in range(nodes.count[n])]
    return max(below) if forest.nodes.kind(n) == "action" else sum(below)


def _walk(forest, sample, d, n, w, at, reach, worth) -> int:
    nodes, game = forest.ground.nodes, forest.game
    state, seat = game.state(int(nodes.state[n])), sample.seat
    reach[n, d] = w
    if nodes.first[n] == 0 and callable(forest.leaf) and forest.nodes.can_grow(n):
        deal = slice(d, d + 1)
        asked = LeafDeals(game, state, seat, sample.info[..., deal], sample.rank[:, deal])
        worth[n, d] = w * forest.leaf(asked)[0]
        return 0
    if nodes.first[n] == 0 and forest.leaf == "rollout" and forest.nodes.can_grow(n):
        worth[n, d] = w * _rolled_out(forest, sample, d, int(nodes.state[n]), {**at, seat: 0})
        return 0
    if nodes.first[n] == 0:
        won = payoffs(pots(game.rules, state, game.match), sample.rank[:, d].tolist())
        worth[n, d] = w * won[seat]
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


def _rolled_out(forest, sample, d: int, number: int, at: dict[int, int]) -> float:
    """Play on by everybody's own strategy, blindly beyond it; where no tree goes on, to a random end."""
    nodes, game, step = forest.ground.nodes, forest.game, 0
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
        first, luck = int(nodes.first[at[state.actor]]), chance(sample.playing.luck[d], step)
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
    return payoffs(pots(game.rules, state), sample.rank[:, d].tolist())[sample.seat]


def _step(nodes, node: int, child: int) -> int:
    """Where an actor stands after this action or bucket; 0 is beyond its tree."""
    return int(nodes.first[node]) + child if nodes.first[node] else 0
