"""A solver and its trace as bytes, and back: .npy for arrays, Parquet for the trace, never pickle."""

from __future__ import annotations

import io
import math
from collections.abc import Mapping
from dataclasses import fields
from typing import cast

import numpy as np

from solverlab.core.errors import BadValue, DamagedRun
from solverlab.core.game import Game
from solverlab.core.rows import Config, Row, Setting
from solverlab.core.solver import SeededSolver
from solverlab.core.solver import Solver as CoreSolver
from solverlab.core.tree import Tree
from solverlab.core.tying import Tying
from solverlab.run import Trace
from solverlab.solvers import CFR, MCCFR, Rebalance, RegretRebalance, Sampling, Schedule
from solverlab.store.board_packing import BOARD_SOLVER, board_solver, solves_boards
from solverlab.store.draw_packing import DECK_SOLVERS, deck_solvers, solves_deck
from solverlab.store.files import Content, array_file, checksum
from solverlab.store.growing import check_saves, grown_from

SOLVERS = {
    "CFR": CFR,
    "MCCFR": MCCFR,
    "Rebalance": Rebalance,
    "Forest": Rebalance,
}  # the older name of a sampled one
SOLVERS |= {"RegretRebalance": RegretRebalance}
ROWS = {"schedule": Schedule, "sampling": Sampling}  # settings that are rows of a table
MOST_ROWS = 5_000_000
TIE = "tie_"
TIE_ARRAYS = ("slot", "texture", "bucket", "player", "first", "count")

Solver = CFR | MCCFR | Rebalance


# ---- settings as JSON values -------------------------------------------------------------------------------


def settings_of(solver: Solver) -> Config:
    """A solver's configuration as JSON values; an infinite exponent becomes the text 'inf' or '-inf'."""
    config = {label: dict(value) if label in ROWS else value for label, value in solver.config().items()}
    for label in ROWS.keys() & config.keys():
        config[label] = {name: _as_text(value) for name, value in config[label].items()}
    return config


def of_today(config: Config) -> Config:
    """The settings of a saved solver under the name it has today.

    >>> of_today({"solver": "Forest", "scale": 2.0})
    {'solver': 'Rebalance', 'scale': 2.0}
    """
    maker = SOLVERS.get(config["solver"])
    return {**config, "solver": config["solver"] if maker is None else maker.__name__}


def solver_from(game: Game, config: Config, state: Mapping[str, np.ndarray], tie: Config | None) -> Solver:
    """The solver that goes on from a saved state, bit for bit."""
    settings: Config = {
        label: _row(ROWS[label], value) if label in ROWS else value for label, value in config.items()
    }
    name = settings.pop("solver", None)
    maker = _maker(name)
    if maker is None:
        raise DamagedRun(
            f"the run was made by a solver {config.get('solver')!r} that this version does not have"
        )
    if maker in (Rebalance, RegretRebalance):
        return grown_from(maker, game, settings, state)
    seed = settings.get("rng", 0)
    if seed is None:  # it began with a generator of the user's own, whose state is saved
        settings["rng"] = 0
    if name not in (*DECK_SOLVERS, BOARD_SOLVER):
        settings["tie"] = _tying(tie, state)
        _check_tie(game, settings["tie"])
    solver = maker.from_state(game, state, **settings)
    if isinstance(solver, SeededSolver):
        solver.seed = seed
    return cast(Solver, solver)


def _maker(name: str) -> type[CoreSolver] | None:
    if name == BOARD_SOLVER:
        return board_solver()
    return deck_solvers()[name] if name in DECK_SOLVERS else SOLVERS.get(name)


def _row(kind: type[Schedule] | type[Sampling], saved: Config) -> Schedule | Sampling:
    numbers = {field.name for field in fields(kind)} - {"name"}
    return kind(**{name: _as_number(value) if name in numbers else value for name, value in saved.items()})


def _as_text(value: Setting) -> Setting:
    return str(value) if isinstance(value, float) and math.isinf(value) else value


def _as_number(value: Setting) -> Setting:
    return float(value) if value in ("inf", "-inf") else value


# ---- arrays ------------------------------------------------------------------------------------------------


def pack_state(solver: Solver) -> tuple[dict[str, Content], Config | None]:
    """Every array of a solver as a .npy file, and the shape of its tie if it plays under an abstraction.

    The files are the solver's live tables, not copies: write them before it steps on.
    """
    arrays, tie = solver.state(copy=False), None
    if isinstance(solver, Rebalance) or _keeps_no_tie(solver):  # by the game's own information
        return {name: array_file(array) for name, array in arrays.items()}, None
    if not same_tie(solver.tie, solver.game.tie):
        arrays |= {TIE + name: getattr(solver.tie, name) for name in TIE_ARRAYS}
        rows = checksum(b"".join(getattr(solver.tie, name).tobytes() for name in TIE_ARRAYS))
        tie = {"shape": list(solver.tie.shape), "tied": bool(solver.tie.tied), "sha256": rows}
    return {name: array_file(array) for name, array in arrays.items()}, tie


def _keeps_no_tie(solver: object) -> bool:
    return solves_deck(solver) or solves_boards(solver)


def same_tie(one: Tying, other: Tying) -> bool:
    return one is other or (
        one.shape == other.shape
        and one.tied == other.tied
        and all(np.array_equal(getattr(one, name), getattr(other, name)) for name in TIE_ARRAYS)
    )


