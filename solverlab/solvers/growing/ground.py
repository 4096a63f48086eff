"""What a rebalance stands on: something that gives EVs at nodes and takes updates.

There are two. `ExactGround` sums over every deal of a small game; `SampledGround` grows a tree for each
position and holding of a table that is only ever dealt. `Rebalance` knows this contract and nothing else, so
there is one update, one rule of settling and one way to grow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, NamedTuple, Protocol, TypeVar

import numpy as np

from solverlab.core.policy import Policy
from solverlab.solvers.growing.frontier import Expanded, FrontierRule
from solverlab.solvers.phases import Phase

Leaf = TypeVar("Leaf")  # how a ground names a leaf of its trees


class Clock(NamedTuple):
    """When a look is taken: sweeps, node visits, growths, sweeps since the last growth; and the seed."""

    iteration: int
    touched: int
    epoch: int
    swept: int
    seed: int


class Ground(Protocol[Leaf]):
    """EVs of every action and node for one strategy, and that strategy's tables.

    What it calls actions is a flat or two-dimensional array of its own; the solver passes such arrays back as
    they came and never asks how they are laid out.
    """

    saved_as: ClassVar[str]  # the solver's name in saved runs: sampled ones have always been called Forest
    setting_names: ClassVar[tuple[str, ...]]  # what `Rebalance` is made with, on this ground

    @property
    def samples(self) -> int | None:
        """Deals a look is taken from; None where EVs are exact."""

    @property
    def touched(self) -> int:
        """Node visits of the last look."""

    @property
    def grows(self) -> bool:
        """Whether trees are cut short and can be expanded."""

    @property
    def size(self) -> int:
        """Nodes of all trees together."""

    # ---- EVs -----------------------------------------------------------------------------------------------

    def look(self, clock: Clock) -> None:
        """One set of EVs from the strategy now played."""

    def phases(self, clock: Clock) -> Iterator[Phase]:
        """The same look in named sub-steps."""

    def action_ev(self) -> np.ndarray:
        """EV of each action given that play comes there, as last seen."""

    def decision_ev(self, ev: np.ndarray) -> np.ndarray:
        """EV of the decision each action belongs to."""

    def paid(self) -> np.ndarray:
        """Chips the player to act had put in before each action."""

    def weighted(self, ev: np.ndarray) -> np.ndarray:
        """EVs times the probability that the others and chance come there."""

    def judged(self) -> np.ndarray:
        """The actions whose squash says something, as an index."""

    # ---- the strategy --------------------------------------------------------------------------------------

    @property
    def sigma(self) -> np.ndarray:
        """Probabilities as now played, in the ground's own rows."""

    def remember(self) -> None:
        """The strategy now played into the average."""

    def multiply(self, factor: np.ndarray, floor: float) -> np.ndarray:
        """Probabilities times their factors, renormalised; the largest absolute and relative change, [2]."""

    def played(self) -> np.ndarray:
        """The same by node, copied."""

    def policies(self, played: bool) -> tuple[Policy, Policy]:
        """The average strategy (if any was `played`, else the current one) and the current one, frozen."""

    # ---- growth --------------------------------------------------------------------------------------------

    def look_before_growth(self, clock: Clock) -> int:
        """Make sure there are EVs to choose leaves by; returns the node visits that count."""

    def best_leaves(self, rule: FrontierRule) -> list[tuple[Leaf, str]]:
        """The leaves a rule chooses, each with its reason."""

    def named_leaves(self, leaves: object) -> list[tuple[Leaf, str]]:
        """Leaves somebody asked for, or one sentence."""

    def grow(self, chosen: list[tuple[Leaf, str]]) -> list[Expanded]:
        """Expand leaves by one level: all of them, or none."""

    def numbers(self) -> dict[str, float]:
        """How large the trees are and how often a strategy was asked for beyond a frontier."""

    # ---- saving --------------------------------------------------------------------------------------------

    def tables(self) -> dict[str, np.ndarray]:
        """The live arrays of a state."""

    def clocks(self, clock: Clock) -> dict[str, np.ndarray]:
        """A clock as saved arrays."""

    def restore(self, state: Mapping[str, np.ndarray], seed: int) -> Clock:
        """Go to a saved state; whatever no run can have is refused."""
