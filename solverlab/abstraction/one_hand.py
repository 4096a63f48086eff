"""What one hand is worth on one board: its strength now, what it may become, and how it may change."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solverlab.abstraction.rollout import AHEAD, BEHIND, TIED, preflop_points, roll_out
from solverlab.cards.cards import Cards, cards_text, parse_deal, street_of
from solverlab.cards.street_strength import FULL, RUNOUTS
from solverlab.cards.table_cache import Cancel, Progress
from solverlab.core.errors import BadValue, NotMeasured


def bin_of_points(points: np.ndarray, bins: int) -> np.ndarray:
    """The bin of HS = points / 1,980 among equal bins of [0, 1], in integers; HS = 1 is in the last."""
    return np.minimum(points.astype(np.int64) * bins // FULL, bins - 1)


def check_bins(bins: int) -> int:
    """Accept a positive number of bins."""
    if bins != int(bins) or not 1 <= bins <= FULL:
        raise BadValue(f"a histogram has 1 to {FULL} bins, not {bins!r}")
    return int(bins)


@dataclass(frozen=True)
class HandStrength:
    """A hand on a board, rolled out exactly.

    points int64[S] are the values of HS x 1,980 at the end, ascending, and counts int64[S] the number of
    boards to come that lead there; change int64[3, 3] counts (opponent, runout) pairs by who is behind, tied
    or ahead now and at the end (None before the flop).
    """

    hole: str
    board: str
    street: str
    points: np.ndarray
    counts: np.ndarray
    change: np.ndarray | None

    @property
    def hs(self) -> float:
        """Hand strength now: the chance to beat a random hand, ties half, if no more cards came."""
        now = self._change().sum(axis=1)
        return float((now[AHEAD] + now[TIED] / 2) / now.sum())

    @property
    def ehs(self) -> float:
        """E[HS]: the mean strength at the end, that is, the equity against a random hand."""
        return float(int(self.points @ self.counts) / (FULL * RUNOUTS[self.street]))

    @property
    def ehs2(self) -> float:
        """E[HS^2]: the mean squared strength at the end, which favours hands that may become strong."""
        return float(int(self.points**2 @ self.counts) / (FULL**2 * RUNOUTS[self.street]))

    @property
    def variance(self) -> float:
        """E[HS^2] - E[HS]^2."""
        total, squares = int(self.points @ self.counts), int(self.points**2 @ self.counts)
        runouts = RUNOUTS[self.street]
        return float((squares * runouts - total**2) / (FULL * runouts) ** 2)

    @property
    def positive_potential(self) -> float:
        """Of the times it is behind now (ties half), how often it ends ahead (ties half).

        PPot of Billings, Papp, Schaeffer and Szafron (1998), exact over all opponents and runouts.
        """
        change = self._change()
        gained = change[BEHIND, AHEAD] + (change[BEHIND, TIED] + change[TIED, AHEAD]) / 2
        return _share(gained, change[BEHIND].sum() + change[TIED].sum() / 2)

    @property
    def negative_potential(self) -> float:
        """Of the times it is ahead now (ties half), how often it ends behind (ties half)."""
        change = self._change()
        lost = change[AHEAD, BEHIND] + (change[AHEAD, TIED] + change[TIED, BEHIND]) / 2
        return _share(lost, change[AHEAD].sum() + change[TIED].sum() / 2)

    @property
    def values(self) -> np.ndarray:
        """The strengths the hand can end with, ascending, float64[S]."""
        return self.points / FULL

    @property
    def probabilities(self) -> np.ndarray:
        """The chance of each of `values`, float64[S]."""
        return self.counts / RUNOUTS[self.street]

    def histogram(self, bins: int = 50) -> np.ndarray:
        """Chance to end in each of `bins` equal ranges of strength, float64[bins]; the last includes 1."""
        place = bin_of_points(self.points, check_bins(bins))
        return np.bincount(place, self.counts, minlength=bins) / RUNOUTS[self.street]

    def _change(self) -> np.ndarray:
        if self.change is None:
            raise NotMeasured(f"{self.hole} has no strength of its own before the flop; read .ehs or .ehs2")
        return self.change

    def __repr__(self) -> str:
        where = f" on {self.board}" if self.board else ""
        return f"HandStrength({self.hole}{where}: E[HS] {self.ehs:.6f}, E[HS^2] {self.ehs2:.6f})"


def _share(part: float, whole: float) -> float:
    return float(part / whole) if whole else 0.0


def strength_of(
    hole: Cards,
    board: Cards = "",
    folder: str | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> HandStrength:
    """Roll one hand out; milliseconds after the flop, and from the kept river table before it."""
    own, public = parse_deal(hole, board)
    change: np.ndarray | None = None
    if public:
        points, change = np.zeros(FULL + 1, np.int64), np.zeros((3, 3), np.int64)
        roll_out(np.array(own), np.array(public), points, change, np.zeros(1326, np.uint8))
    else:
        points = preflop_points(own, folder, progress, cancel)
    found = np.flatnonzero(points)
    text = cards_text(sorted(own, reverse=True)), cards_text(public)
    return HandStrength(*text, street_of(public), found, points[found], change)
