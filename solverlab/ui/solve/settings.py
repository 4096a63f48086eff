"""What a visitor chose, as plain values: it builds the game and the solver, and travels in the address bar.

A link must never break a page: a value that cannot be used becomes one sentence and the default.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any
from urllib.parse import urlencode

from solverlab.core.errors import BadValue, SolverlabError, UnknownName
from solverlab.core.game import Game
from solverlab.games import LimitPoker, game_named
from solverlab.games.catalogue import GAMES
from solverlab.run import Until, below, distances, iterations
from solverlab.solvers import CFR, MCCFR, SAMPLINGS, SCHEDULES, Schedule
from solverlab.views.theme import CLOCKS

OWN, CUSTOM, FULL_WIDTH = "own", "custom", "none"
SPEEDS: dict[str, int | None] = {"1": 1, "10": 10, "100": 100, "max": None}
UPDATES = ("alternating", "simultaneous")
SHOWN = ("average", "current")
LARGEST_SEED = 2**31 - 1
LONGEST_RUN = 100_000  # iterations that a link may ask for


@dataclass(frozen=True)
class Settings:
    """Everything a link restores; the field names are the words in the address.

    >>> Settings.from_query({"game": "kuhn", "schedule": "DCFR", "to": "50"})[0].query()
    'game=kuhn&schedule=DCFR&to=50'
    """

    game: str = "leduc"
    own: str = ""  # rules of your own limit poker, as JSON
    schedule: str = "CFR+"
    exponents: str = ""  # of a custom schedule: positive,negative,average[,predictive]
    sampling: str = FULL_WIDTH
    updates: str = "alternating"
    seed: int = 0
    node: str = ""
    hand: str = ""
    show: str = "average"
    clock: str = "iteration"
    speed: str = "max"
    target: float | None = None
    limit: int | None = None
    to: int = 0  # the iteration to run to

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> tuple[Settings, list[str]]:
        """Settings from the words of an address, and one sentence for each that could not be used."""
        chosen, complaints = {}, []
        for field in fields(cls):
            if field.name in query:
                try:
                    chosen[field.name] = _READERS[field.name](query[field.name])
                except SolverlabError as problem:
                    complaints.append(f"The link's {field.name} was left out: {problem}.")
        settings = cls(**chosen)
        for check in (_check_own, _check_exponents):
            settings, complaint = check(settings)
            complaints += complaint
        return settings, complaints

    def query(self) -> str:
        """The words of a link: only what differs from the defaults, and always the game and the schedule."""
        words = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if value != field.default or field.name in ("game", "schedule"):
                words[field.name] = f"{value:g}" if isinstance(value, float) else str(value)
        return urlencode(words)

    def solves_like(self, other: Settings) -> bool:
        """Whether both describe the same run, however it is looked at."""
        names = ("game", "own", "schedule", "exponents", "sampling", "updates", "seed")
        return all(getattr(self, name) == getattr(other, name) for name in names)

    @property
    def run_name(self) -> str:
        """A short name for a legend."""
        name = "own row" if self.schedule == CUSTOM else self.schedule
        if self.sampling != FULL_WIDTH:
            return f"{name}, {self.sampling} sampling, seed {self.seed}"
        return name if self.updates == "alternating" else f"{name}, simultaneous"


def game_of(settings: Settings) -> Game:
    """The chosen game; your own limit poker is built from its rules."""
    if settings.game != OWN:
        return game_named(settings.game)
    return own_game(settings.own)


def own_game(rules: str) -> LimitPoker:
    """Limit poker from rules written as JSON."""
    try:
        wanted = json.loads(rules)
        return LimitPoker(**{"name": "your own limit poker", **wanted})
    except (TypeError, json.JSONDecodeError, ValueError) as problem:
        if isinstance(problem, SolverlabError):
            raise
        raise BadValue(f"these rules cannot be read ({problem}); use the form to write them") from None


def schedule_of(settings: Settings) -> Schedule:
    """The chosen row of the CFR family, or the visitor's own."""
    if settings.schedule != CUSTOM:
        return SCHEDULES[settings.schedule]
    return custom_schedule(settings.exponents or "inf,inf,0")


