"""Three-player Kuhn poker comes to rest: no seat gains more than a hundredth of a chip by deviating alone."""

from __future__ import annotations

from typing import Any

from solverlab.core.rows import Row
from solverlab.games import game_named
from solverlab.proof.verdict import Claim, Verdict
from solverlab.run import below, iterations, solve
from solverlab.solvers import SAMPLINGS, SCHEDULES

TARGET = 1e-2
MOST = 1_000_000
SAMPLED_SCHEDULES = ("CFR", "LCFR")


def prove(quick: bool = False) -> Verdict:
    """Full-width CFR with every schedule, sampled CFR with every sampling row."""
    ways: list[tuple[str, str | None]] = [(schedule, None) for schedule in SCHEDULES]
    ways += [(schedule, row) for schedule in SAMPLED_SCHEDULES[: 1 if quick else None] for row in SAMPLINGS]
    claims: list[Claim] = []
    rows: list[Row] = []
    for schedule, sampling in ways:
        snap = solve(
            game_named("kuhn-3"),
            schedule,
            until=below("deviation_gains", TARGET) | iterations(MOST),
            sampling=sampling,
            rng=3,
        )
        gains = snap.metrics["deviation_gains"]
        way = f"{schedule}, {sampling or 'full width'}"
        claims.append(Claim(f"{way}: largest deviation gain of a seat", max(gains), TARGET))
        clocks = {"iterations": snap.iteration, "seconds": snap.seconds}
        rows.append({"schedule": schedule, "sampling": sampling, **clocks, "deviation_gains": list(gains)})
    return Verdict(claims, {"solves": rows})
