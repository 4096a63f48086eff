"""What may follow what in a 2-to-7 game: bets before the draw, two draws, and perhaps bets after it.

The button posts 0.5 and acts first; the big blind posts 1, draws first and, where there is betting after the
draw, speaks first. Amounts are in big blinds and count everything a player has put in, the blind included.
"""

from __future__ import annotations

from typing import NamedTuple

from solverlab.core.tree import Choice
from solverlab.games.lowball_deck import Discards
from solverlab.games.lowball_rules import BLINDS, RAISE_LETTERS, LowballRules

BUTTON, BIG_BLIND = 0, 1


class State(NamedTuple):
    """A moment of the game, whatever the cards: what was said, put in and thrown away."""

    history: str = ""  # a letter an action, a digit a draw
    turn: int = BUTTON  # who acts; -1 where the game has ended
    paid: tuple[float, float] = BLINDS
    step: float = BLINDS[1]  # the last raise, which the next one must match
    drawn: tuple[int, ...] = ()  # choice of discard, big blind first
    spoken: bool = False  # somebody has acted in this round of betting
    folded: int = -1


class Betting:
    """What may follow a state, for given rules and choices of discard."""

    def __init__(self, rules: LowballRules, discards: Discards):
        self.rules, self.discards = rules, discards

    def children(self, state: State) -> Choice | None:
        """Who acts and what can follow; None where the game has ended."""
        if state.turn < 0:
            return None
        if self.drawing(state):
            return Choice(state.turn, self._draws(state))
        return Choice(state.turn, self._bets_after(state) if state.drawn else self._bets_before(state))

    def drawing(self, state: State) -> bool:
        """Whether the player to act throws cards away: the bets are made and a draw is still to come."""
        return len(state.drawn) < 2 and state.paid[0] == state.paid[1] and not state.spoken

    def sees(self, state: State) -> tuple[str, int]:
        """What the player to act knows besides the own cards: all that was said, and the own discard."""
        own = len(state.drawn) > 1 - state.turn
        return state.history, state.drawn[1 - state.turn] if own else -1

    def cards_drawn(self, state: State) -> int:
        """How many new cards the player to act has looked at."""
        mine = self.sees(state)[1]
        return self.discards.counts[mine] if mine >= 0 else 0

    # ---- before the draw -----------------------------------------------------------------------------------

    def _bets_before(self, state: State) -> dict[str, State]:
        rules, me, level = self.rules, state.turn, max(state.paid)
        owes = level > state.paid[me]
        following = {"fold": self._fold(state)} if owes else {"check": self._match(state, "k")}
        if owes and level < rules.stack and (state.spoken or rules.limp):
            following["call" if state.spoken else "limp"] = self._match(state, "c")
        for letter, size in zip(RAISE_LETTERS, rules.raises, strict=False):
            if size >= level + state.step:
                following[f"raise {size:g}"] = self._raise(state, letter, size)
        following["all-in"] = self._all_in(state)
        return following

    def _fold(self, state: State) -> State:
        return state._replace(history=state.history + "f", turn=-1, folded=state.turn)

    def _match(self, state: State, letter: str) -> State:
        """Put in what the other has; a limp leaves the big blind to speak, anything else ends the round."""
        level = max(state.paid)
        over = state.spoken or state.drawn
        after = state._replace(history=state.history + letter, paid=(level, level), spoken=True)
        return self._close(after) if over else after._replace(turn=BIG_BLIND, step=BLINDS[1])

    def _raise(self, state: State, letter: str, total: float) -> State:
        paid = (total, state.paid[1]) if state.turn == BUTTON else (state.paid[0], total)
        step = max(total - max(state.paid), state.step)
        said = state.history + letter
        return state._replace(history=said, turn=1 - state.turn, paid=paid, step=step, spoken=True)

    def _all_in(self, state: State) -> State:
        """Everything: a raise, or a call where the other is all-in already."""
        if max(state.paid) >= self.rules.stack:
            return self._match(state._replace(spoken=True), "a")
        return self._raise(state, "a", self.rules.stack)

    def _close(self, state: State) -> State:
        """Both have put in the same: on to the draw, to betting after it, or to the showdown."""
        return state._replace(turn=-1 if state.drawn else BIG_BLIND, spoken=False, step=BLINDS[1])

    # ---- the draw and after it -----------------------------------------------------------------------------

    def _draws(self, state: State) -> dict[str, State]:
        return {label: self._draw(state, choice) for choice, label in enumerate(self.discards.labels)}

    def _draw(self, state: State, choice: int) -> State:
        said = state.history + str(self.discards.counts[choice])
        after = state._replace(history=said, drawn=(*state.drawn, choice))
        if len(after.drawn) == 1:
            return after._replace(turn=BUTTON)
        goes_on = bool(self.rules.after_draw) and max(state.paid) < self.rules.stack
        return after._replace(turn=BIG_BLIND if goes_on else -1)

    def _bets_after(self, state: State) -> dict[str, State]:
        """Check, bet a part of the pot, answer by folding, calling or moving all-in."""
        me, stack, level = state.turn, self.rules.stack, max(state.paid)
        if level > state.paid[me]:
            following = {"fold": self._fold(state)}
            if level < stack:
                following["call"] = self._match(state, "c")
            return {**following, "all-in": self._all_in(state)}
        checked = state._replace(history=state.history + "k", turn=BUTTON, spoken=True)
        following = {"check": checked if me == BIG_BLIND else self._close(checked)}
        for letter, part in zip(RAISE_LETTERS, self.rules.after_draw, strict=False):
            total = level + part * sum(state.paid)
            if total >= stack:
                return {**following, "all-in": self._raise(state, "a", stack)}
            following[f"bet {total - level:g}"] = self._raise(state, letter, total)
        return following
