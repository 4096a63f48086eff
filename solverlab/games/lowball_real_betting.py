"""The real draw game with more than push or fold: a limp, raises, and betting after the draw.

Without a limp, without raises and without bets this is push/fold itself. Before the draw the button may fold,
limp, raise to one of the sizes, or go all in; the big blind answers by folding, calling (checking after a
limp), or going all in. After the draw, if chips are left, the big blind checks or bets first; a bet is called
or folded to. Bets are fractions of the pot; a bet of what is left is all in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from solverlab.core.errors import BadValue
from solverlab.games.lowball_real import RealLowball

SMALL_BLIND, BIG_BLIND = 0.5, 1.0
BUTTON, BIG_BLIND_SEAT = 0, 1


class Act(NamedTuple):
    """Somebody chooses: what can follow, by the name of the action."""

    player: int
    following: dict[str, Any]


class Paid(NamedTuple):
    """Somebody folded: what the button wins."""

    amount: float


class Draw(NamedTuple):
    """Both draw; then the betting that is left."""

    after: Any


class Show(NamedTuple):
    """The hands are compared for a stake each."""

    stake: float


class BettingLowball(RealLowball):
    """The real draw game with a betting tree, `self.root`, before and after the draw.

    >>> game = BettingLowball(stack=4, cards=1, limp=True)
    >>> list(game.root.following), list(game.root.following["limp"].following)
    (['fold', 'limp', 'push'], ['check', 'push'])
    """

    def __init__(
        self,
        stack: float = 3.0,
        limp: bool = False,
        raises: Sequence[float] = (),
        bets: Sequence[float] = (),
        **deck: Any,
    ):
        super().__init__(stack, **deck)
        for size in raises:
            if not BIG_BLIND < size < self.stack:
                raise BadValue(f"a raise to {size!r} lies outside 1 (a limp) and {self.stack:g} (all in)")
        for part in bets:
            if not 0 < part < 100:
                raise BadValue(f"a bet of {part!r} times the pot cannot be made; give a fraction above 0")
        self.limp, self.raises, self.bets = bool(limp), tuple(raises), tuple(bets)
        self.root = self._start()

    def config(self) -> dict[str, Any]:
        return {**super().config(), "limp": self.limp, "raises": list(self.raises), "bets": list(self.bets)}

    @property
    def name(self) -> str:
        more = ["limp"] if self.limp else []
        more += [f"raise to {size:g}" for size in self.raises]
        more += [f"bet {part:g} pot after the draw" for part in self.bets]
        return super().name + (f", with {', '.join(more)}" if more else "")

    def _start(self) -> Act:
        following: dict[str, Any] = {"fold": Paid(-SMALL_BLIND)}
        if self.limp:
            again = {"fold": Paid(-BIG_BLIND), "call": self._draw(self.stack)}
            after = {"check": self._draw(BIG_BLIND), "push": Act(BUTTON, again)}
            following["limp"] = Act(BIG_BLIND_SEAT, after)
        for size in self.raises:
            again = {"fold": Paid(-size), "call": self._draw(self.stack)}
            after = {"fold": Paid(BIG_BLIND), "call": self._draw(size), "push": Act(BUTTON, again)}
            following[f"raise {size:g}"] = Act(BIG_BLIND_SEAT, after)
        following["push"] = Act(BIG_BLIND_SEAT, {"fold": Paid(BIG_BLIND), "call": self._draw(self.stack)})
        return Act(BUTTON, following)

    def _draw(self, stake: float) -> Draw:
        sizes = sorted({min(2 * stake * part, self.stack - stake) for part in self.bets} - {0.0})
        if not sizes:
            return Draw(Show(stake))

        def facing(player: int, size: float) -> Act:
            won = -stake if player == BUTTON else stake
            return Act(player, {"fold": Paid(won), "call": Show(stake + size)})

        late = {"check": Show(stake), **{f"bet {size:g}": facing(BIG_BLIND_SEAT, size) for size in sizes}}
        early = {f"bet {size:g}": facing(BUTTON, size) for size in sizes}
        return Draw(Act(BIG_BLIND_SEAT, {"check": Act(BUTTON, late), **early}))
