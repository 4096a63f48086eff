"""The whole story of 2-to-7 in tables: the ladder of cards, what more bets are worth, and the real deck.

Everything is the button's value in big blinds. Rungs of the ladder and games with more bets are solved with
exact exploitability; the real deck comes with an interval.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from solverlab.core.rows import Row
from solverlab.games import Lowball
from solverlab.games.lowball.real import RealLowball
from solverlab.run.drive import paced
from solverlab.run.lowball_real import value_interval
from solverlab.run.stopping import Until, iterations
from solverlab.solvers.draw.cfr import DrawCFR
from solverlab.solvers.draw.snapshot import DrawSnapshot
from solverlab.studies.lowball import STACKS, VARIANTS, Solved, solve_lowball

ALL_RANKS, WITHOUT_THE_TEN = "23456789TJQKA", "23456789JQKA"
ROOT_WIDTH = 1e-3  # big blinds
BET_RANKS = {1: 13, 2: 8}  # ranks of the decks with more bets, by cards

Tell = Callable[[float, str], None]


class Rung(NamedTuple):
    """A push/fold game of the ladder: suits are ignored."""

    cards: int
    per_rank: int
    ranks: str = ALL_RANKS

    @property
    def name(self) -> str:
        """
        >>> Rung(2, 4).name
        '2 cards, 13 ranks x 4'
        """
        return f"{counted(self.cards)}, {len(self.ranks)} ranks x {self.per_rank}"

    def at(self, stack: float) -> Lowball:
        return Lowball(stack, self.cards, self.per_rank, self.ranks)


def counted(cards: int) -> str:
    """
    >>> counted(1), counted(3)
    ('1 card', '3 cards')
    """
    return "1 card" if cards == 1 else f"{cards} cards"


RUNGS = tuple(
    Rung(cards, per_rank, ranks)
    for cards, per_rank in ((1, 1), (1, 4), (2, 4), (3, 4))
    for ranks in (ALL_RANKS, WITHOUT_THE_TEN)
)


@dataclass(frozen=True)
class Effort:
    """How much to compute. Three cards, bets after the draw and the real deck take most of the time."""

    stacks: tuple[float, ...] = STACKS
    three_card_stacks: tuple[float, ...] = (2.0, 3.0, 4.0, 6.0, 8.0, 10.0)
    bet_stacks: tuple[float, ...] = (3.0, 4.0, 5.0, 6.0, 8.0)
    target: float = 2e-5  # exact exploitability
    after_targets: tuple[float, float] = (2e-4, 2e-4)  # the same with bets after the draw, one and two cards
    real_stacks: tuple[float, ...] = (3.0, 5.0, 7.0, 9.0)
    real_cards: int = 5
    real_iterations: int = 12
    real_deals: int = 1_000_000


# ---- the ladder --------------------------------------------------------------------------------------------


def ladder(effort: Effort, tell: Tell) -> tuple[list[Row], list[Row]]:
    """Every rung at every stack, and where each one's value falls through zero: (values, roots)."""
    values, roots = [], []
    for number, rung in enumerate(RUNGS):
        stacks = effort.three_card_stacks if rung.cards == 3 else effort.stacks
        about = {"rung": rung.name, "cards": rung.cards, "ranks": len(rung.ranks), "per_rank": rung.per_rank}

        def value(stack: float, rung: Rung = rung, number: int = number) -> Row:
            tell(number / len(RUNGS), f"{rung.name}, {stack:.4g} big blinds")
            return solve_lowball(rung.at(stack), effort.target)._asdict()

        rows = [{**about, "stack": stack, **value(stack)} for stack in stacks]
        values += rows
        roots.append({**about, "root": root_of(rows, lambda stack: value(stack)["value"])})
    return values, roots


