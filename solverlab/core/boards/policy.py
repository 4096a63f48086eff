"""A policy over boards: rows are read where somebody asks for them, out of tables that may be too large
to copy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Self

import numpy as np

from solverlab.core.boards.game import BoardGame, Place
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

    @property
    def tables(self) -> list[np.ndarray]:
        """The numbers behind the policy, while they are those it was shown with."""
        if not self._fresh():
            raise NotMeasured(
                "this policy was read from tables that have been stepped on since; take solver.snapshot() "
                "anew, or step solver.copy() instead"
            )
        return self._tables

    @property
    def nbytes(self) -> int:
        """Bytes that this policy keeps alive."""
        return sum(table.nbytes for table in self._tables)

    def at(self, node: str | int, hand: str | int | None = None) -> dict[str, float]:
        """The mixed strategy at a line such as `check/bet 120/call/Qc` with a hand such as `AhKh`."""
        place, player = self._decision(node)
        hands = self.game.columns(place, player)
        column = hand if isinstance(hand, int) else _column(hands, hand)
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
        path = "" if node is None else str(node)
        place = self.game.place(path)
        reached = dict.fromkeys(self.game.columns(place, player), 1.0)
        steps = [step for step in path.split("/") if step]
        for done, step in enumerate(steps):
            above = self.game.place("/".join(steps[:done]))
            if self.game.rounds[above.round].kind[above.node] == player:
                action = self.game.actions(above).index(step)
                shares = self.shares(above, player)[action]
                for hand, share in zip(self.game.columns(above, player), shares, strict=True):
                    if hand in reached:
                        reached[hand] *= float(share)
        return np.array(list(reached.values()))

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
        if other.game.rounds[0].kind.shape != self.game.rounds[0].kind.shape:
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


def _column(hands: list[str], hand: str | None) -> int:
    """The column of a hand, in either order of its cards."""
    names = {name: column for column, name in enumerate(hands)}
    text = str(hand)
    for written in (text, text[2:] + text[:2]):
        if written in names:
            return names[written]
    raise UnknownName("hand", hand, hands)
