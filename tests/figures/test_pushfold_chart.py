"""The push/fold chart: its numbers are those of an independent referee, and it needs no strength tables."""

from __future__ import annotations

import numpy as np
import pytest

import solverlab as sl
from solverlab import cli
from solverlab.cards.hand_classes import CLASS_NAMES, CLASS_SIZE
from solverlab.figures import FIGURES, kept
from solverlab.figures.kept import reproduce

NAME = "push-fold-chart"


@pytest.fixture(scope="module")
def referee():
    """Ten big blinds by linear programming, which knows nothing of regrets."""
    return sl.solve_lp(sl.PushFold(10))


def test_the_shares_at_ten_big_blinds(made, referee):
    """About 58.3 % jammed and 37.4 % called; the value is that of the linear programme."""
    facts = made[NAME].facts
    assert facts["share jammed at 10 big blinds"] == pytest.approx(0.583, abs=5e-4)
    assert facts["share called at 10 big blinds"] == pytest.approx(0.374, abs=5e-4)
    assert facts["value of the small blind at 10 big blinds"] == pytest.approx(referee.value, abs=2e-6)


def test_the_shares_count_combos(made, referee):
    """The referee's hands, weighed by their combos: equilibria differ in a few mixed hands only."""
    row = made[NAME].table("shares").set_index("stack").loc[10.0]
    for node, action, share in (("", "jam", "jammed"), ("jam", "call", "called")):
        chances = [referee.policy.at(node, hand=hand)[action] for hand in CLASS_NAMES]
        assert row[share] == pytest.approx(np.dot(CLASS_SIZE, chances) / 1326, abs=2e-3)


def test_every_chart_is_exactly_solved(made):
    table, facts = made[NAME].table("shares"), made[NAME].facts
    assert table["stack"].to_list() == np.arange(1.5, 20.5, 0.5).tolist()
    assert 0 <= table["exploitability"].min() and table["exploitability"].max() <= 1e-6
    assert facts["exploitability of the worst chart, big blinds"] == table["exploitability"].max()
    assert (
        table[["jammed", "called"]].iloc[0].min() > 0.98 and table[["jammed", "called"]].iloc[-1].max() < 0.5
    )


@pytest.mark.parametrize(("table", "node", "action"), [("jams", "", "jam"), ("calls", "jam", "call")])
def test_a_hand_up_to_ten_goes_in_at_ten_and_not_beyond(made, referee, table, node, action):
    """What the chart says at ten big blinds is what the referee plays, where the referee does not mix."""
    rows = made[NAME].table(table).set_index("hand")
    assert len(rows) == 169 and set(rows.index) == set(CLASS_NAMES)
    sure = 0
    for hand in CLASS_NAMES:
        plays, row = referee.policy.at(node, hand=hand)[action], rows.loc[hand]
        if row["gaps"] == 0 and (plays < 0.01 or plays > 0.99):
            sure += 1
            assert (row["stack"] >= 10) == (plays > 0.5), hand
    assert sure > 150


def test_a_hand_with_gaps_is_told(made):
    jams = made[NAME].table("jams").set_index("hand")
    assert jams.loc["43s", "gaps"] > 0 and jams.loc["AA", "gaps"] == 0


def test_it_is_made_without_strength_tables(made, tmp_path, monkeypatch):
    """The other figures need 399 MB of tables first; this one must not ask for them."""
    monkeypatch.setattr(kept, "strength_tables", lambda: pytest.fail("nobody needs them here"))
    steps = []
    reproduce(NAME, tmp_path, lambda share, words: steps.append(share))
    assert steps == sorted(steps) and steps[-1] == 1.0
    for table in ("jams", "calls", "shares"):
        file = f"{NAME}-{table}.csv"
        assert (tmp_path / file).read_bytes() == (made[NAME].folder / file).read_bytes()


def test_one_command_makes_every_figure(capsys, tmp_path, monkeypatch):
    """All of the list, in its order, into the named folder; the figures themselves are made above."""
    asked = []
    monkeypatch.setattr(kept, "reproduce", lambda name, out, tell: asked.append((name, out)) or [f"{name}.x"])
    assert cli.main(["figure", "all", "--out", str(tmp_path)]) == 0
    assert asked == [(name, str(tmp_path)) for name in FIGURES]
    assert capsys.readouterr().out.split() == [f"{name}.x" for name in FIGURES]
