"""From a rung of the 2-to-7 ladder to its game and its solver, and what is refused."""

from __future__ import annotations

from typing import Any

from solverlab.core.errors import BadValue, TooLarge
from solverlab.core.snapshot import Snapshot
from solverlab.games import Lowball
from solverlab.games.lowball_real import RealLowball
from solverlab.games.lowball_rules import LowballRules
from solverlab.run.lowball import regret_proxy
from solverlab.solvers import CFR
from solverlab.ui.lowball.choice import BETTING, NO_TEN, Choice

PROXY = "regret_proxy"
MOST_HANDS_AFTER = 20_000  # hands with their replacements; an iteration then takes a fifth of a second


class WatchedCFR(CFR):
    """CFR whose snapshots also tell the first decision's regret, which some take for the distance.

    With plain CFR only: other schedules discount the table, and its regret is no sum of gains any more.
    """

    def snapshot(self) -> Snapshot:
        snap = super().snapshot()
        tells = self.iteration > 0 and self.schedule.name == "CFR"
        return snap.measured({PROXY: regret_proxy(self)}) if tells else snap


def ranks_of(choice: Choice) -> int | str:
    return NO_TEN if choice.deck == "12" else 13


def rules_of(choice: Choice, stack: float | None = None) -> LowballRules:
    """The rules of an exact rung, checked."""
    more = {"limp": False, "raises": (), "after_draw": ()} | BETTING[choice.betting][1]
    return LowballRules.checked(
        choice.stack if stack is None else stack,
        choice.cards,
        choice.each,
        ranks_of(choice),
        choice.discard,
        "ranks",
        more["limp"],
        more["raises"],
        more["after_draw"],
    )


def check(choice: Choice) -> None:
    """Refuse in one sentence what this page cannot solve."""
    if choice.exact:
        rules = rules_of(choice)
        hands = hands_with_replacements(rules)
        if rules.after_draw and hands > MOST_HANDS_AFTER:
            raise TooLarge(
                f"bets after the draw with {choice.cards} cards and {len(rules.ranks)} ranks x "
                f"{choice.each} have about {hands:,} hands with their replacements, too many for a page; "
                "choose at most 2 cards, or betting before the draw"
            )
        return
    if choice.betting != "push":
        raise BadValue(
            f"with {choice.cards} cards only push/fold is solved, not {BETTING[choice.betting][0]!r}; "
            "choose push/fold, or at most 3 cards"
        )
    if choice.discard == "original" and choice.deck != "real":
        raise BadValue(
            f"with {choice.cards} cards any of them may be thrown away; "
            "choose free discards, or at most 3 cards"
        )
    if choice.deck != "real" and 4 * choice.cards > choice.each * int(choice.deck):
        raise BadValue(
            f"two hands of {choice.cards} and two full draws need {4 * choice.cards} cards but {choice.deck} "
            f"ranks x {choice.each} are {choice.each * int(choice.deck)}; take more cards a rank"
        )


def hands_with_replacements(rules: LowballRules) -> int:
    """Dealt hands times the orders in which replacements can come, at most."""
    return rules.multisets() * len(rules.ranks) ** rules.cards


def exact_game(choice: Choice, stack: float | None = None) -> Any:
    """The game of an exact rung, at its own stack or another."""
    return Lowball(
        choice.stack if stack is None else stack,
        cards=choice.cards,
        per_rank=choice.each,
        ranks=ranks_of(choice),
        discard=choice.discard,
        **BETTING[choice.betting][1],
    )


def whole_game(choice: Choice, stack: float | None = None) -> RealLowball:
    """The game of four or five cards, or of the real deck."""
    real = choice.deck == "real"
    return RealLowball(
        choice.stack if stack is None else stack,
        cards=choice.cards,
        ranks=13 if real else ranks_of(choice),
        per_rank=4 if real else choice.each,
        suits=real,
    )


def exact_solver(choice: Choice) -> WatchedCFR:
    return WatchedCFR(exact_game(choice), choice.schedule)


def size_words(choice: Choice, game: Any = None) -> str:
    """How large a rung is, before it is built and after."""
    if choice.deck == "real":
        return "134,459 hands a player (2,598,960 dealt), 32 discards; every draw is counted"
    rules = rules_of(choice)
    hands, ways = rules.multisets(), rules.choices()
    if not choice.exact:
        return f"{hands:,} hands a player, {2**choice.cards} discards; ranks only, every draw is counted"
    words = f"{hands:,} hands a player, {ways} ways to draw"
    if game is not None:
        words = f"{len(game.tree.parent):,} nodes, {words}"
    return f"{words}; {rules.deals():,} deals, all summed"
