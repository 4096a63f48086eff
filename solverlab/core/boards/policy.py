"""A policy over boards: rows are read where somebody asks for them, out of tables that may be too large
to copy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Self

import numpy as np

from solverlab.core.boards.game import BoardGame, Place
from solverlab.core.boards.line_values import LineReader, LineValues, column_of
from solverlab.core.boards.walk import table_bases
from solverlab.core.errors import BadValue, NotMeasured, UnknownName
from solverlab.core.frame import frame

if TYPE_CHECKING:
    import pandas as pd


class BoardPolicy:
    """Play in proportion to the positive numbers of `tables`, one array a round.

    Large tables are a solver's own: `fresh` says whether it still rests where it was when the policy was
    shown.
    """

    def __init__(
        self, game: BoardGame, tables: Sequence[np.ndarray], fresh: Callable[[], bool] = lambda: True
    ):
        self.game, self._tables, self._fresh = game, list(tables), fresh
        self._bases = table_bases(game)
        self._reader: LineReader | None = None

    @property
    def tables(self) -> list[np.ndarray]:
        """The numbers behind the policy, while they are those it was shown with."""
        self._check_fresh()
        return self._tables

    def _check_fresh(self) -> None:
        if not self._fresh():
            raise NotMeasured(
                "this policy was read from tables that have been stepped on since; take solver.snapshot() "
                "anew, or step solver.copy() instead"
            )

    @property
    def nbytes(self) -> int:
        """Bytes that this policy keeps alive."""
        return sum(table.nbytes for table in self._tables)

    def at(self, node: str | int, hand: str | int | None = None) -> dict[str, float]:
        """The mixed strategy at a line such as `check/bet 120/call/Qc` with a hand such as `AhKh`."""
        place, player = self._decision(node)
        hands = self.game.columns(place, player)
        column = hand if isinstance(hand, int) else column_of(hands, hand)
        if not 0 <= column < len(hands):
            raise UnknownName("hand", hand, hands)
        shares = self.shares(place, player)[:, column]
        return {label: float(share) for label, share in zip(self.game.actions(place), shares, strict=True)}

    def rows(self, node: str | int) -> np.ndarray:
        """The mixed strategies of every hand at a line, float64[A, hands]; `game.columns` names the
        hands."""
        return self.shares(*self._decision(node))

    def reach(self, player: int, node: str | int | None = None) -> np.ndarray:
        """The player's own probability of playing to a line with each hand, float64[hands]."""
        place = self.game.place("" if node is None else str(node))
        return self.reached(place, player, np.ones(self.game.ranges.shape[1]))

    def reached(self, place: Place, player: int, start: np.ndarray) -> np.ndarray:
        """What comes to a node of `start`, weights of the columns of the first board, float64[hands]."""
        betting, boards = self.game.rounds[place.round], self.game.boards[place.round]
        size, above = int(boards.size[player, place.board]), int(betting.parent[place.node])
        if above >= 0:
            before = place._replace(node=above)
            reached = self.reached(before, player, start)
            if betting.kind[above] != player:
                return reached
            return reached * self.shares(before, player)[place.node - int(betting.first[above])]
        if place.round == 0:
            return start[:size].astype(np.float64)
        leaf = int(self.game.rounds[place.round - 1].leaves[place.node])
        dealt_on = Place(place.round - 1, int(boards.parent[place.board]), leaf, 0)
        first = int(boards.start[player, place.board])
        return self.reached(dealt_on, player, start)[boards.above[first : first + size]]

    def line(self, line: str = "") -> LineValues:
        """Both players' hands at a line such as `check/bet 120`: weight, equity, EV, EV of every action."""
        return self._read().read(line)

    def cards(self, line: str) -> pd.DataFrame:
        """A row a card that can come after a line: its chance, EV and equity of both, how often the next to
        act does what."""
        return self._read().cards(line)

    def _read(self) -> LineReader:
        if self._reader is None:
            self._reader = LineReader(self)
        self._check_fresh()
        return self._reader

    def frame(self, node: str | int | None = None) -> pd.DataFrame:
        """One row a hand and action of a line: player, node, hand, action, probability."""
        place, player = self._decision("" if node is None else node)
        hands, shares = self.game.columns(place, player), self.shares(place, player)
        actions = self.game.actions(place)
        return frame(
            {
                "player": [player] * (len(hands) * len(actions)),
                "node": ["" if node is None else node] * (len(hands) * len(actions)),
                "hand": [hand for hand in hands for _ in actions],
                "action": actions * len(hands),
                "probability": shares.T.ravel(),
            }
        )

    def distance(self, other: Self) -> float:
        """The largest difference of a probability on the first board from another policy of the same
        game."""
        mine = self.game.rounds[0].kind.shape
        if not isinstance(other, BoardPolicy) or other.game.rounds[0].kind.shape != mine:
            raise BadValue("these policies are of different games; compare policies of the same game")
        betting, largest = self.game.rounds[0], 0.0
        for node in np.flatnonzero(betting.kind < 2).tolist():
            place, player = Place(0, 0, node, 0), int(betting.kind[node])
            difference = np.abs(self.shares(place, player) - other.shares(place, player))
            largest = max(largest, float(difference.max(initial=0.0)))
        return largest

    def _decision(self, node: str | int) -> tuple[Place, int]:
        place = self.game.place(str(node))
        player = int(self.game.rounds[place.round].kind[place.node])
        if player > 1:
            raise BadValue(f"nobody acts after {node!r}; choose a line that ends where a player acts")
        return place, player

    def shares(self, place: Place, player: int) -> np.ndarray:
        """What every hand of a player does at a node, float64[A, hands]."""
        betting, boards = self.game.rounds[place.round], self.game.boards[place.round]
        first, count = int(betting.first[place.node]), int(betting.count[place.node])
        width, size = int(boards.width[player, place.board]), int(boards.size[player, place.board])
        start = int(self._bases[place.round][player, place.board]) + int(betting.edge[first]) * width
        rows = self.tables[place.round][start : start + count * width].reshape(count, width)[:, :size]
        played = np.maximum(rows.astype(np.float64), 0.0)
        total = played.sum(0)
        return np.where(total > 0, played / np.where(total > 0, total, 1.0), 1.0 / count)
