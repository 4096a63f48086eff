"""Two forms of one seat's tree, counted by hand and against the rules."""

from __future__ import annotations

import numpy as np
import pytest

import solverlab as sl
from solverlab.core.errors import BadValue, UnknownName
from solverlab.views import beside, form_frame, tree_form


@pytest.fixture(scope="module")
def three() -> sl.Policy:
    return sl.uniform_policy(sl.Kuhn(players=3))


def test_with_passive_nodes_it_is_the_game_tree(three):
    table = form_frame(three)
    assert table["node"].tolist() == list(range(len(three.tree.parent)))
    assert table["parent"].tolist() == three.tree.parent.tolist()
    assert set(table["kind"]) == {"own decision", "passive", "leaf"}


@pytest.mark.parametrize("seat", range(3))
def test_the_standard_tree_has_own_decisions_and_ends_alone(three, seat):
    """The same decisions and the same ends as with passive nodes; one more node where others act first."""
    table = form_frame(three, seat, passive=False)
    own, ends = three.tree.player == seat, three.tree.player < 0
    assert set(table["node"]) == set(np.flatnonzero(own | ends)) | {0}
    assert table["kind"].value_counts().to_dict() == {
        "own decision": own.sum(),
        "leaf": ends.sum(),
        **({"deal": 1} if seat else {}),
    }
    # An edge says all that happened since the parent.
    for row in table.iloc[1:].itertuples():
        above = table["path"][row.parent]
        said = "/".join([above] * bool(above) + row.edge.split(", "))
        assert said == row.path


def test_deals_stay_in_both_forms():
    leduc = sl.uniform_policy(sl.Leduc())
    whole, standard = form_frame(leduc), form_frame(leduc, passive=False)
    deals = [set(table["node"][table["kind"] == "deal"]) for table in (whole, standard)]
    assert deals[0] == deals[1] == set(np.flatnonzero(leduc.tree.player == -1))


def test_only_what_was_grown_is_drawn():
    """Of Kuhn: the root alone, then its two children; a search without passive nodes sees four."""
    kuhn = sl.uniform_policy(sl.Kuhn())
    assert [len(form_frame(kuhn, kept=kept)) for kept in ([], [0], [0, 1])] == [1, 3, 5]
    assert [len(form_frame(kuhn, passive=False, kept=kept)) for kept in ([], [0])] == [1, 5]
    assert form_frame(kuhn, passive=False, kept=[0])["kind"].tolist() == ["own decision", *["leaf"] * 4]


def test_pictures_stand_side_by_side(three):
    left, right = tree_form(three), tree_form(three, passive=False)
    both = beside({"ours <b>": left, "standard": right})
    assert "ours &lt;b&gt;</text>" in both.svg and both.svg.index("ours") < both.svg.index("standard")
    assert both.svg.count("<path") == left.svg.count("<path") + right.svg.count("<path")


def test_what_cannot_be_drawn_is_told(three):
    for seat in (3, -1, True, "first"):
        with pytest.raises(UnknownName, match="there is no seat"):
            tree_form(three, seat)
    with pytest.raises(BadValue, match="no tree to draw"):
        beside({})
