"""The HTML document around a page: made once for each visit, drawn before Panel's parts arrive."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Protocol

from bokeh.document import Document

from solverlab.ui.lessons.shelf import index, lessons_of
from solverlab.ui.skeleton.guides import guide_html, guide_names, terms
from solverlab.ui.tokens import partners, properties

PRODUCT = "solverlab"
_HERE = Path(__file__).parent
_STROKE = (
    "fill='none' stroke='currentColor' stroke-width='1.8' stroke-linecap='round' stroke-linejoin='round'"
)


def _icon(inside: str) -> str:
    return f"<svg viewBox='0 0 20 20' aria-hidden='true' {_STROKE}>{inside}</svg>"


ICONS = {
    "link": _icon(
        "<path d='M8 12a3.5 3.5 0 0 0 5 0l3-3a3.5 3.5 0 0 0-5-5l-1 1'/>"
        "<path d='M12 8a3.5 3.5 0 0 0-5 0l-3 3a3.5 3.5 0 0 0 5 5l1-1'/>"
    ),
    "theme": _icon("<path d='M16.5 11.5A7 7 0 1 1 8.5 3.5a5.6 5.6 0 0 0 8 8z'/>"),
    "book": _icon(
        "<path d='M10 5.5C8.5 4 6 3.5 3 3.5v12c3 0 5.5.5 7 2 1.5-1.5 4-2 7-2v-12c-3 0-5.5.5-7 2z'/>"
        "<path d='M10 5.5v12'/>"
    ),
    "menu": _icon("<path d='M3 5.5h14M3 10h14M3 14.5h14'/>"),
}  # fmt: skip
MARK = (
    "<svg viewBox='0 0 24 24' aria-hidden='true' fill='none' stroke='var(--accent)' stroke-width='2.6'>"
    "<path d='M6 12C12 12 11 5 20 5M6 12c6 0 5 7 14 7'/><path d='M6 12h14' stroke='var(--fold-line)'/>"
    "<circle cx='5' cy='12' r='3.6' fill='var(--accent)' stroke='none'/></svg>"
)
EVERYWHERE = (
    ("?", "show or hide this list"),
    ("G", "lessons"),
    ("T", "light or dark"),
    ("Tab", "to the next control"),
    ("Esc", "close what is open"),
)


class Entry(Protocol):
    """What the navigation says of a page."""

    @property
    def slug(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def sentence(self) -> str: ...


@dataclass(frozen=True)
class Sheet:
    """A page as the frame sees it: its place, the keys it answers with their meaning, and HTML of its own."""

    slug: str
    title: str
    sentence: str
    keys: Sequence[tuple[str, str]] = field(default=())
    written: str = ""


@cache
def _script() -> str:
    """The frame's scripts with the colours and the style sheet they hand to shadow roots."""
    text = "".join((_HERE / name).read_text("utf-8") for name in ("names.js", "page.js"))
    parts = (_HERE / "parts.css").read_text("utf-8")
    return text.replace("__PARTNERS__", json.dumps(partners())).replace("__PARTS__", json.dumps(parts))


@cache
def _lesson_script() -> str:
    """What plays lessons: the hands and eyes first, then the rail."""
    return "".join((_HERE / name).read_text("utf-8") for name in ("lesson_page.js", "lesson.js"))


@cache
def _lessons(page: str) -> str:
    """The lessons of a page, and where all others are."""
    known = {"page": page, "lessons": lessons_of(page), "index": index()}
    return json.dumps(known).replace("</", "<\\/")


@cache
def _styles() -> str:
    names = ("scale.css", "page.css", "lesson.css")
    return properties() + "".join((_HERE / name).read_text("utf-8") for name in names)


@cache
def _template() -> str:
    return "{% from macros import embed %}\n" + (_HERE / "page.html").read_text("utf-8")


def frame(document: Document, page: Sheet, pages: Sequence[Entry]) -> None:
    """Put the document's parts between the header and the drawer of help."""
    guide = f"{page.slug}-page"
    known = {
        "name": page.title,
        "slug": page.slug,
        "terms": terms(),
        "keys": [k.lower() for k, _ in page.keys],
    }
    document.template = _template()
    document.template_variables.update(
        page_title=f"{page.title} · {PRODUCT}",
        page_name=page.title,
        page_sentence=page.sentence,
        slug=page.slug,
        pages=pages,
        skeleton_css=_styles(),
        skeleton_js=_script(),
        facts=json.dumps(known).replace("</", "<\\/"),
        mark=MARK,
        icons=ICONS,
        written=page.written,
        own_heading="<h1" in page.written,
        guide=guide_html(guide)
        if guide in guide_names()
        else guide_html(page.slug)
        if page.slug in guide_names()
        else "",
        keys=_key_list(page),
        lessons=_lessons(page.slug) if not page.written else "",
        lesson_js=_lesson_script(),
        lesson_key="g" not in known["keys"],
    )


def _key_list(page: Sheet) -> list[tuple[str, str]]:
    """The page's own keys, then those of every page that it has no other use for."""
    own = {key for key, _ in page.keys}
    return [*page.keys, *((key, does) for key, does in EVERYWHERE if key not in own)]
