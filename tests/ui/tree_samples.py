"""Game trees to draw: one shaped like Leduc poker (465 nodes), random ones, and policies for them."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from solverlab.core.tree import Choice, Tree, grow

BETTING = {
    "": (0, "check raise"),
    "c": (1, "check raise"),
    "cr": (0, "fold call raise"),
    "crr": (1, "fold call"),
    "r": (1, "fold call raise"),
    "rr": (0, "fold call"),
}
LETTER = {"check": "c", "raise": "r", "fold": "f", "call": "k"}
DEALT = {"cc", "crk", "crrk", "rk", "rrk"}
CARDS = ("J♠", "J♥", "Q♠", "Q♥", "K♠", "K♥")


def leduc() -> tuple[Tree, SimpleNamespace]:
    """Two betting rounds with a dealt card between them: the public tree of Leduc poker."""

    def children(state: tuple[int, str]) -> Choice | None:
        street, history = state
        if history in BETTING:
            player, actions = BETTING[history]
            return Choice(player, {a: (street, history + LETTER[a]) for a in actions.split()})
        return Choice(-1, dict.fromkeys(CARDS, (1, ""))) if street == 0 and history in DEALT else None

    tree, _, labels = grow((0, ""), children)
    return tree, SimpleNamespace(actions=labels, players=("first", "second"))


def random_tree(nodes: int, seed: int, players: int = 3) -> tuple[Tree, SimpleNamespace]:
    """A tree of exactly `nodes` nodes with uneven branches; chance nodes carry probabilities."""
    rng, following, used = np.random.default_rng(seed), {}, 1
    for n in range(nodes):
        if used == nodes:
            break
        width = min(int(rng.integers(0, 4)) or int(used == n + 1), nodes - used)
        if width:
            player = int(rng.integers(-1, players))
            chance = tuple(rng.dirichlet(np.ones(width))) if player < 0 and width > 1 else None
            following[n] = Choice(player, {f"a{used + i}": used + i for i in range(width)}, chance)
            used += width
    tree, _, labels = grow(0, following.get)
    return tree, SimpleNamespace(actions=labels, players=tuple(f"seat {p}" for p in range(players)))


def random_policy(tree: Tree, hands: int, seed: int) -> np.ndarray:
    """Probabilities sigma[N, H] that sum to one over the actions of every player node."""
    rng, sigma = np.random.default_rng(seed), np.ones((len(tree.parent), hands))
    for n in np.flatnonzero(tree.player >= 0):
        own = slice(tree.first[n], tree.first[n] + tree.count[n])
        sigma[own] = rng.dirichlet(np.full(tree.count[n], 0.7), hands).T
    return sigma


def everything(tree: Tree) -> set[int]:
    return set(np.flatnonzero(tree.count).tolist())
