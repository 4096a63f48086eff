"""The nouns of the house (Tree, Policy, Snapshot, Tying) and the sweeps over them.

Imports nothing of the package. Start reading at `tree.py`, then `sweeps.py` and `game.py`.
"""

__all__ = [
    "abilities",
    "check_solver",
    "check_view",
    "dealt_game",
    "draw_game",
    "draw_paths",
    "errors",
    "bisection",
    "compile_cache",
    "frame",
    "game",
    "history",
    "kernel",
    "leaves",
    "names",
    "policy",
    "snapshot",
    "solver",
    "sweeps",
    "tree",
    "tying",
]
