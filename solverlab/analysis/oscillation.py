"""Does a probability settle, or does it go round? Period, amplitude and growth of a series.

A rebalanced strategy may oscillate for ever, and its swings may grow. The detector looks at the later half of
a series: where it rises through the middle of its range, a turn begins. A turn counts only if the series has
been well below and well above the middle in between, so a little noise makes no turns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.core.frame import frame
from solverlab.core.policy import Policy

if TYPE_CHECKING:
    import pandas as pd

WELL = 0.25  # share of the half range by which a series must leave the middle before it may cross it again
STILL = 1e-3  # swings smaller than this are rest


@dataclass(frozen=True)
class Oscillation:
    """What the later half of a series does."""

    period: float  # samples a turn, the middle one of the turns seen; nan where nothing goes round
    amplitude: float  # half the distance from trough to crest
    turns: int  # complete turns seen
    growth: float  # the last turn's amplitude over the first's; nan with fewer than two turns

    @property
    def sentence(self) -> str:
        """The finding for people; lately is the later half."""
        if self.amplitude <= STILL:
            return f"Lately it moves by less than {STILL:g}."
        if self.turns == 0:
            return f"Lately it moved by {2 * self.amplitude:.3g} and did not come round."
        grows = "growing" if self.growth > 1.05 else "dying down" if self.growth < 0.95 else "steady"
        return f"It goes round every {self.period:.3g} sweeps by {self.amplitude:.3g} either way, {grows}."


class Watch(NamedTuple):
    """One probability to follow: the action at a node with a hand."""

    node: str | int
    action: str
    hand: str | int | None = None


def oscillation(series: Sequence[float] | np.ndarray) -> Oscillation:
    """Period and amplitude of a series sampled at equal steps.

    >>> found = oscillation(0.5 + 0.3 * np.sin(2 * np.pi * np.arange(400) / 25))
    >>> round(found.period, 6), round(found.amplitude, 2), found.turns
    (25.0, 0.3, 6)
    >>> oscillation(0.9 ** np.arange(400)).sentence
    'Lately it moves by less than 0.001.'
    """
    values = np.asarray(series, np.float64)
    if values.ndim != 1 or len(values) < 8 or not np.isfinite(values).all():
        raise BadValue(
            f"a series of shape {values.shape} cannot be judged; give at least 8 finite numbers in a row"
        )
    late = values[len(values) // 2 :]
    amplitude = float(np.ptp(late)) / 2
    starts = _rises(late, float(late.min() + late.max()) / 2, WELL * amplitude) if amplitude > STILL else []
    if len(starts) < 2:
        return Oscillation(np.nan, amplitude, 0, np.nan)
    turns = [late[int(a) : int(b) + 2] for a, b in zip(starts, starts[1:], strict=False)]
    swings = [float(np.ptp(turn)) / 2 for turn in turns]
    growth = swings[-1] / swings[0] if len(swings) > 1 else np.nan
    return Oscillation(float(np.median(np.diff(starts))), amplitude, len(turns), growth)


def probability(policy: Policy, watch: Watch | tuple) -> float:
    """One probability of a policy, by node, action and hand.

    >>> import solverlab as sl
    >>> probability(sl.uniform_policy(sl.Kuhn()), ("raise", "call", "K"))
    0.5
    """
    node, action, hand = Watch(*watch)
    mix = policy.at(node, hand)
    if action not in mix:
        raise BadValue(f"there is no action {action!r} at node {node!r}; it offers {', '.join(mix)}")
    return mix[action]


@dataclass(frozen=True, eq=False)
class Paths:
    """The way several probabilities took: `iteration[T]` and `values[T, W]`, one column a watch."""

    iteration: np.ndarray
    values: np.ndarray
    watched: tuple[Watch, ...]

    def series(self, watch: int = 0) -> np.ndarray:
        return self.values[:, watch]

    def phase(self, x: int = 0, y: int = 1) -> pd.DataFrame:
        """Two probabilities against each other, in order: the data of a phase portrait."""
        return frame({"iteration": self.iteration, "x": self.values[:, x], "y": self.values[:, y]})

    def frame(self) -> pd.DataFrame:
        """One row a moment, one column a probability."""
        columns = {path_label(watch): self.values[:, i] for i, watch in enumerate(self.watched)}
        return frame({"iteration": self.iteration, **columns})


def paths(moments: Iterable[tuple[int, Policy]], *watched: Watch | tuple) -> Paths:
    """Follow some probabilities through (iteration, policy) pairs."""
    if not watched:
        raise BadValue("nothing is watched; name at least one (node, action, hand)")
    rows = [(t, [probability(policy, watch) for watch in watched]) for t, policy in moments]
    values = np.array([row for _, row in rows]).reshape(-1, len(watched))
    return Paths(np.array([t for t, _ in rows], int), values, tuple(Watch(*watch) for watch in watched))


def _rises(values: np.ndarray, middle: float, well: float) -> list[float]:
    """Where the series rises through the middle after having been well below it and, before that, well above.

    Between two samples the moment is read off the straight line.
    """
    moments: list[float] = []
    below = False
    crossing = np.nan
    for i in range(1, len(values)):
        before, after = values[i - 1] - middle, values[i] - middle
        below = below or before < -well
        if before < 0 <= after:
            crossing = i - 1 + before / (before - after)
        if below and after > well and np.isfinite(crossing):
            moments.append(crossing)
            below, crossing = False, np.nan
    return moments


def path_label(watch: Watch) -> str:
    """A probability in words, as a column or an axis is called."""
    where = f"{watch.node or 'root'}: {watch.action}"
    return where if watch.hand is None else f"{where} with {watch.hand}"
