"""Hold'em whose players go by the made hand, so that no table of strength is opened."""

from __future__ import annotations

from functools import partial

from solverlab.games.holdem import game

Holdem = partial(game.Holdem, buckets=None)
