"""Every notebook runs from top to bottom in a real kernel, stays short to read and small to store."""

from __future__ import annotations

import re
import resource
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
import pytest
from nbclient import NotebookClient
from traitlets.config import Config

from solverlab.abstraction.strength import hand_strength
from solverlab.cards.all_in import all_in_matrix

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
SECONDS, BYTES, LINES = 40.0, 2_000_000, 20
each = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def read(path: Path) -> nbformat.NotebookNode:
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    return book


def cells(path: Path, kind: str) -> list[nbformat.NotebookNode]:
    return [cell for cell in read(path).cells if cell.cell_type == kind]


def seconds_of_ended_kernels() -> float:
    """Processor time, so that a busy machine does not make a quick notebook slow."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_the_notebooks_are_there():
    assert [path.stem for path in NOTEBOOKS][:6] == [
        "01-regret-matching",
        "02-cfr-on-kuhn",
        "03-the-cfr-family",
        "04-hand-strength",
        "05-bucketing",
        "06-price-of-abstraction",
    ]


@pytest.fixture(scope="session")
def tables() -> None:
    """What a student's computer has after the first time: strength and all-in tables, built once."""
    hand_strength("flop")
    all_in_matrix()


@pytest.mark.notebook
@each
def test_it_runs_offline_in_reasonable_time_and_stays_small(path, tables, tmp_path, monkeypatch):
    """A proxy that does not answer makes any request to the outside fail."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    book, began = read(path), seconds_of_ended_kernels()
    # By files, not ports: a port that was free when it was chosen may be taken when the kernel starts.
    with TemporaryDirectory() as sockets:
        by_file = Config(KernelManager={"transport": "ipc", "ip": f"{sockets}/kernel"})
        place = {"metadata": {"path": tmp_path}}
        NotebookClient(book, config=by_file, timeout=120, kernel_name="python3", resources=place).execute()
    assert seconds_of_ended_kernels() - began < SECONDS
    written = nbformat.writes(book)
    assert len(written) < BYTES, "an output is too large; was a whole dashboard library stored?"
    assert "stderr" not in {output.get("name") for cell in book.cells for output in cell.get("outputs", [])}


@each
def test_it_is_committed_without_outputs(path):
    assert all(not cell.outputs and cell.execution_count is None for cell in cells(path, "code"))
    assert path.stat().st_size < 100_000


@each
def test_it_asks_one_question_and_answers_it_last(path):
    book = read(path)
    title = book.cells[0].source.splitlines()[0]
    assert title.startswith("# ") and title.endswith("?")
    assert book.cells[-1].source.startswith("## The answer")


@each
def test_it_is_prose_with_short_cells(path):
    code, prose = cells(path, "code"), cells(path, "markdown")
    assert len(prose) >= len(code)
    lengths = sorted(len(cell.source.splitlines()) for cell in code)
    assert lengths[-1] <= LINES and lengths[len(lengths) // 2] <= 6


@each
def test_every_exercise_has_a_closed_solution_or_a_laboratory(path):
    book = read(path)
    asked = [i for i, cell in enumerate(book.cells) if re.search(r"^\*\*\d\. ", cell.source, re.M)]
    assert len(asked) >= 3
    for i in asked:
        after = book.cells[i + 1]
        closed = after.metadata.get("jupyter", {}).get("source_hidden") and "solution" in after.metadata.get(
            "tags", []
        )
        assert closed or "sl.ui.Lab(" in after.source
