"""The notebook's tree without a notebook: what travels to the page, and what stays in the saved file."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from ui.tree_samples import everything, leduc, random_policy, random_tree

from solverlab.ui.tree.esm import CSS, ESM
from solverlab.ui.tree.pane import TreePane
from solverlab.ui.tree.widget import LARGEST_PICTURE, TreeWidget
from solverlab.views.tree_fold import open_some, toggle
from solverlab.views.tree_layout import repaint, visible_tree
from solverlab.views.tree_svg import percent


@pytest.fixture(params=[TreeWidget, TreePane], ids=["notebook", "page"])
def shown(request):
    """A tree on show, and what it is made of."""
    (tree, names), drawing = leduc(), request.param()
    sigma, expanded = random_policy(tree, 2, 0), open_some(tree, 24)
    drawing.draw(visible_tree(tree, names, sigma, 1, expanded, 0))
    return drawing, tree, names, expanded


def test_new_numbers_travel_alone(shown):
    drawing, tree, _, _ = shown
    sent, sigma = drawing.nodes, random_policy(tree, 2, 9)
    drawing.draw(repaint(sent, tree, sigma, 1))
    assert drawing.nodes is sent
    assert set(drawing.live) == {"probability", "reach"}
    assert drawing.live["probability"][1] == round(sigma[1, 1], 4)
    assert f">{percent(drawing.live['probability'][1])}</tspan>" in drawing.svg()


def test_a_folded_tree_forgets_old_numbers_and_keeps_the_selection_in_sight(shown):
    drawing, tree, names, expanded = shown
    drawing.draw(repaint(drawing.nodes, tree, random_policy(tree, 2, 9), 1))
    drawing.selected = int(tree.first[1])
    closed = toggle(tree, expanded, 1)
    drawing.draw(visible_tree(tree, names, random_policy(tree, 2, 9), 1, closed, drawing.selected))
    assert drawing.live == {}
    assert drawing.selected == 1
    assert drawing.nodes["n_hidden"][drawing.nodes["id"].index(1)] > 0


def test_the_saved_notebook_keeps_a_picture_unless_it_is_heavy():
    tree, names = leduc()
    widget = TreeWidget()
    widget.draw(visible_tree(tree, names, random_policy(tree, 1, 0), 0, {0}, 0))
    data, _ = widget._repr_mimebundle_()
    assert data["image/svg+xml"] == widget.svg()
    large, names = random_tree(LARGEST_PICTURE + 1, seed=3)
    widget.draw(visible_tree(large, names, random_policy(large, 1, 0), 0, everything(large), 0))
    assert "image/svg+xml" not in widget._repr_mimebundle_()[0]
    assert "image/svg+xml" not in TreeWidget()._repr_mimebundle_()[0]


def test_a_notebook_needs_no_panel():
    program = "import sys, solverlab.ui.tree.widget; sys.exit('panel' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], timeout=60).returncode == 0


def test_the_drawing_fetches_nothing():
    addresses = set(re.findall(r"https?://[^\s\"'`]+", ESM + CSS))
    assert addresses == {"http://www.w3.org/2000/svg"}  # the name of a format
    assert not re.search(r"\bimport\b|fetch\(|url\(|XMLHttpRequest", ESM + CSS)
    assert ESM.count("export default") == 1
