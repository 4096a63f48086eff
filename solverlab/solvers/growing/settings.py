"""The settings of a rebalance, checked at the door."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from numbers import Real
from types import FunctionType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from solverlab.core.abilities import ChipGame
from solverlab.core.dealt_game import DealtGame
from solverlab.core.errors import BadValue, TooLarge, UnknownName
from solverlab.core.game import Game, RangeGame
from solverlab.core.policy import Policy, check_policy, uniform_policy
from solverlab.core.rows import Config

EV_KINDS = ("as written", "centred", "reach-weighted")
BASELINES = ("start", "node")
TESTS = ("absolute", "relative")
WEIGHTINGS = ("combos", "classes")
MOST_THREADS = 256
UPDATE = ("squash", "scale", "ev", "baseline", "floor")
SHARED = (*UPDATE, "frontier", "samples", "sweeps", "tolerance", "leaf", "test")
KNOWN = (*SHARED, "start", "rng", "returned", "weighting", "threads", "flop_samples")
LeafKind = str | Policy | Callable[..., ArrayLike]
SMALLEST = 1e-100  # scales that EVs can be divided by
MOST_SAMPLES = 10_000_000
FAR = 1e-2  # in the game's unit, a mean gain a player (two players) or the gain of a seat (more)


def check_number(label: str, value: object, above: float, fix: str) -> float:
    """A finite number above a bound, or one sentence."""
    if not isinstance(value, Real) or isinstance(value, bool) or not math.isfinite(value) or value <= above:
        raise BadValue(f"a {label} of {value!r} cannot be used; {fix}")
    return float(value)


def check_whole(label: str, value: object, least: int = 1) -> int:
    """A whole number, or one sentence."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < least:
        raise BadValue(f"{label} is {value!r}; give a whole number of at least {least}")
    return int(value)


def check_samples(samples: object) -> int | None:
    """How many deals to draw, or None for all of them."""
    number = None if samples is None else check_whole("samples", samples)
    if number is not None and number > MOST_SAMPLES:
        raise TooLarge(f"{number:,} deals a sweep do not fit; use at most {MOST_SAMPLES:,}, or samples=None")
    return number


def check_game(game: Any, takes: bool) -> Any:
    """A game that has been built, or one sentence; `takes`: whether the solver accepts its kind."""
    if takes:
        return game
    if isinstance(game, DealtGame) and not isinstance(game, type):
        raise BadValue(f"{game.name} is too large for exact EVs; use sl.Rebalance, which samples it")
    builds = isinstance(game, type | FunctionType)  # a class or a function that would build one
    name = game.__name__ if builds else repr(game)
    raise BadValue(f"{name} is no game to rebalance; build one, such as sl.Kuhn() or sl.Holdem(players=6)")


def check_known(unknown: Config) -> None:
    """Refuse a setting that does not exist, with those that do."""
    for name in unknown:
        raise UnknownName("setting of sl.Rebalance", name, KNOWN)


def check_seed(rng: object) -> int:
    """A seed, or one drawn from a generator."""
    return check_whole("seed", rng.integers(2**62) if isinstance(rng, np.random.Generator) else rng, 0)


def check_threads(threads: object) -> int:
    """More threads than a machine may have cores would only take memory."""
    number = check_whole("threads", threads)
    if number > MOST_THREADS:
        raise BadValue(f"{number} threads are too many; give at most {MOST_THREADS}")
    return number


def refuse_settings_of_tables(
    game: RangeGame, weighting: str, threads: int, flop_samples: int | None
) -> None:
    """Small games have exact sums: nothing to weigh, no deals to share out."""
    if weighting != WEIGHTINGS[0] or threads != 1 or flop_samples is not None:
        raise BadValue(
            f"weighting, threads and flop_samples are settings of sampled tables; {game.name} has exact EVs, "
            "leave them out"
        )


def refuse_settings_of_small_games(start: object, returned: bool) -> None:
    """A table of hold'em begins with hole cards alone, and says itself who gets uncalled chips."""
    if start is not None:
        raise BadValue("a forest starts every node alike; use start=None")
    if returned:
        raise BadValue("returned is a setting of small games; give the table match=False")


