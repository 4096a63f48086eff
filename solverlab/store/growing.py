"""Runs that rebalance and grow: their settings as JSON values and back, and tables of hold'em by name."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.core.game import Game
from solverlab.core.rows import Config
from solverlab.games import from_config
from solverlab.games.betting.states import first_state, following, state_text
from solverlab.solvers import SQUASHES, Rebalance
from solverlab.solvers.growing.frontier import rule_from

if TYPE_CHECKING:
    from solverlab.games.holdem.game import Holdem


# The tables of cards take a moment to load: a table of hold'em is asked for when a run needs one.
DEALS = 32  # of a fingerprint


def check_saves(solver: Rebalance) -> None:
    """Refuse what no file can hold: functions and policies of somebody's own."""
    if SQUASHES.get(solver.squash.name) is not solver.squash:
        raise BadValue(
            f"the squash {solver.squash.name!r} is a function of your own, which no file can hold; use one "
            f"of {', '.join(SQUASHES)}"
        )
    if not isinstance(solver.leaf, str):
        raise BadValue(
            "leaf values given as a function or a policy cannot be saved; use leaf='showdown' or 'rollout', "
            "or keep solver.state() yourself"
        )


def grown_from(
    maker: type[Rebalance],
    game: Game,
    settings: Config,
    state: Mapping[str, np.ndarray],
) -> Rebalance:
    """The solver that goes on from a saved state; its constructor looks at every setting."""
    rule = rule_from(settings.get("frontier"))
    return maker.from_state(game, state, **{**settings, "frontier": rule})


def made_again(config: Config) -> Game:
    """The game of a saved run: one of the catalogue, a postflop spot, or a table of hold'em.

    >>> made_again({"game": "Holdem", "players": 3, "stack": 20})
    3-handed no-limit hold'em: 20 big blinds, 169 hands
    """
    if config.get("game") == "spot":
        return _spot_again(config)
    if config.get("game") != "Holdem":
        return from_config(config)
    from solverlab.games.holdem.game import Holdem

    settings = {label: value for label, value in config.items() if label != "game"}
    # Tables saved before the rule had a name asked for the whole blind.
    return cast(Game, Holdem(**{"full_blind": True, **settings}))


def _spot_again(config: Config) -> Game:
    """A postflop spot; a range that had no text was saved as 1,326 weights."""
    from solverlab.games.spot.game import Spot

    settings = {label: value for label, value in config.items() if label != "game"}
    ranges = [hands if isinstance(hands, str) else np.array(hands, float) for hands in settings["ranges"]]
    return cast(Game, Spot(**{**settings, "ranges": tuple(ranges)}))


def dealt_fingerprint(game: Holdem) -> str:
    """A text that tables share when settings, the first two decisions and the way cards are dealt agree."""
    first = first_state(game.rules.row)
    after = following(game.rules.row, first)
    opened = [*map(state_text, [first, *after.values()]), *after]
    opened += [str(list(following(game.rules.row, state))) for state in after.values()]
    dealt = game.draw(np.random.default_rng(0), DEALS, None, 0)
    digest = hashlib.sha256(json.dumps(game.config(), sort_keys=True).encode())
    digest.update("\0".join([*opened, *game.hand_names, *game.seats]).encode())
    for array in dealt:
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()
