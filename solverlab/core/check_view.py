"""The laws of a view, tested on any of them: a new view passes `check_view` in one line of test.

A view has two halves: one makes a plain table of what is shown, which a test can compare with numbers worked
out by hand; the other draws that table. Neither changes what it was given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Protocol, Self, runtime_checkable

import numpy as np

from solverlab.core.check_solver import arrays_of
from solverlab.core.errors import BadValue

if TYPE_CHECKING:
    import pandas as pd


@runtime_checkable
class Columns(Protocol):
    """A table that was made before, by the name of its columns: some views draw one that they are given."""

    def items(self) -> Iterable[tuple[str, object]]: ...
    def equals(self, other: Self) -> bool: ...


def check_view(
    draw: Callable[..., object], shown: object, *choice: object, table: Callable[..., pd.DataFrame]
) -> None:
    """Raise unless a view draws what it is shown, twice alike, and leaves it as it was.

    `table` is the half that can be tested without a picture; `choice` says what of it, such as a node.

    >>> import solverlab as sl
    >>> snap = sl.CFR(sl.Kuhn()).step(5)
    >>> check_view(lambda snap: snap.policy.frame(), snap, table=lambda snap: snap.policy.frame("raise"))
    """
    before = [array.copy() for array in _arrays(shown)]
    first, second = table(shown, *choice), table(shown, *choice)
    rows = len(first)
    _require(rows > 0, "its table is empty")
    _require(len(second) == rows and first.equals(second), "its table differs when asked again")
    _require(draw(shown, *choice) is not None, "it draws nothing")
    after = _arrays(shown)
    same = len(after) == len(before) and all(map(_equal, before, after))
    _require(same, "it changes what it was shown")


def _arrays(shown: object) -> list[np.ndarray]:
    if isinstance(shown, Columns):
        return [np.asarray(column) for _, column in shown.items()]
    return list(arrays_of(shown))


def _equal(one: np.ndarray, other: np.ndarray) -> bool:
    return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")


def _require(holds: bool, broken: str) -> None:
    if not holds:
        raise BadValue(f"the view breaks its contract: {broken}")
