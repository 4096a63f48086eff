"""Result files of an earlier 2-to-7 push/fold project: read them, measure them truly, write the same format.

A file is JSON: `metadata` (stack_size, posted_pot_p1, posted_pot_p2, num_cards, num_cards_per_rank),
`player_1_expected_value`, `iteration_info` (iterations, expected_values, regrets, nash_distances), and four
maps `player_1_preflop`, `player_1_postflop`, `player_2_preflop`, `player_2_postflop` from an information set
such as `7_rraa1` to `{"ALL_IN": p, "FOLD": q}` or `{"DRAW_0": p, ...}`. Player 1 is the button. Its
nash_distances are a proxy (`studies.lowball.regret_proxy`), so a policy that was read is measured again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from solverlab.analysis import deviation_gains, value
from solverlab.core.errors import BadValue, SolverlabError
from solverlab.core.policy import Policy, read_only
from solverlab.core.rows import Config, Setting
from solverlab.games import Lowball, LowballPushFold
from solverlab.games.lowball.keys import infosets, parse_infoset
from solverlab.games.lowball.rules import BLINDS, RANKS
from solverlab.solvers import CFR
from solverlab.store.files import telling, write_whole
from solverlab.studies.lowball import regret_proxy

ROUNDING = 5e-3  # the project drops probabilities below 0.001 without dividing again
MAPS = ("player_1_preflop", "player_1_postflop", "player_2_preflop", "player_2_postflop")
NUMBERS = ("stack_size", "posted_pot_p1", "posted_pot_p2", "num_cards", "num_cards_per_rank")
SERIES = ("iterations", "expected_values", "regrets", "nash_distances")
WORDS = {"fold": "FOLD", "all-in": "ALL_IN"}


@dataclass(frozen=True, eq=False)
class LowballResult:
    """A policy read from a file, what the file claims of it, and what is true."""

    game: Lowball
    policy: Policy
    claimed_value: float  # the file's player_1_expected_value
    value: float  # of the policy against itself
    nash_conv: float  # sum of both players' exact best-response gains
    iteration_info: dict[str, list[float]]

    @property
    def claimed_distance(self) -> float | None:
        """The file's last nash_distance, the proxy; None where it has none."""
        series = self.iteration_info.get("nash_distances", [])
        return float(series[-1]) if series else None


def read_lowball_results(path: str | os.PathLike[str]) -> LowballResult:
    """Read a result file and measure its policy on the game it is for."""
    source = Path(path).expanduser()
    with telling(f"read {str(path)!r}", "give the name of a file that exists"):
        content = source.read_bytes()
    try:
        record = json.loads(content)
    except ValueError as error:
        raise BadValue(f"{source.name} is not readable JSON ({error}); give a result file") from None
    missing = [name for name in ("metadata", *MAPS) if not isinstance(_of(record, name), Mapping)]
    if missing:
        raise BadValue(f"{source.name} has no {missing[0]!r}, so it is no 2-to-7 result file")
    game = _game_of(record, source.name)
    policy = _policy_of(game, record, source.name)
    info = {name: list(_of(record.get("iteration_info", {}), name) or []) for name in SERIES}
    claimed = record.get("player_1_expected_value")
    claimed = float(claimed) if isinstance(claimed, int | float) else float("nan")
    gains = deviation_gains(game, policy)
    return LowballResult(game, policy, claimed, value(game, policy), sum(gains), info)


def write_lowball_results(
    path: str | os.PathLike[str],
    game: Lowball,
    policy: Policy,
    iteration_info: Mapping[str, list[float]] | None = None,
) -> Path:
    """Write a push/fold policy in the project's format; `iteration_info` comes from `iteration_series`."""
    if terminal_letters(game) - {"a", "f"} or game.rules.discard != "original":
        raise BadValue(
            f"{game.name} is not push/fold with the original discards, which is all the format tells"
        )
    maps: dict[str, dict[str, dict[str, float]]] = {name: {} for name in MAPS}
    for text, (node, hand) in infosets(game).items():
        children = range(game.tree.first[node], game.tree.first[node] + game.tree.count[node])
        told = {_word(game.names.actions[n]): float(policy.sigma[n, hand]) for n in children}
        maps[_map_of(game, node)][text] = told
    rules = game.rules
    numbers = (rules.stack, *BLINDS, rules.cards, rules.per_rank)
    record = {
        "metadata": dict(zip(NUMBERS, numbers, strict=True)),
        "player_1_expected_value": value(game, policy),
        "iteration_info": {name: list((iteration_info or {}).get(name, [])) for name in SERIES},
        **maps,
    }
    target = Path(path).expanduser()
    with telling(f"write {str(path)!r}"):
        write_whole(target, (json.dumps(record, indent=1) + "\n").encode())
    return target


