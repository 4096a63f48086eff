"""The names users and their scripts rely on, called exactly as the documentation spells them."""

from __future__ import annotations

import inspect

import pytest

import solverlab as sl

COLUMNS = ["player", "node", "hand", "action", "probability", "reach"]


def signature(function) -> dict[str, object]:
    """Parameter names with their defaults, `self` left out."""
    parameters = inspect.signature(function).parameters
    return {name: p.default for name, p in parameters.items() if name != "self"}


def test_games():
    games = [sl.Kuhn(players=2), sl.Kuhn(players=3), sl.Leduc(), sl.MatchingPennies(), sl.RockPaperScissors()]
    assert [game.n_players for game in games] == [2, 3, 2, 2, 2]
    assert signature(sl.Kuhn) == {"players": 2}
    assert isinstance(sl.Leduc(), sl.LimitPoker) and isinstance(sl.Kuhn(), sl.LimitPoker)


def test_solvers():
    full = signature(sl.CFR.__init__)
    assert list(full)[:3] == ["game", "schedule", "alternating"]
    assert full["schedule"] == "CFR+" and full["alternating"] is True
    sampled = signature(sl.MCCFR.__init__)
    assert list(sampled)[:4] == ["game", "schedule", "sampling", "rng"]
    assert sampled["sampling"] == "external" and sampled["rng"] == 0
    game = sl.Kuhn()
    for solver in (
        sl.CFR(game, schedule="CFR+", alternating=True),
        sl.CFR(game, sl.Schedule("mine", positive=1.5, negative=0.0, average=2.0)),
        sl.MCCFR(game, "CFR", sampling="external", rng=0),
    ):
        assert solver.step(3).iteration == 3


def test_exact_numbers():
    game = sl.Kuhn()
    policy = sl.CFR(game, "CFR").step(50).policy
    assert sl.nash_conv(game, policy) == pytest.approx(2 * sl.exploitability(game, policy))
    assert sl.best_response(game, policy, 0).value >= sl.value(game, policy)
    assert len(sl.deviation_gains(game, policy)) == 2


def test_what_a_snapshot_answers():
    snap = sl.solve(sl.Kuhn(), "CFR+", until=sl.iterations(200) | sl.below("exploitability", 1e-3))
    assert snap.policy.at("", hand="K").keys() == snap.current.at("", hand="K").keys() == {"check", "raise"}
    assert snap.iteration > 0 and snap.events == () and snap.status.sentence.endswith(".")
    assert snap.metrics["exploitability"] == snap.exploitability and snap.metrics["value"] == snap.value
    assert list(snap.policy.frame().columns) == COLUMNS


def test_the_newcomers_lines():
    solver = sl.CFR(sl.Leduc(), "DCFR")
    snap = solver.step(1)
    assert snap.policy.at("", hand="Qs") == {"check": 0.5, "raise": 0.5}
    trace = sl.Trace(sl.run(solver, every=20, until=sl.iterations(1000), measure=["exploitability"]))
    assert [row["iteration"] for row in trace.rows[:2]] == [21, 41] and trace.last.iteration == 1000


def test_runs_on_disk_are_offered(tmp_path, monkeypatch):
    monkeypatch.setenv("SOLVERLAB_HOME", str(tmp_path))
    assert callable(sl.save) and callable(sl.load) and len(sl.runs()) == 0


def test_every_offered_name_exists():
    assert all(hasattr(sl, name) for name in sl.__all__) and set(sl.__all__) <= set(dir(sl))
    with pytest.raises(AttributeError, match="solverlab has no 'Chess'"):
        sl.Chess  # noqa: B018 (asking is the test)
