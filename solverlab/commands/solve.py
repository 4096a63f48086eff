"""`solverlab solve`: a game or a saved run in, its value and its distance from equilibrium out."""

from __future__ import annotations

import argparse
import os
import shlex
from functools import reduce
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING, cast

from solverlab.commands.lowball import add_lowball_options, lowball_game, refuse_lowball_options
from solverlab.core.boards.game import BoardGame
from solverlab.core.draw_game import DrawGame
from solverlab.core.errors import BadValue
from solverlab.core.game import Game
from solverlab.core.options import OneOf
from solverlab.core.snapshot import Snapshot
from solverlab.games import GAMES, game_named
from solverlab.run import Until, below, distances, iterations, run, seconds
from solverlab.solvers import CFR, MCCFR, SAMPLINGS, SCHEDULES
from solverlab.views.progress import Progress

if TYPE_CHECKING:
    from solverlab.core.solver import Solver


DEFAULT_ITERATIONS = 10_000
DEFAULT_TARGET = 1e-4
SAVE_ITERATIONS, SAVE_SECONDS = 1000, 2.0


def add_solve_options(made: argparse.ArgumentParser) -> None:
    """What the command understands."""
    made.add_argument(
        "game", nargs="?", metavar=OneOf("GAME", GAMES), help=f"{', '.join(GAMES)}, or an ACPC file"
    )
    made.add_argument("--schedule", metavar=OneOf("ROW", SCHEDULES), help=f"{', '.join(SCHEDULES)} (CFR+)")
    made.add_argument(
        "--sampling", metavar=OneOf("ROW", SAMPLINGS), help=f"{', '.join(SAMPLINGS)}; without it, full width"
    )
    made.add_argument("--iterations", type=int, metavar="N", help="stop after N iterations in all")
    made.add_argument("--seconds", type=float, metavar="S", help="stop after S seconds of solving")
    made.add_argument("--target", type=float, metavar="T", help="stop that close to equilibrium")
    made.add_argument("--seed", type=int, metavar="K", help="of the random walks (0)")
    made.add_argument("--save", metavar="NAME", help="keep the run, and save it as it goes")
    made.add_argument("--resume", metavar="NAME", help="go on with a saved run instead of a GAME")
    made.add_argument("--every", type=int, metavar="N", help="measure (and save) every N iterations")
    add_lowball_options(made)


def run_solve(options: argparse.Namespace) -> None:
    """Solve, show how far it is, print what was found."""
    solver, name = _solver_of(options)
    if isinstance(solver.game, DrawGame):
        from solverlab.commands.draw import solve_draw

        solve_draw(solver, name, options)
        return
    until = _until(options, solver)
    snapshots = run(solver, every=_every(options, name), until=until)
    if name is not None:
        from solverlab.store import save_every

        throttle = SAVE_SECONDS if options.every is None else 0.0
        snapshots = save_every(snapshots, solver, name, _every(options, name), seconds=throttle)
    last, shown = None, Progress(distances(solver.game)[0], until)
    for last in snapshots:
        shown.show(last)
    shown.clear()
    print(report(solver, last))
    tell_where_it_is(name, last.iteration)


def tell_where_it_is(name: str | None, iteration: int) -> None:
    """The command that goes on with a run that was kept."""
    if name is not None:
        following = f"solverlab solve --resume {shlex.quote(name)} --iterations {2 * iteration}"
        print(f"saved as {name!r}; go on with: {following}")


def _solver_of(options: argparse.Namespace) -> tuple[Solver, str | None]:
    """The solver to step and the name to save it under: a new one, or a saved one that goes on."""
    if options.resume is None:
        if options.game is None:
            raise BadValue(
                f"no game was given; name one of {', '.join(GAMES)}, a .game file, or --resume a run"
            )
        return _new_solver(options), _new_name(options.save)
    for given in ("game", "schedule", "sampling", "seed", "save"):
        if getattr(options, given) is not None:
            raise BadValue(
                f"--resume goes on with the run's own settings; leave out {given} {getattr(options, given)!r}"
            )
    refuse_lowball_options(options, "a run that goes on")
    return _saved_solver(options.resume), options.resume


