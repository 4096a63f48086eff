"""`solverlab solve lowball`: every rung from one card to the whole deck, and runs that lose nothing."""

from __future__ import annotations

import io
import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import solverlab as sl
from solverlab import cli
from solverlab.commands import draw
from solverlab.core.errors import BadValue, DamagedRun
from solverlab.games.lowball.real import RealLowball
from solverlab.run import iterations
from solverlab.run.drive import paced
from solverlab.solvers.draw.betting import DrawBetting
from solverlab.solvers.draw.cfr import DrawCFR
from solverlab.solvers.draw.sampled import SampledDraw
from solverlab.store.draw_runs import is_draw_run, load_draw, save_draw
from solverlab.views.progress import Progress

FOUR = ("solve", "lowball", "--cards", "4")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SOLVERLAB_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(draw, "DEALS", 2000)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "home"


@pytest.fixture
def call(capsys):
    def run(*words: str) -> tuple[int, str, str]:
        return cli.main(words), *capsys.readouterr()

    return run


def same(one, other) -> bool:
    """Whether two solvers are in the same state, but for the seconds it took."""
    mine, theirs = one.state(), other.state()
    return mine.keys() == theirs.keys() and all(
        np.array_equal(mine[name], theirs[name]) for name in mine if name != "seconds"
    )


def clocks(name: str) -> list[int]:
    return load_draw(name).trace.column("iteration")


# ---- exact rungs -------------------------------------------------------------------------------------------


def test_the_first_rung_is_solved(call):
    code, out, _ = call("solve", "lowball", "--stack", "3", "--target", "1e-6")
    assert code == 0
    assert out.startswith("2-to-7 with 1 card, 13 ranks x 1, 3 big blinds, CFR+")
    found = float(re.search(r"^value +([-+.\d]+)", out, re.M)[1])
    assert found == pytest.approx(sl.solve_lp(sl.LowballPushFold(3)).value, abs=2e-6)


@pytest.mark.parametrize(
    ("words", "game"),
    [
        (["--cards", "2", "--per-rank", "4"], "2 cards, 13 ranks x 4, 3 big blinds"),
        (["--ranks", "23456789jqka"], "1 card, 12 ranks x 1, 3 big blinds"),
        (["--ranks", "9", "--limp", "--stack", "6"], "1 card, 9 ranks x 1, 6 big blinds, limps"),
        (["--cards", "2", "--discard", "free"], "2 cards, 13 ranks x 1, 3 big blinds, free discards"),
        (
            ["--ranks", "5", "--limp", "--raises", "2,3", "--after-draw", "0.5,1", "--stack", "4"],
            "1 card, 5 ranks x 1, 4 big blinds, limps, raises to 2 or 3, bets of 0.5 or 1 x pot after",
        ),
    ],
)
def test_options_make_the_game(words, game, call):
    code, out, complaint = call("solve", "lowball", *words, "--iterations", "3")
    assert (code, complaint) == (0, "")
    assert out.startswith(f"2-to-7 with {game}")


def test_an_exact_rung_is_saved_and_goes_on(call):
    call("solve", "lowball", "--stack", "5", "--limp", "--iterations", "20", "--save", "limps")
    assert call("solve", "--resume", "limps", "--iterations", "50")[0] == 0
    twin = sl.CFR(sl.Lowball(5, limp=True), "CFR+").step(50)
    assert (sl.load("limps").snapshot().policy.sigma == twin.policy.sigma).all()


# ---- the whole deck ----------------------------------------------------------------------------------------


def test_five_cards_are_the_real_deck_unless_ranks_are_spoken_of(monkeypatch, call):
    made = []
    monkeypatch.setattr("solverlab.commands.draw.solve_draw", lambda solver, *rest: made.append(solver.game))
    monkeypatch.setattr("solverlab.commands.draw.full_width", lambda game, schedule: Named(game))
    call("solve", "lowball", "--cards", "5", "--stack", "3")
    call("solve", "lowball", "--cards", "5", "--per-rank", "4")
    call("solve", "lowball", "--cards", "4")
    assert [(game.cards, game.suits, len(game.sets.hands)) for game in made] == [
        (5, True, 134_459),
        (5, False, 6_175),
        (4, False, 1_820),
    ]


