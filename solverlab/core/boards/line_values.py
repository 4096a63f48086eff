"""What every hand is worth at a line of play: how often it is there, its equity, its EV and that of every
action.

One pass below the line's board tells all nodes of that board at once: a river takes less than a
millisecond, a turn one board's share of an iteration, a flop half an iteration. What was found is kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from solverlab.core.boards.run_out import RunOut
from solverlab.core.boards.shape import NEXT
from solverlab.core.boards.walk import Walk
from solverlab.core.errors import BadValue, UnknownName
from solverlab.core.frame import frame

if TYPE_CHECKING:
    import pandas as pd

    from solverlab.core.boards.game import BoardGame, Place
    from solverlab.core.boards.policy import BoardPolicy

KEPT = 64  # boards whose values are kept
NEVER = 1e-6  # of the other's weight: what is below is rounding, and nobody is there


@dataclass(frozen=True, eq=False)
class HandValues:
    """One player's hands at a line, float64[H] each.

    `weight` is how much of a hand comes to the line (its weight in the range times what the player did
    with it), `share` how often it is the player's hand there (1 together; the other's cards are counted),
    `equity` the part of the pot it wins if nobody bets any more, `ev` the chips it wins from there on
    (folding is 0). Equity and EV are nan for hands that cannot meet the other's range.
    """

    hands: list[str]
    weight: np.ndarray
    share: np.ndarray
    equity: np.ndarray
    ev: np.ndarray

    def mean(self, numbers: np.ndarray) -> float:
        """The mean of one number a hand, as often as each is held; nan if nobody comes here."""
        there = (self.share > 0) & ~np.isnan(numbers)
        total = self.share[there].sum()
        return float(self.share[there] @ numbers[there] / total) if total > 0 else float("nan")


@dataclass(frozen=True, eq=False)
class LineValues:
    """A line of play: who acts, what is in the pot, and both players' hands.

    `played` and `action_ev`, float64[A, H], are the actor's: how often each hand does what, and the EV of
    doing so. Nobody acts (`actor` is None) where a card comes or the hand is over. `mass` is the weight of
    all pairs of hands that come here.
    """

    line: str
    actor: int | None
    actions: list[str]
    pot: float
    players: tuple[HandValues, HandValues]
    played: np.ndarray
    action_ev: np.ndarray
    mass: float

    @property
    def ev(self) -> tuple[float, float]:
        """Mean EV of each player, in chips."""
        first, last = (player.mean(player.ev) for player in self.players)
        return first, last

    @property
    def equity(self) -> tuple[float, float]:
        """Mean equity of each player."""
        first, last = (player.mean(player.equity) for player in self.players)
        return first, last

    @property
    def frequencies(self) -> dict[str, float]:
        """How often the actor does what, over all hands."""
        if self.actor is None:
            return {}
        hands = self.players[self.actor]
        return {action: hands.mean(row) for action, row in zip(self.actions, self.played, strict=True)}

    def at(self, hand: str, player: int | None = None) -> dict[str, float]:
        """Everything known of one hand; `player` is the actor unless told."""
        found = self._columns(player)
        hands = self.players[self._whose(player)].hands
        column = column_of(hands, hand)
        return {name: float(numbers[column]) for name, numbers in found.items()}

    def frame(self, player: int | None = None) -> pd.DataFrame:
        """A row a hand: weight, share, equity, ev, and for the actor each action and its ev."""
        return frame({"hand": self.players[self._whose(player)].hands, **self._columns(player)})

    def _whose(self, player: int | None) -> int:
        found = self.actor if player is None else player
        if found is None:
            raise BadValue(f"nobody acts after {self.line!r}; say whose hands to show: player=0 or player=1")
        if found not in (0, 1):
            raise BadValue(f"there is no player {player!r}; 0 acts first, 1 last")
        return found

    def _columns(self, player: int | None) -> dict[str, np.ndarray]:
        whose = self._whose(player)
        hands = self.players[whose]
        found = {"weight": hands.weight, "share": hands.share, "equity": hands.equity, "ev": hands.ev}
        if whose == self.actor:
            found |= dict(zip(self.actions, self.played, strict=True))
            found |= {f"ev {name}": row for name, row in zip(self.actions, self.action_ev, strict=True)}
        return found


class LineReader:
    """Reads lines of one policy; see `LineValues`."""

    def __init__(self, policy: BoardPolicy):
        self.policy, self.game = policy, policy.game
        self._walk = Walk(self.game, policy.tables, policy.tables)
        self._run_out = RunOut(self.game)
        self._known: dict[tuple[int, int, int], np.ndarray] = {}

    def read(self, line: str) -> LineValues:
        """Both players' hands at a line."""
        place = self.game.place(line)
        betting = self.game.rounds[place.round]
        kind = int(betting.kind[place.node])
        weights = [self.policy.reached(place, player, self.game.ranges[player]) for player in range(2)]
        meets = [_met(self.game, place, me, weights[1 - me]) for me in range(2)]
        first, last = (self._hands(place, me, weights, meets[me]) for me in range(2))
        actor = kind if kind < 2 else None
        played, action_ev = np.zeros((0, 0)), np.zeros((0, 0))
        if actor is not None:
            children = np.arange(betting.count[place.node]) + betting.first[place.node]
            played = self.policy.shares(place, actor)
            action_ev = self._ev(place, actor, children, meets[actor])
        pot, mass = float(sum(self.game.paid(place))), float(weights[0] @ np.nan_to_num(meets[0]))
        actions = self.game.actions(place)
        return LineValues(line, actor, actions, pot, (first, last), played, action_ev, mass)

    def cards(self, line: str) -> pd.DataFrame:
        """A row a card that can come after a line: how likely it is, what both players are worth then,
        and how often the next to act does what."""
        place = self.game.place(line)
        if self.game.rounds[place.round].kind[place.node] != NEXT:
            raise BadValue(
                f"no card comes after {line!r}; give a line that ends a round, such as 'check/check'"
            )
        rows = [{"card": card, **self._card(f"{line}/{card}")} for card in self.game.cards_left(place)]
        columns = {name: [row[name] for row in rows] for name in rows[0]}
        total = sum(columns["chance"])  # type: ignore[arg-type]
        columns["chance"] = [chance / total if total else chance for chance in columns["chance"]]  # type: ignore[operator]
        return frame(columns)

    def _card(self, line: str) -> dict[str, object]:
        read = self.read(line)
        ev = {f"ev {player}": number for player, number in enumerate(read.ev)}
        equity = {f"equity {player}": number for player, number in enumerate(read.equity)}
        return {"chance": read.mass, **ev, **equity, **read.frequencies}

    def _hands(self, place: Place, me: int, weights: list[np.ndarray], met: np.ndarray) -> HandValues:
        dealt = weights[me] * np.nan_to_num(met)
        share = dealt / dealt.sum() if dealt.sum() > 0 else dealt
        equity = self._run_out.equity(place, me, weights[1 - me], met)
        ev = self._ev(place, me, np.array([place.node]), met)[0]
        return HandValues(self.game.columns(place, me), weights[me], share, equity, ev)

    def _ev(self, place: Place, me: int, nodes: np.ndarray, met: np.ndarray) -> np.ndarray:
        """Chips from the line on, float64[nodes, H], if play goes on at each of these nodes."""
        chance = np.prod([boards.chance for boards in self.game.boards[: place.round + 1]])
        value = self._values(place, me)[nodes][:, : len(met)]
        return value / (met * chance) + self.game.paid(place)[me]

    def _values(self, place: Place, me: int) -> np.ndarray:
        """Values of all nodes of a board, float64[N, W]."""
        key = place.round, place.board, me
        if key not in self._known:
            if len(self._known) >= KEPT:
                self._known.pop(next(iter(self._known)))
            self._known[key] = self._walk.values_on(me, place.round, place.board)
        return self._known[key]


def _met(game: BoardGame, place: Place, me: int, other: np.ndarray) -> np.ndarray:
    """The weight of the other's hands that share no card with each own hand; nan if there is none."""
    boards, b = game.boards[place.round], place.board
    start, size, theirs = boards.start[me, b], boards.size[me, b], boards.start[1 - me, b]
    hole = boards.hole[theirs : theirs + len(other)]
    of_card = np.bincount(hole.ravel(), np.repeat(other, 2), 52)
    padded = np.zeros(int(boards.width[1 - me, b]) + 1)
    padded[: len(other)] = other
    own = boards.hole[start : start + size]
    met = other.sum() - of_card[own].sum(1) + padded[boards.same[start : start + size]]
    return np.where(met > NEVER * other.sum(), met, np.nan)


def column_of(hands: list[str], hand: object) -> int:
    """The column of a hand, in either order of its cards."""
    names = {name: column for column, name in enumerate(hands)}
    text = str(hand).strip()
    for written in (text, text[2:] + text[:2]):
        if written in names:
            return names[written]
    raise UnknownName("hand", hand, hands)
