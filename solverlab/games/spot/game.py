"""A heads-up postflop spot: a board, a pot, stacks, two ranges, and what may be bet."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Self

import numpy as np

from solverlab.cards.cards import COMBOS, Cards, card_text, cards_text, parse_board, parse_cards
from solverlab.cards.isomorphism import HOLE_PERM, INVERSE, PERMS
from solverlab.cards.ranges import Range, pairs_mass
from solverlab.cards.spot_boards import Dealt, boards_of_deals, deals_of_spot
from solverlab.core.abilities import Measured
from solverlab.core.boards.game import Place
from solverlab.core.boards.policy import BoardPolicy
from solverlab.core.boards.shape import NEXT, Boards, Round
from solverlab.core.boards.walk import Walk
from solverlab.core.errors import BadValue, UnknownName, told
from solverlab.core.rows import Config
from solverlab.games.betting.table import Betting, Street
from solverlab.games.spot.cheaper import cheaper_spots, check_fits
from solverlab.games.spot.menus import PLAYERS, ROUNDS, Menus, check_bets, menu_of_round
from solverlab.games.spot.rounds import Betted, Line, Rake, rounds_of
from solverlab.games.spot.size import SpotSize, size_of

MOST_CHIPS = 1_000_000_000
Hands = str | Range | np.ndarray


class Spot:
    """Two players, one of them first to act on every round, with ranges of their own.

    `bets` and `raises` are menus such as `"60%, e, a"` (docs/betting.md): one for everybody, a pair
    (first to act, last to act), or by round, as in `{"flop": "33%", "river": ("75%, a", "a")}`. Chips are
    whole numbers. Values are chips won beyond half of the pot. `rake` is a part of every pot won, up to
    `rake_cap` chips. Deals that differ only in the names of suits are solved once, unless `merge_suits`
    is off. Forests and boards are built when they are first asked for; a spot whose solver would take more
    than `most_bytes` (None: the memory that is free) is refused at once, with menus that take less.

    >>> spot = Spot("Td9d6hQc3s", 200, 900, ("66+, AJs+", "QQ-22, KJs+"), bets="60%", raises="2.5x")
    >>> spot
    Spot Td 9d 6h Qc 3s: pot 200, stack 900, 53 x 58 hands, 1 board, 27 nodes
    >>> spot.actions(spot.place("bet 120"))
    ['fold', 'call', 'raise 300']
    """

    name = "postflop spot"
    n_players = 2

    def __init__(
        self,
        board: Cards,
        pot: float,
        stack: float,
        ranges: tuple[Hands, Hands] = ("random", "random"),
        bets: Menus = "50%, 100%, a",
        raises: Menus = "2.5x, a",
        donk: Menus | None = None,
        add_allin: float = 0.0,
        force_allin: float = 0.0,
        merge: float = 0.0,
        cap: int | None = None,
        rake: float = 0.0,
        rake_cap: float = 0.0,
        merge_suits: bool = True,
        most_bytes: float | None = None,
    ):
        self.board = parse_board(board, tuple(ROUNDS))
        self.pot, self.stack = check_chips("pot", pot), check_chips("stack", stack)
        self.hands = _two_ranges(ranges, self.board)
        self.bets, self.raises, self.donk, self.merge_suits = bets, raises, donk, merge_suits
        self.add_allin, self.force_allin, self.merge, self.cap = add_allin, force_allin, merge, cap
        self.rake = _check_rake(rake, rake_cap)
        self.betting = self._row()
        self.mass = pairs_mass(self._weights)
        if self.mass <= 0:
            raise BadValue("the two ranges share their cards, so no deal is left; widen one of them")
        check_bets(self)
        check_fits(self, most_bytes)

    # ---- what is built when it is asked for ----------------------------------------------------------------

    @cached_property
    def size(self) -> SpotSize:
        """How large the spot is; nothing is built for it."""
        return size_of(self)

    @cached_property
    def deals(self) -> list[list[Dealt]]:
        """Kept boards of every round."""
        return deals_of_spot(self.board, self._weights, self.merge_suits)

    @cached_property
    def _betted(self) -> list[Betted]:
        return rounds_of(self.betting, self.rake)

    @cached_property
    def rounds(self) -> tuple[Round, ...]:
        """The betting of every round."""
        return tuple(one.betting for one in self._betted)

    @cached_property
    def lines(self) -> tuple[list[Line], ...]:
        """What the nodes of every round are called."""
        return tuple(one.lines for one in self._betted)

    @cached_property
    def boards(self) -> tuple[Boards, ...]:
        """Boards of every round, with the places of all hands."""
        return boards_of_deals(self.deals, self._weights)

    @cached_property
    def ranges(self) -> np.ndarray:
        """Weights of the columns of the first board, float32[2, W]."""
        ranges = np.zeros((2, int(self.boards[0].width.max())), np.float32)
        for player in range(2):
            combos = self._combos(Place(0, 0, 0, 0), player)
            ranges[player, : len(combos)] = self._weights[player, combos]
        return ranges

    @property
    def round_names(self) -> tuple[str, ...]:
        """The rounds that are still to be played."""
        return ROUNDS[len(self.board)]

    @property
    def _weights(self) -> np.ndarray:
        return np.stack([hands.weight for hands in self.hands])

    def _row(self) -> Betting:
        """The spot's betting: half of the pot is an ante of each."""
        half = self.pot / 2
        return Betting(
            stacks=(half + self.stack,) * 2,
            streets=tuple(self._street(name) for name in self.round_names),
            antes=(half, half),
            least_bet=1.0,
            unit=1.0,
            beyond="all-in",
            add_allin=self.add_allin,
            force_allin=self.force_allin,
            merge=self.merge,
        )

    def _street(self, name: str) -> Street:
        bets, raises = menu_of_round(self.bets, name, "bets"), menu_of_round(self.raises, name, "raises")
        donks = None if self.donk is None else menu_of_round(self.donk, name, "donk")
        return Street(bets, raises, cap=self.cap, donk=donks)

    # ---- what others ask -----------------------------------------------------------------------------------

    def measure(self, policy: BoardPolicy) -> Measured:
        """Values and exact best responses of both players."""
        return Walk(self, policy.tables, policy.tables).measured()

    def config(self) -> Config:
        return {
            "game": "spot",
            "board": cards_text(self.board),
            "pot": self.pot,
            "stack": self.stack,
            "ranges": [hands.text or hands.weight.tolist() for hands in self.hands],
            "bets": self.bets,
            "raises": self.raises,
            "donk": self.donk,
            "add_allin": self.add_allin,
            "force_allin": self.force_allin,
            "merge": self.merge,
            "cap": self.cap,
            "rake": self.rake.rate,
            "rake_cap": self.rake.cap,
            "merge_suits": self.merge_suits,
        }

    def changed(self, **settings: Any) -> Self:
        """The same spot with other settings, named as they are above."""
        config = {name: value for name, value in self.config().items() if name != "game"}
        # A range keeps its text: another board may leave hands that this one takes.
        config["ranges"] = tuple(hands.text or hands for hands in self.hands)
        return type(self)(**{**config, **settings})

    def cheaper(self, most_bytes: float) -> list[tuple[str, int]]:
        """Settings that make its solver smaller, and the bytes each takes: three that fit, if there are."""
        return cheaper_spots(self, most_bytes)

    def place(self, path: str) -> Place:
        """The node that a line such as `check/bet 120/call/Qc` leads to."""
        place = Place(0, 0, 0, 0)
        for step in (step.strip() for step in str(path).split("/") if step.strip()):
            betting = self.rounds[place.round]
            if betting.kind[place.node] == NEXT:
                place = self._deal(place, step, path)
                continue
            offered = self.actions(place)
            if step not in offered:
                raise UnknownName("action", step, offered or ["nothing: the hand is over"])
            place = place._replace(node=int(betting.first[place.node]) + offered.index(step))
        return place

    def _deal(self, place: Place, step: str, path: str) -> Place:
        """The board after one more card, found through a renaming of suits if it is not stored itself."""
        cards = parse_cards(step)
        if len(cards) != 1:
            raise BadValue(f"{told(step)} in {told(path)} is no card; here one is dealt, such as Qc")
        card = cards[0] // 4 * 4 + int(PERMS[place.renaming, cards[0] % 4])
        below = self.boards[place.round].below
        for board in range(below[place.board], below[place.board + 1]):
            deal = self.deals[place.round + 1][board]
            for image in deal.images:
                if deal.cards[-1] // 4 * 4 + PERMS[image, deal.cards[-1] % 4] == card:
                    leaf = int(np.searchsorted(self.rounds[place.round].leaves, place.node))
                    return Place(place.round + 1, board, leaf, _after(place.renaming, int(INVERSE[image])))
        raise BadValue(f"{card_text(cards[0])} is on the board already; deal another card")

    def actions(self, place: Place) -> list[str]:
        """What can be done at a node."""
        betting = self.rounds[place.round]
        first, count = int(betting.first[place.node]), int(betting.count[place.node])
        return [self.lines[place.round][node].label for node in range(first, first + count)]

    def columns(self, place: Place, player: int) -> list[str]:
        """The hands of a player's columns, the higher card first."""
        back = HOLE_PERM[INVERSE[place.renaming]]
        return [cards_text(COMBOS[back[combo]][::-1]) for combo in self._combos(place, player)]

    def cards_left(self, place: Place) -> list[str]:
        """The cards that can be dealt on the board there, as they were named, aces first."""
        named = PERMS[INVERSE[place.renaming]]
        board = {card // 4 * 4 + int(named[card % 4]) for card in self.deals[place.round][place.board].cards}
        return [card_text(card) for card in range(51, -1, -1) if card not in board]

    def paid(self, place: Place) -> tuple[float, ...]:
        """Chips that each player has put in by then, half of the first pot included."""
        return self.lines[place.round][place.node].state.paid

    def _combos(self, place: Place, player: int) -> np.ndarray:
        boards = self.boards[place.round]
        start = boards.start[player, place.board]
        return boards.combo[start : start + boards.size[player, place.board]]

    def __repr__(self) -> str:
        hands = " x ".join(str(int(hands)) for hands in self.size.rounds[0].room.size[:, 0])
        boards = sum(one.boards for one in self.size.rounds)
        nodes = sum(one.betting.nodes for one in self.size.rounds)
        dealt = f"{boards:,} board{'s' if boards > 1 else ''}"
        cards = " ".join(card_text(card) for card in self.board)
        return (
            f"Spot {cards}: pot {self.pot:g}, stack {self.stack:g}, {hands} hands, {dealt}, {nodes:,} nodes"
        )


def _after(first: int, then: int) -> int:
    """The number of one renaming followed by another."""
    both = PERMS[then][PERMS[first]]
    return int(np.flatnonzero((PERMS == both).all(1))[0])


def check_chips(label: str, chips: object) -> float:
    """A number of chips above 0."""
    number = isinstance(chips, int | float | np.number) and not isinstance(chips, bool)
    amount = float(chips) if number and abs(chips) <= MOST_CHIPS else math.nan  # type: ignore[arg-type]
    if not 0 < amount:
        raise BadValue(
            f"a {label} of {told(chips)} cannot be played; give chips above 0, at most {MOST_CHIPS:,}"
        )
    return amount


def _check_rake(rate: float, cap: float) -> Rake:
    if not (0 <= rate < 1) or not (0 <= cap <= MOST_CHIPS):
        raise BadValue(
            f"a rake of {told(rate)} up to {told(cap)} chips is none; give a part from 0 to 1 (5 % is 0.05), "
            "and a cap of at least 0"
        )
    return Rake(float(rate), float(cap))


def _two_ranges(ranges: Sequence[Hands], board: Sequence[int]) -> tuple[Range, Range]:
    if isinstance(ranges, str) or len(ranges) != 2:
        raise BadValue(f"{told(ranges)} is not two ranges; give a pair: first to act, then last to act")
    one, other = (_range(hands, board, player) for player, hands in enumerate(ranges))
    return one, other


def _range(hands: Hands, board: Sequence[int], player: int) -> Range:
    """A player's range without what the board holds."""
    given = hands if isinstance(hands, Range) else Range(hands)
    left = given.without(board)
    if left.combos <= 0:
        raise BadValue(
            f"the range of the player {PLAYERS[player]} is empty on {cards_text(board)}; add hands"
        )
    left.text = given.text
    return left
