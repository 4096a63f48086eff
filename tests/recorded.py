"""Results recorded earlier, and what to ask of a machine that rounds otherwise.

Our own kernels never reorder a sum: they give the same bits on every machine. Matrix products come from
OpenBLAS and functions such as tanh from numpy, which choose their code by the processor, so that their last
bit may differ. What uses them must give the recorded bits where the processor rounds as the recording one
did, and elsewhere the recorded numbers up to rounding.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

SUMS: dict[str, dict[str, float]] = json.loads(Path(__file__).with_suffix(".json").read_text())
ROUNDING = "rounding"  # the entry that says how the recording machine rounds
Arrays = Mapping[str, np.ndarray]


@cache
def rounding() -> str:
    """How this processor's products and functions round, as a digest of some of each."""
    numbers = np.random.default_rng(7)
    found = sha256()
    for rows, inner, columns in ((3, 5, 7), (169, 169, 1), (300, 7, 12), (64, 64, 64), (1, 2000, 1)):
        for kind in (np.float32, np.float64):
            left, right = numbers.random((rows, inner)), numbers.random((inner, columns))
            found.update((left.astype(kind) @ right.astype(kind)).tobytes())
    x = numbers.normal(0.0, 2.0, 4000)
    for values in (np.tanh(x), np.arctan(x), np.exp(x), np.log(np.abs(x)), np.abs(x) ** 1.5, np.sin(x)):
        found.update(values.tobytes())
    return found.hexdigest()[:16]


def sums(arrays: Arrays) -> dict[str, float]:
    """One number an array, in which every entry has a weight of its own."""
    return {name: float(_weighed(np.asarray(array, float).ravel())) for name, array in sorted(arrays.items())}


def _weighed(values: np.ndarray) -> float:
    finite = np.nan_to_num(values, nan=0.5, posinf=1.0, neginf=-1.0)  # where nothing is known yet
    return float(np.sum(finite * (1.0 + np.modf(np.arange(len(values)) * 0.6180339887)[0])))


def assert_recorded(case: str, found: str, recorded: str, arrays: Arrays) -> None:
    """The digest `found` is the one recorded; up to rounding where the case and this processor are such."""
    if found == recorded:
        return
    assert case in SUMS, f"{case} uses nothing that rounds otherwise elsewhere, but {found} is not {recorded}"
    assert rounding() != SUMS[ROUNDING], (
        f"{case}: {found} is not {recorded}, though this machine rounds alike"
    )
    assert sums(arrays) == pytest.approx(SUMS[case], rel=1e-7, abs=1e-9)
