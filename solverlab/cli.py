"""The command `solverlab`: serve the pages, solve, keep runs, export, draw, measure, prove."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import solverlab
from solverlab.commands import add_solve_options, game_of, run_solve
from solverlab.core.errors import BadValue, SolverlabError
from solverlab.core.options import OneOf
from solverlab.games import GAMES


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
    for add in (_add_serve, _add_warm, _add_solve, _add_size, _add_runs, _add_export_policy, _add_efg):
        add(commands)
    for add in (_add_figure, _add_bench, _add_proof, _add_completion):
        add(commands)
    return top


Commands = "argparse._SubParsersAction[argparse.ArgumentParser]"


def _command(
    commands: Commands, name: str, run: Callable, text: str, example: str
) -> argparse.ArgumentParser:
    made = commands.add_parser(name, help=text, description=text, epilog=f"example: {example}")
    made.set_defaults(command=run)
    return made


# ---- serve -------------------------------------------------------------------------------------------------


def _add_serve(commands: Commands) -> None:
    text = "open the dashboard in the browser"
    made = _command(commands, "serve", _serve, text, "solverlab serve --port 8080 --no-show")
    made.add_argument("--port", type=int, default=5006, help="where to listen (%(default)s)")
    made.add_argument(
        "--address", default="localhost", help="who may come: localhost, or 0.0.0.0 for a class"
    )
    made.add_argument("--no-show", action="store_true", help="do not open a browser window")
    made.add_argument("--no-warm", action="store_true", help="compile at the first click, not ahead of it")
    made.add_argument("--max-sessions", type=int, default=30, help="visitors at once (%(default)s)")
    made.add_argument(
        "--memory-cap-mb", type=float, default=256, help="for each visitor's solver (%(default)s)"
    )


def _serve(options: argparse.Namespace) -> None:
    from solverlab.ui.warm_children import WarmStart
    from solverlab.ui.warm_start import ERRANDS

    # Before anything else: the children compile while this process still loads its pages.
    errands = [] if options.no_warm else [errand for errand in ERRANDS if not errand.large]
    warm = WarmStart(errands)
    from solverlab.ui.shell import serve

    try:
        serve(
            options.port,
            options.address,
            not options.no_show,
            options.max_sessions,
            options.memory_cap_mb,
            warm=warm,
        )
    finally:
        warm.close()


def _add_warm(commands: Commands) -> None:
    from solverlab.commands.warm import add_options, run

    text = "compile and build now what the first click on each page would wait for"
    add_options(_command(commands, "warm", run, text, "solverlab warm --page solve --page grow"))


# ---- solve -------------------------------------------------------------------------------------------------


def _add_solve(commands: Commands) -> None:
    text = "solve a game and print its value and how far from equilibrium the strategy is"
    example = "solverlab solve leduc --schedule DCFR --target 1e-4 --save leduc-dcfr"
    add_solve_options(_command(commands, "solve", run_solve, text, example))


def _add_size(commands: Commands) -> None:
    from solverlab.commands.size import add_size_options, run_size

    text = "count a postflop spot before it is built: nodes, information sets, bytes"
    example = "solverlab size Td9d6h --pot 200 --stack 900 --first 66+,AJs+ --last QQ-22 --bets 60%,a"
    add_size_options(_command(commands, "size", run_size, text, example))


# ---- runs --------------------------------------------------------------------------------------------------


def _add_runs(commands: Commands) -> None:
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


def _add_export_policy(commands: Commands) -> None:
    text = "write a saved run's strategy as a table"
    example = "solverlab export-policy leduc-dcfr --format csv --out leduc.csv"
    made = _command(commands, "export-policy", _export_policy, text, example)
    made.add_argument("run", metavar="RUN")
    made.add_argument("--format", choices=("csv", "parquet", "json"), help="(as FILE ends, else csv)")
    made.add_argument("--out", metavar="FILE", help="RUN.FORMAT here, if left out")
    made.add_argument("--current", action="store_true", help="the last iterate instead of the average")


def _export_policy(options: argparse.Namespace) -> None:
    from solverlab.store import load, write_policy
    from solverlab.store.draw_runs import is_draw_run

    path = Path(options.out or f"{options.run}.{options.format or 'csv'}")
    if options.format is not None and path.suffix != f".{options.format}":
        raise BadValue(
            f"{path.name!r} does not end in .{options.format}; leave out --format or rename the file"
        )
    if is_draw_run(options.run):
        raise BadValue(
            f"run {options.run!r} is of a whole deck, too large for a table; read it hand by hand with "
            f"solverlab.store.draw_runs.load_draw({options.run!r}).solver.snapshot().plan(hand)"
        )
    snap = load(options.run).snapshot()
    print(f"wrote {write_policy(snap.current if options.current else snap.policy, path)}")


def _add_efg(commands: Commands) -> None:
    text = "write a game as an extensive-form file for Gambit or OpenSpiel"
    made = _command(commands, "efg", _efg, text, "solverlab efg kuhn --out kuhn.efg")
    made.add_argument("game", metavar=OneOf("GAME", GAMES), help=f"{', '.join(GAMES)}, or an ACPC file")
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


def _add_figure(commands: Commands) -> None:
    from solverlab.figures.command import add_options, run

    text = "make a published figure again: PNG, SVG, data and provenance"
    add_options(_command(commands, "figure", run, text, "solverlab figure johanson-2.2 --out pictures"))


def _add_bench(commands: Commands) -> None:
    text = "measure solverlab beside OpenSpiel and LiteEFG on this machine"
    _command(commands, "bench", lambda options: None, text, "solverlab bench --quick")


def _add_proof(commands: Commands) -> None:
    from solverlab.proof.command import add_options

    text = "run the long evidence and write its numbers to proof/*.json"
    add_options(_command(commands, "proof", _proof, text, "solverlab proof --only sampling"))


def _proof(options: argparse.Namespace) -> int:
    from solverlab.proof.command import run as run_proofs

    return run_proofs(options)


def _add_completion(commands: Commands) -> None:
    from solverlab.commands.completion import SHELLS

    text = "print a script after which the shell completes commands, options and names"
    example = "solverlab completion bash >> ~/.bashrc"
    made = _command(commands, "completion", _completion, text, example)
    made.add_argument("shell", choices=SHELLS, help="which shell reads it")


def _completion(options: argparse.Namespace) -> None:
    from solverlab.bench.command import parser as bench_parser
    from solverlab.commands.completion import script

    print(script(parser(), options.shell, bench_parser()), end="")
