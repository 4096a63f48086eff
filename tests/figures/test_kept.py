"""Figures are kept whole or not at all, and the command says what it wrote."""

from __future__ import annotations

import io
import shutil
import zipfile

import pytest

from solverlab import cli
from solverlab.cards.table_cache import BuildCancelled
from solverlab.core.errors import BadValue, UnknownName
from solverlab.figures import FIGURES
from solverlab.figures.kept import figures_folder, kept_figure, reproduce


@pytest.fixture
def copy(made, tmp_path):
    """The files of the smallest figure in a folder of one's own."""
    for path in made["occupancy"].files:
        shutil.copy(path, tmp_path)
    return tmp_path


def test_a_kept_figure_is_read_back(made, copy):
    kept = kept_figure("occupancy", copy)
    assert kept.provenance == made["occupancy"].provenance
    assert kept.bytes("png").startswith(b"\x89PNG")
    packed = zipfile.ZipFile(io.BytesIO(kept.data()))
    assert packed.namelist() == ["occupancy-shares.csv", "occupancy.json"]
    assert packed.read("occupancy-shares.csv") == (copy / "occupancy-shares.csv").read_bytes()


@pytest.mark.parametrize("file", ["occupancy.png", "occupancy-shares.csv", "occupancy.json"])
def test_a_file_that_was_touched_or_lost_is_noticed(copy, file):
    (copy / file).write_bytes((copy / file).read_bytes()[:-9])
    assert kept_figure("occupancy", copy) is None
    (copy / file).unlink()
    assert kept_figure("occupancy", copy) is None


@pytest.mark.parametrize("text", ["[]", '{"figure": "occupancy"}', '{"figure": "occupancy", "sha256": [1]}'])
def test_foreign_provenance_is_no_figure(copy, text):
    (copy / "occupancy.json").write_text(text)
    assert kept_figure("occupancy", copy) is None


def test_provenance_cannot_point_outside_its_folder(made, copy):
    secret = copy.parent / "secret.csv"
    shutil.move(copy / "occupancy-shares.csv", secret)
    forged = (copy / "occupancy.json").read_text().replace('"occupancy-shares.csv"', '"../secret.csv"')
    (copy / "occupancy.json").write_text(forged)
    assert kept_figure("occupancy", copy) is None


def test_making_it_again_gives_the_same_data(made, tmp_path):
    steps = []
    reproduce("occupancy", tmp_path, lambda share, words: steps.append((share, words)))
    again = kept_figure("occupancy", tmp_path)
    name = "occupancy-shares.csv"
    assert again.tables() == {name: made["occupancy"].provenance["sha256"][name]}
    shares = [share for share, _ in steps]
    assert shares == sorted(shares) and shares[-1] == 1.0 and all(words for _, words in steps)


def test_a_cancelled_figure_leaves_the_old_one_and_nothing_else(made, copy):
    before = {path.name: path.read_bytes() for path in copy.iterdir()}
    with pytest.raises(BuildCancelled, match="nothing was kept"):
        reproduce("occupancy", copy, cancel=lambda: True)
    assert {path.name: path.read_bytes() for path in copy.iterdir()} == before


def test_a_folder_that_is_a_file_is_refused_in_one_sentence(made, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadValue, match="could not be written into .*file .*; name another folder"):
        reproduce("occupancy", tmp_path / "file")


def test_an_unknown_figure():
    with pytest.raises(UnknownName, match="there is no figure 'mona-lisa'; known: johanson-2.2"):
        reproduce("mona-lisa")
    assert not (figures_folder() / "mona-lisa.json").exists()


def test_the_command_lists_figures(capsys):
    assert cli.main(["figure", "list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(FIGURES)


def test_the_command_writes_and_prints_files(made, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["figure", "occupancy"]) == 0
    printed = capsys.readouterr().out.split()
    assert printed == [f"figures/occupancy{end}" for end in (".png", ".svg", "-shares.csv", ".json")]
    assert all((tmp_path / path).stat().st_size > 0 for path in printed)


def test_the_command_refuses_an_unknown_name(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["figure", "2.3"]) == 2
    assert capsys.readouterr().err.startswith("solverlab: there is no figure '2.3'; known: ")
    assert list(tmp_path.iterdir()) == []
