"""The forest of document 000: grow strategy trees down popular paths, rebalance them on sampled deals.

`while not done: rebalance; expand`. At first there are only hole cards. A sweep values every node of every
(position, holding) tree on that tree's own sample of deals, the same for all its leaves; then all own
probabilities are multiplied by 1 + squash(EV / scale). After so many sweeps an epoch ends: the leaves most
often reached grow by one level, and new deals are drawn. What it finds is called rebalanced, never optimal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from time import perf_counter
from types import MappingProxyType
from typing import Any

import numpy as np

from solverlab.core.errors import BadValue, UnknownName
from solverlab.core.policy import Policy
from solverlab.core.snapshot import Snapshot, Status
from solverlab.solvers.forest_gains import HELD_OUT, Gains, best_responses, fresh_sums, gains_of, held_out
from solverlab.solvers.forest_ground import Ground
from solverlab.solvers.forest_growth import Grown, best_leaves
from solverlab.solvers.forest_leaves import LeafValue, check_leaf, leaf_words
from solverlab.solvers.forest_nodes import ForestNodes
from solverlab.solvers.forest_sample import check_sample
from solverlab.solvers.forest_saving import forest_state, restore
from solverlab.solvers.forest_sweep import LOOKUPS, MASS, MISSES, TOUCHED
from solverlab.solvers.forest_update import conditional_ev, own_reach, rebalance_nodes, standard_error
from solverlab.solvers.frontier import check_frontier, rule_config
from solverlab.solvers.phases import Phase
from solverlab.solvers.rebalance_settings import (
    BASELINES,
    EV_KINDS,
    FAR,
    SMALLEST,
    TESTS,
    change_tested,
    check_floor,
    check_kind,
    check_number,
    list_of,
)
from solverlab.solvers.squash import SATURATED, Squash, squash_named

SMOOTHING = 0.25  # weight of the newest sweep in the smoothed change
CALM = 1e-6  # a smaller change is none
MOST_THREADS = 256
WEIGHTINGS = ("combos", "classes")


class Forest:
    """Rebalance and expand a hold'em forest; an iteration is one sweep of all trees.

    `samples` deals for each (position, holding), drawn anew each epoch of `sweeps` sweeps (fewer, if the
    change of strategy falls below `tolerance`). `frontier` says how many leaves a position grow after an
    epoch; None never grows by itself: call `expand`. `weighting` compares the reach of holdings by combo, or
    as classes that weigh 6, 4 or 12 combos. A `leaf` where the hand goes on is worth a "showdown", a
    "rollout" of the strategies now played (at random beyond all trees), or what a function of its deals
    says (`forest_leaves.LeafDeals`), such as a learned one. `rng` is a seed; `threads` share the work and
    change nothing. The other settings are those of `Rebalance`.
    """

    def __init__(
        self,
        game: Any,
        squash: str | Squash = "tanh",
        scale: float = 1.0,
        ev: str = "as written",
        frontier: Any = None,
        samples: int | None = None,
        rng: int | np.random.Generator = 0,
        baseline: str = "start",
        floor: float = 0.0,
        sweeps: int = 20,
        tolerance: float = 0.0,
        weighting: str = "combos",
        threads: int = 1,
        leaf: LeafValue = "showdown",
        test: str = "absolute",
    ):
        self.game, self.squash = game, squash_named(squash)
        self.frontier = None if frontier is None else check_frontier(frontier)
        self.scale = check_number("scale", scale, SMALLEST, "give a number of big blinds above 0")
        self.ev = check_kind("kind of EV", ev, EV_KINDS)
        self.baseline = check_kind("baseline", baseline, BASELINES)
        self.weighting = check_kind("weighting", weighting, WEIGHTINGS)
        self.samples = _whole("deals a tree", 1000 if samples is None else samples)
        self.sweeps, self.threads = _whole("sweeps an epoch", sweeps), check_threads(threads)
        self.floor = check_floor(floor, game.most_actions)
        self.tolerance = check_number("tolerance", tolerance, -1e-300, "give a number of at least 0")
        self.seed = _whole("seed", rng.integers(2**62) if isinstance(rng, np.random.Generator) else rng, 0)
        self.leaf, self.test = check_leaf(leaf), check_kind("test of convergence", test, TESTS)
        check_sample(game, self.samples)
        self.nodes = ForestNodes(game)
        self.iteration, self.seconds, self.touched, self.epoch, self.swept = 0, 0.0, 0, 0, 0
        self.change = np.full(2, np.inf)
        self.counts = np.zeros(3, np.int64)  # lookups, misses and node-deals of the last sweep
        self.events: list[Grown] = []
        self.sums, self.total = np.zeros((self.nodes.columns.size, 5)), np.zeros(self.nodes.columns.size)
        self.ground = Ground(game, self.nodes, self.leaf)

    # ---- the two commands ----------------------------------------------------------------------------------

    def step(self, n: int = 1) -> Snapshot:
        """Rebalance `n` times, expanding wherever an epoch ends, and show the result."""
        self.advance(n)
        return self.snapshot()

    def advance(self, n: int = 1) -> None:
        """The same without a look."""
        self.events = []
        for _ in range(_whole("iterations", n, 0)):
            self.rebalance()
            if self.frontier is not None and self.settled():
                self.expand()

    def settled(self) -> bool:
        """Whether the epoch is over: enough sweeps, or hardly any change."""
        return self.swept >= self.sweeps or (self.swept > 0 and self.tested < self.tolerance)

    def rebalance(self) -> None:
        """One sweep over all trees, then all own probabilities at once."""
        began = perf_counter()
        self._sweep()
        self._update()
        self.seconds += perf_counter() - began

    def expand(self, nodes: Any = None) -> list[Grown]:
        """Grow the leaves the frontier rule chooses (or these nodes) by one level; a new epoch begins."""
        began = perf_counter()
        named = None if nodes is None else list_of("nodes", nodes)
        chosen = self._chosen() if named is None else dict.fromkeys(named, "asked for")
        self.nodes.expand(chosen if named is None else named)
        if not chosen:
            return []
        grown = [self._grown(node, why) for node, why in chosen.items()]
        more = self.nodes.columns.size - len(self.sums)
        self.sums = np.concatenate([self.sums, np.zeros((more, 5))])
        self.total = np.concatenate([self.total, np.zeros(more)])
        self.epoch, self.swept = self.epoch + 1, 0
        self.ground = Ground(self.game, self.nodes, self.leaf)
        self.events += grown
        self.seconds += perf_counter() - began
        return grown

    # ---- numbers -------------------------------------------------------------------------------------------

    @property
    def tested(self) -> float:
        """The smoothed change of the last sweep that the tolerance is held against."""
        return change_tested(self.change, self.test)

    @property
    def misses(self) -> float:
        """How often, in the last sweep, an opponent was beyond its own frontier when it had to act."""
        return float(self.counts[MISSES] / max(self.counts[LOOKUPS], 1))

    def node_ev(self) -> np.ndarray:
        """EV of every node to its own position, given that play comes there, float64[N]."""
        return conditional_ev(self.sums)

    def node_error(self) -> np.ndarray:
        """The standard error of each EV, float64[N]."""
        return standard_error(self.sums)

    def node_reach(self) -> np.ndarray:
        """Probability that a (position, holding) plays to each node, with everybody's choices and cards."""
        return own_reach(self.ground.nodes, self.ground.owned) * self.sums[:, MASS] / self.samples

    def gains(self) -> tuple[float, ...]:
        """What each seat could still gain inside the trees by its best response, big blinds a hand.

        The others play as the last sweep valued them (one update ago); a forest grown since is looked at as
        it is. Learned and scored on the same sampled deals, so these numbers are biased upwards: 0 only if
        nobody could do better on exactly these deals. `gains_bracket` also gives numbers that are too low.
        """
        sums = self.sums if self.swept else self._looked()
        return gains_of(self.ground, best_responses(self.ground, sums)[0], sums, self.samples)

    def held_out_gains(self, seed: int = 0) -> tuple[float, ...]:
        """The same for the strategy now played, on fresh deals: what was learned may not help there.

        Each seat's gain by one particular deviation, so on average no more than the best one gains.
        """
        return self.gains_bracket(seed).low

    def gains_bracket(self, seed: int = 0) -> Gains:
        """Gains of the strategy now played, too low (on fresh deals) and too high (on the epoch's own)."""
        sums = self._looked()
        best, choice = best_responses(self.ground, sums)
        deals = (self.seed, self.epoch, HELD_OUT + _whole("seed", seed, 0))
        fresh = fresh_sums(self.ground, self.samples, deals, self.threads)
        better = held_out(self.ground, choice, fresh)
        low = gains_of(self.ground, better, fresh, self.samples)
        return Gains(low, gains_of(self.ground, best, sums, self.samples))

    def stalled(self) -> bool:
        """Whether the strategy hardly changes although some seat could gain much: no convergence at all."""
        calm = self.swept > 0 and self.tested < max(self.tolerance, CALM)
        return calm and max(self.gains()) > FAR

    def deals_at(self, node: int) -> dict[str, np.ndarray]:
        """Every deal of a node's sample: holdings and buckets [P, 4, D], ranks [P, D], reach and worth [D].

        `reach` is the product of the others' choices on the way, `worth` what the hand then wins.
        """
        if not isinstance(node, int | np.integer) or not 0 < node < self.nodes.columns.size:
            raise UnknownName("node", node, [f"1 to {self.nodes.columns.size - 1}"])
        self._deal()
        sample = self.ground.samples[int(self.ground.nodes.tree[node])]
        reach, worth = self.ground.per_deal(node)
        return {"info": sample.info.copy(), "rank": sample.rank.copy(), "reach": reach, "worth": worth}

    def squeezed(self) -> np.ndarray:
        """What the squash is applied to at each own action, float64[own actions]."""
        ev, actions = self.node_ev(), self.ground.actions
        parent = self.ground.nodes.parent[actions]
        x = ev[actions] - (ev[parent] if self.ev == "centred" else 0.0)
        if self.baseline == "node" and self.ev != "centred":
            x = x + self.game.rows().spent[self.ground.nodes.state[parent], self.nodes.position(actions)]
        if self.ev == "reach-weighted":
            x = x * self.sums[actions, MASS] / self.samples
        return x / self.scale

    def snapshot(self) -> Snapshot:
        """The state for the eye: the public tree, the average and the current strategy of every holding."""
        tree = self.nodes.public_tree()
        names = self.nodes.public_names(tree)
        current, average = (
            self.ground.public_sigma(tree, self.ground.nodes.public, sigma)
            for sigma in (self.ground.nodes.sigma[self.ground.actions], self._average())
        )
        return Snapshot(
            iteration=self.iteration,
            seconds=self.seconds,
            touched=self.touched,
            tree=tree,
            names=names,
            policy=Policy(tree, names, average),
            current=Policy(tree, names, current),
            metrics=MappingProxyType(self._metrics()),
            events=tuple(self.events),
            status=self._status(),
        )

    def _status(self) -> Status:
        if not self.iteration:
            return Status.STARTED
        return Status.STALLED if self.stalled() else Status.RUNNING

    def _metrics(self) -> dict[str, float]:
        squeezed = self.squash.function(self.squeezed())
        return {
            "change": float(self.change[0]),
            "relative_change": float(self.change[1]),
            "saturated": float((np.abs(squeezed) > SATURATED).mean()) if len(squeezed) else 0.0,
            "epoch": self.epoch,
            "nodes": len(self.nodes),
            "action_nodes": len(self.ground.owners),
            "miss_rate": self.misses,
        }

    def phases(self) -> Iterator[Phase]:
        """One sweep as named sub-steps with their numbers; running it to the end equals one `rebalance`."""
        self._sweep()
        leaf = np.flatnonzero(self.ground.nodes.first[1:] == 0) + 1
        told = f"{leaf_words(self.leaf)}: what that wins, averaged over the shared deals."
        arrays = {"node": leaf, "ev": self.node_ev()[leaf], "error": self.node_error()[leaf]}
        yield Phase("leaves", -1, told, {**arrays, "reach": self.node_reach()[leaf]})
        told = "Probability times EV, summed from the leaves to every node."
        yield Phase("back-up", -1, told, {"ev": self.node_ev(), "error": self.node_error()})
        x = self.squeezed()
        self._update()
        told = (
            f"Every own probability times 1 + {self.squash.name}(EV / {self.scale:g}), then each sums to 1."
        )
        yield Phase("update", -1, told, {"x": x, "sigma": self.ground.nodes.sigma.copy()})

    def __repr__(self) -> str:
        grown = f"epoch {self.epoch}, {len(self.nodes):,} nodes"
        return f"Forest({self.game.name}, {self.squash.name}, {self.iteration:,} sweeps, {grown})"

    # ---- saving --------------------------------------------------------------------------------------------

    def config(self) -> dict[str, Any]:
        """The settings as JSON values; threads change nothing, so they are none."""
        settings = self._settings() | {"squash": self.squash.name, "frontier": rule_config(self.frontier)}
        del settings["threads"]
        return {"solver": "Forest", **settings, "leaf": self.leaf if isinstance(self.leaf, str) else "given"}

    def state(self) -> dict[str, np.ndarray]:
        """Everything needed to go on bit for bit: the order of growth, and the numbers."""
        return forest_state(self)

    @classmethod
    def from_state(cls, game: Any, state: Mapping[str, np.ndarray], **settings: Any) -> Forest:
        """A solver that goes on from a saved state; `settings` are those of the constructor."""
        solver = cls(game, **settings)
        restore(solver, state)
        return solver

    def copy(self) -> Forest:
        """An independent solver in the same state: look ahead without moving this one."""
        return type(self).from_state(self.game, self.state(), **self._settings())

    def _settings(self) -> dict[str, Any]:
        names = ("squash", "scale", "ev", "frontier", "samples", "baseline", "floor", "sweeps", "tolerance")
        return {name: getattr(self, name) for name in (*names, "weighting", "threads", "leaf", "test")} | {
            "rng": self.seed
        }

    # ---- one sweep -----------------------------------------------------------------------------------------

    def _deal(self) -> None:
        """The samples of this epoch, once."""
        if not self.ground.samples:
            self.ground.draw(self.samples, (self.seed, self.epoch), self.threads)

    def _sweep(self) -> None:
        self._deal()
        self.counts = self.ground.sweep(self.threads, self.sums)
        self.touched += int(self.counts[TOUCHED])

    def _looked(self) -> np.ndarray:
        """The sums of the strategy now played, on the epoch's deals; nothing else is touched."""
        self._deal()
        sums = np.zeros_like(self.sums)
        self.ground.sweep(self.threads, sums)
        return sums

    def _update(self) -> None:
        """All own decisions at once, from one set of EVs."""
        nodes, actions = self.ground.nodes, self.ground.actions
        self.total[actions] += own_reach(nodes, self.ground.owned)[actions]
        factor, newest = np.ones(len(nodes.sigma)), np.zeros(2)
        factor[actions] = self.squash.factor(self.squeezed())
        rebalance_nodes(nodes, self.ground.owners, factor, self.sums[:, MASS], self.floor, newest)
        old = np.isfinite(self.change).all() and self.swept > 0
        self.change = SMOOTHING * newest + (1.0 - SMOOTHING) * self.change if old else newest
        self.iteration, self.swept = self.iteration + 1, self.swept + 1

    def _average(self) -> np.ndarray:
        """Every strategy played so far weighted by own reach; the current one where none was played."""
        nodes, actions = self.ground.nodes, self.ground.actions
        parent = nodes.parent[actions]
        played = np.bincount(parent, self.total[actions], minlength=len(nodes.parent))[parent]
        return np.where(
            played > 0, self.total[actions] / np.where(played > 0, played, 1), nodes.sigma[actions]
        )

    # ---- one growth ----------------------------------------------------------------------------------------

    def _chosen(self) -> dict[int, str]:
        """The leaves to grow, each with its reason; a forest never swept is swept first, to know its EVs."""
        if self.frontier is None:
            raise BadValue("nothing says which leaves to expand; give frontier=sl.MostReached(k), or nodes")
        if not self.swept:
            self._sweep()
        leaves = self.nodes.frontier()
        reach, ev, error = self.node_reach()[leaves], self.node_ev()[leaves], self.node_error()[leaves]
        if self.weighting == "classes":
            reach = reach * self.game.hand_combos[self.nodes.hand(leaves)] / 1326
        position = self.nodes.position(leaves)
        chosen, place = {}, np.zeros(self.game.n_players, np.int64)
        for i in best_leaves(self.frontier, reach, ev, position):
            place[position[i]] += 1
            why = self.frontier.reason(int(place[position[i]]), float(reach[i]), float(ev[i]))
            chosen[int(leaves[i])] = f"{why} ± {error[i]:.2g}"
        return chosen

    def _grown(self, node: int, why: str) -> Grown:
        seat, hand = self.nodes.position(node), self.nodes.hand(node)
        added = int(self.nodes.columns.count[node])
        kind = self.nodes.kind(node)
        return Grown(node, self.game.seats[seat], self.game.hand_names[hand], why, kind, added)


def check_threads(threads: Any) -> int:
    """More threads than a machine may have cores would only take memory."""
    if _whole("threads", threads) > MOST_THREADS:
        raise BadValue(f"{threads} threads are too many; give at most {MOST_THREADS}")
    return int(threads)


def _whole(label: str, value: Any, least: int = 1) -> int:
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < least:
        raise BadValue(f"{label} cannot be {value!r}; give a whole number of at least {least}")
    return int(value)
