"""The controls of the Solve page: widgets with their help, and the settings they stand for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import panel as pn

from solverlab.core.errors import BadValue, SolverlabError
from solverlab.games.catalogue import GAMES
from solverlab.solvers import SAMPLINGS, SCHEDULES
from solverlab.ui.buttons import LEFT, RunButtons
from solverlab.ui.look import INLINE
from solverlab.ui.notice import sentence
from solverlab.ui.solve.settings import (
    CUSTOM,
    FULL_WIDTH,
    LARGEST_SEED,
    OWN,
    UPDATES,
    Settings,
    custom_schedule,
    read_target,
)
from solverlab.views.theme import CLOCKS

TITLES = {
    "kuhn": "Kuhn poker",
    "leduc": "Leduc hold'em",
    "kuhn-3": "Kuhn poker, three players",
    "matching-pennies": "matching pennies",
    "rock-paper-scissors": "rock-paper-scissors",
    "push-fold": "push or fold, 10 big blinds",
}
# A game that joins the catalogue joins the menu, at worst under its short name.
GAME_NAMES = {**{TITLES.get(name, name): name for name in GAMES}, "your own limit poker ...": OWN}
SCHEDULE_NAMES = {**{name: name for name in SCHEDULES}, "your own exponents ...": CUSTOM}
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


class Controls:
    """Everything on the left: what to solve, how fast, when to stop."""

    def __init__(self, settings: Settings):
        self._make_what_is_solved()
        self._make_how_it_runs()
        self.buttons = RunButtons()
        self.show(settings)

    def _make_what_is_solved(self) -> None:
        self.game = pn.widgets.Select(
            label="Game",
            options=GAME_NAMES,
            description="What is solved. Choosing another game starts over.",
            **LEFT,
        )
        self.schedule = pn.widgets.Select(
            label="Schedule",
            options=SCHEDULE_NAMES,
            description="The member of the CFR family: how it forgets old regret and weighs the average.",
            **LEFT,
        )
        self.exponents = pn.widgets.TextInput(
            label="Exponents",
            placeholder="positive, negative, average",
            description="Of positive regret, negative regret and the average: 1.5,0,2 is DCFR. "
            "inf keeps all, -inf nothing; add ,predictive for a predictive row. Press Enter.",
            **LEFT,
        )
        self.sampling = pn.widgets.Select(
            label="Sampling",
            options=SAMPLING_NAMES,
            description="Full width sweeps the whole tree. Sampling learns from random walks instead: "
            "cheaper iterations, noisier steps.",
            **LEFT,
        )
        self._make_how_it_draws()

    def _make_how_it_draws(self) -> None:
        self.updates = pn.widgets.Select(
            label="Updates",
            options=list(UPDATES),
            description="Alternating: players learn one after the other. Simultaneous: from the same sweep.",
            **LEFT,
        )
        self.seed = pn.widgets.IntInput(
            label="Seed",
            start=0,
            end=LARGEST_SEED,
            description="The same seed draws the same walks (sampling only).",
            **(LEFT | {"width": 90, "sizing_mode": None}),
        )

    def _make_how_it_runs(self) -> None:
        self.speed = pn.widgets.Select(
            label="Speed",
            options=SPEED_NAMES,
            description="Iterations between two pictures while running.",
            **LEFT,
        )
        self.target = pn.widgets.TextInput(
            label="Pause below",
            placeholder="e.g. 0.001",
            description="Running pauses by itself when the average is this close to equilibrium.",
            **LEFT,
        )
        self.limit = pn.widgets.TextInput(
            label="Pause after",
            placeholder="e.g. 1000",
            description="Running pauses by itself after this many iterations in all. Empty: never.",
            **LEFT,
        )
        self.clock = pn.widgets.Select(
            label="By",
            options=CLOCK_NAMES,
            width=192,
            stylesheets=[INLINE],
            margin=(0, 5),
            description="The horizontal axis: iterations, nodes touched (fair to all) or seconds (key X).",
        )

    def layout(self) -> pn.Column:
        row = {"sizing_mode": "stretch_width", "margin": 0}
        return pn.Column(
            self.game,
            self.schedule,
            self.exponents,
            self.sampling,
            pn.Row(self.updates, self.seed, **row),
            self.buttons.layout(),
            self.speed,
            pn.Row(self.target, self.limit, **row),
            sizing_mode="stretch_width",
        )

    def show(self, settings: Settings) -> None:
        """Set every widget to what was chosen elsewhere, such as in a link."""
        for name in ("game", "schedule", "exponents", "sampling", "updates", "seed", "speed", "clock"):
            getattr(self, name).value = getattr(settings, name)
        self.target.value = "" if settings.target is None else f"{settings.target:g}"
        self.limit.value = "" if settings.limit is None else str(settings.limit)
        self.show_needed()

    def show_needed(self) -> None:
        """Only the fields that matter for what is chosen."""
        sampled = self.sampling.value != FULL_WIDTH
        self.exponents.visible = self.schedule.value == CUSTOM
        self.seed.visible, self.updates.visible = sampled, not sampled

    def solving(self, settings: Settings) -> Settings:
        """The settings with what decides the run read off the widgets."""
        if self.schedule.value == CUSTOM:
            custom_schedule(self.exponents.value or "inf,inf,0")
        return replace(
            settings,
            game=self.game.value,
            schedule=self.schedule.value,
            exponents=self.exponents.value if self.schedule.value == CUSTOM else "",
            sampling=self.sampling.value,
            updates=self.updates.value,
            seed=self.seed.value or 0,
        )

    def running(self, settings: Settings, complain: Callable[[str], None]) -> Settings:
        """The settings with speed, target and limit; a bad entry is told and emptied."""
        target = self._read(self.target, read_target, complain)
        limit = self._read(self.limit, read_limit, complain)
        return replace(settings, speed=self.speed.value, target=target, limit=limit, clock=self.clock.value)

    def _read(self, field: pn.widgets.TextInput, read: Callable, complain: Callable[[str], None]):
        if not field.value.strip():
            return None
        try:
            return read(field.value)
        except SolverlabError as problem:
            field.value = ""
            complain(sentence(problem))
            return None


def read_limit(word: str) -> int:
    """A number of iterations to stop at, with or without separators.

    >>> read_limit("10,000")
    10000
    """
    clean = word.strip().replace(",", "").replace(" ", "").replace("_", "")
    if not (clean.isascii() and clean.isdigit()) or not 1 <= int(clean[:15]) <= 10**9:
        raise BadValue(
            f"the limit is {word[:30]!r}; give a whole number of iterations from 1 to 1,000,000,000"
        )
    return int(clean)
