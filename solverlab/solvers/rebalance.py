"""Rebalancing: every probability is multiplied by 1 + squash(EV / scale), then each node sums to 1 again.

The update of document 000, as written, with exact EVs on games small enough to write out: EVs at the leaves,
back-up, and all nodes from that one set of EVs. Nothing guarantees that it converges, and on matching pennies
it does not: the strategy spirals outwards and comes to rest, for a while, at its worst. What it finds is
called rebalanced, never optimal; measure it with `sl.exploitability` or `sl.deviation_gains`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from time import perf_counter
from types import MappingProxyType
from typing import Any

import numpy as np

from solverlab.core import sweeps
from solverlab.core.errors import BadValue
from solverlab.core.game import TabulatedGame
from solverlab.core.kernel import kernel
from solverlab.core.policy import Policy, read_only
from solverlab.core.snapshot import Snapshot, Status
from solverlab.solvers.phases import Phase
from solverlab.solvers.rebalance_settings import (
    BASELINES,
    EV_KINDS,
    check_floor,
    check_kind,
    check_number,
    paid_rows,
    start_table,
)
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


class Rebalance:
    """The multiplicative update of document 000, stepped by hand or by `run`.

    `squash` and `scale` (in the game's unit) shape the factor. `ev` is "as written" (given that the node is
    reached, own reach left out), "centred" (less the node's own EV) or "reach-weighted" (times the
    probability that the others and chance come there). `baseline` counts EV from the "start" of the hand or
    from the "node", where chips already in are gone. `start` is the first player's probability of the first
    action, an array of all, or None; `floor` keeps every probability at least that large.

    >>> import solverlab as sl
    >>> pennies = sl.MatchingPennies()
    >>> snap = sl.Rebalance(pennies, start=0.6).step(200)
    >>> sl.exploitability(pennies, snap.current) > 0.99
    True
    """

    def __init__(
        self,
        game: TabulatedGame,
        squash: str | Squash = "tanh",
        scale: float = 1.0,
        ev: str = "as written",
        start: Any = None,
        baseline: str = "start",
        floor: float = 0.0,
    ):
        self.game, self.tie, self.squash = game, game.tie, squash_named(squash)
        self.scale = check_number("scale", scale, 0.0, "give a number above 0, in the game's unit")
        self.ev = check_kind("kind of EV", ev, EV_KINDS)
        self.baseline = check_kind("baseline", baseline, BASELINES)
        self.floor = check_floor(floor, self.tie)
        self.ground = Ground(game)
        self.paid: np.ndarray | float = paid_rows(game) if baseline == "node" else 0.0
        self.sigma, self.total = start_table(game, start), np.zeros(self.tie.shape)
        self.values = fresh_values(game, self.tie)
        self.change = np.full(2, np.inf)  # largest absolute and relative change of a probability
        self.iteration, self.seconds, self.touched = 0, 0.0, 0
        self._play()

    def step(self, n: int = 1) -> Snapshot:
        """Rebalance `n` times and show the result."""
        if not isinstance(n, int | np.integer) or n < 0:
            raise BadValue(f"cannot run {n!r} iterations; give a whole number of at least 0")
        began = perf_counter()
        for _ in range(n):
            for player in range(self.game.n_players):
                self.ground.leaves(player, self.values)
                self._back_up(player)
            self._update()
        self.seconds += perf_counter() - began
        return self.snapshot()

    def snapshot(self) -> Snapshot:
        """The state for the eye: the average policy and the current one, copied and frozen."""
        tree, names = self.game.tree, self.game.names
        numbers = {
            "change": float(self.change[0]),
            "relative_change": float(self.change[1]),
            "saturated": self.saturated(),
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
            status=Status.RUNNING if self.iteration else Status.STARTED,
        )

    def phases(self) -> Iterator[Phase]:
        """One sweep as named sub-steps with their numbers; running it to the end equals `step(1)`."""
        values = self.values
        for player in range(self.game.n_players):
            who = self.game.names.players[player]
            self.ground.leaves(player, values)
            worth, mass = values.worth[player].copy(), values.mass[player].copy()
            told = f"What the {who} player wins where the tree ends, given that play comes there."
            yield Phase("leaves", player, told, {"ev": conditional_ev(worth, mass), "mass": mass})
            self._back_up(player)
            told = f"Probability times EV, summed from the leaves to the {who} player's every node."
            yield Phase("back-up", player, told, {"ev": self.node_ev(player), "mass": mass.copy()})
        x = self.squeezed()
        self._update()
        told = (
            f"Every probability times 1 + {self.squash.name}(EV / {self.scale:g}), then each node sums to 1."
        )
        arrays = {"x": x, "factor": self.squash.factor(x), "sigma": self.values.sigma.copy()}
        yield Phase("update", -1, told, arrays)

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

    # ---- saving --------------------------------------------------------------------------------------------

    def config(self) -> dict[str, Any]:
        return {"solver": "Rebalance", **self._settings(), "squash": self.squash.name}

    def state(self) -> dict[str, np.ndarray]:
        """Everything needed to go on bit for bit."""
        tables = {"sigma": self.sigma, "total": self.total, "change": self.change}
        tables |= {"value": self.values.value, "weight": self.values.weight}
        clocks = {"clock": np.array([self.iteration, self.touched]), "seconds": np.array(self.seconds)}
        return {**{name: array.copy() for name, array in tables.items()}, **clocks}

    @classmethod
    def from_state(cls, game: TabulatedGame, state: Mapping[str, np.ndarray], **settings: Any) -> Rebalance:
        """A solver that goes on from a saved state; `settings` are those of the constructor."""
        solver = cls(game, **settings)
        held = {"sigma": solver.sigma, "total": solver.total, "change": solver.change}
        held |= {"value": solver.values.value, "weight": solver.values.weight}
        for name, array in held.items():
            if state[name].shape != array.shape:
                raise BadValue(
                    f"the saved {name} has shape {state[name].shape} but this game needs {array.shape}"
                )
            array[...] = state[name]
        solver.iteration, solver.touched = (int(number) for number in state["clock"])
        solver.seconds = float(state["seconds"])
        solver._play()
        return solver

    def copy(self) -> Rebalance:
        """An independent solver in the same state: look ahead without moving this one."""
        return type(self).from_state(self.game, self.state(), **self._settings())

    def _settings(self) -> dict[str, Any]:
        names = ("squash", "scale", "ev", "baseline", "floor")
        return {name: getattr(self, name) for name in names}

    # ---- one sweep -----------------------------------------------------------------------------------------

    def _play(self) -> None:
        """Bring everybody's reach up to date with the probabilities."""
        play_down(self.game.tree, self.tie, self.sigma, self.game.n_players, self.values)

    def _back_up(self, player: int) -> None:
        tree, values = self.game.tree, self.values
        worth, cfv = values.worth[player], values.cfv[player]
        back_up(tree, player, values.sigma, self.ground.inside[player], worth, cfv)
        gather(tree, self.tie, player, values)

    def _update(self) -> None:
        """All nodes at once, from one set of EVs."""
        self.total += self.values.share
        newest = np.zeros(2)
        factor = self.squash.factor(self.squeezed())
        rebalance_rows(self.tie, factor, self.values.weight, self.floor, self.sigma, newest)
        self.change[...] = newest
        self.iteration += 1
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


