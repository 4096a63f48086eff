"""Lessons: every shipped one is read, so is the guide's example, and a bad file is told in one sentence."""

from __future__ import annotations

import re

import pytest

from solverlab.core.errors import BadValue, UnknownName
from solverlab.ui.home.page import home_html
from solverlab.ui.lessons.read import LARGEST, read_lesson
from solverlab.ui.lessons.shelf import FOLDER, lesson_named, lessons_of, shipped
from solverlab.ui.shell import PAGES as ENTRIES
from solverlab.ui.skeleton.guides import source

HEAD = "---\nlesson: A title\npage: solve\n---\n"
END = "\n## Now you\n\nPlay.\n"


def with_step(step: str) -> str:
    return f"{HEAD}\nHello.\n\n## One\n\n{step}\n{END}"


def test_every_shipped_lesson_is_read_and_lies_with_its_page():
    found = {path.stem: path.parent.name for path in FOLDER.glob("*/*.md")}
    assert len(found) >= 2
    assert {slug: one["page"] for slug, one in shipped().items()} == found
    for entry in ENTRIES:
        assert read_lesson(with_step("Look.").replace("solve", entry.slug))["page"] == entry.slug
    for one in shipped().values():
        assert any("predict" in step for step in one["steps"])


def test_lessons_of_a_page_are_in_order_and_counted_at_home():
    of_solve = [one["number"] for one in lessons_of("solve")]
    assert of_solve == list(range(1, len(list((FOLDER / "solve").glob("*.md"))) + 1))
    assert f"{len(of_solve)} lessons" in home_html()
    with pytest.raises(UnknownName, match="there is no lesson 'chess'"):
        lesson_named("chess")


def test_the_example_of_the_guide_is_a_lesson():
    example = re.search(r"````markdown\n(.*?)````", source("lessons"), re.S)[1]
    lesson = read_lesson(example)
    assert lesson["title"] == "Ten steps of CFR"
    assert [step["title"] for step in lesson["steps"]] == ["Predict", "Now you"]
    step = lesson["steps"][0]
    assert step["do"] == [{"press": "Step 10"}] and "It fell" in step["after"]
    assert step["predict"]["truth"] == {"tile": "exploitability of the average"}


BAD = {
    "no head": ("Hello", "the lesson has no head; begin with ---"),
    "no steps": (HEAD + "Hello", "the lesson has no steps"),
    "a page": ("---\nlesson: x\npage: chess\n---\n", "there is no page 'chess'; choose one of solve"),
    "a word of the head": ("---\nauthor: me\n---\n", "line 2: the head has no 'author: me'"),
    "a block": (with_step("```chek\n```"), "line 10: there is no block 'chek'; use do, check, predict"),
    "no end": (with_step('```do\npress "Run"'), "line 10: the do block has no end"),
    "an action": (
        with_step('```do\npush "Run"\n```\n```check\npage shows "x"\n```'),
        "line 11: 'push \"Run\"' is no action",
    ),
    "no check": (with_step('```do\npress "Run"\n```'), "line 8: the step does something but checks nothing"),
    "a condition": (with_step('```check\ntile "x" is many\n```'), "line 11: 'many' is no reading"),
    "another page": (
        with_step('```do\nopen "http://x"\n```\n```check\npage shows "x"\n```'),
        "is no link within the page",
    ),
    "one choice": (with_step('```predict\nask "?"\nchoice "a" right\n```'), "choices is 1; give 2 to 4"),
    "no truth": (with_step('```predict\nask "?"\nslider from 0 to 1\n```'), "a slider needs its truth"),
    "a slider down": (with_step('```predict\nask "?"\nslider from 1 to 0\n```'), "leaves nothing to choose"),
    "a term": (with_step("[gossip](term)"), "there is no word 'gossip' in the glossary"),
    "a last step that acts": (
        HEAD + '\n## One\n```do\npress "Run"\n```\n```check\npage shows "x"\n```\n',
        "the last step belongs to the learner",
    ),
    "too large": (b"x" * (LARGEST + 1), "64,001 bytes; 64,000 are the most"),
    "no text": (b"\xff\xfe\x00", "the file is no text"),
}  # fmt: skip


@pytest.mark.parametrize("text, told", BAD.values(), ids=BAD)
def test_a_bad_file_is_one_sentence(text, told):
    with pytest.raises(BadValue) as problem:
        read_lesson(text)
    assert told in str(problem.value) and "\n" not in str(problem.value)


def test_nothing_a_stranger_wrote_becomes_a_tag():
    text = with_step(
        "<script>x</script> ![p](http://a.b/c.png) ![q][r] [z](javascript:x)\n\n[r]: http://a.b/d.png"
    )
    html = read_lesson(text)["steps"][0]["html"]
    assert "<script" not in html and "<img" not in html and 'href="javascript' not in html
