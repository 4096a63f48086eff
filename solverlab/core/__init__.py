"""The nouns of the house (Tree, Policy, Snapshot, Tying) and the sweeps over them.

Imports nothing of the package. Start reading at `tree.py`, then `sweeps.py` and `game.py`.
"""

__all__ = [
    "errors",
    "frame",
    "game",
    "history",
    "kernel",
    "leaves",
    "names",
    "policy",
    "snapshot",
    "sweeps",
    "tree",
    "tying",
]
