"""Saved arrays looked at before compiled code sees them: a file may be a stranger's."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from solverlab.core.errors import BadValue

SUM = 1e-9  # how far probabilities may be from 1 in sum: rounding, nothing more


def saved_numbers(
    state: Mapping[str, np.ndarray],
    name: str,
    shape: tuple[int, ...],
    kind: type = float,
    least: float = -np.inf,
    finite: bool = True,
) -> np.ndarray:
    """A copy of one array of a saved state, of this shape and kind, or one sentence what is wrong with it.

    >>> saved_numbers({"seconds": np.array(2.5)}, "seconds", (), least=0)
    array(2.5)
    """
    if name not in state:
        raise BadValue(f"the saved state holds no {name}; save the run again")
    array = state[name]
    if array.shape != shape:
        raise BadValue(f"the saved {name} has shape {array.shape} but this game needs {shape}")
    known = {float: "f", int: "iu", bool: "b"}[kind]
    sound = array.dtype.kind in known and not np.isnan(array).any() and bool((array >= least).all())
    if not sound or (finite and not np.isfinite(array).all()):
        raise BadValue(f"the saved {name} holds numbers that no run can have; save the run again")
    return np.array(array, {float: np.float64, int: np.int64, bool: np.bool_}[kind])


def check_sums(name: str, sums: np.ndarray) -> None:
    """Probabilities of a decision sum to 1."""
    if not np.allclose(sums, 1.0, rtol=0, atol=SUM):
        raise BadValue(f"the saved {name} does not sum to 1 at every decision; save the run again")
