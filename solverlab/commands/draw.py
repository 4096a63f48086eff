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

from solverlab.core.draw_game import BettingDrawGame, DrawGame
from solverlab.core.errors import BadValue
from solverlab.run import Trace, Until, below, iterations
from solverlab.run.drive import paced
from solverlab.solvers.draw.betting_snapshot import BettingSnapshot
from solverlab.solvers.draw.full_width import full_width
from solverlab.solvers.draw.sampled import SampledDraw
from solverlab.solvers.draw.snapshot import DrawSnapshot
from solverlab.solvers.draw.solver import DrawSolver
from solverlab.views.progress import Progress

ITERATIONS, TARGET = 40, 0.0025  # when nothing else was asked for; the target is an exploitability
SAMPLES = 20_000_000
LOOKS = 10  # measurements on the way
DEALS = 400_000  # fresh deals a measurement
SAVE_SECONDS = 30.0  # a state of the real deck is a quarter of a gigabyte

AnySnapshot = DrawSnapshot | BettingSnapshot


def new_draw_solver(game: DrawGame, options: argparse.Namespace) -> DrawSolver:
    """Every hand every iteration, or with `--sampling chance` one deal after another."""
    from solverlab.commands.solve import refuse_a_seed

    if options.sampling is None:
        refuse_a_seed(options)
        return full_width(game, options.schedule or "DCFR")
    if isinstance(game, BettingDrawGame):
        raise BadValue(f"{game.name} is not sampled, every hand is followed; leave out --sampling")
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
    every, throttle = (_usual(solver) // LOOKS, SAVE_SECONDS) if every is None else (every, 0.0)
    kept = _Kept(solver, name, throttle)
    shown, last = Progress("nash_conv", until), None
    with _asked_to_stop() as stop:
        for snap in paced(solver, every, until, deals=DEALS, pulse=solver.batch):
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


def report(solver: DrawSolver, snap: AnySnapshot) -> str:
    """What a solve of the whole deck found: a value with its error, a distance with both ends."""
    sampled = isinstance(solver, SampledDraw)
    way = "CFR+, chance sampling" if sampled else f"{solver.config()['schedule']['name']}, full width"
    found = snap.metrics
    return "\n".join(
        [
            f"{solver.game.name}, {way}",
            f"iterations      {snap.iteration:,} in {snap.seconds:.2f} s",
            f"value           {snap.value:+.5f} for the button player (standard error "
            f"{found['value_error']:.2g}, {found['deals']:,} deals)",
            f"exploitability  {found['lower'] / 2:.3g} to {found['upper'] / 2:.3g}",
            *_played(snap),
            snap.status.sentence,
        ]
    )


def _played(snap: AnySnapshot) -> list[str]:
    """How often everybody does what: goes in, or every action before the draw."""
    if isinstance(snap, DrawSnapshot):
        often = snap.frequencies()
        return [f"goes in         button {often['push']:.1%}, big blind {often['call']:.1%}"]
    lines = []
    for place, row in zip(snap.before_draw(), snap.frequencies().values(), strict=True):
        seat = ("button", "big blind")[place.player]
        after = f", after {place.name.replace('/', ', ')}" if place.name else ""
        lines.append(f"{seat}{after}: " + ", ".join(f"{word} {share:.1%}" for word, share in row.items()))
    return lines


def _usual(solver: DrawSolver) -> int:
    return SAMPLES if isinstance(solver, SampledDraw) else ITERATIONS


def _until(options: argparse.Namespace, solver: DrawSolver) -> Until:
    from solverlab.commands.solve import limits

    given = limits(options)
    if options.target is not None:
        given.append(below("nash_conv", 2 * below("exploitability", options.target).targets[0][1]))
    return reduce(
        or_, given or [iterations(solver.iteration + _usual(solver)), below("nash_conv", 2 * TARGET)]
    )


class _Kept:
    """The run on disk, if it has a name: saved at the start, at looks some seconds apart, and at the end."""

    def __init__(self, solver: DrawSolver, name: str | None, seconds: float):
        self.solver, self.name, self.seconds = solver, name, seconds
        self.trace, self.saved, self.when = Trace(), (-1, 0), monotonic()
        if name is not None:
            from solverlab.store.draw_runs import draw_trace

            self.trace = draw_trace(name)
            self.save()

    def look(self, snap: AnySnapshot) -> None:
        if self.trace.stands_at(snap.iteration):
            self.trace.rows.pop()  # a run resumed at its end is measured there again
        self.trace.add(snap)
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

    def first(number: int, frame: object) -> None:
        asked.set()
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, first)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)
