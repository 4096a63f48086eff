"""What a visitor of the Grow page chose, as plain values for the address bar, and the trees it makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any
from urllib.parse import urlencode

from solverlab.core.errors import BadValue, SolverlabError, UnknownName
from solverlab.core.policy import uniform_policy
from solverlab.games.catalogue import game_named
from solverlab.games.holdem_rules import MOST_PLAYERS
from solverlab.run.forest import Holdem
from solverlab.run.forest_rollout import RandomPlay
from solverlab.run.orchard import Orchard
from solverlab.run.orchard_exact import ExactOrchard
from solverlab.run.orchard_forest import ForestOrchard
from solverlab.run.rebalance_growth import growing
from solverlab.solvers import HighestEV, MostAtStake, MostReached, Oldest, Rebalance
from solverlab.solvers.forest import WEIGHTINGS
from solverlab.solvers.forest_sample import check_sample
from solverlab.solvers.rebalance_settings import BASELINES, EV_KINDS, TESTS
from solverlab.solvers.squash import SQUASHES
from solverlab.ui.grow.readers import (
    decimal,
    one_of,
    read_bets,
    read_blinds,
    read_buckets,
    read_stacks,
    text,
    whole,
)

GAMES = {
    "holdem": "Hold'em, any table",
    "kuhn": "Kuhn poker",
    "kuhn-3": "Kuhn poker, 3 players",
    "leduc": "Leduc hold'em",
    "push-fold": "Push/fold, 10 big blinds",
    "matching-pennies": "Matching pennies",
    "rock-paper-scissors": "Rock, paper, scissors",
}
HIDDEN = ("matching-pennies", "rock-paper-scissors")  # moves are hidden: the tree is whole from the start
UNSOLVED = ("holdem", "kuhn-3")
ORDERS = {"reach": MostReached, "EV": HighestEV, "stake": MostAtStake, "age": Oldest}
BETTING = ("no-limit", "limit")
HOLDINGS = ("classes", "combos")
LEAVES = ("showdown", "rollout", "random play", "solved")
UNCALLED = ("matched", "returned")
# What may change midway, in a branch.
RULE = (
    "squash", "scale", "ev", "baseline", "floor", "sweeps", "tolerance", "test", "order", "k", "weighting",
)  # fmt: skip


@dataclass(frozen=True)
class Choice:
    """Everything a link restores; the field names are the words in the address.

    >>> Choice.from_query({"game": "kuhn", "scale": "2"})[0].query()
    'game=kuhn&scale=2'
    """

    game: str = "holdem"
    players: int = 6
    stack: str = "100"
    blinds: str = "0.5, 1"
    betting: str = "no-limit"
    bets: str = "1"
    raises: int = 3
    buckets: str = "5"
    holdings: str = "classes"
    squash: str = "tanh"
    scale: float = 1.0
    ev: str = "as written"
    baseline: str = "start"
    floor: float = 0.0
    tolerance: float = 0.0
    test: str = "absolute"
    order: str = "reach"
    k: int = 6
    weighting: str = "combos"
    sweeps: int = 6
    deals: int = 200
    leaf: str = "showdown"
    uncalled: str = "matched"
    start: float = 0.6
    seed: int = 0

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> tuple[Choice, list[str]]:
        """A choice from the words of an address, and one sentence for each that could not be used."""
        chosen, complaints = cls(), []
        for name, word in sorted(query.items(), key=lambda item: item[0] != "game"):  # it decides the rest
            if name not in READERS:
                continue
            try:
                chosen = chosen.with_word(name, word)
            except SolverlabError as problem:
                complaints.append(left_out(name, problem))
        return chosen, complaints

    def with_word(self, name: str, word: Any) -> Choice:
        """The same with one value typed anew; a game that knows no such leaf opens with a showdown."""
        chosen = replace(self, **{name: READERS[name](str(word))})
        known = leaves_of(chosen.game)
        if chosen.leaf in known:
            return chosen
        if name == "leaf":
            raise UnknownName("leaf value of this game", chosen.leaf, known)
        return replace(chosen, leaf=LEAVES[0])

    def query(self) -> str:
        """The words of a link: the game, and whatever is not as the page opens."""
        usual = Choice()
        words = {
            field.name: f"{value:g}" if isinstance(value := getattr(self, field.name), float) else str(value)
            for field in fields(self)
            if field.name == "game" or getattr(self, field.name) != getattr(usual, field.name)
        }
        return urlencode(words)

    def usable(self, most_bytes: int = 2**28) -> tuple[Choice, Orchard, list[str]]:
        """This choice without the words that make no game, its trees, and a sentence for each such word."""
        try:
            return self, self.orchard(most_bytes), []
        except SolverlabError as problem:
            words = [f.name for f in fields(self) if getattr(self, f.name) != f.default and f.name != "game"]
            for name in words:  # mostly one word is wrong, and the others mean something only together
                chosen = replace(self, **{name: getattr(Choice, name)})
                try:
                    return chosen, chosen.orchard(most_bytes), [left_out(name, problem)]
                except SolverlabError:
                    continue
        return self._gathered(words, most_bytes)

    def _gathered(self, words: list[str], most_bytes: int) -> tuple[Choice, Orchard, list[str]]:
        """The game alone, and of these words one after the other whichever still makes a game."""
        chosen, complaints = Choice(game=self.game), []
        made = chosen.orchard(most_bytes)
        for name in words:
            wanted = replace(chosen, **{name: getattr(self, name)})
            try:
                chosen, made = wanted, wanted.orchard(most_bytes)
            except SolverlabError as problem:
                complaints.append(left_out(name, problem))
        return chosen, made, complaints

    @property
    def sampled(self) -> bool:
        return self.game == "holdem"

    def rule(self) -> dict[str, Any]:
        """The settings of a solver that may change midway."""
        frontier = None if self.game in HIDDEN else ORDERS[self.order](self.k)
        others = ("order", "k") if self.sampled else ("order", "k", "weighting")
        return {name: getattr(self, name) for name in RULE if name not in others} | {"frontier": frontier}

    def differences(self, other: Choice) -> list[str]:
        """How another choice's rule differs, in words."""
        return [
            f"{name} {_word(getattr(self, name))} → {_word(getattr(other, name))}"
            for name in RULE
            if getattr(self, name) != getattr(other, name)
        ]

    def table(self) -> Holdem:
        """The table of hold'em this choice describes."""
        bets, allin = read_bets(self.bets), self.betting == "no-limit" and "all-in" in self.bets
        if self.betting == "no-limit" and not (bets or allin):
            raise BadValue("a no-limit table without bets cannot bet; write sizes such as 0.5, 1, all-in")
        return Holdem(
            players=self.players,
            stack=read_stacks(self.stack),
            blinds=read_blinds(self.blinds),
            betting=self.betting,
            bets=bets,
            allin=allin,
            max_raises=self.raises,
            buckets=read_buckets(self.buckets),
            holdings=self.holdings,
            match=self.uncalled == "matched",
        )

    def orchard(self, most_bytes: int = 2**28) -> Orchard:
        """The trees this choice grows, at their beginning, if their deals fit into so much memory."""
        if self.sampled:
            table = self.table()
            check_sample(table, self.deals, most_bytes)
            leaf: Any = RandomPlay() if self.leaf == "random play" else self.leaf
            forest = Rebalance(table, samples=self.deals, rng=self.seed, leaf=leaf, **self.rule())
            return ForestOrchard(forest)
        game = game_named(self.game)
        if self.game in HIDDEN:
            return ExactOrchard(Rebalance(game, start=self.start, **self.rule()))
        leaf = uniform_policy(game) if self.leaf == "random play" else self.leaf
        return ExactOrchard(growing(game, leaf=leaf, returned=self.uncalled == "returned", **self.rule()))