class Named:
    """A solver that only knows its game."""

    def __init__(self, game):
        self.game = game


def test_four_cards_print_a_bracket(call):
    code, out, complaint = call(*FOUR, "--iterations", "12")
    assert (code, complaint) == (0, "")
    assert out.startswith("2-to-7 push/fold, 3 big blinds, 4 cards of 52, ranks only, DCFR, full width\n")
    low, high = map(float, re.search(r"exploitability +([-.\de]+) to ([-.\de]+)", out).groups())
    assert 0 <= low <= high < 0.1
    value = float(re.search(r"^value +([-+.\d]+) for the button player \(standard error", out, re.M)[1])
    assert value == pytest.approx(0.075, abs=0.12)  # two thousand deals only
    assert "Stopped at the limit" in out


@pytest.mark.parametrize("way", [(), ("--sampling", "chance", "--seed", "3")])
def test_a_run_that_was_interrupted_goes_on_bit_for_bit(way, call):
    n = 1 if not way else 1000
    call(*FOUR, *way, "--iterations", f"{3 * n}", "--every", f"{2 * n}", "--save", "deck")
    assert is_draw_run("deck") and clocks("deck") == [2 * n, 3 * n]
    code, out, _ = call("solve", "--resume", "deck", "--iterations", f"{5 * n}", "--every", f"{2 * n}")
    assert code == 0 and f"--resume deck --iterations {10 * n}" in out
    game = RealLowball(3.0, 4, suits=False)
    twin = SampledDraw(game, rng=3) if way else DrawCFR(game, threads=1)
    twin.step(5 * n)
    assert same(load_draw("deck").solver, twin)
    assert clocks("deck") == [2 * n, 3 * n, 4 * n, 5 * n]


def test_bets_of_four_cards_are_solved_saved_and_gone_on_with(call):
    bets = ("--limp", "--ranks", "6", "--stack", "6")
    code, out, complaint = call(*FOUR[:4], *bets, "--iterations", "2", "--every", "2", "--save", "bets")
    assert (code, complaint) == (0, "")
    assert re.search(r"^button: fold [.\d]+%, limp [.\d]+%, push [.\d]+%$", out, re.M)
    assert re.search(r"^big blind, after limp: check [.\d]+%, push [.\d]+%$", out, re.M)
    call("solve", "--resume", "bets", "--iterations", "3")
    game = sl.Lowball(6.0, 4, 4, ranks=6, discard="free", limp=True)
    twin = DrawBetting(game, threads=1)
    twin.step(3)
    assert same(load_draw("bets").solver, twin) and clocks("bets") == [2, 3]


def test_control_c_ends_the_iteration_and_saves_it(call, monkeypatch):
    def impatient(*settings, **named):
        for number, snap in enumerate(paced(*settings, **named)):
            if number == 2:
                signal.raise_signal(signal.SIGINT)
            yield snap

    monkeypatch.setattr(draw, "paced", impatient)
    before = signal.getsignal(signal.SIGINT)
    code, out, complaint = call(*FOUR, "--iterations", "50", "--every", "20", "--save", "stopped")
    assert (code, out) == (130, "")
    assert complaint == "solverlab: stopped; what was saved stays saved\n"
    assert signal.getsignal(signal.SIGINT) is before
    twin = DrawCFR(RealLowball(3.0, 4, suits=False), threads=1)
    twin.step(3)
    assert same(load_draw("stopped").solver, twin)


def test_a_killed_program_resumes_from_what_it_saved(home):
    """kill -9 while it works; what is found is some earlier iteration, exactly."""
    command = [sys.executable, "-m", "solverlab", *FOUR, "--iterations", "100000", "--every", "1"]
    manifest = home / "runs" / "killed" / "run.json"
    with subprocess.Popen([*command, "--save", "killed"], stderr=subprocess.PIPE) as process:
        end = time.monotonic() + 100
        while not manifest.is_file() or json.loads(manifest.read_text())["iteration"] < 2:
            assert process.poll() is None and time.monotonic() < end
            time.sleep(0.05)
        process.kill()
    found = load_draw("killed").solver
    twin = DrawCFR(RealLowball(3.0, 4, suits=False), threads=1)
    twin.step(found.iteration)
    assert found.iteration >= 2 and same(found, twin)


