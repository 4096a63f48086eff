"""What a visitor of the Grow page chose, as plain values for the address bar, and the trees it makes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any
from urllib.parse import urlencode

from solverlab.core.errors import BadValue, SolverlabError, UnknownName
from solverlab.games.catalogue import game_named
from solverlab.games.holdem_rules import MOST_PLAYERS
from solverlab.run.forest import Holdem
from solverlab.run.orchard import Orchard
from solverlab.run.orchard_exact import ExactOrchard
from solverlab.run.orchard_forest import ForestOrchard
from solverlab.run.rebalance_growth import growing
from solverlab.solvers import HighestEV, MostReached, Rebalance
from solverlab.solvers.forest_sample import check_sample
from solverlab.solvers.rebalance_settings import BASELINES, EV_KINDS
from solverlab.solvers.squash import SQUASHES

GAMES = {
    "holdem": "Hold'em, any table",
    "kuhn": "Kuhn poker",
    "kuhn-3": "Kuhn poker, 3 players",
    "leduc": "Leduc hold'em",
    "push-fold": "Push/fold, 10 big blinds",
    "matching-pennies": "Matching pennies",
    "rock-paper-scissors": "Rock, paper, scissors",
}
LARGEST = 1e9  # of any number one may type
HIDDEN = ("matching-pennies", "rock-paper-scissors")  # moves are hidden: the tree is whole from the start
ROLLED = ("push-fold",)  # no showdown before the end: leaves are rolled out
ORDERS = {"reach": MostReached, "EV": HighestEV}
BETTING = ("no-limit", "limit")
HOLDINGS = ("classes", "combos")
LEAVES = ("showdown", "rollout", "solved")
RULE = ("squash", "scale", "ev", "baseline", "floor", "tolerance", "order", "k", "sweeps")  # of a branch, too


@dataclass(frozen=True)
class Choice:
    """Everything a link restores; the field names are the words in the address.

    >>> Choice.from_query({"game": "kuhn", "scale": "2"})[0].query()
    'game=kuhn&scale=2'
    """

    game: str = "holdem"
    players: int = 6
    stack: str = "100"
    betting: str = "no-limit"
    bets: str = "1"
    raises: int = 3
    buckets: int = 5
    holdings: str = "classes"
    squash: str = "tanh"
    scale: float = 1.0
    ev: str = "as written"
    baseline: str = "start"
    floor: float = 0.0
    tolerance: float = 0.0
    order: str = "reach"
    k: int = 6
    sweeps: int = 6
    deals: int = 200
    leaf: str = "showdown"
    start: float = 0.6
    seed: int = 0

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> tuple[Choice, list[str]]:
        """A choice from the words of an address, and one sentence for each that could not be used."""
        chosen, complaints = cls(), []
        for name, word in query.items():
            if name not in READERS:
                continue
            try:
                chosen = chosen.with_word(name, word)
            except SolverlabError as problem:
                complaints.append(f"The link's {name} was left out: {problem}.")
        return chosen, complaints

    def with_word(self, name: str, word: Any) -> Choice:
        """The same with one value typed anew."""
        return replace(self, **{name: READERS[name](str(word))})

    def query(self) -> str:
        """The words of a link: the game, and whatever is not as the page opens."""
        usual = Choice()
        words = {
            field.name: f"{value:g}" if isinstance(value := getattr(self, field.name), float) else str(value)
            for field in fields(self)
            if field.name == "game" or getattr(self, field.name) != getattr(usual, field.name)
        }
        return urlencode(words)

    @property
    def sampled(self) -> bool:
        return self.game == "holdem"

    def rule(self) -> dict[str, Any]:
        """The settings of a solver that may change midway."""
        frontier = None if self.game in HIDDEN else ORDERS[self.order](self.k)
        plain = {name: getattr(self, name) for name in RULE if name not in ("order", "k")}
        return plain | {"frontier": frontier}

    def differences(self, other: Choice) -> list[str]:
        """How another choice's rule differs, in words."""
        return [
            f"{name} {_word(getattr(self, name))} → {_word(getattr(other, name))}"
            for name in RULE
            if getattr(self, name) != getattr(other, name)
        ]

    def table(self) -> Holdem:
        """The table of hold'em this choice describes."""
        return Holdem(
            players=self.players,
            stack=read_stacks(self.stack),
            betting=self.betting,
            bets=read_bets(self.bets),
            allin=self.betting == "no-limit" and "all-in" in self.bets,
            max_raises=self.raises,
            buckets=self.buckets,
            holdings=self.holdings,
        )

    def orchard(self, most_bytes: int = 2**28) -> Orchard:
        """The trees this choice grows, at their beginning, if their deals fit into so much memory."""
        if self.sampled:
            table = self.table()
            check_sample(table, self.deals, most_bytes)
            return ForestOrchard(Rebalance(table, samples=self.deals, rng=self.seed, **self.rule()))
        game = game_named(self.game)
        if self.game in HIDDEN:
            return ExactOrchard(Rebalance(game, start=self.start, **self.rule()))
        leaf = "rollout" if self.game in ROLLED and self.leaf == "showdown" else self.leaf
        return ExactOrchard(growing(game, leaf=leaf, **self.rule()))