def leaves_of(game: str) -> tuple[str, ...]:
    """What a leaf of a game may be worth; solved are only small games of two players.

    >>> leaves_of("holdem")
    ('showdown', 'rollout', 'random play')
    """
    return LEAVES[:-1] if game in UNSOLVED else LEAVES


def left_out(name: str, problem: object) -> str:
    """What is said of a word in a link that cannot be used."""
    return f"The link's word {name} was left out: {problem}."


def _word(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


READERS: dict[str, Callable[[str], Any]] = {
    "game": one_of("game", GAMES),
    "players": whole("number of players", 2, MOST_PLAYERS),
    "stack": text(read_stacks),
    "blinds": text(read_blinds),
    "betting": one_of("betting", BETTING),
    "bets": text(read_bets),
    "raises": whole("number of raises", 1, 20),
    "buckets": text(read_buckets),
    "holdings": one_of("kind of holdings", HOLDINGS),
    "squash": one_of("squash", SQUASHES),
    "scale": decimal("scale"),
    "ev": one_of("kind of EV", EV_KINDS),
    "baseline": one_of("baseline", BASELINES),
    "floor": decimal("floor"),
    "tolerance": decimal("tolerance"),
    "test": one_of("test of convergence", TESTS),
    "order": one_of("order", ORDERS),
    "k": whole("k"),
    "weighting": one_of("weighting", WEIGHTINGS),
    "sweeps": whole("number of sweeps"),
    "deals": whole("number of deals"),
    "leaf": one_of("leaf value", LEAVES),
    "uncalled": one_of("rule for uncalled bets", UNCALLED),
    "start": decimal("start"),
    "seed": whole("seed"),
}
