"""A made-up forest that grows like one of poker: betting, deals into buckets, folds and showdowns."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

LEAF, ACTION, PASSIVE, DEAL, END = range(5)
ACTIONS = ("fold", "call", "raise 50%", "raise 100%")
STREETS = 4


class Spot(NamedTuple):
    """Where a hand stands: the street, who acts, who is still in, how many must yet answer, raises so far."""

    street: int
    seat: int
    live: tuple[int, ...]
    waiting: int
    raises: int
    deal: bool


class Grove:
    """Trees of one position, one root a hand: `grow` expands the most reached leaves, `drift` moves all."""

    def __init__(self, hands: tuple[str, ...] = ("AKs", "77", "QJo"), players: int = 3, seed: int = 0):
        self.rng, self.players = np.random.default_rng(seed), players
        self.parent: list[int] = []
        self.kind: list[int] = []
        self.who: list[int] = []
        self.label: list[str] = []
        self.spot: list[Spot | None] = []
        self.share: list[float] = []  # probability of the step that leads here
        self.worth: list[float] = []
        everyone = tuple(range(players))
        for hand in hands:
            self._add(-1, hand, Spot(0, 0, everyone, players, 0, False), 1.0, self.rng.normal(0, 0.6))

    def _add(self, parent: int, label: str, spot: Spot | None, share: float, worth: float) -> None:
        self.parent.append(parent)
        self.kind.append(END if spot is None else LEAF)
        self.who.append(-1 if spot is None or spot.deal else spot.seat)
        self.label.append(label)
        self.spot.append(spot)
        self.share.append(share)
        self.worth.append(worth)

    def grow(self, leaves: int) -> None:
        """Expand so many of the most reached leaves."""
        reach = self.reach()
        reach[np.array(self.kind) != LEAF] = -1
        for node in np.argsort(-reach, kind="stable")[:leaves]:
            if reach[node] >= 0:
                self._expand(int(node))

    def _expand(self, node: int) -> None:
        spot, worth = self.spot[node], self.worth[node]
        self.kind[node] = DEAL if spot.deal else ACTION if spot.seat == 0 else PASSIVE
        if spot.deal:
            first = spot._replace(
                street=spot.street + 1, seat=spot.live[0], waiting=len(spot.live), raises=0, deal=False
            )
            steps = [(f"bucket {k + 1}", first) for k in range(6)]
        else:
            menu = ACTIONS[: 2 if spot.raises >= 2 else 4]
            steps = [(name, self._after(spot, name)) for name in menu]
        shares = self.rng.dirichlet(np.full(len(steps), 3.0 if spot.deal else 0.6))
        for (name, then), share in zip(steps, shares, strict=True):
            self._add(node, name, then, share, worth + self.rng.normal(0, 0.5 + 0.3 * spot.street))

    def _after(self, spot: Spot, name: str) -> Spot | None:
        live = tuple(s for s in spot.live if s != spot.seat) if name == "fold" else spot.live
        waiting = len(live) - 1 if name.startswith("raise") else spot.waiting - 1
        if len(live) == 1 or (name == "fold" and spot.seat == 0):
            return None
        if waiting == 0:
            return None if spot.street == STREETS - 1 else Spot(spot.street, live[0], live, 0, 0, True)
        following = [s for s in (*range(spot.seat + 1, self.players), *range(spot.seat)) if s in live]
        return Spot(spot.street, following[0], live, waiting, spot.raises + name.startswith("raise"), False)

    def drift(self) -> None:
        """Every strategy moves a little, as after a few sweeps."""
        share = np.array(self.share) * np.exp(self.rng.normal(0, 0.08, len(self.share)))
        total = np.zeros(len(share))
        inner = np.array(self.parent) >= 0
        np.add.at(total, np.array(self.parent)[inner], share[inner])
        share[inner] /= total[np.array(self.parent)[inner]]
        self.share = np.where(inner, share, 1.0).tolist()

    def reach(self) -> np.ndarray:
        """How often each node is reached, its own root for sure."""
        reach = np.array(self.share)
        for node, parent in enumerate(self.parent):
            if parent >= 0:
                reach[node] *= reach[parent]
        return reach

    def rows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[str]]:
        """What ``show`` takes after the view's name."""
        return np.array(self.parent), np.array(self.kind), np.array(self.who), list(self.label)

    def numbers(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What ``update`` takes first; a leaf's EV is not known."""
        ev = np.where(np.array(self.kind) == LEAF, np.nan, np.array(self.worth))
        return np.array(self.kind), self.reach(), ev


def grown(size: int, seed: int = 0, **settings: object) -> Grove:
    """A forest of at least so many nodes."""
    grove = Grove(seed=seed, **settings)
    while len(grove.parent) < size:
        grove.grow(max(1, len(grove.parent) // 12))
    return grove