def _tying(tie: Config | None, state: Mapping[str, np.ndarray]) -> Tying | None:
    if tie is None:
        return None
    arrays = {name: np.ascontiguousarray(state[TIE + name], np.int32) for name in TIE_ARRAYS}
    return Tying(**arrays, shape=(int(tie["shape"][0]), int(tie["shape"][1])), tied=bool(tie["tied"]))


def _check_tie(game: Game, tie: Tying | None) -> None:
    """Refuse a tie that does not fit: compiled code trusts these numbers, and a file may be a stranger's."""
    if tie is None:
        return
    tree, (slots, buckets) = game.tree, tie.shape
    acts = np.append(tree.player >= 0, False)[tree.parent]
    fits = (
        tie.slot.shape == tie.texture.shape == tree.parent.shape
        and tie.bucket.ndim == 2
        and tie.bucket.shape[1] == len(game.names.hands)
        and ((tie.slot >= 0) == acts).all()
        and (tie.slot < slots).all()
        and _within(tie.texture, len(tie.bucket))
        and _within(tie.bucket, buckets)
        and _within(tie.first, slots)
        and (tie.count >= 1).all()
        and _within(tie.first + tie.count - 1, slots)
        and _within(tie.player, game.n_players)
        and _groups(tie) >= {_decision(tree, tie, int(n)) for n in np.flatnonzero(tree.player >= 0)}
    )
    if not fits:
        raise DamagedRun(f"the saved abstraction does not fit {game.name}; delete the run or import it again")


def _within(numbers: np.ndarray, limit: int) -> bool:
    return bool(((numbers >= 0) & (numbers < limit)).all())


def _groups(tie: Tying) -> set[tuple[int, ...]]:
    columns = zip(tie.player.tolist(), tie.first.tolist(), tie.count.tolist(), strict=True)
    return {(player, *range(first, first + count)) for player, first, count in columns}


def _decision(tree: Tree, tie: Tying, node: int) -> tuple[int, ...]:
    slots = tie.slot[tree.first[node] : tree.first[node] + tree.count[node]]
    return (int(tree.player[node]), *slots.tolist())


def array_bytes(array: np.ndarray) -> bytes:
    return b"".join(array_file(array).parts())


def state_from(contents: Mapping[str, bytes], name: str) -> dict[str, np.ndarray]:
    """The arrays among a run's files, by their names; whatever is no plain array is refused."""
    state = {}
    for member, content in contents.items():
        folder, inside, file = member.partition("/")
        if inside:
            try:
                state[file.removesuffix(".npy")] = np.lib.format.read_array(io.BytesIO(content))
            except (ValueError, EOFError, OSError, MemoryError) as error:
                raise DamagedRun(f"{member} of run {name!r} is no array of numbers ({error})") from None
    return state


# ---- the trace ---------------------------------------------------------------------------------------------


def trace_bytes(trace: Trace) -> bytes:
    """A trace as Parquet: one row a snapshot; a number that was not measured there stays empty."""
    import pyarrow as pa
    from pyarrow import parquet

    names = dict.fromkeys(name for row in trace.rows for name in row)
    buffer = pa.BufferOutputStream()
    try:
        parquet.write_table(pa.table({name: [row.get(name) for row in trace.rows] for name in names}), buffer)
    except pa.ArrowException as error:
        raise BadValue(f"the trace holds something that is no column of numbers: {error}") from None
    return buffer.getvalue().to_pybytes()


def trace_from(contents: Mapping[str, bytes], name: str) -> Trace:
    """The trace among a run's files; a run need not have one."""
    import pyarrow as pa
    from pyarrow import parquet

    packed = [content for member, content in contents.items() if "/" not in member]
    if not packed:
        return Trace(name=name)
    try:
        # Bytes and this thread only. A Python file would be read by threads of Arrow, and one that lets go of
        # it while Python ends takes the process with it ("terminate called without an active exception").
        file = parquet.ParquetFile(pa.BufferReader(packed[0]), pre_buffer=False)
        if file.metadata.num_rows > MOST_ROWS:  # a few bytes can announce billions of equal rows
            raise DamagedRun(
                f"the trace of run {name!r} has {file.metadata.num_rows:,} rows; no run has so many"
            )
        rows = file.read(use_threads=False).to_pylist()
    except (pa.ArrowException, OSError) as error:
        raise DamagedRun(f"the trace of run {name!r} is no Parquet table ({error})") from None
    return Trace.from_rows([_measured_only(row) for row in rows], name)


def _measured_only(row: Row) -> Row:
    return {name: value for name, value in row.items() if value is not None}


def checked_solver(solver: object) -> Solver:
    """The solver if it can be saved, or one sentence what to save instead."""
    if not isinstance(solver, tuple(SOLVERS.values())) and not _keeps_no_tie(solver):
        raise BadValue(f"a {type(solver).__name__} is no run; save a solver, as in sl.save(solver, 'name')")
    if isinstance(solver, Rebalance):
        check_saves(solver)
    return cast(Solver, solver)


def checked_trace(trace: object) -> Trace:
    if not isinstance(trace, Trace):
        raise BadValue(f"a {type(trace).__name__} is no trace; record one with sl.Trace(sl.run(solver))")
    return trace