def most_actions(game: RangeGame | DealtGame) -> int:
    """How many actions a decision has at most."""
    return int(game.tie.count.max(initial=1)) if isinstance(game, RangeGame) else game.most_actions


def check_kind(label: str, value: object, known: tuple[str, ...]) -> str:
    if value not in known:
        raise UnknownName(label, value, known)
    return str(value)


def change_tested(change: np.ndarray, test: str) -> float:
    """The number a tolerance is held against: the largest absolute or relative change of a probability.

    Relative change is never the smaller one, for no probability is above 1: a test by either would be the
    absolute one, a test by both the relative one.

    >>> [change_tested(np.array([0.01, 0.5]), test) for test in TESTS]
    [0.01, 0.5]
    """
    return float(change[TESTS.index(test)])


def list_of(label: str, values: object) -> list:
    """Several things in a list, or one sentence."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise BadValue(f"{label} are {values!r}; give a list")
    return list(values)


def check_floor(floor: object, actions: int) -> float:
    """A floor leaves room for every one of the most actions a decision has."""
    most = 1.0 / actions
    if not isinstance(floor, Real) or isinstance(floor, bool) or not 0 <= float(floor) < most:
        raise BadValue(f"a floor of {floor!r} cannot be kept; give a number from 0 to below {most:g}")
    return float(floor)


def start_table(game: Game, start: object) -> np.ndarray:
    """Probabilities [S, K] to start from.

    None is uniform; a number is the first player's probability of the first action at the first decision; an
    array [N, H] or a Policy is all of them.
    """
    table = np.ones(game.tie.shape)
    gather_rows(game, uniform_policy(game).sigma, table)
    if start is None:
        return table
    if isinstance(start, Real) and not isinstance(start, bool):
        _lean(game, float(start), table)
        return table
    sigma = start.sigma if isinstance(start, Policy) else _numbers(start)
    if sigma.ndim == 2 and (not np.isfinite(sigma).all() or (sigma < 0).any()):
        raise BadValue("the start holds a negative or missing probability; give numbers from 0 to 1")
    shape = (len(game.tree.parent), len(game.names.hands))
    if sigma.shape != shape:
        raise BadValue(
            f"a start of shape {sigma.shape} does not fit; give one number, or an array of shape {shape}"
        )
    check_policy(game.tree, shape[1], Policy(game.tree, game.names, sigma))
    gather_rows(game, sigma, table)
    return table


def _numbers(start: object) -> np.ndarray:
    try:
        return np.array(start, np.float64)
    except (TypeError, ValueError):
        raise BadValue(
            f"a start of {start!r} is no strategy; give one number, an array of probabilities, or None"
        ) from None


def gather_rows(game: Game, sigma: np.ndarray, table: np.ndarray) -> None:
    """Write probabilities [N, H] into the rows [S, K] of the game's own tie."""
    tie = game.tie
    for n in np.flatnonzero(tie.slot >= 0):
        table[tie.slot[n], tie.bucket[tie.texture[n]]] = sigma[n]


def paid_rows(game: Game) -> np.ndarray:
    """What the player to act has put in before each action, float64[S, 1]."""
    if not isinstance(game, ChipGame):
        raise BadValue(f"{game.name} does not say what was paid at a node; use baseline='start'")
    tree, rows = game.tree, np.zeros((game.tie.shape[0], 1))
    for n in map(int, np.flatnonzero(game.tie.slot >= 0)):
        parent = int(tree.parent[n])
        rows[game.tie.slot[n]] = game.paid_at(parent)[tree.player[parent]]
    return rows


def _lean(game: Game, start: float, table: np.ndarray) -> None:
    """The first player's first action with this probability, the other actions alike."""
    if not 0 <= start <= 1:
        raise BadValue(f"a start of {start:g} is no probability; give a number from 0 to 1")
    nodes = np.flatnonzero(game.tree.player == 0)
    if not len(nodes) or game.tree.count[nodes[0]] < 2:
        raise BadValue(f"the first player of {game.name} has no choice to start with; use start=None")
    first, count = game.tree.first[nodes[0]], game.tree.count[nodes[0]]
    rows = game.tie.slot[first : first + count]
    table[rows[0]], table[rows[1:]] = start, (1.0 - start) / (count - 1)
