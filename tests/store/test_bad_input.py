"""Whatever is wrong with a run is told in one sentence, by type, and nothing is written."""

from __future__ import annotations

import io
import json
import re

import numpy as np
import pytest
from store.sample_runs import CoinGame, buckets, files_of

import solverlab as sl
from solverlab import store
from solverlab.core.errors import BadValue, DamagedRun, UnknownName
from solverlab.store import manifest as manifests
from solverlab.store.files import checksum
from solverlab.store.packing import array_bytes

BAD_NAMES = [
    "",
    "..",
    "../x",
    "a/b",
    "a\\b",
    ".hidden",
    "x" * 81,
    "con",
    "NUL.txt",
    "end.",
    "end ",
    "a\0b",
    "a\nb",
    "a..b",
]


@pytest.fixture
def folder(home):
    """A run of 20 iterations of Kuhn, named 'run'."""
    solver = sl.CFR(sl.Kuhn(), "DCFR")
    return sl.save(solver, "run", sl.Trace(sl.run(solver, every=10, until=sl.iterations(20))))


def told(error: pytest.ExceptionInfo) -> str:
    """The message, after checking that it is one sentence a person can read."""
    text = str(error.value)
    assert text and "\n" not in text and "Traceback" not in text
    assert len(text) < 400 and not text.endswith(".")
    return text


def refused(kind: type, match: str, act, *given, home=None):
    """`act` raises `kind` with a matching sentence, and leaves every file as it was."""
    before = files_of(home) if home is not None else {}
    with pytest.raises(kind) as error:
        act(*given)
    assert re.search(match, told(error)), told(error)
    if home is not None:
        assert files_of(home) == before


def rewrite(folder, **changes):
    """Change the manifest as somebody would who knows how checksums work."""
    manifest = json.loads((folder / "run.json").read_text())
    manifest.pop("checksum")
    (folder / "run.json").write_bytes(manifests.to_bytes({**manifest, **changes}))


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_name_that_is_no_folder_is_refused(name, home):
    refused(BadValue, "cannot be the name of a run; use up to 80 letters", sl.save, sl.CFR(sl.Kuhn()), name)
    for act in (sl.load, sl.delete, store.export):
        refused(UnknownName, "there is no run", act, name)
    assert not home.exists()


@pytest.mark.parametrize("name", [None, 5, b"run"])
def test_a_name_that_is_no_text_is_refused(name):
    refused(BadValue, "cannot be the name of a run", sl.save, sl.CFR(sl.Kuhn()), name)


@pytest.mark.parametrize("act", [sl.load, sl.delete, store.export, lambda name: store.compare([name])])
def test_an_unknown_run_is_named_with_those_that_exist(act, home, folder):
    refused(UnknownName, "there is no run 'nope'; known: run", act, "nope", home=home)


def test_an_empty_store_says_so(home):
    refused(UnknownName, "there is no run 'nope'; known: none yet", sl.load, "nope")
    assert not home.exists()


@pytest.mark.parametrize("thing", [None, "a text", sl.Kuhn(), sl.CFR(sl.Kuhn()).snapshot(), iter([])])
def test_only_solvers_are_runs(thing, home):
    refused(BadValue, "is no run; save a solver, as in sl.save", sl.save, thing, "run")
    assert not home.exists()


def test_only_traces_are_traces(home):
    refused(BadValue, "a list is no trace; record one with sl.Trace", sl.save, sl.CFR(sl.Kuhn()), "run", [1])
    assert not home.exists()


def test_a_trace_of_other_things_than_numbers_is_refused(home):
    trace = sl.Trace.from_rows([{"iteration": 1}, {"iteration": "two"}])
    refused(
        BadValue,
        "the trace holds something that is no column of numbers",
        sl.save,
        sl.CFR(sl.Kuhn()),
        "run",
        trace,
    )
    assert sl.runs() == []


@pytest.mark.parametrize(
    ("solver", "steps"), [(lambda: sl.CFR(sl.Kuhn(), "DCFR"), 19), (lambda: sl.CFR(sl.Leduc(), "DCFR"), 500)]
)
def test_another_or_a_longer_run_is_not_replaced_by_accident(solver, steps, home, folder):
    other = solver()
    other.step(steps)
    sentence = (
        "holds 20 iterations of DCFR on Kuhn poker, which .* would replace; choose another name or save"
    )
    refused(BadValue, sentence, sl.save, other, "run", home=home)
    sl.save(other, "run", replace=True)
    assert sl.load("run").iteration == steps


