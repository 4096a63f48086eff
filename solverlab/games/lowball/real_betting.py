"""The real draw game with more than push or fold: a limp, raises, and betting after the draw.

Without a limp, without raises and without bets this is push/fold itself. The rules are those of the smaller
rungs (`betting.py`), whose cards and discards are left out here: what remains is a small tree, the same for
every hand.
"""

from __future__ import annotations

from collections.abc import Sequence

from solverlab.core.draw_game import Act, Draw, DrawNode, Paid, Show
from solverlab.core.draw_paths import decisions, joined
from solverlab.core.errors import BadValue
from solverlab.core.rows import Config, Setting
from solverlab.games.lowball.betting import SIZE_LETTERS, DrawRounds, State
from solverlab.games.lowball.deck import Discards
from solverlab.games.lowball.real import BIG_BLIND, RealLowball
from solverlab.games.lowball.rules import RANKS, LowballRules

ANY_DISCARD = Discards(("draw",), (0,), ())  # which cards go is no matter of betting


class BettingLowball(RealLowball):
    """The real draw game with a betting tree, `self.root`, before and after the draw.

    `raises` are totals to raise to before the draw, `bets` parts of the pot to bet after it; all-in is always
    there. With `reraise` a limp, a raise and a bet may be raised again, as in `sl.Lowball`; without it a limp
    and a raise are answered by no more than all-in, and a bet after the draw is called or folded to.

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
        reraise: bool = False,
        **deck: Setting,
    ):
        super().__init__(stack, **deck)
        if self.stack <= BIG_BLIND:
            raise BadValue(f"a stack of {stack!r} big blinds leaves nothing to bet with; give more than 1")
        for size in raises:
            if not BIG_BLIND < size < self.stack:
                raise BadValue(f"a raise to {size!r} lies outside 1 (a limp) and {self.stack:g} (all in)")
        for part in bets:
            if not 0 < part < 100:
                raise BadValue(f"a bet of {part!r} times the pot cannot be made; give a fraction above 0")
        if max(len(raises), len(bets)) > len(SIZE_LETTERS):
            raise BadValue(f"{len(raises)} raises and {len(bets)} bets are too many; give fewer sizes")
        self.limp, self.raises, self.bets = bool(limp), tuple(raises), tuple(bets)
        self.reraise = bool(reraise)
        self.root, self.histories = betting_tree(self.rules(), self.reraise)

    def config(self) -> Config:
        sizes = {"raises": list(self.raises), "bets": list(self.bets)}
        return {**super().config(), "limp": self.limp, **sizes, "reraise": self.reraise}

    @property
    def name(self) -> str:
        more = ["limp"] if self.limp else []
        more += [f"raise to {size:g}" for size in self.raises]
        more += [f"bet {part:g} pot after the draw" for part in self.bets]
        more += ["raises raised again"] if self.reraise else []
        return super().name + (f", with {', '.join(more)}" if more else "")

    def sizes(self) -> dict[str, int]:
        """How large the game is, all lines of betting counted; after a draw hands of one strength are one."""
        hands, masks, counts = len(self.sets.hands), 1 << self.cards, self.cards + 1
        tied, drawing = counts**2 * (int(self.sets.strength.max()) + 1), hands * (1 + counts)
        found, entries = 0, 0
        for place in decisions(self.root):
            rows = drawing if place.player < 0 else tied if place.after_draw else hands
            found += rows
            entries += rows * (masks if place.player < 0 else len(place.actions))
        return {**super().sizes(), "decisions": found, "table entries": entries}

    def rules(self) -> LowballRules:
        """What was agreed, as the smaller rungs write it down."""
        bets = tuple(sorted(set(self.bets)))
        deck = (self.cards, self.per_rank, RANKS, "free", "real" if self.suits else "ranks")
        return LowballRules(self.stack, *deck, self.limp, self.raises, bets)


def betting_tree(rules: LowballRules, reraise: bool = True) -> tuple[Act, dict[str, str]]:
    """The betting of a game, whatever the cards, and the history that each of its decisions has.

    Histories are those of the smaller rungs, a letter an action; of the two draws, which would be a digit
    each, nothing is said.

    >>> root, histories = betting_tree(LowballRules(4.0, 5, 4, RANKS, "free", "real", True, (), (1.0,)))
    >>> histories["limp"], histories["push/call"], histories["limp/check|check"]
    ('c', 'aa', 'ckk')
    """
    histories: dict[str, str] = {}
    rounds = DrawRounds(rules, ANY_DISCARD, reraise)
    root = _grown(rounds, rounds.start(), "", histories)
    assert isinstance(root, Act)
    return root, histories


def _grown(betting: DrawRounds, state: State, name: str, histories: dict[str, str]) -> DrawNode:
    """What may follow a state, both draws taken as one step."""
    histories[name] = "".join(letter for letter in state.history if letter.isalpha())
    if betting.drawing(state):
        return Draw(_grown(betting, betting.drawn_by_both(state), f"{name}|", histories))
    choice = betting.children(state)
    if choice is None:
        button, big_blind = state.paid
        return Show(button) if state.folded < 0 else Paid(-button if state.folded == 0 else big_blind)
    words = [_word(label, state, betting.rules.stack) for label in choice.following]
    after = zip(words, choice.following.values(), strict=True)
    return Act(
        choice.player,
        {word: _grown(betting, child, joined(name, word), histories) for word, child in after},
    )


def _word(label: str, state: State, stack: float) -> str:
    """An all-in by what it does: a bet after the draw, a raise ("push"), or a call."""
    if label != "all-in":
        return label
    level = max(state.paid)
    if level >= stack:
        return "call"
    return f"bet {stack - level:g}" if state.drawn and min(state.paid) == level else "push"
