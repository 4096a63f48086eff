"""The command `solverlab`: serve the pages, solve, keep runs, export, draw, measure, prove."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any, TextIO

import solverlab
from solverlab.core.errors import BadValue, SolverlabError
from solverlab.core.game import Game
from solverlab.core.snapshot import Snapshot
from solverlab.games import GAMES, game_named
from solverlab.run import Until, below, distances, iterations, run, seconds
from solverlab.solvers import CFR, MCCFR, SAMPLINGS, SCHEDULES

DEFAULT_ITERATIONS = 10_000
DEFAULT_TARGET = 1e-4
SAVE_ITERATIONS, SAVE_SECONDS = 1000, 2.0


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; 0 if it went well, 2 with one sentence if what was asked makes no sense."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["bench"]:  # has its own options and its own --help
        from solverlab.bench import main as bench

        return bench(words[1:])
    options = parser().parse_args(words)
    try:
        return options.command(options) or 0
    except SolverlabError as error:
        print(f"solverlab: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("solverlab: stopped; what was saved stays saved", file=sys.stderr)
        return 130
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def parser() -> argparse.ArgumentParser:
    """Every command and option, with an example each."""
    top = argparse.ArgumentParser(
        prog="solverlab",
        description="See poker solvers think: step CFR in the browser, or solve from here.",
        epilog="solverlab COMMAND --help tells more, with an example.",
    )
    top.add_argument("--version", action="version", version=f"solverlab {solverlab.__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for add in (_add_serve, _add_solve, _add_runs, _add_export_policy, _add_efg):
        add(commands)
    for add in (_add_figure, _add_bench, _add_proof):
        add(commands)
    return top


def _command(commands: Any, name: str, run: Callable, text: str, example: str) -> argparse.ArgumentParser:
    made = commands.add_parser(name, help=text, description=text, epilog=f"example: {example}")
    made.set_defaults(command=run)
    return made


# ---- serve -------------------------------------------------------------------------------------------------


def _add_serve(commands: Any) -> None:
    text = "open the dashboard in the browser"
    made = _command(commands, "serve", _serve, text, "solverlab serve --port 8080 --no-show")
    made.add_argument("--port", type=int, default=5006, help="where to listen (%(default)s)")
    made.add_argument(
        "--address", default="localhost", help="who may come: localhost, or 0.0.0.0 for a class"
    )
    made.add_argument("--no-show", action="store_true", help="do not open a browser window")
    made.add_argument("--max-sessions", type=int, default=30, help="visitors at once (%(default)s)")
    made.add_argument(
        "--memory-cap-mb", type=float, default=256, help="for each visitor's solver (%(default)s)"
    )


def _serve(options: argparse.Namespace) -> None:
    from solverlab.ui.shell import serve

    serve(options.port, options.address, not options.no_show, options.max_sessions, options.memory_cap_mb)


# ---- solve -------------------------------------------------------------------------------------------------


def _add_solve(commands: Any) -> None:
    text = "solve a game and print its value and how far from equilibrium the strategy is"
    example = "solverlab solve leduc --schedule DCFR --target 1e-4 --save leduc-dcfr"
    made = _command(commands, "solve", _solve, text, example)
    made.add_argument("game", nargs="?", metavar="GAME", help=f"{', '.join(GAMES)}, or an ACPC file")
    made.add_argument("--schedule", metavar="ROW", help=f"{', '.join(SCHEDULES)} (CFR+)")
    made.add_argument("--sampling", metavar="ROW", help=f"{', '.join(SAMPLINGS)}; without it, full width")
    made.add_argument("--iterations", type=int, metavar="N", help="stop after N iterations in all")
    made.add_argument("--seconds", type=float, metavar="S", help="stop after S seconds of solving")
    made.add_argument("--target", type=float, metavar="T", help="stop that close to equilibrium")
    made.add_argument("--seed", type=int, metavar="K", help="of the random walks (0)")
    made.add_argument("--save", metavar="NAME", help="keep the run, and save it as it goes")
    made.add_argument("--resume", metavar="NAME", help="go on with a saved run instead of a GAME")
    made.add_argument("--every", type=int, metavar="N", help="measure (and save) every N iterations")


def _solve(options: argparse.Namespace) -> None:
    solver, name = _solver_of(options)
    snapshots = run(solver, every=_every(options, name), until=_until(options, solver))
    if name is not None:
        from solverlab.store import save_every

        throttle = SAVE_SECONDS if options.every is None else 0.0
        snapshots = save_every(snapshots, solver, name, _every(options, name), seconds=throttle)
    last, shown = None, _Progress(solver)
    for last in snapshots:
        shown.show(last)
    shown.clear()
    print(report(solver, last))
    if name is not None:
        following = f"solverlab solve --resume {shlex.quote(name)} --iterations {2 * last.iteration}"
        print(f"saved as {name!r}; go on with: {following}")


def _solver_of(options: argparse.Namespace) -> tuple[CFR | MCCFR, str | None]:
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
    from solverlab.store import load

    return load(options.resume).solver(), options.resume


def _new_solver(options: argparse.Namespace) -> CFR | MCCFR:
    game, schedule = game_of(options.game), options.schedule or "CFR+"
    if options.sampling is None:
        if options.seed is not None:
            raise BadValue(
                f"the seed {options.seed} changes nothing without --sampling; add it or leave it out"
            )
        return CFR(game, schedule)
    return MCCFR(game, schedule, options.sampling, options.seed or 0)


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
    given = [iterations(options.iterations)] if options.iterations is not None else []
    given += [seconds(options.seconds)] if options.seconds is not None else []
    given += [below(distance, options.target)] if options.target is not None else []
    limits = given or [iterations(solver.iteration + DEFAULT_ITERATIONS), below(distance, DEFAULT_TARGET)]
    return reduce(or_, limits)


def report(solver: CFR | MCCFR, snap: Snapshot) -> str:
    """What a solve found, for people: exploitability for two players, each seat's deviation gain for more."""
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


