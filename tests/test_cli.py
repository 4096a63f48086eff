"""The command line: what it prints, what it keeps, and the one sentence when it cannot."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import solverlab as sl
from solverlab import cli, store
from solverlab.run import distances
from solverlab.solvers import SCHEDULES
from solverlab.views.progress import Progress

COMMANDS = "serve warm solve runs export-policy efg figure bench proof completion".split()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty store and an empty folder to stand in."""
    monkeypatch.setenv("SOLVERLAB_HOME", str(tmp_path / "home"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "home"


@pytest.fixture
def call(capsys):
    """Run a command in this process; exit code, output and complaint."""

    def run(*words: str) -> tuple[int, str, str]:
        try:
            code = cli.main(words)
        except SystemExit as end:  # argparse leaves like this
            code = end.code
        return code, *capsys.readouterr()

    return run


def refused(answer: tuple[int, str, str], sentence: str) -> None:
    code, out, complaint = answer
    assert code == 2
    assert out == ""
    assert re.fullmatch(rf"solverlab: .*{sentence}.*\n", complaint), complaint


def measured(text: str, label: str) -> float:
    return float(re.search(rf"^{label} +([-+\d.e]+)", text, re.M)[1])


def test_help_lists_every_command(call):
    code, out, _ = call("--help")
    assert code == 0
    assert all(re.search(rf"^ +{command}\b", out, re.M) for command in COMMANDS)


@pytest.mark.parametrize("command", [command for command in COMMANDS if command != "bench"])
def test_every_command_shows_an_example(command, call):
    code, out, _ = call(command, "--help")
    assert code == 0
    assert f"example: solverlab {command}" in re.sub(r"\s+", " ", out)


@pytest.mark.parametrize("action", ["list", "show", "delete", "export", "import"])
def test_every_action_on_runs_shows_an_example(action, call):
    code, out, _ = call("runs", action, "--help")
    assert code == 0
    assert f"example: solverlab runs {action}" in re.sub(r"\s+", " ", out)


def test_the_version(call):
    assert call("--version")[:2] == (0, f"solverlab {sl.__version__}\n")


def test_no_command_is_a_wrong_command(call):
    assert call()[0] == 2
    assert call("fly")[0] == 2


# ---- solve -------------------------------------------------------------------------------------------------


def test_solve_prints_value_and_exploitability(call):
    code, out, complaint = call("solve", "kuhn", "--schedule", "PCFR+", "--target", "1e-6")
    assert code == 0
    assert complaint == ""  # nobody watches: no progress line
    assert measured(out, "value") == pytest.approx(-1 / 18, abs=1e-5)
    assert measured(out, "exploitability") <= 1e-6
    assert "The target was reached." in out


def test_three_players_get_a_gain_each_and_no_big_words(call):
    code, out, _ = call("solve", "kuhn-3", "--iterations", "50")
    assert code == 0
    gains = [float(gain) for gain in re.findall(r"could gain ([\d.e-]+) by deviating alone", out)]
    values = [float(value) for value in re.findall(r"value ([-+][\d.]+)", out)]
    snap = sl.CFR(sl.Kuhn(3), "CFR+").step(50)
    assert gains == pytest.approx(sl.deviation_gains(sl.Kuhn(3), snap.policy), rel=1e-2)
    assert sum(values) == pytest.approx(0.0, abs=1e-6)
    assert "exploitability" not in out.lower() and "gto" not in out.lower()


@pytest.mark.parametrize("row", ["full", "chance", "external", "outcome"])
def test_sampled_solves_repeat_under_a_seed(row, call):
    one = call("solve", "kuhn", "--sampling", row, "--seed", "4", "--iterations", "100")
    two = call("solve", "kuhn", "--sampling", row, "--seed", "4", "--iterations", "100")
    assert one[0] == 0
    assert measured(one[1], "value") == measured(two[1], "value")
    assert f"{row} sampling" in one[1]


def test_solve_stops_after_seconds(call):
    code, out, _ = call("solve", "leduc", "--seconds", "0.05")
    assert code == 0
    assert float(re.search(r"in ([\d.]+) s", out)[1]) >= 0.05


def test_a_game_file_is_solved(call):
    store.write_game(sl.LimitPoker(ranks="JQKA"), "four.game")
    code, out, _ = call("solve", "four.game", "--iterations", "200")
    assert code == 0
    assert out.startswith("four, CFR+, full width")
    assert measured(out, "exploitability") < 0.02


def test_a_watched_solve_shows_its_progress():
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    for game, word in ((sl.Kuhn(), "exploitability"), (sl.Kuhn(3), "largest deviation gain")):
        solver, terminal = sl.CFR(game), Terminal()
        progress = Progress(distances(game)[0], stream=terminal)
        for snap in sl.run(solver, every=10, until=sl.iterations(20)):
            progress.show(snap)
        assert re.search(rf"\r10 iterations, [\d.]+ s, {word} [\d.e-]+ *\r20 iterations", terminal.getvalue())
        progress.clear()
        assert terminal.getvalue().endswith(" \r")


def test_a_run_in_a_notebook_or_a_script_shows_its_progress(capsys, monkeypatch):
    limit = sl.iterations(30)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    seen = [snap.iteration for snap in sl.progress(sl.run(sl.CFR(sl.Kuhn()), every=10, until=limit), limit)]
    told = capsys.readouterr().err
    assert seen == [10, 20, 30]
    assert re.search(r"\r 67%\|.{20}\| 20 iterations, [\d.]+ s, exploitability [\d.e-]+, ", told)
    assert told.endswith(" \r")


def test_save_and_resume(call):
    code, out, _ = call(
        "solve", "leduc", "--schedule", "DCFR", "--iterations", "60", "--every", "20", "--save", "my run"
    )
    assert code == 0
    assert "saved as 'my run'; go on with: solverlab solve --resume 'my run' --iterations 120" in out
    assert [row["iteration"] for row in sl.load("my run").trace.rows] == [20, 40, 60]
    code, out, _ = call("solve", "--resume", "my run", "--iterations", "100", "--every", "20")
    assert code == 0
    twin = sl.CFR(sl.Leduc(), "DCFR").step(100)
    assert (sl.load("my run").snapshot().policy.sigma == twin.policy.sigma).all()
    assert sl.load("my run").trace.column("iteration") == [20, 40, 60, 80, 100]


def test_a_saved_run_is_not_started_over_by_accident(call):
    call("solve", "kuhn", "--iterations", "10", "--save", "x")
    refused(
        call("solve", "kuhn", "--iterations", "5", "--save", "x"),
        "there already is a run 'x'; go on with --resume",
    )
    assert sl.load("x").iteration == 10


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["chess"], "there is no game 'chess'; known: kuhn, leduc"),
        (["nope.game"], "could not read 'nope.game': No such file or directory; give the name of a file"),
        (["x.pgn"], "cannot tell the format of the game 'x.pgn'"),
        ([], "no game was given; name one of kuhn"),
        (["kuhn", "--schedule", "CFR++"], r"there is no schedule 'CFR\+\+'; known: CFR"),
        (["kuhn", "--sampling", "some"], "there is no sampling 'some'; known: full"),
        (["kuhn", "--iterations", "-1"], "cannot stop after -1 iterations"),
        (["kuhn", "--seconds", "nan"], "cannot stop after nan seconds"),
        (["kuhn", "--target", "-1"], "the target -1.0 for exploitability cannot be met"),
        (["kuhn", "--every", "0"], "cannot look every 0 iterations"),
        (["kuhn", "--seed", "3"], "the seed 3 changes nothing without --sampling"),
        (["kuhn", "--sampling", "full", "--seed", "-3"], "the seed is -3"),
        (["kuhn", "--save", "../x"], "'../x' cannot be the name of a run"),
        (["--resume", "nope"], "there is no run 'nope'; known: none yet"),
        (["kuhn", "--resume", "nope"], "--resume goes on with the run's own settings; leave out game 'kuhn'"),
    ],
)
def test_a_solve_that_makes_no_sense_is_one_sentence(words, sentence, call, home):
    refused(call("solve", *words), sentence)
    assert not home.exists()
    assert list(Path.cwd().iterdir()) == []