def _saved_solver(name: str) -> Solver:
    from solverlab.store import load
    from solverlab.store.draw_runs import is_draw_run, load_draw

    return load_draw(name).solver if is_draw_run(name) else load(name).solver()


def _new_solver(options: argparse.Namespace) -> Solver:
    if options.game == "lowball":
        game = lowball_game(options)
    else:
        refuse_lowball_options(options, options.game)
        game = game_of(options.game)
    if isinstance(game, DrawGame):
        from solverlab.commands.draw import new_draw_solver

        return new_draw_solver(game, options)
    schedule = options.schedule or "CFR+"
    if options.sampling is None:
        refuse_a_seed(options)
        return CFR(game, schedule)
    return MCCFR(game, schedule, options.sampling, options.seed or 0)


def refuse_a_seed(options: argparse.Namespace) -> None:
    """Nothing is random without sampling, so a seed must be a misunderstanding."""
    if options.seed is not None:
        raise BadValue(f"the seed {options.seed} changes nothing without --sampling; add it or leave it out")


def _new_name(name: str | None) -> str | None:
    """A name that is free: a run that exists is resumed or deleted on purpose, never by accident."""
    if name is None:
        return None
    from solverlab.store import checked_name, runs

    if checked_name(name) in [run.name for run in runs()]:
        raise BadValue(
            f"there already is a run {name!r}; go on with --resume {name!r} or save under another name"
        )
    return name


def game_of(text: str) -> Game:
    """A game by its name in the catalogue, or from a file."""
    if text in GAMES or not (Path(text).suffix or os.sep in text):
        return game_named(text)
    from solverlab.store import read_game

    return read_game(text)


def _every(options: argparse.Namespace, name: str | None) -> int | None:
    return SAVE_ITERATIONS if options.every is None and name is not None else options.every


def _until(options: argparse.Namespace, solver: CFR | MCCFR) -> Until:
    """The limits given; without any, a usual number of iterations or a usual target."""
    distance = distances(solver.game)[0]
    given = limits(options) + ([below(distance, options.target)] if options.target is not None else [])
    usual = [iterations(solver.iteration + DEFAULT_ITERATIONS), below(distance, DEFAULT_TARGET)]
    return reduce(or_, given or usual)


def limits(options: argparse.Namespace) -> list[Until]:
    """The limits of iterations and time that were given."""
    given = [iterations(options.iterations)] if options.iterations is not None else []
    return given + ([seconds(options.seconds)] if options.seconds is not None else [])


def report(solver: CFR | MCCFR, snap: Snapshot) -> str:
    """What a solve found, for people: exploitability for two players, each seat's deviation gain for more."""
    if isinstance(solver.game, BoardGame):
        return _spot_report(solver, snap)
    game, names = solver.game, solver.game.names.players
    sampling = f"{solver.sampling.name} sampling" if isinstance(solver, MCCFR) else "full width"
    lines = [f"{game.name}, {solver.schedule.name}, {sampling}"]
    lines += [f"iterations      {snap.iteration:,} in {snap.seconds:.2f} s"]
    if game.n_players == 2:
        lines += [f"value           {snap.value:+.7f} for the {names[0]} player"]
        lines += [f"exploitability  {snap.exploitability:.3g}"]
    else:
        from solverlab.analysis import value

        gains = snap.metrics["deviation_gains"]
        for seat, name in enumerate(names):
            won = value(game, snap.policy, seat)
            lines += [f"{name:<15} value {won:+.7f}, could gain {gains[seat]:.3g} by deviating alone"]
    return "\n".join([*lines, snap.status.sentence])


def _spot_report(solver: CFR | MCCFR, snap: Snapshot) -> str:
    spot = cast(BoardGame, solver.game)
    part = 100 * snap.exploitability / spot.pot
    lines = [f"{spot!r}, {solver.schedule.name}"]
    lines += [f"iterations      {snap.iteration:,} in {snap.seconds:.2f} s"]
    lines += [f"value           {snap.value:+.4f} chips beyond half the pot for the player out of position"]
    lines += [f"exploitability  {snap.exploitability:.3g} chips, {part:.3g} % of the pot"]
    return "\n".join([*lines, snap.status.sentence])