@pytest.mark.parametrize("file", ["regret.npy", "total.npy", "sigma.npy", "clock.npy", "trace"])
def test_a_truncated_file_is_noticed(file, home, folder):
    path = next(path for path in folder.rglob("*.*") if file in path.name)
    path.write_bytes(path.read_bytes()[:-7])
    refused(
        DamagedRun,
        rf"{file}.* of run 'run' is damaged \([\d,]+ of [\d,]+ bytes\); delete the run",
        sl.load,
        "run",
        home=home,
    )


@pytest.mark.parametrize("file", ["regret.npy", "trace"])
def test_a_single_changed_bit_is_noticed(file, home, folder):
    path = next(path for path in folder.rglob("*.*") if file in path.name)
    content = bytearray(path.read_bytes())
    content[-3] ^= 1
    path.write_bytes(bytes(content))
    refused(
        DamagedRun,
        "is damaged .its checksum is wrong.; delete the run, or import it again",
        sl.load,
        "run",
        home=home,
    )


def test_a_missing_file_is_noticed_and_listed(home, folder):
    next(folder.rglob("regret.npy")).unlink()
    refused(DamagedRun, "regret.npy of run 'run' is damaged .it is missing.", sl.load, "run", home=home)
    assert sl.runs()[0].problem.startswith("state-20/regret.npy is missing")


@pytest.mark.parametrize("text", ["", "{", '{"format": "solverlab run", ', "\x00\x01"])
def test_a_manifest_that_is_no_json_is_noticed(text, home, folder):
    (folder / "run.json").write_text(text)
    for act in (sl.load, lambda name: sl.save(sl.CFR(sl.Kuhn()), name)):
        refused(
            DamagedRun, "run.json of run 'run' is not readable JSON; delete the run", act, "run", home=home
        )
    assert "not readable JSON" in sl.runs()[0].problem
    sl.delete("run")
    assert sl.runs() == []


@pytest.mark.parametrize("field", ["game", "solver", "iteration", "files", "saved"])
def test_an_edited_manifest_is_noticed(field, home, folder):
    manifest = json.loads((folder / "run.json").read_text())
    manifest[field] = 21 if field == "iteration" else {}
    (folder / "run.json").write_text(json.dumps(manifest))
    refused(DamagedRun, "run.json of run 'run' was changed or damaged", sl.load, "run", home=home)


@pytest.mark.parametrize("text", ["[]", "5", "{}", '{"format": "other"}'])
def test_the_run_json_of_another_program_is_left_alone(text, home, folder):
    (folder / "run.json").write_text(text)
    for act in (sl.load, sl.delete, lambda name: sl.save(sl.CFR(sl.Kuhn(), "DCFR"), name, replace=True)):
        refused(DamagedRun, "run.json of 'run' was not written by solverlab", act, "run", home=home)


def test_a_foreign_folder_is_left_alone(home):
    foreign = home / "runs" / "mine"
    foreign.mkdir(parents=True)
    (foreign / "thesis.tex").write_text("the only copy")
    refused(DamagedRun, "the folder of 'mine' holds no run.json, so it is no run", sl.load, "mine", home=home)
    refused(DamagedRun, "the folder of 'mine' holds no run.json", sl.delete, "mine", home=home)
    refused(DamagedRun, "holds other files than a run's", sl.save, sl.CFR(sl.Kuhn()), "mine", home=home)
    assert sl.runs() == []


def test_a_file_where_a_folder_should_be(home):
    (home / "runs").mkdir(parents=True)
    (home / "runs" / "mine").write_text("a file")
    refused(DamagedRun, "holds other files than a run's", sl.save, sl.CFR(sl.Kuhn()), "mine", home=home)


