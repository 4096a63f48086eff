"""What a solver shows of itself: frozen, read-only, safe to keep and to draw from another thread."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from types import MappingProxyType

from solverlab.core.errors import NotMeasured
from solverlab.core.names import Names
from solverlab.core.policy import Policy
from solverlab.core.rows import Metrics
from solverlab.core.tree import Tree


class Status(Enum):
    """Where a run stands, with a sentence for people."""

    STARTED = "Not stepped yet: every action is equally likely."
    RUNNING = "Stepping."
    REACHED = "The target was reached."
    STOPPED = "Stopped at the limit of iterations or time; more steps would go on from here."
    STALLED = "The strategy hardly changes but somebody could still gain: this is not convergence."

    @property
    def sentence(self) -> str:
        return self.value


NOTHING: Metrics = MappingProxyType({})


@dataclass(frozen=True, eq=False, init=False)
class Snapshot:
    """A solver's state for the eye: three clocks, the average policy, the current one, what was measured."""

    iteration: int
    seconds: float
    touched: int  # node visits; a node swept with H hands counts H times
    tree: Tree
    names: Names
    policy: Policy  # the average, which converges
    current: Policy  # the last iterate, which may not
    metrics: Metrics = field(default_factory=lambda: NOTHING)
    events: tuple[object, ...] = ()
    status: Status = Status.RUNNING

    def __init__(
        self,
        iteration: int,
        seconds: float,
        touched: int,
        tree: Tree,
        names: Names,
        policy: Policy,
        current: Policy,
        metrics: Metrics = NOTHING,
        events: tuple[object, ...] = (),
        status: Status = Status.RUNNING,
    ):
        """All fields at once: set one by one they would take as long as an iteration of Kuhn."""
        self.__dict__.update(
            iteration=iteration, seconds=seconds, touched=touched, tree=tree, names=names, policy=policy,
            current=current, metrics=metrics, events=events, status=status,
        )  # fmt: skip

    @property
    def exploitability(self) -> float:
        """Mean best-response gain a player, in the game's unit (two players)."""
        if len(self.names.players) > 2:
            raise NotMeasured(
                f"exploitability is not defined for {len(self.names.players)} players; "
                "measure 'deviation_gains' and read snap.metrics['deviation_gains']"
            )
        return self._measured("exploitability")

    @property
    def value(self) -> float:
        """The first player's value of the average policy against itself, in the game's unit."""
        return self._measured("value")

    def measured(self, metrics: Metrics, status: Status | None = None) -> Snapshot:
        """The same snapshot with more numbers known about it."""
        known = MappingProxyType({**self.metrics, **metrics})
        return replace(self, metrics=known, status=status or self.status)

    def _measured(self, name: str) -> float:
        if name not in self.metrics:
            raise NotMeasured(
                f"{name} was not measured; call sl.{name}(game, snap.policy) or run(..., measure=[{name!r}])"
            )
        return self.metrics[name]

    def __repr__(self) -> str:
        numbers = "".join(
            f", {name}={value:.3g}" for name, value in self.metrics.items() if isinstance(value, float)
        )
        clocks = f"iteration={self.iteration}, seconds={self.seconds:.3g}"
        return f"Snapshot({clocks}{numbers}, status={self.status.name})"