def iteration_series(solver: CFR, looks: Iterable[int]) -> dict[str, list[float]]:
    """Step a solver to each iteration and note what the project notes: value, regret, Nash distance."""
    series: dict[str, list[float]] = {name: [] for name in SERIES}
    for look in looks:
        snap = solver.step(max(look - solver.iteration, 0))
        proxy = regret_proxy(solver)
        noted = (snap.iteration, value(solver.game, snap.policy), proxy / 2, proxy)
        for name, number in zip(SERIES, noted, strict=True):
            series[name].append(number)
    return series


def terminal_letters(game: Lowball) -> set[str]:
    """Every letter of a game's histories; push/fold has a and f only."""
    return {letter for state in game.states for letter in state.history if letter.isalpha()}


def _of(record: object, name: str) -> Setting:
    return record.get(name) if isinstance(record, Mapping) else None


def _game_of(record: Config, file: str) -> Lowball:
    """The game of the metadata; which ranks the deck had is told by the cards of the keys."""
    about = record["metadata"]
    lost = [name for name in NUMBERS if name not in about]
    if lost:
        raise BadValue(f"the metadata of {file} has no {lost[0]!r}; a result file tells {', '.join(NUMBERS)}")
    posted = (about["posted_pot_p1"], about["posted_pot_p2"])
    if posted != BLINDS:
        raise BadValue(
            f"{file} posts {posted[0]!r} and {posted[1]!r}; only blinds of 0.5 and 1 are known here"
        )
    held = {card for name in MAPS for key in record[name] for card in str(key).split("_")[0]}
    if held - set(RANKS):
        raise BadValue(f"{file} has the unknown card {min(held - set(RANKS))!r}; cards are {RANKS}")
    ranks = "".join(rank for rank in RANKS if rank in held)
    try:
        return LowballPushFold(about["stack_size"], about["num_cards"], about["num_cards_per_rank"], ranks)
    except SolverlabError as error:
        raise BadValue(f"{file}: {error}") from None


def _policy_of(game: Lowball, record: Config, file: str) -> Policy:
    tree = game.tree
    acts = np.append(tree.player >= 0, False)[tree.parent]
    sigma = np.where(acts[:, None], np.nan, np.ones((len(tree.parent), len(game.hands))))
    for name in MAPS:
        for key, told in record[name].items():
            node, hand = _place(game, name, key, file)
            children = range(tree.first[node], tree.first[node] + tree.count[node])
            sigma[children, hand] = _shares(key, told, [_word(game.names.actions[n]) for n in children], file)
    silent = np.argwhere(np.isnan(sigma))
    if len(silent):
        child, hand = silent[0]
        where = f"{game.hands[hand]!r} after {game.names.path(tree.parent[child])!r}"
        raise BadValue(f"{file} does not say what to do with {where}; a result file tells every infoset")
    return Policy(tree, game.names, read_only(sigma))


def _place(game: Lowball, name: str, key: str, file: str) -> tuple[int, int]:
    try:
        node, hand = parse_infoset(game, key)
    except SolverlabError as error:
        raise BadValue(f"{name} of {file}: {error}") from None
    if _map_of(game, node) != name:
        raise BadValue(f"{key!r} stands in {name} of {file} but belongs into {_map_of(game, node)}")
    return node, hand


def _map_of(game: Lowball, node: int) -> str:
    """Which of the four maps holds a decision."""
    street = "postflop" if game.betting.drawing(game.states[node]) else "preflop"
    return f"player_{game.tree.player[node] + 1}_{street}"


def _word(action: str) -> str:
    """The project's name of an action."""
    return WORDS.get(action) or action.upper().replace(" ", "_")


def _shares(key: str, told: object, actions: list[str], file: str) -> list[float]:
    """Probabilities in the order of the actions; what rounding took away is put back."""
    if not isinstance(told, Mapping) or set(told) - set(actions):
        raise BadValue(f"{file} tells {told!r} at {key!r}; give probabilities of {', '.join(actions)}")
    shares = [told.get(action, 0.0) for action in actions]
    if not all(isinstance(share, int | float) and 0 <= share <= 1 + ROUNDING for share in shares):
        raise BadValue(f"{file} tells {told!r} at {key!r}; probabilities are numbers from 0 to 1")
    if abs(sum(shares) - 1) > ROUNDING:
        raise BadValue(f"the probabilities of {file} at {key!r} sum to {sum(shares):.6g} instead of 1")
    return [share / sum(shares) for share in shares]
