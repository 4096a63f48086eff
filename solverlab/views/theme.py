"""Colours and words every view shares: safe for colour-blind eyes (Okabe & Ito 2008)."""

from __future__ import annotations

PLAYERS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
CHANCE_COLOUR = "#7F7F7F"
LEAF_COLOUR = "#B8B8B8"
RUNS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")

ACTIONS = {"fold": "#0072B2", "check": "#009E73", "call": "#009E73", "raise": "#D55E00"}
OTHER_ACTIONS = ("#E69F00", "#56B4E9", "#CC79A7", "#F0E442", "#000000")

CLOCKS = {"iteration": "iterations", "touched": "nodes touched", "seconds": "seconds of solving"}


def action_colour(action: str, position: int = 0) -> str:
    """A steady colour for an action by its name; unknown names take one by their position."""
    return ACTIONS.get(action, OTHER_ACTIONS[position % len(OTHER_ACTIONS)])


def player_colour(player: int) -> str:
    return PLAYERS[player % len(PLAYERS)] if player >= 0 else CHANCE_COLOUR if player == -1 else LEAF_COLOUR


def run_colour(position: int) -> str:
    return RUNS[position % len(RUNS)]
