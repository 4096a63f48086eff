"""Phase portraits and growth curves: the tables they draw, and that they can be drawn."""

from __future__ import annotations

import holoviews as hv
import pytest

import solverlab as sl
from solverlab.run import follow_paths, growing, uct_growth
from solverlab.run import growth as grow
from solverlab.views import growth, growth_frame, phase


@pytest.fixture(scope="module")
def went():
    solver = sl.Rebalance(sl.MatchingPennies(), start=0.6, scale=4.0)
    return follow_paths(solver, ("", "heads"), ("heads", "heads"), steps=80)


@pytest.fixture(scope="module")
def traces():
    game = sl.Kuhn()
    grown = grow(growing(game, sl.MostReached(2), scale=4.0, sweeps=5), epochs=4)
    return {"by reach": grown, "UCT": uct_growth(game, [5, 50])}


def test_a_phase_portrait_draws_the_way_and_both_ends(went):
    picture = phase(went)
    way, first, last = picture
    assert len(way.split()[0].dframe()) == 81
    assert first.dframe()["x"].tolist() == [0.6] and first.dframe()["iteration"].tolist() == [0]
    assert last.dframe()["iteration"].tolist() == [80]
    plot = hv.render(picture, backend="bokeh")
    assert plot.xaxis[0].axis_label == "root: heads" and plot.yaxis[0].axis_label == "heads: heads"
    assert "goes round every" in plot.title.text
    with pytest.raises(sl.SolverlabError, match="there is no probability number 2; 2 are followed"):
        phase(went, 0, 2)


def test_a_growth_curve_has_a_row_an_epoch(traces):
    table = growth_frame(traces)
    assert list(table.columns) == ["run", "nodes", "distance"]
    assert table["run"].tolist() == ["by reach"] * 4 + ["UCT"] * 2
    assert table["distance"].tolist()[:4] == traces["by reach"].column("lifted")
    inside = growth_frame(traces, "inside", x="action_nodes")
    assert inside["run"].unique().tolist() == ["by reach"] and inside["action_nodes"].tolist()[0] == 0
    plot = hv.render(growth(traces), backend="bokeh")
    assert plot.xaxis[0].axis_label == "nodes kept in all trees"
    assert [item.label.value for item in plot.legend[0].items] == ["by reach", "UCT"]


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda t: growth(t, "regret"), "there is no distance 'regret'; known: lifted"),
        (lambda t: growth(t, x="depth"), "there is no size 'depth'; known: nodes, action_nodes"),
        (lambda t: growth(t["UCT"], "inside"), "no run here has measured 'inside'"),
    ],
)
def test_what_cannot_be_drawn(traces, ask, sentence):
    with pytest.raises(sl.SolverlabError, match=sentence):
        ask(traces)
