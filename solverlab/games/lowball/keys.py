"""Information sets of 2-to-7 as text: `[cards]_[history]`, for example `7_rraa1` or `A5_rr`.

A history is `rr` (both hands are dealt), then a letter an action, then a digit for each draw, then letters
for bets after the draw. Letters: a all-in (also the call that puts everything in), f fold, c call or limp, k
check, x y z the first, second and third size of raise or bet. After a draw with bets to follow, the cards say
what went and what came: `A5-A+7_rrck01` was dealt A5, threw the ace and drew a seven.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.core.tree import leaf_nodes
from solverlab.games.lowball.after import LowballAfterDraw
from solverlab.games.lowball.game import Lowball
from solverlab.games.lowball.rules import RANKS

DEALT = "rr"
_HISTORY = re.compile(r"(rr)([afckxyz]*)(\d{0,2})([afckxyz]*)")
_KEY = re.compile(rf"([{RANKS}]+)(?:-([{RANKS}]+))?(?:\+([{RANKS}]+))?_(\w*)")


class History(NamedTuple):
    """The parts of a history."""

    dealt: str
    before: str  # actions before the draw
    draws: str  # cards drawn, big blind first
    after: str  # actions after the draw


def split_history(text: str) -> History:
    """Take a history apart.

    >>> split_history("rraa10")
    History(dealt='rr', before='aa', draws='10', after='')
    """
    found = _HISTORY.fullmatch(text)
    if found is None or (found[4] and len(found[3]) < 2):
        raise BadValue(
            f"{text!r} is no history; write rr, then letters of a f c k x y z, then up to two draw counts"
        )
    return History(*found.groups())


def history_text(game: Lowball, node: int) -> str:
    """What was dealt, said and drawn up to a node; which cards went is not told."""
    return DEALT + game.states[node].history


def terminals(game: Lowball) -> set[str]:
    """The histories that end the game.

    >>> import solverlab as sl
    >>> sorted(terminals(sl.LowballPushFold(3)))
    ['rraa00', 'rraa01', 'rraa10', 'rraa11', 'rraf', 'rrf']
    """
    return {history_text(game, int(node)) for node in leaf_nodes(game.tree)}


def infoset_text(game: Lowball, node: int, hand: int) -> str:
    """What the player to act at a node holds and knows.

    >>> import solverlab as sl
    >>> game = sl.LowballPushFold(3, cards=2)
    >>> infoset_text(game, 0, game.names.hand("A5"))
    'A5_rr'
    """
    return f"{_cards_text(game, node, hand)}_{history_text(game, node)}"


def infosets(game: Lowball) -> dict[str, tuple[int, int]]:
    """Every information set of a game: its text, and one node and hand that lie in it."""
    found: dict[str, tuple[int, int]] = {}
    for node in map(int, np.flatnonzero(game.tree.player >= 0)):
        for hand in range(len(game.hands)):
            found.setdefault(infoset_text(game, node, hand), (node, hand))
    return found


def parse_infoset(game: Lowball, text: str) -> tuple[int, int]:
    """A node and a hand that lie in an information set given as text (cards in any order).

    >>> import solverlab as sl
    >>> game = sl.LowballPushFold(3, cards=2)
    >>> node, hand = parse_infoset(game, "5A_rraa1")
    >>> game.names.path(node), game.names.hands[hand]
    ('all-in/all-in/draw 1', 'A5')
    """
    found = _KEY.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise BadValue(
            f"{text!r} is no information set; write cards, an underscore and a history, as in 'A5_rr'"
        )
    dealt, gone, came, history = (found[1], found[2] or "", found[3] or "", found[4])
    split_history(history)
    nodes = [n for n, state in enumerate(game.states) if DEALT + state.history == history and state.turn >= 0]
    if not nodes:
        raise BadValue(f"nobody acts after {history!r} in {game.name}, so {text!r} is none of its infosets")
    for node in nodes:
        for hand in _hands_dealt(game, dealt):
            if _cards_text(game, node, hand) == _written(dealt, gone, came):
                return node, hand
    raise BadValue(f"{text!r} holds cards that nobody can hold in {game.name}")


def _hands_dealt(game: Lowball, dealt: str) -> list[int]:
    name = _sorted(dealt)
    if isinstance(game, LowballAfterDraw):
        return [h for h, hand in enumerate(game.hands) if hand.split("+")[0] == name]
    return [game.hands.index(name)] if name in game.hands else []


def _written(dealt: str, gone: str, came: str) -> str:
    return _sorted(dealt) + ("-" + _sorted(gone) if gone else "") + ("+" + _sorted(came) if came else "")


def _cards_text(game: Lowball, node: int, hand: int) -> str:
    """The cards a player remembers: dealt, and after a draw also what went and what came."""
    if not isinstance(game, LowballAfterDraw):
        return game.hands[hand]
    deck, dealt = game.rules.rank_deck, int(game.full.dealt[hand])
    cards, choice = game.dealt[dealt], game.sees(game.states[node])[1]
    drawn = game.discards.counts[choice] if choice >= 0 else 0
    if not drawn:
        return deck.text(cards)
    gone = [cards[place] for place in game.discards.thrown[choice][dealt]]
    came = game.full.replacements[hand][:drawn]
    return f"{deck.text(cards)}-{deck.text(gone)}+{deck.text(came)}"


def _sorted(cards: str) -> str:
    """Highest card first, as hands are written."""
    return "".join(sorted(cards, key=RANKS.index, reverse=True))