# ---- runs and exports --------------------------------------------------------------------------------------


@pytest.fixture
def saved():
    solver = sl.CFR(sl.Kuhn(), "DCFR")
    sl.save(solver, "mine", sl.Trace(sl.run(solver, every=10, until=sl.iterations(20))))
    return solver


def test_the_list_of_runs(call, saved):
    for words in (["runs"], ["runs", "list"]):
        code, out, _ = call(*words)
        assert code == 0
        head, line = out.splitlines()
        assert head.split() == ["run", "game", "solver", "iterations", "distance", "saved"]
        assert line.split()[:5] == ["mine", "Kuhn", "poker", "DCFR", "20"]


def test_no_runs_yet(call):
    assert "no runs yet" in call("runs")[1]


def test_show_a_run(call, saved):
    told = json.loads(call("runs", "show", "mine")[1])
    assert (told["name"], told["iteration"], told["solver"]["schedule"]["name"]) == ("mine", 20, "DCFR")
    assert told["last"]["exploitability"] > 0


def test_delete_all_or_none(call, saved):
    refused(call("runs", "delete", "mine", "nope"), "there is no run 'nope'; known: mine")
    assert len(sl.runs()) == 1
    assert call("runs", "delete", "mine")[0] == 0
    assert sl.runs() == []


