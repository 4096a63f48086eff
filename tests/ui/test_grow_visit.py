"""What a newcomer meets on the Grow page: links with one wrong word, looking back, hands drawn as one."""

from __future__ import annotations

import pytest

from solverlab.ui.grow.choice import Choice
from solverlab.ui.grow.page import GrowPage


def rests(page: GrowPage) -> None:
    page.runner.wait()
    page.tick()


@pytest.fixture
def opened():
    """Opens pages, and closes them when the test is over."""
    pages = []

    def open_page(*chosen, **settings) -> GrowPage:
        pages.append(GrowPage(*chosen, **settings))
        pages[-1].layout()
        rests(pages[-1])
        return pages[-1]

    yield open_page
    for page in pages:
        page.close()


@pytest.fixture
def kuhn(opened) -> GrowPage:
    return opened(Choice(game="kuhn", k=2, sweeps=2))


# ---- what is known -----------------------------------------------------------------------------------------


def test_colours_keep_their_scale_between_sub_steps(kuhn):
    kuhn.runner.rebalance(20)
    kuhn.expand()
    kuhn.rebalance()
    rests(kuhn)
    high = kuhn.canvas.look["high"]
    for _ in range(4):
        kuhn.sub_step()
        rests(kuhn)
        assert kuhn.canvas.look["high"] == high, kuhn.frame.phase.name
