"""The wheel is the whole program: unpacked elsewhere, it finds its commands, its pages and their drawings."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import tomllib
import zipfile
from collections.abc import Iterator
from email.parser import Parser
from pathlib import Path
from urllib.request import urlopen

import pytest

from solverlab.proof.visiting import free_port

ROOT = Path(__file__).resolve().parent.parent
COMMANDS = {"serve", "solve", "bench", "runs", "proof"}
LEFTOVERS = {".pyc", ".pyo", ".nbi", ".nbc"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built by the backend itself: no network, no second environment."""
    folder = tmp_path_factory.mktemp("wheel")
    program = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"
    command = [sys.executable, "-c", program, str(folder)]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert answer.returncode == 0, answer.stderr
    return folder / answer.stdout.split()[-1]


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel unpacked into a folder far from the clone, as `pip install --target` leaves it."""
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def environment(installed: Path) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(installed), "PYTHONUNBUFFERED": "1"}


def python(installed: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Python in an empty folder, with the unpacked wheel before everything else."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=installed.parent,
        env=environment(installed),
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_every_file_of_the_package_is_in_the_wheel(wheel):
    """Drawings, styles, `py.typed`: whatever lies in the folder, except what Python left there."""
    files = [
        path
        for path in (ROOT / "solverlab").rglob("*")
        if path.is_file() and path.suffix not in LEFTOVERS and "__pycache__" not in path.parts
    ]
    wanted = {path.relative_to(ROOT).as_posix() for path in files}
    packed = set(zipfile.ZipFile(wheel).namelist())
    assert wanted <= packed
    assert "solverlab/py.typed" in packed
    assert {f"solverlab/guides/{path.name}" for path in (ROOT / "docs").glob("*.md")} <= packed
    assert any(name.endswith((".js", ".mjs")) for name in packed)


def test_the_wheel_holds_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"solverlab"}
    assert not [name for name in names if Path(name).suffix in LEFTOVERS]


def test_the_wheel_says_what_it_is(wheel):
    with zipfile.ZipFile(wheel) as archive:
        folder = next(
            name.split("/")[0] for name in archive.namelist() if name.endswith(".dist-info/METADATA")
        )
        about = Parser().parsestr(archive.read(f"{folder}/METADATA").decode())
        scripts = archive.read(f"{folder}/entry_points.txt").decode()
    assert about["Name"] == "solverlab"
    assert about["License-Expression"] == "MIT"
    assert about["Requires-Python"] == ">=3.11"
    assert "solverlab = solverlab.cli:main" in scripts


def test_the_program_finds_its_commands(installed):
    """`python -m solverlab --help` from the wheel alone."""
    answer = python(installed, "-m", "solverlab", "--help")
    assert answer.returncode == 0, answer.stderr
    assert set(re.findall(r"\w+", answer.stdout)) >= COMMANDS


def test_the_version_is_one(installed):
    where = "import solverlab; print(solverlab.__file__); print(solverlab.__version__)"
    answer = python(installed, "-c", where)
    assert answer.returncode == 0, answer.stderr
    file, version = answer.stdout.split("\n")[:2]
    assert Path(file).is_relative_to(installed)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert version == project["version"]


@pytest.fixture(scope="module")
def address(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """`solverlab serve` of the wheel, on a free port."""
    port = free_port()
    log = tmp_path_factory.mktemp("log") / "server.txt"
    command = [sys.executable, "-m", "solverlab", "serve", "--port", str(port), "--no-show", "--no-warm"]
    with log.open("w") as sink:
        server = subprocess.Popen(
            command, cwd=installed.parent, env=environment(installed), stdout=sink, stderr=sink
        )
    try:
        wait_for(port, server, log)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(30)


def wait_for(port: int, server: subprocess.Popen[bytes], log: Path, patience: float = 90.0) -> None:
    """Return once somebody listens, or fail with the server's last words."""
    end = time.monotonic() + patience
    while time.monotonic() < end and server.poll() is None:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=5).close()
        except OSError:
            time.sleep(0.2)
    raise AssertionError(f"no server at port {port}: {log.read_text()}")


def test_the_dashboard_serves_from_the_wheel(address):
    """The first page arrives, with the program's name on it."""
    with urlopen(address, timeout=60) as answer:
        page = answer.read().decode()
    assert answer.status == 200
    assert "solverlab" in page.lower()
    assert "bokeh" in page.lower()
