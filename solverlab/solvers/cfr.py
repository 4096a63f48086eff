"""Full-width counterfactual regret minimisation on any game in range form.

Zinkevich et al. 2007 (CFR), Tammelin 2014 (CFR+), Brown & Sandholm 2019 (LCFR, DCFR), Farina et al. 2021
(PCFR+): the variant is a row of `schedules`. Each update is a leaf call, a backward loop, an update of rows
and a forward loop.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from time import perf_counter
from typing import ClassVar

import numpy as np

from solverlab.core import sweeps
from solverlab.core.errors import BadValue
from solverlab.core.game import RangeGame, TabulatedGame, need_tree
from solverlab.core.kernel import for_these_types
from solverlab.core.leaves import LeafTable
from solverlab.core.policy import LatePolicy, Policy, read_only
from solverlab.core.rows import Config, Setting
from solverlab.core.snapshot import Snapshot, Status
from solverlab.core.solver import Accepts
from solverlab.core.tree import Tree
from solverlab.core.tying import Tying, check_tie
from solverlab.solvers.phases import Phase, learning, looking
from solverlab.solvers.schedules import Schedule, schedule_named
from solverlab.solvers.tables import fresh_tables, match
from solverlab.solvers.untied import improve_untied, plan_of_nodes
from solverlab.solvers.update import fresh_work, gather, improve, improve_often, learn, refresh

CHUNK = 1000  # iterations a kernel call
CLOCKS = 24  # bytes
WHOLE = (int, np.integer)


class CFR:
    """Counterfactual regret minimisation, stepped by hand or by `run`.

    `schedule` is a name or a Schedule; `alternating` updates one player after the other (the default) or all
    at once; `tie` is an abstraction to play under (default: the game's own information).

    >>> import solverlab as sl
    >>> solver = sl.CFR(sl.Leduc(), "DCFR")
    >>> snap = solver.step(1)
    >>> sl.CFR(sl.Leduc()).snapshot().policy.at("", hand="Qs")
    {'check': 0.5, 'raise': 0.5}
    """

    accepts: ClassVar[Accepts] = RangeGame

    def __init__(
        self,
        game: RangeGame,
        schedule: str | Schedule = "CFR+",
        alternating: bool = True,
        tie: Tying | None = None,
    ):
        need_tree(game)
        if not isinstance(alternating, bool):
            raise BadValue(f"alternating is True or False, not {type(alternating).__name__}")
        self.game, self.schedule, self.alternating = game, schedule_named(schedule), alternating
        self.tie = game.tie if tie is None else tie
        check_tie(self.tie)
        self.leaves: LeafTable | None = game.leaves if isinstance(game, TabulatedGame) else None
        self.iteration, self.seconds, self.touched = 0, 0.0, 0
        self.tables = fresh_tables(self.tie.shape)
        self.work = fresh_work(game, self.tie, self.tables)
        self._often: Callable[[np.ndarray], None] | None = None
        self._restart()

    def step(self, n: int = 1) -> Snapshot:
        """Run `n` iterations (each updates every player once) and show the result."""
        if not isinstance(n, WHOLE) or n < 0:
            raise BadValue(f"cannot run {n!r} iterations; give a whole number of at least 0")
        began = perf_counter()
        if self.alternating and self.leaves is not None:
            for start in range(0, n, CHUNK):
                self._iterate_compiled(min(CHUNK, n - start))
        else:
            for _ in range(n):
                for _ in self._parts():
                    pass
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
            policy=LatePolicy(tree, names, partial(average, tree, self.tie, self.tables.total.copy())),
            current=Policy(tree, names, read_only(self.work.sigma.copy())),
            status=Status.RUNNING if self.iteration else Status.STARTED,
        )

    def slices(self) -> Iterator[None]:
        """One iteration, stopping after each player's part; run to the end it equals `step(1)`."""
        began = perf_counter()
        for _ in self._parts():
            self.seconds += perf_counter() - began
            yield
            began = perf_counter()

    def phases(self) -> Iterator[Phase]:
        """One iteration as named sub-steps with their numbers; running it to the end equals `step(1)`."""
        if self.alternating:
            for player in self._players():
                yield from looking(self, player)
                yield from learning(self, player)
        else:
            for look_or_learn in (looking, learning):
                for player in self._players():
                    yield from look_or_learn(self, player)
        self._tick()

    # ---- saving --------------------------------------------------------------------------------------------

    def config(self) -> Config:
        return {"solver": "CFR", "schedule": self.schedule.row(), "alternating": self.alternating}

    def state(self, copy: bool = True) -> dict[str, np.ndarray]:
        """Everything needed to go on bit for bit; without `copy` the live tables, to be read at once."""
        clocks = {"clock": np.array([self.iteration, self.touched]), "seconds": np.array(self.seconds)}
        tables = self.tables._asdict()
        return {**({name: array.copy() for name, array in tables.items()} if copy else tables), **clocks}

    @classmethod
    def from_state(cls, game: RangeGame, state: Mapping[str, np.ndarray], **settings: Setting) -> CFR:
        """A solver that goes on from a saved state; `settings` are those of the constructor."""
        solver = cls(game, **settings)
        for name, array in solver.tables._asdict().items():
            if state[name].shape != array.shape:
                raise BadValue(
                    f"the saved {name} has shape {state[name].shape} but this game needs {array.shape}"
                )
            array[...] = state[name]
        solver.iteration, solver.touched = (int(number) for number in state["clock"])
        solver.seconds = float(state["seconds"])
        solver._refresh_all()
        return solver

    @property
    def nbytes(self) -> int:
        """Bytes of everything `state` holds."""
        return sum(array.nbytes for array in self.state(copy=False).values())

    @classmethod
    def bytes_needed(cls, game: RangeGame, tie: Tying | None = None, **settings: Setting) -> int:
        """Bytes of the tables and of the sweeps' scratch, known before either is taken.

        >>> import solverlab as sl
        >>> CFR.bytes_needed(sl.Leduc()) > CFR(sl.Leduc()).nbytes
        True
        """
        rows = math.prod((game.tie if tie is None else tie).shape)
        swept = len(game.tree.parent) * len(game.names.hands)
        return 8 * (6 * rows + (2 * game.n_players + 2) * swept) + CLOCKS

    def copy(self) -> CFR:
        """An independent solver in the same state: look ahead without moving this one."""
        settings = {"schedule": self.schedule, "alternating": self.alternating, "tie": self.tie}
        return type(self).from_state(self.game, self.state(), **settings)

    # ---- one iteration -------------------------------------------------------------------------------------

    def _iterate_compiled(self, n: int) -> None:
        """The same as `n` times `_parts`, for tabulated leaves: nothing but compiled code in the loop."""
        now, rates_of = self.iteration, self.schedule.rates
        rates = np.array([rates_of(now)] if n == 1 else [rates_of(t) for t in range(now, now + n)])
        if self._often is None:
            self._often = self._compiled(rates)
        self._often(rates)
        self._tick(n)

    def _compiled(self, rates: np.ndarray) -> Callable[[np.ndarray], None]:
        """The kernel for this game, with all it needs but the rates of the iterations."""
        tree, tie, leaves, tables, work = self.game.tree, self.tie, self.leaves, self.tables, self.work
        if leaves is None or tie.tied:
            shared = (tree, tie, leaves, tables, work)
            return partial(for_these_types(improve_often, *shared, rates), *shared)
        apart = (tree, tie, leaves, plan_of_nodes(tree, leaves, work.chance), tables, work)
        return partial(for_these_types(improve_untied, *apart, rates), *apart)

    def _parts(self) -> Iterator[None]:
        """One iteration through the game's own leaf function, with a stop after each player's part."""
        game, tree, tie, tables, work = self.game, self.game.tree, self.tie, self.tables, self.work
        rates = self.schedule.rates(self.iteration)
        if self.alternating:
            for player in self._players():
                leaf_cfv = game.leaf_cfv(player, work.leaf_reach)
                improve(tree, tie, player, rates, leaf_cfv, tables, work)
                if player == game.n_players - 1:
                    self._tick()
                yield
        else:
            for player in self._players():
                gather(tree, tie, player, game.leaf_cfv(player, work.leaf_reach), tables, work)
            for player in self._players():
                learn(tree, tie, player, rates, tables, work)
                refresh(tree, tie, player, tables, work)
            self._tick()
            yield

    def _tick(self, n: int = 1) -> None:
        self.iteration += n
        self.touched += n * self.game.n_players * self.work.sigma.size

    def _players(self) -> range:
        return range(self.game.n_players)

    def _restart(self) -> None:
        for player in self._players():
            match(self.tie, player, 0.0, self.tables, self.work.norm)
        self._refresh_all()

    def _refresh_all(self) -> None:
        for player in self._players():
            refresh(self.game.tree, self.tie, player, self.tables, self.work)


def average(tree: Tree, tie: Tying, total: np.ndarray) -> np.ndarray:
    """The average policy sigma[N, H] of accumulated strategies total[S, K]; 1 where nobody acts."""
    table = np.ones(tie.shape)
    sweeps.normalise(tie, total, table)
    if not tie.tied:
        return table
    sigma = np.empty((len(tree.parent), tie.bucket.shape[1]))
    sweeps.spread(tree, tie, table, sigma)
    return sigma
