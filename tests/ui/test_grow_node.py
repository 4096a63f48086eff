"""The node of the Grow page deal by deal, and the calculator beside the trees."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from solverlab.ui.grow.page import GrowPage
from solverlab.ui.grow.settings import GrowSettings


def rests(page: GrowPage) -> None:
    """Wait until nothing is left to do, and put it up."""
    page.runner.wait()
    page.tick()


@pytest.fixture
def opened() -> Iterator[Callable[[GrowSettings], GrowPage]]:
    """Pages that are closed when the test is over."""
    pages: list[GrowPage] = []

    def opening(choice: GrowSettings) -> GrowPage:
        pages.append(GrowPage(choice))
        rests(pages[-1])
        return pages[-1]

    yield opening
    for page in pages:
        page.close()


@pytest.fixture
def kuhn(opened) -> GrowPage:
    return opened(GrowSettings(game="kuhn", k=2, sweeps=2))


@pytest.fixture
def holdem(opened) -> GrowPage:
    return opened(GrowSettings(players=3, deals=30, k=2, sweeps=2))


def test_the_reach_of_each_deal_is_told_on_demand(holdem):
    """Document 000: a deal's reach is the product of all choices on the way; their mean is the node's."""
    holdem.rebalance()
    holdem.expand()
    holdem.rebalance()
    rests(holdem)
    rows = holdem.frame.rows
    leaf = next(i for i in range(len(rows.parent)) if rows.kind[i] == 0 and rows.node[i] > 0)
    assert not holdem.node.button.visible
    holdem.canvas.selected = leaf
    rests(holdem)
    assert holdem.frame.deals is None and holdem.node.button.visible and "grow-deals" not in holdem.node.html
    holdem.node.button.clicks += 1
    rests(holdem)
    deals, seen = holdem.frame.deals, holdem.frame.inspection
    assert len(deals) == 30 and all(len(deal.others) == 2 for deal in deals)
    assert np.mean([deal.reach for deal in deals]) == pytest.approx(seen.reach)
    worth = np.array([(deal.reach, deal.worth) for deal in deals if deal.reach > 0]).T
    assert (worth[0] * worth[1]).sum() / worth[0].sum() == pytest.approx(seen.ev)
    assert holdem.node.html.count("<tr>") >= 31 and ", ".join(deals[0].others) in holdem.node.html
    holdem.node.button.clicks += 1
    rests(holdem)
    assert holdem.frame.deals is None and "grow-deals" not in holdem.node.html


def test_exact_nodes_have_no_deals_to_tell(kuhn):
    kuhn.rebalance()
    kuhn.expand()
    rests(kuhn)
    kuhn.canvas.selected = int(np.flatnonzero(kuhn.frame.rows.node >= 0)[0])
    rests(kuhn)
    assert kuhn.frame.inspection is not None and not kuhn.node.button.visible


def test_the_standard_tree_is_calculated(kuhn):
    """Document 000: ten players and three actions make 3^9 branches between two decisions."""
    size = kuhn.tree_size
    assert "19,683" in size.told.object and "3<sup>9</sup>" in size.told.object
    size.players.value, size.actions.value = 6, 4
    assert "1,024" in size.told.object and "4<sup>5</sup>" in size.told.object
