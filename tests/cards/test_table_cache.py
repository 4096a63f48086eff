"""Kept tables survive deletion, damage, other versions and rivals, and never come back wrong."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from solverlab.cards import table_cache
from solverlab.cards.table_cache import BuildCancelled, Shape, TableCache, cache_folder
from solverlab.core.errors import BadValue, TooLarge

SHAPES = {"numbers": Shape((1000,), "<i8"), "letters": Shape((26,), "|u1")}


class Squares(TableCache):
    """Small tables that count how often they were built."""

    def __init__(self, folder, version=1):
        self.builds = 0
        super().__init__("squares", version, SHAPES, self._squares, Path(folder))

    def _squares(self, step):
        self.builds += 1
        step(0.5, "half")
        yield "numbers", np.arange(1000) ** 2 + self.version
        yield "letters", np.arange(26, dtype=np.uint8)


def test_built_once_then_loaded(tmp_path):
    first, second = Squares(tmp_path), Squares(tmp_path)
    assert not first.ready()
    assert first.array("numbers")[31] == 962 and first.ready()
    assert second.array("numbers")[31] == 962 and second.array("letters")[25] == 25
    assert (first.builds, second.builds) == (1, 0)
    assert isinstance(second.array("numbers"), np.memmap) and not second.array("numbers").flags.writeable
    assert [path.name for path in tmp_path.iterdir()] == ["squares-1"]


def test_deleting_the_folder_is_safe(tmp_path):
    tables = Squares(tmp_path)
    mapped = tables.array("numbers")
    shutil.rmtree(tmp_path / "squares-1")
    assert mapped[31] == 962
    assert Squares(tmp_path).array("numbers")[31] == 962


def truncate(path):
    data = (path / "numbers.npy").read_bytes()
    (path / "numbers.npy").write_bytes(data[:-100])


def alter(path):
    data = bytearray((path / "numbers.npy").read_bytes())
    data[-8] ^= 1
    (path / "numbers.npy").write_bytes(data)


def empty_manifest(path):
    (path / "manifest.json").write_text("")


def strange_manifest(path):
    (path / "manifest.json").write_text('{"files": [1, 2]}')


def foreign_version(path):
    manifest = json.loads((path / "manifest.json").read_text())
    manifest["version"] = 99
    (path / "manifest.json").write_text(json.dumps(manifest))


def lose_a_file(path):
    (path / "numbers.npy").unlink()


def become_a_file(path):
    shutil.rmtree(path)
    path.write_text("no folder")


@pytest.mark.parametrize(
    "damage",
    [truncate, alter, empty_manifest, strange_manifest, foreign_version, lose_a_file, become_a_file],
)
def test_damaged_tables_are_built_again(tmp_path, damage):
    Squares(tmp_path).array("numbers")
    damage(tmp_path / "squares-1")
    tables = Squares(tmp_path)
    assert tables.array("numbers").tolist() == (np.arange(1000) ** 2 + 1).tolist()
    assert tables.builds == 1
    assert Squares(tmp_path).array("letters")[3] == 3
    assert [path.name for path in tmp_path.iterdir()] == ["squares-1"]


def test_a_new_version_has_tables_of_its_own(tmp_path):
    old, new = Squares(tmp_path), Squares(tmp_path, version=2)
    assert old.array("numbers")[0] == 1 and new.array("numbers")[0] == 2
    assert Squares(tmp_path).array("numbers")[0] == 1


def test_cancel_keeps_nothing(tmp_path):
    tables = Squares(tmp_path)
    told = []
    with pytest.raises(BuildCancelled, match="cancelled"):
        tables.array("numbers", progress=lambda done, text: told.append(done), cancel=lambda: bool(told))
    assert told == [0.0] and list(tmp_path.iterdir()) == []
    assert tables.array("numbers")[31] == 962


def test_progress_runs_from_nothing_to_all(tmp_path):
    told = []
    Squares(tmp_path).array("numbers", progress=lambda done, text: told.append((done, text)))
    assert [done for done, _ in told] == [0.0, 0.5, 1.0] and told[-1][1] == "squares is ready"


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("in the way")
    for place in (tmp_path / "file", Path("/proc/solverlab")):
        with pytest.raises(BadValue, match="SOLVERLAB_HOME") as caught:
            Squares(place).array("numbers")
        assert str(place) in str(caught.value)


def test_too_little_space(tmp_path, monkeypatch):
    usage = shutil.disk_usage(tmp_path)._replace(free=1000)
    monkeypatch.setattr(table_cache.shutil, "disk_usage", lambda folder: usage)
    with pytest.raises(TooLarge, match="0 MB free"):
        Squares(tmp_path).array("numbers")
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_fills_up_while_writing(tmp_path, monkeypatch):
    def full(*args, **kwargs):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(table_cache.np, "save", full)
    with pytest.raises(BadValue, match="No space left on device"):
        Squares(tmp_path).array("numbers")
    assert list(tmp_path.iterdir()) == []


RIVAL = """
import sys, time
import numpy as np
from pathlib import Path
from solverlab.cards.table_cache import TableCache, Shape