@kernel
def rebalance_rows(tie, factor, weight, floor, sigma, change):
    """sigma[S, K] *= factor, renormalised; change[2] becomes the largest absolute and relative change.

    A decision that nobody else ever brings about, and one whose factors are all 0, stay as they are.
    """
    for g in range(tie.first.shape[0]):
        first, last = tie.first[g], tie.first[g] + tie.count[g]
        for k in range(sigma.shape[1]):
            total, excess = 0.0, 0.0
            for s in range(first, last):
                total += sigma[s, k] * factor[s, k]
            if weight[first, k] <= NOBODY_COMES or total <= 0.0:
                continue
            for s in range(first, last):
                excess += max(sigma[s, k] * factor[s, k] / total - floor, 0.0)
            room = 1.0 - tie.count[g] * floor
            for s in range(first, last):
                p = sigma[s, k] * factor[s, k] / total
                if floor > 0.0:
                    p = floor + max(p - floor, 0.0) * room / excess
                moved = abs(p - sigma[s, k])
                change[0] = max(change[0], moved)
                if sigma[s, k] > 0.0:
                    change[1] = max(change[1], moved / sigma[s, k])
                sigma[s, k] = p


@kernel
def node_means(tie, sigma, ev):
    """The EV of each decision, written beside each of its actions: mean[S, K]."""
    mean = np.zeros_like(ev)
    for g in range(tie.first.shape[0]):
        first, last = tie.first[g], tie.first[g] + tie.count[g]
        for k in range(ev.shape[1]):
            total = 0.0
            for s in range(first, last):
                total += sigma[s, k] * ev[s, k]
            for s in range(first, last):
                mean[s, k] = total
    return mean