class _Progress:
    """One line on a terminal, rewritten as the run goes on; silent where nobody watches."""

    def __init__(self, solver: CFR | MCCFR, stream: TextIO | None = None):
        self.stream = sys.stderr if stream is None else stream
        self.measure, self.width = distances(solver.game)[0], 0

    def show(self, snap: Snapshot) -> None:
        numbers = snap.metrics[self.measure]
        far = max(numbers) if isinstance(numbers, tuple) else numbers
        word = "exploitability" if self.measure == "exploitability" else "largest deviation gain"
        self._write(f"{snap.iteration:,} iterations, {snap.seconds:.1f} s, {word} {far:.3g}")

    def clear(self) -> None:
        self._write("")
        if self.width:
            self.stream.write("\r")

    def _write(self, text: str) -> None:
        if self.stream.isatty():
            self.stream.write("\r" + text.ljust(self.width))
            self.stream.flush()
            self.width = max(self.width, len(text))


# ---- runs --------------------------------------------------------------------------------------------------


def _add_runs(commands: Any) -> None:
    text = "list, show, delete, export or import saved runs"
    made = _command(commands, "runs", _list_runs, text, "solverlab runs export leduc-dcfr leduc.zip")
    actions = made.add_subparsers(title="what to do (list)", metavar="ACTION")
    _command(actions, "list", _list_runs, "one line a run, newest first", "solverlab runs list")
    show = _command(
        actions, "show", _show_run, "settings and numbers of a run", "solverlab runs show leduc-dcfr"
    )
    show.add_argument("name", metavar="NAME")
    delete = _command(
        actions, "delete", _delete_runs, "remove runs for good", "solverlab runs delete old older"
    )
    delete.add_argument("names", metavar="NAME", nargs="+")
    export = _command(
        actions,
        "export",
        _export_run,
        "write a run as a .zip file",
        "solverlab runs export leduc-dcfr leduc.zip",
    )
    export.add_argument("name", metavar="NAME")
    export.add_argument("path", metavar="FILE", nargs="?", default=".", help="NAME.zip here, if left out")
    bring = _command(
        actions,
        "import",
        _import_run,
        "bring an exported run in",
        "solverlab runs import leduc.zip --name mine",
    )
    bring.add_argument("path", metavar="FILE")
    bring.add_argument("--name", metavar="NAME", help="under another name than its own")


