"""Push or fold before the flop, for two and for three seats.

Start reading at `game.py`.
"""
