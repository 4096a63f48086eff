"""Board textures: what a flop looks like, and a few flops that stand for all of them.

What document 004 asks of a texture: number of suits, paired or not, straight draw, flush draw, high card.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solverlab.abstraction.kmeans import KMeans
from solverlab.abstraction.tie import tie_of
from solverlab.cards.board_rows import spread
from solverlab.cards.cards import RANKS, Cards, cards_text, parse_board
from solverlab.cards.hand_classes import HAND_CLASS
from solverlab.cards.isomorphism import board_table
from solverlab.cards.street_strength import FULL, RUNOUTS
from solverlab.cards.strength_tables import strength_tables
from solverlab.cards.table_cache import Cancel, Progress
from solverlab.core.errors import BadValue
from solverlab.core.percentiles import check_buckets
from solverlab.core.tying import Tying


class Texture(NamedTuple):
    """What a board looks like.

    suits: how many different ones (1 is monotone); alike: most cards of one rank (2 is paired, 3 trips);
    connected: most ranks within five in a row, ace high or low; flush: most cards of one suit; high: highest
    rank, 0 (2) to 12 (A).
    """

    suits: int
    alike: int
    connected: int
    flush: int
    high: int

    @property
    def paired(self) -> bool:
        """Two cards of one rank or more."""
        return self.alike >= 2

    @property
    def straight_draw(self) -> bool:
        """Some hand has, with this board, four cards within five ranks."""
        return self.connected >= 2

    @property
    def flush_draw(self) -> bool:
        """Some hand has, with this board, four cards of a suit."""
        return self.flush >= 2

    def __str__(self) -> str:
        suits = {1: "monotone", 2: "two-tone", 3: "rainbow", 4: "four suits"}[self.suits]
        alike = {1: "unpaired", 2: "paired", 3: "trips", 4: "quads"}[self.alike]
        return f"{RANKS[self.high]} high, {suits}, {alike}, {self.connected} within a straight"


def _connected(ranks: set[int]) -> int:
    """Most different ranks within five in a row; the ace counts below the deuce too."""
    reach = ranks | ({-1} if 12 in ranks else set())
    return max(len(reach & set(range(low, low + 5))) for low in range(-1, 9))


def texture(board: Cards) -> Texture:
    """The texture of a flop, turn or river board.

    >>> texture("Td9d6h")
    Texture(suits=2, alike=1, connected=3, flush=2, high=8)
    """
    cards = np.array(parse_board(board, (3, 4, 5)))
    suits, ranks = np.bincount(cards % 4, minlength=4), np.bincount(cards // 4, minlength=13)
    return Texture(
        suits=int(np.count_nonzero(suits)),
        alike=int(ranks.max()),
        connected=_connected(set((cards // 4).tolist())),
        flush=int(suits.max()),
        high=int(cards.max() // 4),
    )


class TextureTable(NamedTuple):
    """The 1,755 flops: boards uint8[1755, 3], how many of 22,100 each stands for, textures [1755, 5]."""

    boards: np.ndarray
    weight: np.ndarray
    texture: np.ndarray


def flop_textures() -> TextureTable:
    """The texture of every flop, columns in the order of `Texture`."""
    table = board_table(3)
    columns = np.array([texture(board) for board in table.boards])
    return TextureTable(table.boards, table.weight.astype(np.int64), columns)


class Representatives(NamedTuple):
    """Flops that stand for all.

    names; boards uint8[n, 3]; weight int64[n], 22,100 in all; labels int32[1755], who stands for each flop.
    """

    names: tuple[str, ...]
    boards: np.ndarray
    weight: np.ndarray
    labels: np.ndarray

    def tie(self) -> Tying:
        """Flops in the place of hands: those with one representative are played alike."""
        return tie_of(self.labels, len(self.names))


def flop_equities(
    folder: str | None = None, progress: Progress | None = None, cancel: Cancel | None = None
) -> np.ndarray:
    """E[HS] of each of the 169 starting hands on each of the 1,755 flops, float64[1755, 169].

    The mean over the combos that the flop leaves; a hand that no combo is left of counts as one half.
    """
    sums = strength_tables(folder).array("flop_sums", progress, cancel)
    rows = spread(np.asarray(sums), "flop") / (FULL * RUNOUTS["flop"])
    dealt = spread(np.ones(len(sums), np.uint8), "flop")
    member = (HAND_CLASS[:, None] == np.arange(169)).astype(np.float64)
    count = dealt @ member
    return np.where(count > 0, (rows @ member) / np.maximum(count, 1), 0.5)


def representative_flops(
    n: int = 100,
    *,
    rng: int = 0,
    folder: str | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Representatives:
    """n flops with weights that stand for all 22,100.

    Flops are alike when the 169 starting hands have like equities on them and their suits fall alike;
    clusters are k-means with weights, and the flop nearest to the middle of a cluster speaks for it.
    """
    table = flop_textures()
    if check_buckets(n) > len(table.boards):
        raise BadValue(f"there are {len(table.boards)} different flops, so {n} representatives are too many")
    points = np.column_stack([flop_equities(folder, progress, cancel), table.texture[:, 0] / 3])
    clusters = KMeans(n, rng=rng).fit(points, table.weight)
    cost = ((points - clusters.centers_[clusters.labels_]) ** 2).sum(axis=1)
    order = np.lexsort((cost, clusters.labels_))
    used, first = np.unique(clusters.labels_[order], return_index=True)
    labels = np.searchsorted(used, clusters.labels_).astype(np.int32)
    chosen = order[first]
    weight = np.bincount(labels, table.weight).astype(np.int64)
    names = tuple(cards_text(sorted(board, reverse=True)) for board in table.boards[chosen])
    return Representatives(names, table.boards[chosen], weight, labels)
