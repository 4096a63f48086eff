"""Follow some probabilities while a solver steps: what oscillation and phase portraits are made of."""

from __future__ import annotations

from collections.abc import Iterator

from solverlab.analysis.oscillation import Paths, Watch, paths
from solverlab.core.errors import BadValue
from solverlab.core.policy import Policy
from solverlab.solvers import CFR, MCCFR, Rebalance


def follow_paths(
    solver: CFR | MCCFR | Rebalance,
    *watched: Watch | tuple,
    steps: int,
    every: int = 1,
    average: bool = False,
) -> Paths:
    """Step a solver and note the current (or average) probability of each (node, action, hand).

    >>> import solverlab as sl
    >>> solver = sl.Rebalance(sl.MatchingPennies(), start=0.51, scale=4.0)
    >>> went = follow_paths(solver, ("", "heads"), ("heads", "heads"), steps=160)
    >>> from solverlab.analysis import oscillation
    >>> oscillation(went.series(0)).growth > 1  # the spiral runs outwards
    True
    """
    for label, number in {"steps": steps, "every": every}.items():
        if not isinstance(number, int) or number < 1:
            raise BadValue(f"{label} is {number!r}; give a whole number of at least 1")
    return paths(_moments(solver, steps, every, average), *watched)


def _moments(
    solver: CFR | MCCFR | Rebalance, steps: int, every: int, average: bool
) -> Iterator[tuple[int, Policy]]:
    snap = solver.snapshot()
    last = snap.iteration + steps
    yield snap.iteration, snap.policy if average else snap.current
    while snap.iteration < last:
        snap = solver.step(min(every, last - snap.iteration))
        yield snap.iteration, snap.policy if average else snap.current
