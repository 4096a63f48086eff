"""Every session printed in the documentation runs as printed."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
FENCED = re.compile(r"^```[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def sessions(text: str) -> list[doctest.Example]:
    """The examples of all fenced blocks with a prompt, each with the line it stands on."""
    examples = []
    for block in FENCED.finditer(text):
        if ">>> " in block.group(1):
            above = text[: block.start(1)].count("\n")
            for example in doctest.DocTestParser().get_examples(block.group(1)):
                example.lineno += above
                examples.append(example)
    return examples


def differences(name: str, text: str) -> list[str]:
    """What came out otherwise than printed; all blocks of a page share their names."""
    told: list[str] = []
    test = doctest.DocTest(sessions(text), {"__name__": "__main__"}, name, name, 0, text)
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    runner.run(test, out=told.append)
    return told


def with_sessions() -> list[Path]:
    return [page for page in PAGES if sessions(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("file", with_sessions(), ids=lambda file: file.relative_to(ROOT).as_posix())
def test_a_page_runs_as_printed(file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOLVERLAB_HOME", str(tmp_path))
    told = differences(file.name, file.read_text(encoding="utf-8"))
    assert not told, "\n".join(told)


def test_the_pages_that_teach_have_sessions():
    names = {page.name for page in with_sessions()}
    assert {"README.md", "adding-a-game.md", "schedules.md", "glossary.md"} <= names


def test_a_page_that_is_wrong_is_noticed():
    page = "Text.\n\n```python\n>>> a = 1\n>>> a + 1\n2\n\n```\n\nMore.\n\n```python\n>>> a + 1\n3\n\n```\n"
    told = differences("wrong.md", page)
    assert len([text for text in told if "Expected:" in text]) == 1
    assert 'File "wrong.md", line 13' in "".join(told)


def test_kuhn_in_the_page_is_kuhn():
    """The worked example of adding a game is the game of the house, node by node and payoff by payoff."""
    import numpy as np

    import solverlab as sl

    names: dict = {"__name__": "__main__"}
    text = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
    for example in sessions(text)[:4]:
        exec(example.source, names)
    mine, ours = names["game"], sl.Kuhn()
    lines = [line for line in sessions(text)[2].source.splitlines() if line.strip()]
    assert len(lines) <= 25
    for one, other in zip(mine.tree, ours.tree, strict=True):
        np.testing.assert_array_equal(one, other)
    assert mine.names.paths == ours.names.paths and mine.hands == ours.hands
    reach = np.random.default_rng(0).random((2, 5, 3))
    for me in range(2):
        np.testing.assert_allclose(mine.leaf_cfv(me, reach), ours.leaf_cfv(me, reach), atol=1e-15)
    same = [sl.CFR(game, "DCFR").step(200).policy.sigma for game in (mine, ours)]
    np.testing.assert_allclose(*same, atol=1e-9)
