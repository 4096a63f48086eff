"""The options of `solverlab solve lowball`: from one card and push/fold up to five cards of the real deck."""

from __future__ import annotations

import argparse

from solverlab.core.errors import BadValue
from solverlab.core.rows import Config
from solverlab.games import Lowball

LEAST_WHOLE_CARDS = 4  # from here on hands are too many for tables of every deal
NAMES = ("stack", "cards", "per_rank", "ranks", "discard", "deck", "limp", "raises", "after_draw")


def add_lowball_options(made: argparse.ArgumentParser) -> None:
    """What may be said of a 2-to-7 game; nothing has a default here, so that we see what was said."""
    group = made.add_argument_group("2-to-7 (GAME is lowball)", "solverlab solve lowball --cards 5 --stack 3")
    group.add_argument("--stack", type=float, metavar="BB", help="big blinds each, blind included (3)")
    group.add_argument(
        "--cards", type=int, metavar="N", help="cards a player, 1 to 5 (1); 5 is the real deck"
    )
    group.add_argument("--per-rank", type=int, metavar="N", help="cards of a rank, 1 to 4; suits are ignored")
    group.add_argument("--ranks", metavar="R", help="a number from the deuce up, or letters: 23456789JQKA")
    group.add_argument("--discard", metavar="RULE", help="original (multiples, then highest) or free")
    group.add_argument("--deck", metavar="DECK", help="ranks, or real: 52 cards, straights and flushes count")
    group.add_argument("--limp", action="store_true", default=None, help="the button may call")
    group.add_argument("--raises", metavar="A,B", help="totals to raise to before the draw, as in 2,3")
    group.add_argument("--after-draw", metavar="A,B", help="bets after the draw, in pots, as in 0.5,1")


def lowball_game(options: argparse.Namespace) -> Lowball:
    """The game that was asked for; four and five cards are of the real deck unless ranks are spoken of.

    >>> asked = dict.fromkeys(NAMES) | {"cards": 2, "limp": True, "raises": "2"}
    >>> lowball_game(argparse.Namespace(**asked))
    2-to-7 with 2 cards, 13 ranks x 1, 3 big blinds, limps, raises to 2: 2 players, 106 nodes, 78 hands
    """
    said = {name: getattr(options, name) for name in NAMES if getattr(options, name) is not None}
    if "ranks" in said:
        said["ranks"] = int(said["ranks"]) if said["ranks"].isdecimal() else said["ranks"].upper()
    for name in ("raises", "after_draw"):
        if name in said:
            said[name] = _amounts(name, said[name])
    if said.get("cards", 1) >= LEAST_WHOLE_CARDS:
        said = _whole_deck(said)
    return Lowball(**said)


def _whole_deck(said: Config) -> Config:
    """Four and five cards: the deck has four of a rank, and any cards may be thrown away."""
    if said.get("discard") == "original":
        raise BadValue(
            f"with {said['cards']} cards players throw away what they like; leave out --discard original"
        )
    deck = "ranks" if {"per_rank", "ranks"} & said.keys() else "real"
    return {"deck": deck, "per_rank": 4, "discard": "free", **said}


def _amounts(name: str, text: str) -> tuple[float, ...]:
    try:
        return tuple(float(word) for word in text.split(","))
    except ValueError:
        option = name.replace("_", "-")
        raise BadValue(f"--{option} is {text!r}; give numbers with commas between, as in 1,2") from None


def refuse_lowball_options(options: argparse.Namespace, what: str) -> None:
    """These options belong to one game; elsewhere they would be ignored, which nobody wants."""
    for name in NAMES:
        if getattr(options, name) is not None:
            option = name.replace("_", "-")
            raise BadValue(f"--{option} is an option of the game lowball, not of {what}; leave it out")
