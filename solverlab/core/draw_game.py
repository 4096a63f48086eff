"""Games in which cards are thrown away and drawn, with decks too large for a tree of their hands.

Such a game offers the hands of its deck (`sets`) and its stack; if more can be done than to push or fold it
also offers a tree of betting, whose nodes are of the four kinds below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from solverlab.core.rows import Config

if TYPE_CHECKING:
    from solverlab.cards.lowball_sets import HandSets


class Paid(NamedTuple):
    """Somebody folded: what the button wins."""

    amount: float


class Show(NamedTuple):
    """The hands are compared for a stake each."""

    stake: float


class Act(NamedTuple):
    """Somebody chooses: what can follow, by the name of the action."""

    player: int
    following: dict[str, DrawNode]


class Draw(NamedTuple):
    """Both draw; then the betting that is left."""

    after: DrawNode


DrawNode = Act | Paid | Draw | Show


@runtime_checkable
class DrawGame(Protocol):
    """Single draw between two players, push or fold: the hands of a deck, how they are judged, the stack."""

    n_players: int
    stack: float
    cards: int
    suits: bool
    sets: HandSets

    @property
    def name(self) -> str: ...

    @property
    def players(self) -> tuple[str, ...]: ...

    def config(self) -> Config:
        """What `solverlab.games.from_config` needs to make this game again, as JSON values."""


@runtime_checkable
class BettingDrawGame(DrawGame, Protocol):
    """The same with a tree of betting before and after the draw."""

    root: Act
