"""The button's value at many stacks and where it crosses zero, solved beside the page and kept in memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from threading import Lock

import numpy as np

from solverlab.cards.table_cache import BuildCancelled
from solverlab.core.game import TabulatedGame
from solverlab.core.rows import Metrics, Row
from solverlab.run import below, iterations, run
from solverlab.run.lowball_real import crossing, value_interval
from solverlab.solvers import CFR
from solverlab.solvers.draw.cfr import DrawCFR
from solverlab.solvers.draw.full_width import full_width
from solverlab.studies.lowball import MOST_ROWS_FOR_THE_REFEREE, solve_lowball
from solverlab.ui.gate import SHARED_GATE
from solverlab.ui.lowball.rung import exact_game, whole_game
from solverlab.ui.lowball.settings import LowballSettings
from solverlab.ui.lowball.whole_runner import REAL_SEATS, take_real_seat

STACKS = tuple(np.arange(1.5, 10.5, 0.5).tolist())
WHOLE_STACKS = (1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
TARGET, MOST = 2e-5, 20_000  # exact exploitability and iterations of a point of the curve
ROOT_TARGET = 1e-3  # big blinds between which the root lies
WHOLE_STEPS, WHOLE_DEALS = 25, 400_000

Report = Callable[[float, str], None]
Cancel = Callable[[], bool]


@dataclass(frozen=True)
class Curve:
    """One rung over all stacks: rows of stack, value and how exactly it is known; then the root."""

    choice: LowballSettings
    rows: tuple[Row, ...] = ()
    root: float | None = None
    interval: tuple[float, float] | None = None
    done: bool = False
    extra: tuple[Row, ...] = field(default=())  # what finding the root solved besides

    @property
    def root_words(self) -> str:
        """The root as a number, with its interval where it is not exact to the last digit shown."""
        if self.root is None:
            return ""
        if self.interval is None:
            return f"{self.root:.3f}"
        return f"{self.root:.2f} ({self.interval[0]:.2f} to {self.interval[1]:.2f})"

    @property
    def label(self) -> str:
        if self.root is not None:
            return f"{self.choice.name}: {self.root_words}"
        return f"{self.choice.name}{'' if not self.done else ': no crossing'}"

    def columns(self) -> dict[str, list]:
        """Points of the plot, with error bars."""
        rows = sorted((*self.rows, *self.extra), key=lambda row: row["stack"])
        return {
            "stack": [row["stack"] for row in rows],
            "value": [row["value"] for row in rows],
            "low": [row["low"] for row in rows],
            "high": [row["high"] for row in rows],
            "told": [row["known"] for row in rows],
        }

    def table(self) -> list[Row]:
        """Rows of a CSV: every stack that was solved."""
        rows = sorted((*self.rows, *self.extra), key=lambda row: row["stack"])
        return [{"rung": self.choice.name, **row, "root": self.root} for row in rows]


_known: dict[tuple, Curve] = {}
_lock = Lock()


def known_curve(choice: LowballSettings) -> Curve | None:
    """A curve that is there already."""
    return _known.get(choice.rung)


def stacks_of(choice: LowballSettings) -> tuple[float, ...]:
    """The stacks of a curve: a raise to 2 needs more than 2."""
    every = STACKS if choice.exact else WHOLE_STACKS
    return tuple(stack for stack in every if stack > 2 or choice.betting not in ("raise", "all"))


def solved_curve(
    choice: LowballSettings,
    report: Report,
    cancel: Cancel,
    tell: Callable[[Curve], None] = lambda curve: None,
) -> Curve:
    """The curve of a rung, point by point: `tell` hears of each; cancelling keeps nothing."""
    found = known_curve(choice)
    if found is not None:
        return found
    made = _exact_curve if choice.exact else _whole_curve
    curve = made(choice, report, cancel, tell)
    with _lock:
        _known[choice.rung] = curve
    return curve


# ---- exact rungs -------------------------------------------------------------------------------------


def _exact_curve(
    choice: LowballSettings, report: Report, cancel: Cancel, tell: Callable[[Curve], None]
) -> Curve:
    curve, stacks = Curve(choice), stacks_of(choice)
    for number, stack in enumerate(stacks):
        report(number / (len(stacks) + 3), f"{choice.name}: {stack:g} big blinds")
        curve = replace(curve, rows=(*curve.rows, _point(choice, stack, cancel)))
        tell(curve)
    report(len(stacks) / (len(stacks) + 3), f"{choice.name}: looking for the root")
    return _with_root(curve, cancel)


def _point(choice: LowballSettings, stack: float, cancel: Cancel) -> Row:
    """One stack, solved to its target; the exploitability is exact whoever solved it."""
    game = exact_game(choice, stack)
    if cancel():
        raise BuildCancelled(f"the curve of {choice.name} was cancelled; add it again to go on")
    if isinstance(game, TabulatedGame) and np.prod(game.tie.shape) <= MOST_ROWS_FOR_THE_REFEREE // 3:
        with SHARED_GATE.turn():
            solved = solve_lowball(game)
        return _row(stack, solved.value, solved.exploitability, solved.method)
    moments = run(CFR(game, "PCFR+"), until=below("exploitability", TARGET) | iterations(MOST))
    snap = None
    while True:
        if cancel():
            raise BuildCancelled(f"the curve of {choice.name} was cancelled; add it again to go on")
        with SHARED_GATE.turn():
            moment = next(moments, None)
        if moment is None:
            return _row(stack, snap.value, snap.exploitability, "PCFR+")
        snap = moment


def _row(stack: float, value: float, gap: float, method: str) -> Row:
    """The value of a game lies within both players' gains of the value of any of its policies."""
    slack = 2 * max(gap, 0.0)
    known = f"to {slack:.1g} big blinds" if slack > 1e-9 else "exactly"
    return {
        "stack": stack,
        "value": value,
        "low": value - slack,
        "high": value + slack,
        "exploitability": gap,
        "method": method,
        "known": known,
    }


