"""Solve the real 2-to-7 deck from the command line: a bar, a bracket, and a stop that loses nothing."""

from __future__ import annotations

import argparse
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import reduce
from operator import or_
from time import monotonic
from typing import Any

from solverlab.commands.progress import Progress
from solverlab.core.errors import BadValue
from solverlab.games.lowball_real import RealLowball
from solverlab.run import Trace, Until, below, iterations
from solverlab.run.lowball_steps import paced, stands_at
from solverlab.solvers.draw.cfr import DrawCFR
from solverlab.solvers.draw.sampled import SampledDraw
from solverlab.solvers.draw.snapshot import DrawSnapshot

ITERATIONS, TARGET = 40, 0.0025  # when nothing else was asked for; the target is an exploitability
SAMPLES = 20_000_000
LOOKS = 10  # measurements on the way
DEALS = 400_000  # fresh deals a measurement
SAVE_SECONDS = 30.0  # a state of the real deck is a quarter of a gigabyte

DrawSolver = DrawCFR | SampledDraw


def new_draw_solver(game: RealLowball, options: argparse.Namespace) -> DrawSolver:
    """Every hand every iteration, or with `--sampling chance` one deal after another."""
    from solverlab.commands.solve import refuse_a_seed

    if options.sampling is None:
        refuse_a_seed(options)
        return DrawCFR(game, options.schedule or "DCFR")
    if options.sampling != "chance":
        raise BadValue(
            f"{game.name} is sampled deal by deal, not by {options.sampling!r}; take --sampling chance"
        )
    if options.schedule is not None:
        raise BadValue(f"sampled deals have one schedule, CFR+; leave out --schedule {options.schedule!r}")
    return SampledDraw(game, options.seed or 0)


def solve_draw(solver: DrawSolver, name: str | None, options: argparse.Namespace) -> None:
    """Step, show, save, report; Ctrl+C ends the iteration, saves, and then stops."""
    from solverlab.commands.solve import tell_where_it_is

    until, every = _until(options, solver), options.every
    every, throttle = (_every(solver), SAVE_SECONDS) if every is None else (every, 0.0)
    kept = _Kept(solver, name, throttle)
    shown, last = Progress("nash_conv", until), None
    with _asked_to_stop() as stop:
        for snap in paced(solver, every, until, DEALS):
            if snap is None:
                shown.tick(solver.iteration, solver.seconds)
            else:
                shown.show(snap)
                kept.look(snap)
                last = snap
            if stop.is_set():
                shown.clear()
                kept.save()
                raise KeyboardInterrupt
    shown.clear()
    kept.save()
    print(report(solver, last))
    tell_where_it_is(name, solver.iteration)


def report(solver: DrawSolver, snap: DrawSnapshot) -> str:
    """What a solve of the whole deck found: a value with its error, a distance with both ends."""
    way = f"{solver.schedule.name}, full width" if isinstance(solver, DrawCFR) else "CFR+, chance sampling"
    found, often = snap.metrics, snap.frequencies()
    return "\n".join(
        [
            f"{solver.game.name}, {way}",
            f"iterations      {snap.iteration:,} in {snap.seconds:.2f} s",
            f"value           {snap.value:+.5f} for the button player (standard error "
            f"{found['value_error']:.2g}, {found['deals']:,} deals)",
            f"exploitability  {found['lower'] / 2:.3g} to {found['upper'] / 2:.3g}",
            f"goes in         button {often['push']:.1%}, big blind {often['call']:.1%}",
            snap.status.sentence,
        ]
    )


def _every(solver: DrawSolver) -> int:
    return (ITERATIONS if isinstance(solver, DrawCFR) else SAMPLES) // LOOKS


def _until(options: argparse.Namespace, solver: DrawSolver) -> Until:
    from solverlab.commands.solve import limits

    given = limits(options)
    if options.target is not None:
        given.append(below("nash_conv", 2 * below("exploitability", options.target).targets[0][1]))
    usual = ITERATIONS if isinstance(solver, DrawCFR) else SAMPLES
    return reduce(or_, given or [iterations(solver.iteration + usual), below("nash_conv", 2 * TARGET)])


class _Kept:
    """The run on disk, if it has a name: saved at the start, at looks some seconds apart, and at the end."""

    def __init__(self, solver: DrawSolver, name: str | None, seconds: float):
        self.solver, self.name, self.seconds = solver, name, seconds
        self.trace, self.saved, self.when = Trace(), (-1, 0), monotonic()
        if name is not None:
            from solverlab.store.draw_runs import draw_trace

            self.trace = draw_trace(name)
            self.save()

    def look(self, snap: DrawSnapshot) -> None:
        if stands_at(self.trace, snap.iteration):
            self.trace.rows.pop()  # a run resumed at its end is measured there again
        snap = snap.measured({"exploitability": snap.exploitability})  # what the list of runs shows
        self.trace.add(snap)  # type: ignore[arg-type]  # clocks and metrics are all it reads
        if monotonic() - self.when >= self.seconds:
            self.save()

    def save(self) -> None:
        moment = (self.solver.iteration, len(self.trace.rows))
        if self.name is not None and moment != self.saved:
            from solverlab.store.draw_runs import save_draw

            save_draw(self.solver, self.name, self.trace)
            self.saved, self.when = moment, monotonic()


@contextmanager
def _asked_to_stop() -> Iterator[threading.Event]:
    """An event the first Ctrl+C sets, so that the iteration can end; the second one interrupts at once."""
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return

    def first(number: int, frame: Any) -> None:
        asked.set()
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, first)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)
