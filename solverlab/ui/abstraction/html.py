"""Tables and sentences of the Abstraction page as HTML: quick to send, quick to read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from solverlab.views.theme import LIGHT

STYLE = """
.swatch { display: inline-block; width: 13px; height: 13px; border-radius: 3px; margin-right: 6px;
  vertical-align: -2px; }
.path { font-size: 22px; font-weight: 600; font-variant-numeric: tabular-nums; letter-spacing: 1px; }
.hand { font-size: 19px; font-weight: 600; }
td.text, th.text { text-align: left; white-space: normal; overflow-wrap: anywhere; }
th.text { overflow-wrap: normal; }
.scroll { overflow: auto; }
p { margin: 0 0 6px; }
.facts { display: flex; flex-wrap: wrap; gap: 2px 20px; margin: 2px 0 6px; }
.facts b { font-variant-numeric: tabular-nums; }
h2 { margin: 8px 0 4px; }
"""
SUITS = {suit: (mark, colour) for suit, mark, colour in zip("cdhs", "♣♦♥♠", LIGHT.suits, strict=True)}


def table(
    heads: Sequence[str], rows: Iterable[Sequence[object]], chosen: int = -1, text: Sequence[int] = ()
) -> str:
    """A table; cells that are already markup come as `Markup`; columns in `text` are set to the left."""

    def cell(tag: str, place: int, entry: object) -> str:
        side = " class='text'" if place in text else ""
        return f"<{tag}{side}>{entry if isinstance(entry, Markup) else escape(str(entry))}</{tag}>"

    head = "".join(cell("th", place, word) for place, word in enumerate(heads))
    body = "".join(
        f"<tr{' class=chosen' if number == chosen else ''}>"
        + "".join(cell("td", place, entry) for place, entry in enumerate(row))
        + "</tr>"
        for number, row in enumerate(rows)
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


class Markup(str):
    """Text that is HTML already."""


def swatch(colour: str, name: str) -> Markup:
    """A bucket's name with a patch of its colour."""
    return Markup(f"<span class='swatch' style='background: {colour}'></span>{escape(name)}")


def cards(text: str) -> Markup:
    """Cards with coloured suits, four colours.

    >>> cards("Ah").endswith("♥</span>")
    True
    """
    parts = []
    for rank, suit in zip(text[::2], text[1::2], strict=True):
        sign, colour = SUITS[suit]
        parts.append(f"<span class='playing' style='color: {colour}'>{rank}{sign}</span>")
    return Markup("".join(parts))


def facts(**pairs: str) -> str:
    """A line of named numbers; underscores in names become spaces."""
    parts = "".join(
        f"<span>{escape(name.replace('_', ' '))} <b>{escape(number)}</b></span>"
        for name, number in pairs.items()
    )
    return f"<div class='facts'>{parts}</div>"


def span(low: float, high: float) -> str:
    """A range of a metric; an empty one is a dash.

    >>> span(0.1, 0.25), span(float("nan"), float("nan"))
    ('0.100 – 0.250', 'empty')
    """
    return "empty" if low != low else f"{low:.3f} – {high:.3f}"
