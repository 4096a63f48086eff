"""Drive a solver and measure it: the only place where solver meets measure.

Every solver is driven the same way: step to the next moment of the grid, measure, ask whether to stop. What a
game offers decides who solves it and who measures: see `solver_for` and `run/measures.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from solverlab.core.boards.game import BoardGame
from solverlab.core.dealt_game import DealtGame
from solverlab.core.draw_game import BettingDrawGame, DrawGame
from solverlab.core.errors import BadValue, told
from solverlab.core.game import RangeGame, TabulatedGame
from solverlab.core.snapshot import Snapshot, Status
from solverlab.core.solver import MeasuringSolver, NamedGame, Solver, SolverSnapshot
from solverlab.core.tying import Tying
from solverlab.games.betting.table import Betting
from solverlab.run.growing.alarm import ended
from solverlab.run.measures import Meter, distances, meter_of
from solverlab.run.stopping import Until, iterations
from solverlab.run.stopping import below as below_target
from solverlab.solvers import CFR, MCCFR, Schedule, schedule_named

STALLED_CHANGE = 1e-6
STALLED_DISTANCE = 1e-2
DEALS = 400_000  # fresh deals a measurement of a game without a tree takes
PART_OF_POT = 0.003  # how far from an equilibrium a spot may be, unless told otherwise
LOOK, LONG = 5, 60  # of such a game: iterations (or batches of them) between two looks, and in all


def run(
    solver: Solver,
    every: int | None = None,
    until: Until | None = None,
    measure: Iterable[str] | None = None,
    deals: int = DEALS,
) -> Iterator[Any]:
    """Step a solver and yield a measured snapshot every so many iterations, until a limit is met.

    Without `every` snapshots are spaced geometrically (1, 2, 3, 4, 5, 7, 9, 11, 14 ...), so measuring never
    dominates. Games too large to measure exactly are measured on so many sampled `deals`. Progress bars,
    plots and stores consume this; stopping the loop stops the solver.

    >>> import solverlab as sl
    >>> [snap.iteration for snap in sl.run(sl.CFR(sl.Kuhn()), every=40, until=sl.iterations(100))]
    [40, 80, 100]
    """
    steps = paced(solver, every, until, measure, deals, None)
    return (snap for snap in steps if snap is not None)


def paced(
    solver: Solver,
    every: int | None = None,
    until: Until | None = None,
    measure: Iterable[str] | None = None,
    deals: int = DEALS,
    pulse: int | None = 1,
) -> Iterator[Any]:
    """The same, with None after every `pulse` iterations: a bar moves, a stop is heard, a run can be saved.

    Snapshots are taken at multiples of `every`, so a resumed run looks where one that never stopped would.

    >>> import solverlab as sl
    >>> steps = paced(sl.CFR(sl.Kuhn()), 2, sl.iterations(5))
    >>> [None if snap is None else snap.iteration for snap in steps]
    [None, 2, None, 4, 5]
    """
    if not isinstance(solver, Solver):
        raise BadValue(f"{solver!r} is no solver; make one, such as sl.CFR(game)")
    until = _usual_limit(solver) if until is None else until
    if until == Until():
        raise BadValue("a run without any limit never ends; give iterations, seconds or a target")
    if every is not None and (isinstance(every, bool) or not isinstance(every, int) or every < 1):
        raise BadValue(f"cannot look every {every!r} iterations; give a whole number of at least 1")
    if every is None and isinstance(solver, MeasuringSolver):
        every = LOOK * solver.batch
    meter = meter_of(solver, measure, [name for name, _ in until.targets], deals)
    return _drive(solver, every, until, meter, pulse)


def _drive(solver: Solver, every: int | None, until: Until, meter: Meter, pulse: int | None) -> Iterator[Any]:
    before = None
    while True:
        due = _due(solver.iteration, every, until, whole=pulse is not None)
        while pulse is not None and solver.iteration + pulse < due and not _late(solver, until):
            _advance(solver, pulse)
            yield None
        left = 0 if pulse is not None and _late(solver, until) else due - solver.iteration
        snap = meter(solver.step(max(left, 0)))
        reason = until.reason(snap)
        if reason is None and before is not None and _stalled(solver, before, snap):
            snap = snap.measured({}, Status.STALLED)
        yield snap if reason is None else ended(solver, snap, reason, until.targets)
        if reason is not None:
            return
        before = snap


def _due(iteration: int, every: int | None, until: Until, whole: bool) -> int:
    """The next moment to look: so much further on (or the next `whole` multiple); never beyond the limit."""
    due = geometric_next(iteration) if every is None else iteration + every - (iteration % every) * whole
    return due if until.iterations is None else min(due, until.iterations)


def geometric_next(iteration: int) -> int:
    """The next moment to look: a fifth further on, and at least one iteration."""
    return max(iteration + 1, int(iteration * 1.2))


def _late(solver: Solver, until: Until) -> bool:
    return until.seconds is not None and solver.seconds >= until.seconds


def _advance(solver: Solver, n: int) -> None:
    if isinstance(solver, MeasuringSolver):
        solver.advance(n)  # a snapshot of a whole deck takes a moment
    else:
        solver.step(n)


def _stalled(solver: Solver, before: SolverSnapshot, snap: SolverSnapshot) -> bool:
    """Whether the strategy hardly changes although somebody could still gain; a restart is no standstill."""
    if not isinstance(snap, Snapshot) or not isinstance(before, Snapshot):
        return False
    distance = snap.metrics.get(distances(solver.game)[0], 0.0)
    distance = max(distance) if isinstance(distance, tuple) else distance
    if distance <= STALLED_DISTANCE or _restarted(solver, before.iteration, snap.iteration):
        return False
    return snap.policy.distance(before.policy) < STALLED_CHANGE


def _restarted(solver: Solver, earlier: int, now: int) -> bool:
    """Whether the average started anew on the way: just after that it stands where the current play does."""
    schedule = solver.schedule if isinstance(solver, CFR | MCCFR) else None
    return schedule is not None and schedule.began(now) > schedule.began(earlier)


def _usual_limit(solver: Solver) -> Until:
    if isinstance(solver, MeasuringSolver):
        return iterations(LONG * solver.batch) | below_target("nash_conv", 0.005)
    return iterations(1000)


# ---- who solves what ---------------------------------------------------------------------------------------


def solve(
    game: object,
    schedule: str | Schedule | None = None,
    until: Until | None = None,
    sampling: str | None = None,
    rng: int = 0,
    tie: Tying | None = None,
) -> Any:
    """Solve a game and return the last snapshot, with its distance from equilibrium and its value measured.

    Without a `schedule` postflop spots take DCFR-R, everything else CFR+; without `until` a spot is solved to
    0.3 % of its pot.
    With `tie`, such as `buckets.tie(game)`, hands of a bucket act alike; distances are of the real game.

    >>> import solverlab as sl
    >>> round(sl.solve(sl.Kuhn(), "PCFR+", until=sl.below("exploitability", 1e-6)).value, 5)
    -0.05556
    """
    solver = solver_for(game, schedule, sampling, rng, tie)
    if until is None and isinstance(game, RangeGame):
        until = iterations(10_000) | below_target(distances(game)[0], 1e-4)
    if until is None and isinstance(game, BoardGame):
        until = iterations(1000) | below_target("exploitability", PART_OF_POT * game.pot)
    *_, last = run(solver, until=until)
    return last


def solver_for(
    game: object,
    schedule: str | Schedule | None = None,
    sampling: str | None = None,
    rng: int = 0,
    tie: Tying | None = None,
) -> Solver:
    """The solver that takes a game, by what the game offers; a game that none takes is refused.

    >>> import solverlab as sl
    >>> type(solver_for(sl.Kuhn(), sampling="external")).__name__
    'MCCFR'
    >>> solver_for(sl.Holdem(players=6))
    Traceback (most recent call last):
    ...
    solverlab.core.errors.BadValue: no solver takes all of 6-handed no-limit hold'em; grow part of it, ...
    """
    schedule = schedule or ("DCFR-R" if isinstance(game, BoardGame) else "CFR+")
    if isinstance(game, RangeGame) and not isinstance(game, type):
        if sampling is None:
            return CFR(game, schedule, tie=tie)
        if isinstance(game, TabulatedGame):
            return MCCFR(game, schedule, sampling, rng, tie)
        raise BadValue(f"{game.name} cannot be written out deal by deal; use full-width CFR")
    if isinstance(game, DrawGame) and not isinstance(game, type):
        return _draw_solver(game, schedule, sampling, rng, tie)
    if isinstance(game, BoardGame) and not isinstance(game, type):
        return _board_solver(game, schedule, sampling, tie)
    if isinstance(game, DealtGame):
        raise BadValue(
            f"no solver takes all of {game.name}; grow part of it, as in "
            "sl.run(sl.Rebalance(game, frontier=sl.MostReached(20)))"
        )
    if isinstance(game, Betting):
        raise BadValue(
            "a Betting is betting without cards; give a game that deals some, such as sl.LimitPoker()"
        )
    name = game.name if isinstance(game, NamedGame) else told(game)
    raise BadValue(f"no solver takes {name}; give a game that keeps a contract of core, such as sl.Kuhn()")


def _draw_solver(
    game: DrawGame, schedule: str | Schedule, sampling: str | None, rng: int, tie: Tying | None
) -> Solver:
    # The tables of cards take a moment to load: they are asked for when a whole deck is solved.
    from solverlab.solvers.draw.full_width import full_width
    from solverlab.solvers.draw.sampled import SampledDraw

    if tie is not None:
        raise BadValue(f"{game.name} is solved hand by hand; leave out tie")
    if sampling is None:
        return full_width(game, schedule)
    if isinstance(game, BettingDrawGame):
        raise BadValue(f"{game.name} is not sampled, every hand is followed; leave out sampling {sampling!r}")
    if sampling != "chance":
        raise BadValue(f"{game.name} is sampled deal by deal, not by {sampling!r}; take sampling 'chance'")
    if schedule_named(schedule).name != "CFR+":
        raise BadValue(f"sampled deals have one schedule, CFR+; leave out {schedule_named(schedule).name!r}")
    return SampledDraw(game, rng)


def _board_solver(
    game: BoardGame, schedule: str | Schedule, sampling: str | None, tie: Tying | None
) -> Solver:
    from solverlab.solvers.boards.cfr import SpotCFR

    if tie is not None or sampling is not None:
        raise BadValue(f"a {game.name} is solved with every hand on every board; leave out tie and sampling")
    return SpotCFR(game, schedule)
