"""The guides of `docs/` inside the pages: as HTML, section by section for a search, and the glossary.

In a wheel the Markdown files lie in `solverlab/guides`; in a clone they are read where they are written.
"""

from __future__ import annotations

import re
from functools import cache
from html import escape, unescape
from pathlib import Path

import panel as pn

from solverlab.core.errors import BadValue

_PACKAGE = Path(__file__).parents[2]
_ROW = re.compile(r"^\|(.+?)\|(.+)\|\s*$", re.M)
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")


def folder() -> Path:
    """Where the Markdown files are."""
    shipped = _PACKAGE / "guides"
    return shipped if shipped.is_dir() else _PACKAGE.parent / "docs"


@cache
def guide_names() -> tuple[str, ...]:
    """Every guide by the name of its file, in the order of the alphabet."""
    return tuple(sorted(path.stem for path in folder().glob("*.md")))


@cache
def source(name: str) -> str:
    """The Markdown of a guide."""
    if name not in guide_names():
        raise BadValue(f"there is no guide {name[:40]!r}; choose one of {', '.join(guide_names())}")
    return (folder() / f"{name}.md").read_text("utf-8")


def title(name: str) -> str:
    """The first heading of a guide, without marks."""
    first = next((line for line in source(name).splitlines() if line.startswith("# ")), f"# {name}")
    return plain(first[2:])


@cache
def guide_html(name: str) -> str:
    """A guide as HTML; links to other guides stay inside the dashboard."""
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", source(name))  # pictures are not shipped: the page shows more
    text = re.sub(r"\]\((?:\./)?([a-z0-9-]+)\.md(?:#[^)]*)?\)", r"](help?doc=\1)", text)
    text = re.sub(r"\[([^\]]+)\]\(\.\./[^)]*\)", r"\1", text)  # files of the repository
    return rendered(text)


def rendered(markdown: str, html: bool = True) -> str:
    """Markdown as HTML; without `html` tags in it are shown as they are written.

    >>> rendered("a **b** <i>", html=False)
    '<p>a <strong>b</strong> &lt;i&gt;</p>\\n'
    """
    options = {} if html else {"renderer_options": {"html": False}}
    return unescape(pn.pane.Markdown(markdown, **options).get_root().text)


def plain(markdown: str) -> str:
    """A line of Markdown as plain words.

    >>> plain("a **node** of `Kuhn`, see [the guide](x.md)")
    'a node of Kuhn, see the guide'
    """
    return re.sub(r"\*\*|`", "", _LINK.sub(r"\1", markdown)).strip()


@cache
def terms() -> dict[str, str]:
    """The glossary: what each word means; words that share a row share its meaning."""
    found: dict[str, str] = {}
    for words, meaning in _ROW.findall(source("glossary")):
        for word in re.findall(r"\*\*([^*]+)\*\*", words):
            found.setdefault(plain(word).lower(), plain(meaning))
    return found


def term(word: str, of: str = "") -> str:
    """A word of the screen that explains itself from the glossary; one that is not in it stays plain.

    >>> term("Regret", of="regret").startswith("<span class='term' tabindex='0' data-term='regret'")
    True
    >>> term("gossip")
    'gossip'
    """
    name = (of or word).lower()
    if name not in terms():
        return escape(word)
    return f"<span class='term' tabindex='0' data-term='{escape(name)}'>{escape(word)}</span>"


def sections_with(words: str) -> list[tuple[str, str, str]]:
    """Where all of these words stand together: guide, heading, and the line that holds the first of them."""
    asked = words.lower().split()
    found = []
    for name in guide_names() if asked else ():
        for part in re.split(r"^(?=#{1,3} )", source(name), flags=re.M):
            if all(word in part.lower() for word in asked):
                heading, _, body = part.partition("\n")
                lines = [line for line in body.splitlines() if asked[0] in line.lower()]
                found.append((name, plain(heading.lstrip("# ")), plain(lines[0]) if lines else ""))
    return found
