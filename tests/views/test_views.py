"""The drawing half of the views: right lines, honest axes, and pictures that need no network."""

from __future__ import annotations

import subprocess
import sys
import warnings

import pytest

import solverlab as sl
from solverlab.core.errors import SolverlabError
from solverlab.views import inline


def race(*names: str, game=None, measure=("exploitability", "current_exploitability")) -> dict[str, sl.Trace]:
    game = game or sl.Kuhn()
    return {
        name: sl.Trace(sl.run(sl.CFR(game, name), until=sl.iterations(30), measure=measure)) for name in names
    }


@pytest.fixture(scope="module")
def two() -> dict[str, sl.Trace]:
    return race("CFR", "CFR+")


def figure(picture):
    """The Bokeh figure; every complaint while drawing is an error."""
    hv = inline.holoviews()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return hv.render(picture, backend="bokeh")


def test_a_race_has_a_solid_and_a_dashed_line_a_run(two):
    lines = [renderer.glyph for renderer in figure(sl.views.convergence(two)).renderers]
    assert [line.line_dash for line in lines] == [[], [6], [], [6]]
    assert lines[0].line_color == lines[1].line_color != lines[2].line_color
    assert [item.label.value for item in figure(sl.views.convergence(two)).legend[0].items] == [
        "CFR",
        "CFR, current",
        "CFR+",
        "CFR+, current",
    ]


def test_the_lines_hold_the_measured_numbers(two):
    source = figure(sl.views.convergence(two["CFR"])).renderers[0].data_source.data
    assert source["iteration"].tolist() == two["CFR"].column("iteration")
    assert source["distance"].tolist() == two["CFR"].column("exploitability")


@pytest.mark.parametrize("clock", ["iteration", "touched", "seconds"])
def test_every_clock_gets_explicit_logarithmic_axes_around_all_points(two, clock):
    drawn = figure(sl.views.convergence(two, x=clock))
    assert drawn.x_scale.__class__.__name__ == drawn.y_scale.__class__.__name__ == "LogScale"
    for renderer in drawn.renderers:
        data = renderer.data_source.data
        assert drawn.x_range.start < min(data[clock]) <= max(data[clock]) < drawn.x_range.end
        assert drawn.y_range.start < min(data["distance"]) <= max(data["distance"]) < drawn.y_range.end


def test_an_empty_trace_and_a_single_point_draw_without_complaint():
    drawn = figure(sl.views.convergence(sl.Trace()))
    assert (drawn.x_range.start, drawn.x_range.end) == (1, 10)
    one = sl.Trace(sl.run(sl.CFR(sl.Kuhn()), until=sl.iterations(1), measure=["exploitability"]))
    drawn = figure(sl.views.convergence(one))
    assert drawn.x_range.start < 1 < drawn.x_range.end


def test_three_players_are_measured_by_their_largest_gain():
    traces = race("CFR+", game=sl.Kuhn(players=3), measure=("deviation_gains",))
    drawn = figure(sl.views.convergence(traces))
    assert drawn.yaxis[0].axis_label == "largest gain of a seat (chips)"
    assert drawn.renderers[0].data_source.data["distance"].tolist() == traces["CFR+"].column(
        "deviation_gains_max"
    )


def test_a_trace_without_a_distance_says_how_to_measure_one():
    trace = sl.Trace(sl.run(sl.CFR(sl.Kuhn()), until=sl.iterations(3), measure=["value"]))
    with pytest.raises(SolverlabError, match="measure="):
        sl.views.convergence(trace)


def test_an_unknown_clock_is_named(two):
    with pytest.raises(SolverlabError, match="'fortnights'.*iteration"):
        sl.views.convergence(two, x="fortnights")


