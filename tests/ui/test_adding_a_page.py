"""The page of docs/adding-a-page.md, as printed: its settings, its link, its worker, its chart, its end."""

from __future__ import annotations

import re
import sys
import threading
import time
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import panel as pn
import pytest

from solverlab.ui.buttons import RUN_KEYS, STEP_KEYS
from solverlab.ui.page import Session
from solverlab.ui.page_frame import forgiving
from solverlab.ui.tasks import Cancel, Report, TaskQueue

PRINTED = (Path(__file__).resolve().parents[2] / "docs" / "adding-a-page.md").read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", PRINTED, re.MULTILINE | re.DOTALL)
CODE, SOLVING = (
    next(block for block in BLOCKS if f"class {name}(Page" in block) for name in ("DicePage", "ValuePage")
)


def printed(name: str, code: str) -> Iterator[Any]:
    """The printed code as a module."""
    module = types.ModuleType(name)
    sys.modules[name] = module
    exec(compile(code, "docs/adding-a-page.md", "exec"), module.__dict__)
    yield module
    del sys.modules[name]


@pytest.fixture(scope="module")
def dice() -> Iterator[Any]:
    yield from printed("printed_dice_page", CODE)


@pytest.fixture
def values() -> Iterator[Any]:
    """A page that solves, as printed, with its first game built."""
    module = next(made := printed("printed_value_page", SOLVING))
    page = module.ValuePage()
    page.layout().get_root()
    until(page, lambda: page.run.ready)
    yield page
    page.close()
    assert next(made, None) is None


def until(page: Any, condition: Callable[[], bool]) -> None:
    """Turn the page's clock until something has happened."""
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, page.notice.text
        page.tick()
        time.sleep(0.01)


def drawn(page: Any) -> int:
    page.worker.wait()
    page.tick()
    return len(page.line.source.data["mean"])


def test_its_colours_are_those_of_the_theme() -> None:
    assert not re.findall(r"#[0-9A-Fa-f]{6}", PRINTED)


def test_it_takes_less_than_sixty_lines() -> None:
    assert len([line for line in CODE.splitlines() if line.strip()]) < 60


def test_it_draws_answers_to_its_widgets_and_ends_with_the_visit(dice: Any) -> None:
    page = dice.DicePage()
    page.layout().get_root()
    assert page.keyboard.address == "dice=2"  # what is always in a link is in the address from the beginning
    assert drawn(page) == 400 and page.chart.figure.y_range.end == 14
    page.controls.sides.value = "20"
    assert drawn(page) == 400 and page.keyboard.address == "dice=2&sides=20"
    page.controls.dice.value = "eleven"
    assert "the number of dice is 'eleven'" in page.notice.text.lower() and page.settings.dice == 2
    page.tick()
    assert page.controls.dice.value == "2"
    page.reset_settings()
    assert page.settings == dice.DiceSettings()
    page.close()
    page.worker._thread.join(20)
    assert not page.worker._thread.is_alive()


def test_a_link_opens_it_and_says_what_it_left_out(dice: Any) -> None:
    told = "The link's dice was left out: the number of dice is '99'; give a whole number from 1 to 10."
    assert dice.DiceSettings.from_query({"dice": "99"}) == (dice.DiceSettings(), [told])
    assert told in re.sub(r"\s+", " ", PRINTED)
    assert isinstance(dice.DicePage.open(Session(query={"dice": "3"})), pn.viewable.Viewable)


def test_a_task_ends_with_the_page_that_owns_it(dice: Any) -> None:
    page, ended = dice.DicePage(), threading.Event()

    def endless(report: Report, cancel: Cancel) -> None:
        while not cancel():
            time.sleep(0.005)
        ended.set()

    queue = page.owned(TaskQueue())
    queue.order(endless, lambda result: None)
    assert queue.task is not None and not ended.wait(0.05)
    page.close()
    assert ended.wait(20) and queue.task.wait().done
    queue.order(endless, lambda result: None)
    assert page.owned(TaskQueue()) is not None and not queue.task.error  # a closed page takes no more orders


def test_a_fault_in_tick_is_told_once_logged_and_does_not_end_the_page(
    dice: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    page = dice.DicePage()
    tick, span = forgiving(page), page.chart.span
    monkeypatch.setattr(page.chart, "span", lambda *ends: 1 / 0)
    page.worker.wait()
    for _ in range(3):
        tick()
    assert page.notice.text.startswith("This page could not be drawn: ZeroDivisionError: division by zero; ")
    assert "role='alert'" in page.notice.pane.object
    assert len(caplog.records) == 1 and "DicePage could not be drawn" in caplog.text
    assert 'page.chart, "span"' in caplog.text  # the traceback shows where
    page.notice.clear()
    tick()
    assert page.notice.text and len(caplog.records) == 1
    monkeypatch.setattr(page.chart, "span", span)
    page.controls.sides.value = "20"
    page.worker.wait()
    tick()
    assert page.notice.text == "" and page.chart.figure.y_range.end == 42
    page.close()


def test_a_page_that_solves_steps_by_button_and_by_key_and_says_so(values: Any) -> None:
    def reached() -> int:
        values.run.runner.wait()
        values.tick()
        return values.line.source.data["iteration"][-1]

    assert values.keyboard.keys == list(RUN_KEYS)
    values.run.buttons.steps[10].clicks += 1
    assert reached() == 10
    for key in STEP_KEYS:
        values.press(key)
        reached()
    assert reached() == 121 and values.chart.figure.x_range.end >= 121  # rows are fewer: some have none
    values.press(" ")
    until(values, lambda: values.run.buttons.run.label.endswith("Pause"))
    values.press("s")  # waits while it runs, as its button does
    values.press(" ")
    assert reached() > 121 and values.run.buttons.run.label.endswith("Run")
    values.press("r")
    until(values, lambda: values.run.ready)
    assert reached() == 0
    for key, one in {"S": values.run.buttons.steps[1], "R": values.run.buttons.reset}.items():
        assert f"(key {key})" in one.description.content


def test_another_game_takes_the_place_of_the_old_run_and_nothing_is_left_behind(values: Any) -> None:
    old = values.run.runner
    values.controls.game.value = "leduc"
    assert values.run.runner is old and values.run.buttons.run.disabled
    until(values, lambda: values.run.ready)
    assert values.run.built.game.name == "Leduc hold'em" and values.keyboard.address == "game=leduc"
    values.controls.game.value = "kuhn"
    values.run.queue.task.wait()
    values.close()
    for runner in (old, values.run.runner, *(built.runner for built in values.run._made)):
        runner._thread.join(20)
        assert not runner._thread.is_alive()


def test_a_run_that_cannot_be_built_is_told_and_the_old_one_stays(values: Any) -> None:
    old = values.run.runner
    values.memory_cap = 10
    values.controls.game.value = "leduc"
    until(values, lambda: not values.run.queue.busy)
    values.tick()
    assert "but a session may use 0 MB" in values.notice.text and values.run.runner is old
    assert not values.run.buttons.run.disabled
    assert (values.keyboard.address, values.controls.game.value) == ("game=kuhn", "kuhn")
    values.memory_cap = 10**9
    values.press("r")  # what is shown begins anew, not what was refused
    until(values, lambda: values.run.ready)
    assert values.run.built.game.name == "Kuhn poker" and values.run.runner is not old
