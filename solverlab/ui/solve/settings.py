"""The settings of the Solve page: what is solved, how, how fast, and what is looked at."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from solverlab.core.errors import LONGEST_TOLD, BadValue, SolverlabError
from solverlab.games.catalogue import GAMES
from solverlab.solvers import SAMPLINGS, SCHEDULES
from solverlab.ui.look import INLINE
from solverlab.ui.menus import SCHEDULE_MENU, game_menu
from solverlab.ui.settings import Settings, one_of, setting, text, whole
from solverlab.ui.solve.build import CUSTOM, FULL_WIDTH, OWN, schedule_of
from solverlab.views.theme import CLOCKS

SPEEDS: dict[str, int | None] = {"1": 1, "10": 10, "100": 100, "max": None}
UPDATES = ("alternating", "simultaneous")
SHOWN = ("average", "current")
LARGEST_SEED = 2**31 - 1
LONGEST_RUN = 100_000  # iterations that a link may ask for

SAMPLING_NAMES = {
    "none: full width": FULL_WIDTH,
    **{f"{name} sampling" if name != "full" else "walks without drawing": name for name in SAMPLINGS},
}
SPEED_NAMES = {
    "1 iteration a frame": "1",
    "10 iterations a frame": "10",
    "100 iterations a frame": "100",
    "as fast as possible": "max",
}
CLOCK_NAMES = {words: name for name, words in CLOCKS.items()}
SOLVED_BY = ("game", "own", "schedule", "exponents", "sampling", "updates", "seed")
NARROW = {"width": 90, "sizing_mode": None}
ON_THE_PLOT = {"width": 180, "sizing_mode": None, "stylesheets": [INLINE], "margin": (0, 5)}


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
        raise BadValue(f"the target is {word[:LONGEST_TOLD]!r}; give a number above 0, such as 0.001")
    return value


@dataclass(frozen=True)
class SolveSettings(Settings):
    """Everything a link restores; the field names are the words in the address.

    >>> SolveSettings.from_query({"game": "kuhn", "schedule": "DCFR", "to": "50"})[0].query()
    'game=kuhn&schedule=DCFR&to=50'
    """

    game: str = setting(
        "leduc", one_of("game", [*GAMES, OWN]), "Game", "What is solved. Choosing another game starts over.",
        options=lambda now: {**game_menu(), "your own limit poker ...": OWN}, always=True,
    )  # fmt: skip
    own: str = setting("", text())  # rules of your own limit poker, as JSON
    schedule: str = setting(
        "CFR+", one_of("schedule", [*SCHEDULES, CUSTOM]), "Schedule",
        "The member of the CFR family: how it forgets old regret and weighs the average.",
        options={**SCHEDULE_MENU, "your own exponents ...": CUSTOM}, always=True,
    )  # fmt: skip
    exponents: str = setting(  # of a custom schedule: positive,negative,average[,predictive]
        "", text(), "Exponents",
        "Of positive regret, negative regret and the average: 1.5,0,2 is DCFR. inf keeps all, -inf nothing; "
        "add ,predictive or ,restart 4 or ,unweighted for such a row. Press Enter.",
        look={"placeholder": "positive, negative, average"}, shown=lambda now: now.schedule == CUSTOM,
    )  # fmt: skip
    sampling: str = setting(
        FULL_WIDTH, one_of("sampling", [FULL_WIDTH, *SAMPLINGS]), "Sampling",
        "Full width sweeps the whole tree. Sampling learns from random walks instead: cheaper iterations, "
        "noisier steps.", options=SAMPLING_NAMES,
    )  # fmt: skip
    updates: str = setting(
        "alternating", one_of("order of updates", UPDATES), "Updates",
        "Alternating: players learn one after the other. Simultaneous: from the same sweep.",
        options={name: name for name in UPDATES}, shown=lambda now: now.sampling == FULL_WIDTH,
    )  # fmt: skip
    seed: int = setting(
        0, whole("the seed", 0, LARGEST_SEED), "Seed", "The same seed draws the same walks (sampling only).",
        bounds=(0, LARGEST_SEED), look=NARROW, shown=lambda now: now.sampling != FULL_WIDTH,
    )  # fmt: skip
    node: str = setting("", text())
    hand: str = setting("", text())
    show: str = setting("average", one_of("strategy", SHOWN))
    clock: str = setting(
        "iteration", one_of("clock", CLOCKS), "By",
        "The horizontal axis: iterations, nodes touched (fair to all) or seconds (key X).",
        options=CLOCK_NAMES, look=ON_THE_PLOT,
    )  # fmt: skip
    speed: str = setting(
        "max", one_of("speed", SPEEDS), "Speed", "Iterations between two pictures while running.",
        options=SPEED_NAMES,
    )  # fmt: skip
    target: float | None = setting(
        None, read_target, "Pause below",
        "Running pauses by itself when the average is this close to equilibrium.",
        look={"placeholder": "e.g. 0.001"},
    )  # fmt: skip
    limit: int | None = setting(
        None, whole("the limit of iterations", 1, 10**9), "Pause after",
        "Running pauses by itself after this many iterations in all. Empty: never.",
        look={"placeholder": "e.g. 1000"},
    )  # fmt: skip
    to: int = setting(0, whole("the iteration to run to", 0, LONGEST_RUN))

    def typed(self, name: str, value: object) -> SolveSettings:
        """People write 10,000 or 10 000 into the box of the limit."""
        if name == "limit":
            value = str(value).replace(",", "").replace(" ", "").replace("_", "")
        return super().typed(name, value)

    def follow(self, name: str) -> SolveSettings:
        """Another run begins at its beginning, another game at its root."""
        if name not in SOLVED_BY:
            return self
        begun = replace(self, to=0)
        return replace(begun, node="", hand="") if name in ("game", "own") else begun

    def checked(self) -> tuple[SolveSettings, list[str]]:
        """Rules of a shared game are checked when it is built; here only that there are any."""
        chosen, complaints = self, []
        if self.game == OWN and not self.own:
            complaints = ["The link names a game of your own but not its rules, so the usual game is shown."]
            chosen = replace(self, game=SolveSettings.game)
        try:
            schedule_of(chosen)
        except SolverlabError as problem:
            complaints.append(f"The link's exponents were left out: {problem}.")
            chosen = replace(chosen, schedule=SolveSettings.schedule, exponents="")
        return chosen, complaints

    def solves_like(self, other: SolveSettings) -> bool:
        """Whether both describe the same run, however it is looked at."""
        return all(getattr(self, name) == getattr(other, name) for name in SOLVED_BY)

    @property
    def run_name(self) -> str:
        """A short name for a legend."""
        name = "own row" if self.schedule == CUSTOM else self.schedule
        if self.sampling != FULL_WIDTH:
            return f"{name}, {self.sampling} sampling, seed {self.seed}"
        return name if self.updates == "alternating" else f"{name}, simultaneous"
