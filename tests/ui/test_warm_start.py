"""After `solverlab warm` no page compiles anything for its first click, so the list of errands is whole."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap

import pytest

from solverlab.cli import main
from solverlab.ui import warm_children
from solverlab.ui.warm_bar import Ahead
from solverlab.ui.warm_start import ERRANDS, PAGES

FIRST_CLICKS = """
    import json, time
    from numba.core import event

    compiled = event.RecordingListener()
    event.register("numba:compile", compiled)
    from solverlab.ui.shell import PAGES

    def until(page, condition):
        ends = time.monotonic() + 120
        while not condition():
            assert time.monotonic() < ends, type(page).__name__
            page.tick()
            time.sleep(0.02)

    from solverlab.ui.grow.page import GrowPage
    from solverlab.ui.lowball.page import LowballPage
    from solverlab.ui.pushfold.page import PushFoldPage
    from solverlab.ui.solve.page import SolvePage

    solve = SolvePage()
    until(solve, lambda: solve.runner is not None)
    solve.step(1)
    until(solve, lambda: solve.runner.latest().snapshot.iteration == 1 and not solve.runner.latest().running)
    grow = GrowPage()
    grow.toggle()
    until(grow, lambda: grow.frame.now["sweep"] > 1)
    push_fold = PushFoldPage()
    until(push_fold, lambda: push_fold.shown is not None)
    lowball = LowballPage()
    until(lowball, lambda: lowball.solving is not None)
    for page in (solve, grow, push_fold, lowball):
        page.close()
    names = [one.data["dispatcher"].py_func for _, one in compiled.buffer if one.is_start]
    print(json.dumps([f"{name.__module__}.{name.__qualname__}" for name in names]))
"""


def test_after_warming_no_first_click_compiles_anything(capsys):
    pages = [page for page in PAGES if page != "abstraction"]  # its tables take long
    assert main(["warm", *(word for page in pages for word in ("--page", page))]) == 0
    assert "ready" in capsys.readouterr().out
    command = [sys.executable, "-c", textwrap.dedent(FIRST_CLICKS)]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=300, env=dict(os.environ))
    assert answer.returncode == 0, answer.stderr
    assert json.loads(answer.stdout.splitlines()[-1]) == []
    # What is done is not done again: no child is started.
    warm = warm_children.WarmStart([errand for errand in ERRANDS if errand.page in pages])
    assert warm.wait(0) and not warm.left() and not warm.problems


def test_a_page_nobody_knows_is_refused_in_a_sentence(capsys):
    assert main(["warm", "--page", "sovle"]) == 2
    assert "there is nothing to warm for 'sovle'; choose from solve, grow" in capsys.readouterr().err


@pytest.fixture
def unstarted(monkeypatch, tmp_path) -> warm_children.WarmStart:
    """Everything is to be done, and nobody does it."""
    monkeypatch.setattr(warm_children, "_stamp", lambda: tmp_path / "done.json")
    monkeypatch.setattr(warm_children, "cache_folder", lambda: tmp_path)
    return warm_children.WarmStart(children=0)


def test_the_visited_page_comes_first_and_what_it_took_is_remembered(unstarted):
    assert len(unstarted.left()) == len(ERRANDS)
    unstarted.visited("push-fold")
    first = unstarted.left()[0]
    assert unstarted.left("push-fold") == [first]
    assert unstarted.expected(first) == next(one.seconds for one in ERRANDS if one.name == first)
    unstarted._book(unstarted._next().name, {"seconds": 2.5, "compiled": 7, "problem": ""})
    assert unstarted.left("push-fold") == [] and first in warm_children.finished()
    assert warm_children.WarmStart(children=0).expected(first) == 2.5


def test_an_errand_whose_process_dies_is_told_and_the_others_go_on(unstarted, monkeypatch):
    monkeypatch.setattr(warm_children, "_child", lambda: subprocess.Popen(
        [sys.executable, "-c", "pass"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ))  # fmt: skip
    dying = warm_children.WarmStart(ERRANDS[:2], children=1)
    assert dying.wait(60)
    assert list(dying.problems.values()) == ["the process ended unexpectedly"] * 2
    assert not warm_children.finished()


def test_a_page_says_what_is_compiled_for_it_and_how_long_it_takes(unstarted):
    ahead = Ahead(unstarted, "push-fold")
    assert ahead.look() and ahead.words == "solving the first stack, once on this machine"
    name = unstarted._next().name  # under way; the page came first
    while name != "push-fold: solving the first stack":
        name = unstarted._next().name
    unstarted.running[name] -= 2.0  # began two seconds ago
    assert ahead.look() and 0.5 < ahead.share < 0.99 and ahead.left < ahead.whole - 1.9
    unstarted._book(name, {"seconds": 3.0, "compiled": 1, "problem": ""})
    assert not ahead.look()
