"""What the settings of the Solve page make: the game, the schedule, the solver, and when a run pauses."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from solverlab.core.errors import BadValue, SolverlabError, told
from solverlab.core.game import Game
from solverlab.games import LimitPoker, game_named
from solverlab.run import Until, below, distances, iterations
from solverlab.solvers import CFR, MCCFR, SCHEDULES, Schedule
from solverlab.ui.runner import check_room

if TYPE_CHECKING:
    from solverlab.ui.solve.settings import SolveSettings

OWN, CUSTOM, FULL_WIDTH = "own", "custom", "none"
KEEP_ALL = "inf,inf,0"  # the exponents of CFR, where nobody wrote any


def game_of(settings: SolveSettings) -> Game:
    """The chosen game; your own limit poker is built from its rules."""
    return own_game(settings.own) if settings.game == OWN else game_named(settings.game)


def own_game(rules: str) -> LimitPoker:
    """Limit poker from rules written as JSON."""
    try:
        wanted = json.loads(rules)
        return LimitPoker(**{"name": "your own limit poker", **wanted})
    except (TypeError, json.JSONDecodeError, ValueError) as problem:
        if isinstance(problem, SolverlabError):
            raise
        raise BadValue(f"these rules cannot be read ({problem}); use the form to write them") from None


def schedule_of(settings: SolveSettings) -> Schedule:
    """The chosen row of the CFR family, or the visitor's own."""
    if settings.schedule != CUSTOM:
        return SCHEDULES[settings.schedule]
    return custom_schedule(settings.exponents or KEEP_ALL)


def custom_schedule(exponents: str) -> Schedule:
    """A row of your own from its exponents, and what else it says; `exponents_of` writes it.

    >>> custom_schedule("1.5, -inf, 2").negative
    -inf
    >>> custom_schedule("1.5, 0, 3, restart 4, unweighted").restart
    4
    """
    words = [word.strip() for word in exponents.split(",")]
    numbers, more = words[:3], words[3:]
    try:
        positive, negative, average = (float(word) for word in numbers)
        restart = [int(word.split()[1]) for word in more if re.fullmatch(r"restart \d{1,9}", word)]
        flags = [word for word in more if word in ("predictive", "unweighted")]
        if len(restart) + len(flags) != len(more) or len(restart) > 1:
            raise ValueError(more)
    except ValueError:
        raise BadValue(
            f"the exponents {told(exponents)} are not three numbers; write three, such as 1.5,0,2, and then "
            "perhaps predictive, restart 4 or unweighted"
        ) from None
    return Schedule(
        "own row", positive, negative, average, "predictive" in flags, sum(restart), "unweighted" not in flags
    )


def exponents_of(schedule: Schedule) -> str:
    """A row as the page writes it; `custom_schedule` reads it.

    >>> exponents_of(SCHEDULES["PCFR+"]), exponents_of(SCHEDULES["DCFR-R"])
    ('inf,-inf,2,predictive', '1.5,0,3,restart 4,unweighted')
    """
    exponents = (schedule.positive, schedule.negative, schedule.average)
    words = [f"{x:g}" if float(f"{x:g}") == x else repr(x) for x in exponents]
    words += ["predictive"] * schedule.predictive
    words += [f"restart {schedule.restart}"] if schedule.restart else []
    return ",".join(words + ["unweighted"] * (not schedule.weighted))


def solver_maker(settings: SolveSettings, game: Game) -> Callable[[], CFR | MCCFR]:
    """A function that makes the chosen solver anew."""
    schedule = schedule_of(settings)
    if settings.sampling == FULL_WIDTH:
        return lambda: CFR(game, schedule, alternating=settings.updates == "alternating")
    return lambda: MCCFR(game, schedule, settings.sampling, settings.seed)


def check_fits(settings: SolveSettings, game: Game, memory_cap: int) -> None:
    """Refuse a solver that a session has no room for, before any of it is taken."""
    solver = CFR if settings.sampling == FULL_WIDTH else MCCFR
    check_room(solver.bytes_needed(game), memory_cap)


def until_of(settings: SolveSettings, game: Game) -> Until:
    """When playing should pause by itself."""
    until = Until()
    if settings.limit is not None:
        until |= iterations(settings.limit)
    if settings.target is not None:
        until |= below(distances(game)[0], settings.target)
    return until
