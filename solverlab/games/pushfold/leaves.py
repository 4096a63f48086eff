"""Sums over the hands of two opponents, for a game whose joint deal is one large symmetric table."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solverlab.core.kernel import kernel


class Contraction(NamedTuple):
    """One sum over two opponents' hands: out[h] = sum_ab tensor[a, b, h] outer[a] inner[b] factor[a, h]."""

    tensor: np.ndarray  # float32[H, H, H], own hand last, symmetric in the first two
    outer: int  # the opponent whose hand decides the factor
    inner: int
    factor: np.ndarray  # float64[H, H]


def merged(parts: list[Contraction]) -> list[Contraction]:
    """The same sums with the factors of equal tensors and orders added up."""
    found: dict[tuple[int, int, int], Contraction] = {}
    for part in parts:
        key = id(part.tensor), part.outer, part.inner
        known = found.get(key)
        found[key] = part if known is None else part._replace(factor=known.factor + part.factor)
    return list(found.values())


def add_up(plans: list[list[list[Contraction]]], me: int, reach: np.ndarray) -> np.ndarray:
    """Values [L, H] of player `me`, row by row as plans[me] says, from everybody's reach[P, L, H]."""
    out = np.zeros(reach.shape[1:])
    for row, plan in enumerate(plans[me]):
        for part in plan:
            contract(part.tensor, reach[part.outer, row], reach[part.inner, row], part.factor, out[row])
    return out


@kernel
def contract(tensor, outer, inner, factor, out):
    """Add a Contraction to out[H]; float32 numbers, float64 sums; hands out of reach cost nothing."""
    H = out.shape[0]
    row = np.empty(H)
    for a in range(H):
        if outer[a] == 0.0:
            continue
        row[:] = 0.0
        for b in range(H):
            weight = inner[b]
            if weight != 0.0:
                for h in range(H):
                    row[h] += weight * tensor[a, b, h]
        for h in range(H):
            out[h] += outer[a] * factor[a, h] * row[h]
