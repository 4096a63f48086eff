"""From buckets to a tie: hands of one bucket act alike, whatever the game they are used in."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from solverlab.core.errors import BadValue, NotMeasured
from solverlab.core.tree import Tree
from solverlab.core.tying import Tying, tie_hands


class TreeOfHands(Protocol):
    """What a tie asks of a game: its tree, its hands and its name."""

    tree: Tree
    hands: tuple[str, ...]
    name: str


def tie_of(labels: np.ndarray, buckets: int, game: TreeOfHands | None = None) -> Tying:
    """The tie in which hands of one bucket share a row; without a game it holds the cards' side alone.

    >>> tie_of(np.array([0, 0, 1]), 2).bucket.tolist()
    [[0, 0, 1]]
    """
    bucket = np.asarray(labels, np.int32)[None]
    if game is None:
        none = np.zeros(0, np.int32)
        return Tying(none, none, bucket, none, none, none, (0, buckets), tied=True)
    if len(game.hands) != bucket.shape[1]:
        raise BadValue(
            f"these buckets are of {bucket.shape[1]:,} hands but {game.name} has {len(game.hands):,}; "
            "fit them on the game's own hands"
        )
    return tie_hands(game.tree, bucket)


class Ties:
    """Gives every bucketing with `labels_` and `n_buckets` its `tie`."""

    labels_: np.ndarray

    @property
    def n_buckets(self) -> int:
        """How many buckets there are."""
        raise NotImplementedError

    def tie(self, game: TreeOfHands | None = None) -> Tying:
        """The tie of these buckets: on a game with the same hands ready to solve, or the cards' side alone.

        >>> import solverlab as sl
        >>> strength, game = sl.hand_strength("preflop"), sl.PushFold(10)
        >>> tie = sl.Percentile(5).fit(strength.ehs, weights=strength.weight).tie(game)
        >>> snap = sl.CFR(game, tie=tie).step(100)
        >>> snap.policy.at("", hand="AA") == snap.policy.at("", hand="KK")
        True
        """
        if not hasattr(self, "labels_"):
            raise NotMeasured(f"{type(self).__name__} has no buckets yet; call fit first")
        return tie_of(self.labels_, self.n_buckets, game)