def _list_runs(options: argparse.Namespace) -> None:
    from solverlab.store import runs, runs_folder

    found = runs()
    if not found:
        print(f"no runs yet in {runs_folder()}; make one with: solverlab solve kuhn --save first")
    else:
        print(found)


def _show_run(options: argparse.Namespace) -> None:
    import json

    from solverlab.store.run_folders import existing_folder, read_run

    manifest, _ = read_run(existing_folder(options.name), options.name)
    told = (
        "game_name",
        "players",
        "iteration",
        "seconds",
        "created",
        "saved",
        "last",
        "game",
        "solver",
        "versions",
    )
    print(json.dumps({"name": options.name, **{name: manifest[name] for name in told}}, indent=1))


def _delete_runs(options: argparse.Namespace) -> None:
    from solverlab.store import delete
    from solverlab.store.run_folders import existing_folder

    for name in options.names:
        existing_folder(name)  # all of them or none
    for name in options.names:
        delete(name)
        print(f"deleted {name!r}")


def _export_run(options: argparse.Namespace) -> None:
    from solverlab.store import export

    print(f"wrote {export(options.name, options.path)}")


def _import_run(options: argparse.Namespace) -> None:
    from solverlab.store import import_run

    print(f"imported {import_run(options.path, options.name)!r}")


# ---- export ------------------------------------------------------------------------------------------------


def _add_export_policy(commands: Any) -> None:
    text = "write a saved run's strategy as a table"
    example = "solverlab export-policy leduc-dcfr --format csv --out leduc.csv"
    made = _command(commands, "export-policy", _export_policy, text, example)
    made.add_argument("run", metavar="RUN")
    made.add_argument("--format", choices=("csv", "parquet", "json"), help="(as FILE ends, else csv)")
    made.add_argument("--out", metavar="FILE", help="RUN.FORMAT here, if left out")
    made.add_argument("--current", action="store_true", help="the last iterate instead of the average")


def _export_policy(options: argparse.Namespace) -> None:
    from solverlab.store import load, write_policy

    path = Path(options.out or f"{options.run}.{options.format or 'csv'}")
    if options.format is not None and path.suffix != f".{options.format}":
        raise BadValue(
            f"{path.name!r} does not end in .{options.format}; leave out --format or rename the file"
        )
    snap = load(options.run).snapshot()
    print(f"wrote {write_policy(snap.current if options.current else snap.policy, path)}")


def _add_efg(commands: Any) -> None:
    text = "write a game as an extensive-form file for Gambit or OpenSpiel"
    made = _command(commands, "efg", _efg, text, "solverlab efg kuhn --out kuhn.efg")
    made.add_argument("game", metavar="GAME", help=f"{', '.join(GAMES)}, or an ACPC file")
    made.add_argument("--out", metavar="FILE", help="print it, if left out")


def _efg(options: argparse.Namespace) -> None:
    from solverlab.store import write_efg, write_game

    game = game_of(options.game)
    if options.out is None:
        print(write_efg(game), end="")
    elif Path(options.out).suffix != ".efg":
        raise BadValue(f"{options.out!r} does not end in .efg; name it so that other programs know it")
    else:
        print(f"wrote {write_game(game, options.out)}")


# ---- draw, measure and prove -------------------------------------------------------------------------------


def _add_figure(commands: Any) -> None:
    from solverlab.figures.command import add_options, run

    text = "make a published figure again: PNG, SVG, data and provenance"
    add_options(_command(commands, "figure", run, text, "solverlab figure johanson-2.2 --out pictures"))


def _add_bench(commands: Any) -> None:
    text = "measure solverlab beside OpenSpiel and LiteEFG on this machine"
    _command(commands, "bench", lambda options: None, text, "solverlab bench --quick")


def _add_proof(commands: Any) -> None:
    from solverlab.proof.command import add_options

    text = "run the long evidence and write its numbers to proof/*.json"
    add_options(_command(commands, "proof", _proof, text, "solverlab proof --only sampling"))


def _proof(options: argparse.Namespace) -> int:
    from solverlab.proof.command import run as run_proofs

    return run_proofs(options)
