"""CFR on the trees a rebalance grows: the same EVs, frontier and growth, and another update.

What differs from `Rebalance` is the step from one set of EVs to the next strategy: regret matching on
counterfactual values (Zinkevich et al. 2007) in the place of a factor for every probability. On a whole tree
it is the house's CFR with simultaneous updates. On a truncated one every position values the tree it has
itself, so the positions' values need not sum to 0, and what is proved for CFR with two players is not proved
there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.core.game import RangeGame
from solverlab.core.rows import Config, Setting
from solverlab.core.solver import Accepts
from solverlab.solvers.growing.exact.ground import ExactGround
from solverlab.solvers.growing.frontier import rule_config
from solverlab.solvers.growing.rebalance import Rebalance
from solverlab.solvers.saved_numbers import saved_numbers
from solverlab.solvers.schedules import Schedule, schedule_named
from solverlab.solvers.tables import Tables, accumulate_and_match

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

    accepts: ClassVar[Accepts] = RangeGame
    ground: ExactGround

    def __init__(self, game: RangeGame, schedule: str | Schedule = "CFR+", **shared: Setting):
        unknown = sorted(shared.keys() - {*SHARED, "rng"})
        if unknown:
            raise BadValue(f"regret matching has no setting {unknown[0]!r}; give {', '.join(SHARED)} or rng")
        self.schedule = schedule_named(schedule)
        super().__init__(game, **shared)
        shape = self.ground.tie.shape
        self.tables = Tables(np.zeros(shape), self.ground.total, np.zeros(shape), self.ground.sigma)

    def saturated(self) -> float:
        """Regret matching squashes nothing."""
        return 0.0

    def gains(self) -> np.ndarray:
        """What every action wins beyond the strategy now played, times the others' reach, [S, K]."""
        value = self.ground.values.value
        return (value - self.ground.decision_ev(value)) * self.ground.opened

    # ---- saving --------------------------------------------------------------------------------------------

    def config(self) -> Config:
        plain = {
            "schedule": self.schedule.row(),
            "leaf": self.leaf if isinstance(self.leaf, str) else "given",
        }
        frontier = rule_config(self.frontier)
        return {"solver": "RegretRebalance", **self.settings(), **plain, "frontier": frontier}

    def state(self, copy: bool = True) -> dict[str, np.ndarray]:
        """Everything needed to go on bit for bit; without `copy` the live arrays, to be read at once."""
        regret = self.tables.regret
        return {**super().state(copy), "regret": regret.copy() if copy else regret}

    def _restore(self, state: Mapping[str, np.ndarray]) -> None:
        super()._restore(state)
        self.tables.regret[...] = saved_numbers(state, "regret", self.ground.tie.shape)

    def settings(self) -> Config:
        """What the constructor was given."""
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

    def _learn(self) -> np.ndarray:
        ground = self.ground
        rates, before = self.schedule.rates(self.iteration), ground.sigma.copy()
        played = ground.values.share if rates.weighted else before
        share, norm = played * ground.opened, np.empty(ground.tie.shape[1])
        self.tables.gain[...] = self.gains()
        for player in range(self.game.n_players):
            accumulate_and_match(ground.tie, player, rates, share, self.tables, norm)
        ground.play()
        moved = np.abs(ground.sigma - before)
        relative = np.divide(moved, before, out=np.zeros_like(moved), where=before > 0)
        return np.array([moved.max(), relative.max()])
