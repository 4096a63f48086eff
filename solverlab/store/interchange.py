"""Policies and rules for other programs and back: CSV, Parquet, JSON, ACPC game files, Gambit EFG."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from solverlab.core.errors import BadValue, SolverlabError, UnknownName
from solverlab.core.frame import frame
from solverlab.core.game import Game
from solverlab.core.policy import Policy, read_only
from solverlab.games import LimitPoker, from_config
from solverlab.store.efg import write_efg
from solverlab.store.files import telling, write_whole

if TYPE_CHECKING:
    import pandas as pd

NEEDED = ("node", "hand", "action", "probability")
ROUNDING = 1e-6  # how far from 1 the probabilities of a typed file may sum


# ---- policies ----------------------------------------------------------------------------------------------


def write_policy(policy: Policy, path: str | os.PathLike[str]) -> Path:
    """Write a policy as .csv, .parquet or .json: one row an infoset and action (`policy.frame()`).

    >>> import solverlab as sl, tempfile
    >>> from solverlab.store import read_policy, write_policy
    >>> game = sl.Kuhn()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = write_policy(sl.uniform_policy(game), folder + "/uniform.csv")
    ...     read_policy(file, game).at("raise", hand="K")
    {'fold': 0.5, 'call': 0.5}
    """
    target = Path(path).expanduser()
    packed = _by_suffix("policy", target, _PACK)(policy)
    with telling(f"write {str(path)!r}"):
        write_whole(target, packed)
    return target


def read_policy(path: str | os.PathLike[str], game: Game) -> Policy:
    """A policy of this game from a file of `write_policy`'s kind; every infoset must be there, once."""
    source = Path(path).expanduser()
    unpack = _by_suffix("policy", source, _UNPACK)
    try:
        table = unpack(_read(source))
    except SolverlabError:
        raise
    except Exception as error:  # whatever a parser makes of a file that is none of its kind
        raise BadValue(f"{source.name} cannot be read as a {source.suffix} table: {error}") from None
    lost = [name for name in NEEDED if name not in table]
    if lost:
        raise BadValue(f"{source.name} has no column {lost[0]!r}; a policy needs {', '.join(NEEDED)}")
    return _policy_of(game, zip(*(table[name] for name in NEEDED), strict=True), source.name)


def _policy_of(game: Game, rows: Iterable[tuple[object, ...]], file: str) -> Policy:
    tree, names = game.tree, game.names
    acts = np.append(tree.player >= 0, False)[tree.parent]
    sigma = np.where(acts[:, None], np.nan, np.ones((len(tree.parent), len(names.hands))))
    for number, (node, hand, action, probability) in enumerate(rows, 1):
        child, h = _place(game, node, hand, action, f"row {number} of {file}")
        if not np.isnan(sigma[child, h]):
            raise BadValue(
                f"row {number} of {file} tells {node!r} with {hand!r} and {action!r} twice; keep one row"
            )
        sigma[child, h] = _probability(probability, f"row {number} of {file}")
    _check_sums(game, sigma, file)
    _check_ties(game, sigma, file)
    return Policy(tree, names, read_only(sigma))


def _place(game: Game, node: object, hand: object, action: object, where: str) -> tuple[int, int]:
    """The node an action leads to and the index of a hand, both given by name."""
    try:
        n, h = game.names.node(str(node)), game.names.hand(str(hand))
    except UnknownName as error:
        raise BadValue(f"{where}: in {game.name} {error}") from None
    children = range(game.tree.first[n], game.tree.first[n] + game.tree.count[n])
    for child in children:
        if game.names.actions[child] == action and game.tree.player[n] >= 0:
            return child, h
    raise BadValue(f"{where}: nobody can {action!r} at node {node!r} of {game.name}")


def _probability(value: object, where: str) -> float:
    try:
        number = float(value)  # type: ignore[arg-type]  # whatever a file holds: the next line answers
    except (TypeError, ValueError):
        number = float("nan")
    if not 0.0 <= number <= 1.0 + ROUNDING:
        raise BadValue(f"{where}: {value!r} is no probability; give a number from 0 to 1")
    return number


def _check_sums(game: Game, sigma: np.ndarray, file: str) -> None:
    """Every infoset is told and sums to 1; what was rounded in typing is put right."""
    for n in np.flatnonzero(game.tree.player >= 0):
        rows = slice(game.tree.first[n], game.tree.first[n] + game.tree.count[n])
        total = sigma[rows].sum(0)
        for h in np.flatnonzero(~(np.abs(total - 1.0) <= ROUNDING)):
            what = (
                "does not tell all actions" if np.isnan(total[h]) else f"sums to {total[h]:.6g} instead of 1"
            )
            raise BadValue(
                f"{file} {what} at node {game.names.path(int(n))!r} with hand {game.names.hands[h]!r}"
            )
        sigma[rows] /= np.where(np.abs(total - 1.0) <= 1e-12, 1.0, total)


