"""What a solver of the draw game with betting shows of itself: every decision's strategy, hands by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from solverlab.cards.cards import Cards
from solverlab.cards.lowball_sets import HandSets
from solverlab.core.draw_game import Act
from solverlab.core.draw_paths import Decision, decisions, joined
from solverlab.core.rows import Metrics
from solverlab.core.snapshot import Status
from solverlab.solvers.draw.snapshot import MeasuredSnapshot, discards_of, find_hand, hand_text

Chances = Mapping[str, float]  # by the name of an action, or by the cards thrown away


@dataclass(frozen=True)
class BettingPlan:
    """What to do with one hand: bets before the draw by decision, discards by the line that came there."""

    hand: str
    bets: Mapping[str, Chances]
    big_blind: Mapping[str, Chances]
    button: Mapping[str, tuple[Chances, ...]]  # by the number of cards the big blind was seen to draw


@dataclass(frozen=True, eq=False, repr=False)
class BettingSnapshot(MeasuredSnapshot):
    """A frozen view: three clocks, the average policy by decision, what was measured, plans hand by hand."""

    iteration: int
    seconds: float
    touched: int
    policy: Mapping[str, np.ndarray]
    sets: HandSets
    root: Act
    metrics: Metrics = field(default_factory=lambda: MappingProxyType({}))
    status: Status = Status.RUNNING
    events: tuple[object, ...] = ()

    def before_draw(self) -> Iterator[Decision]:
        """The decisions before the draw."""
        return (place for place in decisions(self.root) if place.player >= 0 and not place.after_draw)

    def lines(self) -> tuple[str, ...]:
        """The lines of betting that come to a draw."""
        return tuple(place.name for place in decisions(self.root) if place.player < 0)

    def reach(self, name: str, player: int) -> np.ndarray:
        """How often a player comes to a decision or a draw with each hand, float64[H]."""
        found, here, node = np.ones(len(self.sets.hands)), "", self.root
        for action in name.split("/") if name else ():
            if node.player == player:
                found *= self.policy[here][:, list(node.following).index(action)]
            here, node = joined(here, action), node.following[action]  # type: ignore[assignment]
        return found

    def frequencies(self) -> dict[str, dict[str, float]]:
        """How often each action is taken before the draw, by decision, over all hands that come there."""
        found = {}
        for place in self.before_draw():
            weight = self.sets.weight * self.reach(place.name, place.player)
            mean = weight @ self.policy[place.name] / weight.sum() if weight.sum() > 0 else np.nan
            mean = np.broadcast_to(mean, len(place.actions))
            found[place.name] = dict(zip(place.actions, map(float, mean), strict=True))
        return found

    def plan(self, hand: Cards) -> BettingPlan:
        """What both players do with a hand, such as "7s5h4d3c2c", up to the draw."""
        number, own = find_hand(self.sets, hand)
        return BettingPlan(
            hand_text(own),
            {
                place.name: dict(zip(place.actions, map(float, self.policy[place.name][number]), strict=True))
                for place in self.before_draw()
            },
            {line: discards_of(self.policy[f"{line}:first"][number], own) for line in self.lines()},
            {
                line: tuple(discards_of(table[number], own) for table in self.policy[f"{line}:second"])
                for line in self.lines()
            },
        )
