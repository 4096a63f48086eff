"""`run.json`: what a run is, which files belong to it and what their checksums are."""

from __future__ import annotations

import hashlib
import json
import math
import platform
import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from typing import TYPE_CHECKING, cast

import numpy as np

from solverlab.core.boards.game import BoardGame
from solverlab.core.draw_game import DrawGame
from solverlab.core.errors import BadValue, DamagedRun
from solverlab.core.game import RangeGame
from solverlab.core.rows import Row, Setting
from solverlab.core.tree import n_leaves
from solverlab.store.board_packing import board_fingerprint
from solverlab.store.draw_packing import deck_fingerprint
from solverlab.store.files import checksum
from solverlab.store.growing import dealt_fingerprint
from solverlab.store.packing import ROWS, Solver, settings_of

if TYPE_CHECKING:
    from solverlab.games.holdem.game import Holdem


MANIFEST = "run.json"
FORMAT, VERSION = "solverlab run", 1
MEND = "delete the run, or import it again from an export"
PACKAGES = ("solverlab", "numpy", "numba", "pyarrow")
MEMBER = re.compile(r"state-\d+(?:-\d+)?/\w+\.npy|trace-\d+(?:-\d+)?\.parquet")
FIELDS = {
    "game": dict, "game_name": str, "fingerprint": str, "players": int, "solver": dict, "iteration": int,
    "seconds": float, "last": dict, "versions": dict, "created": str, "saved": str, "files": dict,
}  # fmt: skip

Manifest = Row


def describe(solver: Solver, name: str) -> Manifest:
    """Everything a manifest says before the files are written; a game that cannot be described is refused."""
    game, now = solver.game, datetime.now(UTC).isoformat(timespec="seconds")
    return {
        "format": FORMAT,
        "format_version": VERSION,
        "name": name,
        "game": _plain(game.config(), f"the configuration of {game.name}"),
        "game_name": game.name,
        "fingerprint": fingerprint(game),
        "players": game.n_players,
        "solver": settings_of(solver),
        "iteration": int(solver.iteration),
        "seconds": float(solver.seconds),
        "versions": versions(),
        "created": now,
        "saved": now,
    }


def fingerprint(game: object) -> str:
    """A text that games share when tree, names, information and payoffs (to nine digits) are the same."""
    if isinstance(game, DrawGame):
        return deck_fingerprint(game)
    if isinstance(game, BoardGame):
        return board_fingerprint(game)
    if not isinstance(game, RangeGame):
        return dealt_fingerprint(cast("Holdem", game))
    digest = hashlib.sha256()
    tree, tie, hands = game.tree, game.tie, len(game.names.hands)
    reach = np.empty((game.n_players, n_leaves(tree), hands))
    reach[:] = 1.0 / (2.0 + np.arange(game.n_players)[:, None, None] + np.arange(hands))
    for array in (tree.parent, tree.player, tree.count, tie.slot, tie.bucket[tie.texture]):
        digest.update(np.ascontiguousarray(array, np.int32).tobytes())
    for array in (tree.chance, *(game.leaf_cfv(me, reach) for me in range(game.n_players))):
        digest.update((np.round(array, 9) + 0.0).tobytes())
    digest.update("\0".join([*game.names.actions, *game.names.hands, *game.names.players]).encode())
    return digest.hexdigest()


def last_numbers(row: Row) -> Row:
    """The last row of a trace as a listing shows it."""
    return {
        name: value for name, value in row.items() if isinstance(value, int | float) and math.isfinite(value)
    }


def to_bytes(manifest: Manifest) -> bytes:
    """The manifest with its own checksum, as text a person can read."""
    whole = {**manifest, "checksum": _own_checksum(manifest)}
    return (json.dumps(whole, indent=1, allow_nan=False) + "\n").encode()


def from_bytes(content: bytes, name: str) -> Manifest:
    """The manifest of a run, or one sentence why this is none."""
    manifest = check_format(content, name)
    if manifest is None:
        raise DamagedRun(f"{MANIFEST} of run {name!r} is not readable JSON; {MEND}")
    version = manifest.get("format_version")
    if not isinstance(version, int) or version > VERSION:
        raise DamagedRun(
            f"run {name!r} was saved by a newer solverlab (its format is {version!r}, this one reads up to "
            f"{VERSION}); update solverlab to open it"
        )
    if (
        not _is_sound(manifest)
        or manifest.get("checksum") != _own_checksum(manifest)
        or not _members_are_ours(manifest)
    ):
        raise DamagedRun(f"{MANIFEST} of run {name!r} was changed or damaged; {MEND}")
    return manifest


def check_format(content: bytes, name: str) -> Manifest | None:
    """Refuse what another program wrote; None if nobody can tell because it is not even JSON."""
    try:
        manifest = json.loads(content)
    except ValueError:
        return None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise DamagedRun(
            f"{MANIFEST} of {name!r} was not written by solverlab; choose another name or folder"
        )
    return manifest


def verified(manifest: Manifest, read: Callable[[str], bytes], name: str) -> dict[str, bytes]:
    """The bytes of every file of a run, each of the size and checksum the manifest tells."""
    contents = {}
    for member, told in manifest["files"].items():
        try:
            content = read(member)
        except (OSError, KeyError):
            content = None
        if content is None or len(content) != told["bytes"] or checksum(content) != told["sha256"]:
            found = "it is missing" if content is None else f"{len(content):,} of {told['bytes']:,} bytes"
            found = "its checksum is wrong" if content and len(content) == told["bytes"] else found
            raise DamagedRun(f"{member} of run {name!r} is damaged ({found}); {MEND}")
        contents[member] = content
    return contents


def _is_sound(manifest: Manifest) -> bool:
    """Whether every field is there and of its kind."""
    if not all(isinstance(manifest.get(field), kind) for field, kind in FIELDS.items()):
        return False
    rows = [manifest["solver"].get(label, {}) for label in ROWS]
    return all(isinstance(row, dict) for row in rows) and isinstance(manifest["solver"].get("solver"), str)


def _members_are_ours(manifest: Manifest) -> bool:
    """No file name of a manifest may lead out of its folder."""
    told = manifest["files"].values()
    return all(MEMBER.fullmatch(member) for member in manifest["files"]) and all(
        isinstance(entry, dict)
        and isinstance(entry.get("bytes"), int)
        and isinstance(entry.get("sha256"), str)
        for entry in told
    )


def _own_checksum(manifest: Manifest) -> str:
    rest = {field: value for field, value in manifest.items() if field != "checksum"}
    return checksum(json.dumps(rest, sort_keys=True).encode())


def _plain(value: object, what: str) -> Setting:
    """A value as it comes back from JSON, so that it can be compared with what was saved."""
    try:
        return json.loads(json.dumps(value, allow_nan=False, default=_number))
    except (TypeError, ValueError) as error:
        raise BadValue(
            f"{what} cannot be written as JSON ({error}); use texts, finite numbers and lists"
        ) from None


def _number(value: object) -> object:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} is no JSON value")


@cache
def versions() -> dict[str, str | None]:
    """What was installed when the run was saved."""
    known: dict[str, str | None] = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            known[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            known[package] = None
    return known
