"""Leaf values looked up in tables: all a small game needs to tell a solver.

A leaf is a `kind` (a matrix of payoffs times the probability of the deal) and a `scale` (how many chips), so
leaves that differ only in the size of the pot share one matrix.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solverlab.core.kernel import inner_kernel, kernel


class LeafTable(NamedTuple):
    """Shapes: P players, K kinds, H hands, J = H^(P-1) joint hands of the others in seat order, L leaves."""

    matrix: np.ndarray  # float64[P, K, J, H], payoff x probability of the deal; the own hand is the last axis
    kind: np.ndarray  # int32[L]
    scale: np.ndarray  # float64[L]


class LeafPlan(NamedTuple):
    """In which order leaves are worked out, and where their numbers stand; R rows of the arrays of reach."""

    order: np.ndarray  # int64[L], leaves of one kind in a row: their matrix is used while it is in the cache
    row: np.ndarray  # int64[L], the row a leaf's values go to
    reach: np.ndarray  # int64[P, R], the row that holds a player's reach of such a row
    factor: np.ndarray  # float64[R], what the values of such a row are multiplied by
    joint: np.ndarray  # float64[J], scratch
    weight: np.ndarray  # float64[J], scratch: scale x reach of the joint hands that come to a leaf at all
    start: np.ndarray  # uint64[J], scratch: where their rows of the flattened matrix begin


@kernel
def tabulated_cfv(me, table, reach):
    """Counterfactual values out[L, H] of player `me` from everybody's reach[P, L, H]."""
    out = np.empty((reach.shape[1], reach.shape[2]))
    fill_cfv(me, table, leaf_plan(table), reach, out)
    return out


@inner_kernel
def leaf_plan(table):
    """Everything by leaf number: reach[P, L, H] is read, out[L, H] is filled."""
    P, K, J, _ = table.matrix.shape
    L = table.kind.shape[0]
    row, reach = np.empty(L, np.int64), np.empty((P, L), np.int64)
    for leaf in range(L):
        row[leaf] = leaf
        for p in range(P):
            reach[p, leaf] = leaf
    order, factor = by_kind(table.kind, K), np.ones(L)
    return LeafPlan(order, row, reach, factor, np.empty(J), np.empty(J), np.empty(J, np.uint64))


@inner_kernel
def by_kind(kind, kinds):
    """The leaves 0..L-1 sorted by kind (counted, not compared), int64[L]."""
    place = np.zeros(kinds + 1, np.int64)
    for leaf in range(kind.shape[0]):
        place[kind[leaf] + 1] += 1
    for k in range(kinds):
        place[k + 1] += place[k]
    order = np.empty(kind.shape[0], np.int64)
    for leaf in range(kind.shape[0]):
        order[place[kind[leaf]]] = leaf
        place[kind[leaf]] += 1
    return order