def build(step):
    with open(sys.argv[1] + ".builds", "a") as log:
        log.write("built ")
    time.sleep(0.2)  # all rivals are building by the time the first is done
    yield "numbers", np.arange(10**6)

tables = TableCache("rivals", 1, {"numbers": Shape((10**6,), "<i8")}, build, Path(sys.argv[1]))
print(int(tables.array("numbers").sum()))
"""


def by_slices(folder, pieces) -> TableCache:
    def build(step):
        yield "numbers", ((slice(a, b), np.arange(a, b) ** 2) for a, b in pieces)

    return TableCache("slices", 1, {"numbers": Shape((1000,), "<i8")}, build, Path(folder))


def test_a_table_may_be_written_slice_by_slice(tmp_path):
    tables = by_slices(tmp_path, [(600, 1000), (0, 600)])
    assert np.array_equal(tables.array("numbers"), np.arange(1000) ** 2)
    assert (tmp_path / "slices-1" / "numbers.npy").stat().st_size == tables.bytes
    whole = tmp_path / "whole.npy"
    np.save(whole, np.arange(1000) ** 2)
    assert whole.read_bytes() == (tmp_path / "slices-1" / "numbers.npy").read_bytes()


def test_slices_that_leave_rows_out_or_are_cancelled_keep_nothing(tmp_path):
    with pytest.raises(BadValue, match="1,000 rows but its builder wrote 900"):
        by_slices(tmp_path, [(0, 900)]).array("numbers")
    asked = iter([False, False, True])  # at the start, after the first slice, after the second
    with pytest.raises(BuildCancelled):
        by_slices(tmp_path, [(0, 300), (300, 1000)]).array("numbers", cancel=lambda: next(asked))
    assert list(tmp_path.iterdir()) == []


def test_rivals_build_at_once_and_all_are_right(tmp_path):
    command = [sys.executable, "-c", RIVAL, str(tmp_path / "home")]
    rivals = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    answers = [rival.communicate(timeout=60)[0].strip() for rival in rivals]
    assert answers == [str(10**6 * (10**6 - 1) // 2)] * 3
    assert [path.name for path in (tmp_path / "home").iterdir()] == ["rivals-1"]
    assert (tmp_path / "home.builds").read_text() == "built "  # the others waited for the first


def test_abandoned_drafts_are_swept(tmp_path, monkeypatch):
    (tmp_path / ".squares-1.123-abc").mkdir()
    Squares(tmp_path).array("numbers")
    assert (tmp_path / ".squares-1.123-abc").exists()
    monkeypatch.setattr(table_cache, "_ABANDONED", -1.0)
    Squares(tmp_path, version=2).array("numbers")
    assert not (tmp_path / ".squares-1.123-abc").exists()


def test_the_folder_follows_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("SOLVERLAB_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "tables"
    monkeypatch.delenv("SOLVERLAB_HOME")
    assert "solverlab" in str(cache_folder())