def _with_root(curve: Curve, cancel: Cancel) -> Curve:
    """Close in on the stack where the value falls through zero: half-way or by the chord, in turn."""
    rows = list(curve.rows)
    ends = next(((a, b) for a, b in zip(rows, rows[1:], strict=False) if a["value"] > 0 >= b["value"]), None)
    if ends is None:
        return replace(curve, done=True)
    (left, right), extra = ends, []
    while right["stack"] - left["stack"] > ROOT_TARGET and len(extra) < 14:
        chord = _zero(left, right)
        width = right["stack"] - left["stack"]
        guess = chord + (-1, 1)[len(extra) % 2] * min(0.3 * ROOT_TARGET, 0.2 * width)
        guess = min(max(guess, left["stack"] + 0.02 * width), right["stack"] - 0.02 * width)
        if len(extra) % 4 == 3:
            guess = (left["stack"] + right["stack"]) / 2
        middle = _point(curve.choice, round(guess, 6), cancel)
        extra.append(middle)
        left, right = (middle, right) if middle["value"] > 0 else (left, middle)
    return replace(curve, root=_zero(left, right), extra=tuple(extra), done=True)


def _zero(left: Row, right: Row) -> float:
    part = left["value"] / (left["value"] - right["value"])
    return left["stack"] + part * (right["stack"] - left["stack"])


# ---- four and five cards, and the real deck ----------------------------------------------------------


def _whole_curve(
    choice: LowballSettings, report: Report, cancel: Cancel, tell: Callable[[Curve], None]
) -> Curve:
    if choice.deck == "real":
        take_real_seat()
    try:
        return _counted_curve(choice, report, cancel, tell)
    finally:
        if choice.deck == "real":
            REAL_SEATS.release()


def _counted_curve(
    choice: LowballSettings, report: Report, cancel: Cancel, tell: Callable[[Curve], None]
) -> Curve:
    stacks = stacks_of(choice)
    curve, solver, all_steps = Curve(choice), None, len(stacks) * WHOLE_STEPS
    for number, stack in enumerate(stacks):
        game = whole_game(choice, stack)
        moves = isinstance(solver, DrawCFR)  # with more bets another stack is another tree: start anew
        solver = solver.moved(game) if moves else full_width(game, threads=1)
        for step in range(WHOLE_STEPS):
            if cancel():
                raise BuildCancelled(f"the curve of {choice.name} was cancelled; add it again to go on")
            share = (number * WHOLE_STEPS + step) / all_steps
            report(share, f"{choice.name}: {stack:g} big blinds, iteration {step + 1} of {WHOLE_STEPS}")
            solver.advance(1)
        snap = solver.measure(solver.snapshot(), WHOLE_DEALS, rng=int(1000 * stack))
        curve = replace(curve, rows=(*curve.rows, _whole_row(stack, snap.metrics, solver.config()["solver"])))
        tell(curve)
    found = crossing(curve.rows)
    if found is None:
        return replace(curve, done=True)
    return replace(curve, root=found[1], interval=(found[0], found[2]), done=True)


def _whole_row(stack: float, metrics: Metrics, method: str) -> Row:
    """The value scored on fresh deals; the bars hold three standard errors and what could still be gained."""
    row = {"stack": stack, **{name: metrics[name] for name in ("value", "value_error", "lower", "upper")}}
    low, high = value_interval(row)
    known = f"{low:.4f} to {high:.4f}, three standard errors and the gap"
    return {**row, "low": low, "high": high, "method": method, "known": known}
