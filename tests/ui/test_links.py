"""Every link that was ever shared opens as it did: settings, the link written again, and complaints.

`data/links.json` was recorded from the pages before they shared one way to declare settings: for each page
settings with the link they wrote, and words typed at random with the settings and sentences they gave. What
differs by intention: every sentence repeats at most sixty letters of a word now.
"""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from solverlab.ui.abstraction.settings import AbstractionSettings
from solverlab.ui.grow.settings import GrowSettings
from solverlab.ui.lowball.settings import LowballSettings
from solverlab.ui.pushfold.settings import PushFoldSettings
from solverlab.ui.settings import Settings
from solverlab.ui.solve.settings import SolveSettings

RECORDED = json.loads((Path(__file__).parent / "data" / "links.json").read_text("utf-8"))
PAGES: dict[str, type[Settings]] = {
    "solve": SolveSettings,
    "pushfold": PushFoldSettings,
    "lowball": LowballSettings,
    "grow": GrowSettings,
    "abstraction": AbstractionSettings,
}


def words_of(link: str) -> dict[str, str]:
    return dict(parse_qsl(link, keep_blank_values=True))


def differing(settings: Settings) -> dict[str, object]:
    """What is not as declared."""
    names = [one.name for one in fields(settings)]
    usual = type(settings)()
    return {
        name: getattr(settings, name) for name in names if getattr(settings, name) != getattr(usual, name)
    }


@pytest.mark.parametrize("page", PAGES)
def test_every_recorded_link_opens_as_it_did_and_is_written_again(page: str) -> None:
    for settings, link in RECORDED[page]["links"]:
        found, complaints = PAGES[page].from_query(words_of(link))
        assert (differing(found), complaints) == (settings, []), link
        assert found.query() == link


@pytest.mark.parametrize("page", PAGES)
def test_words_at_random_give_the_settings_and_the_sentences_they_gave(page: str) -> None:
    for line, settings, told in RECORDED[page]["words"]:
        found, complaints = PAGES[page].from_query(words_of(line))
        assert differing(found) == settings, line
        recorded = [RECORDED["sentences"][number] for number in told]
        assert len(complaints) == len(recorded), line
        for new, old in zip(sorted(complaints), sorted(recorded), strict=True):
            assert same_sentence(new, old), line


def same_sentence(new: str, old: str) -> bool:
    """Word for word, but that a list of known names may have grown since."""
    new, old = (re.sub("x{30,60}", "x...", sentence) for sentence in (new, old))
    (said, _, names), (before, _, known) = new.partition("; known: "), old.partition("; known: ")
    return said == before and set(known.strip(".").split(", ")) <= set(names.strip(".").split(", "))


@pytest.mark.parametrize("page", PAGES)
def test_saved_settings_come_back_as_they_were(page: str) -> None:
    for _, link in RECORDED[page]["links"][:40]:
        found, _ = PAGES[page].from_query(words_of(link))
        assert PAGES[page].from_words(found.words()) == found
