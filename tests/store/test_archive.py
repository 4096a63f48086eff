"""Runs as .zip files: out, in, and whatever a stranger may have put into one."""

from __future__ import annotations

import io
import json
import zipfile

import numpy as np
import pytest
from store.sample_runs import SOLVERS, CoinGame, files_of, same_state

import solverlab as sl
from solverlab import store
from solverlab.core.errors import BadValue, DamagedRun, TooLarge, UnknownName
from solverlab.store import manifest as manifests
from solverlab.store.files import checksum
from solverlab.store.packing import pack_state


@pytest.fixture
def exported(tmp_path):
    solver = SOLVERS["own sampling"]()
    sl.save(solver, "run", sl.Trace(sl.run(solver, every=10, until=sl.iterations(20))))
    return store.export("run", tmp_path / "run.zip")


def rezip(path, change) -> None:
    """Write the archive again with its members changed."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)


def test_out_and_in_again_is_the_same_run(exported):
    before = sl.load("run")
    sl.delete("run")
    back = store.import_run(exported)
    assert back.name == "run"
    assert same_state(sl.load("run").solver(), before.solver())
    assert sl.load("run").trace.rows == before.trace.rows
    kept = ("created", "saved", "versions", "fingerprint", "solver", "game")
    assert all(sl.load("run").manifest[field] == before.manifest[field] for field in kept)


def test_under_another_name(exported):
    assert store.import_run(exported, "other").name == "other"
    assert same_state(sl.load("other").solver(), sl.load("run").solver())
    assert sl.load("other").manifest["name"] == "other"


def test_into_a_folder_and_only_as_zip(exported, tmp_path):
    assert store.export("run", tmp_path) == tmp_path / "run.zip"
    for path in (tmp_path / "run.rar", tmp_path / "nowhere" / "run.zip"):
        with pytest.raises(BadValue, match="cannot export to .*; give a folder that exists"):
            store.export("run", path)
        assert not path.exists()


def test_a_run_that_was_never_saved_can_be_taken_home(tmp_path, home):
    solver = sl.CFR(sl.Kuhn(), "PCFR+")
    trace = sl.Trace(sl.run(solver, every=10, until=sl.iterations(20)))
    content = store.to_zip(solver, "mine", trace)
    assert not home.exists()
    (tmp_path / "mine.zip").write_bytes(content)
    saved = store.import_run(tmp_path / "mine.zip")
    assert same_state(saved.solver(), solver)
    assert saved.trace.rows == trace.rows


def test_a_game_of_ones_own_comes_in_with_it(tmp_path):
    sl.save(sl.CFR(CoinGame()), "coins")
    store.export("coins", tmp_path)
    sl.delete("coins")
    with pytest.raises(BadValue, match="a game the catalogue does not have"):
        store.import_run(tmp_path / "coins.zip")
    assert sl.runs() == []
    store.import_run(tmp_path / "coins.zip", game=CoinGame())
    assert sl.load("coins", game=CoinGame()).iteration == 0


def test_an_existing_run_is_not_replaced(exported, home):
    before = files_of(home)
    with pytest.raises(BadValue, match="there already is a run 'run'; import it under another name"):
        store.import_run(exported)
    assert files_of(home) == before


def poison(members: dict) -> None:
    members["../evil.npy"] = b"x"


def swap(members: dict) -> None:
    name = next(name for name in members if name.endswith("regret.npy"))
    members[name] = members[name][:-1] + bytes([members[name][-1] ^ 1])


def lose(members: dict) -> None:
    del members[next(name for name in members if name.endswith("regret.npy"))]


def outside(members: dict) -> None:
    manifest = json.loads(members["run.json"])
    manifest.pop("checksum")
    name = next(name for name in members if name.endswith("regret.npy"))
    members["../../evil.npy"] = members.pop(name)
    manifest["files"]["../../evil.npy"] = manifest["files"].pop(name)
    members["run.json"] = manifests.to_bytes(manifest)


def bad_name(members: dict) -> None:
    manifest = json.loads(members["run.json"])
    manifest.pop("checksum")
    members["run.json"] = manifests.to_bytes({**manifest, "name": "../../evil"})


def no_manifest(members: dict) -> None:
    del members["run.json"]


@pytest.mark.parametrize(
    ("change", "kind", "sentence"),
    [
        (poison, DamagedRun, "run.zip holds other files than a run's"),
        (swap, DamagedRun, "regret.npy of run 'run.zip' is damaged .its checksum is wrong"),
        (lose, DamagedRun, "run.zip holds other files than a run's"),
        (outside, DamagedRun, "was changed or damaged"),
        (bad_name, BadValue, "cannot be the name of a run"),
        (no_manifest, DamagedRun, "cannot be read as an exported run"),
    ],
)
def test_a_strangers_archive_is_refused_and_nothing_written(change, kind, sentence, exported, home, tmp_path):
    sl.delete("run")
    rezip(exported, change)
    before = files_of(tmp_path)
    with pytest.raises(kind, match=sentence):
        store.import_run(exported)
    assert files_of(tmp_path) == before
    assert sl.runs() == []


def test_an_archive_that_unpacks_too_large_is_refused(exported, home):
    sl.delete("run")
    with pytest.raises(TooLarge, match=r"run.zip would unpack to [\d,]+ bytes, more than 1,000"):
        store.import_run(exported, most_bytes=1000)
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("run.json", b" " * 50_000_000)
    exported.write_bytes(bomb.getvalue())
    assert len(bomb.getvalue()) < 100_000
    with pytest.raises(TooLarge, match="would unpack to 50,000,000 bytes"):
        store.import_run(exported, most_bytes=10_000_000)
    assert sl.runs() == []


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04 broken"])
def test_what_is_no_zip_is_told(content, tmp_path):
    (tmp_path / "x.zip").write_bytes(content)
    with pytest.raises(
        DamagedRun, match="cannot be read as an exported run .*give the .zip file that export wrote"
    ):
        store.import_run(tmp_path / "x.zip")


def test_a_truncated_zip_is_told(exported):
    exported.write_bytes(exported.read_bytes()[:-100])
    with pytest.raises(DamagedRun, match="cannot be read as an exported run"):
        store.import_run(exported, "other")


def test_files_that_do_not_exist(tmp_path):
    with pytest.raises(DamagedRun, match="cannot be read as an exported run"):
        store.import_run(tmp_path / "nope.zip")
    with pytest.raises(UnknownName, match="there is no run 'nope'"):
        store.export("nope", tmp_path)


@pytest.mark.parametrize("kind", ["Leduc CFR+", "abstraction", "Leduc external sampling"])
def test_saving_takes_no_second_copy_of_the_tables(kind):
    """Files are written from the live tables, piece by piece, and are the very files numpy would write."""
    solver = SOLVERS[kind]()
    solver.step(3)
    live = solver.state(copy=False)
    for name, file in pack_state(solver)[0].items():
        whole = io.BytesIO()
        np.save(whole, file.array)
        assert b"".join(file.parts()) == whole.getvalue() and len(file) == len(whole.getvalue())
        assert name not in ("regret", "total") or np.shares_memory(file.array, live[name])
    assert checksum(file) == checksum(whole.getvalue())