def _check_ties(game: Game, sigma: np.ndarray, file: str) -> None:
    """Nobody acts differently where they cannot tell the difference."""
    tie = game.tie
    first: dict[tuple[int, int], tuple[int, int]] = {}
    if not tie.tied:
        return
    for child in map(int, np.flatnonzero(tie.slot >= 0)):
        for h, bucket in enumerate(tie.bucket[tie.texture[child]]):
            other = first.setdefault((tie.slot[child], bucket), (child, h))
            if abs(sigma[other] - sigma[child, h]) > ROUNDING:
                one, two = (game.names.path(game.tree.parent[n]) for n in (other[0], child))
                raise BadValue(
                    f"{file} plays {one!r} and {two!r} differently, but in {game.name} a player cannot tell "
                    "them apart; give both the same probabilities"
                )


def _csv_bytes(policy: Policy) -> bytes:
    return policy.frame().to_csv(index=False).encode()


def _parquet_bytes(policy: Policy) -> bytes:
    buffer = io.BytesIO()
    policy.frame().to_parquet(buffer, index=False)
    return buffer.getvalue()


def _json_bytes(policy: Policy) -> bytes:
    """Nested, for people and scripts: {node: {hand: {action: probability}}}."""
    nested: dict[str, dict[str, dict[str, float]]] = {}
    table = policy.frame()
    for node, hand, action, probability in zip(*(table[name] for name in NEEDED), strict=True):
        nested.setdefault(node, {}).setdefault(hand, {})[action] = probability
    return (json.dumps({"policy": nested}, indent=1) + "\n").encode()


def _csv_table(content: bytes) -> pd.DataFrame:
    import pandas as pd

    # Everything as text: a hand called "10" or "NA" is a name, not a number or a gap.
    return pd.read_csv(io.BytesIO(content), dtype=str, keep_default_na=False)


def _parquet_table(content: bytes) -> pd.DataFrame:
    import pyarrow as pa
    from pyarrow import parquet

    # Bytes and this thread only: see `trace_from` in packing.py.
    file = parquet.ParquetFile(pa.BufferReader(content), pre_buffer=False)
    return file.read(use_threads=False).to_pandas(use_threads=False)


def _json_table(content: bytes) -> pd.DataFrame:
    nested = json.loads(content)["policy"]
    rows = [
        (node, hand, action, probability)
        for node, hands in nested.items()
        for hand, actions in hands.items()
        for action, probability in actions.items()
    ]
    return frame({name: [row[i] for row in rows] for i, name in enumerate(NEEDED)})


_PACK = {".csv": _csv_bytes, ".parquet": _parquet_bytes, ".json": _json_bytes}
_UNPACK = {".csv": _csv_table, ".parquet": _parquet_table, ".json": _json_table}


# ---- games -------------------------------------------------------------------------------------------------


def write_game(game: Game, path: str | os.PathLike[str]) -> Path:
    """Write a game: .game (ACPC, limit poker only), .efg (Gambit) or .json (which `read_game` reads back)."""
    target = Path(path).expanduser()
    ways: dict[str, Callable[..., str]] = {".game": _acpc, ".efg": write_efg, ".json": _config}
    text = _by_suffix("game", target, ways)(game)
    with telling(f"write {str(path)!r}"):
        write_whole(target, text.encode())
    return target


def read_game(path: str | os.PathLike[str]) -> Game:
    """A game from an ACPC .game file or from the .json of `write_game`."""
    source = Path(path).expanduser()
    build = _by_suffix("game", source, {".game": _from_acpc, ".json": _from_config})
    return build(source)


def _acpc(game: Game) -> str:
    if not isinstance(game, LimitPoker):
        raise BadValue(
            f"{game.name} is no limit poker, which is all an ACPC file can tell; write .efg or .json"
        )
    return game.to_acpc()


def _config(game: Game) -> str:
    return json.dumps(game.config(), indent=1) + "\n"


def _from_acpc(source: Path) -> Game:
    text = _read(source).decode("utf-8", "replace")
    try:
        return LimitPoker.from_acpc(text, name=source.stem)
    except SolverlabError as error:
        raise BadValue(f"{source.name}: {error}") from None


def _from_config(source: Path) -> Game:
    try:
        config = json.loads(_read(source))
    except ValueError as error:
        raise BadValue(f"{source.name} is not readable JSON ({error}); write it with write_game") from None
    if not isinstance(config, dict):
        raise BadValue(f"{source.name} holds no configuration of a game; write it with write_game")
    return from_config(config)


# ---- files -------------------------------------------------------------------------------------------------


Way = TypeVar("Way")  # a reader or a writer


def _by_suffix(what: str, path: Path, known: Mapping[str, Way]) -> Way:
    if path.suffix.lower() not in known:
        raise BadValue(
            f"cannot tell the format of the {what} {path.name!r}; let it end in {', '.join(known)}"
        )
    return known[path.suffix.lower()]


def _read(path: Path) -> bytes:
    with telling(f"read {str(path)!r}", "give the name of a file that exists"):
        return path.read_bytes()
