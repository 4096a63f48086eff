"""Betting over many boards: one small forest of betting a round, times the boards of that round.

Boards are never unrolled into nodes. Start at `shape.py` (a round, its boards), then `sweeps.py` (reach
down, values up on one board) and `lanes.py` (what folds and showdowns are worth, eight rows at once);
`passes.py` walks all of it.
"""
