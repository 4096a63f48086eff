"""The files around the package agree: what the README prints exists, what is pinned is used."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from solverlab import cli

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = set(re.findall(r"^([a-z]+):", MAKEFILE, re.M))

NOT_OURS = {".git", ".venv", "venv", "build", "dist", "node_modules", "runs", ".solverlab", "test-results"}
TEXT = set(".py .md .toml .txt .yml .yaml .json .ipynb .js .mjs .css .html .game".split())
# An address may name a source (a paper's permanent link), a format, or this machine; nothing is fetched.
SOURCES = r"(?:localhost|127\.0\.0\.1|\[::1\]|www\.w3\.org|doi\.org|arxiv\.org|json-schema\.org)"
ADDRESS = re.compile(rf"https?://(?!{SOURCES}\b)[\w.-]+\.[a-z]{{2,}}")
MACHINE_PATH = re.compile(r"(?<![\w./~}])/(?:home|root|Users|work|opt|mnt|tmp|var|usr(?!/bin/env))/\w")


def pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").split()
    return {canonicalize_name(name): version for name, version in (line.split("==") for line in lines)}


def requirements(*extras: str) -> list[Requirement]:
    chosen = [PROJECT["project"]["optional-dependencies"][extra] for extra in extras]
    return [Requirement(text) for text in sum(chosen, list(PROJECT["project"]["dependencies"]))]


def our_files() -> list[Path]:
    """Every text file one would commit, found without git."""
    found = []
    for folder, inside, names in os.walk(ROOT):
        inside[:] = [name for name in inside if name not in NOT_OURS and "cache" not in name]
        found += [Path(folder, name) for name in names if "cache" not in name]
    return sorted(path for path in found if path.suffix in TEXT or path.name in ("Makefile", "run"))


def shell_lines(path: Path) -> list[str]:
    """The commands in a document: lines of fenced blocks that are not Python, and short code in prose."""
    blocks = re.findall(
        r"^```(?:sh|bash|console|text)?\n(.*?)^```", path.read_text(encoding="utf-8"), re.M | re.S
    )
    fenced = [line.strip().removeprefix("$ ") for block in blocks for line in block.splitlines()]
    return fenced + re.findall(r"`([^`\n]+)`", path.read_text(encoding="utf-8"))


DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_printed_make_commands_exist(path):
    said = {m[1] for line in shell_lines(path) if (m := re.match(r"make ([a-z]+)\b", line))}
    assert said <= TARGETS, f"{path.name} prints make {said - TARGETS}"


def test_the_readme_prints_the_two_commands():
    said = {m[1] for line in shell_lines(ROOT / "README.md") if (m := re.match(r"make ([a-z]+)\b", line))}
    assert {"serve", "test"} <= said


def test_printed_solverlab_commands_exist(capsys):
    """Every `solverlab something` in a document is a command of the program."""
    lines = [line for path in DOCUMENTS for line in shell_lines(path)]
    said = {m[1] for line in lines if (m := re.match(r"(?:\.venv/bin/)?solverlab ([a-z]+)\b", line))}
    called = {m[1] for m in re.finditer(r"\$\(BIN\)/solverlab ([a-z]+)", MAKEFILE)}
    for command in sorted(said | called):
        with pytest.raises(SystemExit) as end:
            cli.main([command, "--help"])
        assert end.value.code == 0, f"solverlab {command}: {capsys.readouterr().err}"


def test_plain_make_lists_every_target():
    answer = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, timeout=30)
    listed = set(re.findall(r"^  make ([a-z]+) ", answer.stdout, re.M))
    assert answer.returncode == 0
    assert listed >= {"serve", "lab", "test", "bench", "proof", "screenshots", "clean"}


def test_make_test_looks_where_the_marked_tests_are():
    """Browser, notebook and timing tests have folders of their own in the Makefile: they are nowhere else."""
    homes = {"browser": {"browser"}, "notebooks": {"notebook"}, "run": {"timing"}}
    found = {
        path: set(re.findall(r"pytest\.mark\.(browser|notebook|timing)\b", path.read_text(encoding="utf-8")))
        for path in (ROOT / "tests").rglob("*.py")
    }
    assert {mark for marks in found.values() for mark in marks} == {"browser", "notebook", "timing"}
    assert not [path for path, marks in found.items() if marks - homes.get(path.parent.name, set())]
    folders = dict(re.findall(r"^(DRIVING|TIMING) := (.+)$", MAKEFILE, re.M))
    assert folders == {"DRIVING": "tests/browser tests/notebooks", "TIMING": "tests/run"}


def test_make_test_leaves_no_test_out():
    """What one group passes over is all of another: two folders, and the tests marked as timing."""
    calls = re.findall(r"^\t.*\$\(PYTEST\) (.*) \$\(PYTEST_ARGS\)$", MAKEFILE, re.M)
    assert sorted(calls) == [
        '$(SPREAD) -m "not timing" $(DRIVING:%=--ignore=%)',
        '$(SPREAD) -v -m "not timing" tests/browser --ignore=$(ALONE)',
        '$(SPREAD) -v -m "not timing" tests/notebooks',
        '-v -m "not timing" $(ALONE)',
        "-v -m timing $(TIMING)",
    ]
    assert re.findall(r"^\t.*\$\(MAKE\) --no-print-directory (\w+)\b", MAKEFILE, re.M) == [
        "lint",
        "reckoning",
        "driving",
    ]


def test_the_machine_that_checks_runs_make_test():
    script = ROOT / ".ci" / "run"
    commands = [line for line in script.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    assert commands[-1].split()[-2:] == ["make", "test"]
    assert script.stat().st_mode & 0o111


def test_pins_are_plain():
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert not [line for line in lines if not re.fullmatch(r"[A-Za-z0-9_.-]+==[0-9][A-Za-z0-9.]*", line)]
    assert len(pins()) == len(lines), "a package is pinned twice"


def test_everything_asked_for_is_pinned_within_its_range():
    for need in requirements("dev", "bench"):
        version = pins().get(canonicalize_name(need.name))
        assert version is not None, f"{need.name} is not in constraints.txt"
        assert need.specifier.contains(version), f"{need} does not admit the pin {version}"


def test_what_those_need_is_pinned_too():
    """The whole closure, as this Python sees it: an unpinned package would differ between two clones."""
    todo, seen = requirements("dev"), set()
    while todo:
        need = todo.pop()
        key = (canonicalize_name(need.name), *sorted(need.extras))
        if key in seen:
            continue
        seen.add(key)
        for text in distribution(need.name).requires or []:
            deeper = Requirement(text)
            if deeper.marker is None or any(
                deeper.marker.evaluate({"extra": e}) for e in need.extras or {""}
            ):
                todo.append(deeper)
    assert {key[0] for key in seen} - set(pins()) == set()


def test_what_is_installed_is_what_is_pinned():
    wrong = {name: version for name in pins() if (version := installed(name)) not in (None, pins()[name])}
    assert not wrong, f"run make test again, or make distclean: {wrong}"


def installed(name: str) -> str | None:
    try:
        return distribution(name).version
    except ModuleNotFoundError:
        return None


def test_conda_users_get_the_same_packages():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    plain = [line for line in environment["dependencies"] if isinstance(line, str)]
    by_pip = next(line["pip"] for line in environment["dependencies"] if isinstance(line, dict))
    pinned = dict(line.split("=") for line in plain if "=" in line)
    assert pinned.pop("python") == "3.11"
    assert set(pinned) == {"jupyterlab", "ipywidgets", "panel", "holoviews", "numpy", "numba", "pandas"}
    assert all(pins()[name] == version for name, version in pinned.items())
    assert by_pip == ["-c constraints.txt", "-e .[dev]"]


def test_each_package_has_its_reason():
    """docs/dependencies.md has one line for each direct dependency, and none for others."""
    sections = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8").split("\n## ")[1:]
    wanted = [PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"].values()]
    for section, needs in zip(sections, wanted, strict=True):
        named = re.findall(r"^\| ([A-Za-z0-9_-]+) \| \w", section, re.M)
        assert sorted(set(named) - {"package"}) == sorted(Requirement(need).name for need in needs)


def test_no_foreign_address_and_no_machine_path():
    """Nothing is fetched from outside, and nothing depends on where somebody's files lie."""
    found = []
    for path in our_files():
        text = path.read_text(encoding="utf-8")
        found += [(path.relative_to(ROOT).as_posix(), *hits) for hits in [ADDRESS.findall(text)] if hits]
        found += [(path.relative_to(ROOT).as_posix(), *hits) for hits in [MACHINE_PATH.findall(text)] if hits]
    assert found == []


