"""Every colour of the pages and drawings, by what it is for; in a light and in a dark set.

A family has one job: actions fill areas, runs draw lines, players are marks, the accent is what can be
pressed or was chosen. Passive actions are cool and aggressive ones warm, stronger is darker, and a fold is
the palest, so that grids show what happens and not what does not. Letters stand out from their ground at
least 4.5 to 1 and lines 3 to 1 (WCAG 2); a test computes it. No other Python file holds a colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from solverlab.views.colours import contrast, ink_on, mixed, steps

CLOCKS = {"iteration": "iterations", "touched": "nodes touched", "seconds": "seconds of solving"}


class Shade(NamedTuple):
    """What an action is drawn in: areas, letters on them, and its lines and words on paper."""

    fill: str
    on: str
    line: str


class Palette(NamedTuple):
    """One set of colours; the fields say what each is for."""

    ground: str  # the page
    paper: str  # cards, header, toolbar
    sunken: str  # wells, heads of tables, cells without a number
    line: str  # hairlines
    edge: str  # borders of controls
    ink: str
    muted: str
    link: str
    accent: str  # what can be pressed, what was chosen; never data
    on_accent: str
    accent_soft: str
    focus: str
    chosen: str  # a chosen row
    halo: str  # the way to a chosen node
    warn: str
    warn_soft: str
    bad: str
    bad_soft: str
    good: str
    good_soft: str
    fold: Shade
    check: Shade
    call: Shade
    bet: Shade
    raise_: Shade
    all_in: Shade
    draws: tuple[str, str, str]  # from standing pat over two cards to five new ones
    others: tuple[str, ...]  # actions with names of their own, by position
    players: tuple[str, ...]  # marks of nodes, with a number or a shape that says the same
    on_player: str
    chance: str
    runs: tuple[str, ...]  # lines, in this order
    loses: str  # expected values below 0, at 0, above
    even: str
    gains: str
    scale: tuple[str, ...]  # from nothing to all
    suits: tuple[str, str, str, str]  # clubs, diamonds, hearts, spades, on a card
    card: str


# A canvas in a dark page finds the partner of a light colour by its number: where partners differ, so do
# numbers, if only by one.
LIGHT = Palette(
    ground="#f4f6f8", paper="#ffffff", sunken="#edf1f5", line="#dce2e9", edge="#8290a0",
    ink="#16202b", muted="#55616f", link="#1757b3",
    accent="#1757b3", on_accent="#feffff", accent_soft="#e8f0fb", focus="#1757b3",
    chosen="#fff3c4", halo="#f0e442",
    warn="#8a4b00", warn_soft="#fff4e0", bad="#a3231b", bad_soft="#fdecea",
    good="#0b6b3a", good_soft="#e7f6ee",
    fold=Shade("#dee6ee", "#16202b", "#66737f"),
    check=Shade("#5ec39c", "#17202b", "#0d7a55"),
    call=Shade("#007073", "#fffeff", "#007074"),
    bet=Shade("#e7b64d", "#16202c", "#8f6300"),
    raise_=Shade("#c14e11", "#fffeff", "#c14e12"),
    all_in=Shade("#651436", "#fffeff", "#651437"),
    draws=("#00366f", "#8db8d9", "#b5521b"),
    others=("#e69f00", "#56b4e9", "#cc79a7", "#f0e443", "#8391a0"),
    players=("#2b4c7e", "#7b3f8c", "#5b6420", "#12666b", "#8a4b00", "#8c2f4b"), on_player="#fffeff",
    chance="#6f7d8c",
    runs=("#0061c5", "#dd360f", "#004e22", "#5e2563", "#b97f40", "#cf4385", "#03a1b0", "#4d4e4f"),
    loses="#1f5fa8", even="#eef1f5", gains="#b8500f",
    scale=("#edf1f5", "#c3d3e6", "#8fafd2", "#4e7db3", "#1d4a82"),
    suits=("#0c6b3a", "#1857b3", "#b3261e", "#17212c"), card="#fefefe",
)  # fmt: skip

DARK = Palette(
    ground="#0f141a", paper="#171e27", sunken="#202a35", line="#2b3643", edge="#6b7a8c",
    ink="#e7ecf2", muted="#a3b0be", link="#7fb4ff",
    accent="#7fb4ff", on_accent="#0b1a30", accent_soft="#1b2c45", focus="#7fb4ff",
    chosen="#3a331a", halo="#8a7d00",
    warn="#f2c27a", warn_soft="#33270f", bad="#ffb0a8", bad_soft="#3a1d1b",
    good="#8fddb3", good_soft="#15301f",
    fold=Shade("#333c46", "#e7ecf2", "#8e9baa"),
    check=Shade("#17724a", "#ffffff", "#56c49b"),
    call=Shade("#1bb3ad", "#0f141a", "#2cc9c2"),
    bet=Shade("#f2c965", "#0f141a", "#f2c965"),
    raise_=Shade("#e0672e", "#0f141a", "#ec7a45"),
    all_in=Shade("#b670ca", "#0f141a", "#c78adb"),
    draws=("#b9d6f7", "#6e9fd6", "#e0672e"),
    others=("#e69f00", "#56b4e9", "#cc79a7", "#f0e442", "#a3b0be"),
    players=("#9db8e8", "#d9a6e6", "#c6cf85", "#7fd0d0", "#f2c27a", "#f0a6b8"), on_player="#0f141a",
    chance="#8e9baa",
    runs=("#a2b2f2", "#db7e51", "#6cfcb3", "#a67aec", "#eccf60", "#ee3f7e", "#3eaab2", "#e8e8e9"),
    loses="#6fa8e8", even="#2b3643", gains="#f0915a",
    scale=("#202a35", "#2c4563", "#3f6a9c", "#6e9fd6", "#b9d6f7"),
    suits=("#0c6b3a", "#1857b3", "#b3261e", "#17212c"), card="#f2f4f7",
)  # fmt: skip

# Pictures for papers, in or near Okabe and Ito's colours ("Color Universal Design", 2008).
PRINT = ("#0072b2", "#009e73", "#d55e00", "#7d3c98", "#8c6d00")
PRINT_INK, PRINT_GREY, PRINT_PALE = "#222222", "#666666", "#b5b5b5"
# Buckets from weak (cold) to strong (warm); for many of them anchors of viridis (van der Walt & Smith 2015)
# without its palest end.
BUCKETS = ("#0072b2", "#56b4e9", "#009e73", "#e8d71e", "#e69f00", "#d55e00", "#cc79a7")
MANY_BUCKETS = ("#440154", "#46327e", "#365c8d", "#277f8e", "#1fa187", "#4ac16d", "#a0da39", "#e8d71e")
RING = "#ffe45c"  # round a chosen point in a cloud of buckets

PASSIVE = {"fold": "fold", "check": "check", "call": "call", "limp": "call"}
ALL_IN = ("all-in", "jam")


def action_shades(actions: Sequence[str], palette: Palette = LIGHT) -> list[Shade]:
    """One shade an action of a menu; the sizes of bets and raises go from pale to strong in their order.

    >>> [shade.fill for shade in action_shades(["fold", "call", "raise", "all-in"])]
    ['#dee6ee', '#007073', '#c14e11', '#651436']
    >>> [shade.fill for shade in action_shades(["check", "bet 50%", "bet 75%", "bet 100%"])]
    ['#5ec39c', '#e7b64d', '#d68331', '#c14e11']
    """
    sizes = [action for action in actions if action.split(" ")[0] in ("bet", "raise")]
    return [_shade(action, place, sizes, palette) for place, action in enumerate(actions)]


def action_fills(actions: Sequence[str], palette: Palette = LIGHT) -> list[str]:
    """The colours of a menu where areas are filled.

    >>> action_fills(["fold", "jam"])
    ['#dee6ee', '#651436']
    """
    return [shade.fill for shade in action_shades(actions, palette)]


def run_colour(position: int, palette: Palette = LIGHT) -> str:
    """The colour of a run's lines, by its place; the ninth takes the first one again."""
    return palette.runs[position % len(palette.runs)]