def test_runs_of_the_deck_are_listed_with_the_others(call):
    call(*FOUR, "--iterations", "2", "--save", "deck")
    assert re.search(
        r"^deck +2-to-7 push/fold, 3 big blinds, 4 cards.*DCFR +2 +0\.\d+ ", call("runs")[1], re.M
    )
    assert json.loads(call("runs", "show", "deck")[1])["game"]["cards"] == 4
    assert call("runs", "export", "deck") == (0, "wrote deck.zip\n", "")
    assert "of a whole deck, too large for a table; read it hand by hand" in call("export-policy", "deck")[2]
    assert load_draw("deck").solver.snapshot().plan("7s5h4d3c").hand == "7s5h4d3c"
    assert call("runs", "delete", "deck")[0] == 0 and sl.runs() == []


def test_a_run_is_not_replaced_by_another_nor_opened_when_damaged(home):
    solver = DrawCFR(RealLowball(3.0, 2), threads=1)
    save_draw(solver, "two")
    with pytest.raises(BadValue, match="would replace; choose another name"):
        save_draw(DrawCFR(RealLowball(4.0, 2), threads=1), "two")
    sl.save(sl.CFR(sl.Kuhn()), "kuhn")
    with pytest.raises(BadValue, match=r"no run of the whole 2-to-7 deck; open it with sl.load\('kuhn'\)"):
        load_draw("kuhn")
    file = next((home / "runs" / "two").glob("state-*/push_regret.npy"))
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(DamagedRun, match="push_regret.npy of run 'two' is damaged"):
        load_draw("two")


def test_a_watched_solve_has_a_bar():
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    solver, terminal = DrawCFR(RealLowball(3.0, 1), threads=1), Terminal()
    progress = Progress("nash_conv", iterations(4), terminal)
    for snap in paced(solver, 2, iterations(4), deals=100):
        progress.tick(solver.iteration, solver.seconds) if snap is None else progress.show(snap)
    lines = terminal.getvalue().split("\r")[1:]
    assert lines[0].startswith(" 25%|#####               | 1 iterations")
    assert lines[3].startswith("100%|####################| 4 iterations")
    assert re.search(r"NashConv at most [\d.e-]+, \d\d:\d\d left *$", lines[2])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["kuhn", "--cards", "2"], "--cards is an option of the game lowball, not of kuhn; leave it out"),
        (["lowball", "--stack", "0.5"], "a stack of 0.5 big blinds"),
        (["lowball", "--cards", "6"], "cards is 6; give a whole number from 1 to 5"),
        (["lowball", "--ranks", "abc"], "ranks 'ABC' are not different letters"),
        (["lowball", "--raises", "two"], "--raises is 'two'; give numbers with commas between"),
        (["lowball", "--deck", "tarot"], "deck is 'tarot'; give 'ranks' or 'real'"),
        (["lowball", "--cards", "4", "--limp", "--sampling", "chance"], "is not sampled, every hand"),
        (["lowball", "--cards", "5", "--discard", "original"], "leave out --discard original"),
        (["lowball", "--cards", "4", "--sampling", "outcome"], "take --sampling chance"),
        (["lowball", "--cards", "4", "--schedule", "PCFR+"], "is not built for draw games"),
        (["lowball", "--cards", "4", "--seed", "3"], "the seed 3 changes nothing without --sampling"),
        (["lowball", "--cards", "4", "--every", "0"], "cannot look every 0 iterations"),
        (["lowball", "--cards", "4", "--target", "-1"], "the target -1.0 for exploitability cannot be met"),
        (["--resume", "x", "--limp"], "--limp is an option of the game lowball, not of a run that goes on"),
    ],
)
def test_what_makes_no_sense_is_one_sentence(words, sentence, call, home):
    code, out, complaint = call("solve", *words)
    assert (code, out) == (2, "")
    assert re.fullmatch(rf"solverlab: .*{re.escape(sentence)}.*\n", complaint), complaint
    assert not home.exists()