def test_export_and_import(call, saved):
    assert call("runs", "export", "mine")[1] == "wrote mine.zip\n"
    refused(call("runs", "import", "mine.zip"), "there already is a run 'mine'")
    code, out, _ = call("runs", "import", "mine.zip", "--name", "yours")
    assert (code, "yours" in out) == (0, True)
    assert {run.name for run in sl.runs()} == {"mine", "yours"}
    refused(call("runs", "import", "nope.zip"), "cannot be read as an exported run")


@pytest.mark.parametrize("form", ["csv", "parquet", "json"])
def test_a_policy_is_exported(form, call, saved):
    assert call("export-policy", "mine", "--format", form)[1] == f"wrote mine.{form}\n"
    back = store.read_policy(f"mine.{form}", sl.Kuhn())
    assert (back.sigma == saved.snapshot().policy.sigma).all()


def test_the_current_strategy_is_exported(call, saved):
    assert call("export-policy", "mine", "--current", "--out", "now.csv")[0] == 0
    assert (store.read_policy("now.csv", sl.Kuhn()).sigma == saved.snapshot().current.sigma).all()
    assert list(pd.read_csv("now.csv").columns)[:4] == ["player", "node", "hand", "action"]


def test_exports_that_make_no_sense(call, saved):
    refused(call("export-policy", "nope"), "there is no run 'nope'")
    refused(
        call("export-policy", "mine", "--format", "csv", "--out", "x.json"), "'x.json' does not end in .csv"
    )
    refused(call("export-policy", "mine", "--out", "x.xls"), "cannot tell the format of the policy 'x.xls'")
    refused(call("efg", "chess"), "there is no game 'chess'")
    refused(call("efg", "kuhn", "--out", "kuhn.txt"), "'kuhn.txt' does not end in .efg")
    assert list(Path.cwd().iterdir()) == []


def test_a_game_is_exported(call):
    assert call("efg", "kuhn")[1] == store.write_efg(sl.Kuhn())
    assert call("efg", "kuhn", "--out", "kuhn.efg")[1] == "wrote kuhn.efg\n"
    assert Path("kuhn.efg").read_text() == store.write_efg(sl.Kuhn())


# ---- the rest ----------------------------------------------------------------------------------------------


