"""Shared hands: how many times as many deals the EV differences of a six-handed forest would need without."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from solverlab.core.rows import Row
from solverlab.proof.verdict import Claim, Verdict
from solverlab.studies.shared_hands import (
    Hand,
    at_first_decision,
    deepened,
    leaf_pairs,
    node_tree,
    sampled_evs,
    six_handed,
)

BARE = (1 + 3.5**2) / (3.5 - 1) ** 2  # call 1 or raise to 3.5, and the cards are shown
ERRORS = 4.0  # standard errors that a claim leaves room for


class Sizes(NamedTuple):
    """How much to measure."""

    hands: tuple[Hand, ...]
    levels: int
    deals: tuple[int, ...]
    samples: int
    pairs: int


FULL = Sizes(
    (Hand(2, "JTs"), Hand(2, "AA"), Hand(2, "72o"), Hand(5, "88"), Hand(5, "A5s"), Hand(0, "KQo")),
    4, (50, 200, 800), 500, 300,
)  # fmt: skip
QUICK = Sizes((Hand(2, "JTs"),), 2, (50, 100), 200, 40)


def prove(quick: bool = False) -> Verdict:
    """Call against raise with several hands: bare leaves, grown trees, and any two leaves of a tree."""
    sizes, claims, told = QUICK if quick else FULL, [], []
    forest = six_handed(epochs=2 if quick else 8)
    for hand in sizes.hands:
        node = deepened(forest, hand, levels=0)
        [bare] = at_first_decision(forest, hand, node, sizes.deals[:1], sizes.samples)
        node = deepened(forest, hand, sizes.levels)
        grown = at_first_decision(forest, hand, node, sizes.deals, sizes.samples)
        leaves = leaf_pairs(forest, hand, node, sizes.deals[0], sizes.samples, sizes.pairs)
        about = f"{hand.holding} {bare['seat']}"
        claims += _claims(about, grown, leaves)
        if hand.seat not in (0, 1):
            claims.append(Claim(f"{about}: bare leaves, away from 2.12", abs(bare["ratio"] - BARE), 1e-9))
        direct = _really_apart(forest, node, sizes)
        claims.append(
            Claim(f"{about}: samples really apart, errors from the sum of variances", direct, ERRORS)
        )
        told.append({"bare": bare, "grown": grown, "leaves": _middle(leaves)})
    return Verdict(claims, {"sizes": sizes._asdict(), "hands": told})


def _claims(about: str, grown: list[Row], leaves: list[Row]) -> list[Claim]:
    claims = []
    for row in grown:
        least = row["ratio"] - ERRORS * row["error"]
        sentence = f"{about}: {row['samples']} samples of {row['deals']} deals, variance shared over apart"
        claims.append(Claim(f"{sentence}, and {ERRORS:g} errors", 1 / least if least > 0 else np.inf, 0.5))
    hurt = sum(row["ratio"] < 1 - ERRORS * row["error"] for row in leaves)
    claims.append(Claim(f"{about}: share of pairs of leaves that sharing hurts", hurt / len(leaves), 0.01))
    return claims


def _middle(leaves: list[Row]) -> Row:
    ratios = np.array([row["ratio"] for row in leaves])
    low, middle, high = (float(cut) for cut in np.quantile(ratios, [0.05, 0.5, 0.95]))
    return {"pairs": len(leaves), "lowest twentieth": low, "middle": middle, "highest twentieth": high}


def _really_apart(forest: Any, node: int, sizes: Sizes) -> float:
    """The variance of a difference whose sides are dealt from different seeds, against the sum of both.

    In standard errors of a variance: its relative error is the root of 2 / (samples - 1) for normal numbers.
    """
    tree = node_tree(forest, node)
    first = int(np.searchsorted(forest.ground.trees.members(tree), forest.ground.trees.nodes.first[node]))
    one, other = (sampled_evs(forest, tree, sizes.deals[0], sizes.samples, seed) for seed in (11, 12))
    call, raises = one[:, first + 1], other[:, first + 2]
    expected = call.var(ddof=1) + raises.var(ddof=1)
    away = (call - raises).var(ddof=1) / expected - 1
    return float(abs(away) / np.sqrt(2 / (sizes.samples - 1)))
