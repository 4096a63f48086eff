"""Hold'em for any table as a game that is dealt, not written out: betting states, and deals in batches.

The whole tree of six-handed hold'em fits nowhere, so nothing is built before it is asked for: `open` adds the
states that follow one state, `rows` hands all known states to a kernel, `draw` deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from solverlab.cards.cards import COMBOS, cards_text
from solverlab.cards.dealing import Hands, deal_after_flops, deal_groups, deal_hands
from solverlab.cards.hand_classes import CLASS_NAMES, CLASS_SIZE, HAND_CLASS
from solverlab.core.dealt_game import BettingRows, Deals, RandomEnds
from solverlab.core.errors import BadValue, UnknownName, check_flag
from solverlab.core.rows import Config
from solverlab.games.betting.numbers import menu_of
from solverlab.games.betting.playing import random_ends
from solverlab.games.betting.pots import Pots, pots
from solverlab.games.betting.states import State, first_state, following
from solverlab.games.holdem.buckets import Buckets
from solverlab.games.holdem.rules import HoldemRules
from solverlab.games.holdem.strength import bucketing_of

EARLY = ("small blind", "big blind", "under the gun", "UTG+1", "UTG+2", "UTG+3")
LATE = ("lojack", "hijack", "cutoff")
HOLDINGS = ("classes", "combos")
KNOWN = (
    "buckets", "betting", "bets", "allin", "blinds", "max_raises", "holdings", "match", "full_blind",
)  # fmt: skip


class Holdem:
    """A hold'em table in big blinds; seat 0 is the small blind (heads-up also the button).

    `stack` is one number, or one for each seat. No-limit and pot-limit offer `bets` as fractions of the pot,
    and all-in with `allin`. `max_raises` is the number of bets a street, the big blind being the first, or
    for each street what players may add to the blinds: 4 is (3, 4, 4, 4). With `full_blind` a call costs the
    whole big blind even if its seat has less. `holdings` are the 169 classes or all 1,326 combos. `match`:
    where a hand stops early, live seats match the largest bet; otherwise the uncalled part goes back.
    `buckets` says which flops, turns and rivers a player tells apart: a number of percentiles by exact E[HS]
    (tables are opened, or built in half a minute, when a tree first sees a flop), a bucketing of your own
    (`SuitClasses()`, `MadeHands(5)`), or None for made hands, which need no table.

    >>> game = Holdem(players=6, stack=100)
    >>> game
    6-handed no-limit hold'em: 100 big blinds, 169 hands
    >>> game.names_of(0), game.seats[int(game.rows().actor[0])]
    (['fold', 'call', 'raise 100%', 'all-in'], 'under the gun')
    """

    def __init__(
        self,
        players: int = 2,
        stack: float | Sequence[float] = 100.0,
        buckets: int | Buckets | Config | None = 5,
        betting: str = "no-limit",
        bets: Sequence[float] = (1.0,),
        allin: bool = True,
        blinds: Sequence[float] = (0.5, 1.0),
        max_raises: int | Sequence[int] = 4,
        holdings: str = "classes",
        match: bool = True,
        full_blind: bool = False,
        **unknown: object,
    ):
        for name in unknown:
            raise UnknownName("setting of sl.Holdem", name, sorted(KNOWN))
        flags = check_flag("allin", allin), check_flag("full_blind", full_blind)
        self.rules = HoldemRules.checked(
            players, stack, betting, bets, flags[0], blinds, max_raises, flags[1]
        )
        if holdings not in HOLDINGS:
            raise BadValue(f"holdings are {holdings!r}; write 'classes' (169) or 'combos' (1,326)")
        self.holdings, self.match = holdings, check_flag("match", match)
        self.buckets = bucketing_of(buckets)
        self.n_players = self.rules.players
        self.name = f"{players}-handed {betting} hold'em"
        self.seats = seat_names(self.n_players)
        self._states: list[State] = [first_state(self.rules.row)]
        self._labels: list[list[str]] = [[]]
        self._first: list[int] = [0]
        self._pots: list[Pots] = []
        self._rows: BettingRows | None = None
        self._ends: tuple[tuple[int, tuple[int, ...]] | None, dict[int, tuple[np.ndarray, np.ndarray]]] = (
            None,
            {},
        )
        self._hold_cards()

    def _hold_cards(self) -> None:
        classes = self.holdings == "classes"
        self.hand_of_combo = HAND_CLASS.astype(np.uint16) if classes else np.arange(1326, dtype=np.uint16)
        self.hand_combos = CLASS_SIZE if classes else np.ones(1326, np.int64)
        # A class is dealt as one of its combos: suits have no names, so any of them stands for all.
        self.hand_cards = COMBOS[np.unique(self.hand_of_combo, return_index=True)[1]]
        combos = tuple(cards_text(pair[::-1]) for pair in COMBOS)
        self.hand_names = CLASS_NAMES if classes else combos

    # ---- betting -------------------------------------------------------------------------------------------

    def open(self, state: int) -> range:
        """Make sure that the states after one state are known: their numbers, empty where the hand ends."""
        if not 0 <= state < len(self._states):
            raise UnknownName("betting state", state, [f"0 to {len(self._states) - 1}"])
        if not self._first[state]:
            after = following(self.rules.row, self._states[state])
            if not after:
                return range(0)
            self._first[state], self._labels[state] = len(self._states), list(after)
            self._states += after.values()
            self._labels += [[] for _ in after]
            self._first += [0] * len(after)
            self._rows = None
        return range(self._first[state], self._first[state] + len(self._labels[state]))

    def names_of(self, state: int) -> list[str]:
        """What can be done in a state, as labels: actions, the buckets of the street to come, or nothing."""
        self.open(state)
        row = self._states[state]
        if row.deals:
            return [self.buckets.name(row.street + 1, b) for b in range(self.buckets.count(row.street + 1))]
        return list(self._labels[state])

    @property
    def most_actions(self) -> int:
        """How many actions a decision offers at most."""
        sizes = 1 if self.rules.betting == "limit" else max(len(self.rules.bets) + self.rules.allin, 1)
        return 2 + sizes

    def street(self, state: int) -> int:
        """0 before the flop to 3 on the river."""
        return self._states[state].street

    def state(self, state: int) -> State:
        """A public state by number."""
        return self._states[state]

    def rows(self) -> BettingRows:
        """Every known state as arrays."""
        if self._rows is None:
            self._rows = self._make_rows()
        return self._rows

    def _make_rows(self) -> BettingRows:
        states = self._states
        layers = len(set(self.rules.stacks)) + 1
        self._pots += [pots(self.rules.row, state, self.match) for state in states[len(self._pots) :]]
        shown = self._pots
        amount, seats = np.zeros((len(states), layers)), np.zeros((len(states), layers), np.uint32)
        for s, pot in enumerate(shown):
            amount[s, : len(pot.amounts)] = pot.amounts
            seats[s, : len(pot.seats)] = [sum(1 << p for p in who) for who in pot.seats]
        return BettingRows(
            actor=np.array([state.actor for state in states], np.int8),
            deals=np.array([state.deals for state in states]),
            street=np.array([state.street for state in states], np.int8),
            live=np.array([sum(1 << p for p, on in enumerate(s.live) if on) for s in states], np.uint32),
            spent=np.array([state.paid for state in states]),
            paid=np.array([pot.paid for pot in shown]),
            amount=amount,
            seats=seats,
        )

    def random_ends(self, ways: int, seed: tuple[int, ...] = (0,)) -> RandomEnds:
        """How the hand ends if everybody plays on at random, `ways` times from every known state.

        >>> ends = Holdem(players=2, stack=5).random_ends(1000)
        >>> ends.paid.shape, float(ends.paid.max())
        ((1, 1000, 2), 5.0)
        """
        if self._ends[0] != (ways, seed):
            self._ends = (ways, seed), {}
        known, menu = self._ends[1], menu_of(self.rules.row)
        going = [s for s, state in enumerate(self._states) if state.actor >= 0 or state.deals]
        for s in going[len(known) :]:
            known[s] = random_ends(menu, self._states[s], ways, seed)
        place = np.full(len(self._states), -1, np.int32)
        place[going] = np.arange(len(going))
        return RandomEnds(place, *(np.stack([known[s][part] for s in going]) for part in (0, 1)))

    # ---- cards ---------------------------------------------------------------------------------------------

    def hand(self, hand: str | int) -> int:
        """The number of a holding given by name, such as 'AA' or, with combos, 'AhAd'."""
        if isinstance(hand, str):
            if hand not in self.hand_names:
                raise UnknownName("holding", hand, self.hand_names)
            return self.hand_names.index(hand)
        if not isinstance(hand, int | np.integer) or not 0 <= hand < len(self.hand_names):
            raise UnknownName("holding", hand, [f"0 to {len(self.hand_names) - 1}"])
        return int(hand)

    def draw(
        self,
        rng: np.random.Generator,
        n: int,
        fixed: tuple[int, str | int] | None = None,
        streets: int = 3,
    ) -> Deals:
        """Deal `n` hands, (seat, holding) `fixed` if given, with buckets for `streets` streets after preflop.

        >>> deals = Holdem(players=3).draw(np.random.default_rng(0), 100, fixed=(2, "AA"))
        >>> deals.info.shape, deals.rank.shape, set(deals.info[2, 0]) == {Holdem().hand("AA")}
        ((3, 4, 100), (3, 100), True)
        """
        seat, hole = (None, None) if fixed is None else (fixed[0], self.hand_cards[self.hand(fixed[1])])
        return self._labelled(deal_hands(rng, n, self.n_players, seat, hole), streets)

    def draw_groups(
        self, words: np.ndarray, n: int, seats: np.ndarray, holdings: np.ndarray, streets: int = 3
    ) -> Deals:
        """Deal `n` hands for each of G (seat, holding), group after group: the same as G calls of `draw`.

        `words` uint64[G, 4] are the groups' generators (`core.generator_words`), which move on.
        """
        own = self.hand_cards[holdings].astype(np.uint8)
        return self._labelled(deal_groups(words, n, self.n_players, seats, own), streets)

    def draw_flops(
        self, rng: np.random.Generator, n: int, seat: int, holding: int, streets: int = 3
    ) -> tuple[Deals, np.ndarray]:
        """Deal `n` hands on each flop that a (seat, holding) tells apart, and say how likely each is.

        Deals come flop bucket by flop bucket; odds float64[D] sum to 1, one deal's share of all.
        """
        own = self.hand_cards[holding]
        free = np.setdiff1d(np.arange(52), own)
        flops = free[np.array(list(combinations(range(50), 3)))].astype(np.uint8)
        held = np.broadcast_to(own.astype(np.uint8), (len(flops), 2))
        labels = self.buckets.labels(1, np.ascontiguousarray(held), flops)
        chosen, odds = [], []
        for bucket in np.unique(labels):
            seen = np.flatnonzero(labels == bucket)
            chosen.append(seen[(rng.random(n) * len(seen)).astype(np.int64)])
            odds.append(np.full(n, len(seen) / (len(flops) * n)))
        hands = deal_after_flops(rng, flops[np.concatenate(chosen)], self.n_players, seat, own)
        return self._labelled(hands, streets), np.concatenate(odds)

    def _labelled(self, hands: Hands, streets: int) -> Deals:
        """Cards as players see them: the holding, and a bucket for every street."""
        info = np.zeros((self.n_players, 4, len(hands.board)), np.uint16)
        one, other = hands.hole[:, :, 0].T.astype(np.int32), hands.hole[:, :, 1].T.astype(np.int32)
        high, low = np.maximum(one, other), np.minimum(one, other)
        info[:, 0] = self.hand_of_combo[(high * (high - 1) >> 1) + low]
        for street in range(1, streets + 1):
            board = np.ascontiguousarray(hands.board[:, : street + 2])
            for p in range(self.n_players):
                info[p, street] = self.buckets.labels(street, np.ascontiguousarray(hands.hole[:, p]), board)
            largest, count = info[:, street].max(initial=0), self.buckets.count(street)
            if largest >= count:  # compiled code trusts these numbers
                raise BadValue(
                    f"the bucketing gave bucket {largest} although street {street} counts {count}; number "
                    "buckets from 0 to below their count"
                )
        return Deals(info, np.ascontiguousarray(hands.rank.T))

    def config(self) -> Config:
        """What builds this table again, as JSON values."""
        rules = self.rules
        return {
            "game": "Holdem",
            "players": rules.players,
            "stack": list(rules.stacks),
            "betting": rules.betting,
            "bets": list(rules.bets),
            "allin": rules.allin,
            "blinds": list(rules.blinds),
            "max_raises": list(rules.caps) if isinstance(rules.max_raises, tuple) else rules.max_raises,
            "holdings": self.holdings,
            "match": self.match,
            "buckets": self.buckets.config(),
            # Said only where it matters, so that tables of before describe themselves as before.
            **({"full_blind": rules.full_blind} if rules.short_blind else {}),
        }

    def __repr__(self) -> str:
        stacks = self.rules.stacks if len(set(self.rules.stacks)) > 1 else self.rules.stacks[:1]
        return (
            f"{self.name}: {', '.join(f'{s:g}' for s in stacks)} big blinds, {len(self.hand_names):,} hands"
        )


def seat_names(players: int) -> tuple[str, ...]:
    """What players call the seats of a table, small blind first.

    >>> seat_names(3), seat_names(2)
    (('small blind', 'big blind', 'button'), ('button', 'big blind'))
    >>> seat_names(6)[2:]
    ('under the gun', 'hijack', 'cutoff', 'button')
    """
    if players == 2:
        return ("button", "big blind")
    late = min(max(players - 4, 0), len(LATE))
    return (*EARLY[: players - 1 - late], *LATE[len(LATE) - late :], "button")