def test_strategy_bars_stack_to_one_and_show_the_policy():
    snap = sl.solve(sl.Kuhn(), until=sl.iterations(200))
    data = figure(sl.views.strategy(snap, "raise")).renderers[0].data_source.data
    heights = {
        (hand, action): top - bottom
        for renderer in figure(sl.views.strategy(snap, "raise")).renderers
        for hand, action, top, bottom in zip(
            *(renderer.data_source.data[c] for c in ("hand", "action", "top", "bottom")), strict=True
        )
    }
    assert len(data["hand"]) > 0
    for hand in snap.names.hands:
        for action, probability in snap.policy.at("raise", hand).items():
            assert heights.get((hand, action), 0.0) == pytest.approx(probability, abs=1e-12)


def test_strategy_takes_a_snapshot_or_a_policy_and_refuses_a_leaf():
    snap = sl.CFR(sl.Kuhn()).step(5)
    assert sl.views.strategy(snap, "").data.equals(sl.views.strategy(snap.policy, "").data)
    assert not sl.views.strategy(snap, "").data.equals(sl.views.strategy(snap.current, "").data)
    with pytest.raises(SolverlabError, match="nobody acts"):
        sl.views.strategy(snap, "raise/fold")


def test_a_tree_shows_probabilities_and_opens_as_deep_as_asked():
    snap = sl.solve(sl.Kuhn(), until=sl.iterations(200))
    shallow, deep = (sl.views.tree(snap, hand="K", depth=depth).svg for depth in (1, 9))
    assert shallow.count("<circle") < deep.count("<circle")
    assert "+" in shallow and deep.count(">call ") == 2
    assert sl.views.tree(snap, hand="K", depth=1)._repr_svg_() == shallow
    assert "1.00" in sl.views.tree(snap, hand="K", depth=2).svg


def test_a_tree_can_be_saved_and_marks_a_node(tmp_path):
    policy = sl.uniform_policy(sl.Leduc())
    picture = sl.views.tree(policy, hand="Qs", depth=1, node="check/raise")
    picture.save(tmp_path / "tree.svg")
    text = (tmp_path / "tree.svg").read_text("utf-8")
    assert text.startswith("<svg") and text.count('r="14"') == 1


@pytest.mark.parametrize(
    ("settings", "words"), [({"depth": -1}, "-1"), ({"hand": "2c"}, "2c"), ({"node": "x"}, "x")]
)
def test_a_tree_refuses_what_it_does_not_know(settings, words):
    with pytest.raises(SolverlabError, match=words):
        sl.views.tree(sl.uniform_policy(sl.Leduc()), **settings)


def test_the_microscope_shows_the_next_update_and_moves_nothing():
    solver = sl.CFR(sl.Kuhn(), "CFR+")
    solver.step(3)
    look = sl.views.microscope(solver, "raise", hand="Q")
    assert solver.iteration == 3
    solver.step(1)
    assert look.frame()["next strategy"].tolist() == list(solver.snapshot().current.at("raise", "Q").values())
    html = look._repr_html_()
    assert html.count("<tr>") == 3 and "second player after raise with Q" in html


@pytest.mark.parametrize("solver", [sl.MCCFR, sl.Rebalance])
def test_the_microscope_refuses_other_updates_than_those_it_shows(solver):
    words = f"shows the updates of full-width CFR, and {solver.__name__} makes others; look at a sl.CFR"
    with pytest.raises(SolverlabError, match=words):
        sl.views.microscope(solver(sl.Kuhn()), "", hand="Q")


def test_only_the_first_picture_brings_the_plotting_script(two, monkeypatch):
    monkeypatch.setattr(inline, "_sent", False)
    picture = sl.views.convergence(two)
    first, later = (picture._repr_mimebundle_()[0]["text/html"] for _ in range(2))
    assert 1_000_000 < len(first) < 1_500_000 and len(later) < 50_000
    assert "Bokeh.embed.embed_item" in later and "http" not in later


def test_nothing_heavy_is_loaded_before_the_first_picture():
    program = (
        "import sys, solverlab as sl; sl.views.tree(sl.uniform_policy(sl.Kuhn()), hand='K'); "
        "print([m for m in ('holoviews', 'panel', 'bokeh', 'pandas') if m in sys.modules])"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert answer.stdout.strip() == "[]", answer.stderr
