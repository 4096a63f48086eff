"""The settings of the Grow page, and the trees they make."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace

from solverlab.core.errors import BadValue, SolverlabError
from solverlab.core.policy import uniform_policy
from solverlab.core.rows import Config
from solverlab.games.catalogue import GAMES, game_named
from solverlab.games.holdem.game import Holdem
from solverlab.games.holdem.rules import MOST_PLAYERS
from solverlab.run.growing.growth import growing
from solverlab.run.growing.random_play import RandomPlay
from solverlab.run.growing.watched import GrowingRun, watched
from solverlab.solvers import HighestEV, MostAtStake, MostReached, Oldest, Rebalance
from solverlab.solvers.growing.sampled.sample import check_sample
from solverlab.solvers.growing.settings import BASELINES, EV_KINDS, TESTS, WEIGHTINGS
from solverlab.solvers.growing.squash import SQUASHES
from solverlab.ui.grow.readers import decimal, read_bets, read_blinds, read_buckets, read_stacks, whole_number
from solverlab.ui.settings import Settings, one_of, setting, written

GROWN = sorted(
    (name for name, game in GAMES.items() if game.grows), key=lambda name: (GAMES[name].hidden, name)
)
TITLES = {"holdem": "Hold'em, any table"} | {name: GAMES[name].title for name in GROWN}
HIDDEN = [name for name in GROWN if GAMES[name].hidden]  # moves are hidden: the tree is whole from the start
UNSOLVED = ["holdem", *(name for name in GROWN if GAMES[name].players > 2 or not GAMES[name].refereed)]
ORDERS = {"reach": MostReached, "EV": HighestEV, "stake": MostAtStake, "age": Oldest}
BETTING = ("no-limit", "limit")
HOLDINGS = ("classes", "combos")
LEAVES = ("showdown", "rollout", "random play", "solved")
UNCALLED = ("matched", "returned")
# What may change midway, in a branch.
RULE = (
    "squash", "scale", "ev", "baseline", "floor", "sweeps", "tolerance", "test", "order", "k", "weighting",
)  # fmt: skip


def _text(check: Callable[[str], object]) -> Callable[[str], str]:
    """A reader that keeps what was typed, once it was understood."""

    def read(word: str) -> str:
        check(word[:200])
        return word[:200].strip()

    return read


def _menu(names: Iterable[str]) -> dict[str, str]:
    return {name: name for name in names}


def leaves_of(game: str) -> tuple[str, ...]:
    """What a leaf of a game may be worth; solved are only small games of two players.

    >>> leaves_of("holdem")
    ('showdown', 'rollout', 'random play')
    """
    return LEAVES[:-1] if game in UNSOLVED else LEAVES


def _read_leaf(word: str, so_far: GrowSettings) -> str:
    one_of("leaf value", LEAVES)(word)
    return one_of("leaf value of this game", leaves_of(so_far.game))(word)


def _sampled(now: GrowSettings) -> bool:
    return now.sampled


def _grows(now: GrowSettings) -> bool:
    return now.game not in HIDDEN


@dataclass(frozen=True)
class GrowSettings(Settings):
    """Everything a link restores; the field names are the words in the address.

    >>> GrowSettings.from_query({"game": "kuhn", "scale": "2"})[0].query()
    'game=kuhn&scale=2'
    """

    left_out = "The link's word {name} was left out: {problem}."

    game: str = setting(
        "holdem", one_of("game", TITLES), "Game", "Hold'em is sampled, the rest exact.",
        options={title: name for name, title in TITLES.items()}, always=True,
    )  # fmt: skip
    players: int = setting(
        6, whole_number("number of players", 2, MOST_PLAYERS), "Players", "2 to 10.", shown=_sampled
    )
    stack: str = setting(
        "100", _text(read_stacks), "Stacks",
        "In big blinds: one for all, or one for each seat from the small blind on.", shown=_sampled,
    )  # fmt: skip
    blinds: str = setting(
        "0.5, 1", _text(read_blinds), "Blinds",
        "The small and the big blind, in the unit of the stacks: 0.5, 1.", shown=_sampled,
    )  # fmt: skip
    betting: str = setting(
        "no-limit", one_of("betting", BETTING), "Betting", "No-limit with the bets below, or fixed limit.",
        options=_menu(BETTING), shown=_sampled,
    )  # fmt: skip
    bets: str = setting(
        "1", _text(read_bets), "Bets",
        "Fractions of the pot; add all-in to allow it at any time: 0.5, 1, all-in.", shown=_sampled,
    )  # fmt: skip
    raises: int = setting(
        3, whole_number("number of raises", 1, 20), "Raises",
        "Bets and raises a street; the big blind counts as one.", shown=_sampled,
    )  # fmt: skip
    buckets: str = setting(
        "5", _text(read_buckets), "Buckets",
        "How many kinds of flop, turn and river a player tells apart, by exact strength. Or suits: all 1,755 "
        "flops that differ in more than the names of suits; suits 8 has 8 kinds of turn and river after.",
        shown=_sampled,
    )  # fmt: skip
    holdings: str = setting(
        "classes", one_of("kind of holdings", HOLDINGS), "Holdings",
        "A tree for each of 169 classes, or of 1,326 combos.", options=_menu(HOLDINGS), shown=_sampled,
    )  # fmt: skip
    squash: str = setting(
        "tanh", one_of("squash", SQUASHES), "Squash",
        "What squeezes EV into -1 to 1; the document says tanh.", options=_menu(SQUASHES),
    )  # fmt: skip
    scale: float = setting(
        1.0, decimal("scale"), "Scale", "EV is divided by this before it is squashed, in the game's unit."
    )
    ev: str = setting(
        "as written", one_of("kind of EV", EV_KINDS), "EV",
        "As written, less the node's own EV, or times how often others come there.", options=_menu(EV_KINDS),
    )  # fmt: skip
    baseline: str = setting(
        "start", one_of("baseline", BASELINES), "Counted from",
        "Chips from the start of the hand, or from the node on.", options=_menu(BASELINES),
    )  # fmt: skip
    floor: float = setting(
        0.0, decimal("floor"), "Floor", "No probability falls below this; 0 is as written."
    )
    tolerance: float = setting(
        0.0, decimal("tolerance"), "Tolerance",
        "Its own test of convergence: no probability moves by more in a sweep.",
    )  # fmt: skip
    test: str = setting(
        "absolute", one_of("test of convergence", TESTS), "Test",
        "What the tolerance is held against: the largest change of a probability, absolute or relative to "
        "what it was.", options=_menu(TESTS),
    )  # fmt: skip
    order: str = setting(
        "reach", one_of("order", ORDERS), "Grow by",
        "Reach first and EV second, as the document suggests; EV first; what is at stake, reach times EV; or "
        "age: breadth first, whatever happens there.", options=_menu(ORDERS), shown=_grows,
    )  # fmt: skip
    k: int = setting(
        6, whole_number("k"), "k", "How many leaves of each position grow after an epoch.", shown=_grows
    )
    weighting: str = setting(
        "combos", one_of("weighting", WEIGHTINGS), "Weigh hands by",
        "When leaves are compared by reach: each class as one of its combos, or with all its 6, 4 or 12.",
        options=_menu(WEIGHTINGS),
        shown=lambda now: now.sampled and now.holdings == "classes",  # combos all weigh the same
    )  # fmt: skip
    sweeps: int = setting(
        6,
        whole_number("number of sweeps"),
        "Sweeps",
        "Rebalances in an epoch, before the trees grow.",
        shown=_grows,
    )
    deals: int = setting(
        200, whole_number("number of deals"), "Deals a tree",
        "Sampled hands for each (position, holding), shared by all its leaves.", shown=_sampled,
    )  # fmt: skip
    leaf: str = setting(
        "showdown", _read_leaf, "A leaf is worth",
        "A showdown; a rollout, playing on as now and at random beyond the trees; random play from there on; "
        "or the value of the solved game.",
        options=lambda now: _menu(leaves_of(now.game)), shown=_grows, depends=True,
    )  # fmt: skip
    uncalled: str = setting(
        "matched", one_of("rule for uncalled bets", UNCALLED), "Uncalled bets",
        "Where cards are shown early: live players match the largest bet, or what nobody called goes back.",
        options=_menu(UNCALLED), shown=lambda now: _grows(now) and now.leaf == "showdown",
    )  # fmt: skip
    start: float = setting(
        0.6, decimal("start"), "Start", "The first player's probability of the first action.",
        shown=lambda now: not _grows(now),
    )  # fmt: skip
    seed: int = setting(
        0, whole_number("seed"), "Seed", "The same seed deals the same hands.", shown=_sampled
    )

    def follow(self, name: str) -> GrowSettings:
        """A game that knows no such leaf opens with a showdown."""
        return self if self.leaf in leaves_of(self.game) else replace(self, leaf=LEAVES[0])

    def usable(self, most_bytes: int = 2**28) -> tuple[GrowSettings, GrowingRun, list[str]]:
        """This choice without the words that make no game, its trees, and a sentence for each such word."""
        try:
            return self, self.growing(most_bytes), []
        except SolverlabError as problem:
            words = [f.name for f in fields(self) if getattr(self, f.name) != f.default and f.name != "game"]
            for name in words:  # mostly one word is wrong, and the others mean something only together
                chosen = replace(self, **{name: getattr(GrowSettings, name)})
                try:
                    return chosen, chosen.growing(most_bytes), [self.told(name, problem)]
                except SolverlabError:
                    continue
        return self._gathered(words, most_bytes)

    def _gathered(self, words: list[str], most_bytes: int) -> tuple[GrowSettings, GrowingRun, list[str]]:
        """The game alone, and of these words one after the other whichever still makes a game."""
        chosen, complaints = GrowSettings(game=self.game), []
        made = chosen.growing(most_bytes)
        for name in words:
            wanted = replace(chosen, **{name: getattr(self, name)})
            try:
                chosen, made = wanted, wanted.growing(most_bytes)
            except SolverlabError as problem:
                complaints.append(self.told(name, problem))
        return chosen, made, complaints

    @property
    def sampled(self) -> bool:
        return self.game == "holdem"

    def rule(self) -> Config:
        """The settings of a solver that may change midway."""
        frontier = None if self.game in HIDDEN else ORDERS[self.order](self.k)
        others = ("order", "k") if self.sampled else ("order", "k", "weighting")
        return {name: getattr(self, name) for name in RULE if name not in others} | {"frontier": frontier}

    def differences(self, other: GrowSettings) -> list[str]:
        """How another choice's rule differs, in words."""
        return [
            f"{name} {written(getattr(self, name))} → {written(getattr(other, name))}"
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

    def growing(self, most_bytes: int = 2**28) -> GrowingRun:
        """The trees this choice grows, at their beginning, if their deals fit into so much memory."""
        if self.sampled:
            table = self.table()
            check_sample(table, self.deals, most_bytes)
            leaf: object = RandomPlay() if self.leaf == "random play" else self.leaf
            forest = Rebalance(table, samples=self.deals, rng=self.seed, leaf=leaf, **self.rule())
            return watched(forest)
        game = game_named(self.game)
        if self.game in HIDDEN:
            return watched(Rebalance(game, start=self.start, **self.rule()))
        leaf = uniform_policy(game) if self.leaf == "random play" else self.leaf
        return watched(growing(game, leaf=leaf, returned=self.uncalled == "returned", **self.rule()))
