"""The guides inside the dashboard: a list, one of them open, and a search through all."""

from __future__ import annotations

from html import escape

from solverlab.core.errors import BadValue
from solverlab.ui.notice import sentence
from solverlab.ui.skeleton.guides import guide_html, guide_names, sections_with, title

FIRST = ("solve-page", "push-fold-page", "grow-page", "abstraction-page", "two-to-seven-page", "figures",
         "glossary", "notebooks")  # fmt: skip
MOST_FOUND = 40


def help_html(query: dict[str, str]) -> str:
    """A guide (`doc`), or what a search (`q`) found."""
    asked, name = query.get("q", "")[:80].strip(), query.get("doc", "glossary")
    try:
        body = found_html(asked) if asked else guide_html(name)
    except BadValue as problem:
        body = f"<p role='alert'>{escape(sentence(problem), quote=False)}</p>"
    names = sorted(guide_names(), key=lambda one: (FIRST.index(one) if one in FIRST else len(FIRST), one))
    links = "".join(
        f"<li><a href='help?doc={one}'{' aria-current=page' * (one == name and not asked)}>"
        f"{escape(title(one))}</a></li>"
        for one in names
    )
    return f"""<div class="help"><nav aria-label="Guides"><form role="search" action="help">
<label class="find">Search the guides <input type="search" name="q" value="{escape(asked)}"></label></form>
<ul>{links}</ul></nav><article class="guide">{body}</article></div>"""


def found_html(words: str) -> str:
    """The sections that hold all of these words."""
    found = sections_with(words)
    rows = "".join(
        f"<li><a href='help?doc={name}'>{escape(heading or title(name))}</a> "
        f"<small>{escape(title(name))}</small><p>{escape(line[:240])}</p></li>"
        for name, heading, line in found[:MOST_FOUND]
    )
    said = f"{len(found)} section{'s' * (len(found) != 1)} with “{escape(words)}”"
    return f"<h1>{said}</h1><ul class='found'>{rows}</ul>"
