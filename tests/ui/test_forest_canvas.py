"""What travels to the drawing of a growing forest: new rows once, numbers often, all of it on request."""

from __future__ import annotations

import re
import subprocess
import sys

import numpy as np
import pytest
from ui.forest_samples import LEAF, grown

from solverlab.core.errors import BadValue
from solverlab.ui.grow.forest_canvas import ForestCanvas
from solverlab.ui.grow.forest_rows import CSS, ESM, unpacked
from solverlab.ui.grow.forest_widget import ForestWidget


@pytest.fixture(params=[ForestWidget, ForestCanvas], ids=["notebook", "page"])
def shown(request):
    """A drawing of a small forest, and the forest."""
    drawing, grove = request.param(), grown(60)
    drawing.show("run 1", *grove.rows())
    return drawing, grove


def received(drawing, known: dict[str, list] | None = None) -> dict[str, list]:
    """What a page that follows the rules of the parcels has after the newest one."""
    shape = drawing.shape
    begin = shape["begin"]
    columns = {"parent": "<i4", "kind": "u1", "who": "i1"}
    rows = {name: unpacked(shape[name], dtype).tolist() for name, dtype in columns.items()}
    rows["label"] = shape["label"]
    have = {name: (known or {name: []})[name][:begin] for name in rows}
    for name, dtype in (("kind", "u1"), ("who", "i1")):
        fresh = unpacked(shape[f"known_{name}"], dtype).tolist()
        have[name] = fresh + have[name][len(fresh) :]
    assert all(len(have[name]) == begin for name in rows), "a page would have asked for all"
    whole = {name: have[name] + rows[name] for name in rows}
    assert {len(column) for column in whole.values()} == {shape["total"]}
    return whole


def as_lists(grove) -> dict[str, list]:
    names = ("parent", "kind", "who", "label")
    return {name: list(column) for name, column in zip(names, grove.rows(), strict=True)}


def test_a_first_tree_travels_whole(shown):
    drawing, grove = shown
    assert (drawing.shape["view"], drawing.shape["begin"]) == ("run 1", 0)
    assert received(drawing) == as_lists(grove)


def test_only_new_rows_travel(shown):
    drawing, grove = shown
    known, before = received(drawing), len(grove.parent)
    grove.grow(5)
    drawing.show("run 1", *grove.rows())
    assert drawing.shape["begin"] == before < drawing.shape["total"]
    assert len(drawing.shape["label"]) == len(grove.parent) - before
    assert received(drawing, known) == as_lists(grove), "expanded leaves have their new kind"


def test_the_same_tree_again_costs_nothing(shown):
    drawing, grove = shown
    sent = drawing.shape
    drawing.show("run 1", *grove.rows())
    assert drawing.shape is sent


def test_another_view_starts_over(shown):
    drawing, grove = shown
    drawing.show("run 2", *grove.rows())
    assert (drawing.shape["view"], drawing.shape["begin"]) == ("run 2", 0)
    assert received(drawing) == as_lists(grove)


def test_looking_back_cuts_the_tail_and_a_branch_replaces_it(shown):
    drawing, grove = shown
    past = [column[:30] for column in grove.rows()]
    drawing.show("run 1", *past)
    assert drawing.shape["begin"] == drawing.shape["total"] == 30
    known = received(drawing, as_lists(grove))
    branch = [*past[:3], [*past[3][:-1], "another line"]]
    drawing.show("run 1", *branch)
    assert (drawing.shape["begin"], drawing.shape["total"]) == (29, 30)
    known = received(drawing, known)
    drawing.show("run 1", *grove.rows())
    assert drawing.shape["begin"] == 29
    assert received(drawing, known) == as_lists(grove)


def test_a_page_that_missed_something_gets_all(shown):
    drawing, grove = shown
    grove.grow(3)
    drawing.show("run 1", *grove.rows())
    assert drawing.shape["begin"] > 0
    if isinstance(drawing, ForestCanvas):
        drawing.said = {"want": "all", "count": 1}
    else:
        drawing._handle_custom_msg({"want": "all"}, [])
    assert drawing.shape["begin"] == 0
    assert received(drawing) == as_lists(grove)
    first = drawing.shape
    drawing.hear({"want": "all"})
    assert drawing.shape != first, "an equal parcel would never leave Python"


def test_a_view_that_opens_or_closes_asks_for_nothing(shown):
    drawing, _ = shown
    sent = drawing.shape
    drawing.hear({"view": 1})
    drawing.hear({"view": -1})
    assert drawing.shape is sent


def test_numbers_travel_alone_and_exactly(shown):
    drawing, grove = shown
    sent = drawing.shape
    grove.drift()
    kind, reach, ev = grove.numbers()
    drawing.update(kind, reach, ev, epoch=3, sweep=120)
    assert drawing.shape is sent
    assert {name: drawing.live[name] for name in ("view", "size", "epoch", "sweep")} == {
        "view": "run 1",
        "size": len(reach),
        "epoch": 3,
        "sweep": 120,
    }
    assert np.array_equal(unpacked(drawing.live["reach"], "<f4"), reach.astype(np.float32))
    assert np.array_equal(unpacked(drawing.live["ev"], "<f4"), ev.astype(np.float32), equal_nan=True)
    assert np.isnan(unpacked(drawing.live["ev"], "<f4")[kind == LEAF]).all()


def test_numbers_of_another_tree_are_refused(shown):
    drawing, grove = shown
    with pytest.raises(BadValue, match=r"numbers for \[3\] nodes do not fit"):
        drawing.update(*(column[:3] for column in grove.numbers()))


def test_rows_that_make_no_tree_are_refused(shown):
    drawing, _ = shown
    with pytest.raises(BadValue, match="node 1 stands before its parent 2; list parents first"):
        drawing.show("x", [-1, 2, 0], [1, 0, 0], [0, 0, 0], ["", "a", "b"])
    with pytest.raises(BadValue, match=r"columns of \[2, 1, 2, 2\] rows do not match"):
        drawing.show("x", [-1, 0], [1], [0, 0], ["", "a"])


def test_callers_may_reuse_their_arrays(shown):
    drawing, grove = shown
    parent, kind, who, label = grove.rows()
    drawing.show("run 3", parent, kind, who, label)
    kind[:] = 4
    label.clear()
    drawing.hear({"want": "all"})
    assert received(drawing) == as_lists(grove)


def test_a_notebook_needs_no_panel():
    program = "import sys, solverlab.ui.grow.forest_widget; sys.exit('panel' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], timeout=60).returncode == 0


def test_the_drawing_fetches_nothing():
    addresses = set(re.findall(r"https?://[^\s\"'`]+", ESM + CSS))
    assert addresses == {"http://www.w3.org/2000/svg"}  # the name of a format
    assert not re.search(r"\bimport\b|fetch\(|url\(|XMLHttpRequest", ESM + CSS)
    assert ESM.count("export default") == 1
