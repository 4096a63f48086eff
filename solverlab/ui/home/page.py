"""Home: what this is, a card a page, where one was, recent runs, and what to read."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import NamedTuple

from solverlab.store import RunSummary, runs
from solverlab.ui.lessons.shelf import lessons_of
from solverlab.ui.numbers import number
from solverlab.ui.skeleton.guides import guide_names, terms

PICTURES = Path(__file__).parent / "pictures"
RECENT = 5
START = "solve?game=kuhn"


class Card(NamedTuple):
    """A page on Home: the one question it answers, and the minutes a first visit takes."""

    slug: str
    name: str
    question: str
    minutes: int


CARDS = (
    Card("solve", "Solve", "How does a solver learn to bluff?", 3),
    Card("push-fold", "Push/fold", "All in or fold with a short stack?", 2),
    Card("grow", "Grow", "What if the tree grows where play goes?", 5),
    Card("abstraction", "Abstraction", "Which of a million hands are alike?", 5),
    Card("two-to-seven", "2-to-7", "Why does a 7 fold and an 8 call?", 4),
    Card("figures", "Figures", "Do published results come out again?", 1),
)


def home_html(others: Sequence[Card] = ()) -> str:
    """The whole of Home; `others` are pages without a card of their own."""
    cards = "".join(_card(card, first=card is CARDS[0]) for card in (*CARDS, *others))
    return f"""<div class="home">
<section class="hero"><h1>See a poker solver think.</h1>
<p>Step an algorithm by hand, read every number it computes, and check how far it is from perfect play.
Everything runs on your own computer.</p>
<p class="start"><a class="filled" href="{START}">Start: how Kuhn poker learns to bluff</a>
<a class="plain" href="push-fold">Try push/fold</a>
<span class="quiet">3 minutes, nothing to know before</span></p></section>
<section class="cards" aria-label="Pages">{cards}</section>
<div class="beside">
<section class="box" id="continue" hidden><h2 class="quiet">Continue where you were</h2><strong></strong>
<time class="quiet"></time><a class="plain" href="./">Continue</a></section>
<section class="box"><h2>Recent runs</h2>{runs_html(runs())}</section>
<section class="box"><h2>Read</h2>{_reading()}</section>
</div></div>"""


def picture(slug: str) -> str:
    """The shipped picture of a page as SVG, or nothing; `tools/home_pictures.py` makes them."""
    path = PICTURES / f"{slug}.svg"
    return path.read_text("utf-8") if path.is_file() else ""


def _card(card: Card, first: bool) -> str:
    badge = "<span class='badge'>start here</span>" if first else ""
    return (
        f"<a class='page{' first' * first}' href='{card.slug}'>"
        f"<span class='picture'>{picture(card.slug)}{badge}</span>"
        f"<span class='about'><b>{escape(card.name)}</b><span>{escape(card.question)}</span>"
        f"<small>{card.minutes} min{_lessons(card.slug)}</small></span></a>"
    )


def _lessons(slug: str) -> str:
    count = len(lessons_of(slug))
    return f" · {count} lesson{'s' * (count != 1)}" if count else ""


def runs_html(saved: Sequence[RunSummary]) -> str:
    """The newest saved runs, each with its distance from equilibrium; a sentence while there is none."""
    if not saved:
        return "<p class='quiet'>None saved yet: “Save, load, export” on Solve keeps a run.</p>"
    return f"<ul>{''.join(_run(run) for run in saved[:RECENT])}</ul>" + _more(len(saved))


def _more(count: int) -> str:
    return f"<p class='quiet'>{count} in all</p>" if count > RECENT else ""


def _run(run: RunSummary) -> str:
    far = "" if run.distance is None else f"<span>{number(run.distance)}</span>"
    what = run.problem or f"{run.solver} on {run.game}, {ago(run.saved)}"
    return f"<li><a href='solve'>{escape(run.name)}</a>{far}<small>{escape(what)}</small></li>"


def ago(saved: str, now: datetime | None = None) -> str:
    """How long ago a moment in ISO 8601 was.

    >>> ago("2024-05-01T10:00:00+00:00", datetime(2024, 5, 1, 12, 30, tzinfo=UTC))
    '2 h ago'
    >>> ago("2024-05-01T10:00:00+00:00", datetime(2024, 5, 4, tzinfo=UTC))
    '3 days ago'
    """
    try:
        minutes = ((now or datetime.now(UTC)) - datetime.fromisoformat(saved)).total_seconds() / 60
    except (ValueError, TypeError):
        return saved[:16]
    if minutes < 60:
        return f"{max(0, minutes):.0f} min ago"
    return f"{minutes / 60:.0f} h ago" if minutes < 36 * 60 else f"{minutes / 1440:.0f} days ago"


def _reading() -> str:
    rows = [
        ("help", "Guides", f"{len(guide_names())} of them, searchable"),
        ("help?doc=glossary", "Glossary", f"{len(terms())} words explained"),
        ("help?doc=notebooks", "Notebooks", "the same in Python, from regret matching on"),
    ]
    items = (f"<li><a href='{to}'>{name}</a><small>{what}</small></li>" for to, name, what in rows)
    return f"<ul>{''.join(items)}</ul>"
