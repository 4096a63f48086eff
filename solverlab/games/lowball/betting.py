"""What may follow what in a 2-to-7 game: bets before the draw, two draws, and perhaps bets after it.

The button posts 0.5 and acts first; the big blind posts 1, draws first and, where there is betting after the
draw, speaks first. Amounts are in big blinds and count everything a player has put in, the blind included.
"""

from __future__ import annotations

from typing import NamedTuple

from solverlab.core.tree import Choice
from solverlab.games.betting.raising import NOBODY
from solverlab.games.betting.sizes import ALL, pot, to
from solverlab.games.betting.states import State as BettingState
from solverlab.games.betting.states import act, choices, first_state, open_street
from solverlab.games.betting.table import Betting, Street, Words
from solverlab.games.lowball.deck import Discards
from solverlab.games.lowball.rules import BLINDS, RAISE_LETTERS, LowballRules

BUTTON, BIG_BLIND = 0, 1
SIZE_LETTERS = RAISE_LETTERS + "uvwstqponmlj"  # in a history; the small rungs take the first few
WORDS = Words(limp="limp", called="all-in", bet="bet {by:g}", raises="raise {to:g}")
LETTERS = {"fold": "f", "check": "k", "limp": "c", "call": "c", "all-in": "a"}


class State(NamedTuple):
    """A moment of the game, whatever the cards: what was put in, said and thrown away."""

    bets: BettingState
    history: str = ""  # a letter an action, a digit a draw
    drawn: tuple[int, ...] = ()  # choice of discard, big blind first

    @property
    def paid(self) -> tuple[float, ...]:
        return self.bets.paid

    @property
    def folded(self) -> int:
        """Who folded; -1 where nobody did."""
        return next(iter(self.bets.folded), -1)

    @property
    def drawing(self) -> bool:
        """Whether the player to act throws cards away: the bets are made and a draw is still to come."""
        return len(self.drawn) < 2 and self.bets.actor == NOBODY and self.folded < 0

    @property
    def turn(self) -> int:
        """Who acts; -1 where the game has ended."""
        if self.drawing:
            return BUTTON if self.drawn else BIG_BLIND
        return self.bets.actor


def betting_row(rules: LowballRules, reraise: bool = True) -> Betting:
    """Bets before the draw, and after it where the rules have any.

    Raises before the draw are totals, left out where they would be no full raise. Without `reraise` sizes
    belong to the first to raise: a limp and a raise are answered by no more than all-in, and a bet after the
    draw is called or folded to.
    """
    sizes = (*map(to, rules.raises), ALL)
    before = Street(
        raises=sizes if reraise else [sizes, (ALL,)],
        first=BUTTON,
        limp=rules.limp,
        small="drop" if reraise else "free",
    )
    bets = tuple(map(pot, rules.after_draw))
    after = Street(bet=bets, raises=(ALL,) if reraise else (), first=BIG_BLIND, small="free")
    return Betting(
        stacks=(rules.stack, rules.stack),
        blinds=BLINDS,
        streets=(before, after) if bets else (before,),
        beyond="all-in",
        words=WORDS,
    )


class DrawRounds:
    """What may follow a state, for given rules and choices of discard: bets, both draws, bets again."""

    def __init__(self, rules: LowballRules, discards: Discards, reraise: bool = True):
        self.rules, self.discards = rules, discards
        self.row = betting_row(rules, reraise)

    def start(self) -> State:
        return State(first_state(self.row))

    def children(self, state: State) -> Choice | None:
        """Who acts and what can follow; None where the game has ended."""
        if state.turn < 0:
            return None
        if state.drawing:
            drawn = {label: self._draw(state, choice) for choice, label in enumerate(self.discards.labels)}
            return Choice(state.turn, drawn)
        return Choice(state.turn, self._bets(state))

    def drawing(self, state: State) -> bool:
        """Whether the player to act throws cards away."""
        return state.drawing

    def sees(self, state: State) -> tuple[str, int]:
        """What the player to act knows besides the own cards: all that was said, and the own discard."""
        own = len(state.drawn) > 1 - state.turn
        return state.history, state.drawn[1 - state.turn] if own else -1

    def cards_drawn(self, state: State) -> int:
        """How many new cards the player to act has looked at."""
        mine = self.sees(state)[1]
        return self.discards.counts[mine] if mine >= 0 else 0

    def drawn_by_both(self, state: State, choice: int = 0) -> State:
        """The state after both draws, where it does not matter which cards went."""
        return self._draw(self._draw(state, choice), choice)

    def _bets(self, state: State) -> dict[str, State]:
        offered = choices(self.row, state.bets)
        said = self._letters(state, list(offered))
        return {
            label: state._replace(bets=act(self.row, state.bets, total), history=state.history + letter)
            for (label, total), letter in zip(offered.items(), said, strict=True)
        }

    def _letters(self, state: State, labels: list[str]) -> list[str]:
        """A letter an action: sizes before the draw by their place in the rules, bets after it as listed."""
        names = [f"raise {size:g}" for size in self.rules.raises]
        if state.drawn:
            names = [label for label in labels if label not in LETTERS]
        return [LETTERS.get(label) or SIZE_LETTERS[names.index(label)] for label in labels]

    def _draw(self, state: State, choice: int) -> State:
        said = state.history + str(self.discards.counts[choice])
        after = State(state.bets, said, (*state.drawn, choice))
        if len(after.drawn) == 2 and after.bets.deals:
            return after._replace(bets=open_street(self.row, after.bets))
        return after
