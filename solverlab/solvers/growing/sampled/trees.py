"""The trees of one epoch: fixed between two growths, with their deals and the sweeps over all of them."""

from __future__ import annotations

from threading import Lock

import numpy as np

from solverlab.core.dealt_game import DealtGame, RandomEnds
from solverlab.core.policy import read_only
from solverlab.core.tree import Tree
from solverlab.solvers.growing.sampled.leaves import ROLLOUT, LeafDeals, LeafValue, asked, check_room
from solverlab.solvers.growing.sampled.nodes import ForestNodes
from solverlab.solvers.growing.sampled.rollout import check_ends
from solverlab.solvers.growing.sampled.sample import batches, draw_below_flops, draw_trees, spread
from solverlab.solvers.growing.sampled.sweep import (
    BLOCK,
    PLAYED_ON,
    Ranges,
    Sample,
    Scratch,
    find_ranges,
    fresh_scratch,
    sweep_tree,
)


class Trees:
    """The fixed trees of one epoch (a growth makes a new one) and which nodes belong to which.

    owners: own decisions; actions: the nodes own actions lead to; owned bool[N] marks these.
    """

    def __init__(self, game: DealtGame, nodes: ForestNodes, leaf: LeafValue = "showdown", each: int = 0):
        self.game, self.nodes, self.rows = game, nodes.arrays(), game.rows()
        self.number, self.hands = nodes.trees, nodes.hands
        columns, actor = self.nodes, self.rows.actor[self.nodes.state]
        inner = columns.first > 0
        self.owners = np.flatnonzero(inner & (actor == columns.tree // nodes.hands))
        self.owned = np.zeros(len(inner), bool)
        self.owned[1:] = np.isin(columns.parent[1:], self.owners)
        self.actions = np.flatnonzero(self.owned)
        self.order = (np.argsort(columns.tree[1:], kind="stable") + 1).astype(np.int32)
        self.start = np.searchsorted(columns.tree[self.order], np.arange(nodes.trees + 1))
        # Cards count only as far as some tree has been dealt them.
        dealt = columns.state[inner & self.rows.deals[columns.state]]
        self.streets = int(self.rows.street[dealt].max(initial=-1)) + 1
        falls = inner & self.rows.deals[columns.state] & (self.rows.street[columns.state] == 0)
        self.each, self.seen_flops = each, set(columns.tree[falls].tolist())
        self.leaf, self._asking, self.open = leaf, Lock(), nodes.frontier()
        self.samples: list[Sample] = []
        self._rooms: list[Scratch] = []
        self.ranges = self.fresh_ranges()

    def fresh_ranges(self) -> Ranges:
        return Ranges(*(np.zeros(len(self.nodes.parent), np.int32) for _ in Ranges._fields))

    def members(self, tree: int) -> np.ndarray:
        """The nodes of one tree, parents first."""
        return self.order[self.start[tree] : self.start[tree + 1]]

    def draw(self, deals: int, seed: tuple[int, ...], threads: int) -> None:
        """Deal every tree its sample; the seed decides everything."""
        check_room(self.leaf, len(self.open), deals)
        ends = self.random_ends(deals, seed)

        def some(trees: range) -> list[Sample]:
            pairs = zip(trees, self.drawn(trees, deals, seed, ends), strict=True)
            return [self.ready(sample, self.members(tree), self.ranges) for tree, sample in pairs]

        self.samples = [one for part in spread(some, batches(self.number, deals), threads) for one in part]

    def drawn(self, trees: range, deals: int, seed: tuple[int, ...], ends: RandomEnds | None) -> list[Sample]:
        """The samples of some trees: below their hole cards, or below hole cards and flops."""
        samples = draw_trees(self.game, trees, deals, self.streets, seed, ends)
        for place, tree in enumerate(trees):
            if self.each and tree in self.seen_flops:
                below = draw_below_flops(self.game, tree, deals, self.streets, seed, self.each, ends)
                samples[place] = below
        return samples

    def random_ends(self, deals: int, seed: tuple[int, ...]) -> RandomEnds | None:
        """How random play ends from every state, a way for each deal; None where nothing is rolled out."""
        if self.leaf != ROLLOUT:
            return None
        check_ends(self.game, deals)
        return self.game.random_ends(deals, seed)

    def ready(self, sample: Sample, members: np.ndarray, ranges: Ranges) -> Sample:
        """A sample to sweep a tree with: where its deals are, and what its leaves are worth if not shown."""
        find_ranges(self.nodes, self.rows, sample, members, ranges)
        if self.leaf == ROLLOUT:
            ranges.given[np.intersect1d(members, self.open)] = PLAYED_ON
        if not callable(self.leaf):
            return sample
        given, size = [np.empty(0)], 0
        for n in np.intersect1d(members, self.open).tolist():
            ranges.given[n], here = size, slice(ranges.low[n], ranges.high[n])
            if here.start == here.stop:
                continue
            state = self.game.state(int(self.nodes.state[n]))
            deals = LeafDeals(self.game, state, sample.seat, sample.info[..., here], sample.rank[:, here])
            with self._asking:  # a function need not know of threads
                given.append(asked(self.leaf, deals))
            size += len(given[-1])
        return sample._replace(given=np.concatenate(given))

    def sweep(self, threads: int, sums: np.ndarray) -> np.ndarray:
        """Value every node of every tree into sums[N, 5]; lookups, misses and node-deals are returned."""
        while len(self._rooms) < threads:
            self._rooms.append(fresh_scratch(int(np.diff(self.start).max()), self.game.n_players))
        waiting = iter(range(self.number))  # threads help themselves: large trees keep nobody waiting

        def work(room: Scratch) -> np.ndarray:
            counts = np.zeros(3, np.int64)
            for tree in waiting:
                sample, members = self.samples[tree], self.members(tree)
                sweep_tree(self.nodes, self.rows, sample, members, self.ranges, room, sums, counts)
            return counts

        return np.sum(list(spread(work, self._rooms[:threads], threads)), axis=0)

    def per_deal(self, node: int) -> tuple[np.ndarray, np.ndarray]:
        """One node under the microscope: the others' reach, and what the hand is worth there, deal by deal.

        Both float64[deals]; reach is 0 and worth not a number in deals that come to another bucket.
        """
        tree = int(self.nodes.tree[node])
        whole, members = self.samples[tree], self.members(tree)
        room = fresh_scratch(len(members), self.game.n_players)
        ranges = Ranges(*(column.copy() for column in self.ranges))
        sums, counts = np.zeros((len(self.nodes.parent), 5)), np.zeros(3, np.int64)
        reach, worth = np.zeros(whole.info.shape[2]), np.full(whole.info.shape[2], np.nan)
        for begin in range(0, len(reach), BLOCK):
            block = slice(begin, begin + BLOCK)
            info, rank = (np.ascontiguousarray(part[..., block]) for part in (whole.info, whole.rank))
            luck, way = whole.playing.luck[block], whole.playing.way[block]
            playing = whole.playing._replace(luck=luck, way=way)
            weight = whole.weight[block]
            part = whole._replace(info=info, rank=rank, given=np.empty(0), playing=playing, weight=weight)
            sample = self.ready(part, members, ranges)
            sweep_tree(self.nodes, self.rows, sample, members, ranges, room, sums, counts)
            low, high, row = (int(column[node]) for column in ranges[:3])
            here = slice(begin + low, begin + high)
            reach[here] = room.reach[row, low:high]
            np.divide(room.worth[row, low:high], reach[here], out=worth[here], where=reach[here] > 0)
        return reach / whole.weight if len(whole.weight) else reach, worth

    def public_sigma(self, tree: Tree, public: np.ndarray, sigma: np.ndarray) -> np.ndarray:
        """Own probabilities [own actions] on the public tree, [public, H]; uniform beyond a frontier."""
        count = np.append(tree.count, 1)[tree.parent]
        acts = np.append(tree.player, -1)[tree.parent] >= 0
        table = np.where(acts, 1.0 / np.maximum(count, 1), 1.0)[:, None].repeat(self.hands, 1)
        table[public[self.actions], self.nodes.tree[self.actions] % self.hands] = sigma
        return read_only(np.ascontiguousarray(table))
