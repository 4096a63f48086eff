"""The all-in table that travels with the package is the one its builder makes, number by number."""

from __future__ import annotations

from time import process_time

import numpy as np

from solverlab.cards.all_in import BOARDS, AllIn, all_in_matrix
from solverlab.cards.all_in_sweep import build_all_in
from solverlab.proof.verdict import Claim, Verdict


def prove(quick: bool = False) -> Verdict:
    """Sweep all 134,459 boards and compare; there is no smaller size, for every board is in every number."""
    began = process_time()
    built, shipped = build_all_in(), all_in_matrix()
    seconds = process_time() - began
    differing = {name: _differing(built, shipped, name) for name in AllIn._fields}
    claims = [Claim(f"entries of {name} that differ", count, 0) for name, count in differing.items()]
    numbers = {"hands": len(shipped.win), "boards of two hands": BOARDS, "deals": int(shipped.weight.sum())}
    return Verdict(claims, numbers | {"CPU seconds, compiling included": seconds})


def _differing(one: AllIn, other: AllIn, name: str) -> int:
    return int(np.count_nonzero(getattr(one, name) != getattr(other, name)))
