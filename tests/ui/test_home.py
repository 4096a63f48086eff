"""Home and Help: every page has its card, every guide opens, pictures are what is computed."""

from __future__ import annotations

import runpy
from pathlib import Path

import solverlab as sl
from solverlab.ui.home.help import help_html
from solverlab.ui.home.page import CARDS, home_html, picture
from solverlab.ui.shell import PAGES
from solverlab.ui.skeleton.guides import folder, guide_html, guide_names, terms
from solverlab.ui.tokens import colours, partners, properties
from solverlab.views.theme import DARK, LIGHT

TOOL = Path(__file__).parents[2] / "tools" / "home_pictures.py"


def test_every_page_has_a_card_with_its_question_and_a_picture():
    html = home_html()
    assert {card.slug for card in CARDS} <= {page.slug for page in PAGES}
    for card in CARDS:
        assert f"href='{card.slug}'" in html and card.question in html
        assert picture(card.slug).startswith("<svg") and "var(--" in picture(card.slug)


def test_the_pictures_are_what_the_program_computes():
    made = runpy.run_path(str(TOOL))["MADE"]
    for name in ("solve", "two-to-seven"):
        assert made[name]() == picture(name)


def test_recent_runs_are_told_newest_first(tmp_path, monkeypatch):
    monkeypatch.setenv("SOLVERLAB_HOME", str(tmp_path))
    assert "None saved yet" in home_html()
    solver = sl.CFR(sl.Kuhn(), "DCFR")
    solver.step(10)
    sl.save(solver, "my-run")
    assert "my-run" in home_html() and "DCFR on" in home_html()


def test_every_guide_opens_and_keeps_its_links_inside():
    assert folder().is_dir() and "glossary" in guide_names()
    for name in guide_names():
        html = guide_html(name)
        assert "<h1" in html and ".md)" not in html and "<img" not in html
    assert "There is no guide 'chess'" in help_html({"doc": "chess"})


def test_a_search_finds_sections_and_says_when_there_are_none():
    assert "help?doc=glossary" in help_html({"q": "exploitability"})
    assert "0 sections with “&lt;script&gt;”" in help_html({"q": "<script>"})
    assert len(terms()) > 40 and all(terms().values())


def test_every_colour_has_a_name_and_one_partner_in_the_dark():
    light, dark = colours(LIGHT), colours(DARK)
    assert light.keys() == dark.keys()
    assert all(partners()[colour] == dark[name] for name, colour in light.items())
    assert all(f"--{name}: {colour};" in properties() for name, colour in dark.items())