def player_colour(player: int, palette: Palette = LIGHT) -> str:
    """The colour of a player's marks; chance and ends of hands, below 0, are grey."""
    return palette.players[player % len(palette.players)] if player >= 0 else palette.chance


def shares_palette(count: int = 256, palette: Palette = LIGHT) -> list[str]:
    """Colours from "never" to "always", the palest first.

    >>> shares_palette(3)
    ['#edf1f5', '#8fafd2', '#1d4a82']
    """
    return steps(palette.scale, count)


def _shade(action: str, place: int, sizes: list[str], palette: Palette) -> Shade:
    first = action.split(" ")[0]
    if first in PASSIVE:
        return getattr(palette, PASSIVE[first])
    if action in ALL_IN:
        return palette.all_in
    if action in sizes:
        return _sized(first, sizes.index(action), len(sizes), palette)
    fill = _drawn(action, palette) or palette.others[place % len(palette.others)]
    return Shade(fill, ink_on(fill), palette.ink)


def _sized(first: str, number: int, count: int, palette: Palette) -> Shade:
    """The number-th of several sizes: between a bet's shade and a raise's; a lone one has its own."""
    if count == 1:
        return palette.raise_ if first == "raise" else palette.bet
    part = number / (count - 1)
    fill = mixed(palette.bet.fill, palette.raise_.fill, part)
    on = max(palette.bet.on, palette.raise_.on, key=lambda ink: contrast(ink, fill))
    return Shade(fill, on, mixed(palette.bet.line, palette.raise_.line, part))


def _drawn(action: str, palette: Palette) -> str:
    """The colour of an exchange of cards, standing pat the strongest hand; "" for anything else."""
    if action == "stand pat":
        return palette.draws[0]
    count = action.removeprefix("draw ")
    return steps(palette.draws, 6)[int(count)] if count != action and count in "12345" else ""
