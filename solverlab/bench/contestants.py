"""Who takes part: solverlab and the peers that are installed, each wrapped to step and to measure itself.

A session answers two calls: `step(n)` runs n more iterations, `evaluator()` fetches the average policy once
and returns a function that computes its exploitability (mean best-response gain a player, in chips) with
the library's own code.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import io
import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

import solverlab as sl

SPIEL_NAMES = {"Kuhn": "kuhn_poker", "Leduc": "leduc_poker"}


class Session(Protocol):
    def step(self, n: int) -> object: ...

    def evaluator(self) -> Callable[[], float]: ...


class Ours:
    def __init__(self, game: str, schedule: str):
        self.game = getattr(sl, game)()
        self.solver = sl.CFR(self.game, schedule)

    def step(self, n: int) -> None:
        self.solver.step(n)

    def evaluator(self) -> Callable[[], float]:
        policy = self.solver.snapshot().policy
        return lambda: sl.exploitability(self.game, policy)


class SpielCpp:
    SOLVERS = {"CFR": "CFRSolver", "CFR+": "CFRPlusSolver"}

    def __init__(self, game: str, schedule: str):
        self.pyspiel = importlib.import_module("pyspiel")
        self.game = self.pyspiel.load_game(SPIEL_NAMES[game])
        self.solver = getattr(self.pyspiel, self.SOLVERS[schedule])(self.game)

    def step(self, n: int) -> None:
        for _ in range(n):
            self.solver.evaluate_and_update_policy()

    def evaluator(self) -> Callable[[], float]:
        policy = self.solver.average_policy()
        return lambda: self.pyspiel.exploitability(self.game, policy)


class SpielPython:
    SOLVERS = {"CFR": "cfr.CFRSolver", "CFR+": "cfr.CFRPlusSolver", "DCFR": "discounted_cfr.DCFRSolver"}

    def __init__(self, game: str, schedule: str):
        module, solver = self.SOLVERS[schedule].split(".")
        algorithms = "open_spiel.python.algorithms."
        self.game = importlib.import_module("pyspiel").load_game(SPIEL_NAMES[game])
        self.solver = getattr(importlib.import_module(algorithms + module), solver)(self.game)
        self.referee = importlib.import_module(algorithms + "exploitability")

    def step(self, n: int) -> None:
        for _ in range(n):
            self.solver.evaluate_and_update_policy()

    def evaluator(self) -> Callable[[], float]:
        policy = self.solver.average_policy()
        return lambda: self.referee.exploitability(self.game, policy)


class LiteEFG:
    """LiteEFG averages in its environment, except DCFR, whose graph keeps its own discounted average."""

    SOLVERS = {
        "CFR": ("CFR", "avg-iterate"),
        "CFR+": ("CFRplus", "linear-avg-iterate"),
        "DCFR": ("DCFR", "last-iterate"),
    }

    def __init__(self, game: str, schedule: str):
        module, self.average = self.SOLVERS[schedule]
        with borrowed_home():
            lite = importlib.import_module("LiteEFG")
            self.env = lite.OpenSpielEnv(importlib.import_module("pyspiel").load_game(SPIEL_NAMES[game]))
            self.graph = importlib.import_module(f"LiteEFG.baselines.{module}").graph()
        self.env.set_graph(self.graph)
        self.averages_itself = schedule == "DCFR"

    def step(self, n: int) -> None:
        for _ in range(n):
            self.graph.update_graph(self.env)
            if not self.averages_itself:
                self.env.update_strategy(self.graph.current_strategy())

    def evaluator(self) -> Callable[[], float]:
        chosen = ("average-iterate",) if self.averages_itself else ()
        strategy = self.graph.current_strategy(*chosen)
        if self.averages_itself:
            self.env.update_strategy(strategy)
        return lambda: sum(self.env.exploitability(strategy, self.average)) / 2


@contextlib.contextmanager
def borrowed_home() -> Iterator[None]:
    """Give LiteEFG a throw-away home and no voice: it writes game files there and prints banners."""
    homes = {name: os.environ.get(name) for name in ("HOME", "USERPROFILE")}
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        os.environ.update(dict.fromkeys(homes, folder))
        try:
            yield
        finally:
            for name, home in homes.items():
                os.environ.pop(name) if home is None else os.environ.update({name: home})


@dataclass(frozen=True)
class Contestant:
    """One library: what it needs installed, its schedules, how to open a session, how to start it cold."""

    name: str
    needs: tuple[str, ...]
    session: Callable[[str, str], Session]
    schedules: tuple[str, ...]
    imports: str
    first_step: str
    same_iterates: bool = True
    """False when its iterations differ from ours (order of updates, averaging): run them, do not reckon."""

    @property
    def missing(self) -> tuple[str, ...]:
        return tuple(name for name in self.needs if importlib.util.find_spec(name) is None)


OURS = Contestant(
    name="solverlab",
    needs=("solverlab",),
    session=Ours,
    schedules=("CFR", "CFR+", "DCFR"),
    imports="import solverlab as sl",
    first_step="sl.CFR(sl.Leduc(), 'CFR+').step(1)",
)
PEERS = (
    Contestant(
        name="OpenSpiel C++",
        needs=("pyspiel",),
        session=SpielCpp,
        schedules=tuple(SpielCpp.SOLVERS),
        imports="import pyspiel",
        first_step="pyspiel.CFRPlusSolver(pyspiel.load_game('leduc_poker')).evaluate_and_update_policy()",
    ),
    Contestant(
        name="OpenSpiel Python",
        needs=("pyspiel", "open_spiel"),
        session=SpielPython,
        schedules=tuple(SpielPython.SOLVERS),
        imports="import pyspiel; from open_spiel.python.algorithms import cfr",
        first_step="cfr.CFRPlusSolver(pyspiel.load_game('leduc_poker')).evaluate_and_update_policy()",
    ),
    Contestant(
        name="LiteEFG",
        needs=("LiteEFG", "pyspiel"),
        session=LiteEFG,
        schedules=tuple(LiteEFG.SOLVERS),
        imports="import LiteEFG, pyspiel; from LiteEFG.baselines import CFRplus",
        first_step=(
            "env = LiteEFG.OpenSpielEnv(pyspiel.load_game('leduc_poker')); graph = CFRplus.graph(); "
            "env.set_graph(graph); graph.update_graph(env); env.update_strategy(graph.current_strategy())"
        ),
        same_iterates=False,
    ),
)


# Peers that solve no games, by the module they are imported as: the suites on cards know what to ask them.
OTHER_PEERS = {"eval7": "eval7", "phevaluator": "phevaluator", "scikit-learn": "sklearn"}


def present(name: str) -> bool:
    """Whether one of the other peers is installed."""
    return importlib.util.find_spec(OTHER_PEERS[name]) is not None


def installed() -> tuple[Contestant, ...]:
    """solverlab first, then the peers found on this machine."""
    return (OURS, *(peer for peer in PEERS if not peer.missing))


def absent() -> list[str]:
    """One sentence if peers are not installed: which, and how to get them."""
    names = [peer.name for peer in PEERS if peer.missing]
    names += [name for name in OTHER_PEERS if not present(name)]
    if not names:
        return []
    return [
        f"Not installed and therefore left out: {', '.join(names)}; pip install solverlab[bench] brings them."
    ]