# Written in halves, so that this file passes the test it holds.
OFFENCES = [
    "https:" + "//cdn.somewhere.io/x.js",
    "open /home" + "/ann/runs",
    "cd /tmp" + "/x",
    "/usr" + "/bin/chromium",
]


@pytest.mark.parametrize("line", OFFENCES)
def test_such_an_address_or_path_would_be_noticed(line):
    assert ADDRESS.search(line) or MACHINE_PATH.search(line)


@pytest.mark.parametrize(
    "line", ["#!/usr/bin/env bash", "http://localhost:5006", "https://doi.org/10.1/x", "and /variance"]
)
def test_harmless_lines_pass(line):
    assert not ADDRESS.search(line) and not MACHINE_PATH.search(line)


def named_tests(document: Path) -> dict[str, list[str]]:
    """The tests that each row of a table ends in, as pytest calls them."""
    rows = re.findall(r"^\|(.*)\|$", document.read_text(encoding="utf-8"), re.M)[2:]
    return {row: re.findall(r"`(tests/[\w/]+\.py(?:::[\w\[\]-]+)?)`", row.split("|")[-1]) for row in rows}


def not_found(names: set[str]) -> set[str]:
    """Those of the names under which pytest finds no test."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    answer = subprocess.run([*command, *sorted(names)], cwd=ROOT, capture_output=True, text=True, timeout=600)
    told = re.findall(r"^ERROR: not found: (\S+)$", answer.stdout + answer.stderr, re.M)
    return {name.removeprefix(f"{ROOT}/") for name in told}


def test_deviations_name_tests_that_exist(request):
    """Each row of DEVIATIONS.md ends in tests, and pytest itself finds every one of them under that name."""
    named = named_tests(ROOT / "DEVIATIONS.md")
    assert not [row for row, tests in named.items() if not tests], "a row without a test"
    names = {name for tests in named.values() for name in tests}
    here = {item.nodeid for item in request.session.items}  # found already: no need to look again
    here |= {name.split("[")[0] for name in here} | {name.split("::")[0] for name in here}
    made_up = "tests/test_architecture.py::test_that_nobody_wrote"
    assert not_found(names - here | {made_up}) == {made_up}