@pytest.mark.parametrize("version", [2, 99, "2", None])
def test_a_run_of_a_newer_version_asks_for_an_update(version, home, folder):
    rewrite(folder, format_version=version)
    sentence = "was saved by a newer solverlab .its format is .*, this one reads up to 1.; update solverlab"
    refused(DamagedRun, sentence, sl.load, "run", home=home)
    refused(DamagedRun, sentence, sl.save, sl.CFR(sl.Kuhn(), "DCFR"), "run", home=home)
    assert "newer solverlab" in sl.runs()[0].problem


def test_a_game_of_ones_own_asks_for_itself(home):
    sl.save(sl.CFR(CoinGame()), "coins")
    sentence = "run 'coins' is of 'coin game', a game the catalogue does not have; make it .*game=..."
    refused(BadValue, sentence, sl.load, "coins", home=home)
    sentence = "of a coin game with another tree or other payoffs than coin game"
    refused(DamagedRun, sentence, lambda: sl.load("coins", game=CoinGame(stake=2.0)), home=home)
    refused(
        DamagedRun, "another tree or other payoffs than Kuhn poker", lambda: sl.load("coins", game=sl.Kuhn())
    )


@pytest.mark.parametrize("value", [float("inf"), {1, 2}, object()])
def test_a_game_that_json_cannot_tell_is_refused(value, home):
    game = CoinGame()
    game.config = lambda: {"game": "CoinGame", "stake": value}
    refused(
        BadValue, "the configuration of coin game cannot be written as JSON", sl.save, sl.CFR(game), "run"
    )
    assert not home.exists()


@pytest.mark.parametrize(
    "member",
    ["../outside.npy", "/outside.npy", "state-20/../../outside.npy", "state-20/a.pickle", "run.json"],
)
def test_a_manifest_that_points_outside_is_refused(member, home, folder):
    (home / "runs" / "outside.npy").write_bytes(b"secret")
    told_of = {member: {"bytes": 6, "sha256": checksum(b"secret")}}
    rewrite(folder, files=told_of)
    refused(DamagedRun, "was changed or damaged", sl.load, "run", home=home)


def with_array(folder, name: str, array: np.ndarray) -> None:
    """Put another array in, with the right checksum."""
    manifest = json.loads((folder / "run.json").read_text())
    member = next(member for member in manifest["files"] if member.endswith(f"/{name}.npy"))
    (folder / member).write_bytes(array_bytes(array))
    content = (folder / member).read_bytes()
    rewrite(folder, files={**manifest["files"], member: {"bytes": len(content), "sha256": checksum(content)}})


def test_tables_of_another_shape_do_not_fit(home, folder):
    with_array(folder, "regret", np.zeros((3, 3)))
    refused(
        DamagedRun,
        "run 'run' does not fit this solverlab .*shape",
        lambda: sl.load("run").solver(),
        home=home,
    )


def test_an_array_of_objects_is_never_opened(home, folder):
    member = next(folder.rglob("regret.npy"))
    with member.open("wb") as file:
        np.save(file, np.array([{"run": "me"}], dtype=object), allow_pickle=True)
    content = member.read_bytes()
    manifest = json.loads((folder / "run.json").read_text())
    key = f"{member.parent.name}/regret.npy"
    rewrite(folder, files={**manifest["files"], key: {"bytes": len(content), "sha256": checksum(content)}})
    refused(DamagedRun, "regret.npy of run 'run' is no array of numbers", sl.load, "run", home=home)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("tie_slot", lambda slot: slot + 10_000),
        ("tie_slot", lambda slot: np.roll(slot, 1)),
        ("tie_bucket", lambda bucket: bucket * 1000),
        ("tie_texture", lambda texture: texture - 1),
        ("tie_first", lambda first: first + 5),
        ("tie_count", lambda count: count * 100),
        ("tie_player", lambda player: player + 7),
        ("tie_slot", lambda slot: slot[:5]),
    ],
)
def test_an_abstraction_that_does_not_fit_never_reaches_compiled_code(name, change, home):
    game = sl.Leduc()
    solver = sl.CFR(game, "DCFR", tie=buckets(game))
    folder = sl.save(solver, "tied")
    with_array(folder, name, change(np.load(next(folder.rglob(f"{name}.npy")))))
    refused(
        DamagedRun,
        "the saved abstraction does not fit|does not fit this solverlab",
        lambda: sl.load("tied").solver(),
    )