def test_serve_hands_its_options_on(call, monkeypatch):
    from solverlab.ui import shell

    asked = []
    monkeypatch.setattr(shell, "serve", lambda *given, warm: asked.append(given))
    assert call("serve", "--no-warm")[0] == 0
    assert (
        call(
            "serve", "--no-warm", "--port", "8080", "--address", "0.0.0.0", "--no-show", "--max-sessions", "5"
        )[0]
        == 0
    )
    assert call("serve", "--no-warm", "--memory-cap-mb", "64")[0] == 0
    assert asked == [
        (5006, "localhost", True, 30, 256),
        (8080, "0.0.0.0", False, 5, 256),
        (5006, "localhost", True, 30, 64),
    ]


@pytest.mark.parametrize(
    "words",
    [
        ["--port", "99999"],
        ["--max-sessions", "0"],
        ["--memory-cap-mb", "0"],
        ["--address", "no.such.place.invalid"],
    ],
)
def test_serve_refuses_with_a_sentence(words, call):
    code, _, complaint = call("serve", "--no-show", "--no-warm", *words)
    assert code == 2
    assert complaint.startswith("solverlab: ") and complaint.count("\n") == 1


def test_bench_has_its_own_options(call, monkeypatch):
    from solverlab import bench

    asked = []
    monkeypatch.setattr(bench, "main", lambda words: asked.append(words) or 7)
    assert call("bench", "--quick", "--only", "speed")[0] == 7
    assert asked == [["--quick", "--only", "speed"]]


def test_proof_runs_what_it_is_told(call, monkeypatch):
    from solverlab.proof import Claim, Verdict

    asked = []
    claim = Claim("nothing is wrong", 0.0, 1.0)
    monkeypatch.setattr(
        "solverlab.proof.command.prove", lambda *given: asked.append(given) or Verdict([claim])
    )
    code, out, _ = call("proof", "--quick", "--only", "family")
    assert (code, asked) == (0, [("family", True)])
    assert "holds  nothing is wrong" in out
    refused(call("proof", "--only", "nope"), "there is no proof 'nope'; known: family")
    assert list(Path.cwd().iterdir()) == []


def test_an_interrupt_is_no_traceback(call, monkeypatch):
    def interrupted(*given, **more):
        raise KeyboardInterrupt

    monkeypatch.setattr("solverlab.commands.solve.run", interrupted)
    assert call("solve", "kuhn") == (130, "", "solverlab: stopped; what was saved stays saved\n")


def program(*words: str, **more) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "solverlab", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **more)


def test_the_real_program_says_one_sentence_and_exits_2():
    answer = program("solve", "chess")
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith("solverlab: there is no game 'chess'") and answer.stderr.count("\n") == 1


def test_a_reader_who_leaves_early_is_no_error():
    source = f"{sys.executable} -m solverlab efg leduc | head -1; echo ${{PIPESTATUS[0]}}"
    answer = subprocess.run(["bash", "-c", source], capture_output=True, text=True, timeout=120)
    assert answer.stdout.splitlines()[-1] == "0"
    assert answer.stderr == ""


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("solverlab so", {"solve"}),
        ("solverlab solve le", {"leduc"}),
        ("solverlab solve leduc --schedule D", {name for name in SCHEDULES if name.startswith("D")}),
        ("solverlab runs ", {"list", "show", "delete", "export", "import", "--help"}),
        ("solverlab export-policy mine --format ", {"csv", "parquet", "json"}),
        ("solverlab bench --qu", {"--quick"}),
        ("solverlab solve --save ", set()),  # a name of one's own: nothing to offer
    ],
)
def test_the_shell_completes_what_the_parser_knows(typed, offered, call):
    code, script, _ = call("completion", "bash")
    assert code == 0
    words = [*typed.split(), ""] if typed.endswith(" ") else typed.split()
    asked = (
        f'{script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _solverlab; printf "%s\\n" "${{COMPREPLY[@]}}"'
    )
    done = subprocess.run(["bash", "-c", asked, "bash", *words], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == offered
    assert done.stderr == ""
