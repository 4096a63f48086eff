"""Limit poker from a few numbers: Kuhn, Leduc and whatever a user types.

Start reading at `rules.py`, then `game.py`.
"""
