"""Machine code kept between processes is that of the source, the types and the settings at hand, or none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from solverlab.core import compile_cache

CALLEE = """
    from solverlab.core.kernel import kernel

    FACTOR = 2

    @kernel
    def scaled(x):
        return FACTOR * x
"""
CALLER = """
    from lab.callee import scaled
    from solverlab.core.kernel import kernel

    @kernel
    def total(row):
        sum = row[0] * 0
        for x in row:
            sum += scaled(x)
        return sum
"""
ASK = """
    import json, sys
    import numpy as np
    from lab.caller import total
    answer = total(np.arange(8, dtype=sys.argv[1]))
    print(json.dumps([float(answer), sum(total.stats.cache_hits.values())]))
"""
# Where files cannot be locked, both processes choose a name for their data before either has written the
# index; then the one that wrote its index first writes its data last.
RACE = (
    """
    import pathlib, sys, time
    from numba.core.caching import IndexDataCacheFile
    from solverlab.core import compile_cache

    compile_cache.PATIENCE = 0.0  # nobody waits for anybody
    me, other = sys.argv[2:]

    def tell(what):
        pathlib.Path(f"{me}-{what}").touch()

    def wait(what):
        ends = time.monotonic() + 60
        while not pathlib.Path(f"{other}-{what}").exists():
            assert time.monotonic() < ends, f"{other} never got to {what}"
            time.sleep(0.01)

    save_index, save_data = IndexDataCacheFile._save_index, IndexDataCacheFile._save_data

    def index(self, overloads):
        if "total" not in self._index_name:
            return save_index(self, overloads)
        tell("chose")
        wait("chose")
        if me == "b":
            wait("indexed")
        save_index(self, overloads)
        tell("indexed")

    def data(self, name, made):
        if "total" in self._index_name and me == "a":
            wait("done")
        save_data(self, name, made)
        if "total" in self._index_name:
            tell("done")

    IndexDataCacheFile._save_index, IndexDataCacheFile._save_data = index, data
"""
    + ASK
)


@pytest.fixture
def lab(tmp_path) -> Path:
    """A package of two files, one kernel calling another."""
    folder = tmp_path / "lab"
    folder.mkdir()
    (folder / "callee.py").write_text(textwrap.dedent(CALLEE))
    (folder / "caller.py").write_text(textwrap.dedent(CALLER))
    return tmp_path


def start(lab: Path, program: str, *arguments: str, **settings: str) -> subprocess.Popen:
    paths = os.pathsep.join([str(lab), str(compile_cache._PACKAGE.parent)])
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(lab / "cache"), "PYTHONPATH": paths, **settings}
    command = [sys.executable, "-c", textwrap.dedent(program), *arguments]
    return subprocess.Popen(
        command, env=environment, cwd=lab, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def answer(process: subprocess.Popen) -> list[float]:
    """The sum a process found and how often it took machine code from the cache."""
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    return json.loads(out)


def test_two_processes_that_compile_at_once_do_not_swap_their_code(lab):
    together = [start(lab, RACE, "int64", "a", "b"), start(lab, RACE, "float64", "b", "a")]
    assert [answer(process) for process in together] == [[56.0, 0], [56.0, 0]]
    later = [start(lab, ASK, kind) for kind in ("float64", "int64")]
    assert [answer(process) for process in later] == [[56.0, 1], [56.0, 0]]  # the lost entry costs a compile


def test_a_kernel_that_another_process_compiles_is_waited_for_and_loaded(lab):
    """Half a second into the other's compiling a second process asks for the same: it compiles nothing."""
    slow = """
        import pathlib, time
        from numba.core.caching import IndexDataCacheFile
        save = IndexDataCacheFile.save

        def late(self, key, data):
            if "total" in self._index_name:
                pathlib.Path("compiled").touch()
                time.sleep(1.0)
            save(self, key, data)

        IndexDataCacheFile.save = late
    """
    first = start(lab, textwrap.dedent(slow) + textwrap.dedent(ASK), "float64")
    ends = time.monotonic() + 60
    while not (lab / "compiled").exists():
        assert time.monotonic() < ends and first.poll() is None
        time.sleep(0.01)
    second = start(lab, ASK, "float64")
    assert [answer(first), answer(second)] == [[56.0, 0], [56.0, 1]]


