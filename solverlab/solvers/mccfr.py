"""Sampled counterfactual regret minimisation (Lanctot et al. 2009) on any game small enough to write out.

The same tables and schedules as full-width CFR; what differs is that each player's update comes from one
random walk.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from time import perf_counter
from typing import ClassVar

import numpy as np

from solverlab.core import sweeps
from solverlab.core.errors import BadValue
from solverlab.core.game import TabulatedGame, need_tree
from solverlab.core.history import unroll
from solverlab.core.policy import Policy, read_only
from solverlab.core.rows import Config, Setting
from solverlab.core.snapshot import Snapshot, Status
from solverlab.core.solver import Accepts
from solverlab.core.tying import Tying, check_tie
from solverlab.solvers.schedules import Schedule, schedule_named
from solverlab.solvers.tables import Tables, match
from solverlab.solvers.walks import Sampling, ground_of, sampling_named, walk_iterations

CHUNK = 1000  # iterations a kernel call
TABLES = ("regret", "last", "total")
CLOCKS = 72  # bytes of the clocks and of the generator


class MCCFR:
    """Monte Carlo CFR: each iteration is one random walk a player.

    `sampling` is full, chance, external, outcome or a Sampling of your own; `rng` is a seed (or a numpy
    Generator). In each walk the next player's strategy is averaged, weighted so that the average is unbiased
    for any number of players.

    >>> import solverlab as sl
    >>> a, b = (sl.MCCFR(sl.Kuhn(), "CFR+", sampling="external", rng=7) for _ in range(2))
    >>> a.step(50).policy.at("", hand="K") == (b.step(20), b.step(30))[1].policy.at("", hand="K")
    True
    """

    accepts: ClassVar[Accepts] = TabulatedGame

    def __init__(
        self,
        game: TabulatedGame,
        schedule: str | Schedule = "CFR+",
        sampling: str | Sampling = "external",
        rng: int | np.random.Generator = 0,
        tie: Tying | None = None,
    ):
        need_tree(game)
        if not isinstance(game, TabulatedGame):
            raise BadValue(f"{game.name} cannot be written out deal by deal; use full-width CFR")
        self.game, self.schedule, self.sampling = game, schedule_named(schedule), sampling_named(sampling)
        self.tie = game.tie if tie is None else tie
        check_tie(self.tie)
        self.rng = _generator(rng)
        self.seed: int | None = rng if isinstance(rng, int) else None
        self.iteration, self.seconds, self.touched = 0, 0.0, 0
        self.ground = ground_of(unroll(game, self.tie), math.prod(self.tie.shape))

    def step(self, n: int = 1) -> Snapshot:
        """Run `n` iterations, each one walk a player, and show the result."""
        if not isinstance(n, int | np.integer) or n < 0:
            raise BadValue(f"cannot run {n!r} iterations; give a whole number of at least 0")
        began = perf_counter()
        for start in range(0, n, CHUNK):
            self._walk(min(CHUNK, n - start))
        self.seconds += perf_counter() - began
        return self.snapshot()

    def snapshot(self) -> Snapshot:
        """The state for the eye: the average policy and the current one, copied and frozen."""
        tree, names = self.game.tree, self.game.names
        return Snapshot(
            iteration=self.iteration,
            seconds=self.seconds,
            touched=self.touched,
            tree=tree,
            names=names,
            policy=Policy(tree, names, self._policy(self._average)),
            current=Policy(tree, names, self._policy(self._current)),
            status=Status.RUNNING if self.iteration else Status.STARTED,
        )

    # ---- saving --------------------------------------------------------------------------------------------

    def config(self) -> Config:
        drawn = {name: getattr(self.sampling, name) for name in self.sampling.__dataclass_fields__}
        return {"solver": "MCCFR", "schedule": self.schedule.row(), "sampling": drawn, "rng": self.seed}

    def state(self, copy: bool = True) -> dict[str, np.ndarray]:
        """Everything needed to go on bit for bit, the random generator included."""
        tables = {name: getattr(self.ground, name) for name in TABLES}
        if copy:
            tables = {name: table.copy() for name, table in tables.items()}
        clocks = {"clock": np.array([self.iteration, self.touched]), "seconds": np.array(self.seconds)}
        return {**tables, **clocks, "generator": _generator_state(self.rng)}

    @classmethod
    def from_state(cls, game: TabulatedGame, state: Mapping[str, np.ndarray], **settings: Setting) -> MCCFR:
        """A solver that goes on from a saved state; `settings` are those of the constructor."""
        solver = cls(game, **settings)
        for name in TABLES:
            table = solver.state(copy=False)[name]
            if state[name].shape != table.shape:
                raise BadValue(
                    f"the saved {name} has shape {state[name].shape} but this game needs {table.shape}"
                )
            table[...] = state[name]
        solver.iteration, solver.touched = (int(number) for number in state["clock"])
        solver.seconds = float(state["seconds"])
        solver.rng = _restored_generator(state["generator"])
        return solver

    @property
    def nbytes(self) -> int:
        """Bytes of everything `state` holds."""
        return sum(array.nbytes for array in self.state(copy=False).values())

    @classmethod
    def bytes_needed(cls, game: TabulatedGame, tie: Tying | None = None, **settings: Setting) -> int:
        """Bytes of the tables, known before they are taken; the deals written out come on top."""
        return 8 * 4 * math.prod((game.tie if tie is None else tie).shape) + CLOCKS

    def slices(self) -> Iterator[None]:
        """One iteration, which is short: one walk a player."""
        began = perf_counter()
        self._walk(1)
        self.seconds += perf_counter() - began
        yield

    def copy(self) -> MCCFR:
        """An independent solver in the same state: look ahead without moving this one."""
        settings = {"schedule": self.schedule, "sampling": self.sampling, "tie": self.tie}
        twin = type(self).from_state(self.game, self.state(), **settings)
        twin.seed = self.seed
        return twin

    # ---- one iteration -------------------------------------------------------------------------------------

    def _walk(self, n: int) -> None:
        schedule, row = self.schedule, self.sampling
        everywhere = math.isfinite(schedule.positive) or math.isfinite(schedule.negative)
        rates = np.array([self._rates(t) for t in range(self.iteration, self.iteration + n)])
        sampling = (row.own, row.others, row.chance, row.explore)
        self.touched += walk_iterations(
            self.ground, sampling, everywhere, rates, self.game.n_players, self.rng
        )
        self.iteration += n

    def _rates(self, t: int) -> tuple[float, float, float, float, float]:
        """Kept fractions as in CFR; the average is not faded, later iterations weigh more (see `weight`)."""
        kept, schedule = self.schedule.rates(t), self.schedule
        anew = float(schedule.restarts(t))
        return kept.positive, kept.negative, schedule.weight(t), kept.prediction, anew

    def _average(self) -> np.ndarray:
        table = np.ones(self.tie.shape)
        sweeps.normalise(self.tie, self.ground.total.reshape(self.tie.shape), table)
        return table

    def _current(self) -> np.ndarray:
        shape = self.tie.shape
        tables = Tables(
            self.ground.regret.reshape(shape),
            np.empty(shape),
            self.ground.last.reshape(shape),
            np.ones(shape),
        )
        for player in range(self.game.n_players):
            match(self.tie, player, float(self.schedule.predictive), tables, np.zeros(shape[1]))
        return tables.sigma

    def _policy(self, table: Callable[[], np.ndarray]) -> np.ndarray:
        sigma = np.empty((len(self.game.tree.parent), len(self.game.names.hands)))
        sweeps.spread(self.game.tree, self.tie, table(), sigma)
        return read_only(sigma)


def _generator(rng: int | np.random.Generator) -> np.random.Generator:
    if isinstance(rng, np.random.Generator):
        return rng
    if not isinstance(rng, int) or rng < 0:
        raise BadValue(f"the seed is {rng!r}; give a whole number of at least 0")
    return np.random.default_rng(rng)


def _generator_state(rng: np.random.Generator) -> np.ndarray:
    """A PCG64 generator as uint64[6]."""
    full = rng.bit_generator.state
    if full["bit_generator"] != "PCG64":
        raise BadValue(
            f"a {full['bit_generator']} generator cannot be saved; use numpy.random.default_rng(seed)"
        )
    mask = (1 << 64) - 1
    state, inc = full["state"]["state"], full["state"]["inc"]
    numbers = [state >> 64, state & mask, inc >> 64, inc & mask, full["has_uint32"], full["uinteger"]]
    return np.array(numbers, np.uint64)


def _restored_generator(saved: np.ndarray) -> np.random.Generator:
    numbers = [int(number) for number in saved]
    rng = np.random.default_rng(0)
    rng.bit_generator.state = {
        "bit_generator": "PCG64",
        "state": {"state": numbers[0] << 64 | numbers[1], "inc": numbers[2] << 64 | numbers[3]},
        "has_uint32": numbers[4],
        "uinteger": numbers[5],
    }
    return rng
