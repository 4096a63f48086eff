"""The microscope on the page: one update of one infoset, step by step, with the numbers written out."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import numpy as np

from solverlab.core.errors import TooLarge
from solverlab.core.names import Names
from solverlab.solvers import CFR, MCCFR, Schedule
from solverlab.solvers.tables import match
from solverlab.ui.numbers import number, signed
from solverlab.ui.tokens import css
from solverlab.views.microscope import Update, update_of
from solverlab.views.theme import action_shades

MOST_CELLS = 2_000_000  # nodes times hands that are copied for one look

TITLE = "Microscope"
PAUSE_TO_LOOK = (
    f"<h2>{TITLE}</h2>"
    "<p class='quiet'>The solver is running. <b>Pause</b> to look at one update with its numbers.</p>"
)
GO_LIVE = (
    f"<h2>{TITLE}</h2>"
    "<p class='quiet'>You are looking at the past. Go <b>back to live</b> to see the next update.</p>"
)


def looker(solver: CFR | MCCFR, node: int, hand: int) -> Callable[[], str]:
    """A function that computes the next update of an infoset as HTML; it may run in a thread of its own.

    The solver's tables are copied here and now, so the solver may go on meanwhile and does not move.
    """
    game, names = solver.game, solver.game.names
    if names.tree.player[node] < 0:
        return lambda: (
            "<p class='quiet'>Nobody decides here. Choose a node with a player's number in the tree.</p>"
        )
    if hand_blocked(names, node, hand):
        return lambda: _told(f"{names.hands[hand]} lies on the board here; choose another hand.")
    if len(names.tree.parent) * len(names.hands) > MOST_CELLS:
        raise TooLarge(f"{game.name} is too large for the microscope; choose a smaller game")
    state, t, told = solver.state(), solver.iteration, _sampling_words(solver)
    alternating = getattr(solver, "alternating", True)

    def look() -> str:
        twin = CFR(game, solver.schedule, alternating, solver.tie)
        _adopt(twin, state)
        update = update_of(twin.phases(), names, twin.tie, node, hand)
        return update_html(update, twin.schedule, t, twin.tie.tied, told)

    return look


def _told(sentence: str) -> str:
    return f"<h2>{TITLE}</h2><p class='quiet'>{escape(sentence)}</p>"


def _adopt(twin: CFR, state: dict[str, np.ndarray]) -> None:
    """Give a full-width solver the tables of any solver; a sampled one calls its last gains `last`."""
    for name in ("regret", "total", "gain"):
        theirs = state[name] if name in state else state["last"]
        getattr(twin.tables, name)[...] = np.reshape(theirs, twin.tie.shape)
    twin.iteration = int(state["clock"][0])
    if "sigma" in state:
        twin.tables.sigma[...] = state["sigma"]
    else:
        for player in range(twin.game.n_players):
            match(twin.tie, player, float(twin.schedule.predictive), twin.tables, twin.work.norm)
    twin._refresh_all()


def _sampling_words(solver: CFR | MCCFR) -> str:
    if isinstance(solver, CFR):
        return ""
    name = escape(solver.sampling.name.capitalize())
    return f"<p class='quiet'>{name} sampling learns from random walks; this is the full-width update.</p>"


def hand_blocked(names: Names, node: int, hand: int) -> bool:
    """Whether a hand's card lies on the board of a node.

    >>> import solverlab as sl
    >>> names = sl.Leduc().names
    >>> hand_blocked(names, names.node("check/check/Qs"), names.hand("Qs"))
    True
    """
    held = names.hands[hand]
    return bool(held) and held in names.path(node).split("/")


def update_html(update: Update, schedule: Schedule, t: int, tied: bool = False, told: str = "") -> str:
    """A table: a row a step of the update, a column an action; `told` stands above it."""
    columns = update.columns
    rows = [
        _row("plays now", "current strategy", [number(x) for x in columns["strategy"]]),
        _row("worth", "value × the others’ reach", _worth(update)),
        _row("gain", _gain_words(update, tied), [signed(x) for x in columns["gain"]]),
        _row("regret", kept_words(schedule, t), _regrets(update, schedule, t)),
        _row("plays next", _matching_words(schedule), _matching(update, schedule)),
    ]
    heads = "".join(
        f"<th style='color:{css(shade.line)}'>{escape(name)}</th>"
        for name, shade in zip(update.actions, action_shades(update.actions), strict=True)
    )
    hand = f" with <b>{escape(update.hand)}</b>" if update.hand else ""
    where = escape(update.node.replace("/", " › ")) or "the start"
    return (
        f"<h2>{TITLE} <small title='own reach is the weight of this mix in the average'>iteration {t + 1:,}: "
        f"<b>{escape(update.player)}</b> at <b>{where}</b>{hand}, own reach {number(update.own_reach)}"
        f"</small></h2>{told}"
        f"<table class='microscope'><thead><tr><th></th>{heads}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _row(title: str, words: str, cells: list[str]) -> str:
    numbered = {"worth": "1", "gain": "2", "regret": "3", "plays next": "4"}.get(title, "")
    mark = f"<i>{numbered}</i>" if numbered else ""
    body = "".join(f"<td>{cell}</td>" for cell in cells)
    return f"<tr><th>{mark}{title}<small>{words}</small></th>{body}</tr>"


def _worth(update: Update) -> list[str]:
    return [signed(x) for x in update.columns["value"]]


def _gain_words(update: Update, tied: bool) -> str:
    if tied:
        return "worth − mix, summed over all that looks alike"
    return f"worth − worth of the mix {signed(update.value)}"


def kept_words(schedule: Schedule, t: int) -> str:
    """How much of the old regret a schedule keeps, in words.

    >>> kept_words(Schedule("CFR"), 5)
    'old + gain'
    """
    rates = schedule.rates(t)
    if rates.positive == rates.negative == 1.0:
        return "old + gain"
    kept = f"{_share(rates.positive)} of positive, {_share(rates.negative)} of negative"
    return f"old (kept: {kept}) + gain"


def _share(kept: float) -> str:
    return "all" if kept == 1.0 else "nothing" if kept == 0.0 else f"{kept:.4g}"


def _regrets(update: Update, schedule: Schedule, t: int) -> list[str]:
    rates, cells = schedule.rates(t), []
    trio = (update.columns[name] for name in ("regret before", "gain", "regret after"))
    for old, gain, new in zip(*trio, strict=True):
        kept = rates.positive if old > 0 else rates.negative
        factor = "" if kept == 1.0 or old == 0 else f"{kept:.4g} × "
        sign = "−" if gain < 0 else "+"
        cells.append(
            f"{factor}{signed(old, plus=False)}<br>{sign} {number(abs(gain))}<br>= <b>{signed(new)}</b>"
        )
    return cells


def _matching_words(schedule: Schedule) -> str:
    if schedule.predictive:
        return "positive (regret + gain again) ÷ sum"
    return "positive regret ÷ sum of positives"


def _matching(update: Update, schedule: Schedule) -> list[str]:
    after, gain, after_match = (update.columns[name] for name in ("regret after", "gain", "next strategy"))
    positive = np.maximum(after + (gain if schedule.predictive else 0.0), 0.0)
    if positive.sum() <= 0:
        return [f"none positive<br>= <b>{number(x)}</b>" for x in after_match]
    return [
        f"{number(part)} ÷ {number(positive.sum())}<br>= <b>{number(x)}</b>"
        for part, x in zip(positive, after_match, strict=True)
    ]