def test_an_inner_kernel_can_be_called_from_python_all_the_same(lab):
    """It has no way in of its own: the call must not jump to nowhere, before or after a kernel used it."""
    callee = lab / "lab" / "callee.py"
    callee.write_text(callee.read_text().replace("import kernel", "import inner_kernel as kernel"))
    ask = """
        import sys
        from lab.callee import scaled
        before = scaled(3.0)
        from lab.caller import total
        import json, numpy as np
        answer = total(np.arange(8, dtype="float64"))
        assert (before, scaled(4.0), scaled(5)) == (6.0, 8.0, 10)
        print(json.dumps([float(answer), sum(total.stats.cache_hits.values())]))
    """
    assert [answer(start(lab, ask)) for _ in range(2)] == [[56.0, 0], [56.0, 1]]


def test_a_kernel_notices_that_its_callee_in_another_file_changed(lab):
    assert answer(start(lab, ASK, "float64")) == [56.0, 0]
    assert answer(start(lab, ASK, "float64")) == [56.0, 1]
    callee = lab / "lab" / "callee.py"
    callee.write_text(callee.read_text().replace("FACTOR = 2", "FACTOR = 3"))
    assert answer(start(lab, ASK, "float64")) == [84.0, 0]
    assert answer(start(lab, ASK, "float64", NUMBA_SLP_VECTORIZE="0")) == [84.0, 0]


def test_without_a_folder_to_write_to_kernels_work_and_say_so_once(lab):
    blocked = """
        import tempfile
        def refuse(**_):
            raise PermissionError("read-only")
        tempfile.TemporaryFile = refuse
    """
    process = start(lab, textwrap.dedent(blocked) + textwrap.dedent(ASK), "float64")
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert json.loads(out) == [56.0, 0]
    assert errors.count("compiled code is not kept between runs") == 1


def test_only_the_newest_keys_of_a_module_stay(tmp_path):
    for age in range(6):
        for module in ("lab.caller", "lab.caller_of_others"):
            folder = tmp_path / f"{module}-{age:016x}"
            folder.mkdir()
            os.utime(folder, (0, 1000.0 - age))
    compile_cache._make_room(tmp_path, "lab.caller")
    left = sorted(path.name for path in tmp_path.iterdir() if path.name.startswith("lab.caller-"))
    assert left == [f"lab.caller-{age:016x}" for age in range(compile_cache.KEPT - 1)]
    assert len(list(tmp_path.glob("lab.caller_of_others-*"))) == 6


def test_the_closure_holds_what_a_module_imports_and_no_more():
    files = compile_cache.closure("solverlab.solvers.update")
    assert {"solverlab.core.sweeps", "solverlab.core.leaves", "solverlab.solvers.tables"} < set(files)
    assert "solverlab.solvers.cfr" not in files
    assert all(path.is_file() for path in files.values())


def test_a_source_written_after_it_was_loaded_is_not_trusted(tmp_path):
    file = tmp_path / "young.py"
    file.touch()
    assert compile_cache._changed(file)
    assert compile_cache._changed(tmp_path / "gone.py")
    assert not compile_cache._changed(Path(compile_cache.__file__))
    assert time.time() - compile_cache._STARTED > 0


def test_importing_the_app_compiles_nothing(lab):
    """Nor does it load scipy's optimisers, a third of a second that only some answers need."""
    program = """
        import json, sys
        from numba.core import event

        class Compiled(event.Listener):
            names = []

            def on_start(self, event):
                self.names.append(str(event.data["dispatcher"]))

            def on_end(self, event):
                pass

        event.register("numba:compile", Compiled())
        import solverlab.ui.shell
        print(json.dumps([*Compiled.names, *(name for name in sys.modules if name == "scipy.optimize")]))
    """
    assert answer(start(lab, program)) == []