@inner_kernel
def fill_cfv(me, table, plan, reach, out):
    """The same into rows of out[R, H] from rows of reach[P, R, H].

    A hand's value is one sum over the joint hands from the first to the last; sixteen hands (or four) are
    added up together in registers. The last block may overlap the one before: a hand that is summed twice
    gets the same number twice.
    """
    H, P, K, J = out.shape[1], reach.shape[0], table.matrix.shape[1], table.matrix.shape[2]
    flat, joint, weight, start = table.matrix.ravel(), plan.joint, plan.weight, plan.start
    last = P - 1 if me < P - 1 else P - 2
    for i in range(plan.order.shape[0]):
        leaf = plan.order[i]
        row, scale = plan.row[leaf], table.scale[leaf]
        factor, width = plan.factor[row], 1
        joint[0] = 1.0
        for p in range(last):
            if p != me:
                at = plan.reach[p, row]
                for j in range(width - 1, -1, -1):
                    above = joint[j]
                    for h in range(H):
                        joint[j * H + h] = above * reach[p, at, h]
                width *= H
        n, at, place = 0, plan.reach[last, row], np.uint64((me * K + table.kind[leaf]) * J * H)
        if last < 0:  # nobody else plays
            weight[0], start[0], n, width = scale, place, 1, 0
        for j in range(width):
            above = joint[j]
            for h in range(H):
                product = scale * (above * reach[last, at, h])
                weight[n], start[n] = product, place
                n += product != 0.0  # half of all hands after a while; adding zeros changes no bit
                place += np.uint64(H)
        if H >= 16:
            for h in range(0, H - 15, 16):
                _add_sixteen(flat, weight, start, n, row, h, factor, out)
            if H % 16 > 0:
                _add_sixteen(flat, weight, start, n, row, H - 16, factor, out)
        elif H >= 4:
            for h in range(0, H - 3, 4):
                _add_four(flat, weight, start, n, row, h, factor, out)
            if H % 4 > 0:
                _add_four(flat, weight, start, n, row, H - 4, factor, out)
        else:
            for h in range(H):
                total = 0.0
                for j in range(n):
                    total += weight[j] * flat[start[j] + np.uint64(h)]
                out[row, h] = factor * total


@inner_kernel
def _add_sixteen(flat, weight, start, n, row, h, factor, out):
    """Values of the hands h .. h + 15 (unsigned positions: no test for negative ones between additions)."""
    a = b = c = d = e = f = g = i = k = v = m = o = p = q = s = t = 0.0
    for j in range(n):
        w, at = weight[j], start[j] + np.uint64(h)
        a += w * flat[at]
        b += w * flat[at + np.uint64(1)]
        c += w * flat[at + np.uint64(2)]
        d += w * flat[at + np.uint64(3)]
        e += w * flat[at + np.uint64(4)]
        f += w * flat[at + np.uint64(5)]
        g += w * flat[at + np.uint64(6)]
        i += w * flat[at + np.uint64(7)]
        k += w * flat[at + np.uint64(8)]
        v += w * flat[at + np.uint64(9)]
        m += w * flat[at + np.uint64(10)]
        o += w * flat[at + np.uint64(11)]
        p += w * flat[at + np.uint64(12)]
        q += w * flat[at + np.uint64(13)]
        s += w * flat[at + np.uint64(14)]
        t += w * flat[at + np.uint64(15)]
    r, at = np.uint64(row), np.uint64(h)
    out[r, at] = factor * a
    out[r, at + np.uint64(1)] = factor * b
    out[r, at + np.uint64(2)] = factor * c
    out[r, at + np.uint64(3)] = factor * d
    out[r, at + np.uint64(4)] = factor * e
    out[r, at + np.uint64(5)] = factor * f
    out[r, at + np.uint64(6)] = factor * g
    out[r, at + np.uint64(7)] = factor * i
    out[r, at + np.uint64(8)] = factor * k
    out[r, at + np.uint64(9)] = factor * v
    out[r, at + np.uint64(10)] = factor * m
    out[r, at + np.uint64(11)] = factor * o
    out[r, at + np.uint64(12)] = factor * p
    out[r, at + np.uint64(13)] = factor * q
    out[r, at + np.uint64(14)] = factor * s
    out[r, at + np.uint64(15)] = factor * t


@inner_kernel
def _add_four(flat, weight, start, n, row, h, factor, out):
    a = b = c = d = 0.0
    for j in range(n):
        w, at = weight[j], start[j] + np.uint64(h)
        a += w * flat[at]
        b += w * flat[at + np.uint64(1)]
        c += w * flat[at + np.uint64(2)]
        d += w * flat[at + np.uint64(3)]
    r, at = np.uint64(row), np.uint64(h)
    out[r, at] = factor * a
    out[r, at + np.uint64(1)] = factor * b
    out[r, at + np.uint64(2)] = factor * c
    out[r, at + np.uint64(3)] = factor * d
