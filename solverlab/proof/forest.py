"""Six-handed no-limit hold'em from hole cards alone to a forest of 20,000 nodes, on shared deals."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any, NamedTuple

from solverlab.core.rows import Row
from solverlab.proof.verdict import Claim, Verdict

MINUTES, GIGABYTES = 10.0, 4.0
DEALT, SWEPT = 2e6, 20e6  # six-handed deals, and node-deals, a second and core
# A process of its own, so that its memory is its own; kernels are compiled before the clock starts.
PROGRAM = """
import json, sys, time
import numpy as np
from solverlab.cards.dealing import deal_hands
from solverlab.games.holdem.buckets import MadeHands
from solverlab.games.holdem.game import Holdem
from solverlab.solvers import Rebalance, gains_bracket
from solverlab.solvers.growing.frontier import HighestEV, MostReached
rule = {"MostReached": MostReached, "HighestEV": HighestEV}[sys.argv[1]]
nodes, samples, k, sweeps, threads, strength = map(int, sys.argv[2:])

def table():
    buckets = 5 if strength else MadeHands(5)
    return Holdem(players=6, stack=100, allin=False, max_raises=2, buckets=buckets)

def gigabytes():
    # What this process itself held at most: ru_maxrss would count the parent it was forked from.
    with open("/proc/self/status") as status:
        peak = next(line for line in status if line.startswith("VmHWM"))
    return int(peak.split()[1]) * 1024 / 1e9

rng = np.random.default_rng(0)
deal_hands(rng, 10, 6)
begin = time.process_time()
deal_hands(rng, 500_000, 6)
dealt = 500_000 / (time.process_time() - begin)
warm = Rebalance(table(), frontier=rule(k), samples=10, sweeps=1, threads=threads)
warm.advance(2)
table().draw(rng, 10)
begin, rows = (time.perf_counter(), time.process_time()), []
forest = Rebalance(table(), frontier=rule(k), samples=samples, sweeps=sweeps, rng=7, threads=threads)
actions = len(forest.ground.trees.owners)
swept = used = 0
while len(forest.ground.forest) < nodes:
    for _ in range(sweeps - 1):
        forest.rebalance()
    before, cpu = forest.touched, time.process_time()
    forest.rebalance()
    swept, used = swept + forest.touched - before, used + time.process_time() - cpu
    misses, change = forest.ground.misses, float(forest.change[0])
    grown = forest.expand()
    streets = np.bincount(forest.game.rows().street[forest.ground.forest.columns.state[1:]], minlength=4)
    rows.append({
        "epoch": forest.epoch, "nodes": len(forest.ground.forest), "public_nodes": int(forest.ground.forest.common.size),
        "streets": streets.tolist(), "miss_rate": misses, "change": change, "node_deals": forest.touched,
        "seconds": time.perf_counter() - begin[0],
        "grown": {kind: sum(g.kind == kind for g in grown) for kind in ("action", "passive", "deal")},
        "first": grown[0]._asdict(),
    })
seconds, cpu = time.perf_counter() - begin[0], time.process_time() - begin[1]
for _ in range(sweeps):
    forest.rebalance()
decisions = np.bincount(forest.ground.forest.position(forest.ground.trees.owners), minlength=6)
gains = gains_bracket(forest, seed=1)  # of the last trees, rebalanced as long as the others were
print(json.dumps({
    "seconds": seconds, "cpu": cpu, "gigabytes": gigabytes(),
    "gains": {seat: [low, high] for seat, low, high in zip(forest.game.seats, *gains)},
    "decisions": dict(zip(forest.game.seats, decisions.tolist())),  # where there are none, nothing is gained
    "first_actions": actions, "deals_a_second": dealt, "node_deals_a_second": swept / used, "epochs": rows,
}))
"""


class Sizes(NamedTuple):
    """How much to grow: nodes of all trees, deals a tree, leaves a position and epoch, sweeps an epoch.

    Boards are told apart by exact strength, or (without its large tables) by the made hand.
    """

    nodes: int
    samples: int
    k: int
    sweeps: int
    threads: int
    strength: int


RULES = ("MostReached", "HighestEV")
FULL, QUICK = Sizes(20_000, 1000, 50, 20, 2, 1), Sizes(3000, 20, 50, 2, 1, 0)


def prove(quick: bool = False) -> Verdict:
    """Grow a forest by each frontier rule and keep the time; a test grows small ones."""
    sizes = QUICK if quick else FULL
    told = {rule: _told(rule, sizes) for rule in RULES}
    claims = [claim for rule in RULES for claim in _claims(rule, told[rule], sizes)]
    speed = told["MostReached"]
    slack = 0.05 if quick else 1.0  # a test machine may be busy, and small forests are all overhead
    claims += [
        Claim("deals a second and core, short of two million by", slack * DEALT - speed["deals_a_second"], 0),
        Claim("node-deals, short of twenty million by", slack * SWEPT - speed["node_deals_a_second"], 0),
    ]
    if not quick:
        claims += [
            Claim("by reach: streets not reached, of the first two", _missing(speed, 2), 0),
            Claim("by EV: streets not reached, of four", _missing(told["HighestEV"], 4), 0),
            Claim("by reach: opponents' decisions beyond their own frontier", _last(speed)["miss_rate"], 0.5),
        ]
    return Verdict(claims, {"sizes": sizes._asdict(), **told})


def _claims(rule: str, told: Row, sizes: Sizes) -> list[Claim]:
    return [
        Claim(f"{rule}: minutes from hole cards to the last node", told["seconds"] / 60, MINUTES),
        Claim(f"{rule}: gigabytes of memory at most", told["gigabytes"], GIGABYTES),
        Claim(f"{rule}: action nodes before the first expansion", told["first_actions"], 0),
        Claim(f"{rule}: nodes missing", sizes.nodes - _last(told)["nodes"], 0),
    ]


def _last(told: Row) -> Row:
    return told["epochs"][-1]


def _missing(told: Row, streets: int) -> int:
    """How many of the first so many streets have no node."""
    return sum(not count for count in _last(told)["streets"][:streets])


def _told(rule: str, sizes: Sizes) -> Row:
    environment = os.environ | {"NUMBA_NUM_THREADS": "1"}
    command = [sys.executable, "-c", PROGRAM, rule, *(str(number) for number in sizes)]
    done = subprocess.run(command, env=environment, capture_output=True, check=True)
    return json.loads(done.stdout)