def custom_schedule(exponents: str) -> Schedule:
    """A row of your own from its exponents.

    >>> custom_schedule("1.5, -inf, 2").negative
    -inf
    """
    words = [word.strip() for word in exponents.split(",")]
    predictive = words[-1] == "predictive"
    try:
        positive, negative, average = (float(word) for word in words[: 3 if predictive else None])
    except ValueError:
        raise BadValue(
            f"the exponents {exponents!r} are not three numbers; write three, such as 1.5,0,2"
        ) from None
    return Schedule("own row", positive, negative, average, predictive)


def solver_maker(settings: Settings, game: Game) -> Callable[[], CFR | MCCFR]:
    """A function that makes the chosen solver anew."""
    schedule = schedule_of(settings)
    if settings.sampling == FULL_WIDTH:
        return lambda: CFR(game, schedule, alternating=settings.updates == "alternating")
    return lambda: MCCFR(game, schedule, settings.sampling, settings.seed)


def until_of(settings: Settings, game: Game) -> Until:
    """When playing should pause by itself."""
    until = Until()
    if settings.limit is not None:
        until |= iterations(settings.limit)
    if settings.target is not None:
        until |= below(distances(game)[0], settings.target)
    return until


# ---- reading the words of a link -------------------------------------------------------------------


def _one_of(kind: str, known: Any) -> Callable[[str], str]:
    def read(word: str) -> str:
        if word not in known:
            raise UnknownName(kind, word, known)
        return word

    return read


def _whole(label: str, least: int, most: int) -> Callable[[str], int]:
    def read(word: str) -> int:
        if not word.isascii() or not word.strip().isdigit() or not least <= int(word[:18]) <= most:
            raise BadValue(f"{label} is {word[:30]!r}; give a whole number from {least:,} to {most:,}")
        return int(word)

    return read


def read_target(word: str) -> float:
    """A distance to stop at.

    >>> read_target("1e-3")
    0.001
    """
    try:
        value = float(word)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value > 0):
        raise BadValue(f"the target is {word[:30]!r}; give a number above 0, such as 0.001")
    return value


def _text(word: str) -> str:
    return word[:4000]


def _check_own(settings: Settings) -> tuple[Settings, list[str]]:
    """Rules of a shared game are checked when it is built; here only that there are any."""
    if settings.game == OWN and not settings.own:
        told = "The link names a game of your own but not its rules, so the usual game is shown."
        return replace(settings, game=Settings.game), [told]
    return settings, []


def _check_exponents(settings: Settings) -> tuple[Settings, list[str]]:
    try:
        schedule_of(settings)
    except SolverlabError as problem:
        clean = replace(settings, schedule=Settings.schedule, exponents="")
        return clean, [f"The link's exponents were left out: {problem}."]
    return settings, []


_READERS: dict[str, Callable[[str], Any]] = {
    "game": _one_of("game", [*GAMES, OWN]),
    "own": _text,
    "schedule": _one_of("schedule", [*SCHEDULES, CUSTOM]),
    "exponents": _text,
    "sampling": _one_of("sampling", [FULL_WIDTH, *SAMPLINGS]),
    "updates": _one_of("order of updates", UPDATES),
    "seed": _whole("the seed", 0, LARGEST_SEED),
    "node": _text,
    "hand": _text,
    "show": _one_of("strategy", SHOWN),
    "clock": _one_of("clock", CLOCKS),
    "speed": _one_of("speed", SPEEDS),
    "target": read_target,
    "limit": _whole("the limit of iterations", 1, 10**9),
    "to": _whole("the iteration to run to", 0, LONGEST_RUN),
}
