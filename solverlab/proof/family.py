"""The CFR family reaches the value an independent linear programme gives, on Kuhn and on Leduc."""

from __future__ import annotations

from typing import Any, NamedTuple

from solverlab.core.rows import Row
from solverlab.analysis import solve_lp
from solverlab.games import game_named
from solverlab.proof.verdict import Claim, Verdict
from solverlab.run import below, iterations, solve

GAMES = ("kuhn", "leduc")
VALUES = {"kuhn": (-1 / 18, 1e-9), "leduc": (-0.0856064, 5e-8)}  # known value, and to how many digits


class Targets(NamedTuple):
    """Which exploitability a variant has to reach: plain and linear CFR creep, the others do not."""

    slow: float
    fast: float
    most: int

    def of(self, schedule: str) -> float:
        return self.slow if schedule in ("CFR", "LCFR") else self.fast


FULL = Targets(slow=2e-3, fast=1e-5, most=1_000_000)
QUICK = Targets(slow=2e-2, fast=1e-3, most=100_000)
SCHEDULES = ("CFR", "CFR+", "LCFR", "DCFR", "PCFR+")


def prove(quick: bool = False) -> Verdict:
    """Solve both games with every variant to its target, and compare with the referee."""
    targets = QUICK if quick else FULL
    claims: list[Claim] = []
    rows: list[Row] = []
    for name in GAMES:
        game, (known, digits) = game_named(name), VALUES[name]
        exact = solve_lp(game).value
        claims.append(
            Claim(f"{name}: the referee's value differs from {known:.7f} by", abs(exact - known), digits)
        )
        for schedule in SCHEDULES:
            target = targets.of(schedule)
            snap = solve(game, schedule, until=below("exploitability", target) | iterations(targets.most))
            off = abs(snap.value - exact)
            claims.append(Claim(f"{name}, {schedule}: exploitability", snap.exploitability, target))
            claims.append(Claim(f"{name}, {schedule}: distance from the referee's value", off, target))
            clocks = {"iterations": snap.iteration, "seconds": snap.seconds}
            numbers = {"exploitability": snap.exploitability, "value": snap.value, "referee": exact}
            rows.append({"game": name, "schedule": schedule, "target": target, **clocks, **numbers})
    return Verdict(claims, {"solves": rows})
