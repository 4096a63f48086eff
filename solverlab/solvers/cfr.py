"""Full-width counterfactual regret minimisation on any game in range form.

Zinkevich et al. 2007 (CFR), Tammelin 2014 (CFR+), Brown & Sandholm 2019 (LCFR, DCFR), Farina et al. 2021
(PCFR+): the variant is a row of `schedules`. Each update is a leaf call, a backward loop, an update of rows
and a forward loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from time import perf_counter
from typing import Any

import numpy as np

from solverlab.core import sweeps
from solverlab.core.errors import BadValue
from solverlab.core.game import Game, need_tree
from solverlab.core.leaves import LeafTable
from solverlab.core.policy import Policy, read_only
from solverlab.core.snapshot import Snapshot, Status
from solverlab.core.tying import Tying, check_tie
from solverlab.solvers.phases import Phase, learning, looking
from solverlab.solvers.schedules import Schedule, schedule_named
from solverlab.solvers.tables import fresh_tables, match
from solverlab.solvers.update import fresh_work, gather, improve, improve_often, learn, refresh

CHUNK = 1000  # iterations a kernel call


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

    def __init__(
        self,
        game: Game,
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
        self.leaves: LeafTable | None = getattr(game, "leaves", None)
        self.iteration, self.seconds, self.touched = 0, 0.0, 0
        self.tables = fresh_tables(self.tie.shape)
        self.work = fresh_work(game, self.tie, self.tables)
        self._restart()

    def step(self, n: int = 1) -> Snapshot:
        """Run `n` iterations (each updates every player once) and show the result."""
        if not isinstance(n, int | np.integer) or n < 0:
            raise BadValue(f"cannot run {n!r} iterations; give a whole number of at least 0")
        began = perf_counter()
        if self.alternating and self.leaves is not None:
            for start in range(0, n, CHUNK):
                self._iterate_compiled(min(CHUNK, n - start))
        else:
            for _ in range(n):
                self._iterate()
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
            policy=Policy(tree, names, self._average()),
            current=Policy(tree, names, read_only(self.work.sigma.copy())),
            status=Status.RUNNING if self.iteration else Status.STARTED,
        )

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

    def config(self) -> dict[str, Any]:
        row = {name: getattr(self.schedule, name) for name in self.schedule.__dataclass_fields__}
        return {"solver": "CFR", "schedule": row, "alternating": self.alternating}

    def state(self) -> dict[str, np.ndarray]:
        """Everything needed to go on bit for bit."""
        clocks = {"clock": np.array([self.iteration, self.touched]), "seconds": np.array(self.seconds)}
        return {**{name: array.copy() for name, array in self.tables._asdict().items()}, **clocks}

    @classmethod
    def from_state(cls, game: Game, state: Mapping[str, np.ndarray], **settings: Any) -> CFR:
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

    def copy(self) -> CFR:
        """An independent solver in the same state: look ahead without moving this one."""
        settings = {"schedule": self.schedule, "alternating": self.alternating, "tie": self.tie}
        return type(self).from_state(self.game, self.state(), **settings)

    # ---- one iteration -------------------------------------------------------------------------------------

    def _iterate_compiled(self, n: int) -> None:
        """The same as `n` times `_iterate`, for tabulated leaves: nothing but compiled code in the loop."""
        rates = np.array([self.schedule.rates(t) for t in range(self.iteration, self.iteration + n)])
        game = self.game
        improve_often(game.tree, self.tie, self.leaves, rates, game.n_players, self.tables, self.work)
        self._tick(n)

    def _iterate(self) -> None:
        game, tree, tie, tables, work = self.game, self.game.tree, self.tie, self.tables, self.work
        rates = self.schedule.rates(self.iteration)
        if self.alternating:
            for player in self._players():
                leaf_cfv = game.leaf_cfv(player, work.leaf_reach)
                improve(tree, tie, player, rates, leaf_cfv, tables, work)
        else:
            for player in self._players():
                gather(tree, tie, player, game.leaf_cfv(player, work.leaf_reach), tables, work)
            for player in self._players():
                learn(tree, tie, player, rates, tables, work)
                refresh(tree, tie, player, tables, work)
        self._tick()

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

    def _average(self) -> np.ndarray:
        table = np.ones_like(self.tables.total)
        sweeps.normalise(self.tie, self.tables.total, table)
        if not self.tie.tied:
            return read_only(table)
        sigma = np.empty_like(self.work.sigma)
        sweeps.spread(self.game.tree, self.tie, table, sigma)
        return read_only(sigma)
