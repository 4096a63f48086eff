"""Postflop spots: heads-up hold'em from a flop, turn or river on, with any ranges and bet sizes.

Start at `game.py` (`sl.Spot`); `menus.py` reads what may be bet, `rounds.py` writes the betting of every
round as a small forest, `size.py` (`sl.size`) tells how large all of it is before it is built, `cheaper.py`
what to leave out where it does not fit.
"""
