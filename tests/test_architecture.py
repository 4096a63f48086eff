"""The house keeps its shape: rooms look down only, files and functions stay short, names say something."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = sorted((ROOT / "solverlab").rglob("*.py"))
OTHERS = [path for folder in ("apps", "tests", "tools") for path in sorted((ROOT / folder).rglob("*.py"))]
ROOMS = sorted(path for path in (ROOT / "solverlab").iterdir() if path.is_dir() and list(path.glob("*.py")))

FILE_LINES, SCRIPT_LINES, FUNCTION_LINES, KERNEL_LINES = 400, 40, 40, 60
EMPTY_NAMES = ("utils.py", "util.py", "helpers.py", "base.py", "misc.py", "common.py")
EMPTY_ENDINGS = ("Manager", "Helper", "Handler", "Util", "Utils")

Function = ast.FunctionDef | ast.AsyncFunctionDef


def short(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def functions(path: Path) -> Iterator[Function]:
    return (node for node in ast.walk(parsed(path)) if isinstance(node, Function))


def length(function: Function) -> int:
    """Lines from `def` to the end without the docstring: explaining must not be made expensive."""
    lines = function.end_lineno - function.lineno + 1
    if ast.get_docstring(function) is not None:
        text = function.body[0]
        lines -= text.end_lineno - text.lineno + 1
    return lines


def is_kernel(function: Function) -> bool:
    return any("kernel" in ast.unparse(decorator) for decorator in function.decorator_list)


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    program = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    command = [sys.executable, "-c", program, "--no-cache"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)


def test_rooms_look_down_only():
    """The contracts in pyproject.toml, with import-linter."""
    answer = lint_imports(ROOT)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "3 kept, 0 broken" in answer.stdout


def test_a_broken_contract_is_noticed(tmp_path):
    """The check itself can fail: a solver that imports a game breaks the staircase."""
    for name, text in {"games": "", "solvers": "from shop import games\n"}.items():
        (tmp_path / "shop" / name).mkdir(parents=True)
        (tmp_path / "shop" / name / "__init__.py").write_text(text)
    (tmp_path / "shop" / "__init__.py").write_text("")
    (tmp_path / ".importlinter").write_text(
        "[importlinter]\nroot_package = shop\n"
        "[importlinter:contract:1]\nname = siblings\ntype = layers\ncontainers = shop\n"
        "layers =\n  games | solvers\n"
    )
    answer = lint_imports(tmp_path)
    assert answer.returncode == 1
    assert "shop.solvers is not allowed to import shop.games" in answer.stdout


@pytest.mark.parametrize("path", PACKAGE + OTHERS, ids=short)
def test_files_are_short(path):
    limit = SCRIPT_LINES if path.parent == ROOT / "apps" else FILE_LINES
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= limit, f"{short(path)} has {lines} lines; split it by purpose (limit {limit})"


@pytest.mark.parametrize("path", PACKAGE + OTHERS, ids=short)
def test_functions_are_short(path):
    too_long = [
        f"{short(path)}:{function.lineno} {function.name} has {length(function)} lines"
        for function in functions(path)
        if length(function) > (KERNEL_LINES if is_kernel(function) else FUNCTION_LINES)
    ]
    assert not too_long


@pytest.mark.parametrize("path", PACKAGE, ids=short)
def test_names_say_something(path):
    classes = [node for node in ast.walk(parsed(path)) if isinstance(node, ast.ClassDef)]
    assert path.name not in EMPTY_NAMES
    assert not [node.name for node in classes if node.name.endswith(EMPTY_ENDINGS)]


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_a_room_introduces_itself(room):
    """What it is for, what it may import, where to start reading; then what it offers."""
    tree = parsed(room / "__init__.py")
    words = (ast.get_docstring(tree) or "").split()
    assert len([word for word in words if word.endswith((".", ".`", ".)"))]) >= 3
    assert "__all__" in ast.unparse(tree)


@pytest.mark.parametrize("path", PACKAGE, ids=short)
def test_files_say_what_they_are_for(path):
    assert ast.get_docstring(parsed(path)), f"{short(path)} has no docstring"


@pytest.mark.parametrize("path", PACKAGE, ids=short)
def test_public_functions_have_types(path):
    """Kernels and their row operations are exempt: they speak arrays only."""
    bare = [
        function.name
        for function in parsed(path).body
        if isinstance(function, Function) and function.name[0] != "_" and not is_kernel(function)
        if function.returns is None or any(a.annotation is None for a in function.args.args)
    ]
    assert not bare, f"{short(path)}: no types on {bare}"


def test_nothing_runs_a_strangers_pickle():
    text = {short(path): path.read_text(encoding="utf-8") for path in PACKAGE}
    assert not [
        name for name, words in text.items() if "import pickle" in words or "allow_pickle=True" in words
    ]
