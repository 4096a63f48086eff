"""The strategy of four or five cards with more bets than push/fold, as the page reads it.

Decisions are called by their histories, as in the exact rungs: a letter an action, a digit a draw. After the
draw a hand is its final cards, by strength, whatever was thrown away.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solverlab.core.draw_paths import Decision, decisions
from solverlab.games.lowball.real_betting import BettingLowball
from solverlab.solvers.draw.betting_snapshot import BettingSnapshot
from solverlab.ui.lowball.table import Mix, Table, draw_action, mixed
from solverlab.ui.lowball.whole import WholeShape, WholeStrategy

SEATS = ("button", "big blind")


class Place(NamedTuple):
    """A decision of the page: what it is called, which table it reads, and where in it."""

    words: str
    decision: Decision
    seat: int
    drawn: tuple[int, ...] = ()  # cards drawn so far, the big blind's first


class BettingShape(WholeShape):
    """What does not change while the game is solved: hands, and every decision by its history."""

    def __init__(self, game: BettingLowball):
        super().__init__(game.sets, game.suits)
        self.game = game
        self.places: dict[str, Place] = {}
        self.lines: dict[str, str] = {}  # history -> the line that comes to a draw
        for found in decisions(game.root):
            self._add(found)
        first = np.searchsorted(np.sort(self.sets.strength), np.arange(int(self.sets.strength.max()) + 1))
        self.of_class = np.argsort(self.sets.strength, kind="stable")[first]  # a hand of every class
        self.class_weight = np.bincount(self.sets.strength, weights=self.sets.weight)

    def _add(self, found: Decision) -> None:
        history, counts = self.game.histories[found.name], range(self.sets.cards + 1)
        if found.player < 0:
            self.lines[history] = found.name
            after = _words(found.name)
            self.places[history] = Place(f"big blind draws, after {after}", found, 1)
            for seen in counts:
                words = f"button draws, after {after}, {draw_action(seen)}"
                self.places[f"{history}{seen}"] = Place(words, found, 0, (seen,))
        elif not found.after_draw:
            after = f"after {_words(found.name)}" if found.name else "first to act"
            self.places[history] = Place(f"{SEATS[found.player]}, {after}", found, found.player)
        else:
            line, _, _ = found.name.partition("|")
            early = self.game.histories[line]
            for drawn in ((theirs, mine) for theirs in counts for mine in counts):
                said = [_words(line), *map(draw_action, drawn), _words(found.name.partition("|")[2])]
                words = f"{SEATS[found.player]}, after {', '.join(part for part in said if part)}"
                key = f"{early}{drawn[0]}{drawn[1]}{history[len(early) :]}"
                self.places[key] = Place(words, found, found.player, drawn)

    def actions(self, place: Place) -> tuple[str, ...]:
        """What the actions are called, as in the exact rungs: a call of an all-in says so."""
        pushed = self.game.histories[place.decision.name].endswith("a")
        words = {"push": "all-in", "call": "call all-in" if pushed else "call"}
        return tuple(words.get(action, action) for action in place.decision.actions)


class BettingStrategy(WholeStrategy):
    """A snapshot of the counted game with bets; see `LowballStrategy`."""

    shape: BettingShape
    snap: BettingSnapshot

    def __init__(self, shape: BettingShape, snap: BettingSnapshot):
        self.shape, self.snap, self.tables = shape, snap, snap.policy
        self.suited, self.cards = shape.suited, shape.sets.cards
        self.size = len(shape.order)
        self.lines = {history: _words(line) for history, line in shape.lines.items()}
        self.decisions = {key: place.words for key, place in shape.places.items()}

    def table(self, key: str) -> Table:
        place = self.shape.places[key]
        if place.decision.after_draw:
            return self._table_after(place)
        order, name = self.shape.order, place.decision.name
        weight, reach = self.shape.sets.weight[order], self.snap.reach(name, place.seat)[order]
        if place.decision.player >= 0:
            share = self.tables[name][order].astype(float)
            return Table(place.words, self._names(), weight, reach, self.shape.actions(place), share)
        masks = self._masks(name, place.drawn)
        every = range(self.cards + 1)
        share = np.stack([masks[:, self.shape.drawn == n].sum(axis=1) for n in every], axis=1)[order]
        actions = tuple(draw_action(n) for n in every)
        return Table(place.words, self._names(), weight, reach, actions, share.astype(float))

    def _table_after(self, place: Place) -> Table:
        """Final hands by strength, the best first; how often each class comes here is not followed."""
        rows = self.tables[place.decision.name][place.drawn[0] * (self.cards + 1) + place.drawn[1]]
        hands = tuple(self.shape.name(int(number)) for number in self.shape.of_class[::-1])
        weight = self.shape.class_weight[::-1]
        share = rows[::-1].astype(float)
        return Table(place.words, hands, weight, np.ones(len(hands)), self.shape.actions(place), share)

    def going_in(self) -> tuple[np.ndarray, np.ndarray]:
        return self.tables[""][:, -1], self.tables["push"][:, -1]  # all-in is the last action there is

    def bets(self, number: int) -> list[tuple[str, Mix]]:
        return [
            (place.words, mixed(self.shape.actions(place), self.tables[place.decision.name][number]))
            for place in self.shape.places.values()
            if place.decision.player >= 0 and not place.decision.after_draw
        ]

    def plan(self, text: str, line: str) -> tuple[str, list[tuple[str, Mix]], list[tuple[str, Mix]]]:
        number, own = self._found(text)
        name = "".join(self.shape.card(card) for card in sorted(own.tolist(), reverse=True))
        return name, self.bets(number), self._draws(number, own, line)

    def _masks(self, line: str, seen: tuple[int, ...]) -> np.ndarray:
        return self.tables[f"{line}:second"][seen[0]] if seen else self.tables[f"{line}:first"]

    def _discard_rows(self, number: int, line: str) -> list[np.ndarray]:
        name = self.shape.lines[line]
        return [self.tables[f"{name}:first"][number], *self.tables[f"{name}:second"][:, number]]


def _words(name: str) -> str:
    """The way to a decision in words.

    >>> _words("limp/raise 2/push")
    'limp, raise 2, all-in'
    """
    return ", ".join("all-in" if part == "push" else part for part in name.split("/") if part)
