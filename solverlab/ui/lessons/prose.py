"""A lesson's prose as HTML that is safe to show, whoever wrote it: no tags, no pictures, no scripts."""

from __future__ import annotations

import json
import re
from html import escape, unescape

from solverlab.core.errors import LONGEST_TOLD, BadValue
from solverlab.ui.lessons.lines import reading
from solverlab.ui.skeleton.guides import rendered, term, terms

_PICTURE = re.compile(r"<img\b[^>]*>")
_TERM = re.compile(r'<a href="term"(?: title="([^"]*)")?>(.*?)</a>')
_READ = re.compile(r"<code>= (.*?)</code>")


def prose_html(markdown: str) -> str:
    """Markdown as HTML; a link to `term` explains its word, code that begins with `=` is read from the page.

    >>> prose_html("Look: <script>")
    '<p>Look: &lt;script&gt;</p>'
    >>> prose_html('Now `= tile "iteration"` done.')
    '<p>Now <output data-read="{&quot;tile&quot;: &quot;iteration&quot;}"></output> done.</p>'
    """
    html = _PICTURE.sub("", rendered(markdown.strip(), html=False))
    return _READ.sub(_read, _TERM.sub(_term, html)).strip()


def _term(found: re.Match[str]) -> str:
    word = unescape(re.sub(r"<[^>]*>", "", found[2]))
    name = unescape(found[1]) if found[1] else word
    if name.lower() not in terms():
        raise BadValue(f"there is no word {name[:LONGEST_TOLD]!r} in the glossary; write it without a link")
    return term(word, of=name)


def _read(found: re.Match[str]) -> str:
    return f'<output data-read="{escape(json.dumps(reading(unescape(found[1]))))}"></output>'
