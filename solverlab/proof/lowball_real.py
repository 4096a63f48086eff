"""The real 2-to-7 deck is solved: push/fold with five cards, and the stack where the button's edge ends."""

from __future__ import annotations

from time import perf_counter
from typing import Any, NamedTuple

from solverlab.core.rows import Row
from solverlab.games.lowball.real import RealLowball
from solverlab.proof.verdict import Claim, Verdict
from solverlab.run.lowball_real import crossing, real_curve
from solverlab.solvers.draw.bracket import bracket
from solverlab.solvers.draw.cfr import DrawCFR
from solverlab.solvers.draw.model import DrawModel
from solverlab.solvers.draw.sampled import SampledDraw

STACK = 3.0
HANDS = {
    "stand pat": "7s5h4d3c2c",
    "one to a seven": "Ks7h5d3c2c",
    "a pair": "8s8h5d3c2c",
    "rags": "KsQhJd9c9d",
}


class Sizes(NamedTuple):
    """How much to do: the deck, iterations, deals, stacks, seconds allowed, samples of the sampled solver."""

    cards: int
    iterations: int
    deals: int
    target: float  # NashConv in big blinds
    seconds: float
    stacks: tuple[float, ...]
    curve_iterations: int
    curve_deals: int
    samples: int
    width: float  # how wide the interval of the stack worth nothing may be


# From three big blinds down and then up, each stack starting from its neighbour.
STACKS = (2, 1.5, 3, 4, 5, 6, 7, 8, 10)
FULL = Sizes(5, 30, 2_000_000, 0.010, 900.0, STACKS, 10, 600_000, 2_000_000, 1.0)
QUICK = Sizes(3, 40, 50_000, 0.010, 60.0, (3, 6, 10), 15, 50_000, 100_000, 3.0)


def prove(quick: bool = False) -> Verdict:
    """Solve at three big blinds to a bracket, count what shared cards cost, then follow the stacks."""
    sizes = QUICK if quick else FULL
    claims: list[Claim] = []
    solver, found = _solve(sizes, claims)
    numbers: Row = {"at three big blinds": found}
    numbers["curve"] = _curve(sizes, claims, solver)
    del solver
    numbers["without shared cards"] = _without_removal(sizes)
    numbers["sampled"] = _sampled(sizes)
    if not quick:
        numbers["ranks only"] = {
            f"{cards} cards": _curve(sizes, claims, None, cards=cards, suits=False) for cards in (4, 5)
        }
    return Verdict(claims, numbers)


def _solve(sizes: Sizes, claims: list[Claim]) -> tuple[DrawCFR, Row]:
    began = perf_counter()
    solver = DrawCFR(RealLowball(STACK, sizes.cards))
    snap = solver.measure(solver.step(sizes.iterations), sizes.deals, order=2)
    seconds, found = perf_counter() - began, snap.metrics
    claims.append(Claim("upper end of the NashConv in big blinds, 3 BB", found["upper"], sizes.target))
    claims.append(Claim("its lower end", found["lower"], found["upper"]))
    claims.append(Claim("seconds to solve and to measure", seconds, sizes.seconds))
    off = abs(found["value"] - found["model_value"]) / found["value_error"]
    claims.append(Claim("standard errors between the value dealt and the value reckoned", off, 4.0))
    plans = {} if sizes.cards < 5 else {name: _plan(snap, hand) for name, hand in HANDS.items()}
    clocks = {"iterations": snap.iteration, "solving_seconds": snap.seconds, "seconds": seconds}
    return solver, {**solver.game.sizes(), **clocks, **found, **snap.frequencies(), "plans": plans}


def _plan(snap: Any, hand: str) -> Row:
    plan = snap.plan(hand)
    button = [dict(row) for row in plan.button]
    return {
        "hand": hand,
        "push": plan.push,
        "call": plan.call,
        "big_blind": dict(plan.big_blind),
        "button": button,
    }


def _without_removal(sizes: Sizes) -> Row:
    """What a player gives away who solves as if both drew from decks of their own."""
    solver = DrawCFR(RealLowball(STACK, sizes.cards), order=0)
    policy = solver.step(sizes.iterations).policy
    model = DrawModel(solver.model.ground, STACK, order=1)
    return bracket(model, solver.dealer, policy, sizes.curve_deals).record()


def _sampled(sizes: Sizes) -> Row:
    """The sampled solver on the same game: how fast it deals and how far it gets."""
    solver = SampledDraw(RealLowball(STACK, sizes.cards), rng=1)
    solver.advance(1000)
    began = solver.seconds
    snap = solver.step(sizes.samples)
    rate = sizes.samples / (solver.seconds - began)
    found = solver.measure(snap, sizes.curve_deals // 4).metrics
    return {"samples": snap.iteration, "samples_per_second": rate, **found}


def _tell(row: Row) -> None:
    print(f"  {row['stack']:g} BB: {row['value']:+.4f}, NashConv at most {row['upper']:.4f}", flush=True)


def _curve(sizes: Sizes, claims: list[Claim], solver: DrawCFR | None, **deck: Any) -> Row:
    options = {"cards": sizes.cards, **deck}
    counts = sizes.curve_iterations, sizes.curve_deals
    rows = real_curve(sizes.stacks, *counts, tell=_tell, solver=solver, **options)
    name = f"{options['cards']} cards" + (", ranks only" if options.get("suits") is False else "")
    worst = max(row["upper"] for row in rows)
    claims.append(Claim(f"{name}: largest upper end of the NashConv along the curve", worst, 0.03))
    found = crossing(rows)
    width = float("nan") if found is None else found[2] - found[0]
    claims.append(Claim(f"{name}: width of the interval of the stack worth nothing", width, sizes.width))
    return {"rows": rows, "crossing": found}
