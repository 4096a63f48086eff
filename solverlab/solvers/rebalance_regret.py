"""CFR on the trees a rebalance grows: the same EVs, frontier and growth, and another update.

What differs from `Rebalance` is the step from one set of EVs to the next strategy: regret matching on
counterfactual values (Zinkevich et al. 2007) in the place of a factor for every probability. On a whole tree
it is the house's CFR with simultaneous updates. On a truncated one every position values the tree it has
itself, so the positions' values need not sum to 0, and what is proved for CFR with two players is not proved
there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.core.game import TabulatedGame
from solverlab.solvers.frontier import rule_config
from solverlab.solvers.rebalance import Rebalance
from solverlab.solvers.rebalance_handover import is_dealt
from solverlab.solvers.rebalance_update import node_means
from solverlab.solvers.saved_numbers import saved_numbers
from solverlab.solvers.schedules import Schedule, schedule_named
from solverlab.solvers.tables import Tables, accumulate, match

SHARED = ("frontier", "samples", "sweeps", "tolerance", "leaf", "returned", "test")


class RegretRebalance(Rebalance):
    """CFR where `Rebalance` plays tanh: on a whole tree, or on one that is cut short and grows.

    `schedule` is a name or a Schedule, as of `sl.CFR`; all players learn at once from one set of EVs. The
    other settings are those of `Rebalance`. Beyond a frontier nothing moves; rows that have just grown start
    without regret.

    >>> import solverlab as sl
    >>> solver = RegretRebalance(sl.Kuhn(), "CFR")
    >>> other = sl.CFR(sl.Kuhn(), "CFR", alternating=False)
    >>> bool(abs(solver.step(50).policy.sigma - other.step(50).policy.sigma).max() < 1e-12)
    True
    """

    def __new__(cls, game: Any, *settings: Any, **named: Any) -> Any:
        if is_dealt(game):
            raise BadValue(f"{game.name} is too large for exact EVs; use sl.Rebalance, which samples it")
        return super().__new__(cls, game)

    def __init__(self, game: TabulatedGame, schedule: str | Schedule = "CFR+", **shared: Any):
        unknown = sorted(shared.keys() - {*SHARED, "rng"})
        if unknown:
            raise BadValue(f"regret matching has no setting {unknown[0]!r}; give {', '.join(SHARED)} or rng")
        self.schedule = schedule_named(schedule)
        super().__init__(game, **shared)
        shape = self.tie.shape
        self.tables = Tables(np.zeros(shape), self.total, np.zeros(shape), self.sigma)

    def saturated(self) -> float:
        """Regret matching squashes nothing."""
        return 0.0

    def gains(self) -> np.ndarray:
        """What every action wins beyond the strategy now played, times the others' reach, [S, K]."""
        value = self.values.value
        return (value - node_means(self.tie, self.sigma, value)) * self.opened

    # ---- saving --------------------------------------------------------------------------------------------

    def config(self) -> dict[str, Any]:
        row = {name: getattr(self.schedule, name) for name in self.schedule.__dataclass_fields__}
        plain = {"schedule": row, "leaf": self.leaf if isinstance(self.leaf, str) else "given"}
        frontier = rule_config(self.frontier)
        return {"solver": "RegretRebalance", **self._settings(), **plain, "frontier": frontier}

    def state(self) -> dict[str, np.ndarray]:
        """Everything needed to go on bit for bit."""
        return {**super().state(), "regret": self.tables.regret.copy()}

    @classmethod
    def from_state(cls, game: TabulatedGame, state: Mapping[str, np.ndarray], **settings: Any) -> Self:
        """A solver that goes on from a saved state; `settings` are those of the constructor."""
        solver = super().from_state(game, state, **settings)
        solver.tables.regret[...] = saved_numbers(state, "regret", solver.tie.shape)
        return solver

    def _settings(self) -> dict[str, Any]:
        shared = {name: getattr(self, name) for name in SHARED}
        return {"schedule": self.schedule, **shared, "rng": self.seed}

    # ---- one sweep -----------------------------------------------------------------------------------------

    def _rule_name(self) -> str:
        return self.schedule.name

    def _lesson(self) -> tuple[str, dict[str, np.ndarray]]:
        told = (
            "What each action wins beyond its node joins its regret; play in proportion to positive regret."
        )
        return told, {"gain": self.gains(), "regret": self.tables.regret.copy()}

    def _learn(self, newest: np.ndarray) -> None:
        rates, before = self.schedule.rates(self.iteration), self.sigma.copy()
        share, norm = self.values.share * self.opened, np.empty(self.tie.shape[1])
        self.tables.gain[...] = self.gains()
        for player in range(self.game.n_players):
            accumulate(self.tie, player, rates, share, self.tables)
            match(self.tie, player, rates.prediction, self.tables, norm)
        moved = np.abs(self.sigma - before)
        newest[:] = moved.max(), np.divide(moved, before, out=np.zeros_like(moved), where=before > 0).max()
