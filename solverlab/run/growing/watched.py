"""One face for every tree that is rebalanced and grown: what to draw, what to say of a node, how far it is.

`Rebalance` is one solver on two grounds, and their trees are looked at differently: `ExactRun` reads exact
sums over all hands, `SampledRun` the deals of a forest. A page or a notebook asks `watched(solver)` for rows
to draw, for the inspection of a node and for measures, and shows both.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Mapping
from typing import ClassVar, Self

import numpy as np

from solverlab.core.rows import Row, Setting
from solverlab.run.growing.rows import DealRow, Grew, Inspection, Pick, Rows
from solverlab.solvers import Expanded, Rebalance
from solverlab.solvers.phases import Phase


class GrowingRun(ABC):
    """A solver that rebalances and grows, its probabilities before the last update, and why leaves grew."""

    exact: ClassVar[bool]  # EVs and distances are exact, not sampled
    seats: tuple[str, ...]
    hands: tuple[str, ...]
    unit: str

    def __init__(self, solver: Rebalance):
        self.solver, self.game = solver, solver.game
        self.before = solver.ground.sigma.copy()
        self.reasons: dict[Hashable, str] = {}

    @property
    def grows(self) -> bool:
        return self.solver.ground.grows

    @property
    def iteration(self) -> int:
        return self.solver.iteration

    @property
    def epoch(self) -> int:
        return self.solver.epoch

    @property
    def size(self) -> int:
        """Nodes of all trees together."""
        return self.solver.ground.size

    # ---- the commands --------------------------------------------------------------------------------------

    def rebalance(self) -> None:
        self.before = self.solver.ground.sigma.copy()
        self.solver.rebalance()

    def settled(self) -> bool:
        """Whether the epoch is over."""
        return self.solver.settled()

    def phases(self) -> Iterator[Phase]:
        self.before = self.solver.ground.sigma.copy()
        yield from self.solver.phases()

    def expand(self, rows: list[tuple[int, int, int]] | None = None) -> list[Grew]:
        """Grow what the rule chooses, or these (seat, public node, hand)."""
        grown = self.solver.expand(None if rows is None else self._leaves(rows))
        self.before = np.concatenate([self.before, self.solver.ground.sigma[len(self.before) :]])
        self.reasons |= {self._key(one): one.reason for one in grown}
        return [
            Grew(self.epoch, one.position, one.hand, self.path(self.public(one.node)), one.reason)
            for one in grown
        ]

    @abstractmethod
    def _leaves(self, rows: list[tuple[int, int, int]]) -> list:
        """Rows (seat, public node, hand) as the solver names its leaves."""

    @abstractmethod
    def _key(self, one: Expanded) -> Hashable:
        """Where the reason of a growth is looked up."""

    # ---- looking -------------------------------------------------------------------------------------------

    @abstractmethod
    def public(self, node: int) -> int:
        """The public node of a node that the solver names."""

    @abstractmethod
    def path(self, public: int) -> str:
        """How one comes to a public node."""

    @abstractmethod
    def rows(self, pick: Pick) -> Rows:
        """The trees of a seat (or all seats) and some hands (or all), apart or drawn as one."""

    @abstractmethod
    def inspect(self, seat: int, node: int, hand: int) -> Inspection:
        """Everything about one node of one (seat, hand) tree."""

    def deals(self, seat: int, node: int, hand: int) -> tuple[DealRow, ...]:
        """Every sampled deal of one (seat, hand) tree at a node; none where EVs are exact."""
        return ()

    @abstractmethod
    def hand_table(self, seat: int, node: int) -> tuple[list[str], np.ndarray]:
        """Actions and probabilities float64[H, actions] at a public node; NaN where a tree ends before."""

    @abstractmethod
    def hand_sizes(self, seat: int) -> np.ndarray:
        """Nodes in each hand's tree, int64[H]; seat -1 counts all seats."""

    @abstractmethod
    def hands_at(self, seat: int, node: int) -> list[int]:
        """The hands whose trees have a public node, likeliest first."""

    @abstractmethod
    def hands_ending_at(self, seat: int, node: int) -> list[int]:
        """The hands whose trees end at a public node and could grow there."""

    @abstractmethod
    def watches(self) -> list[tuple[str, int]]:
        """Probabilities worth following from the start, by name; none where trees begin empty."""

    @abstractmethod
    def measure(self) -> Row:
        """change, gains (one a seat), and what else is known now."""

    def told(self) -> Row:
        """What a measure says on either ground."""
        solver = self.solver
        return {
            "sweep": self.iteration,
            "epoch": self.epoch,
            "nodes": self.size,
            "change": float(solver.change[0]),
            "relative_change": float(solver.change[1]),
            "tested": solver.tested,
            "test": solver.test,
            "tolerance": solver.tolerance,
        }

    # ---- saving --------------------------------------------------------------------------------------------

    def state(self) -> dict[str, np.ndarray]:
        return {**self.solver.state(), "before": self.before.copy()}

    def restored(self, state: Mapping[str, np.ndarray], **changes: Setting) -> Self:
        """A run that goes on from a state, perhaps with other settings."""
        plain = {name: array for name, array in state.items() if name != "before"}
        settings = self.solver.settings() | changes
        again = type(self)(Rebalance.from_state(self.game, plain, **settings))
        again.before, again.reasons = state["before"].copy(), dict(self.reasons)
        again._look_again(state)
        return again

    def _look_again(self, state: Mapping[str, np.ndarray]) -> None:
        """Bring back what a state leaves out, for those who look; nothing, unless a ground needs it."""
        return

    def probability(self, state: Mapping[str, np.ndarray], watch: int) -> float:
        """A probability of an earlier state, or not a number if it was not there yet."""
        return float(state["sigma"].ravel()[watch]) if watch < state["sigma"].size else float("nan")


def watched(solver: Rebalance) -> GrowingRun:
    """The run of a solver, for those who watch it.

    >>> import solverlab as sl
    >>> watched(sl.Rebalance(sl.Kuhn())).exact
    True
    """
    from solverlab.run.growing.exact import ExactRun
    from solverlab.run.growing.sampled import SampledRun
    from solverlab.solvers.growing.exact.ground import ExactGround

    return ExactRun(solver) if isinstance(solver.ground, ExactGround) else SampledRun(solver)
