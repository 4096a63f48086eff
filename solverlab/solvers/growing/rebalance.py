"""Rebalancing: every probability is multiplied by 1 + squash(EV / scale), then each node sums to 1 again.

The loop of document 000: `while not done: rebalance; expand`. EVs at the leaves, back-up, all nodes from that
one set of EVs; and where an epoch ends, the leaves that a rule puts first grow by one level. The EVs come
from a *ground* (`ground.py`): exact sums on games small enough to write out, sampled deals on any table.

Nothing guarantees that it converges, and on matching pennies it does not: the strategy spirals outwards and
comes to rest, for a while, at its worst. What it finds is called rebalanced, never optimal; measure it with
`sl.exploitability` or `sl.deviation_gains`, and a sampled table with `sl.gains_bracket`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from time import perf_counter
from types import MappingProxyType
from typing import ClassVar, Self

import numpy as np

from solverlab.core.dealt_game import DealtGame
from solverlab.core.errors import BadValue, check_flag
from solverlab.core.game import RangeGame
from solverlab.core.rows import Config, Setting
from solverlab.core.snapshot import Snapshot, Status
from solverlab.core.solver import Accepts, accepted
from solverlab.solvers.growing.exact.ground import ExactGround
from solverlab.solvers.growing.frontier import Expanded, FrontierRule, check_frontier, rule_config
from solverlab.solvers.growing.ground import Clock, Ground
from solverlab.solvers.growing.sampled.gains import is_stalled
from solverlab.solvers.growing.sampled.ground import SampledGround
from solverlab.solvers.growing.settings import (
    BASELINES,
    EV_KINDS,
    SMALLEST,
    TESTS,
    WEIGHTINGS,
    LeafKind,
    change_tested,
    check_floor,
    check_game,
    check_kind,
    check_known,
    check_number,
    check_seed,
    check_threads,
    check_whole,
    most_actions,
    refuse_settings_of_small_games,
    refuse_settings_of_tables,
)
from solverlab.solvers.growing.squash import SATURATED, Squash, squash_named
from solverlab.solvers.phases import Phase
from solverlab.solvers.saved_numbers import saved_numbers

SMOOTHING = 0.25  # weight of the newest sweep in the change where EVs are sampled; exact ones need none


class Rebalance:
    """The multiplicative update of document 000, stepped by hand or by `run`; an iteration is one sweep.

    `squash` and `scale` (in the game's unit) shape the factor. `ev` is "as written" (given that the node is
    reached, own reach left out), "centred" (less the node's own EV) or "reach-weighted" (times the
    probability that the others and chance come there). `baseline` counts EV from the "start" of the hand or
    from the "node", where chips already in are gone. `floor` keeps every probability at least that large.

    With a `frontier` rule trees start empty and grow: after `sweeps` sweeps, or when no probability moves by
    more than `tolerance` (the `test`: "absolute", or "relative" to what it was), each position expands its k
    best leaves by one level. A leaf is worth a "showdown", a "rollout" of the strategy now played, or what a
    function says.

    A small game has exact EVs, or EVs from `samples` deals drawn anew for every sweep and shared by all
    leaves (`rng` is the seed). `start` is the first player's probability of the first action, an array of
    all, or None; `leaf` may be a Policy; `returned`: chips that nobody called go back before a showdown.

    A table of hold'em is sampled: a tree for every position and holding, `samples` deals for each tree (1,000
    unless given), drawn anew each epoch. `weighting` compares the reach of holdings by "combos", or as
    "classes" that weigh 6, 4 or 12 combos; `threads` share the work and change nothing. With `flop_samples` a
    tree that has seen flops gets so many deals below its hole cards and each flop, all flops alike; without,
    its one sample is spread over them as they fall.

    >>> import solverlab as sl
    >>> pennies = sl.MatchingPennies()
    >>> snap = sl.Rebalance(pennies, start=0.6).step(200)
    >>> sl.exploitability(pennies, snap.current) > 0.99
    True
    >>> sl.Rebalance(sl.Kuhn(), frontier=sl.MostReached(k=2))
    Rebalance(Kuhn poker, tanh, 0 sweeps, epoch 0, 6 nodes)
    >>> sl.Rebalance(sl.Holdem(players=6))
    Rebalance(6-handed no-limit hold'em, tanh, 0 sweeps, epoch 0, 1,014 nodes)
    """

    accepts: ClassVar[Accepts] = RangeGame | DealtGame

    def __init__(
        self,
        game: RangeGame | DealtGame,
        squash: str | Squash = "tanh",
        scale: float = 1.0,
        ev: str = "as written",
        frontier: FrontierRule | None = None,
        samples: int | None = None,
        start: object = None,
        rng: int | np.random.Generator = 0,
        baseline: str = "start",
        floor: float = 0.0,
        sweeps: int = 20,
        tolerance: float = 0.0,
        leaf: LeafKind = "showdown",
        returned: bool = False,
        test: str = "absolute",
        weighting: str = "combos",
        threads: int = 1,
        flop_samples: int | None = None,
        **unknown: Setting,
    ):
        check_known(unknown)
        self.game, self.squash = check_game(game, accepted(type(self), game)), squash_named(squash)
        self.scale = check_number("scale", scale, SMALLEST, "give a number above 0, in the game's unit")
        self.ev = check_kind("kind of EV", ev, EV_KINDS)
        self.baseline = check_kind("baseline", baseline, BASELINES)
        self.seed, self.sweeps = check_seed(rng), check_whole("sweeps", sweeps)
        self.tolerance = check_number("tolerance", tolerance, -1e-300, "give a number of at least 0")
        self.test = check_kind("test of convergence", test, TESTS)
        self.frontier = None if frontier is None else check_frontier(frontier)
        self.leaf, self.returned = leaf, check_flag("returned", returned)
        self.weighting = check_kind("weighting", weighting, WEIGHTINGS)
        self.threads, self.floor = check_threads(threads), check_floor(floor, most_actions(game))
        self.flop_samples = flop_samples
        self.ground: Ground = self._ground(samples, start)
        self.samples = self.ground.samples
        self.change = np.full(2, np.inf)  # see `tested`
        self.iteration, self.seconds, self.touched, self.epoch, self.swept = 0, 0.0, 0, 0, 0
        self.events: list[Expanded] = []

    def _ground(self, samples: int | None, start: object) -> Ground:
        """Exact where a game is written out, sampled where it is only dealt."""
        if isinstance(self.game, RangeGame):
            refuse_settings_of_tables(self.game, self.weighting, self.threads, self.flop_samples)
            leaves = (self.leaf, self.returned, self.frontier is not None)
            ground = ExactGround(self.game, samples, start, *leaves)
            if self.baseline == "node":
                ground.paid()  # a game that does not count chips says so at once
            return ground
        refuse_settings_of_small_games(start, self.returned)
        settings = (self.leaf, self.weighting, self.threads, self.flop_samples)
        return SampledGround(self.game, samples, *settings)

    # ---- the two commands ----------------------------------------------------------------------------------

    def step(self, n: int = 1) -> Snapshot:
        """Rebalance `n` times, expanding wherever an epoch ends, and show the result."""
        self.advance(n)
        return self.snapshot()

    def advance(self, n: int = 1) -> None:
        """The same without a look."""
        if not isinstance(n, int | np.integer) or isinstance(n, bool) or n < 0:
            raise BadValue(f"cannot run {n!r} iterations; give a whole number of at least 0")
        self.events = []
        for _ in range(n):
            self.rebalance()
            self._grow_if_settled()

    def rebalance(self) -> None:
        """One sweep: EVs at the leaves, back-up, and all probabilities at once."""
        began = perf_counter()
        self.ground.look(self.clock)
        self._update()
        self.seconds += perf_counter() - began

    def expand(self, leaves: object = None) -> list[Expanded]:
        """Grow the leaves the rule chooses, or these, by a level: a new epoch begins.

        Leaves of a small game are (player, node, hand), by name or number; of a table, nodes of its forest.
        """
        if not self.ground.grows:
            raise BadValue("this tree is whole, nothing can grow; give frontier=sl.MostReached(k)")
        if leaves is None and self.frontier is None:
            raise BadValue("nothing says which leaves to expand; give frontier=sl.MostReached(k), or leaves")
        began = perf_counter()
        chosen = self._best_leaves() if leaves is None else self.ground.named_leaves(leaves)
        grown = self.ground.grow(chosen)
        if grown:
            self.epoch, self.swept = self.epoch + 1, 0
            if isinstance(self.ground, ExactGround):
                self.change[...] = np.inf  # a larger tree has not settled yet
        self.events += grown
        self.seconds += perf_counter() - began
        return grown

    def settled(self) -> bool:
        """Whether the epoch is over: enough sweeps, or no change above the tolerance."""
        return self.swept >= self.sweeps or (self.swept > 0 and self.tested <= self.tolerance)

    def phases(self) -> Iterator[Phase]:
        """One sweep as named sub-steps with their numbers; running it to the end equals `rebalance()`."""
        yield from self.ground.phases(self.clock)
        told, arrays = self._lesson()
        self._update()
        yield Phase("update", -1, told, {**arrays, "sigma": self.ground.played()})

    def slices(self) -> Iterator[None]:
        """One step in parts, so that others get their turn; run to the end it equals `step(1)`."""
        self.events = []
        for _ in self.phases():
            yield
        self._grow_if_settled()

    def snapshot(self) -> Snapshot:
        """The state for the eye: the average policy and the current one, copied and frozen."""
        average, current = self.ground.policies(played=self.iteration > 0)
        numbers = {
            "change": float(self.change[0]),
            "relative_change": float(self.change[1]),
            "saturated": self.saturated(),
            **({"epoch": self.epoch} if self.ground.grows else {}),
            **self.ground.numbers(),
        }
        return Snapshot(
            iteration=self.iteration,
            seconds=self.seconds,
            touched=self.touched,
            tree=average.tree,
            names=average.names,
            policy=average,
            current=current,
            metrics=MappingProxyType(numbers),
            events=tuple(self.events),
            status=self._status(),
        )

    # ---- numbers -------------------------------------------------------------------------------------------

    @property
    def tested(self) -> float:
        """The change of the last sweep that the tolerance is held against."""
        return change_tested(self.change, self.test)

    def squeezed(self) -> np.ndarray:
        """What the squash is applied to: EV of each action over the scale, as last computed."""
        ground = self.ground
        ev = ground.action_ev()
        if self.ev == "centred":
            ev = ev - ground.decision_ev(ev)
        elif self.baseline == "node":
            ev = ev + ground.paid()
        return (ground.weighted(ev) if self.ev == "reach-weighted" else ev) / self.scale

    def saturated(self) -> float:
        """The share of actions whose squash was last so near to -1 or 1 that it tells little apart."""
        squeezed = self.squeezed()[self.ground.judged()]
        if not squeezed.size:
            return 0.0
        return float((np.abs(self.squash.function(squeezed)) > SATURATED).mean())

    def __repr__(self) -> str:
        grown = f", epoch {self.epoch}, {self.ground.size:,} nodes" if self.ground.grows else ""
        about = f"{self.game.name}, {self._rule_name()}, {self.iteration:,} sweeps{grown}"
        return f"{type(self).__name__}({about})"

    def _rule_name(self) -> str:
        return self.squash.name

    def _status(self) -> Status:
        if not self.iteration:
            return Status.STARTED
        return Status.STALLED if is_stalled(self) else Status.RUNNING

    # ---- saving --------------------------------------------------------------------------------------------

    def config(self) -> Config:
        """The settings as JSON values; threads change nothing, so they are none."""
        settings = {name: value for name, value in self.settings().items() if name != "threads"}
        if self.flop_samples is None:  # as runs of before were saved
            settings.pop("flop_samples", None)
        plain = {"squash": self.squash.name, "leaf": self.leaf if isinstance(self.leaf, str) else "given"}
        return {"solver": self.ground.saved_as, **settings, **plain, "frontier": rule_config(self.frontier)}

    def settings(self) -> Config:
        """What the constructor was given, but for the start."""
        return {**{name: getattr(self, name) for name in self.ground.setting_names}, "rng": self.seed}

    def state(self, copy: bool = True) -> dict[str, np.ndarray]:
        """Everything needed to go on bit for bit; without `copy` the live arrays, to be read at once."""
        tables = {**self.ground.tables(), "change": self.change}
        clocks = self.ground.clocks(self.clock)
        copies = {name: array.copy() for name, array in tables.items()} if copy else tables
        return {**copies, **clocks, "seconds": np.array(self.seconds)}

    @property
    def nbytes(self) -> int:
        """Bytes of everything `state` holds."""
        return sum(array.nbytes for array in self.state(copy=False).values())

    @classmethod
    def bytes_needed(cls, game: RangeGame | DealtGame, **settings: Setting) -> int:
        """Bytes of the tables, the sweep's scratch and the deals, known before any is taken."""
        check_game(game, accepted(cls, game))
        if isinstance(game, RangeGame):
            return ExactGround.bytes_needed(game, settings)
        return SampledGround.bytes_needed(game, settings)

    @classmethod
    def from_state(
        cls, game: RangeGame | DealtGame, state: Mapping[str, np.ndarray], **settings: Setting
    ) -> Self:
        """A solver that goes on from a saved state; `settings` are those of the constructor."""
        solver = cls(game, **settings)
        solver._restore(state)
        return solver

    def copy(self) -> Self:
        """An independent solver in the same state: look ahead without moving this one."""
        return type(self).from_state(self.game, self.state(), **self.settings())

    def _restore(self, state: Mapping[str, np.ndarray]) -> None:
        clock = self.ground.restore(state, self.seed)
        self.iteration, self.touched, self.epoch, self.swept, self.seed = clock
        self.change[...] = saved_numbers(state, "change", (2,), least=0, finite=False)
        self.seconds = float(saved_numbers(state, "seconds", (), least=0))

    # ---- one sweep -----------------------------------------------------------------------------------------

    @property
    def clock(self) -> Clock:
        """When it is: everything that decides which deals are drawn next."""
        return Clock(self.iteration, self.touched, self.epoch, self.swept, self.seed)

    def _best_leaves(self) -> list[tuple[object, str]]:
        assert self.frontier is not None
        self.touched += self.ground.look_before_growth(self.clock)
        return self.ground.best_leaves(self.frontier)

    def _grow_if_settled(self) -> None:
        if self.frontier is not None and self.settled():
            self.expand()

    def _lesson(self) -> tuple[str, dict[str, np.ndarray]]:
        """What the next update does with the EVs just computed, in words and numbers."""
        x, name = self.squeezed(), self.squash.name
        told = f"Every probability times 1 + {name}(EV / {self.scale:g}), then each node sums to 1."
        return told, {"x": x, "factor": self.squash.factor(x)}

    def _learn(self) -> np.ndarray:
        """The strategy now played into the average, and the next one; how much that changed, [2]."""
        self.ground.remember()
        return self.ground.multiply(self.squash.factor(self.squeezed()), self.floor)

    def _update(self) -> None:
        """All nodes at once, from one set of EVs."""
        newest = self._learn()
        old = self.samples is not None and self.swept > 0 and np.isfinite(self.change).all()
        self.change[...] = SMOOTHING * newest + (1.0 - SMOOTHING) * self.change if old else newest
        self.touched += self.ground.touched
        self.iteration, self.swept = self.iteration + 1, self.swept + 1
