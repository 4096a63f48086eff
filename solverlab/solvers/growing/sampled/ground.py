"""The sampled ground: a tree for every position and holding of a table, valued on shared deals.

At first there are only hole cards. A look values every node of every (position, holding) tree on that tree's
own sample of deals, the same for all its leaves; new deals are drawn once an epoch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

import numpy as np

from solverlab.core.dealt_game import DealtGame
from solverlab.core.policy import Policy
from solverlab.core.rows import Config
from solverlab.solvers.growing.frontier import Expanded, FrontierRule
from solverlab.solvers.growing.ground import Clock
from solverlab.solvers.growing.sampled.growth import best_places
from solverlab.solvers.growing.sampled.leaves import check_leaf, leaf_words
from solverlab.solvers.growing.sampled.nodes import ForestNodes
from solverlab.solvers.growing.sampled.sample import check_flops, check_sample, sample_bytes
from solverlab.solvers.growing.sampled.saving import restore_sampled, sampled_clocks, sampled_tables
from solverlab.solvers.growing.sampled.sweep import LOOKUPS, MASS, MISSES, TOUCHED
from solverlab.solvers.growing.sampled.trees import Trees
from solverlab.solvers.growing.sampled.update import (
    conditional_ev,
    own_reach,
    rebalance_nodes,
    standard_error,
)
from solverlab.solvers.growing.settings import SHARED, LeafKind, check_whole, list_of
from solverlab.solvers.phases import Phase

DEALS = 1000  # a tree, unless told


class SampledGround:
    """A forest of (position, holding) trees: probabilities by node, in `forest.columns.sigma`.

    `trees` are the trees of this epoch with their deals; `sums` [N, 5] what the last sweep added up at every
    node (see `sweep`), `counts` its lookups, misses and node-deals, `total` the strategies played so far.
    """

    saved_as: ClassVar[str] = "Forest"
    setting_names: ClassVar[tuple[str, ...]] = (*SHARED, "weighting", "threads", "flop_samples")
    grows = True

    def __init__(
        self,
        game: DealtGame,
        samples: int | None = None,
        leaf: LeafKind = "showdown",
        weighting: str = "combos",
        threads: int = 1,
        flop_samples: int | None = None,
    ):
        self.game, self.leaf = game, check_leaf(leaf)
        self.samples = check_whole("the number of deals a tree", DEALS if samples is None else samples)
        self.weighting, self.threads = weighting, threads
        self.flop_samples = None if flop_samples is None else check_whole("flop_samples", flop_samples)
        check_sample(game, self.samples)
        self.forest = ForestNodes(game)
        self.counts = np.zeros(3, np.int64)
        self.sums, self.total = np.zeros((self.forest.columns.size, 5)), np.zeros(self.forest.columns.size)
        self.plant()

    def plant(self) -> None:
        """Fix the trees as they are now; their deals are drawn when they are first looked at."""
        self.trees = Trees(self.game, self.forest, self.leaf, self.flop_samples or 0)
        check_flops(self.game, len(self.trees.seen_flops), self.trees.each)

    @classmethod
    def bytes_needed(cls, game: DealtGame, settings: Config) -> int:
        """A root for every tree, its columns, and its deals."""
        roots = 1 + game.n_players * len(game.hand_names)
        samples = settings.get("samples")
        return roots * 8 * 16 + sample_bytes(game, DEALS if samples is None else int(samples)) + 128

    @property
    def size(self) -> int:
        return len(self.forest)

    @property
    def touched(self) -> int:
        return int(self.counts[TOUCHED])

    @property
    def misses(self) -> float:
        """How often, in the last sweep, an opponent was beyond its own frontier when it had to act."""
        return float(self.counts[MISSES] / max(self.counts[LOOKUPS], 1))

    # ---- EVs -----------------------------------------------------------------------------------------------

    def deal(self, clock: Clock) -> None:
        """The samples of this epoch, once; after going back they are dealt again, the same ones."""
        if not self.trees.samples:
            self.trees.draw(self.samples, (clock.seed, clock.epoch), self.threads)

    def look(self, clock: Clock) -> None:
        self.deal(clock)
        self.counts = self.trees.sweep(self.threads, self.sums)

    def looked(self, clock: Clock) -> np.ndarray:
        """The sums of the strategy now played, on the epoch's deals; nothing else is touched."""
        self.deal(clock)
        sums = np.zeros_like(self.sums)
        self.trees.sweep(self.threads, sums)
        return sums

    def phases(self, clock: Clock) -> Iterator[Phase]:
        self.look(clock)
        leaf = np.flatnonzero(self.trees.nodes.first[1:] == 0) + 1
        told = f"{leaf_words(self.leaf)}: what that wins, averaged over the shared deals."
        arrays = {"node": leaf, "ev": self.node_ev()[leaf], "error": self.node_error()[leaf]}
        yield Phase("leaves", -1, told, {**arrays, "reach": self.node_reach()[leaf]})
        told = "Probability times EV, summed from the leaves to every node."
        yield Phase("back-up", -1, told, {"ev": self.node_ev(), "error": self.node_error()})

    def node_ev(self) -> np.ndarray:
        """EV of every node to its own position, given that play comes there, float64[N]."""
        return conditional_ev(self.sums)

    def node_error(self) -> np.ndarray:
        """The standard error of each EV, float64[N]."""
        return standard_error(self.sums)

    def node_reach(self) -> np.ndarray:
        """Probability that a (position, holding) plays to each node, with everybody's choices and cards."""
        return own_reach(self.trees.nodes, self.trees.owned) * self.sums[:, MASS] / self.samples

    def action_ev(self) -> np.ndarray:
        return self.node_ev()[self.trees.actions]

    def decision_ev(self, ev: np.ndarray) -> np.ndarray:
        return self.node_ev()[self._decisions()]

    def paid(self) -> np.ndarray:
        state = self.trees.nodes.state[self._decisions()]
        return self.game.rows().spent[state, self.forest.position(self.trees.actions)]

    def weighted(self, ev: np.ndarray) -> np.ndarray:
        return ev * self.sums[self.trees.actions, MASS] / self.samples

    def judged(self) -> np.ndarray:
        return np.ones(len(self.trees.actions), bool)

    def _decisions(self) -> np.ndarray:
        return self.trees.nodes.parent[self.trees.actions]

    # ---- the strategy --------------------------------------------------------------------------------------

    @property
    def sigma(self) -> np.ndarray:
        return self.trees.nodes.sigma

    def remember(self) -> None:
        actions = self.trees.actions
        self.total[actions] += own_reach(self.trees.nodes, self.trees.owned)[actions]

    def multiply(self, factor: np.ndarray, floor: float) -> np.ndarray:
        nodes, newest = self.trees.nodes, np.zeros(2)
        everywhere = np.ones(len(nodes.sigma))
        everywhere[self.trees.actions] = factor
        rebalance_nodes(nodes, self.trees.owners, everywhere, self.sums[:, MASS], floor, newest)
        return newest

    def played(self) -> np.ndarray:
        return self.sigma.copy()

    def policies(self, played: bool) -> tuple[Policy, Policy]:
        """On the public tree, which all trees share as far as they go; uniform beyond a frontier."""
        tree = self.forest.public_tree()
        names, public = self.forest.public_names(tree), self.trees.nodes.public
        current = self.sigma[self.trees.actions]
        both = (self.trees.public_sigma(tree, public, sigma) for sigma in (self._average(), current))
        average, now = (Policy(tree, names, sigma) for sigma in both)
        return average, now

    def _average(self) -> np.ndarray:
        """Every strategy played so far weighted by own reach; the current one where none was played."""
        nodes, actions, parent = self.trees.nodes, self.trees.actions, self._decisions()
        played = np.bincount(parent, self.total[actions], minlength=len(nodes.parent))[parent]
        return np.where(
            played > 0, self.total[actions] / np.where(played > 0, played, 1), nodes.sigma[actions]
        )

    # ---- growth --------------------------------------------------------------------------------------------

    def look_before_growth(self, clock: Clock) -> int:
        """The last sweep says where play goes; trees never swept are swept first."""
        if clock.swept:
            return 0
        self.look(clock)
        return self.touched

    def best_leaves(self, rule: FrontierRule) -> list[tuple[int, str]]:
        leaves = self.forest.frontier()
        reach, ev, error = self.node_reach()[leaves], self.node_ev()[leaves], self.node_error()[leaves]
        if self.weighting == "classes":
            reach = reach * self.game.hand_combos[self.forest.hand(leaves)] / 1326
        position = self.forest.position(leaves)
        chosen, place = [], np.zeros(self.game.n_players, np.int64)
        for i in best_places(rule, reach, ev, position):
            place[position[i]] += 1
            why = rule.reason(int(place[position[i]]), float(reach[i]), float(ev[i]))
            chosen.append((int(leaves[i]), f"{why} ± {error[i]:.2g}"))
        return chosen

    def named_leaves(self, leaves: object) -> list[tuple[int, str]]:
        return [(leaf, "asked for") for leaf in list_of("nodes", leaves)]

    def grow(self, chosen: list[tuple[int, str]]) -> list[Expanded]:
        self.forest.expand([node for node, _ in chosen])
        if not chosen:
            return []
        more = self.forest.columns.size - len(self.sums)
        self.sums = np.concatenate([self.sums, np.zeros((more, 5))])
        self.total = np.concatenate([self.total, np.zeros(more)])
        self.plant()
        return [self._grown(int(node), why) for node, why in chosen]

    def _grown(self, node: int, why: str) -> Expanded:
        seat, hand = self.forest.position(node), self.forest.hand(node)
        whose = self.game.seats[seat], self.game.hand_names[hand]
        return Expanded(node, *whose, why, self.forest.kind(node), int(self.forest.columns.count[node]))

    def numbers(self) -> dict[str, float]:
        owners = len(self.trees.owners)
        return {"nodes": self.size, "action_nodes": owners, "miss_rate": self.misses}

    # ---- saving --------------------------------------------------------------------------------------------

    def tables(self) -> dict[str, np.ndarray]:
        return sampled_tables(self)

    def clocks(self, clock: Clock) -> dict[str, np.ndarray]:
        return sampled_clocks(clock)

    def restore(self, state: Mapping[str, np.ndarray], seed: int) -> Clock:
        return restore_sampled(self, state)
