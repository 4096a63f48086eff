"""Sampled counterfactual values are right on average: for every infoset, within five standard errors."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from solverlab.core.rows import Row
from solverlab.core import sweeps
from solverlab.core.game import TabulatedGame
from solverlab.core.history import unroll
from solverlab.core.tree import chance_reach, n_leaves
from solverlab.games import game_named
from solverlab.proof.verdict import Claim, Verdict
from solverlab.solvers import CFR, SAMPLINGS, Sampling
from solverlab.solvers.walks import Plan, clear_walk, ground_of, walk

FEWEST_WALKS = 20_000
ROUNDING = 1e-12
SIGMAS = 5.0
SEED = 2009  # the year of the sampling paper, Lanctot et al.


class Tally(NamedTuple):
    """What the walks brought: sums over the walks that came by each row, R rows."""

    exact: np.ndarray  # float64[R], read: the exact counterfactual values
    off: np.ndarray  # float64[R], written: sum of (sampled - exact)
    square: np.ndarray  # float64[R], written: sum of (sampled - exact)^2
    visits: np.ndarray  # int64[R], written: walks that came by


# Not kept on disk: kept, it would go on calling the walk it was compiled with after that walk was edited.
kernel_made_anew = njit(nogil=True, error_model="numpy")


@kernel_made_anew
def tally_walks(ground, plan, walks, rng, tally):
    """Walk often from one fixed strategy and keep the tally; nothing is learnt."""
    for _ in range(walks):
        walk(ground, plan, rng)
        for visit in range(1, ground.visits[0] + 1):
            node = ground.visits[visit]
            first = ground.tree.first[node]
            if np.isnan(ground.cfv[ground.row[first]]):
                continue  # a tied node of an infoset already counted
            for a in range(ground.tree.count[node]):
                row = ground.row[first + a]
                off = ground.cfv[row] - tally.exact[row]
                tally.off[row] += off
                tally.square[row] += off * off
                tally.visits[row] += 1
                ground.cfv[row] = np.nan
        clear_walk(ground)


class Size(NamedTuple):
    """How many walks for each sampling row: the less a walk sees, the more are needed to meet every row."""

    walks: dict[str, int]
    games: tuple[str, ...]


FULL = Size(
    {"full": FEWEST_WALKS, "chance": 100_000, "external": 1_000_000, "outcome": 10_000_000},
    ("kuhn", "leduc", "kuhn-3", "rock-paper-scissors"),
)
QUICK = Size(
    {"full": 50, "chance": 5_000, "external": 30_000, "outcome": 300_000},
    ("kuhn", "leduc", "rock-paper-scissors"),
)


def prove(quick: bool = False) -> Verdict:
    """Walk every game with every sampling row for every player, and compare with the exact sweep."""
    size = QUICK if quick else FULL
    claims: list[Claim] = []
    rows: list[Row] = []
    for name in size.games:
        game = game_named(name)
        sigma = fixed_strategy(game)
        for sampling in SAMPLINGS.values():
            walks = size.walks[sampling.name]
            players = [compare(game, sigma, sampling, me, walks) for me in range(game.n_players)]
            errors = max(player["standard_errors"] for player in players)
            rounding = max(player["rounding"] for player in players)
            way = f"{name}, {sampling.name} sampling"
            claims.append(Claim(f"{way}: furthest from exact, in standard errors", errors, SIGMAS))
            claims.append(Claim(f"{way}: furthest where nothing is random", rounding, ROUNDING))
            rows += [{"game": name, "sampling": sampling.name, **player} for player in players]
    return Verdict(claims, {"walks": rows})


def fixed_strategy(game: TabulatedGame) -> np.ndarray:
    """A quarter CFR's strategy after 20 iterations, the rest a slightly lopsided mix of all actions.

    So every infoset is met often enough in outcome sampling for a standard error to mean something: the rarer
    the meetings, the more skewed the values, and the further off a mean lies for no other reason.
    """
    solver, tie = CFR(game, "CFR"), game.tie
    solver.step(20)
    mix = np.ones(tie.shape)
    for first, count in zip(tie.first, tie.count, strict=True):
        weights = count + 1.0 + np.arange(count)
        mix[first : first + count] = (weights / weights.sum())[:, None]
    return 0.25 * solver.tables.sigma + 0.75 * mix


def exact_values(game: TabulatedGame, sigma: np.ndarray, me: int) -> np.ndarray:
    """Counterfactual values by a full sweep, summed over what the player cannot tell apart."""
    tree, tie = game.tree, game.tie
    spread = np.empty((len(tree.parent), len(game.names.hands)))
    sweeps.spread(tree, tie, sigma, spread)
    leaf_reach = np.empty((game.n_players, n_leaves(tree), spread.shape[1]))
    for player in range(game.n_players):
        sweeps.reach_down(tree, player, spread, np.empty_like(spread), leaf_reach[player])
    cfv, rows = np.empty_like(spread), np.zeros(tie.shape)
    sweeps.values_up(tree, me, spread, chance_reach(tree), game.leaf_cfv(me, leaf_reach), cfv)
    sweeps.tied_reach(tree, tie, me, cfv, rows)  # sums anything by row, not only reach
    return rows.ravel()


def compare(game: TabulatedGame, sigma: np.ndarray, row: Sampling, me: int, walks: int) -> Row:
    """Walk from the fixed strategy; how far the means of the rows are from exact, in standard errors."""
    history = unroll(game)
    ground = ground_of(history, math.prod(game.tie.shape))
    ground.regret[:] = sigma.ravel()  # matched, regrets that are a strategy give that strategy
    plan = Plan(me, (me + 1) % game.n_players, row.own, row.others, row.chance, row.explore, 0.0, 1.0)
    exact = exact_values(game, sigma, me)
    tally = Tally(exact, np.zeros_like(exact), np.zeros_like(exact), np.zeros(len(exact), np.int64))
    tally_walks(ground, plan, walks, np.random.default_rng(SEED + me), tally)
    mine = np.append(history.tree.player, -1)[history.tree.parent] == me
    live = np.unique(history.row[mine])
    return {"player": me, "walks": walks, **_distances(tally, walks), **_coverage(tally, live)}


def _distances(tally: Tally, walks: int) -> dict[str, float]:
    """A walk that does not come by a row counts as a sampled value of 0 there."""
    absent = walks - tally.visits
    mean = (tally.off - absent * tally.exact) / walks
    square = (tally.square + absent * tally.exact**2) / walks
    error = np.sqrt(np.maximum(square - mean**2, 0.0) / walks)
    random = error > ROUNDING
    return {
        "standard_errors": float((np.abs(mean[random]) / error[random]).max(initial=0.0)),
        "rounding": float(np.abs(mean[~random]).max(initial=0.0)),
    }


def _coverage(tally: Tally, live: np.ndarray) -> dict[str, int]:
    return {
        "rows": len(live),
        "rows_worth_something": int((tally.exact != 0.0).sum()),
        "fewest_visits": int(tally.visits[live].min()),
    }
