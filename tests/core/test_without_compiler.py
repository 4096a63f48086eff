"""Every kernel is also plain Python: with the compiler switched off Kuhn comes out the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np

PROGRAM = """
import json, sys
import numba
import solverlab as sl
assert bool(numba.config.DISABLE_JIT) == (sys.argv[1] == "off")
game = sl.Kuhn()
solvers = {f"CFR {name}": sl.CFR(game, name) for name in ("CFR", "CFR+", "LCFR", "DCFR", "PCFR+")}
solvers["together"] = sl.CFR(game, "CFR", alternating=False)
solvers["tied"] = sl.CFR(game, "CFR+", tie=sl.tie_hands(game.tree, [0, 1, 1]))
for sampling in ("full", "chance", "external", "outcome"):
    solvers[f"MCCFR {sampling}"] = sl.MCCFR(game, "CFR+", sampling, rng=3)
result = {}
for name, solver in solvers.items():
    snap = solver.step(30)
    result[name] = [snap.policy.sigma.tolist(), snap.current.sigma.tolist()]
    result[name] += [sl.exploitability(game, snap.policy)]
hidden = sl.RockPaperScissors()
result["hidden"] = [sl.exploitability(hidden, sl.CFR(hidden, "PCFR+").step(30).policy)]
print(json.dumps(result))
"""


def run(compiler: str) -> dict[str, list]:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1" if compiler == "off" else "0"}
    command = [sys.executable, "-c", PROGRAM, compiler]
    answer = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


def test_kuhn_comes_out_the_same_without_the_compiler():
    plain, compiled = run("off"), run("on")
    assert len(plain) == 12
    for name, numbers in plain.items():
        for mine, theirs in zip(numbers, compiled[name], strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=0, atol=1e-12, err_msg=name)
