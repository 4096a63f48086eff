"""Rebalancing: every probability is multiplied by 1 + squash(EV / scale), then each node sums to 1 again.

The update of document 000, as written, with exact EVs on games small enough to write out: EVs at the leaves,
back-up, and all nodes from that one set of EVs. Nothing guarantees that it converges, and on matching pennies
it does not: the strategy spirals outwards and comes to rest, for a while, at its worst. What it finds is
called rebalanced, never optimal; measure it with `sl.exploitability` or `sl.deviation_gains`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from inspect import Signature, signature
from time import perf_counter
from types import MappingProxyType
from typing import Any, Self

import numpy as np

from solverlab.core import sweeps
from solverlab.core.errors import BadValue, check_flag
from solverlab.core.game import TabulatedGame
from solverlab.core.policy import Policy, read_only
from solverlab.core.snapshot import Snapshot, Status
from solverlab.solvers.frontier import Expanded, FrontierRule, check_frontier, rule_config
from solverlab.solvers.phases import Phase
from solverlab.solvers.rebalance_cut import CutGround, LeafKind, check_leaf
from solverlab.solvers.rebalance_growth import best_leaves, growth_numbers, named_leaves
from solverlab.solvers.rebalance_handover import forest_of, is_dealt
from solverlab.solvers.rebalance_saving import rebalance_state, restore
from solverlab.solvers.rebalance_settings import (
    BASELINES,
    EV_KINDS,
    SMALLEST,
    TESTS,
    change_tested,
    check_floor,
    check_kind,
    check_number,
    check_playable,
    check_samples,
    check_whole,
    paid_rows,
    start_table,
)
from solverlab.solvers.rebalance_update import node_means, rebalance_rows
from solverlab.solvers.rebalance_values import (
    NOBODY_COMES,
    Ground,
    back_up,
    conditional_ev,
    fresh_values,
    gather,
    play_down,
)
from solverlab.solvers.squash import SATURATED, Squash, squash_named

SMOOTHING = 0.25  # weight of the newest sweep in the change where EVs are sampled; exact ones need none


def _settings_of(function: Callable[..., None]) -> Signature:
    parameters = list(signature(function).parameters.values())
    return Signature(parameters[1:])


class Rebalance:
    """The multiplicative update of document 000, stepped by hand or by `run`.

    `squash` and `scale` (in the game's unit) shape the factor. `ev` is "as written" (given that the node is
    reached, own reach left out), "centred" (less the node's own EV) or "reach-weighted" (times the
    probability that the others and chance come there). `baseline` counts EV from the "start" of the hand or
    from the "node", where chips already in are gone. `start` is the first player's probability of the first
    action, an array of all, or None; `floor` keeps every probability at least that large.

    EVs are exact, or come from `samples` deals drawn anew for every sweep and shared by all leaves (`rng` is
    the seed). With a `frontier` rule the tree starts empty and grows: after `sweeps` sweeps, or when no
    probability moves by more than `tolerance` (the `test`: "absolute", or "relative" to what it was), each
    position expands its k best leaves by one level. A leaf is worth a "showdown" (`returned`: chips that
    nobody called go back first), a "rollout" of the strategy now played, or what a given Policy or function
    of the node says.

    >>> import solverlab as sl
    >>> pennies = sl.MatchingPennies()
    >>> snap = sl.Rebalance(pennies, start=0.6).step(200)
    >>> sl.exploitability(pennies, snap.current) > 0.99
    True
    >>> sl.Rebalance(sl.Kuhn(), frontier=sl.MostReached(k=2))
    Rebalance(Kuhn poker, tanh, 0 sweeps, epoch 0, 6 nodes)
    """

    def __new__(cls, game: Any, *settings: Any, **named: Any) -> Any:
        """A table of hold'em, too large for exact EVs, is handed over to the sampled `Forest`."""
        return forest_of(game, settings, named) if is_dealt(game) else super().__new__(cls)

    def __init__(
        self,
        game: TabulatedGame,
        squash: str | Squash = "tanh",
        scale: float = 1.0,
        ev: str = "as written",
        frontier: FrontierRule | None = None,
        samples: int | None = None,
        start: Any = None,
        rng: int = 0,
        baseline: str = "start",
        floor: float = 0.0,
        sweeps: int = 20,
        tolerance: float = 0.0,
        leaf: LeafKind = "showdown",
        returned: bool = False,
        test: str = "absolute",
    ):
        self.game, self.tie, self.squash = check_playable(game), game.tie, squash_named(squash)
        self.scale = check_number("scale", scale, SMALLEST, "give a number above 0, in the game's unit")
        self.ev = check_kind("kind of EV", ev, EV_KINDS)
        self.baseline = check_kind("baseline", baseline, BASELINES)
        self.floor = check_floor(floor, int(self.tie.count.max(initial=1)))
        self.seed, self.sweeps = check_whole("seed", rng, 0), check_whole("sweeps", sweeps)
        self.samples = check_samples(samples)
        self.tolerance = check_number("tolerance", tolerance, -1e-300, "give a number of at least 0")
        self.test = check_kind("test of convergence", test, TESTS)
        self.frontier = None if frontier is None else check_frontier(frontier)
        self.leaf, self.returned = check_leaf(leaf), check_flag("returned", returned)
        self.whole = Ground(game)
        self.cut = None if frontier is None else CutGround(self.whole, leaf, self.returned)
        self.ground: Ground | CutGround = self.whole if self.cut is None else self.cut
        self.paid: np.ndarray | float = paid_rows(game) if baseline == "node" else 0.0
        self.sigma, self.total = start_table(game, start), np.zeros(self.tie.shape)
        self.values, self.change = fresh_values(game, self.tie), np.full(2, np.inf)  # see `tested`
        self.iteration, self.seconds, self.touched, self.epoch, self.swept = 0, 0.0, 0, 0, 0
        self.events: list[Expanded] = []
        if self.cut is not None and start is not None:
            raise BadValue("a growing tree starts every node alike; use start=None, or frontier=None")
        self._play()

    def step(self, n: int = 1) -> Snapshot:
        """Rebalance `n` times and show the result."""
        if not isinstance(n, int | np.integer) or n < 0:
            raise BadValue(f"cannot run {n!r} iterations; give a whole number of at least 0")
        self.events = []
        for _ in range(n):
            self.rebalance()
            if self.frontier is not None and self.settled():
                self.expand()
        return self.snapshot()

    def rebalance(self) -> None:
        """One sweep: EVs at the leaves, back-up, and all probabilities at once."""
        began = perf_counter()
        self._look()
        self._update()
        self.seconds += perf_counter() - began

    def expand(
        self, leaves: Iterable[tuple[str | int, str | int, str | int]] | None = None
    ) -> list[Expanded]:
        """Grow the leaves the rule chooses, or these (player, node, hand), by a level: a new epoch begins."""
        if self.cut is None or self.frontier is None:
            raise BadValue("this tree is whole, nothing can grow; give frontier=sl.MostReached(k)")
        began = perf_counter()
        self._look()
        chosen = named_leaves(self.game, leaves) if leaves is not None else best_leaves(self)
        self.cut.expand([leaf for leaf, _ in chosen])
        names = self.game.names
        grown = [Expanded(n, names.players[p], names.hands[h], why) for (p, n, h), why in chosen]
        if grown:
            self.epoch, self.swept = self.epoch + 1, 0
            self.change[...] = np.inf  # a larger tree has not settled yet
        self.events += grown
        self.seconds += perf_counter() - began
        return grown

    def snapshot(self) -> Snapshot:
        """The state for the eye: the average policy and the current one, copied and frozen."""
        tree, names = self.game.tree, self.game.names
        numbers = {
            "change": float(self.change[0]),
            "relative_change": float(self.change[1]),
            "saturated": self.saturated(),
            **growth_numbers(self),
        }
        return Snapshot(
            iteration=self.iteration,
            seconds=self.seconds,
            touched=self.touched,
            tree=tree,
            names=names,
            policy=Policy(tree, names, self._average()),
            current=Policy(tree, names, read_only(self.values.sigma.copy())),
            metrics=MappingProxyType(numbers),
            events=tuple(self.events),
            status=Status.RUNNING if self.iteration else Status.STARTED,
        )

    def phases(self) -> Iterator[Phase]:
        """One sweep as named sub-steps with their numbers; running it to the end equals `rebalance()`."""
        values = self.values
        self._draw()
        for player in range(self.game.n_players):
            who = self.game.names.players[player]
            self.ground.leaves(player, values)
            worth, mass = values.worth[player].copy(), values.mass[player].copy()
            told = f"What the {who} player wins where the tree ends, given that play comes there."
            yield Phase("leaves", player, told, {"ev": conditional_ev(worth, mass), "mass": mass})
            self._back_up(player)
            told = f"Probability times EV, summed from the leaves to the {who} player's every node."
            yield Phase("back-up", player, told, {"ev": self.node_ev(player), "mass": mass.copy()})
        told, arrays = self._lesson()
        self._update()
        yield Phase("update", -1, told, {**arrays, "sigma": self.values.sigma.copy()})

    # ---- numbers -------------------------------------------------------------------------------------------

    def node_ev(self, player: int) -> np.ndarray:
        """EV of every node and hand to a player given that play comes there, as last computed, [N, H]."""
        return conditional_ev(self.values.cfv[player], self.values.mass[player])

    def squeezed(self) -> np.ndarray:
        """What the squash is applied to: EV of each action over the scale, as last computed, [S, K]."""
        value, weight = self.values.value, self.values.weight
        ev = conditional_ev(value, weight)
        if self.ev == "centred":
            ev = ev - node_means(self.tie, self.sigma, ev)
        else:
            ev = ev + np.where(weight > NOBODY_COMES, self.paid, 0.0)
        return (ev * weight if self.ev == "reach-weighted" else ev) / self.scale

    def saturated(self) -> float:
        """The share of actions whose squash was last so near to -1 or 1 that it tells little apart."""
        reached = self.values.weight > NOBODY_COMES
        if not reached.any():
            return 0.0
        return float((np.abs(self.squash.function(self.squeezed()[reached])) > SATURATED).mean())

    def __repr__(self) -> str:
        grown = "" if self.cut is None else f", epoch {self.epoch}, {self.cut.size():,} nodes"
        about = f"{self.game.name}, {self._rule_name()}, {self.iteration:,} sweeps{grown}"
        return f"{type(self).__name__}({about})"

    def _rule_name(self) -> str:
        return self.squash.name

    # ---- saving --------------------------------------------------------------------------------------------

    def config(self) -> dict[str, Any]:
        plain = {"squash": self.squash.name, "leaf": self.leaf if isinstance(self.leaf, str) else "given"}
        return {"solver": "Rebalance", **self._settings(), **plain, "frontier": rule_config(self.frontier)}

    def state(self) -> dict[str, np.ndarray]:
        """Everything needed to go on bit for bit."""
        return rebalance_state(self)

    @classmethod
    def from_state(cls, game: TabulatedGame, state: Mapping[str, np.ndarray], **settings: Any) -> Self:
        """A solver that goes on from a saved state; `settings` are those of the constructor."""
        solver = cls(game, **settings)
        restore(solver, state)
        solver._play()
        return solver

    def copy(self) -> Self:
        """An independent solver in the same state: look ahead without moving this one."""
        return type(self).from_state(self.game, self.state(), **self._settings())

    def _settings(self) -> dict[str, Any]:
        names = ("squash", "scale", "ev", "frontier", "samples", "baseline", "floor", "sweeps", "tolerance")
        settings = {name: getattr(self, name) for name in (*names, "leaf", "returned", "test")}
        return {**settings, "rng": self.seed}

    # ---- one sweep -----------------------------------------------------------------------------------------

    def _play(self) -> None:
        """Bring everybody's reach up to date with the probabilities."""
        play_down(self.game.tree, self.tie, self.sigma, self.game.n_players, self.values)

    @property
    def opened(self) -> np.ndarray | float:
        """Which rows may move, [S, K]: none beyond a frontier; all of a whole tree."""
        return 1.0 if self.cut is None else self.cut.open

    @property
    def tested(self) -> float:
        """The change of the last sweep that the tolerance is held against."""
        return change_tested(self.change, self.test)

    def settled(self) -> bool:
        """Whether the epoch is over: enough sweeps, or hardly any change."""
        return self.swept >= self.sweeps or self.tested <= self.tolerance

    def _draw(self) -> None:
        """Deals for the next sweep, the same whenever this sweep is run again."""
        if self.samples is not None:
            self.whole.sample(self.samples, (self.seed, self.iteration))

    def _look(self) -> None:
        """One set of EVs from the strategy now played."""
        self._draw()
        for player in range(self.game.n_players):
            self.ground.leaves(player, self.values)
            self._back_up(player)

    def _back_up(self, player: int) -> None:
        tree, values = self.game.tree, self.values
        worth, cfv = values.worth[player], values.cfv[player]
        back_up(tree, player, values.sigma, self.ground.inside[player], worth, cfv)
        gather(tree, self.tie, player, values)
        if self.cut is not None:
            values.weight[~self.cut.open] = 0.0  # beyond a frontier nothing moves

    def _lesson(self) -> tuple[str, dict[str, np.ndarray]]:
        """What the next update does with the EVs just computed, in words and numbers."""
        x, name = self.squeezed(), self.squash.name
        told = f"Every probability times 1 + {name}(EV / {self.scale:g}), then each node sums to 1."
        return told, {"x": x, "factor": self.squash.factor(x)}

    def _learn(self, newest: np.ndarray) -> None:
        """The strategy now played into the average, and the next one; `newest` is filled as `change` is."""
        self.total += self.values.share * self.opened
        factor = self.squash.factor(self.squeezed())
        rebalance_rows(self.tie, factor, self.values.weight, self.floor, self.sigma, newest)

    def _update(self) -> None:
        """All nodes at once, from one set of EVs."""
        newest = np.zeros(2)
        self._learn(newest)
        old = self.samples is not None and np.isfinite(self.change).all()
        self.change[...] = SMOOTHING * newest + (1.0 - SMOOTHING) * self.change if old else newest
        self.iteration, self.swept = self.iteration + 1, self.swept + 1
        self.touched += self.game.n_players * self.values.sigma.size
        self._play()

    def _average(self) -> np.ndarray:
        """Every strategy played so far, weighted by own reach; before the first sweep, the start."""
        sigma = self.values.sigma.copy()
        if self.iteration:
            table = np.ones_like(self.total)
            sweeps.normalise(self.tie, self.total, table)
            sweeps.spread(self.game.tree, self.tie, table, sigma)
        return read_only(sigma)


# Ask `help` for the settings, not for the door through which a table of hold'em leaves.
Rebalance.__signature__ = _settings_of(Rebalance.__init__)  # type: ignore[attr-defined]