def test_a_solver_of_a_later_version_is_named(home, folder):
    manifest = json.loads((folder / "run.json").read_text())
    rewrite(folder, solver={**manifest["solver"], "solver": "Rebalance9"})
    refused(
        DamagedRun,
        "made by a solver 'Rebalance9' that this version does not have",
        lambda: sl.load("run").solver(),
    )


def test_settings_of_a_later_version_do_not_fit(home, folder):
    manifest = json.loads((folder / "run.json").read_text())
    rewrite(folder, solver={**manifest["solver"], "warmth": 3})
    refused(DamagedRun, "run 'run' does not fit this solverlab .*warmth", lambda: sl.load("run").solver())


def test_a_listing_survives_whatever_lies_in_the_folder(home, folder):
    (home / "runs" / "a file").write_text("x")
    (home / "runs" / "empty").mkdir()
    (home / "runs" / "broken").mkdir()
    (home / "runs" / "broken" / "run.json").write_text("{")
    (home / "runs" / ".deleted-old-1").mkdir()
    assert [run.name for run in sl.runs() if not run.problem] == ["run"]
    assert [run.name for run in sl.runs() if run.problem] == ["broken"]


def test_what_a_killed_first_save_left_is_no_run_and_in_nobodys_way(home):
    left = home / "runs" / "new" / "state-10"
    left.mkdir(parents=True)
    (left / "regret.npy").write_bytes(b"half")
    (home / "runs" / "new" / "run.json.part").write_text("{")
    refused(UnknownName, "there is no run 'new'", sl.load, "new")
    assert sl.runs() == []
    solver = sl.CFR(sl.Kuhn())
    solver.step(10)
    sl.save(solver, "new")
    assert sl.load("new").iteration == 10
    assert set(files_of(home / "runs" / "new")) == {"run.json", *sl.load("new").manifest["files"]}


def test_a_home_that_is_a_file_is_told(home):
    home.write_text("a file")
    sentence = (
        "could not save the run 'run' in .*runs: .*; make room or permissions there, or set SOLVERLAB_HOME"
    )
    refused(BadValue, sentence, sl.save, sl.CFR(sl.Kuhn()), "run")
    assert home.read_text() == "a file"
    assert sl.runs() == []


@pytest.mark.parametrize(
    "config", [{"game": "HiddenMoves", "name": "x", "wins": 5}, {"game": "LimitPoker", "ranks": 2.5}]
)
def test_a_game_that_cannot_be_made_again_is_told(config, home, folder):
    rewrite(folder, game=config)
    with pytest.raises(sl.SolverlabError) as error:
        sl.load("run")
    told(error)


@pytest.mark.parametrize("solver", [{}, {"solver": 5}, {"solver": "CFR", "schedule": 5}])
def test_a_manifest_of_other_kinds_is_told_and_listed(solver, home, folder):
    rewrite(folder, solver=solver)
    refused(DamagedRun, "was changed or damaged", sl.load, "run", home=home)
    assert "was changed or damaged" in sl.runs()[0].problem


def test_another_abstraction_is_another_run(home):
    game = sl.Leduc()
    sl.save(sl.CFR(game, tie=sl.tie_hands(game.tree, [0, 0, 1, 1, 2, 2])), "tied")
    other = sl.CFR(game, tie=sl.tie_hands(game.tree, [0, 1, 1, 2, 2, 0]))
    refused(BadValue, "would replace", sl.save, other, "tied", home=home)


def test_an_array_that_announces_more_than_it_has_is_no_array(home, folder):
    member = next(folder.rglob("regret.npy"))
    header = np.lib.format.header_data_from_array_1_0(np.zeros(1)) | {"shape": (99_999_999, 99_999)}
    forged = io.BytesIO()
    np.lib.format.write_array_header_1_0(forged, header)
    content = forged.getvalue() + bytes(64)
    member.write_bytes(content)
    manifest = json.loads((folder / "run.json").read_text())
    entry = {"bytes": len(content), "sha256": checksum(content)}
    rewrite(folder, files={**manifest["files"], f"{member.parent.name}/regret.npy": entry})
    refused(DamagedRun, "regret.npy of run 'run' is no array of numbers", sl.load, "run", home=home)
