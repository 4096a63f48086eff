"""A million hands as one picture: points sorted once, then their inks added up pixel by pixel and shaded.

This is what datashader does (Bednar and others, 2016), and the tests compare with its counts. Thirty lines of
our own start in milliseconds, because the compiled loop is kept on disk, and need no table of categories.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from solverlab.core.kernel import kernel

Span = tuple[float, float]
EVERYTHING: Span = (-0.02, 1.02)
FAINTEST = 70  # opacity of 255 where hands are fewest
SPARSE = 0.04  # share of pixels below which dots are grown


class Strengths(Protocol):
    """The hands of a street with E[HS] and E[HS^2] [hands], and how many deals each stands for."""

    @property
    def ehs(self) -> np.ndarray: ...
    @property
    def ehs2(self) -> np.ndarray: ...
    @property
    def weight(self) -> np.ndarray: ...
    def __len__(self) -> int: ...


class Cloud(NamedTuple):
    """Hands of a street in order of x.

    Place x, y float32[n], number of the hand index int32[n], number of its bucket code uint16[n].
    """

    x: np.ndarray
    y: np.ndarray
    index: np.ndarray  # type: ignore[assignment]  # not tuple's method
    code: np.ndarray

    @property
    def size(self) -> int:
        """How many hands there are."""
        return len(self.x)

    def between(self, across: Span) -> Cloud:
        """The hands in a range of x, without copying."""
        first, last = np.searchsorted(self.x, np.array(across, self.x.dtype))
        return Cloud(*(column[first:last] for column in self))

    def inside(self, across: Span, up: Span) -> Cloud:
        """The hands in a rectangle."""
        part = self.between(across)
        return part.take((part.y >= up[0]) & (part.y <= up[1]))

    def take(self, which: np.ndarray) -> Cloud:
        """Some of the hands, by mask or by number."""
        return Cloud(*(column[which] for column in self))

    def coded(self, codes: np.ndarray) -> Cloud:
        """The same hands in other buckets; codes [hands of the street]."""
        return Cloud(self.x, self.y, self.index, codes[self.index].astype(np.uint16, copy=False))

    def nearest(self, x: float, y: float, across: float, up: float) -> int | None:
        """The hand next to a place, `across` and `up` being the lengths of the axes; None far from all."""
        part = self.between((x - 0.02 * across, x + 0.02 * across))
        if not part.size:
            return None
        away = np.hypot((part.x - x) / across, (part.y - y) / up)
        best = int(np.argmin(away))
        return int(part.index[best]) if away[best] < 0.02 else None


def cloud_of(strength: Strengths, codes: np.ndarray | None = None, keep: np.ndarray | None = None) -> Cloud:
    """The hands of a street at (E[HS], E[HS^2]), sorted by the first; `keep` is a mask [hands]."""
    x, y = strength.ehs.astype(np.float32), strength.ehs2.astype(np.float32)
    index = np.argsort(x, kind="stable").astype(np.int32)
    if keep is not None:
        index = index[keep[index]]
    code = np.zeros(len(index), np.uint16) if codes is None else codes[index].astype(np.uint16)
    return Cloud(x[index], y[index], index, code)


@kernel
def _add_points(x, y, code, inks, corner, scale, sums):
    """Add the ink of every point to its pixel, into sums[height, width, 4]: red, green, blue and a count."""
    for n in range(len(x)):
        column, row = int((x[n] - corner[0]) * scale[0]), int((y[n] - corner[1]) * scale[1])
        inside = x[n] >= corner[0] and y[n] >= corner[1]
        if inside and column < sums.shape[1] and row < sums.shape[0]:
            for channel in range(4):
                sums[row, column, channel] += inks[code[n], channel]


def pixel_sums(cloud: Cloud, inks: np.ndarray, across: Span, up: Span, size: tuple[int, int]) -> np.ndarray:
    """Inks and number of hands on every pixel, float32[height, width, 4], bottom row first; inks [K, 4]."""
    part = cloud.between(across)
    sums = np.zeros((size[1], size[0], 4), np.float32)
    scale = np.array([size[0] / (across[1] - across[0]), size[1] / (up[1] - up[0])])
    _add_points(part.x, part.y, part.code, inks, np.array([across[0], up[0]]), scale, sums)
    return sums


def raster(cloud: Cloud, colours: Sequence[str], across: Span, up: Span, size: tuple[int, int]) -> np.ndarray:
    """Picture of a rectangle of the cloud, uint32[height, width] of RGBA, the bottom row first.

    Each pixel mixes the colours of the buckets whose hands fall on it. How opaque it is follows the rank of
    its count among all pixels (histogram equalisation), so that thin and crowded parts are both seen.
    """
    inks = np.array([[*(int(colour[i : i + 2], 16) for i in (1, 3, 5)), 1] for colour in colours], np.float32)
    sums = pixel_sums(cloud, inks, across, up, size)
    if np.count_nonzero(sums[:, :, 3]) < SPARSE * size[0] * size[1]:
        sums = _grown(sums)
    return _shaded(sums)


def _grown(sums: np.ndarray) -> np.ndarray:
    """Every dot also on the pixels beside it: where hands are few, single pixels are hard to see."""
    grown = sums.copy()
    grown[1:] += sums[:-1]
    grown[:-1] += sums[1:]
    grown[:, 1:] += sums[:, :-1]
    grown[:, :-1] += sums[:, 1:]
    return grown


def _shaded(sums: np.ndarray) -> np.ndarray:
    """Mixed colours, opaque by rank of the count."""
    picture = np.zeros((*sums.shape[:2], 4), np.uint8)
    used = sums[:, :, 3] > 0
    if used.any():
        count = sums[used, 3].astype(np.int64)
        rank = np.cumsum(np.bincount(count))[count] / len(count)
        picture[used, :3] = np.rint(sums[used, :3] / sums[used, 3:])
        picture[used, 3] = np.rint(FAINTEST + (255 - FAINTEST) * rank)
    return picture.view(np.uint32)[:, :, 0]


def samples(cloud: Cloud, across: Span, up: Span, cells: tuple[int, int]) -> tuple[Cloud, np.ndarray]:
    """One hand of every occupied cell of a grid over a rectangle, and how many hands that cell holds."""
    part = cloud.inside(across, up)
    column = np.minimum((part.x - across[0]) * (cells[0] / (across[1] - across[0])), cells[0] - 1).astype(
        np.int64
    )
    row = np.minimum((part.y - up[0]) * (cells[1] / (up[1] - up[0])), cells[1] - 1).astype(np.int64)
    cell = np.maximum(row, 0) * cells[0] + np.maximum(column, 0)
    count = np.bincount(cell, minlength=cells[0] * cells[1])
    chosen = np.zeros(len(count), np.int64)
    chosen[cell] = np.arange(len(cell))
    used = np.flatnonzero(count)
    return part.take(chosen[used]), count[used]


def envelopes(points: int = 101) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """x, x^2 and x: no hand lies below the first curve (no doubt left) or above the last (all or none)."""
    x = np.linspace(0, 1, points)
    return x, x**2, x
