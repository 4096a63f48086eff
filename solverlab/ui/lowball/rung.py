"""From a rung of the 2-to-7 ladder to its game and its solver, and what is refused."""

from __future__ import annotations

from math import comb
from typing import cast

from solverlab.core.draw_paths import decisions
from solverlab.core.errors import BadValue, TooLarge
from solverlab.core.snapshot import Snapshot
from solverlab.games import Lowball
from solverlab.games.lowball.real import RealLowball
from solverlab.games.lowball.real_betting import BettingLowball, betting_tree
from solverlab.games.lowball.rules import LowballRules
from solverlab.solvers import CFR
from solverlab.solvers.draw.betting import DrawBetting
from solverlab.studies.lowball import regret_proxy
from solverlab.ui.lowball.settings import BETTING, NO_TEN, LowballSettings

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


def ranks_of(choice: LowballSettings) -> int | str:
    return NO_TEN if choice.deck == "12" else 13


def rules_of(choice: LowballSettings, stack: float | None = None) -> LowballRules:
    """The rules of an exact rung, checked."""
    more = {"limp": False, "raises": (), "after_draw": ()} | BETTING[choice.betting][1]
    return LowballRules.checked(
        choice.stack if stack is None else stack,
        choice.cards,
        choice.each,
        ranks_of(choice),
        choice.discard,
        "real" if choice.deck == "real" else "ranks",
        more["limp"],
        more["raises"],
        more["after_draw"],
    )


def check(choice: LowballSettings) -> None:
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
    rules_of(choice)


def hands_with_replacements(rules: LowballRules) -> int:
    """Dealt hands times the orders in which replacements can come, at most."""
    return rules.multisets() * len(rules.ranks) ** rules.cards


def exact_game(choice: LowballSettings, stack: float | None = None) -> Lowball:
    """The game of an exact rung, at its own stack or another."""
    return Lowball(
        choice.stack if stack is None else stack,
        cards=choice.cards,
        per_rank=choice.each,
        ranks=ranks_of(choice),
        discard=choice.discard,
        **BETTING[choice.betting][1],
    )


def whole_game(choice: LowballSettings, stack: float | None = None) -> RealLowball:
    """The game of four or five cards, or of the real deck."""
    game = Lowball(
        choice.stack if stack is None else stack,
        cards=choice.cards,
        per_rank=choice.each,
        ranks=ranks_of(choice),
        discard="free",
        deck="real" if choice.deck == "real" else "ranks",
        **BETTING[choice.betting][1],
    )
    return cast(RealLowball, game)


def check_room(choice: LowballSettings, game: RealLowball, cap: int) -> None:
    """Refuse, before any table is made, bets that need more than a visitor may take."""
    if not isinstance(game, BettingLowball):
        return
    needed = DrawBetting.bytes_needed(game, threads=1)
    if needed > cap:
        options, most = f"--cards {choice.cards} --stack {choice.stack:g}", cap / 1e6
        raise TooLarge(
            f"{choice.name} needs {needed / 1e6:,.0f} MB, but a page may take {most:,.0f} MB; choose fewer "
            f"bets or 4 cards, or solve it from the command line: solverlab solve lowball {options} ..."
        )


def exact_solver(choice: LowballSettings) -> WatchedCFR:
    return WatchedCFR(exact_game(choice), choice.schedule)


def size_words(choice: LowballSettings, game: Lowball | None = None) -> str:
    """How large a rung is, before it is built and after."""
    rules = rules_of(choice)
    hands, ways = rules.hand_classes(), rules.choices()
    if not choice.exact:
        return f"{hands:,} hands a player{_more_words(choice, rules)}; every draw is counted"
    words = f"{hands:,} hands a player, {ways} ways to draw"
    if game is not None:
        words = f"{len(game.tree.parent):,} nodes, {words}"
    return f"{words}; {rules.deals():,} deals, all summed"


def _more_words(choice: LowballSettings, rules: LowballRules) -> str:
    """What there is to know of a whole deck besides its hands: deals or ranks, discards, lines of betting."""
    dealt = f" ({comb(rules.rank_deck.size, rules.cards):,} dealt)" if choice.deck == "real" else ""
    words = f"{dealt}, {2**rules.cards} discards" + ("" if dealt else ", ranks only")
    if choice.betting == "push":
        return words
    lines = sum(place.player < 0 for place in decisions(betting_tree(rules)[0]))
    return f"{words}, {lines} lines of betting to a draw"
