"""A suite on growth: what one node and hand costs, from Kuhn to a whole deck with one card on the board."""

from __future__ import annotations

from collections.abc import Sequence

from solverlab.analysis import exploitability
from solverlab.bench.clock import Timing, race
from solverlab.bench.contestants import Contestant
from solverlab.bench.plan import Plan
from solverlab.bench.rows import OUR_NAME, Row
from solverlab.games import Kuhn, LimitPoker
from solverlab.solvers import CFR

RANKS = "23456789TJQKA"
DECKS = ((3, 2), (6, 3), (13, 2), (13, 4))  # ranks, suits
WARM = 20  # iterations before the clock starts: hands that are never played to cost less


def scaling(plan: Plan, contestants: Sequence[Contestant]) -> list[Row]:
    """Nobody else has these games, so there are only our own rows."""
    games = [Kuhn(), *(two_rounds(ranks, suits) for ranks, suits in DECKS)]
    return [row for game in games for row in rows_of(plan, game)]


def two_rounds(ranks: int, suits: int) -> LimitPoker:
    """Leduc hold'em with another deck: 3 ranks in 2 suits are Leduc itself."""
    return LimitPoker(
        ranks=RANKS[:ranks],
        suits=suits,
        board_cards=(0, 1),
        raise_sizes=(2, 4),
        max_raises=(2, 2),
        name=f"Leduc with {ranks} x {suits} cards",
    )


def rows_of(plan: Plan, game: LimitPoker) -> list[Row]:
    """Seconds of an iteration a node and hand, an exploitability in iterations, bytes a node and hand."""
    solver = CFR(game, "CFR+")
    policy = solver.step(WARM).policy
    size = len(game.tree.parent) * len(game.names.hands)
    held = CFR.bytes_needed(game) + sum(table.nbytes for table in game.leaves)

    def measure(count: int) -> None:
        for _ in range(count):
            exploitability(game, policy)

    taken = race({"iteration": solver.step, "measuring": measure}, plan.sample_seconds, plan.repeats)
    iteration, measuring = taken["iteration"], taken["measuring"]
    task = f"{game.name}, {len(game.names.hands)} hands"
    return [
        row(task, "one iteration, a node and hand", iteration.shared(size)),
        row(task, "one exploitability", ratio(measuring, iteration), "iterations"),
        row(task, "memory, a node and hand", Timing((held / size,), (held / size,)), "bytes"),
    ]


def ratio(one: Timing, other: Timing) -> Timing:
    """One timing in units of another, sample by sample."""
    clocks = ((one.wall, other.wall), (one.cpu, other.cpu))
    return Timing(*(tuple(a / b for a, b in zip(*pair, strict=True)) for pair in clocks))


def row(task: str, measure: str, timing: Timing, shown_as: str = "seconds") -> Row:
    return Row("scaling", task, measure, OUR_NAME, timing, shown_as)
