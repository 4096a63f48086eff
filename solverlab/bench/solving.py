"""Suites on solving small games: iterations a second, seconds to a target, cost of one exploitability."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from solverlab.bench.clock import Timing, race, sample
from solverlab.bench.contestants import OURS, Contestant, Session
from solverlab.bench.plan import Plan
from solverlab.bench.rows import Row

SCHEDULES = ("CFR", "CFR+", "DCFR")


def speed(plan: Plan, contestants: Sequence[Contestant]) -> list[Row]:
    """Seconds for one iteration, everybody in turn; a solver goes on from sample to sample."""
    rows = []
    for game in plan.games:
        for schedule in SCHEDULES:
            sessions = open_sessions(game, schedule, contestants)
            steps = {name: session.step for name, session in sessions.items()}
            rows += timed_rows("speed", f"{game} {schedule}", "one iteration", race_of(plan, steps), "rate")
        rows += one_at_a_time(plan, game, contestants)
    return rows


def one_at_a_time(plan: Plan, game: str, contestants: Sequence[Contestant]) -> list[Row]:
    """The same asked as a learner clicks: one `step(1)` and one snapshot an iteration."""
    sessions = open_sessions(game, "CFR+", contestants)
    steps = {name: repeated(lambda session=session: session.step(1)) for name, session in sessions.items()}
    return timed_rows("speed", f"{game} CFR+", "one step(1) call", race_of(plan, steps), "rate")


def exploitability(plan: Plan, contestants: Sequence[Contestant]) -> list[Row]:
    """Seconds for the exact exploitability of the average policy after ten iterations of CFR+."""
    rows = []
    for game in plan.games:
        sessions = open_sessions(game, "CFR+", contestants)
        for session in sessions.values():
            session.step(10)
        works = {name: repeated(session.evaluator()) for name, session in sessions.items()}
        rows += timed_rows("exploitability", game, "one evaluation", race_of(plan, works))
    return rows


def targets(plan: Plan, contestants: Sequence[Contestant]) -> list[Row]:
    """Seconds of stepping until exploitability first falls to each target; reckoned for slow peers."""
    rows = []
    for game in plan.games:
        for schedule, goals in plan.targets.items():
            rows += targets_of(plan, game, schedule, goals, contestants)
    return rows


def targets_of(
    plan: Plan, game: str, schedule: str, goals: Sequence[float], contestants: Sequence[Contestant]
) -> list[Row]:
    task = f"{game} {schedule}"
    found = chase(OURS.session(game, schedule), goals, plan.long_patience)
    ours = {goal: found[goal][0] for goal in goals if goal in found}
    rows = [
        target_row(task, OURS.name, goal, [straight(task, iterations) for _ in range(plan.long_repeats)])
        for goal, iterations in ours.items()
    ]
    sessions = open_sessions(game, schedule, [peer for peer in contestants if peer is not OURS])
    rates = race_of(plan, {name: session.step for name, session in sessions.items()})
    for peer in contestants:
        if peer.name in sessions:
            rows += peer_targets(plan, task, peer, ours, rates[peer.name])
    return rows


def peer_targets(plan: Plan, task: str, peer: Contestant, ours: dict[float, int], rate: Timing) -> list[Row]:
    """Run the peer to the targets it can reach; reckon the others as our iterations x its seconds for one."""
    patience = plan.patience if peer.same_iterates else plan.long_patience
    near = [goal for goal, iterations in ours.items() if iterations * rate.median <= patience]
    session = peer.session(*task.split())
    run = chase(session, near, patience) if near else {}
    rows = []
    for goal, iterations in ours.items():
        if goal in run:
            rows.append(target_row(task, peer.name, goal, [run[goal]]))
        else:
            rows.append(reckoned_row(task, peer, goal, iterations, rate))
    return rows


def chase(session: Session, goals: Sequence[float], patience: float) -> dict[float, tuple[int, float, float]]:
    """Step until exploitability falls to every goal: {goal: (iterations, wall, cpu)}, measuring not timed."""
    reached: dict[float, tuple[int, float, float]] = {}
    done, wall, cpu = 0, 0.0, 0.0
    for stop in checkpoints():
        used = sample(session.step, stop - done)
        done, wall, cpu = stop, wall + used[0], cpu + used[1]
        error = session.evaluator()()
        for goal in goals:
            if error <= goal:
                reached.setdefault(goal, (done, wall, cpu))
        if len(reached) == len(goals) or wall > patience:
            return reached
    raise AssertionError("checkpoints never end")


def straight(task: str, iterations: int) -> tuple[int, float, float]:
    """Our time for that many iterations in one call, without the stops that looking for a target makes."""
    return (iterations, *sample(OURS.session(*task.split()).step, iterations))


def checkpoints() -> Iterator[int]:
    """Iterations at which to look: every one at first, then 5 % apart.

    >>> from itertools import islice
    >>> list(islice(checkpoints(), 18, 24))
    [19, 20, 21, 22, 23, 24]
    """
    stop = 1
    while True:
        yield stop
        stop += max(1, stop // 20)


def target_row(task: str, name: str, goal: float, runs: Sequence[tuple[int, float, float]]) -> Row:
    timing = Timing(tuple(run[1] for run in runs), tuple(run[2] for run in runs))
    return Row("targets", task, f"to {goal:.0e}", name, timing, iterations=runs[0][0])


def reckoned_row(task: str, peer: Contestant, goal: float, iterations: int, rate: Timing) -> Row:
    timing = Timing(
        tuple(iterations * used for used in rate.wall), tuple(iterations * used for used in rate.cpu)
    )
    how = f"{iterations} iterations, as solverlab needs, x its measured seconds for one"
    if not peer.same_iterates:
        how += "; its own iterations differ, so this is an estimate"
    return Row(
        "targets",
        task,
        f"to {goal:.0e}",
        peer.name,
        timing,
        iterations=iterations,
        extrapolated=True,
        note=how,
    )


def open_sessions(game: str, schedule: str, contestants: Sequence[Contestant]) -> dict[str, Session]:
    return {each.name: each.session(game, schedule) for each in contestants if schedule in each.schedules}


def race_of(plan: Plan, works: dict[str, Callable[[int], object]]) -> dict[str, Timing]:
    return race(works, plan.sample_seconds, plan.repeats)


def repeated(call: Callable[[], object]) -> Callable[[int], None]:
    def work(count: int) -> None:
        for _ in range(count):
            call()

    return work


def timed_rows(
    suite: str, task: str, measure: str, timings: dict[str, Timing], shown_as: str = "seconds"
) -> list[Row]:
    return [Row(suite, task, measure, name, timing, shown_as) for name, timing in timings.items()]
