"""What the controls should say about a run that was opened from disk."""

from __future__ import annotations

import json
from dataclasses import replace

from solverlab.core.errors import BadValue
from solverlab.games import LimitPoker
from solverlab.games.catalogue import GAMES
from solverlab.solvers import CFR, MCCFR, SAMPLINGS, SCHEDULES
from solverlab.store import SavedRun
from solverlab.ui.solve.build import CUSTOM, FULL_WIDTH, OWN, exponents_of
from solverlab.ui.solve.settings import SolveSettings


def settings_of(saved: SavedRun, settings: SolveSettings) -> SolveSettings:
    """The settings that describe a saved run, looked at as before."""
    solver = saved.solver()
    if not isinstance(solver, CFR | MCCFR):
        raise BadValue(
            f"run {saved.name!r} is of a {type(solver).__name__}, which this page does not offer; "
            "open it in Python"
        )
    game, own = _game_words(saved)
    sampled = isinstance(solver, MCCFR)
    if sampled and solver.sampling not in SAMPLINGS.values():
        raise BadValue(f"run {saved.name!r} was sampled in a way this page does not offer; open it in Python")
    known = solver.schedule in SCHEDULES.values()
    return replace(
        settings,
        game=game,
        own=own,
        schedule=solver.schedule.name if known else CUSTOM,
        exponents="" if known else exponents_of(solver.schedule),
        sampling=solver.sampling.name if sampled else FULL_WIDTH,
        updates="alternating" if getattr(solver, "alternating", True) else "simultaneous",
        seed=(solver.seed or 0) if sampled else 0,
        node="",
        hand="",
        to=0,
    )


def _game_words(saved: SavedRun) -> tuple[str, str]:
    """The game's name in the menu, or the rules of a limit poker of somebody's own."""
    config = saved.game.config()
    for name, make in GAMES.items():
        if make().config() == config:
            return name, ""
    if not isinstance(saved.game, LimitPoker):
        raise BadValue(f"run {saved.name!r} is of {saved.game.name!r}, which this page does not offer")
    return OWN, json.dumps({name: value for name, value in config.items() if name != "game"})