def read_stacks(word: str) -> float | list[float]:
    """One stack for everybody, or one for each seat.

    >>> read_stacks("100"), read_stacks("100, 50 20")
    (100.0, [100.0, 50.0, 20.0])
    """
    stacks = [_number("stack", part) for part in _parts(word)]
    if not stacks:
        raise BadValue("the stack is empty; give a number of big blinds, or one for each seat")
    return stacks[0] if len(stacks) == 1 else stacks


def read_bets(word: str) -> list[float]:
    """Bet sizes as fractions of the pot; the word all-in is read elsewhere.

    >>> read_bets("0.5, 1, all-in")
    [0.5, 1.0]
    """
    return [_number("bet", part) for part in _parts(word) if part != "all-in"]


def _parts(word: str) -> list[str]:
    return word.replace(",", " ").replace(";", " ").split()


def _number(label: str, word: str) -> float:
    try:
        number = float(word)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise BadValue(f"a {label} of {word[:30]!r} is no number; write one, such as 1 or 20")
    if abs(number) > LARGEST:
        raise BadValue(f"a {label} of {word[:30]!r} is too large; write a number up to {LARGEST:,.0f}")
    return number


def _float(label: str) -> Callable[[str], float]:
    return lambda word: _number(label, word.strip())


def _whole(label: str, least: int = 0, most: int | None = None) -> Callable[[str], int]:
    def read(word: str) -> int:
        number = _number(label, word.strip())
        if number != int(number):
            raise BadValue(f"a {label} of {word[:30]!r} is not whole; write a whole number")
        if number < least or (most is not None and number > most):
            upto = f"from {least} to {most}" if most is not None else f"of at least {least}"
            raise BadValue(f"a {label} of {number:g} makes no game; write a whole number {upto}")
        return int(number)

    return read


def _one_of(label: str, known: Any) -> Callable[[str], str]:
    def read(word: str) -> str:
        if word not in known:
            raise UnknownName(label, word[:30], known)
        return word

    return read


def _text(check: Callable[[str], Any]) -> Callable[[str], str]:
    def read(word: str) -> str:
        check(word[:200])
        return word[:200].strip()

    return read


def _word(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


READERS: dict[str, Callable[[str], Any]] = {
    "game": _one_of("game", GAMES),
    "players": _whole("number of players", 2, MOST_PLAYERS),
    "stack": _text(read_stacks),
    "betting": _one_of("betting", BETTING),
    "bets": _text(read_bets),
    "raises": _whole("number of raises", 1, 20),
    "buckets": _whole("number of buckets", 1, 1000),
    "holdings": _one_of("kind of holdings", HOLDINGS),
    "squash": _one_of("squash", SQUASHES),
    "scale": _float("scale"),
    "ev": _one_of("kind of EV", EV_KINDS),
    "baseline": _one_of("baseline", BASELINES),
    "floor": _float("floor"),
    "tolerance": _float("tolerance"),
    "order": _one_of("order", ORDERS),
    "k": _whole("k"),
    "sweeps": _whole("number of sweeps"),
    "deals": _whole("number of deals"),
    "leaf": _one_of("leaf value", LEAVES),
    "start": _float("start"),
    "seed": _whole("seed"),
}
