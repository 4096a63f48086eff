"""Postflop spots: heads-up hold'em from a flop, turn or river on, with any ranges and bet sizes.

Start at `game.py` (`sl.Spot`); `rounds.py` writes the betting of every round as a small forest,
`paths.py` reads lines such as `check/bet 120/call/Qc`.
"""
