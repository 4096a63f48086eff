"""Where nothing is tied many iterations are one kernel: it leaves what single sweeps leave, bit for bit."""

from __future__ import annotations

import pytest

import solverlab as sl


def three_of_four_cards() -> sl.LimitPoker:
    return sl.LimitPoker(
        ranks="2345", suits=1, players=3, board_cards=(0,), raise_sizes=(1,), max_raises=(1,)
    )


def twenty_hands() -> sl.LimitPoker:
    return sl.LimitPoker(ranks="23456", suits=4, board_cards=(0, 1), raise_sizes=(2, 4), max_raises=(1, 1))


GAMES = {
    "3 hands": sl.Kuhn,
    "4 hands of 3 players": three_of_four_cards,
    "6 hands": sl.Leduc,
    "20 hands": twenty_hands,
}


@pytest.mark.parametrize("schedule", ["CFR+", "PCFR+", "DCFR-R"])
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_one_kernel_leaves_what_single_sweeps_leave(game, schedule) -> None:
    game = game()
    together, apart = sl.CFR(game, schedule), sl.CFR(game, schedule)
    for iterations in (3, 1, 2):
        together.step(iterations)
        for _ in range(iterations):
            for _ in apart.slices():
                pass
        for name in ("regret", "total", "gain", "sigma"):
            assert getattr(together.tables, name).tobytes() == getattr(apart.tables, name).tobytes(), name
        for name in ("reach", "leaf_reach", "cfv"):
            assert getattr(together.work, name).tobytes() == getattr(apart.work, name).tobytes(), name