def root_of(rows: Sequence[Row], value: Callable[[float], float], width: float = ROOT_WIDTH) -> float | None:
    """The stack where the value first falls through zero, or None where it does not.

    The rows bracket it; within the bracket `value` is asked at further stacks.

    >>> rows = [{"stack": stack, "value": 4.0 - stack**2} for stack in (1.0, 3.0)]
    >>> round(root_of(rows, lambda stack: 4.0 - stack**2), 3)
    2.0
    """
    from scipy.optimize import brentq  # a third of a second, only for those who ask

    known = {row["stack"]: row["value"] for row in rows}
    stacks = sorted(known)
    falls = [(a, b) for a, b in zip(stacks, stacks[1:], strict=False) if known[a] > 0 >= known[b]]
    if not falls:
        return None
    return float(
        brentq(lambda stack: known[stack] if stack in known else value(stack), *falls[0], xtol=width)
    )


# ---- more bets ---------------------------------------------------------------------------------------------


def more_bets(effort: Effort, tell: Tell) -> list[Row]:
    """One and two cards, one of a rank, with limps, raises and bets after the draw, beside push/fold.

    Two cards and two bets after the draw are many hands, so that deck has fewer ranks (`BET_RANKS`). What a
    variant `adds` is off by `adds_error` at most.
    """
    rows: list[Row] = []
    plain: dict[tuple[int, float], Solved] = {}
    todo = [(cards, name) for cards in BET_RANKS for name in VARIANTS]
    for number, (cards, name) in enumerate(todo):
        after = "after_draw" in VARIANTS[name]
        target = effort.after_targets[cards - 1] if after else effort.target
        about = {"cards": cards, "ranks": BET_RANKS[cards], "variant": name}
        for stack in effort.bet_stacks:
            tell(number / len(todo), f"{counted(cards)}, {name}, {stack:g} big blinds")
            game = Lowball(stack, cards, ranks=BET_RANKS[cards], **VARIANTS[name])
            solved = solve_lowball(game, target)
            plain.setdefault((cards, stack), solved)  # push/fold comes first
            rows.append({**about, "stack": stack, **solved.beside(plain[cards, stack])})
    return rows


# ---- the real deck -----------------------------------------------------------------------------------------

KEPT = ("value", "value_error", "lower", "upper", "deals")


def real_deck(effort: Effort, tell: Tell) -> list[Row]:
    """Push/fold with the real deck at a few stacks: value, standard error, NashConv from below and above.

    `low` and `high` enclose the value of the game: three standard errors, and what either might still gain.
    """
    rows: list[Row] = []
    solver: DrawCFR | None = None
    for number, stack in enumerate(effort.real_stacks):

        def part(share: float, number: int = number, stack: float = stack) -> None:
            tell((number + share) / len(effort.real_stacks), f"the real deck, {stack:g} big blinds")

        game = RealLowball(stack, effort.real_cards)
        solver = DrawCFR(game) if solver is None else solver.moved(game)
        first = 2 if not rows else 1
        until = iterations(solver.iteration + first * effort.real_iterations)
        snap = _solved(solver, until, effort.real_deals, part)
        row = {"stack": stack, "iterations": snap.iteration, **{name: snap.metrics[name] for name in KEPT}}
        low, high = value_interval(row)
        often = snap.frequencies()
        rows.append({**row, "low": low, "high": high, "push": often["push"], "call": often["call"]})
    return rows


def _solved(solver: DrawCFR, until: Until, deals: int, tell: Callable[[float], None]) -> DrawSnapshot:
    """Step to the limit and measure there, telling how far it is after every iteration."""
    most, last = until.iterations or 1, None
    for snap in paced(solver, most, until, deals=deals):
        tell(solver.iteration / most)
        last = snap
    assert last is not None  # the end is always measured
    return last


def columns(rows: Sequence[Row]) -> dict[str, list]:
    """Rows as columns, for a table.

    >>> columns([{"stack": 3.0, "value": 0.1}, {"stack": 4.0, "value": 0.0}])
    {'stack': [3.0, 4.0], 'value': [0.1, 0.0]}
    """
    return {name: [_plain(row[name]) for row in rows] for name in rows[0]}


def _plain(value: object) -> object:
    return value.item() if isinstance(value, np.generic) else value
