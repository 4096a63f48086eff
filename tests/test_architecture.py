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


# One test a rule, not one a rule and file: each names all offenders, and is dealt out to a process once.


def test_files_are_short():
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in PACKAGE + OTHERS}
    too_long = [
        f"{short(path)} has {lines} lines; split it by purpose (limit {limit})"
        for path, lines in lengths.items()
        if lines > (limit := SCRIPT_LINES if path.parent == ROOT / "apps" else FILE_LINES)
    ]
    assert not too_long


def test_functions_are_short():
    too_long = [
        f"{short(path)}:{function.lineno} {function.name} has {length(function)} lines"
        for path in PACKAGE + OTHERS
        for function in functions(path)
        if length(function) > (KERNEL_LINES if is_kernel(function) else FUNCTION_LINES)
    ]
    assert not too_long


def test_names_say_something():
    empty = [short(path) for path in PACKAGE if path.name in EMPTY_NAMES]
    empty += [
        f"{short(path)}: {node.name}"
        for path in PACKAGE
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ClassDef) and node.name.endswith(EMPTY_ENDINGS)
    ]
    assert not empty


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_a_room_introduces_itself(room):
    """What it is for, what it may import, where to start reading; then what it offers."""
    tree = parsed(room / "__init__.py")
    words = (ast.get_docstring(tree) or "").split()
    assert len([word for word in words if word.endswith((".", ".`", ".)"))]) >= 3
    assert "__all__" in ast.unparse(tree)


def test_files_say_what_they_are_for():
    assert not [short(path) for path in PACKAGE if not ast.get_docstring(parsed(path))]


def test_public_functions_have_types():
    """Kernels and their row operations are exempt: they speak arrays only."""
    bare = [
        f"{short(path)}: {function.name}"
        for path in PACKAGE
        for function in parsed(path).body
        if isinstance(function, Function) and function.name[0] != "_" and not is_kernel(function)
        if function.returns is None or any(a.annotation is None for a in function.args.args)
    ]
    assert not bare


def test_nothing_runs_a_strangers_pickle():
    text = {short(path): path.read_text(encoding="utf-8") for path in PACKAGE}
    assert not [
        name for name, words in text.items() if "import pickle" in words or "allow_pickle=True" in words
    ]


SOLVERS = sorted((ROOT / "solverlab" / "solvers").rglob("*.py"))
GAMES = ("game", "self.game", "solver.game", "ground.game", "self.ground.game")


def probes(path: Path) -> Iterator[str]:
    """Where a file looks for a name on a game, or tells classes apart by their names."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
            asked = ast.unparse(node.args[0])
            if node.func.id == "hasattr" or (node.func.id == "getattr" and asked in GAMES):
                yield f"{short(path)}:{node.lineno} {ast.unparse(node)}"
        if isinstance(node, ast.Compare):
            parts = [node.left, *node.comparators]
            if any(isinstance(part, ast.Attribute) and part.attr == "__name__" for part in parts):
                yield f"{short(path)}:{node.lineno} {ast.unparse(node)}"


@pytest.mark.parametrize("path", SOLVERS, ids=short)
def test_solvers_know_games_by_contract_only(path):
    found = list(probes(path))
    assert not found, f"{found}: ask isinstance(game, a Protocol of core) instead"


def kernels_named_in(path: Path) -> dict[str, tuple[str, str]]:
    """The names by which a file knows kernels, and the module and name each was written under."""
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    known = {function.name: (module, function.name) for function in functions(path) if is_kernel(function)}
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.ImportFrom):
            for name in node.names:
                known[name.asname or name.name] = (node.module or "", name.name)
    return known


def called_from_python(path: Path) -> Iterator[tuple[str, str]]:
    """The kernels a file names outside of kernels: `name`, or `module.name`."""
    known = kernels_named_in(path)
    ahead: list[ast.AST] = [parsed(path)]
    while ahead:
        node = ahead.pop()
        if isinstance(node, Function) and is_kernel(node):
            continue
        ahead.extend(ast.iter_child_nodes(node))
        if isinstance(node, ast.Name) and node.id in known:
            yield known[node.id]
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in known:
            yield ".".join(known[node.value.id]), node.attr


def test_what_only_kernels_call_is_compiled_without_a_way_in_from_python():
    """A wrapper nobody uses is a quarter of a kernel's compile time: `inner_kernel` has none."""
    called = {kernel for path in PACKAGE for kernel in called_from_python(path)}
    inner, outer = set(), set()
    for path in PACKAGE:
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for function in functions(path):
            names = {ast.unparse(decorator) for decorator in function.decorator_list}
            inner |= {(module, function.name)} if "inner_kernel" in names else set()
            outer |= {(module, function.name)} if "kernel" in names else set()
    assert len(inner) > 100
    assert not inner & called, "Python calls these: make them `kernel`"
    assert not outer - called, "only kernels call these: make them `inner_kernel`"
