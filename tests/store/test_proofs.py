"""The long evidence at the size of a test: the same functions, and proof that they can fail."""

from __future__ import annotations

import json

import numpy as np
import pytest

import solverlab as sl
from solverlab.core.errors import BadValue, UnknownName
from solverlab.proof import PROOFS, Claim, Verdict, main, prove, sampling
from solverlab.proof.dying import same_state
from solverlab.solvers import SAMPLINGS
from solverlab.studies import shared_hands


@pytest.mark.parametrize("name", ["family", "sampling", "three-player", "crn"])
def test_the_claims_hold(name):
    verdict = prove(name, quick=True)
    assert [claim for claim in verdict.claims if not claim.holds] == []
    assert len(verdict.claims) >= 5
    json.dumps(verdict.record(), allow_nan=False)


def test_the_tables_of_strength_are_built_and_loaded():
    verdict = prove("strength", quick=True)
    assert [claim for claim in verdict.claims if not claim.holds] == []
    assert verdict.numbers["loading"]["hands"] == 169 + 1_286_792 + 13_960_050 + 123_156_254


def test_killed_runs_resume_bit_for_bit():
    """SIGKILL at random moments of a real process, and at file operation after file operation of one save."""
    verdict = prove("kill", quick=True)
    assert [claim for claim in verdict.claims if not claim.holds] == [], verdict.numbers
    assert verdict.numbers["every file operation"]["deaths"] >= 8
    assert verdict.numbers["external sampling"]["iterations"] > 200


@pytest.mark.parametrize("row", ["chance", "external", "outcome"])
def test_a_biased_sampler_would_be_caught(row, monkeypatch):
    """Two percent off in the exact values are many standard errors."""
    real = sampling.exact_values
    monkeypatch.setattr(sampling, "exact_values", lambda *given: real(*given) * 1.02)
    game = sl.Kuhn()
    found = sampling.compare(game, sampling.fixed_strategy(game), SAMPLINGS[row], 0, 500_000)
    assert found["standard_errors"] > sampling.SIGMAS


def test_hands_that_are_not_shared_would_be_caught(monkeypatch):
    """With every node's samples in an order of its own nothing cancels, and no claim about shares holds."""
    real, rng = shared_hands.sampled_evs, np.random.default_rng(0)
    monkeypatch.setattr(shared_hands, "sampled_evs", lambda *given: rng.permuted(real(*given), axis=0))
    failing = [claim.sentence for claim in prove("crn", quick=True).claims if not claim.holds]
    assert len(failing) == 3 and all("shared over apart" in one or "bare leaves" in one for one in failing)


def test_a_wrong_rounding_would_be_caught(monkeypatch):
    real = sampling.exact_values
    monkeypatch.setattr(sampling, "exact_values", lambda *given: real(*given) + 1e-9)
    game = sl.Kuhn()
    found = sampling.compare(game, sampling.fixed_strategy(game), SAMPLINGS["full"], 0, 20)
    assert found["rounding"] > sampling.ROUNDING


def test_every_infoset_is_in_the_sampling_proof():
    game = sl.Leduc()
    sigma = sampling.fixed_strategy(game)
    assert sigma.min() > 0.1 / 3 and sigma.max() < 1.0 + 1e-12
    rows = [sampling.compare(game, sigma, SAMPLINGS["chance"], me, 2000)["rows"] for me in (0, 1)]
    actions = sum(
        int(game.tree.count[n]) * int((game.deal_mass(n).sum(1 - game.tree.player[n]) > 0).sum())
        for n in np.flatnonzero(game.tree.player >= 0)
    )
    assert sum(rows) == actions


def test_exact_values_are_those_of_the_solver():
    """The sweep the walks are compared with gives the gains CFR itself computes."""
    solver = sl.CFR(sl.Kuhn(), "CFR", alternating=False)
    solver.step(5)
    sigma = solver.tables.sigma.copy()
    *_, gains = [phase for phase in solver.phases() if phase.name == "gains" and phase.player == 1]
    exact = sampling.exact_values(solver.game, sigma, 1).reshape(sigma.shape)
    tree = solver.game.tree
    for n in np.flatnonzero(tree.player == 1):
        rows = slice(tree.first[n], tree.first[n] + tree.count[n])
        assert exact[rows] - (sigma[rows] * exact[rows]).sum(0) == pytest.approx(
            gains.arrays["gain"][rows], abs=1e-15
        )


def test_states_that_differ_in_one_bit_differ():
    one, other = sl.CFR(sl.Kuhn()), sl.CFR(sl.Kuhn())
    assert same_state(one, other)
    other.tables.regret[1, 1] = -0.0
    assert not same_state(one, other)


@pytest.fixture
def two_proofs(monkeypatch):
    """A proof that holds and one that does not, instead of the real ones."""
    verdicts = {
        "good": Verdict([Claim("one is at most two", 1.0, 2.0)], {"table": [1, 2]}),
        "bad": Verdict([Claim("three is at most two", 3.0, 2.0)]),
    }
    monkeypatch.setattr("solverlab.proof.command.PROOFS", verdicts)
    monkeypatch.setattr("solverlab.proof.command.prove", lambda name, quick: verdicts[name])
    monkeypatch.setattr("solverlab.proof.command.title", lambda name: f"The {name} one.")


def test_the_numbers_are_written(two_proofs, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["--only", "good"]) == 0
    record = json.loads((tmp_path / "proof" / "good.json").read_text())
    assert record["holds"] is True and record["quick"] is False and record["table"] == [1, 2]
    assert record["claims"] == [{"claim": "one is at most two", "measured": 1.0, "limit": 2.0, "holds": True}]
    assert {"date", "seconds", "versions", "cpu", "python"} <= set(record)
    assert "holds  one is at most two: 1 (at most 2)" in capsys.readouterr().out


def test_what_does_not_hold_is_told_and_still_written(two_proofs, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main([]) == 1
    assert "FAILS  three is at most two" in capsys.readouterr().out
    assert json.loads((tmp_path / "proof" / "bad.json").read_text())["holds"] is False
    assert json.loads((tmp_path / "proof" / "good.json").read_text())["holds"] is True


def test_a_quick_look_writes_nothing_unless_told(two_proofs, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["--quick", "--only", "good"]) == 0
    assert list(tmp_path.iterdir()) == []
    assert main(["--quick", "--only", "good", "--out", "elsewhere"]) == 0
    assert json.loads((tmp_path / "elsewhere" / "good.json").read_text())["quick"] is True


def test_wrong_options_are_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnknownName, match="there is no proof 'nope'; known: family"):
        main(["--only", "nope"])
    with pytest.raises(BadValue, match="cannot write proofs into 'a/b/c'"):
        main(["--only", "family", "--out", "a/b/c"])
    assert list(tmp_path.iterdir()) == []


def test_every_proof_is_a_file_with_a_function():
    from importlib import import_module

    for module in PROOFS.values():
        assert callable(import_module(module).prove)
        assert import_module(module).__doc__
